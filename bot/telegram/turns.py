"""Turns: those that wait for the same thing form a line, and a line that grows too long loses its oldest."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class Overtaken(Exception):
    """So many came after this one that its turn never comes."""


class Turns:
    """A line for every key: one at a time has the turn, in the order in which they came; the lines know no other."""

    def __init__(self, longest: int) -> None:
        """Let at most `longest` wait for each key."""
        self.longest = longest
        self._lines: dict[Hashable, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, key: Hashable) -> AsyncIterator[None]:
        """Wait for the turn, and have it inside. Raises Overtaken to the one that waits longest in too long a line."""
        if key in self._lines:
            await self._wait(key)
        else:
            self._lines[key] = deque()
        try:
            yield
        finally:
            self._pass_on(key)

    async def _wait(self, key: Hashable) -> None:
        line, mine = self._lines[key], asyncio.get_running_loop().create_future()
        line.append(mine)
        if len(line) > self.longest:
            oldest = line.popleft()
            if not oldest.done():
                oldest.set_exception(Overtaken())
        try:
            await mine
        except asyncio.CancelledError:
            # Cancelled just after the turn had come: the next one must not wait for it.
            if mine.done() and not mine.cancelled() and not mine.exception():
                self._pass_on(key)
            raise

    def _pass_on(self, key: Hashable) -> None:
        line = self._lines[key]
        while line:
            following = line.popleft()
            if not following.done():
                following.set_result(None)
                return
        del self._lines[key]

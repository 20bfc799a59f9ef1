"""The pace of messages: limits are kept chat by chat and person by person, so that one's wait is no other's."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from telegram.error import ChatMigrated, RetryAfter
from telegram.ext import BaseRateLimiter

from bot.telegram.turns import Turns

# The library measures Telegram's waits in timedeltas, and warns of every one until it is asked to.
os.environ.setdefault("PTB_TIMEDELTA", "1")

IN_GROUP, IN_PRIVATE = (20, 60.0), (10, 10.0)
"""Messages in so many seconds: Telegram's limit for a group; and one a second for a person, with short bursts."""
FOR_A_PERSON = (20, 20.0)
"""Messages in so many seconds that one person may cause in all chats together, however many groups they are in."""
LONGEST_LINE = 10
"""Messages that may wait for a chat, or for a person; then the newest displace the oldest."""
LONGEST_MUTE = 60.0
"""Seconds for which a chat's messages wait when Telegram says so; for a longer time they are given up."""
LONGEST_DELAY = 3.0
"""The same for the answer to a press or an inline query, which soon is too late."""
ATTEMPTS = 5
MOST_WINDOWS = 20_000

ASKER: ContextVar[int] = ContextVar("asker", default=0)
"""Whose update is being answered; 0: nobody's."""

First = Callable[[], Awaitable[None]]
"""What is done when a message has its turn, just before it is sent; if it raises, the message is not sent."""


class Window:
    """Allows `count` events in any `seconds`."""

    def __init__(self, count: int, seconds: float) -> None:
        self.seconds = seconds
        self._times: deque[float] = deque(maxlen=count)

    def reserve(self, now: float) -> float:
        """Return when the next event may happen, and count it: those who ask later come later."""
        full = len(self._times) == self._times.maxlen
        self._times.append(max(now, self._times[0] + self.seconds) if full else now)
        return self._times[-1]

    def idle(self, now: float) -> bool:
        """Return whether nothing is counted any more."""
        return not self._times or self._times[-1] + self.seconds < now


class Pace(BaseRateLimiter[First]):
    """Sends at most `per_second` messages to all chats together, and to each chat what Telegram allows it; 0: no limit.

    A chat that Telegram mutes waits alone, and its messages keep their order. Of all that wait for a chat everybody has
    one in its line, so that who asks for many does not displace those of others.
    """

    def __init__(
        self,
        per_second: int,
        retried: Callable[[str], None],
        group: tuple[int, float] = IN_GROUP,
        private: tuple[int, float] = IN_PRIVATE,
        person: tuple[int, float] = FOR_A_PERSON,
    ) -> None:
        """Tell `retried` of messages that Telegram refused for now."""
        self._retried = retried
        self._turns = Turns(LONGEST_LINE)
        self._limited, self._group, self._private, self._person = per_second > 0, group, private, person
        self._all = Window(per_second or 1, 1.0)
        self._windows: dict[Hashable, Window] = {}
        self._muted: dict[str, float] = {}

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Any]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: First | None,
    ) -> Any:
        """Send a request when its turn has come; `rate_limit_args` is what is done first.

        `args` are the endpoint and `data`. Raises Overtaken, RetryAfter, and what the request, or what is done first,
        raises.
        """
        chat = str(data.get("chat_id") or data.get("inline_message_id") or "")
        if not chat or not endpoint.startswith(("send", "edit")):
            longest = LONGEST_DELAY if endpoint.startswith("answer") else LONGEST_MUTE
            return await self._send(callback, args, kwargs, longest=longest)
        asker = ASKER.get()
        await self._wait_for(asker)
        async with self._turns.turn((asker, chat)), self._turns.turn(chat):
            return await self._send(callback, args, kwargs, chat, rate_limit_args)

    async def _send(
        self,
        callback: Callable[..., Any],
        args: Any,
        kwargs: dict[str, Any],
        chat: str = "",
        first: First | None = None,
        longest: float = LONGEST_MUTE,
    ) -> Any:
        # What something is done before waits for no mute: who sends many of them should not be held up by one chat.
        longest = 0.0 if first else longest
        for attempt in range(1, ATTEMPTS + 1):
            if chat:
                await self._wait(chat, longest)
            if first and attempt == 1:
                await first()
            try:
                return await callback(*args, **kwargs)
            except ChatMigrated as error:
                # A group that became a supergroup meanwhile is written to under its new number.
                if attempt == ATTEMPTS:
                    raise
                args[1]["chat_id"] = error.new_chat_id
            except RetryAfter as error:
                seconds = seconds_of(error)
                self._retried("429")
                if seconds > longest or attempt == ATTEMPTS:
                    self._mute(chat, seconds)
                    raise
                if not chat:
                    await asyncio.sleep(seconds)
                self._mute(chat, seconds)
        raise AssertionError

    async def _wait_for(self, asker: int) -> None:
        """Until a person may have one more message, in whatever chat."""
        if asker and self._limited:
            async with self._turns.turn(asker):
                await _until(self._window(asker, self._person).reserve(time.monotonic()))

    def _mute(self, chat: str, seconds: float) -> None:
        if chat:
            self._muted[chat] = time.monotonic() + seconds

    async def _wait(self, chat: str, longest: float) -> None:
        """Until a message may go to a chat. Raises RetryAfter for one that is muted for longer than `longest` yet."""
        muted = self._muted.pop(chat, 0.0) - time.monotonic()
        if muted > longest:
            self._mute(chat, muted)
            raise RetryAfter(math.ceil(muted))
        if muted > 0:
            await asyncio.sleep(muted)
        if self._limited:
            allowed = self._group if chat.startswith("-") else self._private
            await _until(self._window(chat, allowed).reserve(time.monotonic()))
            await _until(self._all.reserve(time.monotonic()))

    def _window(self, key: Hashable, allowed: tuple[int, float]) -> Window:
        if len(self._windows) > MOST_WINDOWS:
            now = time.monotonic()
            self._windows = {name: window for name, window in self._windows.items() if not window.idle(now)}
            self._muted = {name: until for name, until in self._muted.items() if until > now}
        return self._windows.setdefault(key, Window(*allowed))


def seconds_of(error: RetryAfter) -> float:
    """Return how long Telegram asks to wait."""
    wait = error.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else wait


async def _until(moment: float) -> None:
    if (seconds := moment - time.monotonic()) > 0:
        await asyncio.sleep(seconds)

"""What tests of the store share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.store.protocol import Store

Open = Callable[[], Awaitable[Store]]
"""Opens the state of a test, as often as it is called."""


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time

"""What tests of the store share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bot.store.protocol import OWNED, StateUnavailable, Store

Open = Callable[[], Awaitable[Store]]
"""Opens the state of a test, as often as it is called."""


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


async def exported(store: Store, user: int) -> dict[str, list[dict[str, Any]]]:
    """Everything that is kept about a person: the rows of each table of OWNED, the newest first."""
    kept: dict[str, list[dict[str, Any]]] = {table: [] for table in OWNED}
    await store.export(user, lambda table, rows: kept[table].extend(rows))
    return kept


def full(store: Store, *names: str) -> None:
    """As on a full disk: these methods of a store fail."""

    async def fails(*_: Any, **__: Any) -> None:
        raise StateUnavailable("database or disk is full")

    for name in names:
        setattr(store, name, fails)

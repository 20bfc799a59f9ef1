"""Opens the state that the setting STATE names."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from bot.store.protocol import StateError
from bot.store.sql import Database, SqlStore

ADDRESS = re.compile(r"postgres(ql)?://")


async def open_store(state: str | Path, now: Callable[[], float] = time.time) -> SqlStore:
    """Open a store, which its user closes; its tables are made, or brought up to date. Raises StateError.

    `state` is the address of a PostgreSQL database, postgresql://..., or the path of an SQLite file, or ":memory:" for
    one that is gone when closed. `now` is the clock, in seconds since 1970.
    """
    return SqlStore(await _open_database(state), now)


async def _open_database(state: str | Path) -> Database:
    if not ADDRESS.match(str(state)):
        # Each is imported only where it is used.
        from bot.store.sqlite import SqliteDatabase

        return await SqliteDatabase.open(state)
    try:
        from bot.store.postgres import PostgresDatabase
    except ImportError as error:
        raise StateError(
            "STATE names a PostgreSQL database, for which packages are missing: "
            "install them with pip install 'idiomatika[postgresql]'."
        ) from error
    return await PostgresDatabase.open(str(state))

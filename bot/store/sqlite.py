"""The state in one SQLite file, read and written on other threads: the event loop never waits for the disk."""

# ruff: noqa: D102 - Store documents what the methods of SqliteStore do.

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any, TypeVar

from sqlite_utils import Database

from bot.store.migrations import migrations
from bot.store.protocol import KEPT_DAYS, OWNED, HistoryEntry, StateError, User

DAY = 86_400.0

T = TypeVar("T")
Row = dict[str, Any]


class _Connection:
    """A connection to the file, and the only thread that uses it."""

    def __init__(self, path: Path | str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")
        self._db = self._thread.submit(_open, path).result()

    async def run(self, call: Callable[[Database], T]) -> T:
        """Call a function with the database on the thread, and return its result or raise its exception."""
        return await asyncio.wrap_future(self._thread.submit(call, self._db))

    async def query(self, sql: str, *values: object) -> list[Row]:
        """Execute a statement that returns rows, even if it also writes, and return them by column name."""
        return await self.run(lambda db: list(db.query(sql, values)))

    async def execute(self, sql: str, *values: object) -> list[Any]:
        """Execute a statement that only reads or only writes, and return its rows as tuples."""
        return await self.run(lambda db: db.execute(sql, values).fetchall())

    def close(self) -> None:
        """Wait for what is under way, and close."""
        self._thread.submit(self._db.close).result()
        self._thread.shutdown()


class SqliteStore:
    """A `bot.store.protocol.Store` in one SQLite file. A kill at any moment loses nothing that was written."""

    def __init__(self, path: Path | str, now: Callable[[], float] = time.time) -> None:
        """Open the file, or create it, and bring it to today's schema. Needs no event loop. Raises StateError.

        `path` may be ":memory:" for a store that is gone when closed. `now` is the clock, in seconds since 1970.
        """
        self.now = now
        try:
            self._main = _Connection(path)
            # Reading whole tables takes up to seconds, for which nobody should wait. A second connection to ":memory:"
            # would open a second database.
            self._reader = self._main if str(path) == ":memory:" else _Connection(path)
        except Exception as error:
            raise StateError(
                f"The state file {path} cannot be opened ({error}): name a writable file in STATE."
            ) from error

    def close(self) -> None:
        if self._reader is not self._main:
            self._reader.close()
        self._main.close()

    async def user(self, user: int) -> User:
        rows = await self._main.query("SELECT * FROM users WHERE id = ?", user)
        return User(**rows[0]) if rows else User(user)

    async def set(self, user: int, **values: str | float | None) -> None:
        await self._main.run(lambda db: db.table("users").upsert({"id": user, **values}, pk="id"))

    async def keep_updates(self, updates):  # TEMP
        self._u = getattr(self, "_u", {})
        new = [n for n, _ in updates if n not in self._u]
        self._u.update(updates)
        return new

    async def finish_updates(self, numbers):
        pass

    async def take_over(self):
        return []

    async def leads(self):
        return True

    async def set_saved(self, user, key, saved):
        if saved != (key in await self.saved(user)):
            await self.toggle_saved(user, key)

    async def count_query(self, user: int, day: str, update: int = 0) -> int:
        sql = (
            "INSERT INTO users (id, day, asked) VALUES (?, ?, 1) ON CONFLICT (id) DO UPDATE "
            "SET asked = iif(day = excluded.day, asked + 1, 1), day = excluded.day RETURNING asked"
        )
        (row,) = await self._main.query(sql, user, day)
        return int(row["asked"])

    async def due(self) -> list[User]:
        # Earlier versions could leave a time without an hour, when somebody unsubscribed just as theirs was sent.
        sql = "SELECT * FROM users WHERE due <= ? AND hour != ''"
        return [User(**row) for row in await self._main.query(sql, self.now())]

    async def reschedule(self, user: User, due: float) -> bool:
        sql = "UPDATE users SET due = ? WHERE id = ? AND due = ? RETURNING id"
        return bool(await self._main.query(sql, due, user.id, user.due))

    async def add(self, entry: HistoryEntry, update: int = 0) -> HistoryEntry:
        sql = (
            "INSERT INTO history (user, chat_key, kind, text, parent, page, at, filter, exact, nearest) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *"
        )
        _, *values = astuple(replace(entry, at=self.now()))
        (kept,) = await self._entries(sql, *values)
        return kept

    async def entry(self, number: int, chat_key: str) -> HistoryEntry | None:
        entries = await self._entries("SELECT * FROM history WHERE id = ? AND chat_key = ?", number, chat_key)
        return entries[0] if entries else None

    async def past(self, number: int, user: int) -> HistoryEntry | None:
        entries = await self._entries("SELECT * FROM history WHERE id = ? AND user = ?", number, user)
        return entries[0] if entries else None

    async def history(self, user: int, first: int, count: int) -> list[HistoryEntry]:
        sql = (
            "SELECT * FROM history WHERE id IN (SELECT max(id) FROM history WHERE user = ? "
            "AND kind IN ('query', 'card', 'random') AND NOT nearest "
            "GROUP BY replace(kind, 'random', 'card'), exact, text) ORDER BY id DESC LIMIT ? OFFSET ?"
        )
        return await self._entries(sql, user, count, first)

    async def recent_keys(self, user: int, count: int = 200) -> frozenset[str]:
        sql = "SELECT text FROM history WHERE user = ? AND kind IN ('card', 'random') ORDER BY id DESC LIMIT ?"
        return frozenset(key for (key,) in await self._main.execute(sql, user, count))

    async def saved(self, user: int) -> list[str]:
        sql = "SELECT key FROM saved WHERE user = ? ORDER BY at DESC"
        return [key for (key,) in await self._main.execute(sql, user)]

    async def toggle_saved(self, user: int, key: str) -> bool:
        def toggle(db: Database) -> bool:
            with db.atomic():
                if db.execute("DELETE FROM saved WHERE user = ? AND key = ?", [user, key]).rowcount:
                    return False
                db.execute("INSERT INTO saved VALUES (?, ?, ?)", [user, key, self.now()])
                return True

        return await self._main.run(toggle)

    async def vote(self, user: int, query: str, key: str, vote: str) -> None:
        sql = "INSERT OR REPLACE INTO votes VALUES (?, ?, ?, ?, ?)"
        await self._main.execute(sql, user, query, key, vote, self.now())

    async def add_poll(self, poll: str, correct: int) -> None:
        await self._main.execute("INSERT OR REPLACE INTO polls VALUES (?, ?, ?)", poll, correct, self.now())

    async def add_answer(self, user: int, poll: str, option: int) -> None:
        sql = "INSERT OR IGNORE INTO answers SELECT ?, id, correct = ?, ? FROM polls WHERE id = ?"
        await self._main.execute(sql, user, option, self.now(), poll)

    async def score(self, user: int) -> tuple[int, int]:
        sql = "SELECT ifnull(sum(correct), 0), count(*) FROM answers WHERE user = ?"
        ((correct, asked),) = await self._main.execute(sql, user)
        return correct, asked

    async def trending(self, days: float, count: int, people: int = 2) -> list[tuple[str, int]]:
        sql = (
            "SELECT text, count(DISTINCT user) AS people FROM history WHERE kind = 'card' AND at > ? "
            "GROUP BY text HAVING people >= ? ORDER BY people DESC, max(id) DESC LIMIT ?"
        )
        return await self._reader.execute(sql, self.now() - days * DAY, people, count)

    async def clicks(self) -> dict[str, int]:
        sql = (
            "SELECT key, count(*) FROM (SELECT card.text AS key, card.user FROM history AS card "
            "LEFT JOIN history AS asked ON asked.id = card.parent "
            "WHERE card.kind = 'card' AND (card.parent = 0 OR asked.kind = 'query') "
            "UNION SELECT key, user FROM saved UNION SELECT key, user FROM votes WHERE vote = 'up') GROUP BY key"
        )
        return dict(await self._reader.execute(sql))

    async def people(self, days: float) -> int:
        sql = "SELECT count(DISTINCT user) FROM history WHERE at > ?"
        ((people,),) = await self._reader.execute(sql, self.now() - days * DAY)
        return int(people)

    async def activity(self, days: float) -> list[tuple[str, int, int]]:
        # A query repeated as "exact" or "nearest" is not counted again.
        sql = (
            "SELECT date(at, 'unixepoch') AS day, sum(kind = 'query' AND NOT exact AND NOT nearest), "
            "count(DISTINCT user) FROM history WHERE at > ? GROUP BY day ORDER BY day"
        )
        return await self._reader.execute(sql, self.now() - days * DAY)

    async def export(self, user: int) -> dict[str, list[Row]]:
        return await self._reader.run(
            lambda db: {table: list(db.table(table).rows_where(f"{key} = ?", [user])) for table, key in OWNED.items()}
        )

    async def forget(self, user: int, tables: Iterable[str]) -> None:
        def delete(db: Database) -> None:
            with db.atomic():
                for table in tables:
                    db.table(table).delete_where(f"{OWNED[table]} = ?", [user])

        await self._main.run(delete)

    async def prune(self) -> None:
        def delete(db: Database) -> None:
            for table, days in KEPT_DAYS.items():
                db.table(table).delete_where("at < ?", [self.now() - days * DAY])

        await self._main.run(delete)

    async def _entries(self, sql: str, *values: object) -> list[HistoryEntry]:
        rows = await self._main.query(sql, *values)
        return [HistoryEntry(**row | {"exact": bool(row["exact"]), "nearest": bool(row["nearest"])}) for row in rows]


def _open(path: Path | str) -> Database:
    if str(path) != ":memory:":
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    db = Database(path)
    try:
        db.enable_wal()
        # In WAL mode NORMAL loses nothing when the process dies, and spares an fsync for each write.
        db.execute("PRAGMA synchronous = NORMAL")
        migrations.apply(db)
    except Exception:
        db.close()
        raise
    return db

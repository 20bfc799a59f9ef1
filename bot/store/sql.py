"""The store in SQL: every statement once, written so that SQLite and PostgreSQL both take it."""

# ruff: noqa: D102 - Store documents what the methods of SqlStore do.

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, fields, replace
from functools import partial
from typing import Any, Protocol

from bot.store.protocol import KEPT_DAYS, OWNED, REPORTS_A_DAY, HistoryEntry, Report, Review, User

DAY = 86_400.0
FARTHEST_DUE = 2 * DAY
"""Seconds to the next idiom of the day, at most; one that is due later was scheduled while the clock was wrong."""
PRUNED_AT_ONCE = 1_000
FORGOTTEN_AT_ONCE = 200
"""Screens that are deleted in one transaction: few enough for the room that is kept for it on a full disk."""

Row = dict[str, Any]
Statement = tuple[str, Sequence[object]]
"""SQL with a ? for each value, and the values."""
Take = Callable[[list[Row]], bool | None]
"""Takes a part of the rows, outside the event loop's thread; True ends the reading."""
SCANNED_AT_ONCE = 1_000
"""Rows of a part."""


class Database(Protocol):
    """What runs the statements. All methods raise StateUnavailable when the database cannot be had just now."""

    lease: float
    """Seconds without a word from a process after which it is taken for dead."""
    day: str
    """SQL for the ISO date, by UTC, of the column `at`."""
    turn: str
    """SQL with which a transaction begins that must not run beside another one that begins so."""

    async def read(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a statement that is done at once."""

    async def scan(self, take: Take, sql: str, *values: object) -> None:
        """Pass on the rows of a statement that reads much; nobody else waits for it."""

    async def write(self, *statements: Statement) -> list[Row]:
        """Execute statements in one transaction, and return the rows of the last."""

    async def erase(self, *statements: Statement) -> list[Row]:
        """Do what `write` does, for statements that delete: on a full disk too."""

    async def wipe(self) -> None:
        """Leave nothing of what was deleted in the files; what is in use just now is left for the next time."""

    async def leads(self) -> bool:
        """Return whether this process is the first of all that have the database open."""

    async def close(self) -> None:
        """Wait for what is under way, and close."""


def _columns(of: type[User | HistoryEntry | Report | Review]) -> str:
    """The columns by name: a newer version may have left more of them."""
    return ", ".join('"user"' if field.name == "user" else field.name for field in fields(of))


USER, ENTRY, REPORT, REVIEW = map(_columns, (User, HistoryEntry, Report, Review))


class SqlStore:
    """A `bot.store.protocol.Store` in an SQL database."""

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        """Keep everything in an open database with today's tables. `now` is the clock, in seconds since 1970."""
        self.now = now
        self._db = database
        self._owner = secrets.token_hex(8)

    async def close(self) -> None:
        await self._db.close()

    async def user(self, user: int) -> User:
        rows = await self._db.read(f"SELECT {USER} FROM users WHERE id = ?", user)
        return User(**rows[0]) if rows else User(user)

    async def set(self, user: int, **values: str | float | None) -> None:
        changes = ", ".join(f"{name} = excluded.{name}" for name in values)
        sql = (
            f"INSERT INTO users ({', '.join(['id', *values])}) VALUES ({_marks(1 + len(values))}) "
            f"ON CONFLICT (id) DO UPDATE SET {changes}"
        )
        await self._db.write((sql, (user, *values.values())))

    async def keep_updates(self, updates: Sequence[tuple[int, str]]) -> list[int]:
        if not updates:
            return []
        # In order, lest two processes with the same updates wait for each other.
        numbers, now = sorted(number for number, _ in updates), self.now()
        bodies = [value for number, body in sorted(updates) for value in (number, body, now)]
        rows, of_these = ", ".join(["(?, ?, ?)"] * len(updates)), f"id IN ({_marks(len(updates))})"
        text = f"INSERT INTO bodies (id, body, at) VALUES {rows} ON CONFLICT (id) DO NOTHING"
        known = f"DELETE FROM bodies WHERE {of_these} AND id IN (SELECT id FROM updates WHERE owner = '')"
        keep = f"INSERT INTO updates (id, owner, at) VALUES {rows} ON CONFLICT (id) DO NOTHING RETURNING id"
        owned = [value for number in numbers for value in (number, self._owner, now)]
        new = await self._db.write((text, bodies), (known, numbers), (keep, owned))
        return sorted(row["id"] for row in new)

    async def finish_updates(self, numbers: Sequence[int]) -> None:
        if numbers:
            await self._db.write(*_finished(numbers))

    async def take_over(self) -> list[tuple[int, str, int]]:
        now, gone = self.now(), self.now() - self._db.lease
        alive = "INSERT INTO owners (owner, seen) VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET seen = excluded.seen"
        bury = "DELETE FROM owners WHERE owner != ? AND seen < ?"
        # By their age too: a process that slept for long, and is buried, goes on before it can say that it lives.
        claim = (
            "UPDATE updates SET owner = ?, taken_over = taken_over + 1 "
            "WHERE owner != '' AND at < ? AND owner NOT IN (SELECT owner FROM owners) "
            "RETURNING id, (SELECT body FROM bodies WHERE bodies.id = updates.id) AS body, taken_over"
        )
        rows = await self._db.write(
            (self._db.turn, ()), (alive, (self._owner, now)), (bury, (self._owner, gone)), (claim, (self._owner, gone))
        )
        return sorted((row["id"], row["body"], row["taken_over"]) for row in rows)

    async def leads(self) -> bool:
        return await self._db.leads()

    async def count_query(self, user: int, day: str, update: int = 0) -> int:
        sql = (
            "INSERT INTO users (id, day, asked, counted) VALUES (?, ?, 1, ?) ON CONFLICT (id) DO UPDATE SET asked = "
            "CASE WHEN users.day != excluded.day THEN 1 "
            "WHEN excluded.counted != 0 AND users.counted = excluded.counted THEN users.asked "
            "ELSE users.asked + 1 END, day = excluded.day, counted = excluded.counted RETURNING asked"
        )
        (row,) = await self._db.write((sql, (user, day, update)))
        return int(row["asked"])

    async def due(self) -> list[User]:
        # Earlier versions could leave a time without an hour, when somebody unsubscribed just as theirs was sent.
        sql = f"SELECT {USER} FROM users WHERE (due <= ? OR due > ?) AND hour != '' ORDER BY due, id"
        return [User(**row) for row in await self._db.read(sql, self.now(), self.now() + FARTHEST_DUE)]

    async def reschedule(self, user: User, due: float) -> bool:
        sql = "UPDATE users SET due = ? WHERE id = ? AND due = ? RETURNING id"
        return bool(await self._db.write((sql, (due, user.id, user.due))))

    async def add(self, entry: HistoryEntry, update: int = 0) -> HistoryEntry:
        # A conflict changes nothing, but returns the row.
        sql = (
            f"INSERT INTO history ({ENTRY.removeprefix('id, ')}, update_id) VALUES ({_marks(len(fields(entry)))}) "
            f'ON CONFLICT ("user", update_id, kind) DO UPDATE SET update_id = excluded.update_id RETURNING {ENTRY}'
        )
        _, *values, exact, nearest = astuple(replace(entry, at=self.now()))
        return _entries(await self._db.write((sql, (*values, int(exact), int(nearest), update or None))))[0]

    async def entry(self, number: int, chat_key: str) -> HistoryEntry | None:
        sql = f"SELECT {ENTRY} FROM history WHERE id = ? AND chat_key = ?"
        return next(iter(_entries(await self._db.read(sql, number, chat_key))), None)

    async def past(self, number: int, user: int) -> HistoryEntry | None:
        sql = f'SELECT {ENTRY} FROM history WHERE id = ? AND "user" = ?'
        return next(iter(_entries(await self._db.read(sql, number, user))), None)

    async def history(self, user: int, first: int, count: int) -> list[HistoryEntry]:
        sql = (
            f'SELECT {ENTRY} FROM history WHERE id IN (SELECT max(id) FROM history WHERE "user" = ? '
            "AND kind IN ('query', 'card', 'random') AND nearest = 0 "
            "GROUP BY replace(kind, 'random', 'card'), exact, text) ORDER BY id DESC LIMIT ? OFFSET ?"
        )
        return _entries(await self._db.read(sql, user, count, first))

    async def recent_keys(self, user: int, count: int = 200) -> frozenset[str]:
        sql = "SELECT text FROM history WHERE \"user\" = ? AND kind IN ('card', 'random') ORDER BY id DESC LIMIT ?"
        return frozenset(row["text"] for row in await self._db.read(sql, user, count))

    async def saved(self, user: int) -> list[str]:
        sql = 'SELECT key FROM saved WHERE "user" = ? ORDER BY at DESC, key'
        return [row["key"] for row in await self._db.read(sql, user)]

    async def set_saved(self, user: int, key: str, saved: bool) -> None:
        if saved:
            sql = 'INSERT INTO saved ("user", key, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
            await self._db.write((sql, (user, key, self.now())))
        else:
            await self._db.write(('DELETE FROM saved WHERE "user" = ? AND key = ?', (user, key)))

    async def toggle_saved(self, user: int, key: str, update: int = 0) -> bool:
        # What is saved already is marked, and what is marked is deleted.
        save = 'INSERT INTO saved ("user", key, at) VALUES (?, ?, ?) ON CONFLICT ("user", key) DO UPDATE SET at = -1'
        drop = 'DELETE FROM saved WHERE "user" = ? AND key = ? AND at < 0 RETURNING key'
        rows = await self._db.write(*_finished([update]), (save, (user, key, self.now())), (drop, (user, key)))
        return not rows

    async def reviews(self, user: int) -> list[Review]:
        sql = f'SELECT {REVIEW} FROM reviews WHERE "user" = ? ORDER BY due, key'
        return [Review(**row) for row in await self._db.read(sql, user)]

    async def grade(self, user: int, review: Review, day: str) -> bool:
        today = 'INSERT INTO learned ("user", day, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
        sql = (
            f'INSERT INTO reviews ({REVIEW}, at, "user") VALUES ({_marks(len(fields(review)) + 2)}) '
            'ON CONFLICT ("user", key) DO UPDATE SET count = excluded.count, card = excluded.card, due = excluded.due, '
            "previous = excluded.previous, at = excluded.at WHERE reviews.count = excluded.count - 1 RETURNING key"
        )
        graded = sql, (*astuple(review), self.now(), user)
        return bool(await self._db.write((today, (user, day, self.now())), graded))

    async def ungrade(self, user: int, review: Review) -> bool:
        latest = 'WHERE "user" = ? AND key = ? AND count = ? RETURNING key'
        which = user, review.key, review.count + 1
        if not review.count:
            return bool(await self._db.write((f"DELETE FROM reviews {latest}", which)))
        sql = f"UPDATE reviews SET count = ?, card = ?, due = ?, previous = '' {latest}"
        return bool(await self._db.write((sql, (review.count, review.card, review.due, *which))))

    async def learned(self, user: int) -> list[str]:
        sql = 'SELECT day FROM learned WHERE "user" = ? ORDER BY day DESC'
        return [row["day"] for row in await self._db.read(sql, user)]

    async def vote(self, user: int, query: str, key: str, vote: str) -> bool:
        old = 'DELETE FROM votes WHERE "user" = ? AND query = ? AND key = ? AND vote != ?'
        new = (
            'INSERT INTO votes ("user", query, key, vote, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING '
            "RETURNING vote"
        )
        statements = [(old, (user, query, key, vote)), (new, (user, query, key, vote, self.now()))]
        return bool(await self._db.write(*(statements if vote else statements[:1])))

    async def voted(self, user: int, query: str, key: str) -> str:
        sql = 'SELECT vote FROM votes WHERE "user" = ? AND query = ? AND key = ?'
        return next((row["vote"] for row in await self._db.read(sql, user, query, key)), "")

    async def report(self, user: int, key: str, kind: str) -> int:
        sql = (
            f"INSERT INTO reports ({REPORT}) SELECT ?, ?, ?, ?, '', ?, '' "
            'WHERE (SELECT count(*) FROM reports WHERE "user" = ? AND at > ? AND key || kind != ?) < ? '
            "ON CONFLICT (\"user\", key, kind) DO UPDATE SET at = excluded.at, answer = '' RETURNING id"
        )
        # The databases count in different ways, and what is said twice should have one number.
        said = f"{user} {key} {kind}".encode()
        number, now = int.from_bytes(hashlib.blake2s(said, digest_size=5).digest()) + 1, self.now()
        values = number, user, key, kind, now, user, now - DAY, key + kind, REPORTS_A_DAY
        rows = await self._db.write((sql, values))
        return int(rows[0]["id"]) if rows else 0

    async def comment(self, user: int, number: int, text: str) -> Report | None:
        sql = f'UPDATE reports SET comment = ? WHERE "user" = ? AND id = ? RETURNING {REPORT}'
        return next((Report(**row) for row in await self._db.write((sql, (text, user, number)))), None)

    async def reports(self) -> list[Report]:
        rows = await self._scan(f"SELECT {REPORT} FROM reports ORDER BY at DESC, id")
        reports = [Report(**row) for row in rows]
        places = {key: place for place, key in enumerate(dict.fromkeys(report.key for report in reports))}
        return sorted(reports, key=lambda report: places[report.key])

    async def answer_reports(self, key: str, answer: str) -> list[Report]:
        sql = f"UPDATE reports SET answer = ? WHERE key = ? AND answer = '' RETURNING {REPORT}"
        return [Report(**row) for row in await self._db.write((sql, (answer, key)))]

    async def add_poll(self, poll: str, correct: int) -> None:
        sql = (
            "INSERT INTO polls (id, correct, at) VALUES (?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET correct = excluded.correct, at = excluded.at"
        )
        await self._db.write((sql, (poll, correct, self.now())))

    async def add_answer(self, user: int, poll: str, option: int) -> None:
        sql = (
            'INSERT INTO answers ("user", poll, correct, at) SELECT ?, id, CASE WHEN correct = ? THEN 1 ELSE 0 END, ? '
            "FROM polls WHERE id = ? ON CONFLICT DO NOTHING"
        )
        await self._db.write((sql, (user, option, self.now(), poll)))

    async def score(self, user: int, since: float = 0.0, until: float | None = None) -> tuple[int, int]:
        sql = (
            "SELECT coalesce(sum(correct), 0) AS correct, count(*) AS asked FROM answers "
            'WHERE "user" = ? AND at >= ? AND at < ?'
        )
        (row,) = await self._db.read(sql, user, since, self.now() + 1 if until is None else until)
        return row["correct"], row["asked"]

    async def pictures(self, pictures: Sequence[str]) -> dict[str, str]:
        if not pictures:
            return {}
        sql = f"SELECT id, file_id FROM pictures WHERE id IN ({_marks(len(pictures))})"
        return {row["id"]: row["file_id"] for row in await self._db.read(sql, *pictures)}

    async def add_picture(self, picture: str, file_id: str) -> None:
        sql = (
            "INSERT INTO pictures (id, file_id, at) VALUES (?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET file_id = excluded.file_id, at = excluded.at"
        )
        await self._db.write((sql, (picture, file_id, self.now())))

    async def trending(self, days: float, count: int, people: int = 5) -> list[tuple[str, int]]:
        sql = (
            "SELECT text, count(DISTINCT \"user\") AS people FROM history WHERE kind = 'card' AND at > ? "
            'GROUP BY text HAVING count(DISTINCT "user") >= ? ORDER BY people DESC, max(id) DESC LIMIT ?'
        )
        rows = await self._scan(sql, self.now() - days * DAY, people, count)
        return [(row["text"], row["people"]) for row in rows]

    async def clicks(self) -> dict[str, int]:
        sql = (
            'SELECT key, count(*) AS people FROM (SELECT card.text AS key, card."user" FROM history AS card '
            "LEFT JOIN history AS asked ON asked.id = card.parent "
            "WHERE card.kind = 'card' AND (card.parent = 0 OR asked.kind = 'query') "
            'UNION SELECT key, "user" FROM saved UNION SELECT key, "user" FROM votes WHERE vote = \'up\') AS chosen '
            "GROUP BY key"
        )
        return {row["key"]: row["people"] for row in await self._scan(sql)}

    async def people(self, days: float) -> int:
        sql = 'SELECT count(DISTINCT "user") AS people FROM history WHERE at > ?'
        (row,) = await self._scan(sql, self.now() - days * DAY)
        return int(row["people"])

    async def activity(self, days: float) -> list[tuple[str, int, int]]:
        # A query repeated as "exact" or "nearest" is not counted again.
        sql = (
            f"SELECT {self._db.day} AS day, "
            "sum(CASE WHEN kind = 'query' AND exact = 0 AND nearest = 0 THEN 1 ELSE 0 END) AS queries, "
            'count(DISTINCT "user") AS people FROM history WHERE at > ? GROUP BY day ORDER BY day'
        )
        rows = await self._scan(sql, self.now() - days * DAY)
        return [(row["day"], row["queries"], row["people"]) for row in rows]

    async def export(self, user: int, take: Callable[[str, list[Row]], bool | None]) -> None:
        for table, column in OWNED.items():
            newest = "id" if table in ("users", "history") else "at"
            sql = f'SELECT * FROM {table} WHERE "{column}" = ? ORDER BY {newest} DESC, 2'
            await self._db.scan(partial(take, table), sql, user)

    async def forget(self, user: int, tables: Iterable[str]) -> None:
        named = set(tables)
        if "history" in named:
            await self._delete("history", '"user" = ?', user, FORGOTTEN_AT_ONCE)
        rest = [(f'DELETE FROM {table} WHERE "{OWNED[table]}" = ?', (user,)) for table in named - {"history"}]
        if rest:
            await self._db.erase(*rest)
        await self._db.wipe()

    async def prune(self) -> None:
        for table, days in KEPT_DAYS.items():
            await self._delete(table, "at < ?", self.now() - days * DAY, PRUNED_AT_ONCE)
        await self._db.wipe()

    async def _scan(self, sql: str, *values: object) -> list[Row]:
        rows: list[Row] = []
        await self._db.scan(rows.extend, sql, *values)
        return rows

    async def _delete(self, table: str, which: str, value: float, at_once: int) -> None:
        """Delete rows in transactions so small that nobody waits for one."""
        sql = f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE {which} LIMIT {at_once}) RETURNING id"
        while len(await self._db.erase((sql, (value,)))) == at_once:
            pass


def _finished(numbers: Sequence[int]) -> tuple[Statement, Statement]:
    """What makes updates answered ones."""
    these = f"id IN ({_marks(len(numbers))})"
    return (f"UPDATE updates SET owner = '' WHERE {these}", numbers), (f"DELETE FROM bodies WHERE {these}", numbers)


def storable(values: Iterable[object]) -> list[object]:
    """The values, without what no database keeps in a text: NUL, and halves of characters."""
    return [
        value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()
        if isinstance(value, str)
        else value
        for value in values
    ]


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _entries(rows: list[Row]) -> list[HistoryEntry]:
    return [HistoryEntry(**row | {"exact": bool(row["exact"]), "nearest": bool(row["nearest"])}) for row in rows]

"""What must outlive a restart: people's settings, steps, saved idioms, votes and scores, in one SQLite file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from bot.store.migrations import migrations

DAY = 86_400.0
KEPT_DAYS = {"steps": 180, "polls": 30}
"""Older rows are deleted; what people saved, judged and scored stays until they say /forget."""


OWNED = {"users": "id", "steps": "user", "saved": "user", "votes": "user", "answers": "user"}
"""The tables with what is kept about a person, and the column that names them."""


class StateError(Exception):
    """The state file cannot be used; the sentence says why."""


@dataclass(frozen=True, slots=True)
class User:
    """A person, as far as the bot knows them."""

    id: int
    language: str = ""
    """The interface language that they chose; empty: follow their Telegram."""
    spoken: str = ""
    """The interface language in which they asked for what is sent later."""
    scope: str = ""
    """The language of the idioms that they search; empty: all."""
    zone: str = ""
    """Their time zone, by its IANA name."""
    hour: str = ""
    """The hour of their idiom of the day; empty: they want none."""
    due: float | None = None
    """When their next idiom of the day is due, in seconds since 1970."""
    day: str = ""
    asked: int = 0
    """How many queries they asked on `day`."""


@dataclass(frozen=True, slots=True)
class Step:
    """A screen that a person was shown. Its parent is the screen before it, so that undo only follows parents."""

    id: int
    user: int
    place: str
    """The chat or inline message where it is shown; nobody elsewhere may read it."""
    kind: str
    """What is shown: "card", "similar", "random", "history", "saved", or the answers to a "query".

    These may also be asked for "exact", without repair, for the "nearest" though none is close, or "exact-nearest".
    """
    text: str
    """The query, or the key of the phrase."""
    parent: int = 0
    page: int = 0
    """The page of the parent from which this step was made."""
    at: float = 0.0
    """Seconds since 1970."""
    among: str = ""
    """What a random draw was narrowed to."""

    @property
    def asks(self) -> bool:
        """Whether the answers to a query are shown."""
        return self.kind == "query" or self.exact or self.nearest

    @property
    def exact(self) -> bool:
        """Whether the query is searched as it was typed."""
        return self.kind.startswith("exact")

    @property
    def nearest(self) -> bool:
        """Whether the nearest are shown even when none is close."""
        return self.kind.endswith("nearest")


class UserStore:
    """The state of every user. Each write is one short transaction, safe against a kill at any moment."""

    def __init__(self, path: Path | str, now: Callable[[], float] = time.time) -> None:
        """Open the file, or create it, and bring it to the present form. Raises StateError."""
        self.now = now
        try:
            if str(path) != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._db = Database(path)
            self._db.enable_wal()
            # In WAL mode NORMAL loses nothing when the process dies, and spares an fsync for each write.
            self._db.execute("PRAGMA synchronous = NORMAL")
            migrations.apply(self._db)
        except Exception as error:
            raise StateError(
                f"The state file {path} cannot be opened ({error}): name a writable file in STATE."
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def user(self, user: int) -> User:
        """What is known of a person; for a stranger, the defaults."""
        return next((User(**row) for row in self._db.query("SELECT * FROM users WHERE id = ?", [user])), User(user))

    def set(self, user: int, **values: str | float | None) -> None:
        """Change settings of a person, named as in User."""
        self._db.table("users").upsert({"id": user, **values}, pk="id")

    def count_query(self, user: int, day: str) -> int:
        """Count one more query of a person, and return how many that makes on this day."""
        known = self.user(user)
        asked = known.asked + 1 if known.day == day else 1
        self.set(user, day=day, asked=asked)
        return asked

    def due(self) -> list[User]:
        """Those whose idiom of the day is due."""
        return [User(**row) for row in self._db.query("SELECT * FROM users WHERE due <= ?", [self.now()])]

    def add_step(self, step: Step) -> Step:
        """Remember a screen; its number and time are set here."""
        values = (step.user, step.place, step.kind, step.text, step.parent, step.page, self.now(), step.among)
        sql = "INSERT INTO steps (user, place, kind, text, parent, page, at, among) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        return Step(self._db.execute(sql, values).lastrowid or 0, *values)

    def step(self, number: int, place: str) -> Step | None:
        """The step of this number, if it was shown in `place`."""
        return next(self._steps("SELECT * FROM steps WHERE id = ? AND place = ?", number, place), None)

    def past(self, number: int, user: int) -> Step | None:
        """The step of this number, if it is the person's own."""
        return next(self._steps("SELECT * FROM steps WHERE id = ? AND user = ?", number, user), None)

    def history(self, user: int, first: int, count: int) -> list[Step]:
        """What a person asked and opened, the latest first, each once."""
        sql = (
            "SELECT * FROM steps WHERE id IN (SELECT max(id) FROM steps WHERE user = ? "
            "AND kind IN ('query', 'exact', 'card', 'random') GROUP BY replace(kind, 'random', 'card'), text) "
            "ORDER BY id DESC LIMIT ? OFFSET ?"
        )
        return list(self._steps(sql, user, count, first))

    def recent_keys(self, user: int, count: int = 200) -> frozenset[str]:
        """The phrases that a person opened last."""
        sql = "SELECT text FROM steps WHERE user = ? AND kind IN ('card', 'random') ORDER BY id DESC LIMIT ?"
        return frozenset(key for (key,) in self._db.execute(sql, [user, count]))

    def saved(self, user: int) -> list[str]:
        """The keys of the phrases that a person saved, the latest first."""
        return [key for (key,) in self._db.execute("SELECT key FROM saved WHERE user = ? ORDER BY at DESC", [user])]

    def toggle_saved(self, user: int, key: str) -> bool:
        """Save a phrase, or stop saving it; whether it is saved now."""
        with self._db.atomic():
            if self._db.execute("DELETE FROM saved WHERE user = ? AND key = ?", [user, key]).rowcount:
                return False
            self._db.execute("INSERT INTO saved VALUES (?, ?, ?)", [user, key, self.now()])
            return True

    def vote(self, user: int, query: str, key: str, vote: str) -> None:
        """Remember a person's judgement of a phrase as an answer to a query; the last one counts."""
        self._db.execute("INSERT OR REPLACE INTO votes VALUES (?, ?, ?, ?, ?)", [user, query, key, vote, self.now()])

    def add_poll(self, poll: str, correct: int) -> None:
        """Remember which option of a quiz poll is correct."""
        self._db.execute("INSERT OR REPLACE INTO polls VALUES (?, ?, ?)", [poll, correct, self.now()])

    def add_answer(self, user: int, poll: str, option: int) -> None:
        """Count a person's answer to a quiz poll, once; an unknown poll counts nothing."""
        sql = "INSERT OR IGNORE INTO answers SELECT ?, id, correct = ?, ? FROM polls WHERE id = ?"
        self._db.execute(sql, [user, option, self.now(), poll])

    def score(self, user: int) -> tuple[int, int]:
        """How many quiz questions a person answered correctly, and how many in all."""
        sql = "SELECT ifnull(sum(correct), 0), count(*) FROM answers WHERE user = ?"
        correct, asked = self._db.execute(sql, [user]).fetchone()
        return correct, asked

    def trending(self, days: int, count: int, people: int = 2) -> list[tuple[str, int]]:
        """The phrases that most people opened lately, at least `people` of them, and how many did."""
        sql = (
            "SELECT text, count(DISTINCT user) AS people FROM steps WHERE kind = 'card' AND at > ? "
            "GROUP BY text HAVING people >= ? ORDER BY people DESC, max(id) DESC LIMIT ?"
        )
        return self._db.execute(sql, [self.now() - days * DAY, people, count]).fetchall()

    def choices(self) -> dict[str, int]:
        """How many people chose each phrase: opened it as an answer, sent or saved it, or judged it good."""
        sql = (
            "SELECT key, count(*) FROM ("
            "SELECT card.text AS key, card.user FROM steps AS card LEFT JOIN steps AS asked ON asked.id = card.parent "
            "WHERE card.kind = 'card' AND (card.parent = 0 OR asked.kind IN "
            "('query', 'exact', 'nearest', 'exact-nearest')) "
            "UNION SELECT key, user FROM saved UNION SELECT key, user FROM votes WHERE vote = 'up') GROUP BY key"
        )
        return dict(self._db.execute(sql).fetchall())

    def people(self, days: int) -> int:
        """How many people used the bot in the last days."""
        sql = "SELECT count(DISTINCT user) FROM steps WHERE at > ?"
        return int(self._db.execute(sql, [self.now() - days * DAY]).fetchone()[0])

    def activity(self, days: int) -> list[tuple[str, int, int]]:
        """Day, queries and people of the last days that had any, by UTC."""
        sql = (
            "SELECT date(at, 'unixepoch') AS day, sum(kind = 'query'), count(DISTINCT user) "
            "FROM steps WHERE at > ? GROUP BY day ORDER BY day"
        )
        return self._db.execute(sql, [self.now() - days * DAY]).fetchall()

    def export(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """Everything that is kept about a person, by table."""
        return {table: list(self._db.table(table).rows_where(f"{key} = ?", [user])) for table, key in OWNED.items()}

    def forget(self, user: int, tables: Iterable[str]) -> None:
        """Delete what is kept about a person, in these tables."""
        with self._db.atomic():
            for table in tables:
                self._db.table(table).delete_where(f"{OWNED[table]} = ?", [user])

    def prune(self) -> None:
        """Delete the rows that are older than stated above; every minute, so there are few at a time."""
        for table, days in KEPT_DAYS.items():
            self._db.table(table).delete_where("at < ?", [self.now() - days * DAY])

    def _steps(self, sql: str, *values: object) -> Iterator[Step]:
        return (Step(**row) for row in self._db.query(sql, values))

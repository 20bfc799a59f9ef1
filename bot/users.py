"""What must outlive a restart: people's settings and their steps through the idioms, in one SQLite file."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from bot.schema import migrations


class StateError(Exception):
    """The state file cannot be used; the sentence says why."""


@dataclass(frozen=True, slots=True)
class User:
    """A person, as far as the bot knows them."""

    id: int
    language: str = ""
    """The interface language that they chose; empty: follow their Telegram."""


@dataclass(frozen=True, slots=True)
class Step:
    """A screen that a person was shown. Its parent is the screen before it, so that undo only follows parents."""

    id: int
    user: int
    place: str
    """The chat or inline message where it is shown; nobody elsewhere may read it."""
    kind: str
    """What is shown: "query", "card", "similar" or "random"."""
    text: str
    """The query, or the key of the phrase."""
    parent: int = 0
    page: int = 0
    """The page of the parent from which this step was made."""
    at: float = 0.0
    """Seconds since 1970."""


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
        row = self._row("SELECT id, language FROM users WHERE id = ?", user)
        return User(**row) if row else User(user)

    def set(self, user: int, **values: Any) -> None:
        """Change settings of a person, named as in User."""
        self._db.table("users").upsert({"id": user, **values}, pk="id")

    def add_step(self, user: int, place: str, kind: str, text: str, parent: int = 0, page: int = 0) -> Step:
        """Remember a screen; `parent` is the step it was opened from."""
        values = (user, place, kind, text, parent, page, self.now())
        cursor = self._db.execute(
            "INSERT INTO steps (user, place, kind, text, parent, page, at) VALUES (?, ?, ?, ?, ?, ?, ?)", values
        )
        return Step(cursor.lastrowid or 0, *values)

    def step(self, step: int, place: str) -> Step | None:
        """The step of this number, if it was shown in `place`."""
        row = self._row("SELECT * FROM steps WHERE id = ? AND place = ?", step, place)
        return Step(**row) if row else None

    def recent_keys(self, user: int, count: int = 200) -> frozenset[str]:
        """The phrases that a person opened last."""
        sql = "SELECT text FROM steps WHERE user = ? AND kind IN ('card', 'random') ORDER BY id DESC LIMIT ?"
        return frozenset(row["text"] for row in self._db.query(sql, [user, count]))

    def _row(self, sql: str, *values: object) -> dict[str, Any] | None:
        return next(iter(self._db.query(sql, values)), None)

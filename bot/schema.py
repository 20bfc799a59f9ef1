"""The tables of the state file as a row of migrations: append only, never change one that was released."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("idiomatika")


@migrations()
def users_and_steps(db: Database) -> None:
    """People's settings, and the screens that they were shown."""
    db.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, language TEXT NOT NULL DEFAULT '')")
    db.execute(
        "CREATE TABLE steps (id INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL, place TEXT NOT NULL, "
        "kind TEXT NOT NULL, text TEXT NOT NULL, parent INTEGER NOT NULL, page INTEGER NOT NULL, at REAL NOT NULL)"
    )
    db.execute("CREATE INDEX steps_of_user ON steps (user, id)")

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


@migrations()
def what_people_keep(db: Database) -> None:
    """Languages searched, the idiom of the day, the daily limit; saved idioms, votes, the quiz."""
    for column in (
        "spoken TEXT NOT NULL DEFAULT ''",
        "scope TEXT NOT NULL DEFAULT ''",
        "zone TEXT NOT NULL DEFAULT ''",
        "hour TEXT NOT NULL DEFAULT ''",
        "due REAL",
        "day TEXT NOT NULL DEFAULT ''",
        "asked INTEGER NOT NULL DEFAULT 0",
    ):
        db.execute(f"ALTER TABLE users ADD COLUMN {column}")
    db.execute("CREATE INDEX users_due ON users (due)")
    db.execute("ALTER TABLE steps ADD COLUMN among TEXT NOT NULL DEFAULT ''")
    db.execute("CREATE INDEX steps_at ON steps (at)")
    db.execute("CREATE TABLE saved (user INTEGER, key TEXT, at REAL, PRIMARY KEY (user, key))")
    db.execute(
        "CREATE TABLE votes (user INTEGER, query TEXT, key TEXT, vote TEXT, at REAL, PRIMARY KEY (user, query, key))"
    )
    db.execute("CREATE TABLE polls (id TEXT PRIMARY KEY, correct INTEGER, at REAL)")
    db.execute("CREATE INDEX polls_at ON polls (at)")
    db.execute("CREATE TABLE answers (user INTEGER, poll TEXT, correct INTEGER, at REAL, PRIMARY KEY (user, poll))")


@migrations()
def history_with_flags(db: Database) -> None:
    """Screens as history; "exact" and "nearest" were kinds of their own, and are now flags of a query."""
    db.execute("ALTER TABLE steps RENAME TO history")
    db.execute("ALTER TABLE history RENAME COLUMN place TO chat_key")
    db.execute("ALTER TABLE history RENAME COLUMN among TO filter")
    db.execute("ALTER TABLE history ADD COLUMN exact INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE history ADD COLUMN nearest INTEGER NOT NULL DEFAULT 0")
    db.execute(
        "UPDATE history SET kind = 'query', exact = kind LIKE 'exact%', nearest = kind LIKE '%nearest' "
        "WHERE kind IN ('exact', 'nearest', 'exact-nearest')"
    )

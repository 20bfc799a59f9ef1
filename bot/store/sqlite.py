"""The state in one SQLite file, read and written on other threads: the event loop never waits for the disk."""

# ruff: noqa: D102 - Database documents what the methods of SqliteDatabase do.

from __future__ import annotations

import asyncio
import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from sqlite_utils import Database as Migrated

from bot.store.migrations import known, migrations
from bot.store.protocol import StateError, StateUnavailable
from bot.store.sql import SCANNED_AT_ONCE, Row, Statement, Take, storable

MEMORY = ":memory:"
RESERVE_BYTES = 4 * 1024 * 1024
CACHE_KB = 500
"""What a connection keeps of the file: the system keeps it too, and three times SQLite's own 2,000 are much."""
STATEMENTS = 32
"""Prepared statements that a connection keeps: those of a hundred updates at once take 20 kB each."""
OPENING_SECONDS = 10.0
"""How long a start waits for another process that has the file locked."""
PATIENCE = 2.0
"""Seconds for which a statement waits for another program's lock, its time in the queue included."""
IMPATIENCE = 0.1
"""The same after one has waited in vain, until one succeeds: whoever writes then should not wait as long again."""
FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
"""What SQLite says on a full disk: the last two, when its smaller files find no room."""
AWAY = FULL | {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
}

T = TypeVar("T")


class _Connection:
    """A connection to the file, and the only thread that uses it."""

    def __init__(self, path: Path | str) -> None:
        self._path = path
        self._patience = PATIENCE
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")
        self._db: sqlite3.Connection | None = None

    async def open(self, prepare: Callable[[sqlite3.Connection], None]) -> None:
        """Connect, and call a function with the connection."""

        def connect() -> None:
            db = sqlite3.connect(
                self._path, timeout=OPENING_SECONDS, isolation_level=None, cached_statements=STATEMENTS
            )
            try:
                db.execute(f"PRAGMA cache_size = -{CACHE_KB}")
                prepare(db)
            except BaseException:
                db.close()
                raise
            self._db = db

        await asyncio.wrap_future(self._thread.submit(connect))

    async def run(self, call: Callable[[sqlite3.Connection], T]) -> T:
        """Call a function with the connection on the thread. Raises StateUnavailable."""
        return await asyncio.wrap_future(self._thread.submit(self._run, call, time.monotonic()))

    def _run(self, call: Callable[[sqlite3.Connection], T], asked: float) -> T:
        assert self._db
        left = self._patience - (time.monotonic() - asked)
        try:
            self._db.execute(f"PRAGMA busy_timeout = {max(0, round(1000 * left))}")
            result = call(self._db)
        except sqlite3.Error as error:
            if _code(error) not in AWAY:
                raise
            self._patience = IMPATIENCE
            raise StateUnavailable(f"{self._path}: {error}") from error
        self._patience = PATIENCE
        return result

    async def close(self) -> None:
        """Wait for what is under way, and close, if it was opened."""
        db, self._db = self._db, None
        if db:
            await asyncio.wrap_future(self._thread.submit(db.close))
        self._thread.shutdown()


class SqliteDatabase:
    """A `bot.store.sql.Database` in one file. A kill at any moment loses nothing that was written.

    Beside the file is a reserve of RESERVE_BYTES, which is given up so that people can erase their data when the disk
    is full.
    """

    lease = -math.inf  # One process uses the file, so every other is gone.
    day = "date(at, 'unixepoch')"
    turn = "SELECT 1"  # Transactions never run beside each other.

    def __init__(self, path: Path | str) -> None:
        """Use `open` instead."""
        self._reserve = None if str(path) == MEMORY else Path(f"{path}-reserve")
        self._writer = _Connection(path)
        # A second connection to ":memory:" would open a second database.
        self._reader = _Connection(path) if self._reserve else self._writer
        # Reading whole tables takes up to seconds, for which nobody should wait.
        self._scanner = _Connection(path) if self._reserve else self._writer
        self._readers = (self._reader, self._scanner) if self._reserve else ()

    @classmethod
    async def open(cls, path: Path | str) -> SqliteDatabase:
        """Open the file, or create it, and bring it to today's schema; ":memory:" is none. Raises StateError."""
        database = cls(path)
        try:
            await database._open(path)
        except BaseException as error:
            await database.close()
            if not isinstance(error, (OSError, sqlite3.Error)):
                raise
            raise StateError(_why(path, error)) from error
        return database

    async def _open(self, path: Path | str) -> None:
        if self._reserve:
            await asyncio.to_thread(_make_private, Path(path))
        try:
            await self._writer.open(_prepare)
        except sqlite3.Error as error:
            if not (_is_full(error) and await asyncio.to_thread(self._give_room)):
                raise
            await self._writer.open(_prepare)
        for connection in self._readers:
            await connection.open(_prepare_reading)
        await asyncio.to_thread(self._keep_room)

    async def read(self, sql: str, *values: object) -> list[Row]:
        return await self._reader.run(lambda db: _rows(db, sql, values))

    async def scan(self, take: Take, sql: str, *values: object) -> None:
        await self._scanner.run(lambda db: _pass_on(db, take, sql, values))

    async def write(self, *statements: Statement) -> list[Row]:
        return await self._writer.run(lambda db: _transact(db, statements))

    async def erase(self, *statements: Statement) -> list[Row]:
        try:
            return await self.write(*statements)
        except StateUnavailable as error:
            if not (_is_full(error.__cause__) and await asyncio.to_thread(self._give_room)):
                raise
        await self._checkpoint()
        return await self.write(*statements)

    async def wipe(self) -> None:
        await self._checkpoint()
        await asyncio.to_thread(self._keep_room)

    async def leads(self) -> bool:
        return True

    async def close(self) -> None:
        for connection in (*self._readers, self._writer):
            await connection.close()

    async def _checkpoint(self) -> None:
        """Carry over into the file what is in the log beside it, and empty the log."""
        # Not on the writer's thread, because it waits for those who read whole tables.
        with suppress(StateUnavailable):
            await self._scanner.run(_empty_log)

    def _keep_room(self) -> None:
        """Make the reserve, unless it is there or there is no room for it."""
        if not self._reserve or self._reserve.exists():
            return
        try:
            with open(self._reserve, "xb", opener=_open_private) as file:
                # Not zeros, which some file systems keep in no room at all.
                file.write(os.urandom(RESERVE_BYTES))
        except OSError:
            self._give_room()

    def _give_room(self) -> bool:
        """Delete the reserve; whether there was one."""
        try:
            if self._reserve:
                self._reserve.unlink()
                return True
        except OSError:
            pass
        return False


def _make_private(path: Path) -> None:
    """Create the file for its owner alone, or take it from all others. SQLite makes its other files alike."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        # Not by opening it: closing it again would let go of the locks that other stores of this process have.
        if path.is_file():
            for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
                with suppress(FileNotFoundError, PermissionError):
                    file.chmod(0o600)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _prepare(db: sqlite3.Connection) -> None:
    _turn_to_wal(db)
    # In WAL mode NORMAL loses nothing when the process dies, and spares an fsync for each write.
    db.execute("PRAGMA synchronous = NORMAL")
    # What was deleted is overwritten.
    db.execute("PRAGMA secure_delete = ON")
    _migrate(db)


def _prepare_reading(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA query_only = ON")
    db.execute("PRAGMA secure_delete = ON")
    db.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _turn_to_wal(db: sqlite3.Connection) -> None:
    """Turn to WAL mode; SQLite does not wait by itself for another process that does so too."""
    deadline = time.monotonic() + OPENING_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL").fetchone()
            return
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _migrate(db: sqlite3.Connection) -> None:
    """Bring the tables up to date. Raises StateError for those of a newer version."""
    if new := {migration.name for migration in migrations.applied(Migrated(db))} - known():
        (_, _, path), *_ = db.execute("PRAGMA database_list")
        raise StateError(
            f"The state file {path} was written by a newer version of the bot ({', '.join(sorted(new))}): "
            "start that version, or put a backup of this one in its place."
        )
    if migrations.pending(Migrated(db)):
        with _transaction(db):
            migrations.apply(Migrated(db))


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # A full disk has ended the transaction already.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _empty_log(db: sqlite3.Connection) -> None:
    # Whoever writes waits as long as this waits for other programs that read.
    db.execute(f"PRAGMA busy_timeout = {round(1000 * IMPATIENCE)}")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _transact(db: sqlite3.Connection, statements: Sequence[Statement]) -> list[Row]:
    rows: list[Row] = []
    with _transaction(db):
        for sql, values in statements:
            rows = _rows(db, sql, values)
    return rows


def _rows(db: sqlite3.Connection, sql: str, values: Sequence[object]) -> list[Row]:
    rows: list[Row] = []
    _pass_on(db, rows.extend, sql, values)
    return rows


def _pass_on(db: sqlite3.Connection, take: Take, sql: str, values: Sequence[object]) -> None:
    with closing(db.execute(sql, storable(values))) as cursor:
        names = [column[0] for column in cursor.description or ()]
        while part := cursor.fetchmany(SCANNED_AT_ONCE):
            if take([dict(zip(names, row, strict=True)) for row in part]):
                break


def _code(error: BaseException | None) -> int:
    """The kind of an error of SQLite, without its details."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_full(error: BaseException | None) -> bool:
    return _code(error) in FULL


def _why(path: Path | str, error: OSError | sqlite3.Error) -> str:
    """Why the file cannot be opened, and what to do."""
    reason, advice = getattr(error, "strerror", None) or str(error), "name a writable file in STATE"
    if Path(path).is_dir():
        reason, advice = "it is a folder", f"name a file in it in STATE, such as {Path(path) / 'state.db'}"
    elif _code(error) == sqlite3.SQLITE_NOTADB:
        advice = "name another file in STATE, or put a backup in its place"
    elif _code(error) == sqlite3.SQLITE_BUSY:
        advice = "stop the other program that uses the file named in STATE"
    elif _code(error) == sqlite3.SQLITE_FULL:
        advice = "make room on the disk, or name a file on another one in STATE"
    return f"The state file {path} cannot be opened ({reason}): {advice}."

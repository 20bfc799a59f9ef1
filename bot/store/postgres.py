"""The state in a PostgreSQL database, which several processes may share."""

# ruff: noqa: D102 - Database documents what the methods of PostgresDatabase do.

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from bot.store.migrations import POSTGRESQL
from bot.store.protocol import LEASE, StateError, StateUnavailable
from bot.store.sql import SCANNED_AT_ONCE, Row, Statement, Take, storable

CONNECTIONS = 6
OPENING_SECONDS = 10.0
"""How long a start waits for the server, and for other processes that make the tables."""
PATIENCE = 2.0
"""Seconds for which a statement waits for a connection."""
IMPATIENCE = 0.1
"""The same after one has waited in vain, until one succeeds: whoever writes then should not wait as long again."""
QUICK_SECONDS, LONG_SECONDS = 5.0, 60.0
"""How long a statement may take: one that is done at once, and one that reads much.

Where the server does not answer at all, ten seconds more: psycopg asks it to cancel the statement, and waits for that.
"""
DEFAULTS = {
    "connect_timeout": 5,
    "application_name": "idiomatika",
    # A server that is gone without a word is found to be gone within half a minute.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
AWAY = psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction, TimeoutError
NUMBERS = {"tables": 1, "turn": 2, "leader": 3}
"""What the server's locks are taken for; each schema has its own."""

Connection = AsyncConnection[Row]


def _lock(name: str, function: str = "pg_advisory_xact_lock") -> str:
    return f"SELECT {function}(hashtextextended('idiomatika ' || current_schema(), {NUMBERS[name]})) AS locked"


class PostgresDatabase:
    """A `bot.store.sql.Database` on a server. Of all processes that have it open, the first leads."""

    lease = LEASE
    day = "to_char(to_timestamp(at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
    turn = _lock("turn")

    def __init__(self, address: str) -> None:
        """Use `open` instead."""
        self._address = address
        self._patience = PATIENCE
        self._long = asyncio.Semaphore(1)
        self._asking = asyncio.Lock()
        self._leader: Connection | None = None
        # Attempts to connect are given up soon, because the next statement makes a new one, and else they are made
        # ever more seldom.
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            address,
            connection_class=AsyncConnection[Row],
            kwargs={"autocommit": True, "row_factory": dict_row},
            min_size=2,
            max_size=CONNECTIONS,
            open=False,
            reconnect_timeout=2.0,
        )

    @classmethod
    async def open(cls, url: str) -> PostgresDatabase:
        """Connect to postgresql://..., and bring the tables up to date. Raises StateError, never with the password."""
        address = _with_defaults(url)
        try:
            async with asyncio.timeout(OPENING_SECONDS), await _connect(address) as connection:
                await _migrate(connection)
            database = cls(address)
            await database._pool.open()
        except (psycopg.Error, TimeoutError) as error:
            raise StateError(_why(address, error)) from error
        return database

    async def read(self, sql: str, *values: object) -> list[Row]:
        return await self.write((sql, values))

    async def scan(self, take: Take, sql: str, *values: object) -> None:
        with self._available():
            async with (
                self._long,
                asyncio.timeout(LONG_SECONDS),
                self._transaction() as connection,
                # Part by part: to read half a million rows at once would hold up the event loop for seconds.
                connection.cursor("scan") as cursor,
            ):
                await cursor.execute(_dialect(sql), storable(values))
                while part := await cursor.fetchmany(SCANNED_AT_ONCE):
                    if await asyncio.to_thread(take, part):
                        break

    async def write(self, *statements: Statement) -> list[Row]:
        rows: list[Row] = []
        with self._available():
            async with asyncio.timeout(QUICK_SECONDS), self._transaction(len(statements) > 1) as connection:
                for sql, values in statements:
                    cursor = await connection.execute(_dialect(sql), storable(values))
                    rows = await cursor.fetchall() if cursor.description else []
        return rows

    erase = write

    async def wipe(self) -> None:
        """The server does it by itself, in its own time."""

    async def leads(self) -> bool:
        with self._available():
            async with self._asking, asyncio.timeout(QUICK_SECONDS):
                try:
                    return await self._lead()
                except (psycopg.OperationalError, psycopg.InterfaceError):
                    # The connection was lost, and with it the lock.
                    await self._stop_leading()
                    return await self._lead()

    async def close(self) -> None:
        await self._stop_leading()
        await self._pool.close()

    async def _lead(self) -> bool:
        """Take the lock of the leader, which lasts as long as its connection; to have it already is well."""
        self._leader = self._leader or await _connect(self._address)
        cursor = await self._leader.execute(_lock("leader", "pg_try_advisory_lock"))
        row = await cursor.fetchone()
        return bool(row and row["locked"])

    async def _stop_leading(self) -> None:
        if self._leader:
            await self._leader.close()
            self._leader = None

    @asynccontextmanager
    async def _transaction(self, begun: bool = True) -> AsyncIterator[Connection]:
        """A connection, in a transaction; one statement is one by itself, and needs none that was begun."""
        async with AsyncExitStack() as stack:
            connection = await self._connection(stack)
            if begun:
                await stack.enter_async_context(connection.transaction())
            yield connection

    async def _connection(self, stack: AsyncExitStack) -> Connection:
        """A connection that lives: a server that was restarted leaves dead ones, which the pool then replaces."""
        while True:
            # The pool could look by itself, but waits for longer and longer between two dead ones.
            connection = await stack.enter_async_context(self._pool.connection(self._patience))
            with suppress(psycopg.OperationalError, psycopg.InterfaceError):
                await AsyncConnectionPool.check_connection(connection)
                return connection
            await stack.aclose()

    @contextmanager
    def _available(self) -> Iterator[None]:
        try:
            yield
        except AWAY as error:
            self._patience = IMPATIENCE
            raise StateUnavailable(_without_password(self._address, error)) from error
        self._patience = PATIENCE


class Copy:
    """Fills the empty tables of a database from elsewhere, all in one transaction."""

    def __init__(self, connection: Connection) -> None:
        """Use `into` instead."""
        self._connection = connection

    @classmethod
    @asynccontextmanager
    async def into(cls, url: str) -> AsyncIterator[Copy]:
        """Begin, and end with a commit unless there was an error. Raises StateError, and StateUnavailable."""
        address = _with_defaults(url)
        try:
            async with await _connect(address) as connection, connection.transaction():
                yield cls(connection)
        except AWAY as error:
            raise StateUnavailable(_without_password(address, error)) from error

    async def table(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
        """Fill a table, and return how many rows there were. Raises StateError if it is not empty."""
        cursor = self._connection.cursor()
        # Nobody else writes until the end.
        await cursor.execute(f"LOCK TABLE {table}")
        if await (await cursor.execute(f"SELECT 1 AS kept FROM {table} LIMIT 1")).fetchone():
            raise StateError(f"There are rows in {table} already: name an empty PostgreSQL database.")
        names = ", ".join(f'"{column}"' for column in columns)
        async with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
            for row in rows:
                await copy.write_row(storable(row))
        return cursor.rowcount

    async def go_on_after(self, table: str, number: int) -> None:
        """Let the numbers that a table gives begin after this one."""
        sql = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), %s, true)"
        if number:
            await self._connection.execute(sql, [number])


def _dialect(sql: str) -> str:
    """A statement of the store as the driver takes it."""
    return sql.replace("?", "%s")


async def _connect(address: str) -> Connection:
    return await AsyncConnection.connect(address, autocommit=True, row_factory=dict_row)


async def _migrate(connection: Connection) -> None:
    """Bring the tables up to date. Raises StateError for those of a newer version."""
    async with connection.transaction():
        # Several processes may start at once.
        await connection.execute(_lock("tables"))
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now())"
        )
        done = {row["name"] async for row in await connection.execute("SELECT name FROM migrations")}
        if new := done - set(POSTGRESQL):
            raise StateError(
                f"The tables in the database that STATE names are of a newer version of the bot "
                f"({', '.join(sorted(new))}): start that version, or name another database."
            )
        for name in [name for name in POSTGRESQL if name not in done]:
            for statement in POSTGRESQL[name]:
                await connection.execute(statement)
            await connection.execute("INSERT INTO migrations (name) VALUES (%s)", [name])


def _with_defaults(url: str) -> str:
    """The address with DEFAULTS where it says nothing else. Raises StateError."""
    try:
        given: dict[str, Any] = conninfo_to_dict(url)
    except psycopg.Error:
        given = {}
    # An @ or a / that is not written as it should be would make a part of the password a part of the host.
    if not given or re.search(r"//[^/?]*@[^/?]*@", url):
        # Neither the library's message, which may quote the password, nor its traceback.
        raise StateError(
            "STATE is no address of a PostgreSQL database: write postgresql://USER:PASSWORD@HOST/DATABASE, "
            "with %40 for an @ in the password, %2F for a / and %3A for a colon."
        ) from None
    return make_conninfo(**{**DEFAULTS, **given})


def _why(address: str, error: BaseException) -> str:
    """Why the database cannot be opened, and what to do."""
    reason = _without_password(address, error)
    advice = "see that the server runs, and that STATE names it, its database, a user and the password"
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        advice = "allow the user that STATE names to make tables, or name another one"
    return f"The PostgreSQL database that STATE names cannot be used ({reason}): {advice}."


def _without_password(address: str, error: BaseException) -> str:
    """What an error says, in one line."""
    text = " ".join(str(error).split()) or "no answer in time"
    password = conninfo_to_dict(address).get("password")
    return text.replace(str(password), "***") if password else text

"""`python -m bot.store.move FROM TO`: carry the state over from an SQLite file to an empty PostgreSQL database."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.store.opening import ADDRESS, open_store
from bot.store.protocol import OWNED, StateError, StateUnavailable

TABLES = (*OWNED, "polls", "updates", "bodies", "pictures")
"""The tables with all that is kept; processes say anew that they live."""
USAGE = (
    "Write python -m bot.store.move FROM TO, with the path of the state file and the address of an empty PostgreSQL "
    "database, postgresql://USER:PASSWORD@HOST/DATABASE."
)


async def move(source: Path, address: str, tell: Callable[[str], None] = print) -> None:
    """Carry all rows over in one transaction; the file stays as it is, but for being brought up to date.

    Calls `tell` with a line about each table. Raises StateError, and StateUnavailable if the file or the server gets
    out of reach meanwhile; then nothing was carried over.
    """
    if not source.is_file():
        raise StateError(f"There is no state file {source}: name the file that STATE named so far.")
    for state in (source, address):
        # Makes the tables, or brings them up to date.
        await (await open_store(state)).close()
    # Imported here: `open_store` says what to do where the package is missing.
    from bot.store.postgres import Copy

    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as file:
        # All tables as they are at one moment.
        file.execute("BEGIN")
        async with Copy.into(address) as copy:
            for table in TABLES:
                rows = file.execute(f"SELECT * FROM {table}")
                count = await copy.table(table, [column[0] for column in rows.description], rows)
                tell(f"{table}: {count:,}")
            last = file.execute("SELECT seq FROM sqlite_sequence WHERE name = 'history'").fetchone()
            await copy.go_on_after("history", last[0] if last else 0)


def main() -> None:
    """Move what the command line names."""
    if len(sys.argv) != 3 or not ADDRESS.match(sys.argv[2]):
        sys.exit(USAGE)
    try:
        asyncio.run(move(Path(sys.argv[1]), sys.argv[2]))
    except (StateError, StateUnavailable) as error:
        sys.exit(str(error))
    except sqlite3.Error as error:
        sys.exit(f"The state file {sys.argv[1]} cannot be read ({error}): stop the bot, and try again.")
    print("All is in the new database: name it in STATE, and start the bot.")


if __name__ == "__main__":
    main()

"""A real PostgreSQL server in a folder of its own, on a Unix socket, for as long as the tests run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

MISSING = "PostgreSQL's programs are missing: run `make postgresql`, or install Debian's package postgresql"
# Nothing needs to survive a crash of the machine.
OPTIONS = (
    "listen_addresses= fsync=off synchronous_commit=off full_page_writes=off max_connections=60 shared_buffers=16MB"
)
# Everybody may come in but the stranger, who needs a password.
ACCESS = "local all stranger scram-sha-256\nlocal all all trust\n"


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, or None: Debian keeps it out of the PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    for folder in (*reversed(debian), *map(Path, os.get_exec_path())):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


@dataclass
class Server:
    """A server that can be stopped and started again."""

    bin: Path
    folder: Path
    process: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = [word for option in OPTIONS.split() for word in ("-c", option)]
        command = [f"{self.bin}/postgres", "-D", f"{self.folder}/data", "-k", str(self.folder), *options]
        with (self.folder / "log").open("ab") as log:
            self.process = process = subprocess.Popen(command, stdout=log, stderr=log, **_as_whom())
        deadline = time.monotonic() + 60
        while not self._answers():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.02)

    def _answers(self) -> bool:
        import psycopg

        try:
            return bool(self.execute("SELECT 1"))
        except psycopg.OperationalError:
            return False

    def stop(self) -> None:
        """Break all connections, and stop."""
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=60)
            self.process = None

    def url(self, database: str, user: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def new(self) -> str:
        """The address of a new database."""
        name = f"test{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.url(name)

    def execute(self, sql: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """The rows of a statement."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def running_server(bin: Path) -> Iterator[Server]:  # noqa: A002 - as the folder is called
    """A server with no databases of ours."""
    # Not in the folder of the tests, which another user may not enter, and whose name is too long for a socket.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        if whom := _as_whom().get("user"):
            shutil.chown(folder, whom)
        command = [f"{bin}/initdb", "-D", f"{folder}/data", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run(command, check=True, capture_output=True, **_as_whom())
        (folder / "data/pg_hba.conf").write_text(ACCESS)
        server = Server(bin, folder)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _as_whom() -> dict[str, Any]:
    """The server refuses to run as root."""
    return {"user": "postgres", "group": "postgres", "extra_groups": [], "cwd": "/"} if os.geteuid() == 0 else {}

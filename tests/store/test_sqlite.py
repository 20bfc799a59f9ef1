"""What only the SQLite file has: other programs' locks, a full disk, its bytes, and two starts at once."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bot.store.opening import open_store
from bot.store.protocol import OWNED, HistoryEntry, StateError, StateUnavailable, User
from bot.store.sql import DAY, SqlStore
from bot.store.sqlite import PATIENCE, SqliteDatabase, _why
from support.states import exported

QUERY = HistoryEntry(0, 1, "1", "query", "кот & <b>")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A state file that does not exist yet, in a folder that does not either."""
    return tmp_path / "new" / "state.db"


async def test_a_store_in_memory_has_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = await open_store(":memory:")
    entry = await store.add(QUERY, update=1)
    assert [table for table, rows in (await exported(store, 1)).items() if rows] == ["history"]
    assert await store.past(entry.id, 1) == entry
    await store.forget(1, OWNED)
    await store.prune()
    assert await store.past(entry.id, 1) is None
    assert await store.leads()
    await store.close()
    assert list(tmp_path.iterdir()) == []


async def test_it_is_closed_without_leftovers_and_closed_twice(path: Path) -> None:
    store = await open_store(path)
    await store.set(1, language="ru")
    await store.close()
    await store.close()
    assert {file.name for file in path.parent.iterdir()} == {"state.db", "state.db-reserve"}


async def test_reading_waits_for_no_lock_and_writing_not_for_long(path: Path) -> None:
    store = await open_store(path)
    await store.set(1, language="ru")
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    writing = [asyncio.create_task(store.set(number, language="en")) for number in range(10)]
    await asyncio.sleep(0.05)
    assert await store.user(1) == User(1, language="ru")
    assert (await exported(store, 1))["users"] != []
    assert not any(task.done() for task in writing)
    # All of them at once, not one after another.
    for outcome in await asyncio.gather(*writing, return_exceptions=True):
        assert isinstance(outcome, StateUnavailable)
    assert PATIENCE * 0.9 < time.monotonic() - begun < PATIENCE * 2
    # Whoever writes next does not wait as long again.
    begun = time.monotonic()
    with pytest.raises(StateUnavailable, match=r"state\.db: database is locked"):
        await store.set(1, language="en")
    assert time.monotonic() - begun < PATIENCE / 2
    other.rollback()
    await store.set(1, language="en")
    assert await store.user(1) == User(1, language="en")
    other.close()
    await store.close()


async def test_the_event_loop_goes_on_while_another_program_locks_the_file(path: Path) -> None:
    store = await open_store(path)
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    writing = asyncio.create_task(store.set(1, language="ru"))
    for _ in range(20):
        await asyncio.sleep(0.01)
    assert not writing.done()
    # A blocked loop would never get here, and the lock would stay until writing fails.
    other.rollback()
    await writing
    assert await store.user(1) == User(1, language="ru")
    other.close()
    await store.close()


async def test_a_long_statistic_delays_nobody(path: Path) -> None:
    database = await SqliteDatabase.open(path)
    store, finish = SqlStore(database), threading.Event()
    counting = asyncio.create_task(database._scanner.run(lambda _: finish.wait(timeout=60)))
    await store.set(1, language="ru")
    assert await store.user(1) == User(1, language="ru")
    assert not counting.done()
    finish.set()
    assert await counting
    await store.close()


async def test_an_error_of_ours_is_not_taken_for_one_of_the_disk(path: Path) -> None:
    store = await open_store(path)
    with pytest.raises(sqlite3.OperationalError, match=r"no such column|has no column"):
        await store.set(1, no_such_field="ru")
    await store.close()


# On a full disk: a history that fills it; what is written then is refused, what is read is not, and people can erase
# what is kept about them. Then others can write again.
ON_A_FULL_DISK = """
import asyncio, os, sys
from pathlib import Path
from bot.store.opening import open_store
from bot.store.protocol import OWNED, HistoryEntry, StateUnavailable

async def fill(store, user):
    for number in range(10_000):
        await store.add(HistoryEntry(0, user, "1", "query", "кот " * 1000))

async def rows(store, user):
    counts = []
    await store.export(user, lambda table, rows: counts.append(len(rows) * (table == "history")))
    return sum(counts)

async def main(path):
    store = await open_store(path)
    reserve = Path(f"{path}-reserve")
    await store.set(2, language="ru")
    for user in (1, 2):
        for number in range(300):
            await store.add(HistoryEntry(0, user, "1", "query", "кот " * 50))
    assert reserve.stat().st_size == 4 * 1024 * 1024
    try:
        await fill(store, 3)
    except StateUnavailable as error:
        print(error)
    filler = os.open(Path(path).with_name("filler"), os.O_CREAT | os.O_WRONLY)
    try:
        while True:
            os.write(filler, bytes(4096))
    except OSError as error:
        print(error)
    assert (await store.user(2)).language == "ru"
    assert await rows(store, 1) == 300
    # Reading works from the start too.
    await store.close()
    store = await open_store(path)
    assert len(await store.history(1, 0, 9)) == 1
    await store.forget(1, OWNED)
    assert await rows(store, 1) == 0
    assert await rows(store, 2) == 300
    await store.forget(3, OWNED)
    await store.add(HistoryEntry(0, 2, "1", "query", "кот"))
    Path(path).with_name("filler").unlink()
    await store.prune()
    assert reserve.stat().st_size == 4 * 1024 * 1024
    await store.close()

asyncio.run(main(sys.argv[1]))
"""


def test_on_a_full_disk_people_read_and_erase(tmp_path: Path) -> None:
    mount = f'mount -t tmpfs -o size=24m none "{tmp_path}"'
    alone = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.geteuid() else []), "sh", "-ec"]
    if not shutil.which("unshare") or subprocess.run([*alone, mount], capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here: this needs root, or user namespaces")
    command = [*alone, f'{mount}; exec "$0" -c "$1" "$2"', sys.executable, ON_A_FULL_DISK, str(tmp_path / "state.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "state.db: database or disk is full" in done.stdout


async def test_files_are_their_owners_alone(path: Path) -> None:
    path.parent.mkdir()
    path.touch(mode=0o644)
    os.umask(os.umask(0o022))
    store = await open_store(path)
    await store.set(1, language="ru")
    files = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert files == dict.fromkeys(("state.db", "state.db-wal", "state.db-shm", "state.db-reserve"), 0o600)
    await store.close()
    path.unlink()
    store = await open_store(path)
    assert path.stat().st_mode & 0o777 == 0o600
    await store.close()


async def test_what_was_forgotten_is_in_none_of_the_files(path: Path) -> None:
    store = await open_store(path)
    for number in range(300):
        await store.keep_updates([(number, f"secret of the update {number}")])
        await store.add(replace(QUERY, text=f"secret question {number}", user=number % 2), number)
        await store.vote(number % 2, "secret vote", "k", "up")
        await store.finish_updates([number])
    for table in ([table] for table in OWNED):
        await store.forget(1, table)
    assert len((await exported(store, 0))["history"]) == 150
    data = b"".join(file.read_bytes() for file in path.parent.iterdir() if file.name != "state.db-reserve")
    assert data.count(b"secret question 100") == 1
    assert b"secret question 101" not in data
    assert b"secret of the update" not in data
    await store.close()


async def test_a_wipe_that_had_to_wait_is_made_good(path: Path) -> None:
    store = await open_store(path)
    await store.add(replace(QUERY, text="secret"))
    other = sqlite3.connect(path)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM history").fetchone()
    await store.forget(1, OWNED)
    wal = Path(f"{path}-wal")
    assert b"secret" in path.read_bytes() + wal.read_bytes()
    other.rollback()
    other.close()
    await store.prune()
    assert wal.read_bytes() == b""
    assert b"secret" not in path.read_bytes()
    await store.close()


STARTER = """
import asyncio, sys
from bot.store.opening import open_store

async def main():
    sys.stdin.readline()
    store = await open_store(sys.argv[1])
    await store.set(int(sys.argv[2]), language="ru")
    await store.close()

asyncio.run(main())
"""


async def test_first_starts_at_once_on_a_new_file_all_succeed(path: Path) -> None:
    starts = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", STARTER, str(path), str(number)),
            stdin=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        for number in range(8)
    ]
    await asyncio.sleep(0.5)
    errors = await asyncio.gather(*(start.communicate(b"go\n") for start in starts))
    assert [error.decode() for _, error in errors] == [""] * 8
    store = await open_store(path)
    assert [(await store.user(number)).language for number in range(8)] == ["ru"] * 8
    await store.close()


async def test_a_file_of_a_newer_version_is_refused_and_left_as_it_is(path: Path) -> None:
    await (await open_store(path)).close()
    file = sqlite3.connect(path)
    file.execute("INSERT INTO _sqlite_migrations VALUES (99, 'idiomatika', 'flying_carpets', '2030-01-01')")
    file.commit()
    file.close()
    before = path.read_bytes()
    with pytest.raises(StateError, match=r"state\.db was written by a newer version .*flying_carpets.* backup .*\.$"):
        await open_store(path)
    assert path.read_bytes() == before


async def test_columns_of_a_newer_version_are_no_hindrance(path: Path) -> None:
    store = await open_store(path)
    await store.set(1, language="ru")
    entry = await store.add(QUERY)
    await store.close()
    file = sqlite3.connect(path)
    for table in ("users", "history"):
        file.execute(f"ALTER TABLE {table} ADD COLUMN fresh TEXT DEFAULT 'new'")
    file.close()
    store = await open_store(path)
    assert await store.user(1) == User(1, language="ru")
    assert await store.history(1, 0, 9) == [entry]
    assert (await exported(store, 1))["users"][0]["fresh"] == "new"
    await store.close()


def _text(path: Path) -> Path:
    path.write_text("no database " * 100)
    return path


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (lambda folder: folder, r"folder.* in STATE, such as .*state\.db\.$"),
        (lambda folder: _text(folder / "state.db"), r"state\.db .*not a database.* another file in STATE"),
        (lambda folder: _text(folder / "file") / "state.db", r"file/state\.db .* a writable file in STATE\.$"),
        (lambda _: Path("/proc/nowhere/state.db"), r"/proc/nowhere/state\.db .* a writable file in STATE\.$"),
    ],
)
async def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path: Path, place: object, message: str) -> None:
    assert callable(place)
    with pytest.raises(StateError, match=message) as caught:
        await open_store(place(tmp_path))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_locked_for_long_is_one_sentence(path: Path) -> None:
    path.parent.mkdir()
    locking, waiting = sqlite3.connect(path), sqlite3.connect(path, timeout=0)
    locking.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError) as caught:
        waiting.execute("BEGIN IMMEDIATE")
    assert _why(path, caught.value) == (
        f"The state file {path} cannot be opened (database is locked): "
        "stop the other program that uses the file named in STATE."
    )
    locking.close()
    waiting.close()


async def test_many_old_rows_hold_nobody_up(path: Path) -> None:
    now = [0.0]
    store = await open_store(path, lambda: now[0])
    file = sqlite3.connect(path)
    file.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) "
        "INSERT INTO history (user, chat_key, kind, text, parent, page, at) "
        "SELECT 1, '1', 'query', 'кот ' || i, 0, 0, 0 FROM n"
    )
    file.commit()
    file.close()
    now[0] = 200 * DAY
    pruning = asyncio.create_task(store.prune())
    await asyncio.sleep(0)
    entry = await store.add(QUERY)
    assert not pruning.done()
    await pruning
    assert [row["id"] for row in (await exported(store, 1))["history"]] == [entry.id]
    await store.close()

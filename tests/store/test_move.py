"""Moving from an SQLite file to a PostgreSQL database."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.store.move import move
from bot.store.opening import open_store
from bot.store.protocol import LEASE, OWNED, HistoryEntry, Review, StateError
from support.postgres import Server
from support.states import exported

QUERY = HistoryEntry(0, 1, "1", "query", "кот \\.\t\n & <b>")


async def fill(path: Path) -> None:
    """Write something of everything; the screen with the largest number is forgotten."""
    store = await open_store(path, lambda: 5.0)
    await store.set(1, language="ru", due=7.0, hour="9")
    await store.count_query(1, "2025-01-01", 3)
    for update, user in enumerate((1, 2, 1, 3), 1):
        await store.add(HistoryEntry(0, user, "1", "query", QUERY.text, exact=True, filter="ru."), update)
    await store.forget(3, OWNED)
    await store.set_saved(2, "k", True)
    await store.vote(1, "кот", "k", "up")
    await store.grade(2, Review("k", 1, "{}", 5.0, "", "1970-01-01"), "1970-01-01")
    await store.add_poll("p", 1)
    await store.add_answer(1, "p", 1)
    await store.add_picture("drawn", "file")
    await store.keep_updates([(1, "answered"), (2, "not answered")])
    await store.finish_updates([1])
    await store.close()


async def test_everything_is_carried_over(tmp_path: Path, postgres: Server) -> None:
    path, url, lines = tmp_path / "state.db", postgres.new(), list[str]()
    await fill(path)
    await move(path, url, lines.append)
    own = ["users: 1", "saved: 1", "reviews: 1", "learned: 1", "votes: 1", "answers: 1", "history: 3"]
    assert lines == [*own, "polls: 1", "updates: 2", "bodies: 1", "pictures: 1"]
    old, new = await open_store(path, lambda: 6.0), await open_store(url, lambda: 6.0 + LEASE)
    for user in (1, 2, 3):
        assert await exported(new, user) == await exported(old, user)
    assert await new.pictures(["drawn", "never"]) == {"drawn": "file"}
    await new.add_answer(2, "p", 1)
    assert await new.score(2) == (1, 1)
    assert (await new.add(QUERY)).id == (await old.add(QUERY)).id == 5
    assert (await new.add(QUERY, update=3)).id == 3
    assert await new.keep_updates([(1, "again"), (2, "again")]) == []
    assert await new.take_over() == await old.take_over() == [(2, "not answered", 1)]
    await old.close()
    await new.close()


async def test_an_empty_state_is_carried_over(tmp_path: Path, postgres: Server) -> None:
    path, url = tmp_path / "state.db", postgres.new()
    await (await open_store(path)).close()
    await move(path, url, lambda _: None)
    store = await open_store(url)
    assert (await store.add(QUERY)).id == 1
    await store.close()


async def test_a_database_in_use_is_refused_and_left_as_it_is(tmp_path: Path, postgres: Server) -> None:
    path, url = tmp_path / "state.db", postgres.new()
    await fill(path)
    store = await open_store(url)
    # In the last table: what was carried over before must not stay.
    await store.keep_updates([(9, "new")])
    with pytest.raises(StateError, match="rows in updates already: name an empty"):
        await move(path, url, lambda _: None)
    assert not any((await exported(store, 1)).values())
    await store.close()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command with these arguments."""
    command = [sys.executable, "-m", "bot.store.move", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "FROM TO"),
        (["state.db", "other.db"], "FROM TO"),
        (["nowhere.db", "postgresql://postgres:hidden@127.0.0.1:1/x"], "no state file nowhere.db"),
    ],
)
def test_a_wrong_command_is_one_sentence(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 1
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "hidden" not in done.stderr


async def test_the_command_says_what_it_did(tmp_path: Path, postgres: Server) -> None:
    await fill(tmp_path / "state.db")
    done = run(str(tmp_path / "state.db"), postgres.new())
    assert (done.returncode, done.stderr) == (0, "")
    assert "history: 3" in done.stdout
    assert "STATE" in done.stdout.splitlines()[-1]

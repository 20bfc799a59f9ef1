"""The state outlives restarts and keeps one person's history from another's eyes."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.store.protocol import KEPT_DAYS, OWNED, HistoryEntry, StateError, Store, User
from bot.store.sqlite import DAY, SqliteStore

QUERY = HistoryEntry(0, 1, "1", "query", "кот & <b>")


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store in memory; its clock stands at 0."""
    store = SqliteStore(":memory:", now=lambda: 0.0)
    yield store
    store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A state file that does not exist yet, in a folder that does not either."""
    return tmp_path / "new" / "state.db"


async def test_settings_survive_a_restart(path: Path) -> None:
    store = SqliteStore(path)
    assert await store.user(1) == User(1)
    await store.set(1, language="ru")
    store.close()
    again = SqliteStore(path)
    assert await again.user(1) == User(1, language="ru")
    again.close()


async def test_history_survives_a_restart(path: Path) -> None:
    store = SqliteStore(path, now=lambda: 5.0)
    first = await store.add(QUERY)
    second = await store.add(HistoryEntry(0, 1, "1", "card", "00ff00ff00ff", first.id, 2, filter="ru."))
    third = await store.add(replace(QUERY, exact=True, nearest=True))
    store.close()
    again = SqliteStore(path)
    assert await again.entry(first.id, "1") == replace(QUERY, id=first.id, at=5.0)
    assert await again.entry(second.id, "1") == second
    assert (second.parent, second.page, second.filter) == (first.id, 2, "ru.")
    kept = await again.entry(third.id, "1")
    assert kept == third
    assert kept.exact is True
    assert kept.nearest is True
    again.close()


def test_opening_and_closing_need_no_event_loop(path: Path) -> None:
    store = SqliteStore(path)
    asyncio.run(store.set(1, language="ru"))
    assert asyncio.run(store.user(1)) == User(1, language="ru")
    store.close()
    assert [file.name for file in path.parent.iterdir()] == ["state.db"]


async def test_an_entry_is_shown_only_in_its_chat_and_to_its_person(store: Store) -> None:
    entry = await store.add(replace(QUERY, chat_key="5"))
    assert await store.entry(entry.id, "5") == await store.past(entry.id, 1) == entry
    assert await store.entry(entry.id, "2") is None
    assert await store.entry(entry.id + 1, "5") is None
    assert await store.past(entry.id, 2) is None


async def test_numbers_of_entries_are_never_given_twice(store: Store) -> None:
    entry = await store.add(QUERY)
    await store.forget(1, ["history"])
    assert await store.entry(entry.id, "1") is None
    assert (await store.add(QUERY)).id > entry.id


async def test_recent_keys_are_the_last_opened_of_one_person(store: Store) -> None:
    opened = [(1, "card", "a"), (1, "random", "b"), (1, "query", "c"), (2, "card", "d"), (1, "card", "e")]
    for user, kind, text in opened:
        await store.add(HistoryEntry(0, user, str(user), kind, text))
    assert await store.recent_keys(1) == {"a", "b", "e"}
    assert await store.recent_keys(1, count=2) == {"b", "e"}


def test_an_unusable_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.write_text("no database " * 100)
    with pytest.raises(StateError, match=r"state\.db.*STATE"):
        SqliteStore(path)


async def test_old_entries_are_deleted_and_what_people_keep_is_not() -> None:
    now = [0.0]
    store = SqliteStore(":memory:", now=lambda: now[0])
    await store.toggle_saved(1, "00ff00ff00ff")
    old = await store.add(QUERY)
    now[0] = KEPT_DAYS["history"] * DAY
    new = await store.add(QUERY)
    now[0] += 1
    await store.prune()
    assert await store.entry(old.id, "1") is None
    assert await store.entry(new.id, "1") == new
    assert await store.saved(1) == ["00ff00ff00ff"]
    store.close()


async def test_history_has_each_thing_once_the_latest_first(store: Store) -> None:
    shown = [("query", "a"), ("card", "k"), ("query", "b"), ("similar", "k"), ("random", "k"), ("query", "a")]
    for kind, text in shown:
        await store.add(HistoryEntry(0, 1, "1", kind, text))
    listed = await store.history(1, 0, 9)
    assert [(entry.kind, entry.text) for entry in listed] == [("query", "a"), ("random", "k"), ("query", "b")]
    assert [entry.text for entry in await store.history(1, 1, 1)] == ["k"]


async def test_history_tells_exact_searches_apart_and_leaves_out_the_nearest(store: Store) -> None:
    for exact, nearest in [(False, False), (True, False), (False, True), (True, True), (False, False)]:
        await store.add(replace(QUERY, exact=exact, nearest=nearest))
    assert [(entry.id, entry.exact) for entry in await store.history(1, 0, 9)] == [(5, False), (2, True)]


async def test_saving_is_switched_on_and_off(store: Store) -> None:
    assert await store.toggle_saved(1, "k")
    assert await store.saved(1) == ["k"]
    assert not await store.toggle_saved(1, "k")
    assert await store.saved(1) == []


async def test_queries_are_counted_by_day(store: Store) -> None:
    await store.set(1, language="ru")
    counts = [await store.count_query(1, day) for day in ("2025-01-01", "2025-01-01", "2025-01-02")]
    assert counts == [1, 2, 1]
    assert await store.count_query(2, "2025-01-02") == 1
    assert await store.user(1) == User(1, language="ru", day="2025-01-02", asked=1)


async def test_those_are_due_whose_time_has_come(store: Store) -> None:
    for user, due, hour in [(1, 0.0, "9"), (2, 0.1, "9"), (3, None, "9"), (4, 0.0, "")]:
        await store.set(user, due=due, hour=hour)
    assert [user.id for user in await store.due()] == [1]


async def test_only_those_who_still_wait_are_rescheduled(store: Store) -> None:
    for number in (1, 2, 3):
        await store.set(number, due=0.0, hour="9")
    users = await store.due()
    await store.set(2, due=None, hour="")
    await store.forget(3, OWNED)
    assert [await store.reschedule(user, 5.0) for user in users] == [True, False, False]
    assert [(await store.user(number)).due for number in (1, 2, 3)] == [5.0, None, None]


async def test_a_choice_counts_once_for_each_person(store: Store) -> None:
    asked = await store.add(replace(QUERY, exact=True))
    similar = await store.add(HistoryEntry(0, 1, "1", "similar", "a"))
    for user, key, parent in [(1, "a", asked.id), (1, "a", 0), (2, "a", 0), (1, "b", similar.id)]:
        await store.add(HistoryEntry(0, user, "1", "card", key, parent))
    await store.toggle_saved(1, "a")
    await store.toggle_saved(1, "c")
    await store.vote(3, "кот", "c", "up")
    await store.vote(4, "кот", "c", "up")
    await store.vote(4, "кот", "c", "down")
    assert await store.clicks() == {"a": 2, "c": 2}


async def test_figures_count_people_and_queries_of_the_last_days() -> None:
    now = [0.0]
    store = SqliteStore(":memory:", now=lambda: now[0])
    await store.add(replace(QUERY, user=9))
    now[0] = DAY
    for user, kind, text, exact in [(1, "query", "x", False), (1, "query", "x", True), (1, "card", "a", False)]:
        await store.add(HistoryEntry(0, user, "1", kind, text, exact=exact))
    now[0] = 2 * DAY
    for key in ("a", "b"):
        await store.add(HistoryEntry(0, 2, "2", "card", key))
    assert await store.people(1.5) == 2
    assert await store.activity(1.5) == [("1970-01-02", 1, 1), ("1970-01-03", 0, 1)]
    assert await store.trending(1.5, 5) == [("a", 2)]
    assert await store.trending(1.5, 5, people=1) == [("a", 2), ("b", 1)]
    store.close()


async def test_forgetting_one_person_leaves_the_others(store: Store) -> None:
    for user in (1, 2):
        await store.set(user, language="ru")
        await store.add(replace(QUERY, user=user))
        await store.toggle_saved(user, "k")
        await store.vote(user, "кот", "k", "up")
        await store.add_poll("p", 1)
        await store.add_answer(user, "p", 1)
    await store.forget(1, OWNED)
    assert not any((await store.export(1)).values())
    assert all((await store.export(2)).values())


async def test_an_answer_counts_once_and_only_for_a_known_poll(store: Store) -> None:
    await store.add_poll("p", 2)
    for poll, option in [("p", 1), ("p", 2), ("q", 2)]:
        await store.add_answer(1, poll, option)
    assert await store.score(1) == (0, 1)


async def test_the_event_loop_goes_on_while_another_program_locks_the_file(path: Path) -> None:
    store = SqliteStore(path)
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
    store.close()


async def test_a_long_statistic_delays_nobody(path: Path) -> None:
    store, finish = SqliteStore(path), threading.Event()
    counting = asyncio.create_task(store._reader.run(lambda _: finish.wait(timeout=60)))
    await store.set(1, language="ru")
    assert await store.user(1) == User(1, language="ru")
    assert not counting.done()
    finish.set()
    assert await counting
    store.close()


WRITER = """
import asyncio, sys
from bot.store.protocol import HistoryEntry
from bot.store.sqlite import SqliteStore

async def write(store):
    while True:
        entry = await store.add(HistoryEntry(0, 1, "1", "query", "кот"))
        await store.toggle_saved(1, f"{entry.id}")
        print(entry.id, flush=True)

asyncio.run(write(SqliteStore(sys.argv[1])))
"""


async def test_nothing_that_was_written_is_lost_by_a_kill(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        told = [int(writer.stdout.readline()) for _ in range(50)]
        writer.kill()
        told += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    store = SqliteStore(path)
    assert {entry["id"] for entry in (await store.export(1))["history"]} >= set(told)
    assert {int(key) for key in await store.saved(1)} >= set(told)
    store.close()
    file = sqlite3.connect(path)
    assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    file.close()

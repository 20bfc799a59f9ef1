"""State files of earlier versions go on working: the people, their history, and the buttons that carry its numbers."""

from pathlib import Path

from sqlite_utils import Database

from bot.store.migrations import migrations
from bot.store.opening import open_store
from bot.store.protocol import HistoryEntry, User
from support.states import exported

STEPS = [
    # id, user, place, kind, text, parent, page, at, among: as version 0.2 wrote them.
    (3, 1, "1", "query", "кот", 0, 0, 5.0, ""),
    (4, 1, "1", "card", "00ff00ff00ff", 3, 1, 6.0, ""),
    (5, 1, "1", "exact", "кот", 3, 0, 7.0, ""),
    (6, 1, "1", "nearest", "кот", 3, 0, 8.0, ""),
    (7, 1, "1", "exact-nearest", "кот", 5, 0, 9.0, ""),
    (8, 2, "2", "random", "0123456789ab", 0, 0, 10.0, "ru.animals"),
    (9, 2, "2", "similar", "0123456789ab", 8, 0, 11.0, ""),
    (10, 2, "2", "card", "00ff00ff00ff", 7, 0, 12.0, ""),
]
TODAY = [
    HistoryEntry(3, 1, "1", "query", "кот", 0, 0, 5.0),
    HistoryEntry(4, 1, "1", "card", "00ff00ff00ff", 3, 1, 6.0),
    HistoryEntry(5, 1, "1", "query", "кот", 3, 0, 7.0, exact=True),
    HistoryEntry(6, 1, "1", "query", "кот", 3, 0, 8.0, nearest=True),
    HistoryEntry(7, 1, "1", "query", "кот", 5, 0, 9.0, exact=True, nearest=True),
    HistoryEntry(8, 2, "2", "random", "0123456789ab", 0, 0, 10.0, "ru.animals"),
    HistoryEntry(9, 2, "2", "similar", "0123456789ab", 8, 0, 11.0),
    HistoryEntry(10, 2, "2", "card", "00ff00ff00ff", 7, 0, 12.0),
]


def second_version(path: Path) -> None:
    """Write a state file as version 0.2 left it; the latest screens were erased by their owner."""
    old = Database(path)
    old.enable_wal()
    migrations.apply(old, stop_before="history_with_flags")
    old.execute("INSERT INTO users VALUES (1, 'ru', 'ru', 'en', 'Europe/Berlin', '9', 99.0, '2025-01-01', 4)")
    old.execute("INSERT INTO users (id) VALUES (2)")
    for step in STEPS:
        old.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", step)
    old.execute("INSERT INTO steps VALUES (20, 3, '3', 'query', 'erased', 0, 0, 13.0, '')")
    old.execute("DELETE FROM steps WHERE user = 3")
    old.execute("INSERT INTO saved VALUES (1, '00ff00ff00ff', 6.5)")
    old.execute("INSERT INTO votes VALUES (2, 'кот', '0123456789ab', 'up', 12.0)")
    old.execute("INSERT INTO polls VALUES ('p', 1, 12.0)")
    old.execute("INSERT INTO answers VALUES (1, 'o', 1, 11.0)")
    old.close()


async def test_a_file_of_the_second_version_is_brought_up_to_date(tmp_path: Path) -> None:
    second_version(tmp_path / "state.db")
    store = await open_store(tmp_path / "state.db", now=lambda: 100.0)
    user = User(1, "ru", "ru", "en", "Europe/Berlin", "9", 99.0, "2025-01-01", 4)
    assert await store.user(1) == user
    assert await store.due() == [user]
    assert [await store.entry(entry.id, entry.chat_key) for entry in TODAY] == TODAY
    assert [await store.past(entry.id, entry.user) for entry in TODAY] == TODAY
    assert [entry.id for entry in await store.history(1, 0, 9)] == [5, 4, 3]
    assert [entry.id for entry in await store.history(2, 0, 9)] == [10, 8]
    assert (await store.add(HistoryEntry(0, 3, "3", "query", "new"))).id == 21
    await store.close()


async def test_what_people_kept_in_the_second_version_is_still_there(tmp_path: Path) -> None:
    second_version(tmp_path / "state.db")
    store = await open_store(tmp_path / "state.db", now=lambda: 100.0)
    assert await store.saved(1) == ["00ff00ff00ff"]
    await store.add_answer(1, "p", 0)
    assert await store.score(1) == (1, 2)
    assert await store.clicks() == {"00ff00ff00ff": 2, "0123456789ab": 1}
    assert await store.activity(1) == [("1970-01-01", 1, 2)]
    assert await store.count_query(1, "2025-01-01") == 5
    await store.vote(2, "кот", "0123456789ab", "down")
    assert [row["vote"] for row in (await exported(store, 2))["votes"]] == ["down"]
    await store.close()


async def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    old = Database(tmp_path / "state.db")
    migrations.apply(old, stop_before="what_people_keep")
    old.execute("INSERT INTO users VALUES (1, 'ru')")
    old.execute("INSERT INTO steps VALUES (7, 1, '1', 'query', 'кот', 0, 0, 5.0)")
    old.close()
    store = await open_store(tmp_path / "state.db")
    assert await store.user(1) == User(1, language="ru")
    assert await store.entry(7, "1") == HistoryEntry(7, 1, "1", "query", "кот", at=5.0)
    await store.close()

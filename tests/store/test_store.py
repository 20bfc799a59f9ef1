"""What a store keeps, in SQLite and in PostgreSQL: it outlives restarts, and nobody sees another's history."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace

import pytest

from bot.store.protocol import KEPT_DAYS, LEASE, OWNED, REPORTS_A_DAY, HistoryEntry, Review, Store, User
from bot.store.sql import DAY, FORGOTTEN_AT_ONCE, PRUNED_AT_ONCE, SCANNED_AT_ONCE, Row, SqlStore
from support.states import Clock, Open, exported

QUERY = HistoryEntry(0, 1, "1", "query", "кот & <b>")
CARD = HistoryEntry(0, 1, "1", "card", "00ff00ff00ff")


async def test_settings_survive_a_restart(open_state: Open) -> None:
    store = await open_state()
    assert await store.user(1) == User(1)
    await store.set(1, language="ru", due=1.5)
    await store.set(1, hour="9")
    await store.close()
    assert await (await open_state()).user(1) == User(1, language="ru", due=1.5, hour="9")


async def test_history_survives_a_restart(open_state: Open, clock: Clock) -> None:
    clock.time = 5.0
    store = await open_state()
    first = await store.add(QUERY)
    second = await store.add(replace(CARD, parent=first.id, page=2, filter="ru."))
    third = await store.add(replace(QUERY, exact=True, nearest=True))
    await store.close()
    again = await open_state()
    assert await again.entry(first.id, "1") == replace(QUERY, id=first.id, at=5.0)
    assert await again.entry(second.id, "1") == second
    assert (second.parent, second.page, second.filter) == (first.id, 2, "ru.")
    kept = await again.entry(third.id, "1")
    assert kept == third
    assert kept.exact is True
    assert kept.nearest is True


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


async def test_large_numbers_and_strange_texts_are_kept(store: Store) -> None:
    person, query = 2**62, "\0\ud800" + "".join(map(chr, range(0x1F300, 0x1F300 + 998)))
    entry = await store.add(HistoryEntry(0, person, "9" * 40, "query", query), update=2**62)
    assert entry.text == "\N{REPLACEMENT CHARACTER}?" + query[2:]
    assert await store.entry(entry.id, entry.chat_key) == entry
    votes = [await store.vote(person, query, "k", vote) for vote in ("up", "up", "down", "down")]
    assert votes == [True, False, True, False]
    assert [row["vote"] for row in (await exported(store, person))["votes"]] == ["down"]
    assert await store.keep_updates([(2**62, "\ud800")]) == [2**62]


async def test_recent_keys_are_the_last_opened_of_one_person(store: Store) -> None:
    opened = [(1, "card", "a"), (1, "random", "b"), (1, "query", "c"), (2, "card", "d"), (1, "card", "e")]
    for user, kind, text in opened:
        await store.add(HistoryEntry(0, user, str(user), kind, text))
    assert await store.recent_keys(1) == {"a", "b", "e"}
    assert await store.recent_keys(1, count=2) == {"b", "e"}


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


async def test_an_update_that_toggles_is_finished_with_it(store: Store) -> None:
    await store.keep_updates([(7, "a"), (8, "b")])
    assert await store.toggle_saved(1, "a", 7) is True
    assert await store.toggle_saved(1, "a") is False
    assert [await store.toggle_saved(1, key) for key in ("a", "b", "a")] == [True, True, False]
    assert await store.saved(1) == ["b"]
    assert [row["at"] >= 0 for row in (await exported(store, 1))["saved"]] == [True]


async def test_saving_twice_saves(store: Store, clock: Clock) -> None:
    for key in ("a", "b", "a"):
        await store.set_saved(1, key, True)
        clock.time += 1
    assert await store.saved(1) == ["b", "a"]
    for _ in range(2):
        await store.set_saved(1, "b", False)
    assert await store.saved(1) == ["a"]


async def test_queries_are_counted_by_day(store: Store) -> None:
    await store.set(1, language="ru")
    counts = [await store.count_query(1, day) for day in ("2025-01-01", "2025-01-01", "2025-01-02")]
    assert counts == [1, 2, 1]
    assert await store.count_query(2, "2025-01-02") == 1
    assert await store.user(1) == User(1, language="ru", day="2025-01-02", asked=1)


async def test_a_query_that_comes_again_is_counted_once(store: Store) -> None:
    asked = [(7, "2025-01-01"), (7, "2025-01-01"), (8, "2025-01-01"), (0, "2025-01-01"), (0, "2025-01-01")]
    assert [await store.count_query(1, day, update) for update, day in asked] == [1, 1, 2, 3, 4]
    assert await store.count_query(2, "2025-01-01", 8) == 1
    assert await store.count_query(1, "2025-01-02", 9) == 1


async def test_a_screen_of_an_update_that_comes_again_is_kept_once(store: Store) -> None:
    first = await store.add(QUERY, update=7)
    assert await store.add(replace(QUERY, text="other", page=3), update=7) == first
    card = await store.add(CARD, update=7)
    assert card.id != first.id
    assert (await store.add(QUERY, update=8)).id != first.id
    # Another bot's numbers may be the same.
    assert (await store.add(replace(QUERY, user=2), update=7)).user == 2
    assert [(await store.add(QUERY)).id != first.id for _ in range(2)] == [True, True]


async def test_those_are_due_whose_time_has_come_or_is_too_far(store: Store) -> None:
    for user, due, hour in [(1, 0.0, "9"), (2, 0.1, "9"), (3, None, "9"), (4, 0.0, ""), (5, 9 * DAY, "9")]:
        await store.set(user, due=due, hour=hour)
    assert [user.id for user in await store.due()] == [1, 5]


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


async def test_figures_count_people_and_queries_of_the_last_days(store: Store, clock: Clock) -> None:
    await store.add(replace(QUERY, user=9))
    clock.time = DAY
    for user, kind, text, exact in [(1, "query", "x", False), (1, "query", "x", True), (1, "card", "a", False)]:
        await store.add(HistoryEntry(0, user, "1", kind, text, exact=exact))
    clock.time = 2 * DAY
    for key in ("a", "b"):
        await store.add(HistoryEntry(0, 2, "2", "card", key))
    assert await store.people(1.5) == 2
    assert await store.activity(1.5) == [("1970-01-02", 1, 1), ("1970-01-03", 0, 1)]
    assert await store.trending(1.5, 5) == [], "five people at least"
    assert await store.trending(1.5, 5, people=2) == [("a", 2)]
    assert await store.trending(1.5, 5, people=1) == [("a", 2), ("b", 1)]


async def test_forgetting_one_person_leaves_the_others(store: Store) -> None:
    for user in (1, 2):
        await store.set(user, language="ru")
        await store.add(replace(QUERY, user=user))
        await store.toggle_saved(user, "k")
        await store.vote(user, "кот", "k", "up")
        await store.add_poll("p", 1)
        await store.add_answer(user, "p", 1)
        await store.report(user, "k", "other")
        await store.grade(user, Review("k", 1, "{}", 5.0, "", "1970-01-01"), "1970-01-01")
    before = await exported(store, 2)
    await store.forget(1, OWNED)
    assert not any((await exported(store, 1)).values())
    assert await exported(store, 2) == before
    assert {table: len(rows) for table, rows in before.items()} == dict.fromkeys(OWNED, 1)


async def test_an_export_comes_in_parts_the_newest_first_until_it_is_enough(store: Store, clock: Clock) -> None:
    for number in range(2 * SCANNED_AT_ONCE + 1):
        await store.add(replace(QUERY, text=str(number)))
    for key in "abc":
        clock.time += 1
        await store.set_saved(1, key, True)
    kept = await exported(store, 1)
    assert [row["key"] for row in kept["saved"]] == ["c", "b", "a"]
    assert [int(row["text"]) for row in kept["history"]] == list(reversed(range(2 * SCANNED_AT_ONCE + 1)))
    parts: list[int] = []

    def take(table: str, rows: list[Row]) -> bool:
        if table == "history":
            parts.append(len(rows))
        return len(parts) == 2

    await store.export(1, take)
    assert parts == [SCANNED_AT_ONCE] * 2
    assert await store.people(1) == 1


async def test_forgetting_takes_all_of_a_long_history_and_nothing_else(store: Store) -> None:
    for _ in range(FORGOTTEN_AT_ONCE + 1):
        await store.add(QUERY)
    await store.toggle_saved(1, "k")
    await store.forget(1, ["history"])
    assert (await exported(store, 1))["history"] == []
    assert await store.saved(1) == ["k"]


async def test_an_answer_counts_once_and_only_for_a_known_poll(store: Store) -> None:
    await store.add_poll("p", 1)
    await store.add_poll("p", 2)
    for poll, option in [("p", 1), ("p", 2), ("q", 2)]:
        await store.add_answer(1, poll, option)
    assert await store.score(1) == (0, 1)
    await store.add_answer(2, "p", 2)
    assert await store.score(2) == (1, 1)


async def test_what_is_old_is_deleted_and_what_people_keep_is_not(store: Store, clock: Clock) -> None:
    await store.toggle_saved(1, "00ff00ff00ff")
    old = await store.add(QUERY)
    clock.time = KEPT_DAYS["history"] * DAY
    new = await store.add(QUERY)
    clock.time += 1
    await store.prune()
    assert await store.entry(old.id, "1") is None
    assert await store.entry(new.id, "1") == new
    assert await store.saved(1) == ["00ff00ff00ff"]


async def test_pictures_are_remembered_by_the_latest_name_and_for_a_while(store: Store, clock: Clock) -> None:
    await store.add_picture("drawn", "old")
    await store.add_picture("drawn", "new")
    assert await store.pictures([]) == {}
    assert await store.pictures(["never", "drawn"]) == {"drawn": "new"}
    clock.time = KEPT_DAYS["pictures"] * DAY + 1
    await store.prune()
    assert await store.pictures(["drawn"]) == {}


async def test_however_many_are_old_all_are_deleted(store: Store, clock: Clock) -> None:
    numbers = range(1, PRUNED_AT_ONCE + 3)
    assert await store.keep_updates([(number, "{}") for number in numbers[:-1]]) == [*numbers[:-1]]
    clock.time = KEPT_DAYS["updates"] * DAY + 1
    await store.keep_updates([(numbers[-1], "{}")])
    await store.prune()
    assert await store.keep_updates([(number, "{}") for number in numbers]) == [*numbers[:-1]]


async def test_an_update_is_new_once(store: Store) -> None:
    assert await store.keep_updates([]) == []
    assert await store.keep_updates([(8, "b"), (7, "a"), (8, "b")]) == [7, 8]
    assert await store.keep_updates([(9, "c"), (7, "a")]) == [9]
    await store.finish_updates([7, 9])
    await store.finish_updates([])
    assert await store.keep_updates([(7, "a"), (8, "b"), (9, "c")]) == []
    assert await store.take_over() == []


async def test_what_a_kill_left_is_taken_over_once(open_state: Open, clock: Clock) -> None:
    first = await open_state()
    assert await first.take_over() == []
    await first.keep_updates([(9, "c"), (7, "a"), (8, "b")])
    await first.finish_updates([8])
    clock.time = LEASE + 1
    second, third = await open_state(), await open_state()
    assert await second.take_over() == [(7, "a", 1), (9, "c", 1)]
    assert await second.take_over() == []
    await second.finish_updates([7])
    clock.time = 2 * LEASE + 2
    assert await third.take_over() == [(9, "c", 2)]


async def test_processes_that_share_a_state_get_each_update_once(state: str, open_state: Open, clock: Clock) -> None:
    if not state.startswith("postgresql"):
        pytest.skip("an SQLite file is used by one process")
    stores = [await open_state() for _ in range(4)]
    batch = [(number, "{}") for number in range(1, 101)]
    kept = await asyncio.gather(*(store.keep_updates(batch[turn:] + batch[:turn]) for turn, store in enumerate(stores)))
    assert sorted(number for numbers in kept for number in numbers) == [number for number, _ in batch]
    clock.time = LEASE + 1
    # Any of those may have been the first; of them nothing is heard any more.
    others = [await open_state() for _ in range(3)]
    taken = await asyncio.gather(*(store.take_over() for store in others))
    assert sorted(update for updates in taken for update in updates) == [(*update, 1) for update in batch]


async def test_those_who_live_keep_their_updates(state: str, open_state: Open, clock: Clock) -> None:
    if not state.startswith("postgresql"):
        pytest.skip("an SQLite file is used by one process")
    first, second = await open_state(), await open_state()
    await first.take_over()
    await first.keep_updates([(7, "a")])
    for _ in range(6):
        clock.time += LEASE / 3
        assert await first.take_over() == await second.take_over() == []
    # One that slept is taken for dead; what it keeps before it says that it lives is its own all the same.
    clock.time += LEASE + 1
    assert await second.take_over() == [(7, "a", 1)]
    await first.keep_updates([(8, "b")])
    assert await second.take_over() == []


WRITER = """
import asyncio, sys
from bot.store.opening import open_store
from bot.store.protocol import HistoryEntry

async def write():
    store = await open_store(sys.argv[1])
    number = 0
    while True:
        number += 1
        assert await store.keep_updates([(number, f"update {number}")]) == [number]
        entry = await store.add(HistoryEntry(0, 1, "1", "query", "кот"), number)
        await store.set_saved(1, f"{entry.id}", True)
        print(number, entry.id, flush=True)

asyncio.run(write())
"""


async def test_nothing_that_was_written_is_lost_by_a_kill(state: str, open_state: Open, clock: Clock) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, state], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        told = [writer.stdout.readline() for _ in range(50)]
        writer.kill()
        told += writer.stdout.read().splitlines(keepends=True)
    numbers = [tuple(map(int, line.split())) for line in told if line.endswith("\n")]
    clock.time = 1e12
    store = await open_state()
    assert {entry["id"] for entry in (await exported(store, 1))["history"]} >= {entry for _, entry in numbers}
    assert {int(key) for key in await store.saved(1)} >= {entry for _, entry in numbers}
    assert {*await store.take_over()} >= {(number, f"update {number}", 1) for number, _ in numbers}


async def test_what_an_answered_update_said_is_gone(store: Store) -> None:
    await store.keep_updates([(1, "{}"), (2, "{}")])
    await store.finish_updates([1])
    assert await store.keep_updates([(1, "{}"), (2, "{}"), (3, "{}")]) == [3]
    assert isinstance(store, SqlStore)
    rows = await store._db.read("SELECT id FROM bodies ORDER BY id")
    assert [row["id"] for row in rows] == [2, 3]


async def test_a_grade_has_its_effect_once_and_can_be_taken_back(store: Store) -> None:
    first = Review("a", 1, '{"card": 1}', 50.0, "", "2026-03-10")
    second = replace(first, count=2, card='{"card": 2}', due=90.0, previous=first.card)
    assert [await store.grade(1, first, "2026-03-10") for _ in range(2)] == [True, False]
    assert await store.grade(1, second, "2026-03-11")
    assert not await store.grade(1, second, "2026-03-11")
    assert not await store.grade(1, replace(first, count=4), "2026-03-11"), "of a question that was never asked"
    await store.grade(1, Review("b", 1, "{}", 20.0, "", "2026-03-11"), "2026-03-11")
    await store.grade(2, Review("a", 1, "{}", 10.0, "", "2026-03-12"), "2026-03-12")
    assert [review.key for review in await store.reviews(1)] == ["b", "a"], "the earliest due first"
    assert second in await store.reviews(1)
    assert await store.learned(1) == ["2026-03-11", "2026-03-10"]
    before = replace(second, count=1, card=second.previous, due=50.0, previous="")
    assert [await store.ungrade(1, before) for _ in range(2)] == [True, False]
    assert before in await store.reviews(1)
    assert await store.ungrade(1, replace(before, count=0))
    assert [review.key for review in await store.reviews(1)] == ["b"]
    assert [review.key for review in await store.reviews(2)] == ["a"]


async def test_a_vote_is_read_and_taken_back(store: Store) -> None:
    assert await store.voted(1, "кот", "k") == ""
    await store.vote(1, "кот", "k", "up")
    await store.vote(1, "", "k", "wrong")
    assert [await store.voted(1, "кот", "k"), await store.voted(2, "кот", "k")] == ["up", ""]
    assert not await store.vote(1, "кот", "k", "")
    assert [await store.voted(1, "кот", "k"), await store.voted(1, "", "k")] == ["", "wrong"]


async def test_reports_wait_for_an_answer(store: Store, clock: Clock) -> None:
    number = await store.report(1, "a", "spelling")
    assert number and await store.report(1, "a", "spelling") == number, "said twice, it is said once"
    clock.time += 1
    others = [await store.report(2, "a", "spelling"), await store.report(1, "b", "other")]
    assert len({number, *others}) == 3
    assert await store.comment(2, number, "чужое") is None
    told = await store.comment(1, number, "лишняя буква")
    assert told and (told.id, told.key, told.comment) == (number, "a", "лишняя буква")
    clock.time += 1
    await store.report(3, "a", "origin")
    assert [report.key for report in await store.reports()] == ["a", "a", "a", "b"], "the latest first, by phrase"
    answered = await store.answer_reports("a", "fixed")
    assert sorted(report.user for report in answered) == [1, 2, 3]
    assert await store.answer_reports("a", "kept") == []
    assert await store.report(1, "a", "spelling") == number
    assert [report.user for report in await store.answer_reports("a", "kept")] == [1], "said again, it waits again"


async def test_a_person_reports_so_much_a_day(store: Store, clock: Clock) -> None:
    numbers = [await store.report(1, str(key), "other") for key in range(REPORTS_A_DAY + 2)]
    assert [bool(number) for number in numbers] == [True] * REPORTS_A_DAY + [False] * 2
    assert await store.report(1, "0", "other") == numbers[0]
    assert await store.report(2, "x", "other")
    clock.time += DAY + 1
    assert await store.report(1, "y", "other")

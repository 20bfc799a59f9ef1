"""The state outlives restarts and keeps one person's steps from another's eyes."""

import subprocess
import sys
from pathlib import Path

import pytest
from sqlite_utils import Database

from bot.store.migrations import migrations
from bot.store.sqlite import DAY, KEPT_DAYS, OWNED, StateError, Step, User, UserStore


def test_settings_survive_a_restart(tmp_path: Path) -> None:
    store = UserStore(tmp_path / "new" / "state.db")
    assert store.user(1) == User(1)
    store.set(1, language="ru")
    store.close()
    assert UserStore(tmp_path / "new" / "state.db").user(1) == User(1, language="ru")


def test_steps_survive_a_restart(tmp_path: Path) -> None:
    store = UserStore(tmp_path / "state.db", now=lambda: 5.0)
    first = store.add_step(Step(0, 1, "1", "query", "кот & <b>"))
    second = store.add_step(Step(0, 1, "1", "card", "00ff00ff00ff", first.id, 2, among="ru."))
    again = UserStore(tmp_path / "state.db")
    assert again.step(first.id, "1") == Step(first.id, 1, "1", "query", "кот & <b>", at=5.0)
    assert again.step(second.id, "1") == second
    assert (second.parent, second.page) == (first.id, 2)


def test_a_step_is_shown_only_in_its_place() -> None:
    store = UserStore(":memory:")
    step = store.add_step(Step(0, 1, "1", "query", "secret"))
    assert store.step(step.id, "2") is None
    assert store.step(step.id + 1, "1") is None


def test_numbers_of_steps_are_never_given_twice(tmp_path: Path) -> None:
    store = UserStore(tmp_path / "state.db")
    step = store.add_step(Step(0, 1, "1", "query", "x"))
    store._db.execute("DELETE FROM steps")
    assert store.add_step(Step(0, 1, "1", "query", "y")).id > step.id


def test_recent_keys_are_the_last_opened_of_one_person() -> None:
    store = UserStore(":memory:")
    for user, kind, text in [
        (1, "card", "a"),
        (1, "random", "b"),
        (1, "query", "c"),
        (2, "card", "d"),
        (1, "card", "e"),
    ]:
        store.add_step(Step(0, user, str(user), kind, text))
    assert store.recent_keys(1) == {"a", "b", "e"}
    assert store.recent_keys(1, count=2) == {"b", "e"}


def test_an_unusable_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.write_text("no database " * 100)
    with pytest.raises(StateError, match=r"state\.db.*STATE"):
        UserStore(path)


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    old = Database(tmp_path / "state.db")
    migrations.apply(old, stop_before="what_people_keep")
    old.execute("INSERT INTO users VALUES (1, 'ru')")
    old.execute("INSERT INTO steps VALUES (7, 1, '1', 'query', 'кот', 0, 0, 5.0)")
    old.close()
    store = UserStore(tmp_path / "state.db")
    assert store.user(1) == User(1, language="ru")
    assert store.step(7, "1") == Step(7, 1, "1", "query", "кот", at=5.0)


def test_old_steps_are_deleted_and_what_people_keep_is_not() -> None:
    now = [0.0]
    store = UserStore(":memory:", now=lambda: now[0])
    store.toggle_saved(1, "00ff00ff00ff")
    old = store.add_step(Step(0, 1, "1", "query", "old"))
    now[0] = KEPT_DAYS["steps"] * DAY
    new = store.add_step(Step(0, 1, "1", "query", "new"))
    now[0] += 1
    store.prune()
    assert store.step(old.id, "1") is None
    assert store.step(new.id, "1") == new
    assert store.saved(1) == ["00ff00ff00ff"]


def test_history_has_each_thing_once_the_latest_first() -> None:
    store = UserStore(":memory:")
    for kind, text in [
        ("query", "a"),
        ("card", "k"),
        ("query", "b"),
        ("similar", "k"),
        ("random", "k"),
        ("query", "a"),
    ]:
        store.add_step(Step(0, 1, "1", kind, text))
    assert [(step.kind, step.text) for step in store.history(1, 0, 9)] == [
        ("query", "a"),
        ("random", "k"),
        ("query", "b"),
    ]
    assert [step.text for step in store.history(1, 1, 1)] == ["k"]


def test_forgetting_one_person_leaves_the_others() -> None:
    store = UserStore(":memory:")
    for user in (1, 2):
        store.set(user, language="ru")
        store.add_step(Step(0, user, str(user), "query", "кот"))
        store.toggle_saved(user, "k")
        store.vote(user, "кот", "k", "up")
        store.add_poll("p", 1)
        store.add_answer(user, "p", 1)
    store.forget(1, OWNED)
    assert not any(store.export(1).values())
    assert all(store.export(2).values())


def test_an_answer_counts_once_and_only_for_a_known_poll() -> None:
    store = UserStore(":memory:")
    store.add_poll("p", 2)
    for poll, option in [("p", 1), ("p", 2), ("q", 2)]:
        store.add_answer(1, poll, option)
    assert store.score(1) == (0, 1)


WRITER = """
import sys
from bot.store.sqlite import Step, UserStore
store = UserStore(sys.argv[1])
while True:
    step = store.add_step(Step(0, 1, "1", "query", "кот"))
    store.toggle_saved(1, f"{step.id}")
    print(step.id, flush=True)
"""


def test_nothing_that_was_written_is_lost_by_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        told = [int(writer.stdout.readline()) for _ in range(50)]
        writer.kill()
        told += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    store = UserStore(path)
    assert {step["id"] for step in store.export(1)["steps"]} >= set(told)
    assert {int(key) for key in store.saved(1)} >= set(told)
    assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)

"""The state outlives restarts and keeps one person's steps from another's eyes."""

from pathlib import Path

import pytest

from bot.users import StateError, Step, User, UserStore


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

"""Actions fit a button and survive the way there and back; anything else is refused."""

from typing import get_args
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actions import (
    Action,
    Again,
    Ask,
    Erase,
    Export,
    Open,
    Random,
    Save,
    Search,
    Set,
    Show,
    Similar,
    Vote,
    Why,
    from_data,
    to_data,
)

keys = st.text("0123456789abcdef", min_size=12, max_size=12)
steps = st.integers(0, 10**18 - 1)
pages = st.integers(0, 999)
among = st.text("abcdefghijklmnopqrstuvwxyz.", max_size=30)
values = st.sampled_from(["", "ru", "en", "24", *map(str, range(24)), "Mars", *sorted(available_timezones())])
sure = st.integers(0, 1)
strategies = {
    Open: st.builds(Open, keys, steps, pages),
    Similar: st.builds(Similar, keys, steps),
    Why: st.builds(Why, steps, pages),
    Search: st.builds(Search, st.sampled_from(["exact", "nearest", "exact-nearest"]), steps),
    Save: st.builds(Save, keys, steps),
    Vote: st.builds(Vote, st.sampled_from(["up", "down", "wrong"]), keys, steps),
    Show: st.builds(Show, steps, pages),
    Again: st.builds(Again, steps, steps, pages),
    Random: st.builds(Random, steps, among),
    Set: st.builds(Set, st.sampled_from(["language", "scope", "hour", "zone"]), values, steps),
    Ask: st.builds(Ask, st.sampled_from(["quiz", "score", "daily", "zones"])),
    Erase: st.builds(Erase, st.sampled_from(["history", "saved", "all", "nothing"]), sure),
    Export: st.builds(Export, st.sampled_from(["saved", "all"])),
}
actions: st.SearchStrategy[Action] = st.one_of(*strategies.values())


def test_every_action_is_tested() -> None:
    assert set(strategies) == set(get_args(Action))


@given(actions)
def test_round_trip_within_64_bytes(action: Action) -> None:
    data = to_data(action)
    assert from_data(data) == action
    assert 1 <= len(data.encode()) <= 64


def test_the_form_is_kept_for_buttons_in_old_messages() -> None:
    assert to_data(Open("00ff00ff00ff", 7, 2)) == "1o:00ff00ff00ff:7:2"


@given(st.text())
def test_any_data_is_read_or_refused(data: str) -> None:
    action = from_data(data)
    assert action is None or to_data(action).split(":")[0] == data.split(":")[0]


@pytest.mark.parametrize(
    "data",
    ["", "1", "o:00ff00ff00ff:7:2", "2o:00ff00ff00ff:7:2", "1o:00FF00FF00FF:7:2", "1o:00ff00ff00ff:-7:2",
     "1o:00ff00ff00ff:7", "1o:00ff00ff00ff:7:2:1", "1v:1:1000", "1v:" + "9" * 19 + ":0", "1r:٣:", "1c:zone:a b:0",
     "1w:00ff00ff00ff:7", "1f:all:7"],
)  # fmt: skip
def test_foreign_data_is_refused(data: str) -> None:
    assert from_data(data) is None

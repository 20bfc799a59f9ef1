"""Actions fit a button and survive the way there and back; anything else is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actions import Action, Open, Random, Show, Similar, from_data, to_data

keys = st.text("0123456789abcdef", min_size=12, max_size=12)
steps = st.integers(0, 10**18 - 1)
pages = st.integers(0, 999)
actions = st.one_of(
    st.builds(Open, keys, steps, pages),
    st.builds(Similar, keys, steps),
    st.builds(Show, steps, pages),
    st.builds(Random, steps),
)


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
     "1o:00ff00ff00ff:7", "1o:00ff00ff00ff:7:2:1", "1v:1:1000", "1v:" + "9" * 19 + ":0", "1r:٣", "1z:1"],
)  # fmt: skip
def test_foreign_data_is_refused(data: str) -> None:
    assert from_data(data) is None

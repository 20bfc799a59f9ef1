"""The best rows by score."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bot.search.rank.best import best_rows


@given(st.lists(st.floats(-1, 1, width=32), max_size=3000), st.integers(1, 40))
def test_the_best_rows_are_those_of_a_full_sort(values: list[float], count: int) -> None:
    scores = np.array(values, np.float32)
    rows = best_rows(scores, count)
    assert scores[rows].tolist() == [score for score in sorted(scores.tolist(), reverse=True)[:count] if score > 0]


def test_many_equal_scores_and_few_allowed_rows() -> None:
    scores = np.full(5000, -1, np.float32)
    scores[[7, 4999]] = 0.5, 0.25
    assert best_rows(scores, 20).tolist() == [7, 4999]
    assert len(best_rows(np.full(5000, 0.5, np.float32), 20)) == 20
    assert best_rows(np.zeros(0, np.float32), 3).tolist() == []

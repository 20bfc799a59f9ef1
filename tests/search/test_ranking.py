"""The order of scores: the best of them, and which of two contraries stands first."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bot.search.rank.best import best_rows
from bot.search.rank.contraries import decided


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


def test_of_two_contraries_the_one_that_the_reader_finds_nearer_takes_the_better_score() -> None:
    scores = np.array([0.9, 0.5, 0.8, 0.7], np.float32)
    reading = np.array([0.2, 0.6, 0.1, 0.0], np.float32)
    opposites = np.array([[1, -1], [0, -1], [3, -1], [2, -1]], np.int32)
    assert decided(scores, reading, opposites).tolist() == np.array([0.5, 0.9, 0.8, 0.7], np.float32).tolist()
    assert scores[0] == np.float32(0.9)  # the scores themselves stay as they were


def test_the_nearest_of_several_contraries_comes_first_and_no_score_is_lost() -> None:
    scores = np.array([0.9, 0.5, 0.8], np.float32)
    opposites = np.array([[1, 2], [0, -1], [0, -1]], np.int32)
    given = decided(scores, np.array([0.1, 0.6, 0.5], np.float32), opposites)
    assert sorted(given.tolist()) == sorted(scores.tolist())
    assert given[0] == given.min()


def test_without_contraries_scores_stay() -> None:
    scores = np.array([0.9, 0.5], np.float32)
    assert decided(scores, scores[::-1].copy(), np.empty((2, 0), np.int32)) is scores
    assert len(decided(scores[:0], scores[:0], np.empty((0, 2), np.int32))) == 0

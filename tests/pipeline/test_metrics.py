"""Every figure of merit against an example that was worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipeline.evaluation.metrics import (
    Data,
    area_under_precision,
    average_precision,
    balance,
    best_threshold,
    bootstrap,
    calibration_error,
    discounted_gain,
    f1,
    mean_of,
    precision,
    ranking_of,
    reciprocal_rank,
    reliability,
    retrieval,
    roc_area,
    statistic,
    success,
)

HITS = [False, True, False, True, False]  # right at the places 2 and 4


def test_precision_and_success_look_at_the_first_results() -> None:
    assert [precision(HITS, count) for count in (1, 2, 4, 10)] == [0, 1 / 2, 2 / 4, 2 / 10]
    assert [success(HITS, count) for count in (1, 2, 10)] == [0, 1, 1]
    assert precision([], 3) == success([], 3) == 0


def test_reciprocal_rank_is_of_the_first_right_answer() -> None:
    assert (reciprocal_rank(HITS), reciprocal_rank([True, True]), reciprocal_rank([False])) == (1 / 2, 1, 0)


def test_average_precision_counts_what_was_not_found() -> None:
    assert average_precision(HITS, 2) == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert average_precision(HITS, 4) == pytest.approx((1 / 2 + 2 / 4) / 4)


def test_discounted_gain_is_of_the_best_order() -> None:
    best = 1 + 1 / math.log2(3)
    assert discounted_gain(HITS, 2) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)
    assert discounted_gain([True, True, False], 2) == pytest.approx(1)
    assert discounted_gain([False] * 10 + [True], 1) == 0


def test_one_right_answer_has_no_precision_below_the_first_place() -> None:
    figures = retrieval([ranking_of(0), ranking_of(3), ranking_of(5000)])
    assert list(figures) == ["P@1", "R@3", "R@5", "R@10", "MRR", "NDCG@10"]
    assert figures["R@5"].tolist() == [1, 1, 0]
    assert figures["MRR"].tolist() == [1, 1 / 4, 0]
    several = retrieval([HITS], [2])
    assert {"P@3", "P@5", "P@10", "MAP"} <= several.keys()
    assert several["P@5"].tolist() == [2 / 5] and several["MAP"].tolist() == [1 / 2]


def test_the_interval_holds_the_mean_and_narrows_with_the_rows() -> None:
    few, many = (mean_of("share", [0, 1] * count, Data("coins", "test")) for count in (10, 1000))
    assert few.value == many.value == 0.5 and (few.rows, many.rows) == (20, 2000)
    assert few.low is not None and few.high is not None and many.low is not None and many.high is not None
    assert few.low < many.low < 0.5 < many.high < few.high
    # A share of one half among 2,000 has a standard error of sqrt(0.25 / 2000); the interval is 1.96 of it either side.
    assert many.high - many.low == pytest.approx(2 * 1.96 * math.sqrt(0.25 / 2000), rel=0.1)
    assert bootstrap(lambda rows: float(rows.sum()), 9) == bootstrap(lambda rows: float(rows.sum()), 9)


def test_calibration_compares_confidence_with_what_came_true() -> None:
    bins = reliability(np.array([0.1, 0.15, 0.9, 1.0]), np.array([False, True, True, True]))
    assert [(round(one.confidence, 6), one.share, one.count) for one in bins] == [(0.125, 0.5, 2), (0.95, 1.0, 2)]
    assert calibration_error(bins) == pytest.approx((2 * 0.375 + 2 * 0.05) / 4)


def test_both_kinds_count_the_same_when_balanced() -> None:
    real = np.array([True, True, True, False])
    assert balance(real).tolist() == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])
    (only,) = reliability(np.full(4, 0.55), real, balance(real))
    assert only.count == 4
    assert [only.share, only.weight] == pytest.approx([0.5, 1])


def test_the_threshold_is_where_most_are_told_right() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.1])
    assert best_threshold(scores, np.array([True, True, False, True, False])) == 0.8
    assert best_threshold(scores, np.array([True, False, True, True, False])) == 0.6


def test_decisions_weigh_what_is_told_against_what_is_so() -> None:
    positive = np.array([True, True, False, True])
    assert f1(np.array([True, False, True, True]), positive) == pytest.approx(2 * (2 / 3) * (2 / 3) / (4 / 3))
    # Right at the places 1, 3 and 4 of the order.
    assert area_under_precision(np.array([0.9, 0.5, 0.7, 0.1]), positive) == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)


def test_the_roc_area_is_how_often_a_positive_one_is_above() -> None:
    scores, positive = np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False])
    assert roc_area(scores, positive) == pytest.approx((2 + 1.5) / 4)
    row = statistic("area", roc_area, np.repeat(scores, 30), np.repeat(positive, 30), Data("four", "test"))
    assert (row.value, row.rows) == (roc_area(scores, positive), 120)
    assert row.low is not None and row.high is not None and row.low < row.value < row.high

"""Every figure of merit against an example that was worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from pipeline.evaluation.metrics import Data, mean_of, measured, measurement_id, metric_of, retrieval
from pipeline.evaluation.rejection import calibration_error, reliability
from pipeline.evaluation.sentences import best_threshold, correlation

HITS = [False, True, False, True, False]  # right at the places 2 and 4
FOUR = Data("four", "four", "test")


def figure(name: str, hits: list[bool], relevant: int) -> float:
    return float(retrieval([hits], [relevant])[name][0])


def test_precision_and_recall_look_at_the_first_results() -> None:
    assert [figure(f"P@{count}", HITS, 2) for count in (1, 3, 5, 10)] == [0, 1 / 3, 2 / 5, 2 / 10]
    assert [figure(f"R@{count}", HITS, 2) for count in (3, 5, 10)] == [1, 1, 1]
    assert [figure(f"R@{count}", [False] * 4 + [True], 2) for count in (3, 5, 10)] == [0, 1, 1]
    assert figure("P@3", [], 1) == figure("R@3", [], 1) == 0


def test_reciprocal_rank_is_of_the_first_right_answer() -> None:
    assert [figure("MRR", hits, 2) for hits in (HITS, [True, True], [False])] == [1 / 2, 1, 0]


def test_average_precision_counts_what_was_not_found() -> None:
    assert figure("MAP", HITS, 2) == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert figure("MAP", HITS, 4) == pytest.approx((1 / 2 + 2 / 4) / 4)


def test_discounted_gain_is_of_the_best_order() -> None:
    best = 1 + 1 / math.log2(3)
    assert figure("NDCG@10", HITS, 2) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)
    assert figure("NDCG@10", [True, True, False], 2) == pytest.approx(1)
    assert figure("NDCG@10", [False] * 10 + [True], 1) == 0


def test_one_right_answer_has_no_precision_below_the_first_place() -> None:
    figures = retrieval([[False] * rank + [True] for rank in (0, 3, 5000)])
    assert list(figures) == ["P@1", "R@3", "R@5", "R@10", "MRR", "NDCG@10"]
    assert figures["R@5"].tolist() == [1, 1, 0]
    assert figures["MRR"].tolist() == [1, 1 / 4, 0]
    several = retrieval([HITS], [2])
    assert {"P@3", "P@5", "P@10", "MAP"} <= several.keys()
    assert several["P@5"].tolist() == [2 / 5] and several["MAP"].tolist() == [1 / 2]


def test_the_interval_holds_the_mean_and_narrows_with_the_rows() -> None:
    few, many = (mean_of("share", [0, 1] * count, Data("coins", "coins", "test")) for count in (10, 1000))
    assert few.value == many.value == 0.5 and (few.rows, many.rows) == (20, 2000)
    assert few.low < many.low < 0.5 < many.high < few.high
    # A share of one half among 2,000 has a standard error of sqrt(0.25 / 2000); the interval is 1.96 of it either side.
    assert many.high - many.low == pytest.approx(2 * 1.96 * math.sqrt(0.25 / 2000), rel=0.1)
    one, same = (measured("sum", lambda rows: float(rows.sum()), 9, FOUR) for _ in range(2))
    assert one == same and one.low < one.high
    only = mean_of("share", [1], FOUR)
    assert (only.value, only.low, only.high) == (1, 1, 1)


def test_an_id_names_the_data_the_figure_and_another_system() -> None:
    assert measurement_id("stsb-ru", "Spearman") == "stsb-ru/spearman"
    assert measurement_id("dev-ru", "R@10", "TF-IDF over words") == "dev-ru/R@10/TF-IDF-over-words"
    assert mean_of("own text, in the top 3", [1], FOUR).id == "four/own-text-in-the-top-3"
    assert mean_of("R@10", [1], FOUR, "BM25").id == "four/R@10/BM25"


def test_calibration_compares_confidence_with_what_came_true() -> None:
    real, values = np.array([False, True, True, False]), np.array([0.1, 0.15, 0.9, 1.0])
    bins = reliability(real, values)
    assert bins.confidence.tolist() == pytest.approx([0.125, 0.95])
    assert (bins.share.tolist(), bins.queries.tolist()) == ([0.5, 0.5], [2, 2])
    assert calibration_error(real, values) == pytest.approx((2 * 0.375 + 2 * 0.45) / 4)


def test_both_kinds_count_the_same() -> None:
    bins = reliability(np.array([True, True, True, False]), np.full(4, 0.55))
    assert bins.queries.tolist() == [4]
    assert bins.share.tolist() == pytest.approx([0.5])


def test_the_threshold_is_where_most_are_predicted_right() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.1])
    assert best_threshold(np.array([True, True, False, True, False]), scores) == 0.8
    assert best_threshold(np.array([True, False, True, True, False]), scores) == 0.6


def test_metrics_are_given_the_truth_first() -> None:
    positive, predicted = np.array([True, True, False, True]), np.array([True, False, True, True])
    assert f1_score(positive, predicted) == pytest.approx(2 * (2 / 3) * (2 / 3) / (4 / 3))
    # Right at the places 1, 3 and 4 of the order.
    scores = np.array([0.9, 0.5, 0.7, 0.1])
    assert average_precision_score(positive, scores) == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)
    row = metric_of(
        "precision", lambda true, given: (true & given).sum() / given.sum(), positive[:1], predicted[:1], FOUR
    )
    assert row.value == 1
    scores, positive = np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False])
    assert roc_auc_score(positive, scores) == pytest.approx((2 + 1.5) / 4)
    row = metric_of("area", roc_auc_score, np.repeat(positive, 30), np.repeat(scores, 30), FOUR)
    assert (row.value, row.rows) == (roc_auc_score(positive, scores), 120)
    assert row.low < row.value < row.high


def test_correlation_sees_the_order_and_no_order_where_all_are_equal() -> None:
    judged = np.array([5.0, 4.9, 0.0])
    assert correlation(spearmanr, judged, np.array([3.0, 2.0, -9.0])) == pytest.approx(1)
    assert correlation(spearmanr, judged, np.array([0.0, 1.0, 2.0])) == pytest.approx(-1)
    assert correlation(spearmanr, judged, np.zeros(3)) == 0

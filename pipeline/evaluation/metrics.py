"""Figures of merit: pure functions over rankings, scores and probabilities, and how sure a figure is.

A ranking is a sequence of booleans, best result first: whether each result is a right answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SERVED = "Idiomatika"
"""The system that is measured, beside others."""
DEPTH = 100
"""Results that a right answer is looked for in; below that it counts as not found."""


class Data(NamedTuple):
    """What something is measured on."""

    name: str
    split: str
    """test: never trained or tuned on; dev: numbers were chosen by it; others say what they are."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure of one system on one set of data."""

    figure: str
    value: float
    data: str
    split: str
    rows: int
    system: str = SERVED
    low: float | None = None
    """The 95 % bootstrap interval, where it applies."""
    high: float | None = None
    section: str = ""


def precision(hits: Sequence[bool], count: int) -> float:
    """Share of the first `count` results that are right; results that are lacking count as wrong."""
    return sum(hits[:count]) / count


def success(hits: Sequence[bool], count: int) -> float:
    """1 when a right answer is among the first `count` results: recall, where one right answer is enough."""
    return float(any(hits[:count]))


def reciprocal_rank(hits: Sequence[bool]) -> float:
    """1 over the place of the first right answer; 0 when there is none."""
    return next((1 / place for place, hit in enumerate(hits, 1) if hit), 0.0)


def average_precision(hits: Sequence[bool], relevant: int) -> float:
    """Mean, over all `relevant` right answers, of the precision at the place of each; 0 for those not found."""
    return sum(precision(hits, place) for place, hit in enumerate(hits, 1) if hit) / relevant


def discounted_gain(hits: Sequence[bool], relevant: int, count: int = 10) -> float:
    """NDCG: right answers count 1 / log2(place + 1), divided by what the best order would give.

    Source: Järvelin and Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques".
    """
    gain = sum(1 / math.log2(place + 1) for place, hit in enumerate(hits[:count], 1) if hit)
    return gain / sum(1 / math.log2(place + 1) for place in range(1, min(relevant, count) + 1))


def ranking_of(rank: int) -> list[bool]:
    """The ranking that has its only right answer at the place `rank`, counted from 0."""
    return [False] * rank + [True] if rank < DEPTH else []


def retrieval(rankings: Sequence[Sequence[bool]], relevant: Sequence[int] | None = None) -> dict[str, Values]:
    """Figures per query, each of shape (queries,).

    Without `relevant`, every query has one right answer; precision below the first place and MAP then say no more than
    recall and MRR, and are left out.
    """
    several = relevant is not None
    known = relevant if relevant is not None else [1] * len(rankings)
    figures: dict[str, list[float]] = {"P@1": [precision(hits, 1) for hits in rankings]}
    if several:
        figures |= {f"P@{count}": [precision(hits, count) for hits in rankings] for count in (3, 5, 10)}
    figures |= {f"R@{count}": [success(hits, count) for hits in rankings] for count in (3, 5, 10)}
    figures["MRR"] = [reciprocal_rank(hits) for hits in rankings]
    pairs = list(zip(rankings, known, strict=True))
    if several:
        figures["MAP"] = [average_precision(hits, count) for hits, count in pairs]
    figures["NDCG@10"] = [discounted_gain(hits, count) for hits, count in pairs]
    return {name: np.array(values) for name, values in figures.items()}


def bootstrap(statistic: Callable[[Rows], float], rows: int, resamples: int = 1000) -> tuple[float, float]:
    """Bounds of the 95 % interval of a statistic of `rows` rows, given as the rows that a resample drew.

    Source: Efron 1979, "Bootstrap methods", percentile interval. The seed is fixed: equal data, equal bounds.
    """
    dice = np.random.default_rng(2021)
    values = [statistic(dice.integers(rows, size=rows)) for _ in range(resamples)]
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def mean_of(figure: str, values: npt.ArrayLike, data: Data, system: str = SERVED) -> Measurement:
    """The mean over rows with its interval."""
    column = np.asarray(values, np.float64)
    low, high = bootstrap(lambda rows: float(column[rows].mean()), len(column))
    return Measurement(figure, float(column.mean()), *data, len(column), system, low, high)


def statistic(
    figure: str,
    of: Callable[[Any, Flags], float],
    given: Values | Flags,
    right: Flags,
    data: Data,
    system: str = SERVED,
) -> Measurement:
    """A figure of all rows together, of what was told of each and what is so, with its interval."""
    low, high = bootstrap(lambda rows: of(given[rows], right[rows]), len(right))
    return Measurement(figure, of(given, right), *data, len(right), system, low, high)


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of like confidence."""

    confidence: float
    """Their mean."""
    share: float
    """How many of them were right."""
    count: int
    weight: float
    """What they count together."""


def reliability(confidences: Values, right: Flags, weights: Values | None = None, bins: int = 10) -> list[Bin]:
    """Answers sorted into `bins` equal ranges of confidence from 0 to 1; empty ranges are left out."""
    weights = np.ones(len(right)) if weights is None else weights
    places = np.clip((confidences * bins).astype(int), 0, bins - 1)
    found = []
    for rows in (np.flatnonzero(places == place) for place in range(bins)):
        if len(rows):
            means = [float(np.average(column[rows], weights=weights[rows])) for column in (confidences, right)]
            found.append(Bin(means[0], means[1], len(rows), float(weights[rows].sum())))
    return found


def calibration_error(bins: Sequence[Bin]) -> float:
    """Expected calibration error: the mean distance of confidence and share, by weight.

    Source: Naeini and others 2015, "Obtaining well calibrated probabilities using Bayesian binning".
    """
    return sum(one.weight * abs(one.confidence - one.share) for one in bins) / sum(one.weight for one in bins)


def balance(kinds: Flags) -> Values:
    """A weight for each row, by which both kinds count the same together."""
    return np.asarray(np.where(kinds, 0.5 / max(1, kinds.sum()), 0.5 / max(1, (~kinds).sum())), np.float64)


def best_threshold(scores: Values, positive: Flags) -> float:
    """The score from which calling a row positive is most often right."""
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(np.where(positive[order], 1, -1))
    return float(scores[order][int(np.argmax(right))])


def f1(told: Flags, positive: Flags) -> float:
    """Harmonic mean of precision and recall of the rows that were told positive."""
    return float(2 * (told & positive).sum() / max(1, told.sum() + positive.sum()))


def area_under_precision(scores: Values, positive: Flags) -> float:
    """Average precision of the rows in the order of their scores."""
    hits = positive[np.argsort(-scores, kind="stable")]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def roc_area(scores: Values, positive: Flags) -> float:
    """Area under the ROC curve: how often a positive row scores above another one, a tie counting half."""
    others = np.sort(scores[~positive])
    below = np.searchsorted(others, scores[positive], "left") + np.searchsorted(others, scores[positive], "right")
    return float(below.mean() / 2 / len(others))

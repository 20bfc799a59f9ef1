"""Measurements: figures of rankings, scores and probabilities, each with its 95 % interval.

A ranking is a sequence of booleans, best result first: whether each result is a right answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import bootstrap

Values = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SYSTEM = "Idiomatika"  # the one that the bot serves
DEPTH = 100  # results that a right answer is looked for in; below that it counts as not found


class Data(NamedTuple):
    """What something is measured on."""

    id: str
    name: str
    split: str  # test: never trained or tuned on; dev: numbers were chosen by it; others say what they are


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure of one system on one set of data."""

    id: str  # unique in a report, like "stsb-ru/spearman"; of another system "stsb-ru/spearman/BM25"
    figure: str
    value: float
    low: float  # of the 95 % interval
    high: float
    data: str
    split: str
    rows: int
    system: str


Figures = Iterator[Measurement]
Statistic = Callable[[Rows], float]  # of some rows, given as their numbers
Metric = Callable[[Any, Any], float]  # of scikit-learn's form: of what is true and what was predicted, column by column


def measurement_id(*names: str) -> str:
    """The names as parts of an id: letters, digits, @ and dots, in lower case but for abbreviations."""
    parts = [re.findall(r"[\w@.]+", name) for name in names]
    return "/".join("-".join(word if word.isupper() else word.lower() for word in part) for part in parts)


def measured(
    figure: str, statistic: Statistic, rows: int, data: Data, system: str = SYSTEM, resamples: int = 1000
) -> Measurement:
    """A statistic of so many rows, at least one, with its interval.

    Source: Efron 1979, "Bootstrap methods", percentile interval. The seed is fixed: equal data, equal bounds.
    """
    names = (data.id, figure) if system == SYSTEM else (data.id, figure, system)
    every = np.arange(rows)
    value = low = high = statistic(every)
    if rows > 1:  # scipy resamples two rows at least
        found = bootstrap((every,), statistic, n_resamples=resamples, vectorized=False, method="percentile", rng=2021)
        low, high = map(float, found.confidence_interval)
    return Measurement(measurement_id(*names), figure, value, low, high, data.name, data.split, rows, system)


def mean_of(figure: str, values: npt.ArrayLike, data: Data, system: str = SYSTEM) -> Measurement:
    """The mean over rows with its interval."""
    column = np.asarray(values, np.float64)
    return measured(figure, lambda rows: float(column[rows].mean()), len(column), data, system)


def metric_of(
    figure: str, metric: Metric, true: npt.NDArray[Any], predicted: npt.NDArray[Any], data: Data, system: str = SYSTEM
) -> Measurement:
    """A metric over all rows together with its interval; `true` and `predicted` have shape (rows,)."""
    return measured(figure, lambda rows: float(metric(true[rows], predicted[rows])), len(true), data, system)


def retrieval_figures(
    rankings: Sequence[Sequence[bool]], data: Data, system: str = SYSTEM, relevant: Sequence[int] | None = None
) -> Figures:
    """The mean of every figure of `retrieval`."""
    for figure, values in retrieval(rankings, relevant).items():
        yield mean_of(figure, values, data, system)


def retrieval(rankings: Sequence[Sequence[bool]], relevant: Sequence[int] | None = None) -> dict[str, Values]:
    """Figures per query, each of shape (queries,); `relevant` are the numbers of right answers that there are.

    P@k is the share of the first k results that are right, R@k is 1 when a right answer is among them, MRR is 1 over
    the place of the first right answer, MAP the mean precision at the places of all right answers, with 0 for those not
    found, and NDCG@10 weighs right answers by 1 / log2(place + 1), relative to the best order (Järvelin and Kekäläinen
    2002, "Cumulated gain-based evaluation of IR techniques").
    Without `relevant`, every query has one right answer; precision below the first place and MAP then say no more than
    recall and MRR, and are left out.
    """
    hits = np.zeros((len(rankings), DEPTH))
    for row, ranking in enumerate(rankings):
        hits[row, : len(ranking)] = ranking[:DEPTH]
    places, found = np.arange(1, DEPTH + 1), hits.cumsum(axis=1)
    known = np.ones(len(hits), int) if relevant is None else np.array(relevant)
    gains = 1 / np.log2(places[:10] + 1)
    figures = {f"P@{count}": found[:, count - 1] / count for count in ((1,) if relevant is None else (1, 3, 5, 10))}
    figures |= {f"R@{count}": np.minimum(found[:, count - 1], 1) for count in (3, 5, 10)}
    figures["MRR"] = (hits / places).max(axis=1)
    if relevant is not None:
        figures["MAP"] = (hits * found / places).sum(axis=1) / known
    figures["NDCG@10"] = hits[:, :10] @ gains / gains.cumsum()[np.minimum(known, 10) - 1]
    return figures

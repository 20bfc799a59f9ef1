"""What experiments measure alike: finding a duplicate, deciding about a pair, ordering judged pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import linear_kernel

from bot.search.text import words
from pipeline.evaluation.metrics import Rows, Values
from pipeline.evaluation.sentences import best_threshold
from pipeline.lab.report import Findings
from pipeline.lab.setting import Vectors
from pipeline.lab.splits import Pair, texts_of

Embed = Callable[[Sequence[str]], Vectors]
Kernel = Callable[[Any, Any], npt.NDArray[np.floating]]


def spearman(true: Values, scores: Values) -> float:
    """Spearman's rank correlation, in a tenth of the time that scipy takes for a few rows; 0 where one is constant."""
    columns = [rankdata(column) for column in (true, scores)]
    return float(np.corrcoef(*columns)[0, 1]) if all(np.ptp(column) for column in columns) else 0.0


def cosines(embed: Embed, pairs: Sequence[Pair]) -> Values:
    """Cosines of the pairs, shape (pairs,)."""
    first, second = columns(embed, pairs)
    return np.asarray((first * second).sum(axis=1), np.float64)


def columns(embed: Embed, pairs: Sequence[Pair]) -> tuple[Vectors, Vectors]:
    """Unit vectors of the first and of the second texts, shape (pairs, dimensions) each."""
    texts = texts_of(pairs)
    rows = {text: row for row, text in enumerate(texts)}
    vectors = embed(texts)
    return vectors[[rows[row.first] for row in pairs]], vectors[[rows[row.second] for row in pairs]]


def labels(pairs: Sequence[Pair]) -> Values:
    """What people said of the pairs, 0 to 1, shape (pairs,)."""
    return np.array([row.label for row in pairs])


def ranks(pairs: Sequence[Pair], vectors: Any, kernel: Kernel = linear_kernel) -> Rows:
    """How many of all other texts are liker to each pair's first text than its second is, shape (pairs,).

    `vectors` are rows for `texts_of(pairs)`, and `kernel` gives their likeness; by default the product, which orders
    unit vectors as the Euclidean distance does.
    """
    place = {text: row for row, text in enumerate(texts_of(pairs))}
    ends = np.array([[place[row.first], place[row.second]] for row in pairs])
    found = []
    for start in range(0, len(ends), 500):
        asked, wanted = ends[start : start + 500].T
        likeness = kernel(vectors[asked], vectors)
        own = np.take_along_axis(likeness, wanted[:, None], axis=1)
        likeness[np.arange(len(asked)), asked] = -np.inf  # a text is no answer to itself
        found.append((likeness > own + 1e-6).sum(axis=1))
    return np.concatenate(found)


def jaccard_ranks(pairs: Sequence[Pair]) -> Rows:
    """As `ranks`, by the share of words that two texts have in common."""
    counter = CountVectorizer(tokenizer=words, lowercase=False, token_pattern=None, binary=True, dtype=np.float32)
    having = counter.fit_transform(texts_of(pairs))
    return ranks(pairs, having, _jaccard)


def _jaccard(some: Any, every: Any) -> npt.NDArray[np.floating]:
    both = np.asarray((some @ every.T).todense())
    sizes = [np.asarray(one.sum(axis=1)) for one in (some, every)]
    return np.asarray(both / np.maximum(sizes[0] + sizes[1].T - both, 1))


def add_found(findings: Findings, table: str, system: str, found: Sequence[Rows]) -> None:
    """Accuracy at 1 to 5 of the ranks that each seed gave."""
    for count in range(1, 6):
        findings.mean(table, system, f"accuracy@{count}", np.array(found) < count)


def add_decided(
    findings: Findings, table: str, system: str, test: Sequence[Pair], dev: Sequence[Pair], scores: Sequence[Any]
) -> npt.NDArray[np.bool_]:
    """Accuracy and macro F1 of calling pairs alike from the score on that is best on dev.

    `scores` are those of dev and test for each seed; returns the decisions, shape (seeds, pairs of test).
    """
    true = labels(test) > 0.5
    said = np.array([on_test >= best_threshold(labels(dev) > 0.5, on_dev) for on_dev, on_test in scores])
    findings.mean(table, system, "accuracy", said == true)
    findings.metric(table, system, "macro F1", macro_f1, true, said)
    return said


def macro_f1(true: npt.NDArray[np.bool_], said: npt.NDArray[np.bool_]) -> float:
    """The mean of F1 over both classes; a class that is never said nor true has 0."""
    wrong = np.sum(true != said)
    right = np.array([np.sum(true & said), np.sum(~true & ~said)])
    return float(np.mean(2 * right / np.maximum(2 * right + wrong, 1)))

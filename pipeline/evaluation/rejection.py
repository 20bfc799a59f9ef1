"""Whether the engine knows when it has no answer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.utils.class_weight import compute_sample_weight

from pipeline.data.sources import DATA
from pipeline.evaluation.context import EvaluationContext
from pipeline.evaluation.metrics import Data, Figures, Flags, Rows, Values, mean_of, metric_of
from pipeline.evaluation.retrieval import DEV, dev_queries

OFF_TOPIC = DATA / "queries/dev_offtopic.txt"
FRESH = DATA / "queries/report_offtopic.txt"


def confidences(context: EvaluationContext) -> tuple[Flags, Values, Flags]:
    """Which of the dev queries and of lines that no idiom fits are real, how sure the engine is, which it answers.

    Each has shape (queries,).
    """
    real = [text for query in dev_queries(context) for text in query.texts.values()]
    others = [line for line in OFF_TOPIC.read_text(encoding="utf-8").split("\n") if line.strip()]
    answers = [context.engine.answer(text, 1) for text in [*real, *others]]
    values = np.clip([answer.confidence for answer in answers], 0, 1)
    return np.arange(len(answers)) < len(real), values, np.array([bool(answer.matches) for answer in answers])


def off_topic(context: EvaluationContext) -> Figures:
    """Refusals that are right and wrong, and how well the confidence is calibrated."""
    real, values, answered = confidences(context)
    yield mean_of("refused", ~answered[~real], Data("off-topic", "off-topic lines", "dev"))
    yield mean_of("refused though real", ~answered[real], Data("dev", f"{DEV}, ru and en", "dev"))
    lines = FRESH.read_text(encoding="utf-8").splitlines()
    fresh = [not context.engine.search(line, 1) for line in lines]
    yield mean_of("refused", fresh, Data("off-topic-fresh", "off-topic lines that nothing was chosen by", "report"))
    data = Data("dev-and-off-topic", f"{DEV}, ru and en, and off-topic lines", "dev")
    yield metric_of("area under the ROC", roc_auc_score, real, values, data)
    yield metric_of("Brier score", brier_score, real, values, data)
    yield metric_of("expected calibration error", calibration_error, real, values, data)


def brier_score(real: Flags, values: Values) -> float:
    """Mean squared distance of confidence and truth, both kinds weighed alike."""
    return float(brier_score_loss(real, values, sample_weight=compute_sample_weight("balanced", real)))


class Bins(NamedTuple):
    """Queries of like confidence; every column has shape (bins,)."""

    confidence: Values  # their mean
    share: Values  # how many of them are real
    queries: Rows  # their number
    weight: Values  # what they count together


def reliability(real: Flags, values: Values, bins: int = 10) -> Bins:
    """Queries in equal ranges of confidence from 0 to 1, both kinds weighed alike; empty ranges are left out."""
    weights = compute_sample_weight("balanced", real)
    places = np.minimum((values * bins).astype(int), bins - 1)
    queries = np.bincount(places, minlength=bins)
    columns = (weights, weights * values, weights * real)
    weight, confidence, share = (np.bincount(places, column, bins)[queries > 0] for column in columns)
    return Bins(confidence / weight, share / weight, queries[queries > 0], np.asarray(weight, np.float64))


def calibration_error(real: Flags, values: Values) -> float:
    """Expected calibration error: the mean distance of confidence and share, by weight.

    Source: Naeini and others 2015, "Obtaining well calibrated probabilities using Bayesian binning".
    """
    bins = reliability(real, values)
    return float(np.average(np.abs(bins.confidence - bins.share), weights=bins.weight))

"""Whether the engine knows when it has no answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.data.sources import DATA
from pipeline.evaluation.context import Subject
from pipeline.evaluation.metrics import (
    Data,
    Flags,
    Measurement,
    Values,
    balance,
    calibration_error,
    mean_of,
    reliability,
    roc_area,
    statistic,
)
from pipeline.evaluation.retrieval import DEV, dev_queries

OFF_TOPIC = DATA / "queries/dev_offtopic.txt"


@dataclass(frozen=True)
class Confidences:
    """How sure the engine is of queries that have an idiom, and of others."""

    values: Values
    """Shape (queries,)."""
    real: Flags
    answered: Flags


def confidences(subject: Subject) -> Confidences:
    """Of the dev queries in both languages, and of lines that no idiom fits."""
    real = [text for query in dev_queries(subject) for text in query.texts.values()]
    others = OFF_TOPIC.read_text(encoding="utf-8").split("\n")
    others = [line for line in others if line.strip()]
    answers = [subject.engine.answer(text, 1) for text in [*real, *others]]
    return Confidences(
        np.array([answer.confidence for answer in answers]),
        np.arange(len(answers)) < len(real),
        np.array([bool(answer.matches) for answer in answers]),
    )


def off_topic(subject: Subject) -> Iterator[Measurement]:
    """Refusals that are right and wrong, and how well the confidence is calibrated."""
    known = confidences(subject)
    yield mean_of("refused", ~known.answered[~known.real], Data("off-topic lines", "dev"))
    yield mean_of("refused though real", ~known.answered[known.real], Data(f"{DEV}, ru and en", "dev"))
    values = np.clip(known.values, 0, 1)
    data = Data(f"{DEV}, ru and en, and off-topic lines", "dev")
    yield statistic("area under the ROC", roc_area, values, known.real, data)
    yield statistic("Brier score", _brier, values, known.real, data)
    yield statistic("expected calibration error", _calibration, values, known.real, data)


def _brier(values: Values, real: Flags) -> float:
    return float(np.average((values - real) ** 2, weights=balance(real)))


def _calibration(values: Values, real: Flags) -> float:
    return calibration_error(reliability(values, real, balance(real)))

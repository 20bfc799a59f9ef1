"""How sure an answer is: a logistic model of what tells a question for an idiom from other things people type."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.search.rank.weights import as_mapping, as_weight

Vector = npt.NDArray[np.float32]

TOP = 10
"""Best matches whose mean score counts: what nothing fits has one lucky match more often than ten good ones."""


@dataclass(frozen=True, slots=True)
class ConfidenceFeatures:
    """What is seen of a query and its matches."""

    top1: float
    """Score of the best match."""
    top10_mean: float
    """Mean score of the ten best."""
    cosine: float
    """Greatest likeness of meaning among the ten best."""
    mean_cosine: float
    """Mean likeness of meaning of the ten best."""
    reading: float
    """Greatest cosine of the reader among the ten best; 0 without a reader."""
    mean_reading: float
    """Mean cosine of the reader of the ten best."""
    lexical: float
    """How far the query's wording is a phrase's own, 0 to 1."""
    unknown: float
    """Share of the query's words that are not known."""
    digits: float
    """Share of the query's words that have a digit."""
    vector: Vector | None
    """The query's meaning."""
    read: Vector | None
    """What the reader makes of the query; None without a reader."""


@dataclass(frozen=True)
class Confidence:
    """Weights of the features, fitted by pipeline.index.calibration."""

    bias: float = -3.0
    top1: float = 0.0
    top10_mean: float = 13.0
    cosine: float = 0.0
    mean_cosine: float = 0.0
    reading: float = 0.0
    mean_reading: float = 0.0
    unknown: float = 0.0
    digits: float = 0.0
    direction: tuple[float, ...] = ()
    """Direction of the meanings that idioms are about, of a vector's length; empty when it was not learned."""
    reading_direction: tuple[float, ...] = ()
    """The same among the reader's vectors."""
    threshold: float = 0.5
    """Below it nothing is called close."""
    sure: float = 0.5
    """Below it answers are offered as a perhaps."""

    def of(self, features: ConfidenceFeatures) -> float:
        """Probability that the collection has an idiom for the query; a lexical match overrides the model."""
        evidence = self.bias + self.top1 * features.top1 + self.top10_mean * features.top10_mean
        evidence += self.cosine * features.cosine + self.mean_cosine * features.mean_cosine
        evidence += self.reading * features.reading + self.mean_reading * features.mean_reading
        evidence += self.unknown * features.unknown + self.digits * features.digits
        if self.direction and features.vector is not None:
            evidence += float(self._direction @ features.vector)
        if self.reading_direction and features.read is not None:
            evidence += float(self._reading_direction @ features.read)
        return max(features.lexical, 1 / (1 + exp(-max(-50.0, min(50.0, evidence)))))

    @cached_property
    def _direction(self) -> Vector:
        return np.array(self.direction, np.float32)

    @cached_property
    def _reading_direction(self) -> Vector:
        return np.array(self.reading_direction, np.float32)

    def as_dict(self) -> dict[str, Any]:
        """The weights by name, for the manifest."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: object) -> Confidence:
        """Read what `as_dict` gave. Raises TypeError or ValueError for anything else."""
        numbers = dict(as_mapping(values, "confidence"))
        direction = _as_weights(numbers.pop("direction", ()), "direction")
        reading_direction = _as_weights(numbers.pop("reading_direction", ()), "reading_direction")
        weights = {name: as_weight(value, name) for name, value in numbers.items()}
        return cls(direction=direction, reading_direction=reading_direction, **weights)


def _as_weights(values: object, name: str) -> tuple[float, ...]:
    """Several weights. Raises ValueError for anything else."""
    if not isinstance(values, (list, tuple)):
        raise ValueError(f"{name} is no list of numbers")
    return tuple(as_weight(value, name) for value in values)

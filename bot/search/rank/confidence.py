"""How sure an answer is: a logistic model of what tells a question for an idiom from other things people type."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

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
    lexical: float
    """How far the query's wording is a phrase's own, 0 to 1."""
    unknown: float
    """Share of the query's words that are not known."""
    digits: float
    """Share of the query's words that have a digit."""
    vector: Vector | None
    """The query's meaning."""


@dataclass(frozen=True)
class Confidence:
    """Weights of the signs, fitted by pipeline.index.calibration."""

    bias: float = -3.0
    top1: float = 0.0
    top10_mean: float = 13.0
    unknown: float = 0.0
    digits: float = 0.0
    direction: tuple[float, ...] = ()
    """Direction of the meanings that idioms are about, of a vector's length; empty when it was not learned."""
    threshold: float = 0.5
    """Below it nothing is called close."""

    _direction: Vector = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_direction", np.array(self.direction, np.float32))

    def of(self, features: ConfidenceFeatures) -> float:
        """Probability that the collection has an idiom for the query; whoever types an idiom gets it."""
        evidence = self.bias + self.top1 * features.top1 + self.top10_mean * features.top10_mean
        evidence += self.unknown * features.unknown + self.digits * features.digits
        if self.direction and features.vector is not None:
            evidence += float(self._direction @ features.vector)
        return max(features.lexical, 1 / (1 + exp(-max(-50.0, min(50.0, evidence)))))

    def as_dict(self) -> dict[str, Any]:
        """For the manifest."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.init}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Confidence:
        """Of the manifest."""
        return cls(**{**values, "direction": tuple(values["direction"])})

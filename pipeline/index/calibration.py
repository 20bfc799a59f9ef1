"""How sure an answer is, learned from queries that have an idiom and from lines for which no idiom fits."""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from bot.search.engine import SearchEngine
from bot.search.rank.confidence import Confidence, ConfidenceFeatures
from bot.search.text import fold
from pipeline.data.sources import DATA

QUERIES, OFFTOPIC = DATA / "queries/tuning_queries.jsonl", DATA / "queries/tuning_offtopic.txt"

_FEWEST = 50  # Queries whose idioms a collection must have; with fewer nothing is learned.
_REFUSED = 0.004  # Share of the queries that may be refused; of dev queries at most 5 % should be.
_MEANING = 2.0  # Scale of the meaning beside the standardised signs, which is how much it is trusted.
_SIGNS = ("top1", "top10_mean", "unknown", "digits")

Features = npt.NDArray[np.float64]


def calibrate(engine: SearchEngine) -> Confidence | None:
    """Logistic regression on the signs of both kinds of texts; None when the queries' idioms are not there."""
    known = {fold(phrase.text) for phrase in engine.phrases}
    asked = [json.loads(line) for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    real = [query[language] for query in asked if fold(query["gold"]) in known for language in ("ru", "en")]
    if len(real) < _FEWEST:
        return None
    offtopic = OFFTOPIC.read_text(encoding="utf-8").splitlines()
    features = np.array(
        [
            _features(engine.confidence_features(text), engine.artifacts.approximator.dimensions)
            for text in real + offtopic
        ]
    )
    return _fitted(features, np.array([1] * len(real) + [0] * len(offtopic)))


def _features(signs: ConfidenceFeatures, dimensions: int) -> Features:
    meaning = np.zeros(dimensions) if signs.vector is None else signs.vector
    return np.concatenate([[getattr(signs, name) for name in _SIGNS], _MEANING * meaning])


def _fitted(features: Features, has_idiom: npt.NDArray[np.int64]) -> Confidence:
    """The weights for unscaled signs, and the confidence below which the least sure of the queries would fall."""
    middle, spread = features.mean(axis=0), np.ones(features.shape[1])
    spread[: len(_SIGNS)] = features[:, : len(_SIGNS)].std(axis=0)
    model = LogisticRegression(class_weight="balanced", max_iter=2000)
    scaled = (features - middle) / spread
    sure = cross_val_predict(model, scaled, has_idiom, cv=10, method="predict_proba")[:, 1]
    weights = model.fit(scaled, has_idiom).coef_[0] / spread
    signs = {name: round(float(weight), 4) for name, weight in zip(_SIGNS, weights, strict=False)}
    return Confidence(
        bias=round(float(model.intercept_[0] - weights @ middle), 4),
        **signs,
        direction=tuple(np.round(_MEANING * weights[len(_SIGNS) :], 4).tolist()),
        threshold=round(float(np.quantile(sure[has_idiom == 1], _REFUSED)), 3),
    )

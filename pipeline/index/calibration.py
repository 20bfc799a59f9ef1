"""How sure an answer is, learned from queries that have an idiom and from lines for which no idiom fits."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from bot.search.engine import SearchEngine
from bot.search.rank.confidence import Confidence, ConfidenceFeatures, Vector
from bot.search.text import fold
from pipeline.data.sources import DATA

QUERIES = DATA / "queries/tuning_queries.jsonl", DATA / "queries/polarity.jsonl"
OFFTOPIC = DATA / "queries/tuning_offtopic.txt"

_FEWEST = 50  # Queries whose idioms a collection must have; with fewer nothing is learned.
_REFUSED = 0.01  # Share of the queries that may be refused; of dev queries at most 2 % should be.
_TAKEN_FOR_SURE = 0.05  # Share of the lines without an idiom whose answers may be called sure.
# Scales of the query's vectors, the table's and the reader's, beside the standardised features: how much they count.
_DIRECTION, _READING_DIRECTION = 2.0, 4.0
_STANDARDISED = ("top1", "top10_mean", "cosine", "mean_cosine", "reading", "mean_reading", "unknown", "digits")

Rows = npt.NDArray[np.float64]


def calibrate(engine: SearchEngine) -> Confidence | None:
    """Fit a logistic regression on the features of both kinds of texts.

    None when the collection lacks the idioms of the queries.
    """
    phrases = {fold(phrase.text) for phrase in engine.phrases}
    lines = [json.loads(line) for path in QUERIES for line in path.read_text(encoding="utf-8").splitlines()]
    queries = [line for line in lines if fold(line["gold"]) in phrases and line.get("split", "tuning") == "tuning"]
    real = [query[field] for query in queries for field in ("ru", "en", "query") if field in query]
    if len(real) < _FEWEST:
        return None
    offtopic = OFFTOPIC.read_text(encoding="utf-8").splitlines()
    features = [engine.confidence_features(text) for text in real + offtopic]
    has_idiom = np.repeat([1, 0], [len(real), len(offtopic)])
    artifacts = engine.artifacts
    read_dimensions = artifacts.readings.dimensions if artifacts.readings else 0
    return _fitted(features, has_idiom, artifacts.approximator.dimensions, read_dimensions)


def _fitted(
    features: Sequence[ConfidenceFeatures], has_idiom: npt.NDArray[np.int64], dimensions: int, read_dimensions: int
) -> Confidence:
    """The weights for unscaled features, and the confidence below which the least sure of the queries would fall."""
    count = len(_STANDARDISED)
    rows = np.hstack(
        [
            [[getattr(one, name) for name in _STANDARDISED] for one in features],
            _DIRECTION * _stacked([one.vector for one in features], dimensions),
            _READING_DIRECTION * _stacked([one.read for one in features], read_dimensions),
        ]
    )
    mean, spread = rows.mean(axis=0), np.ones(rows.shape[1])
    spread[:count] = np.maximum(rows[:, :count].std(axis=0), 1e-6)  # a signal that is not there says nothing
    model = LogisticRegression(class_weight="balanced", max_iter=2000)
    scaled = (rows - mean) / spread
    sure = cross_val_predict(model, scaled, has_idiom, cv=10, method="predict_proba")[:, 1]
    weights = model.fit(scaled, has_idiom).coef_[0] / spread
    threshold = float(np.quantile(sure[has_idiom == 1], _REFUSED))
    return Confidence(
        bias=round(float(model.intercept_[0] - weights @ mean), 4),
        **dict(zip(_STANDARDISED, np.round(weights, 4).tolist(), strict=False)),
        direction=tuple(np.round(_DIRECTION * weights[count : count + dimensions], 4).tolist()),
        reading_direction=tuple(np.round(_READING_DIRECTION * weights[count + dimensions :], 4).tolist()),
        threshold=round(threshold, 4),
        sure=round(max(threshold, float(np.quantile(sure[has_idiom == 0], 1 - _TAKEN_FOR_SURE))), 4),
    )


def _stacked(vectors: Sequence[Vector | None], dimensions: int) -> Rows:
    """The vectors as rows, shape (len(vectors), dimensions); zeros for those that are not there."""
    none = np.zeros(dimensions)
    return np.array([none if vector is None else vector for vector in vectors]).reshape(len(vectors), dimensions)

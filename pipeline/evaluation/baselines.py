"""What the engine is measured against: searches that need no training, and word vectors that need no teacher.

Each is made for a collection of texts: `scores(text)` likens a text to every one of them, `alike(first, second)` two
columns of texts row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from bot.search.text import fold, words

Scores = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.float64]


def jaccard(first: str, second: str) -> float:
    """Share of the words of two texts that both have."""
    one, other = set(words(first)), set(words(second))
    return len(one & other) / max(1, len(one | other))


class TfIdf:
    """Cosine of TF-IDF over words, or over character n-grams inside words, which forgive typos and inflection."""

    def __init__(self, texts: Sequence[str], of: Literal["words", "characters"]) -> None:
        if of == "words":
            self._vectoriser = TfidfVectorizer(analyzer=words, sublinear_tf=True)
        else:
            sizes = {"analyzer": "char_wb", "ngram_range": (3, 5), "preprocessor": fold}
            self._vectoriser = TfidfVectorizer(sublinear_tf=True, **sizes)
        self._rows = self._vectoriser.fit_transform(texts)

    def scores(self, text: str) -> Scores:
        """Shape (texts,)."""
        return _dense(self._rows @ self._vectoriser.transform([text]).T)

    def alike(self, first: Sequence[str], second: Sequence[str]) -> Scores:
        """Shape (rows,)."""
        return _row_products(self._vectoriser.transform(first), self._vectoriser.transform(second))


class Bm25:
    """Okapi BM25 (Robertson and Zaragoza 2009, "The probabilistic relevance framework")."""

    def __init__(self, texts: Sequence[str], k1: float = 1.2, b: float = 0.75) -> None:
        self._counter = CountVectorizer(analyzer=words)
        counts = self._counter.fit_transform(texts)
        frequency = np.bincount(counts.indices, minlength=counts.shape[1])
        self._idf = np.log1p((len(texts) - frequency + 0.5) / (frequency + 0.5))
        self._mean, self._k1, self._b = counts.sum() / len(texts), k1, b
        self._rows = self._weighted(counts)

    def _weighted(self, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        lengths = np.repeat(np.asarray(counts.sum(axis=1)).ravel(), np.diff(counts.indptr))
        saturation = self._k1 * (1 - self._b + self._b * lengths / self._mean)
        values = self._idf[counts.indices] * counts.data * (self._k1 + 1) / (counts.data + saturation)
        return sparse.csr_matrix((values, counts.indices, counts.indptr), counts.shape)

    def scores(self, text: str) -> Scores:
        """Shape (texts,)."""
        return _dense(self._rows @ self._counter.transform([text]).T.astype(np.float64))

    def alike(self, first: Sequence[str], second: Sequence[str]) -> Scores:
        """Each text as the query for the other, in units of what it gives for itself; shape (rows,)."""
        one, other = self._counter.transform(first), self._counter.transform(second)
        there = _row_products(one, self._weighted(other)) / _own(_row_products(one, self._weighted(one)))
        back = _row_products(other, self._weighted(one)) / _own(_row_products(other, self._weighted(other)))
        return there + back


class WordVectors:
    """Mean of unit word vectors, weighted by rarity, from latent semantic analysis of documents.

    Documents that hold a text and its translation teach both languages (Dumais and others 1997, "Automatic
    cross-language retrieval using latent semantic indexing").
    """

    def __init__(self, documents: Sequence[str], dimensions: int = 300) -> None:
        self._counter = CountVectorizer(analyzer=words)
        vectoriser = TfidfVectorizer(analyzer=words, sublinear_tf=True, min_df=3)
        matrix = vectoriser.fit_transform(documents).astype(np.float32)
        svd = TruncatedSVD(min(dimensions, matrix.shape[1] - 1), random_state=0, n_iter=2).fit(matrix)
        self._counter.vocabulary_ = vectoriser.vocabulary_
        rows = svd.components_.T
        self._vectors = rows / _own(np.linalg.norm(rows, axis=1))[:, None] * vectoriser.idf_[:, None]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (texts, dimensions); zeros where no word is known."""
        total = self._counter.transform(texts) @ self._vectors
        unit: Vectors = total / _own(np.linalg.norm(total, axis=1))[:, None]
        return unit

    def alike(self, first: Sequence[str], second: Sequence[str]) -> Scores:
        """Shape (rows,)."""
        products: Scores = (self.encode(first) * self.encode(second)).sum(axis=1)
        return products


def nearest(scores: npt.NDArray[np.floating], count: int) -> list[int]:
    """Rows by falling score, those that share nothing left out."""
    best = np.argsort(-scores, kind="stable")[:count]
    return [int(row) for row in best if scores[row] > 0]


def _row_products(one: sparse.csr_matrix, other: sparse.csr_matrix) -> Scores:
    return _dense(one.multiply(other).sum(axis=1))


def _dense(column: Any) -> Scores:
    return np.asarray(column.todense() if sparse.issparse(column) else column, np.float64).ravel()


def _own(values: Scores) -> Scores:
    return np.where(values > 0, values, 1.0)

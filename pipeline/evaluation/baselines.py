"""What the engine is compared with: searches that need no training, and word vectors that need no teacher."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import bm25s
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics.pairwise import linear_kernel
from sklearn.preprocessing import normalize

from bot.search.text import fold, words

Scores = npt.NDArray[np.floating]
Encode = Callable[[Sequence[str]], Any]
"""Unit vectors of texts, an array or a sparse matrix of shape (texts, dimensions)."""


class Cosine:
    """Cosine of the vectors that an encoder gives."""

    def __init__(self, encode: Encode, vectors: Any) -> None:
        """`vectors` are those of the collection."""
        self._encode, self._vectors = encode, vectors

    def scores(self, text: str) -> Scores:
        """Likeness of a text to every text of the collection, shape (texts,)."""
        return np.asarray(linear_kernel(self._vectors, self._encode([text])))[:, 0]

    def similarities(self, first: Sequence[str], second: Sequence[str]) -> Scores:
        """Likeness of two columns of texts row by row, shape (rows,)."""
        products = csr_array(self._encode(first)).multiply(csr_array(self._encode(second)))
        return np.asarray(products.sum(axis=1), np.float64)


def tfidf(texts: Sequence[str], ngrams: bool = False) -> Cosine:
    """TF-IDF over words, or over character n-grams inside words, which forgive typos and inflection."""
    of_ngrams = {"analyzer": "char_wb", "ngram_range": (3, 5), "preprocessor": fold}
    vectoriser = TfidfVectorizer(sublinear_tf=True, **(of_ngrams if ngrams else {"analyzer": words}))
    return Cosine(vectoriser.transform, vectoriser.fit_transform(texts))


class Bm25:
    """Okapi BM25 (Robertson and Zaragoza 2009, "The probabilistic relevance framework")."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._rows, self._count = {text: row for row, text in enumerate(texts)}, len(texts)
        self._index = bm25s.BM25(k1=1.2, b=0.75)
        self._index.index([words(text) for text in texts], show_progress=False)

    def scores(self, text: str) -> Scores:
        """Likeness of a text to every text of the collection, shape (texts,)."""
        found = words(text)
        return np.asarray(self._index.get_scores(found) if found else np.zeros(self._count))

    def similarities(self, first: Sequence[str], second: Sequence[str]) -> Scores:
        """Each text as the query for the other, in units of what it gives for itself; shape (rows,).

        Raises KeyError for a text that is not of the collection.
        """
        return np.array([self._share(a, b) + self._share(b, a) for a, b in zip(first, second, strict=True)])

    def _share(self, one: str, other: str) -> float:
        scores = self.scores(one)
        return float(scores[self._rows[other]] / (scores[self._rows[one]] or 1))


System = Cosine | Bm25  # something that compares texts, made for a collection of them


def word_vectors(documents: Sequence[str], dimensions: int = 300) -> Encode:
    """Mean of unit word vectors, weighted by rarity, from latent semantic analysis of documents.

    Documents that hold a text and its translation teach both languages (Dumais and others 1997, "Automatic
    cross-language retrieval using latent semantic indexing"). A text of unknown words is encoded as zeros.
    """
    vectoriser = TfidfVectorizer(analyzer=words, sublinear_tf=True, min_df=3)
    matrix = vectoriser.fit_transform(documents).astype(np.float32)
    svd = TruncatedSVD(min(dimensions, matrix.shape[1] - 1), random_state=0, n_iter=2).fit(matrix)
    counter = CountVectorizer(analyzer=words, vocabulary=vectoriser.vocabulary_)
    vectors = normalize(svd.components_.T) * vectoriser.idf_[:, None]
    return lambda texts: normalize(counter.transform(texts) @ vectors)


def jaccard(first: str, second: str) -> float:
    """Share of the words of two texts that both have."""
    one, other = set(words(first)), set(words(second))
    return len(one & other) / max(1, len(one | other))


def nearest(scores: Scores, count: int) -> list[int]:
    """Rows by falling score, those that share nothing left out."""
    best = np.argsort(-scores, kind="stable")[:count]
    return [int(row) for row in best if scores[row] > 0]

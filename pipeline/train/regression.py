"""The approximator's training: WordPiece -> TF-IDF -> ridge regression onto the teacher, folded into one table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, cg
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.trainers import WordPieceTrainer

from bot.search.retrieve.approximator import LONGEST_WORD, UNKNOWN, Approximator, WordFeatures, WordPieces
from bot.search.text import words

Vectors = npt.NDArray[np.float32]

_LATIN = "\u024f"  # The last letter of the Latin blocks.


def train_tokenizer(texts: Sequence[str], vocabulary: int) -> Tokenizer:
    """WordPiece over folded words.

    The trainer breaks ties at random (huggingface/tokenizers#1794), so two builds may differ in a few pieces; the
    saved file is what counts.
    """
    tokenizer = Tokenizer(WordPiece(unk_token=UNKNOWN, max_input_chars_per_word=LONGEST_WORD))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    trainer = WordPieceTrainer(vocab_size=vocabulary, special_tokens=[UNKNOWN], show_progress=False)
    tokenizer.train_from_iterator((" ".join(words(text)) for text in texts), trainer, length=len(texts))
    return tokenizer


def pieces_of(tokenizer: Tokenizer) -> WordPieces:
    """The pieces of a trained tokenizer by their numbers."""
    numbers = tokenizer.get_vocab()
    return WordPieces(sorted(numbers, key=numbers.__getitem__))


def choose_stems(texts: Sequence[str], count: int, lengths: Sequence[int]) -> list[str]:
    """The beginnings that most words of other alphabets than the Latin share: Russian inflects, English hardly does.

    A word counts with the square root of its frequency, so that rare words with many forms have a say.
    """
    frequencies = Counter(word for text in texts for word in words(text) if word[0] > _LATIN)
    shared: Counter[str] = Counter()
    for word, frequency in frequencies.items():
        shared.update({word[:length]: math.sqrt(frequency) for length in lengths if length < len(word)})
    return [stem for stem, _ in shared.most_common(count)]


def count_features(texts: Sequence[str], features: WordFeatures) -> sparse.csr_matrix:
    """How often each text has each feature, float32, shape (texts, features)."""
    rows = cache(features.rows)
    counter = CountVectorizer(
        analyzer=lambda text: [row for word in words(text) for row in rows(word)],
        vocabulary={row: row for row in range(features.count)},
        dtype=np.float32,
    )
    return counter.transform(texts)


def fit_table(counts: sparse.csr_matrix, targets: Vectors, weights: Vectors, ridge: float) -> Vectors:
    """Table of shape (features, dimensions) whose rows, summed over a text's features, point to the text's target.

    The regression sees unit TF-IDF vectors. Folding multiplies each row by its feature's inverse document frequency;
    the norm drops out, because only the direction of a sum counts.
    """
    tfidf = TfidfTransformer()
    features = tfidf.fit_transform(counts).astype(np.float32)
    scale = np.sqrt(weights)[:, None]
    table = _solve_ridge(features.multiply(scale).tocsr(), targets * scale, ridge)
    return np.asarray(table * tfidf.idf_[:, None], np.float32)


def _solve_ridge(features: sparse.csr_matrix, targets: Vectors, ridge: float) -> Vectors:
    """Least squares with an L2 penalty, shape (features, targets): conjugate gradient on the normal equations.

    All targets are one system, preconditioned by the diagonal (Saad 2003, "Iterative methods for sparse linear
    systems", 9.2). It is solved to a relative residual of 0.2 %, or as far as 30 steps lead.
    """
    transposed = features.T.tocsr()
    aims = transposed @ targets
    diagonal = np.asarray(features.power(2).sum(axis=0)).T + np.float32(ridge)

    def gram(flat: Vectors) -> Vectors:
        table = flat.reshape(aims.shape)
        return np.ravel(transposed @ (features @ table) + np.float32(ridge) * table)

    def precondition(flat: Vectors) -> Vectors:
        return np.ravel(flat.reshape(aims.shape) / diagonal)

    size = (aims.size, aims.size)
    matrix, inverse = LinearOperator(size, gram, dtype=np.float32), LinearOperator(size, precondition, dtype=np.float32)
    table: Vectors = cg(matrix, aims.ravel(), rtol=0.002, maxiter=30, M=inverse)[0]
    return table.reshape(aims.shape)


def quantise(table: Vectors, features: WordFeatures) -> Approximator:
    """The table in eight bits, each row with a scale of its own."""
    scale = np.maximum(np.abs(table).max(axis=1) / 127, 1e-12).astype(np.float32)
    return Approximator(features, np.rint(table / scale[:, None]).astype(np.int8), scale)


def encode_all(approximator: Approximator, texts: Sequence[str]) -> Vectors:
    """Unit vectors, shape (len(texts), dimensions); zeros where a text has no known piece."""
    zeros = np.zeros(approximator.dimensions, np.float32)
    return np.array([zeros if vector is None else vector for vector in map(approximator.encode, texts)], np.float32)

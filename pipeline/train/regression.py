"""The approximator's training: WordPiece -> TF-IDF -> ridge regression onto the teacher, folded into one table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.trainers import WordPieceTrainer

from bot.search.retrieve.approximator import UNKNOWN, Approximator, WordFeatures
from bot.search.text import words

Vectors = npt.NDArray[np.float32]

LATIN = "\u024f"
"""The last letter of the Latin blocks."""

_SLICE = 64  # Targets that the solver handles together: bounds its memory.


def train_tokenizer(texts: Sequence[str], vocabulary: int) -> Tokenizer:
    """WordPiece over folded words.

    The trainer breaks ties at random (huggingface/tokenizers#1794), so two builds may differ in a few pieces; the
    saved file is what counts.
    """
    tokenizer = Tokenizer(WordPiece(unk_token=UNKNOWN, max_input_chars_per_word=100))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    trainer = WordPieceTrainer(vocab_size=vocabulary, special_tokens=[UNKNOWN], show_progress=False)
    tokenizer.train_from_iterator((" ".join(words(text)) for text in texts), trainer, length=len(texts))
    return tokenizer


def choose_stems(texts: Sequence[str], count: int, lengths: Sequence[int]) -> list[str]:
    """The beginnings that most words of other alphabets than the Latin share: Russian inflects, English hardly does.

    A word counts with the square root of its frequency, so that rare words with many forms have a say.
    """
    frequencies = Counter(word for text in texts for word in words(text) if word[0] > LATIN)
    shared: Counter[str] = Counter()
    for word, frequency in frequencies.items():
        shared.update({word[:length]: math.sqrt(frequency) for length in lengths if length < len(word)})
    return [stem for stem, _ in shared.most_common(count)]


def count_features(texts: Sequence[str], features: WordFeatures) -> sparse.csr_matrix:
    """How often each text has each feature, shape (texts, features)."""
    rows: dict[str, list[int]] = {}
    found: list[int] = []
    ends = [0]
    for text in texts:
        for word in words(text):
            if word not in rows:
                rows[word] = features.rows(word)
            found.extend(rows[word])
        ends.append(len(found))
    counts = sparse.csr_matrix((np.ones(len(found), np.float32), found, ends), shape=(len(texts), features.count))
    counts.sum_duplicates()
    return counts


def contaminate(counts: sparse.csr_matrix, share: float, seed: int) -> sparse.csr_matrix:
    """Drop this share of the features, as a typo or a name that no vocabulary knows would."""
    kept = counts.copy()
    kept.data *= np.random.default_rng(seed).random(len(kept.data)) >= share
    kept.eliminate_zeros()
    return kept


def fit_table(counts: sparse.csr_matrix, targets: Vectors, weights: Vectors, ridge: float) -> Vectors:
    """Table of shape (features, dimensions) whose rows, summed over a text's features, point to the text's target.

    The regression sees unit TF-IDF vectors. Folding multiplies each row by its feature's inverse document frequency;
    the norm drops out, because only the direction of a sum counts.
    """
    tfidf = TfidfTransformer()
    features = tfidf.fit_transform(counts).astype(np.float32)
    weighted = sparse.diags(np.sqrt(weights)).dot(features).tocsr()
    aims = targets * np.sqrt(weights)[:, None]
    slices = range(0, targets.shape[1], _SLICE)
    table = np.hstack([_solve_ridge(weighted, aims[:, start : start + _SLICE], ridge) for start in slices])
    folded: Vectors = table * tfidf.idf_.astype(np.float32)[:, None]
    return folded


def _solve_ridge(features: sparse.csr_matrix, targets: Vectors, ridge: float, steps: int = 30) -> Vectors:
    """Least squares with an L2 penalty: conjugate gradient on the normal equations, all targets side by side.

    Preconditioned by the diagonal (Saad 2003, "Iterative methods for sparse linear systems", 9.2); stops at a
    relative residual of 0.2 %.
    """
    transposed = features.T.tocsr()
    scale = (1 / (np.asarray(features.power(2).sum(axis=0)).ravel() + ridge)).astype(np.float32)[:, None]
    residual = transposed @ targets
    goal = 0.002 * np.linalg.norm(residual)
    solution = np.zeros_like(residual)
    direction = scale * residual
    energy = (residual * direction).sum(axis=0)
    for _ in range(steps):
        image = transposed @ (features @ direction) + ridge * direction
        length = energy / np.maximum((direction * image).sum(axis=0), 1e-30)
        solution += length * direction
        residual -= length * image
        if np.linalg.norm(residual) < goal:
            break
        scaled = scale * residual
        energy, previous = (residual * scaled).sum(axis=0), energy
        direction = scaled + energy / np.maximum(previous, 1e-30) * direction
    return np.asarray(solution, np.float32)


def quantise(table: Vectors, tokenizer: Tokenizer, stems: Sequence[str]) -> Approximator:
    """The table in eight bits, each row with a scale of its own."""
    scale = np.maximum(np.abs(table).max(axis=1) / 127, 1e-12).astype(np.float32)
    return Approximator(tokenizer, stems, np.rint(table / scale[:, None]).astype(np.int8), scale)


def encode_all(approximator: Approximator, texts: Sequence[str]) -> Vectors:
    """Unit vectors, shape (len(texts), dimensions); zeros where a text has no known piece."""
    zeros = np.zeros(approximator.dimensions, np.float32)
    return np.array([zeros if vector is None else vector for vector in map(approximator.encode, texts)], np.float32)

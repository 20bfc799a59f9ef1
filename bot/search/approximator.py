"""The approximator: a linear imitation of the teacher, folded into one table with a row per feature.

A text's features are the WordPiece pieces of its words and the character n-grams inside them. Counts, TF-IDF weights
and the regression onto the teacher's selected dimensions are all linear, so a text's vector is the normalised sum of
its words' vectors, and a word's vector is the sum of its features' rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from bot.search.text import words

Vector = npt.NDArray[np.float32]

_CACHED_WORDS = 8192  # Words whose vectors are kept: 8 MB at 256 dimensions, and most of what people type.


@dataclass
class Approximator:
    """Encodes a text of any length into a unit vector by looking words up."""

    tokenizer: Tokenizer
    """WordPiece; its vocabulary numbers the table's first rows."""
    ngrams: Sequence[str]
    """Character n-grams of words written between < and >; they number the rows after the vocabulary's."""
    table: npt.NDArray[np.int8]
    """Shape (features, dimensions), in units of `scale`."""
    scale: Vector
    """Shape (features,): what one unit of a table row is worth."""
    max_words: int = 400

    _ngram_rows: dict[str, int] = field(init=False, repr=False)
    _slots: dict[str, int] = field(init=False, repr=False, default_factory=dict)
    _cache: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._ngram_rows = {ngram: row for row, ngram in enumerate(self.ngrams, self.tokenizer.get_vocab_size())}
        self._sizes = sorted({len(ngram) for ngram in self.ngrams})
        self._unknown = self.tokenizer.token_to_id("[UNK]")
        self._cache = np.zeros((_CACHED_WORDS, self.dimensions), np.float32)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.table.shape[1])

    def encode(self, text: str) -> Vector | None:
        """Unit vector of a text's first `max_words` words; None when no word has a known piece."""
        slots = self._word_slots(words(text)[: self.max_words])
        total: Vector = self._cache.take(slots, axis=0).sum(axis=0)
        norm = float(total @ total) ** 0.5
        return total / np.float32(norm) if norm > 0 else None

    def explain(self, text: str, vector: Vector) -> list[tuple[str, float]]:
        """Each word's contribution to the cosine of the text and a unit `vector`; they sum to that cosine."""
        found = words(text)[: self.max_words]
        rows = self._cache.take(self._word_slots(found), axis=0)
        norm = float(np.linalg.norm(rows.sum(axis=0))) or 1.0
        return [(word, float(share)) for word, share in zip(found, rows @ vector / norm, strict=True)]

    def _word_slots(self, found: list[str]) -> list[int]:
        slots = [self._slots.get(word, -1) for word in found]
        if -1 in slots:
            if len(self._slots) + slots.count(-1) > _CACHED_WORDS:
                self._slots.clear()
            slots = [self._slot(word) for word in found]
        return slots

    def _slot(self, word: str) -> int:
        slot = self._slots.get(word)
        if slot is None:
            slot = self._slots[word] = len(self._slots)
            self._cache[slot] = self.word_vector(word)
        return slot

    def word_vector(self, word: str) -> Vector:
        """Sum of the rows of a folded word's features, not normalised; zeros for an unknown word."""
        rows = self.features(word)
        vector: Vector = self.scale[rows] @ self.table[rows].astype(np.float32)
        return vector

    def features(self, word: str) -> list[int]:
        """Table rows of a folded word: its pieces, then its known n-grams; repeated as often as they occur."""
        pieces = [row for row in self.tokenizer.encode(word).ids if row != self._unknown]
        return pieces + word_ngrams(word, self._sizes, self._ngram_rows) if pieces else []


    def save(self, path: Path) -> None:
        """Write one npz file; the tokenizer is saved apart."""
        np.savez(path, table=self.table, scale=self.scale, ngrams=np.array("\n".join(self.ngrams)))

    @classmethod
    def load(cls, path: Path, tokenizer: Tokenizer) -> Approximator:
        """Read what `save` wrote."""
        with np.load(path) as file:
            ngrams = str(file["ngrams"])
            return cls(tokenizer, ngrams.split("\n") if ngrams else [], file["table"], file["scale"])


def word_ngrams(word: str, sizes: Sequence[int], rows: dict[str, int]) -> list[int]:
    """Rows of the n-grams of `<word>` that `rows` knows, in order of size and place."""
    marked = f"<{word}>"
    grams = (marked[start : start + size] for size in sizes for start in range(len(marked) - size + 1))
    return [rows[gram] for gram in grams if gram in rows]

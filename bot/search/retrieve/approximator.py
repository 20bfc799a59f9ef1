"""The approximator: a linear imitation of the teacher, folded into one table with a row per feature.

A word's features are its WordPiece pieces and its known beginnings (stems), which the forms of an inflected word
share. Counting them, weighting them by TF-IDF and regressing onto the teacher's selected dimensions are all linear, so
a text's vector is the normalised sum of its words' vectors, and a word's vector is the sum of its features' rows.
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

UNKNOWN = "[UNK]"

_CACHED_WORDS = 2048  # Words whose vectors are kept: 2 MB at 256 dimensions, and most of what people type.
_MOST_WORDS = 400  # Of one text; must fit the cache.


class WordFeatures:
    """Numbers of the features that a word has."""

    def __init__(self, tokenizer: Tokenizer, stems: Sequence[str]) -> None:
        self._tokenizer = tokenizer
        self._unknown = tokenizer.token_to_id(UNKNOWN)
        self._stems = {stem: row for row, stem in enumerate(stems, tokenizer.get_vocab_size())}
        self._lengths = sorted({len(stem) for stem in stems})
        self.count = tokenizer.get_vocab_size() + len(stems)

    def rows(self, word: str) -> list[int]:
        """The table rows of a folded word; none for a word of unknown pieces."""
        pieces = [row for row in self._tokenizer.encode(word).ids if row != self._unknown]
        beginnings = (word[:length] for length in self._lengths if length < len(word))
        return pieces + [self._stems[stem] for stem in beginnings if stem in self._stems] if pieces else []


@dataclass
class Approximator:
    """Encodes a text into a unit vector by looking its words up."""

    tokenizer: Tokenizer
    """WordPiece over folded words; its vocabulary numbers the table's first rows."""
    stems: Sequence[str]
    """Beginnings of words; they number the rows after the vocabulary's."""
    table: npt.NDArray[np.int8]
    """Shape (features, dimensions), each row in units of its `scale`."""
    scale: Vector
    """Shape (features,)."""

    _slots: dict[str, int] = field(init=False, repr=False, default_factory=dict)
    _cache: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._features = WordFeatures(self.tokenizer, self.stems)
        self._cache = np.zeros((_CACHED_WORDS, self.dimensions), np.float32)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.table.shape[1])

    def encode(self, text: str) -> Vector | None:
        """Unit vector of a text's first 400 words, float32; None when no word has a known piece."""
        return self.encode_words(words(text))

    def encode_words(self, found: Sequence[str]) -> Vector | None:
        """The same of folded words."""
        total = self._cache.take(self._word_slots(found), axis=0).sum(axis=0)
        norm = float(total @ total) ** 0.5
        return total / np.float32(norm) if norm > 0 else None

    def explain(self, found: Sequence[str], vector: Vector) -> list[tuple[str, float]]:
        """Each folded word's part of the cosine of them all to a unit `vector`; the parts sum to that cosine."""
        rows = self._cache[self._word_slots(found)]
        norm = float(np.linalg.norm(rows.sum(axis=0))) or 1.0
        return [(word, float(part)) for word, part in zip(found, rows @ vector / norm, strict=False)]

    def _word_slots(self, found: Sequence[str]) -> list[int]:
        slots = [self._slots.get(word, -1) for word in found[:_MOST_WORDS]]
        if -1 not in slots:
            return slots
        if len(self._slots) + slots.count(-1) > _CACHED_WORDS:
            self._slots.clear()
        return [self._slot(word) for word in found[:_MOST_WORDS]]

    def _slot(self, word: str) -> int:
        slot = self._slots.get(word)
        if slot is None:
            slot = self._slots[word] = len(self._slots)
            self._cache[slot] = self._word_vector(word)
        return slot

    def _word_vector(self, word: str) -> Vector:
        rows = self._features.rows(word)
        vector: Vector = self.scale[rows] @ self.table[rows].astype(np.float32)
        return vector

    def save(self, path: Path) -> None:
        """Write the table as one npz file; the tokenizer is saved apart."""
        np.savez_compressed(path, table=self.table, scale=self.scale, stems=np.array("\n".join(self.stems)))

    @classmethod
    def load(cls, path: Path, tokenizer: Tokenizer) -> Approximator:
        """Read what `save` wrote; raises ValueError when the tokenizer is not the table's."""
        with np.load(path) as file:
            table, scale, stems = file["table"], file["scale"], str(file["stems"]).split()
        features = tokenizer.get_vocab_size() + len(stems)
        if not len(table) == len(scale) == features:
            raise ValueError(f"{len(table)} table rows for {features} features")
        return cls(tokenizer, stems, table, scale)

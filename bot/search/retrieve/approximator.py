"""The approximator: a linear imitation of the teacher, folded into one table with a row per feature.

A word's features are its WordPiece pieces and its known beginnings (stems), which the forms of an inflected word
share. Counting them, weighting them by TF-IDF and regressing onto the teacher's selected dimensions are all linear, so
a text's vector is the normalised sum of its words' vectors, and a word's vector is the sum of its features' rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from bot.search.files import load_arrays, load_tokenizer, open_plain
from bot.search.text import words

Vector = npt.NDArray[np.float32]

UNKNOWN = "[UNK]"
TOKENIZER, TABLE, FEATURES = "tokenizer.json", "table.npy", "features.npz"

_CACHED_WORDS = 2048  # Words whose vectors are kept: 2 MB at 256 dimensions, and most of what people type.
_MOST_WORDS = 400  # Of one text.
_PROBE = f"слово word 1 猿 {'ы' * 200}"  # A tokenizer without a piece for them must not fail.


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


class Approximator:
    """Encodes a text into a unit vector by looking its words up."""

    def __init__(self, tokenizer: Tokenizer, stems: Sequence[str], table: npt.NDArray[np.int8], scale: Vector) -> None:
        """`table` has shape (features, dimensions), each row in units of its `scale`, shape (features,).

        WordPiece over folded words numbers the first rows, the stems (beginnings of words) those that follow.
        Raises ValueError when there are more or fewer rows than features.
        """
        self.tokenizer, self.stems, self.table, self.scale = tokenizer, stems, table, scale
        self._features = WordFeatures(tokenizer, stems)
        self._cache: dict[str, Vector] = {}
        if not len(table) == len(scale) == self._features.count:
            raise ValueError(f"{len(table)} table rows for {self._features.count} features")

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.table.shape[1])

    def encode(self, text: str) -> Vector | None:
        """Unit vector of a text's first 400 words, float32; None when no word has a known piece."""
        return self.encode_tokens(words(text))

    def encode_tokens(self, tokens: Sequence[str]) -> Vector | None:
        """Unit vector of the first 400 folded words, float32; None when none has a known piece."""
        total = self._vectors(tokens).sum(axis=0)
        norm = float(total @ total) ** 0.5
        return total / np.float32(norm) if norm > 0 else None

    def explain(self, tokens: Sequence[str], vector: Vector) -> list[tuple[str, float]]:
        """Each folded word's part of the cosine of them all to a unit `vector`; the parts sum to that cosine."""
        vectors = self._vectors(tokens)
        norm = float(np.linalg.norm(vectors.sum(axis=0))) or 1.0
        return [(token, float(part)) for token, part in zip(tokens, vectors @ vector / norm, strict=False)]

    def _vectors(self, tokens: Sequence[str]) -> Vector:
        """Vectors of the first 400 folded words, shape (words, dimensions)."""
        if len(self._cache) > _CACHED_WORDS:
            self._cache.clear()
        found = [self._word_vector(token) for token in tokens[:_MOST_WORDS]]
        return np.array(found) if found else np.zeros((0, self.dimensions), np.float32)

    def _word_vector(self, word: str) -> Vector:
        vector = self._cache.get(word)
        if vector is None:
            rows = self._features.rows(word)
            vector = self._cache[word] = (self.scale[rows, None] * self.table[rows]).sum(axis=0)
        return vector

    def save(self, folder: Path) -> list[str]:
        """Write the tokenizer, the table and what belongs to its rows; returns the names of the files."""
        (folder / TOKENIZER).write_text(self.tokenizer.to_str(), encoding="utf-8")
        np.save(folder / TABLE, self.table, allow_pickle=False)
        np.savez(folder / FEATURES, scale=self.scale, stems=np.array("\n".join(self.stems)))
        return [TOKENIZER, TABLE, FEATURES]

    @classmethod
    def load(cls, folder: Path) -> Approximator:
        """Read what `save` wrote; the system reads the table's rows from its file as they are needed.

        Raises OSError or ValueError for anything else.
        """
        tokenizer = load_tokenizer(folder / TOKENIZER)
        open_plain(folder / TABLE).close()
        table = np.load(folder / TABLE, mmap_mode="r", allow_pickle=False)
        features = load_arrays(folder / FEATURES, {"stems": "U0", "scale": "f1"})
        if not isinstance(table, np.memmap) or table.dtype != np.int8 or table.ndim != 2:
            raise ValueError(f"{TABLE} is no table of whole numbers in eight bits")
        approximator = cls(tokenizer, str(features["stems"]).split(), np.asarray(table), features["scale"])
        if max(tokenizer.get_vocab().values()) >= len(table) or tokenizer.token_to_id(UNKNOWN) is None:
            raise ValueError(f"{TOKENIZER} numbers pieces that {TABLE} lacks, or has no {UNKNOWN}")
        approximator.encode(_PROBE)
        return approximator

"""The approximator: a linear imitation of the teacher, folded into one table with a row per feature.

A word's features are its WordPiece pieces and its known beginnings (stems), which the forms of an inflected word
share. Counting them, weighting them by TF-IDF and regressing onto the teacher's selected dimensions are all linear, so
a text's vector is the normalised sum of its words' vectors, and a word's vector is the sum of its features' rows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.search.files import load_arrays, open_plain, read_plain
from bot.search.text import words

Vector = npt.NDArray[np.float32]

UNKNOWN, INSIDE = "[UNK]", "##"
"""The piece that stands for a word that cannot be cut into pieces, and what marks those that do not begin a word."""
LONGEST_WORD = 100
"""Letters of the longest word that is cut into pieces."""
TOKENIZER, TABLE, FEATURES = "tokenizer.json", "table.npy", "features.npz"

_CACHED_WORDS = 2048  # Words whose vectors are kept: 2 MB at 256 dimensions, and most of what people type.
_MOST_WORDS = 400  # Of one text.
_MOST_BYTES = 64_000_000  # Of the file of pieces.


class WordPieces:
    """WordPiece (Schuster and Nakajima 2012, "Japanese and Korean voice search") as BERT cuts words with it.

    The library that trains the pieces cuts words in the same way, but takes 12 MB for 30,000 of them instead of 4.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        """`pieces` by their numbers. Raises ValueError where they are not different, or UNKNOWN is not among them."""
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        if len(self._numbers) != len(pieces) or UNKNOWN not in self._numbers:
            raise ValueError(f"the pieces of words are not different, or there is no {UNKNOWN}")

    def __len__(self) -> int:
        return len(self._numbers)

    def cut(self, word: str) -> list[int]:
        """The numbers of a folded word's pieces, from its beginning on the longest that is known; none if it has none.

        A word of which a part is no piece has none.
        """
        pieces: list[int] = []
        start = 0 if len(word) <= LONGEST_WORD else len(word)
        while start < len(word):
            mark = INSIDE if start else ""
            end = next((end for end in range(len(word), start, -1) if mark + word[start:end] in self._numbers), 0)
            if not end:
                return []
            pieces.append(self._numbers[mark + word[start:end]])
            start = end
        return pieces

    def to_json(self) -> str:
        """The file of a tokenizer of the library `tokenizers` that cuts in the same way."""
        return json.dumps(_AROUND | {"model": _MODEL | {"vocab": self._numbers}}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: bytes) -> WordPieces:
        """Read what `to_json` gave. Raises ValueError for a file of anything else."""
        try:
            document: dict[str, Any] = json.loads(text)
            vocabulary: dict[str, int] = document["model"].pop("vocab")
            alike = document["model"] == _MODEL and all(document[name] == _AROUND[name] for name in _CUTS)
            pieces = sorted(vocabulary, key=vocabulary.__getitem__)
            numbered = [vocabulary[piece] for piece in pieces] == [*range(len(pieces))]
        except (LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"it describes no WordPiece ({error!r})") from error
        if not alike or not numbered:
            raise ValueError("it describes another tokenizer than WordPiece of folded words, or leaves numbers out")
        return cls(pieces)


_MODEL = {
    "type": "WordPiece",
    "unk_token": UNKNOWN,
    "continuing_subword_prefix": INSIDE,
    "max_input_chars_per_word": LONGEST_WORD,
}
_CUTS = ("normalizer", "pre_tokenizer")
_AROUND: dict[str, Any] = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "post_processor": None,
    "decoder": None,
}


class WordFeatures:
    """Numbers of the features that a word has."""

    def __init__(self, pieces: WordPieces, stems: Sequence[str]) -> None:
        self.pieces, self.stems = pieces, stems
        self._stems = {stem: row for row, stem in enumerate(stems, len(pieces))}
        self._lengths = sorted({len(stem) for stem in stems})
        self.count = len(pieces) + len(stems)

    def rows(self, word: str) -> list[int]:
        """The table rows of a folded word; none for a word of unknown pieces."""
        pieces = self.pieces.cut(word)
        beginnings = (word[:length] for length in self._lengths if length < len(word))
        return pieces + [self._stems[stem] for stem in beginnings if stem in self._stems] if pieces else []


class Approximator:
    """Encodes a text into a unit vector by looking its words up."""

    def __init__(self, features: WordFeatures, table: npt.NDArray[np.int8], scale: Vector) -> None:
        """`table` has shape (features, dimensions), each row in units of its `scale`, shape (features,).

        The first rows are those of pieces of folded words, those that follow of stems. Raises ValueError when there are
        more or fewer rows than features.
        """
        self.features, self.table, self.scale = features, table, scale
        self._cache: dict[str, Vector] = {}
        if not len(table) == len(scale) == features.count:
            raise ValueError(f"{len(table)} table rows for {features.count} features")

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
            rows = self.features.rows(word)
            vector = self._cache[word] = (self.scale[rows, None] * self.table[rows]).sum(axis=0)
        return vector

    def save(self, folder: Path) -> list[str]:
        """Write the pieces of words, the table and what belongs to its rows; returns the names of the files."""
        (folder / TOKENIZER).write_text(self.features.pieces.to_json(), encoding="utf-8")
        np.save(folder / TABLE, self.table, allow_pickle=False)
        np.savez(folder / FEATURES, scale=self.scale, stems=np.array("\n".join(self.features.stems)))
        return [TOKENIZER, TABLE, FEATURES]

    @classmethod
    def load(cls, folder: Path) -> Approximator:
        """Read what `save` wrote; the system reads the table's rows from its file as they are needed.

        Raises OSError or ValueError for anything else.
        """
        try:
            pieces = WordPieces.from_json(read_plain(folder / TOKENIZER, _MOST_BYTES))
        except ValueError as error:
            raise ValueError(f"{TOKENIZER}: {error}") from error
        open_plain(folder / TABLE).close()
        table = np.load(folder / TABLE, mmap_mode="r", allow_pickle=False)
        arrays = load_arrays(folder / FEATURES, {"stems": "U0", "scale": "f1"})
        if not isinstance(table, np.memmap) or table.dtype != np.int8 or table.ndim != 2:
            raise ValueError(f"{TABLE} is no table of whole numbers in eight bits")
        features = WordFeatures(pieces, str(arrays["stems"]).split())
        return cls(features, np.asarray(table), arrays["scale"])

"""Likeness of wording: TF-IDF cosines over character trigrams.

Typos and inflection leave most trigrams in place, so a half-remembered idiom still finds itself. Trigrams that reach
over a space tell an idiom from others that only share words with it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.phrases import Phrase
from bot.search.text import words

Scores = npt.NDArray[np.float32]


@dataclass
class WordingIndex:
    """An inverted index from n-gram to the rows (short texts) that contain it."""

    rows: int
    """How many texts are indexed."""
    ngrams: Sequence[str]
    weights: Scores
    """Inverse document frequency of each n-gram."""
    starts: npt.NDArray[np.int64]
    """Postings of n-gram i are `starts[i]:starts[i + 1]` of `places` and `values`."""
    places: npt.NDArray[np.unsignedinteger]
    values: npt.NDArray[np.float16]
    """What an n-gram of the query adds to a row: its weight times its share of the row's unit vector."""

    _number: dict[str, int] = field(init=False, repr=False)
    _starts: list[int] = field(init=False, repr=False)
    _squares: list[float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._number = {ngram: number for number, ngram in enumerate(self.ngrams)}
        self._starts, self._squares = self.starts.tolist(), np.square(self.weights).tolist()

    @classmethod
    def build(cls, texts: Sequence[str]) -> WordingIndex:
        """Index texts; row i is `texts[i]`."""
        counted = [Counter(trigrams(text)) for text in texts]
        documents = Counter(ngram for counts in counted for ngram in counts)
        telling = max(10, len(texts) // 8)  # What more rows have tells little, and would take most of the time.
        ngrams = sorted(ngram for ngram, rows in documents.items() if rows <= telling)
        weights = {ngram: math.log((1 + len(texts)) / (1 + documents[ngram])) + 1 for ngram in ngrams}
        postings: dict[str, list[tuple[int, float]]] = {ngram: [] for ngram in ngrams}
        for row, counts in enumerate(counted):
            for ngram, value in _unit(counts, weights).items():
                postings[ngram].append((row, value * weights[ngram]))
        return cls(
            rows=len(texts),
            ngrams=ngrams,
            weights=np.array([weights[ngram] for ngram in ngrams], np.float32),
            starts=np.cumsum([0, *(len(postings[ngram]) for ngram in ngrams)]),
            places=np.array([row for ngram in ngrams for row, _ in postings[ngram]], np.min_scalar_type(len(texts))),
            values=np.array([value for ngram in ngrams for _, value in postings[ngram]], np.float16),
        )

    def scores(self, text: str) -> Scores:
        """Cosine of the text's n-grams to each row, shape (rows,); those that no row has are passed over as typos."""
        numbers = {self._number[ngram] for ngram in trigrams(text) if ngram in self._number}
        if not numbers:
            return np.zeros(self.rows, np.float32)
        norm = math.sqrt(sum([self._squares[number] for number in numbers]))
        spans = [slice(self._starts[number], self._starts[number + 1]) for number in numbers]
        places = np.concatenate([self.places[span] for span in spans])
        values = np.concatenate([self.values[span] for span in spans])
        return np.bincount(places, values, self.rows).astype(np.float32) / np.float32(norm)

    def save(self, path: Path) -> None:
        """Write one npz file."""
        np.savez_compressed(
            path,
            rows=self.rows,
            ngrams=np.array("\n".join(self.ngrams)),
            weights=self.weights,
            starts=self.starts,
            places=self.places,
            values=self.values,
        )

    @classmethod
    def load(cls, path: Path) -> WordingIndex:
        """Read what `save` wrote."""
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        return cls(rows=int(arrays.pop("rows")), ngrams=str(arrays.pop("ngrams")).split("\n"), **arrays)


def wording_texts(phrases: Sequence[Phrase]) -> list[str]:
    """What a search by wording looks at: every phrase, then every variant, then every phrase's meanings and example."""
    return [
        *(phrase.text for phrase in phrases),
        *(variant for phrase in phrases for variant in phrase.variants),
        *(" ".join((*phrase.meanings, phrase.meaning_en, phrase.meaning_ru, phrase.example)) for phrase in phrases),
    ]


def trigrams(text: str) -> list[str]:
    """The character trigrams of the folded words in their order, ends marked: of "в ус" <в_ в_у _ус ус>."""
    marked = f"<{'_'.join(words(text))}>"
    return [marked[start : start + 3] for start in range(len(marked) - 2)]


def _unit(counts: Counter[str], weights: dict[str, float]) -> dict[str, float]:
    values = {ngram: (1 + math.log(count)) * weights[ngram] for ngram, count in counts.items() if ngram in weights}
    norm = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {ngram: value / norm for ngram, value in values.items()}

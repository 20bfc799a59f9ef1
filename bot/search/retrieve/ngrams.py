"""Likeness of wording: TF-IDF cosines over character trigrams.

Typos, inflection and another order of words leave most trigrams in place, so a half-remembered idiom still finds
itself. Trigrams that reach over a space tell an idiom from others that only share words with it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.phrases import Phrase, texts_of
from bot.search.text import words

Scores = npt.NDArray[np.float32]


@dataclass
class NGramIndex:
    """An inverted index from n-gram to the rows (short texts) that contain it.

    The texts are of several kinds, and each kind has its own document frequencies: what is rare in phrases may be
    common in their meanings.
    """

    sizes: Sequence[int]
    """How many texts there are of each kind; their rows follow one another."""
    ngrams: Sequence[str]
    weights: Scores
    """Inverse document frequency of each n-gram among each kind, shape (kinds, n-grams); 0 where it is left out."""
    starts: npt.NDArray[np.int64]
    """Postings of n-gram i are `starts[i]:starts[i + 1]` of `places` and `values`; places rise."""
    places: npt.NDArray[np.unsignedinteger]
    values: npt.NDArray[np.float16]
    """What an n-gram of the query adds to a row: its weight times its share of the row's unit vector."""

    _number: dict[str, int] = field(init=False, repr=False)
    _starts: list[int] = field(init=False, repr=False)
    _squares: list[list[float]] = field(init=False, repr=False)
    _ends: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._number = {ngram: number for number, ngram in enumerate(self.ngrams)}
        self._starts, self._squares = self.starts.tolist(), np.square(self.weights).tolist()
        self._ends = list(accumulate(self.sizes))

    @classmethod
    def build(cls, *kinds: Sequence[str]) -> NGramIndex:
        """Index the texts of each kind in their order."""
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        weights: list[dict[str, float]] = []
        first = 0
        for texts in kinds:
            counted = [Counter(trigrams(words(text))) for text in texts]
            weights.append(_telling(counted))
            for row, counts in enumerate(counted, first):
                for ngram, value in _unit(counts, weights[-1]).items():
                    postings[ngram].append((row, value * weights[-1][ngram]))
            first += len(texts)
        ngrams = sorted(postings)
        return cls(
            sizes=[len(texts) for texts in kinds],
            ngrams=ngrams,
            weights=np.array([[of_kind.get(ngram, 0) for ngram in ngrams] for of_kind in weights], np.float32),
            starts=np.cumsum([0, *(len(postings[ngram]) for ngram in ngrams)]),
            places=np.array([row for ngram in ngrams for row, _ in postings[ngram]], np.min_scalar_type(first)),
            values=np.array([value for ngram in ngrams for _, value in postings[ngram]], np.float16),
        )

    def scores(self, ngrams: Sequence[str]) -> list[Scores]:
        """Cosines of a text's n-grams to the texts of each kind; n-grams that none has are passed over as typos."""
        numbers = {self._number[ngram] for ngram in ngrams if ngram in self._number}
        if not numbers:
            return [np.zeros(size, np.float32) for size in self.sizes]
        spans = [slice(self._starts[number], self._starts[number + 1]) for number in numbers]
        places = np.concatenate([self.places[span] for span in spans])
        values = np.concatenate([self.values[span] for span in spans])
        sums = np.split(np.bincount(places, values, self._ends[-1]).astype(np.float32), self._ends[:-1])
        for kind, of_kind in enumerate(sums):
            of_kind /= self._norm(kind, numbers)
        return sums

    def parts(self, ngrams: Sequence[str], kind: int, text: int) -> list[float]:
        """What each n-gram adds to the cosine of a text; equal ones share, and the parts sum to that cosine."""
        times = Counter(ngram for ngram in ngrams if ngram in self._number)
        norm = float(self._norm(kind, {self._number[ngram] for ngram in times}))
        row = text + self._ends[kind] - self.sizes[kind]
        return [self._value(ngram, row) / norm / times[ngram] if ngram in times else 0.0 for ngram in ngrams]

    def _norm(self, kind: int, numbers: Iterable[int]) -> np.float32:
        squares = self._squares[kind]
        return np.float32(math.sqrt(sum([squares[number] for number in numbers])) or 1.0)

    def _value(self, ngram: str, row: int) -> float:
        start, end = self._starts[self._number[ngram] : self._number[ngram] + 2]
        place = start + int(np.searchsorted(self.places[start:end], row))
        return float(self.values[place]) if place < end and self.places[place] == row else 0.0

    def save(self, path: Path) -> None:
        """Write one npz file."""
        np.savez_compressed(
            path,
            sizes=np.array(self.sizes),
            ngrams=np.array("\n".join(self.ngrams)),
            weights=self.weights,
            starts=self.starts,
            places=self.places,
            values=self.values,
        )

    @classmethod
    def load(cls, path: Path) -> NGramIndex:
        """Read what `save` wrote."""
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        sizes, ngrams = arrays.pop("sizes").tolist(), str(arrays.pop("ngrams")).split("\n")
        return cls(sizes=sizes, ngrams=ngrams, **arrays)


_GLOSS_ROLES = frozenset({"meaning", "translation", "example", "scene"})

PHRASES, GLOSSES = 0, 1
"""The kinds of texts that a collection's index has."""


def ngram_index(phrases: Sequence[Phrase]) -> NGramIndex:
    """The index of a collection: phrases and then variants are one kind, glosses the other."""
    return NGramIndex.build(phrase_texts(phrases), gloss_texts(phrases))


def phrase_texts(phrases: Sequence[Phrase]) -> list[str]:
    """What a search by an idiom's own words looks at: every phrase, then every variant."""
    return [*(phrase.text for phrase in phrases), *(variant for phrase in phrases for variant in phrase.variants)]


def variant_rows(phrases: Sequence[Phrase]) -> list[int]:
    """The row of the phrase that each variant belongs to, in the order of `phrase_texts`."""
    return [row for row, phrase in enumerate(phrases) for _ in phrase.variants]


def gloss_texts(phrases: Sequence[Phrase]) -> list[str]:
    """What else a query may share words with: every phrase's meanings, example and scenes."""
    return [" ".join(text.text for text in texts_of(phrase) if text.role in _GLOSS_ROLES) for phrase in phrases]


def trigrams(found: Sequence[str]) -> list[str]:
    """The character trigrams of folded words in their order, borders marked: of "в ус" _в_ в_у _ус ус_."""
    marked = f"_{'_'.join(found)}_"
    return [marked[start : start + 3] for start in range(len(marked) - 2)]


def _telling(counted: Sequence[Counter[str]]) -> dict[str, float]:
    """The weight of each n-gram: what more than an eighth of the texts have tells little, and would take most time."""
    documents = Counter(ngram for counts in counted for ngram in counts)
    most = max(10, len(counted) // 8)
    return {
        ngram: math.log((1 + len(counted)) / (1 + texts)) + 1 for ngram, texts in documents.items() if texts <= most
    }


def _unit(counts: Counter[str], weights: dict[str, float]) -> dict[str, float]:
    values = {ngram: (1 + math.log(count)) * weights[ngram] for ngram, count in counts.items() if ngram in weights}
    norm = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {ngram: value / norm for ngram, value in values.items()}

"""Lexical likeness: TF-IDF cosines over character trigrams.

Typos, inflection and another order of words leave most trigrams in place, so a half-remembered idiom still finds
itself. Trigrams that reach over a space tell an idiom from others that only share words with it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.phrases import Phrase, texts_of
from bot.search.text import words

Scores = npt.NDArray[np.float32]

WORDING, GLOSSES = 0, 1
"""The kinds of texts of a collection's index: a phrase's own words, and what is said of it."""

_GLOSS_ROLES = ("meaning", "translation", "example", "scene")
_WORTH_A_LOOK = 0.3  # An alternative text that is less like the query changes no result.


@dataclass
class NGramIndex:
    """An inverted index from trigram to the texts that contain it.

    Every item (a phrase, say) has one text of each kind, and each kind has its own document frequencies: what is rare
    in phrases may be common in their meanings. Items may have alternative texts of the first kind.
    """

    items: int
    owners: npt.NDArray[np.int64]
    """The item that each alternative text belongs to, shape (alternatives,)."""
    ngrams: Sequence[str]
    weights: Scores
    """Inverse document frequency of each trigram among each kind, shape (kinds, ngrams); 0 where it is left out."""
    starts: npt.NDArray[np.int64]
    """Postings of trigram i are `starts[i]:starts[i + 1]` of `places` and `values`; places rise."""
    places: npt.NDArray[np.unsignedinteger]
    """Numbers of texts: the first kind's items, their alternatives, then the items of each further kind."""
    values: Scores
    """What a trigram of the query adds to a text: its weight times its share of the text's unit vector."""

    @classmethod
    def build(cls, *kinds: Sequence[str], alternatives: Sequence[tuple[int, str]] = ()) -> NGramIndex:
        """Index a text of each kind for every item, and (item, text) pairs that count among the first kind."""
        own_words = [*kinds[0], *(text for _, text in alternatives)]
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        weights: list[dict[str, float]] = []
        total = 0
        for texts in (own_words, *kinds[1:]):
            counted = [Counter(trigrams(words(text))) for text in texts]
            weights.append(_inverse_document_frequencies(counted))
            for place, counts in enumerate(counted, total):
                for ngram, value in _unit(counts, weights[-1]).items():
                    postings[ngram].append((place, value * weights[-1][ngram]))
            total += len(counted)
        ngrams = sorted(postings)
        return cls(
            items=len(kinds[0]),
            owners=np.array([item for item, _ in alternatives], np.int64),
            ngrams=ngrams,
            weights=np.array([[of_kind.get(ngram, 0) for ngram in ngrams] for of_kind in weights], np.float32),
            starts=np.cumsum([0, *(len(postings[ngram]) for ngram in ngrams)]),
            places=np.array([place for ngram in ngrams for place, _ in postings[ngram]], np.min_scalar_type(total)),
            values=np.array([value for ngram in ngrams for _, value in postings[ngram]], np.float16).astype(np.float32),
        )

    def scores(self, tokens: Sequence[str], alternatives: bool = True) -> list[Scores]:
        """Cosines of folded words to every item's text of each kind, shape (items,) each.

        Trigrams that no text has are passed over as typos. With `alternatives` the best of an item's own text and its
        alternatives counts.
        """
        entries = [entry for ngram in dict.fromkeys(trigrams(tokens)) if (entry := self._entries.get(ngram))]
        if not entries:
            return [np.zeros(self.items, np.float32) for _ in self.weights]
        places = np.concatenate([self.places[span] for span, _ in entries])
        values = np.concatenate([self.values[span] for span, _ in entries])
        sums = np.bincount(places, values, self._ends[-1])
        norms = _norms(squares for _, squares in entries)
        bounds = zip([0, *self._ends], self._ends, norms, strict=False)
        wording, *others = [(sums[start:end] / norm).astype(np.float32) for start, end, norm in bounds]
        return [self._best_wording(wording) if alternatives else wording[: self.items], *others]

    def contributions(self, tokens: Sequence[str], kind: int, item: int) -> list[float]:
        """What each trigram of folded words adds to the cosine of an item's text; the values sum to that cosine."""
        ngrams = trigrams(tokens)
        times = Counter(ngram for ngram in ngrams if ngram in self._entries)
        norm = _norms(self._entries[ngram][1] for ngram in times)[kind] if times else 1.0
        place = item + (self._ends[kind - 1] if kind else 0)
        return [self._value(ngram, place) / norm / times[ngram] if ngram in times else 0.0 for ngram in ngrams]

    def _best_wording(self, wording: Scores) -> Scores:
        """The best of an item's own text and its alternatives."""
        best, alternatives = wording[: self.items], wording[self.items :]
        near = np.flatnonzero(alternatives > _WORTH_A_LOOK)
        np.maximum.at(best, self.owners[near], alternatives[near])
        return best

    def _value(self, ngram: str, place: int) -> float:
        span, _ = self._entries[ngram]
        at = span.start + int(np.searchsorted(self.places[span], place))
        return float(self.values[at]) if at < span.stop and self.places[at] == place else 0.0

    @cached_property
    def _entries(self) -> dict[str, tuple[slice, tuple[float, ...]]]:
        """Of each trigram, where its postings are and its squared weight among each kind."""
        spans = map(slice, self.starts.tolist(), self.starts[1:].tolist())
        squares = zip(*np.square(self.weights).tolist(), strict=True)
        return dict(zip(self.ngrams, zip(spans, squares, strict=True), strict=True))

    @cached_property
    def _ends(self) -> list[int]:
        """Where the texts of each kind end."""
        return list(accumulate([self.items + len(self.owners), *[self.items] * (len(self.weights) - 1)]))

    def save(self, path: Path) -> None:
        """Write one npz file."""
        np.savez(
            path,
            items=self.items,
            owners=self.owners,
            ngrams=np.array("\n".join(self.ngrams)),
            weights=self.weights,
            starts=self.starts,
            places=self.places,
            values=self.values.astype(np.float16),
        )

    @classmethod
    def load(cls, path: Path) -> NGramIndex:
        """Read what `save` wrote. Raises OSError, ValueError or KeyError for anything else."""
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        arrays["values"] = arrays["values"].astype(np.float32)  # half precision is slow to add up
        items, ngrams = int(arrays.pop("items")), str(arrays.pop("ngrams")).split("\n")
        return cls(items=items, ngrams=ngrams, **arrays)


def ngram_index(phrases: Sequence[Phrase]) -> NGramIndex:
    """The index of a collection: phrases with their variants, and what is said of them."""
    variants = [(row, variant) for row, phrase in enumerate(phrases) for variant in phrase.variants]
    return NGramIndex.build([phrase.text for phrase in phrases], list(map(gloss, phrases)), alternatives=variants)


def gloss(phrase: Phrase) -> str:
    """Everything that is said of a phrase, in one text."""
    return " ".join(text.text for text in texts_of(phrase) if text.role in _GLOSS_ROLES)


def trigrams(tokens: Sequence[str]) -> list[str]:
    """The character trigrams of folded words in their order, borders marked: of "в ус" _в_ в_у _ус ус_."""
    marked = f"_{'_'.join(tokens)}_"
    return [marked[start : start + 3] for start in range(len(marked) - 2)]


def _norms(squares: Iterable[tuple[float, ...]]) -> list[float]:
    """Lengths of the vector of some trigrams among each kind, from their squared weights; 1 for a zero vector."""
    return [math.sqrt(sum(of_kind)) or 1.0 for of_kind in zip(*squares, strict=True)]


def _inverse_document_frequencies(counted: Sequence[Counter[str]]) -> dict[str, float]:
    """Of each trigram; what more than an eighth of the texts have tells little and would take most time: left out."""
    documents = Counter(ngram for counts in counted for ngram in counts)
    most = max(10, len(counted) // 8)
    return {
        ngram: math.log((1 + len(counted)) / (1 + texts)) + 1 for ngram, texts in documents.items() if texts <= most
    }


def _unit(counts: Counter[str], weights: dict[str, float]) -> dict[str, float]:
    """The unit TF-IDF vector of a text, with sublinear term frequencies."""
    values = {ngram: (1 + math.log(count)) * weights[ngram] for ngram, count in counts.items() if ngram in weights}
    norm = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {ngram: value / norm for ngram, value in values.items()}

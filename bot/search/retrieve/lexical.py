"""Lexical likeness: TF-IDF cosines between a query and the texts of a collection, over an inverted index.

A phrase's own words are compared by character trigrams. Typos, inflection and another order of words leave most of
them in place, so a half-remembered idiom still finds itself; trigrams that reach over a space tell an idiom from others
that only share words with it. What is said about a phrase is compared by stems, one for each word: a description
shares words with it, not the order of its letters.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.search.files import check_starts, check_within, load_arrays
from bot.search.phrases import Phrase, texts_of
from bot.search.text import words

Scores = npt.NDArray[np.float32]
Places = npt.NDArray[np.integer[Any]]

_GLOSS_ROLES = ("meaning", "translation", "example", "scene")
_WORTH_A_LOOK = 0.3  # An alternative text that is less like the query changes no result.
_FORMS = {"items": "i0", "owners": "i1", "terms": "U0", "weights": "f1", "starts": "i1", "places": "i1", "values": "f1"}
_STEM = 5  # Letters that the forms of a word share: "бездельничать" and "бездельник", "reveal" and "revealed".


@dataclass
class LexicalIndex:
    """An inverted index from terms, of whatever kind, to the texts that contain them.

    Every item (a phrase, say) has a text, and may have alternative texts.
    """

    items: int
    owners: npt.NDArray[np.int64]
    """The item that each alternative text belongs to, shape (alternatives,)."""
    terms: npt.NDArray[np.bytes_]
    """In UTF-8 and in order, shape (terms,): as strings in a dictionary they would take ten times the memory."""
    weights: Scores
    """Inverse document frequency of each term, shape (terms,); 0 where it is left out."""
    starts: npt.NDArray[np.int64]
    """Postings of term i are `starts[i]:starts[i + 1]` of `places` and `values`; places rise."""
    places: Places
    """Numbers of texts: the items' own, then the alternatives."""
    values: Scores
    """What a term of the query adds to a text: its weight times its share of the text's unit vector."""

    @classmethod
    def build(
        cls,
        texts: Sequence[Sequence[str]],
        alternatives: Sequence[tuple[int, Sequence[str]]] = (),
        common: float = 1 / 8,
    ) -> LexicalIndex:
        """Index the terms of a text for every item, and alternatives, each an item and the terms of its text.

        Terms that more than the share `common` of the texts have are left out: they tell little and take most time.
        """
        counted = list(map(Counter, [*texts, *(terms for _, terms in alternatives)]))
        weights = _inverse_document_frequencies(counted, common)
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, counts in enumerate(counted):
            for term, value in _unit(counts, weights).items():
                postings[term].append((place, value * weights[term]))
        terms = sorted(postings)
        return cls(
            items=len(texts),
            owners=np.array([item for item, _ in alternatives], np.int64),
            terms=_encoded(terms),
            weights=np.array([weights[term] for term in terms], np.float32),
            starts=np.cumsum([0, *(len(postings[term]) for term in terms)]),
            places=np.array([place for term in terms for place, _ in postings[term]], np.min_scalar_type(len(counted))),
            values=np.array([value for term in terms for _, value in postings[term]], np.float16).astype(np.float32),
        )

    def scores(self, terms: Iterable[str], alternatives: bool = True) -> Scores:
        """Cosines of a query's terms to every item's text, shape (items,).

        Terms that no text has are passed over as typos. With `alternatives` the best of an item's own text and its
        alternatives counts.
        """
        known = self._numbers(terms)
        if not len(known):
            return np.zeros(self.items, np.float32)
        spans = list(map(slice, self.starts[known].tolist(), self.starts[known + 1].tolist()))
        places = np.concatenate([self.places[span] for span in spans])
        values = np.concatenate([self.values[span] for span in spans])
        sums = np.bincount(places, values, self.items + len(self.owners))
        cosines = (sums / self._norm(known)).astype(np.float32)
        return self._best(cosines) if alternatives else cosines[: self.items]

    def postings(self, term: str) -> Places:
        """The places of the texts that have a term; they rise."""
        known = self._numbers([term])
        return self.places[self._span(known[0])] if len(known) else self.places[:0]

    def items_at(self, places: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """The items whose texts have these places, each once or more."""
        owners = self.owners[np.maximum(places.astype(np.int64) - self.items, 0)] if len(self.owners) else places
        return np.where(places < self.items, places, owners).astype(np.int64)

    def contributions(self, terms: Sequence[str], item: int) -> list[float]:
        """What each of a query's terms adds to the cosine of an item's own text; the values sum to that cosine."""
        times = Counter(terms)
        norm = self._norm(self._numbers(terms))
        return [self._value(term, item) / norm / times[term] for term in terms]

    def _best(self, cosines: Scores) -> Scores:
        """The best of an item's own text and its alternatives."""
        best, alternatives = cosines[: self.items], cosines[self.items :]
        near = np.flatnonzero(alternatives > _WORTH_A_LOOK)
        np.maximum.at(best, self.owners[near], alternatives[near])
        return best

    def _value(self, term: str, place: int) -> float:
        known = self._numbers([term])
        if not len(known):
            return 0.0
        span = self._span(known[0])
        at = span.start + int(np.searchsorted(self.places[span], place))
        return float(self.values[at]) if at < span.stop and self.places[at] == place else 0.0

    def _numbers(self, terms: Iterable[str]) -> npt.NDArray[np.int64]:
        """The numbers of terms, each once; none of those that no text has."""
        encoded = (term.encode() for term in dict.fromkeys(terms))
        # A longer one would be cut, and might be taken for another.
        asked = np.array([term for term in encoded if len(term) <= self.terms.itemsize], self.terms.dtype)
        if not len(self.terms):
            return np.zeros(0, np.int64)
        at = np.minimum(np.searchsorted(self.terms, asked), len(self.terms) - 1)
        found: npt.NDArray[np.int64] = at[self.terms[at] == asked]
        return found

    def _span(self, number: int) -> slice:
        """Where the postings of a term are."""
        return slice(self.starts[number], self.starts[number + 1])

    def _norm(self, numbers: npt.NDArray[np.int64]) -> float:
        """The length of the vector of terms, each there once; 1 for none."""
        return math.sqrt(float(np.square(self.weights[numbers]).sum())) or 1.0

    def save(self, path: Path) -> None:
        """Write one npz file."""
        np.savez(
            path,
            items=self.items,
            owners=self.owners,
            terms=np.array(b"\n".join(self.terms.tolist()).decode()),
            weights=self.weights,
            starts=self.starts,
            places=self.places,
            values=self.values.astype(np.float16),
        )

    @classmethod
    def load(cls, path: Path) -> LexicalIndex:
        """Read what `save` wrote. Raises OSError or ValueError for anything else."""
        arrays = load_arrays(path, _FORMS)
        arrays["values"] = arrays["values"].astype(np.float32)  # half precision is slow to add up
        items, terms = int(arrays.pop("items")), str(arrays.pop("terms")).split("\n")
        index = cls(items=items, terms=_encoded(terms), **arrays)
        index._check(path.name)
        return index

    def _check(self, name: str) -> None:
        """Raise ValueError, which names the file `name`, when the arrays do not fit together."""
        if len(self.terms) != len(self.weights) or not (self.terms[:-1] < self.terms[1:]).all():
            raise ValueError(
                f"{name}: {len(self.weights)} weights of {len(self.terms)} terms, or these are in no order"
            )
        if len(self.places) != len(self.values):
            raise ValueError(f"{name}: {len(self.values)} values at {len(self.places)} places")
        check_starts(self.starts, len(self.terms), len(self.places), f"{name}: starts")
        check_within(self.owners, 0, self.items, f"{name}: owners")
        check_within(self.places, 0, self.items + len(self.owners), f"{name}: places")


def _encoded(terms: Sequence[str]) -> npt.NDArray[np.bytes_]:
    return np.array([term.encode() for term in terms], np.bytes_)


def wording_index(phrases: Sequence[Phrase]) -> LexicalIndex:
    """The trigrams of phrases, and of their variants as alternatives."""
    variants = [(row, trigrams(words(variant))) for row, phrase in enumerate(phrases) for variant in phrase.variants]
    return LexicalIndex.build([trigrams(words(phrase.text)) for phrase in phrases], variants)


def gloss_index(phrases: Sequence[Phrase]) -> LexicalIndex:
    """The stems of all that is said of phrases."""
    return LexicalIndex.build([stems(words(gloss(phrase))) for phrase in phrases])


def gloss(phrase: Phrase) -> str:
    """Everything that is said of a phrase, in one text."""
    return " ".join(text.text for text in texts_of(phrase) if text.role in _GLOSS_ROLES)


def trigrams(tokens: Sequence[str]) -> list[str]:
    """The character trigrams of folded words in their order, borders marked: of "в ус" _в_ в_у _ус ус_."""
    marked = f"_{'_'.join(tokens)}_"
    return [marked[start : start + 3] for start in range(len(marked) - 2)]


def stems(tokens: Iterable[str]) -> list[str]:
    """The beginning of each folded word."""
    return [token[:_STEM] for token in tokens]


def _inverse_document_frequencies(counted: Sequence[Counter[str]], common: float) -> dict[str, float]:
    """Of each term that at most a share of the texts has."""
    documents = Counter(term for counts in counted for term in counts)
    most = max(10, int(len(counted) * common))
    return {term: math.log((1 + len(counted)) / (1 + texts)) + 1 for term, texts in documents.items() if texts <= most}


def _unit(counts: Counter[str], weights: dict[str, float]) -> dict[str, float]:
    """The unit TF-IDF vector of a text, with sublinear term frequencies."""
    values = {term: (1 + math.log(count)) * weights[term] for term, count in counts.items() if term in weights}
    norm = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {term: value / norm for term, value in values.items()}

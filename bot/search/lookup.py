"""Answers to questions that are not about a meaning: about an idiom by its name, a word, a topic."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bot.search.artifacts import Artifacts
from bot.search.forms import roots
from bot.search.names import Names, entries
from bot.search.rank.best import best_rows
from bot.search.text import words
from bot.search.understand.analysis import Analysis
from bot.search.understand.paradigms import readings
from bot.search.understand.topics import topics_called

Scores = npt.NDArray[np.float32]
Reason = Literal["meaning", "wording", "counterpart", "similar", "topic", "opposite"]
"""What made a phrase match."""

_MANY = 5  # With so many phrases that have a word, "idioms about cats" means those that have it.
_ALIKE = 400  # The most phrases like a named one that are returned.


class Found(NamedTuple):
    """A phrase that answers a question."""

    row: int
    score: float
    reason: Reason


class Lookup:
    """Looks up what questions ask for. Reading only, so threads may share it."""

    def __init__(self, artifacts: Artifacts, names: Names) -> None:
        self._artifacts, self._relations, self._names = artifacts, artifacts.relations, names

    def found(
        self,
        analysis: Analysis,
        named: int | None,
        languages: Collection[str] | None,
        nearest: Callable[[], Sequence[int]],
    ) -> list[Found] | None:
        """The phrases of these languages that a question asks for, best first; None when it is to be searched for.

        `named` is the row of the phrase that its words name; `nearest` tells the rows of phrases of any language that
        mean nearly the same.
        """
        if analysis.small_talk:
            return []
        match analysis.intent:
            case "translate" if named is not None:
                others = set(self._relations.languages.tolist()) - {self._language(named)}
                return self._around(
                    named, analysis.languages or others, itself=self._language(named) in analysis.languages
                )
            case "explain" | "origin" if named is not None:
                return self._around(named, languages, itself=True)
            case "synonyms" if named is not None:
                return self._around(named, analysis.languages or {self._language(named)}, itself=False)
            case "opposites":
                told = [] if named is None else self._opposites([named], languages)
                return told or self._opposites(nearest(), languages)
            case "word" | "topic" if len(analysis.tokens) == 1:
                return self._of_a_word(analysis, languages)
        return None

    def alike(self, row: int) -> Scores:
        """Cosines of the phrases to one of them, shape (phrases,); -1 for itself and its contraries."""
        itself, index, readings = np.array([row]), self._artifacts.index, self._artifacts.readings
        cosines = index.cosines(index.vectors_of(itself)[0], itself, _ALIKE)
        if readings:
            cosines = np.asarray((cosines + readings.scan(readings.vectors_of(itself)[0])) / 2, np.float32)
        cosines[[row, *self._names.contraries(row)]] = -1
        return cosines

    def of_kind(self, kind: str) -> list[int]:
        """The rows of the phrases of a kind; none for "", which is any."""
        return np.flatnonzero(self._relations.kinds == kind).tolist() if kind else []

    # What a question asks for

    def _around(self, row: int, languages: Collection[str] | None, itself: bool) -> list[Found]:
        """The phrase of a row if `itself` is wanted; then, of these languages, its counterparts and what is like it."""
        spoken, cosines = self._spoken(languages), self.alike(row)
        first = [entry for entry in self._names.counterparts(row) if spoken[entry]]
        near = best_rows(np.where(spoken, cosines, -1), _ALIKE).tolist()
        found = [Found(one, 1.0, "counterpart") for one in first]
        found += [Found(one, float(cosines[one]), "similar") for one in near if one not in first]
        return [Found(row, 1.0, "wording"), *found] if itself else found

    def _opposites(self, rows: Iterable[int], languages: Collection[str] | None) -> list[Found]:
        """What says the contrary of phrases, or its counterparts where it is in none of these languages."""
        spoken, relations = self._spoken(languages), self._relations
        opposites = [entry for row in rows for entry in entries(relations.opposites[row])]
        told = ([entry] if spoken[entry] else entries(relations.curated[entry]) for entry in opposites)
        return [Found(one, 1.0, "opposite") for one in dict.fromkeys(chain.from_iterable(told)) if spoken[one]]

    def _of_a_word(self, analysis: Analysis, languages: Collection[str] | None) -> list[Found] | None:
        """The phrases that have a word or are about it, whichever is asked for first; None when they are too few."""
        having, on_topic = self._having(analysis, languages), self._on_topic(analysis, languages)
        many = having if len(having) >= _MANY else []
        if analysis.intent == "topic":
            return on_topic or many or None
        return many or [*having, *on_topic] or None

    def _having(self, analysis: Analysis, languages: Collection[str] | None) -> list[Found]:
        """The phrases that have any form of the one word that a question is about, best known first."""
        parts, word = self._artifacts.parts, analysis.tokens[0]
        near = {row for root in roots(word) for row in parts.postings(root).tolist() if row < parts.items}
        rows: list[int] = []
        for forms in readings(word):
            rows = max(rows, [row for row in near if self._has(row, forms)], key=len)
        return self._best_known(rows, analysis, languages, "wording")

    def _has(self, row: int, forms: re.Pattern[str]) -> bool:
        return any(map(forms.fullmatch, words(self._artifacts.phrases[row].text)))

    def _on_topic(self, analysis: Analysis, languages: Collection[str] | None) -> list[Found]:
        """The phrases on the topic that the one word of a question names, best known first."""
        named = np.isin(self._relations.topics, [*topics_called(analysis.tokens[0])])
        rows = np.flatnonzero(self._relations.about[:, named].any(axis=1) & self._relations.offered)
        return self._best_known(rows.tolist(), analysis, languages, "topic")

    def _best_known(
        self, rows: Iterable[int], analysis: Analysis, languages: Collection[str] | None, reason: Reason
    ) -> list[Found]:
        """The rows that are of these languages and the kind asked for; of equally known ones the likest come first."""
        spoken, common = self._spoken(languages), self._relations.common
        wanted = np.array(sorted(row for row in rows if spoken[row]), np.int64)
        if analysis.kind:
            wanted = wanted[self._relations.kinds[wanted] == analysis.kind]
        vector = self._artifacts.approximator.encode_tokens(analysis.tokens)
        likeness = np.zeros(len(wanted)) if vector is None else self._artifacts.index.vectors_of(wanted) @ vector
        order = np.lexsort((-likeness, -common[wanted]))
        return [Found(row, 1.0, reason) for row in wanted[order].tolist()]

    # What is known of the collection

    def _language(self, row: int) -> str:
        return str(self._relations.languages[row])

    def _spoken(self, languages: Collection[str] | None) -> npt.NDArray[np.bool_]:
        """Whether a phrase is of these languages, shape (phrases,)."""
        if languages is None:
            return np.ones(len(self._relations), np.bool_)
        return np.isin(self._relations.languages, [*languages])

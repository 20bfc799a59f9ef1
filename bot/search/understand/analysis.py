"""Reading a text that somebody typed: what they meant to type, what they ask for, and in which words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.search.artifacts import Artifacts
from bot.search.retrieve.ngrams import WORDING
from bot.search.text import words
from bot.search.understand.corrector import Repairer, unmixed
from bot.search.understand.questions import Query, Wildcards, read_query

_LONGEST = 2000  # Characters of a query that are read; nobody describes an idiom in more.


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is understood of a query, found once and passed on."""

    typed: str
    """As it was typed, with look-alike letters put right."""
    searched: str
    """After repair."""
    tokens: tuple[str, ...]
    """The folded words whose meaning is searched."""
    quoted: tuple[str, ...]
    """The parts in quotation marks: words that a phrase must have."""
    pattern: re.Pattern[str] | None
    """The words and stars of a text with `*`."""

    @property
    def repaired(self) -> bool:
        """Whether something else is searched than what was typed."""
        return self.searched != self.typed


class Reader:
    """Reads queries to a collection."""

    def __init__(self, artifacts: Artifacts) -> None:
        self._artifacts = artifacts
        self._repairer = Repairer(artifacts.vocabulary)
        lines = [
            (row, text) for row, phrase in enumerate(artifacts.phrases) for text in (phrase.text, *phrase.variants)
        ]
        self._wildcards = Wildcards([text for _, text in lines])
        self._rows = [row for row, _ in lines]

    def searched(self, text: str, exact: bool) -> tuple[str, str]:
        """The text as typed, with look-alike letters put right, and as it is searched, repaired unless `exact`.

        Half an idiom with a typo is better known by its trigrams than by guessing its words.
        """
        typed = unmixed(text[:_LONGEST])
        repaired = typed if exact else self._repairer.repair(typed)
        least = self._artifacts.fusion.lexical_threshold
        if repaired is typed or self._as_worded(typed) > max(self._as_worded(repaired), least):
            return typed, typed
        return typed, repaired

    def read(self, text: str) -> Query:
        """What a text as it is searched asks for."""
        return read_query(self._artifacts.emoji.replaced(text))

    def analyse(self, text: str, exact: bool) -> Analysis:
        """What a text as it was typed asks for; with `exact` nothing is repaired."""
        typed, searched = self.searched(text, exact)
        query = self.read(searched)
        return Analysis(typed, searched, tuple(words(query.meaning)), query.quoted, query.pattern)

    def asked_for(self, query: Analysis) -> list[int]:
        """The rows of the phrases that have what a query quotes or describes with stars; empty when it does neither."""
        patterns = [query.pattern] if query.pattern else [_side_by_side(part) for part in query.quoted]
        found = [{self._rows[place] for place in self._wildcards.rows(pattern)} for pattern in patterns]
        return sorted(set.intersection(*found)) if found else []

    def _as_worded(self, text: str) -> float:
        """Likeness of a text's wording to the phrase that it is most like."""
        return float(self._artifacts.ngrams.scores(words(text))[WORDING].max(initial=0))


def _side_by_side(text: str) -> re.Pattern[str]:
    """Finds a text's words among `Wildcards`."""
    return re.compile(f" {re.escape(' '.join(words(text)))}(?= )")

"""Which idiom a query names, if it names one, and what other languages say instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.search.phrases import key_of_words
from bot.search.relations import NONE, Relations, Rows

Scores = npt.NDArray[np.float32]

_NEARLY = 0.83  # Likeness to an idiom's own words from which several words name it, if no other idiom is
_RIVAL = 0.05  # so little less like them.
_STEP = 0.001  # Between the scores of what comes first, so that its order is kept.


@dataclass(frozen=True, slots=True)
class Names:
    """Knows idioms by their own words."""

    relations: Relations
    languages: Collection[str]
    """Of the phrases, by their codes."""
    rows: Mapping[str, int]
    """Of the phrases, by their keys and those of their variants."""
    duplicates: Mapping[int, Sequence[int]]
    """The near-duplicates of a row."""

    def named(self, tokens: Sequence[str], wording: Scores, nearly: bool = True) -> int | None:
        """The row of the idiom of which folded words are the name, or nearly; None when they rather describe one.

        `wording` is their likeness to the own words of every phrase, shape (phrases,). Without `nearly` only a whole
        text or variant is a name.
        """
        best = int(wording.argmax())
        if wording[best] < _NEARLY:
            return None
        keys = (key_of_words(language, tokens) for language in self.languages)
        exact = next((self.rows[key] for key in keys if key in self.rows), None)
        # A word alone is a description, unless it is a whole idiom.
        if exact is not None or not nearly or len(tokens) < 2:
            return exact
        rivals = wording > wording[best] - _RIVAL
        rivals[[best, *self.duplicates.get(best, ())]] = False
        return None if rivals.any() else best

    def put_first(self, named: int, scores: Scores) -> list[int]:
        """Give a phrase and its counterparts the best scores and leave out their contraries; returns the best rows.

        A score of -1 says that a row is left out; that of the named phrase does not count.
        """
        scores[self.contraries(named)] = -1
        first = [named, *(row for row in self.counterparts(named) if scores[row] > -1)]
        scores[first] = 1 - _STEP * np.arange(len(first))
        return first

    def counterparts(self, row: int) -> list[int]:
        """The entries that a person judged to mean the same as a phrase, then the same of its near-duplicates."""
        alike = [row, *self.duplicates.get(row, ())]
        named = dict.fromkeys(entries(self.relations.curated[alike]))
        return [entry for entry in named if entry not in alike]

    def contraries(self, row: int) -> list[int]:
        """What says the contrary of a phrase in any language.

        They are its opposites and those of its counterparts, and the counterparts of these: whose mouth is shut in
        Russian does not spill the beans either.
        """
        alike, relations = [row, *self.duplicates.get(row, ()), *self.counterparts(row)], self.relations
        opposites = entries(relations.opposites[alike])
        told = {*opposites, *entries(relations.curated[opposites])}
        return sorted(told.difference(alike, entries(relations.close[row])))


def entries(rows: Rows) -> list[int]:
    """The rows without NONE."""
    return [row for row in rows.ravel().tolist() if row != NONE]

"""The search engine: from a person's words to the phrases that mean them."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from bot.search.artifacts import Artifacts
from bot.search.phrases import Phrase

Scores = npt.NDArray[np.float32]

_LONGEST = 2000  # Characters of a query that are read; nobody describes an idiom in more.
_CANDIDATES = 400  # Nearest by meaning that a large index proposes; room for the other language's phrases among them.
_EQUIVALENT = 0.6  # Cosine from which a phrase of another language is called an equivalent.
_WORTH_A_LOOK = 0.3  # Likeness of wording that makes a phrase a candidate whatever it means.


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase that answers a query."""

    phrase: Phrase
    score: float
    """At most 1, which is best."""
    reason: Literal["meaning", "wording"]
    """What made it match."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found."""

    matches: list[Match]
    """Best first; empty when nothing is close, unless the nearest were asked for anyway."""
    confidence: float
    """Calibrated probability that the collection has an idiom for the query."""
    searched: str
    """What was searched: the text as typed, or repaired."""
    repaired: bool = False


class SearchEngine:
    """Answers queries from artifacts. Reading only, so threads may share it."""

    def __init__(self, artifacts: Artifacts) -> None:
        self.artifacts = artifacts
        self.phrases: Sequence[Phrase] = artifacts.phrases
        self.approximator = artifacts.approximator
        self._index, self._ranking = artifacts.index, artifacts.ranking
        self._rows = {phrase.key: row for row, phrase in enumerate(self.phrases)}
        languages = np.array([phrase.language for phrase in self.phrases])
        self._spoken = {language: np.flatnonzero(languages == language) for language in np.unique(languages).tolist()}
        variants = [len(phrase.variants) for phrase in self.phrases]
        self._variant_rows = np.repeat(np.arange(len(self.phrases)), variants)

    @classmethod
    def load(cls, folder: str | Path) -> SearchEngine:
        """Read artifacts; raises ArtifactsError with what to do when they are not whole."""
        return cls(Artifacts.load(Path(folder)))

    def search(self, text: str, count: int = 10, languages: Collection[str] | None = None) -> list[Match]:
        """The phrases that fit `text` best, best first; empty when nothing is close."""
        return self.answer(text, count, languages).matches

    def answer(
        self,
        text: str,
        count: int = 10,
        languages: Collection[str] | None = None,
        exact: bool = False,
        anyway: bool = False,
    ) -> Answer:
        """The phrases that fit `text` best, and how sure that is.

        With `exact` the text is searched as it stands, without repair; with `anyway` the nearest are told even when
        none is close.
        """
        text = text[:_LONGEST]
        wording, gloss = self._wordings(text)
        meaning = self._meaning(text, wording, gloss)
        fused = self._ranking.fuse(meaning, wording, gloss)
        rows = self._best(fused, count, languages)
        matches = [
            Match(self.phrases[row], float(fused[row]), "wording" if wording[row] > meaning[row] else "meaning")
            for row in rows
            if fused[row] > 0
        ]
        close = bool(matches) and matches[0].score >= self._ranking.threshold
        return Answer(matches if close or anyway else [], matches[0].score if matches else 0.0, text)

    def similar(self, key: str, count: int = 10, languages: Collection[str] | None = None) -> list[Match]:
        """The phrases nearest in meaning to the phrase `key`, without itself; empty for an unknown key."""
        row = self._rows.get(key)
        if row is None:
            return []
        cosines = self._index.cosines(self._index.vectors[row], np.array([row]), _CANDIDATES)
        cosines[row] = -1
        best = self._best(cosines, count, languages)
        return [Match(self.phrases[row], float(cosines[row]), "meaning") for row in best]

    def equivalents(self, key: str, count: int = 3) -> list[Match]:
        """The phrases of other languages nearest in meaning to the phrase `key`, only those that are close."""
        row = self._rows.get(key)
        if row is None:
            return []
        others = set(self._spoken) - {self.phrases[row].language}
        return [match for match in self.similar(key, count, others) if match.score >= _EQUIVALENT]

    def prefer(self, choices: Mapping[str, int]) -> None:
        """Take into account how often people chose the phrases of these keys."""

    def explain(self, text: str, key: str, exact: bool = False) -> list[tuple[str, float]]:
        """What each word of `text` adds to its cosine to the phrase `key`, as shares of what speaks for it."""
        row = self._rows.get(key)
        if row is None:
            return []
        parts = self.approximator.explain(text[:_LONGEST], self._index.vectors[row])
        whole = sum(part for _, part in parts if part > 0) or 1.0
        return [(word, part / whole) for word, part in parts]

    def _meaning(self, text: str, wording: Scores, gloss: Scores) -> Scores:
        """Likeness of the text's meaning to each phrase's."""
        vector = self.approximator.encode(text)
        if vector is None:
            return np.zeros(len(self.phrases), np.float32)
        if self._index.small:
            return self._index.vectors @ vector
        return self._index.cosines(vector, np.flatnonzero(wording + gloss > _WORTH_A_LOOK), _CANDIDATES)

    def _wordings(self, text: str) -> tuple[Scores, Scores]:
        """Likeness to each phrase's own wordings, and to its meanings and example."""
        scores = self.artifacts.wording.scores(text)
        phrases, glosses = len(self.phrases), len(scores) - len(self.phrases)
        own = scores[:phrases].copy()
        np.maximum.at(own, self._variant_rows, scores[phrases:glosses])
        return own, scores[glosses:]

    def _best(self, scores: Scores, count: int, languages: Collection[str] | None) -> list[int]:
        if languages is not None:
            scores = scores.copy()
            for language, rows_of in self._spoken.items():
                if language not in languages:
                    scores[rows_of] = -1
        rows = np.argpartition(-scores, count)[:count] if count < len(scores) else np.arange(len(scores))
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        return [row for row in rows.tolist() if scores[row] > -1]

    def phrase(self, key: str) -> Phrase | None:
        """The phrase of a key; None when these artifacts lack it."""
        row = self._rows.get(key)
        return None if row is None else self.phrases[row]

    def random(
        self,
        languages: Collection[str] | None = None,
        topic: str | None = None,
        exclude: Collection[str] = frozenset(),
    ) -> Phrase | None:
        """Any phrase of these languages and this topic whose key is not in `exclude`; None when there is none."""
        fitting = [
            phrase
            for phrase, key in zip(self.phrases, self._rows, strict=True)
            if key not in exclude
            and (languages is None or phrase.language in languages)
            and (topic is None or topic in phrase.topics)
        ]
        return random.choice(fitting) if fitting else None

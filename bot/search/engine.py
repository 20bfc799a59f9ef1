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
from bot.search.phrases import Phrase, phrase_key
from bot.search.rank.confidence import TOP, ConfidenceFeatures
from bot.search.rank.explain import Part, shares, word_parts
from bot.search.retrieve.approximator import Vector
from bot.search.retrieve.ngrams import GLOSSES, trigrams, variant_rows
from bot.search.text import words
from bot.search.understand.analysis import Analysis, Reader
from bot.search.understand.vocabulary import Vocabulary

Scores = npt.NDArray[np.float32]

_CANDIDATES = 400  # Nearest by meaning that a large index proposes; room for the other language's phrases among them.
_NAMED = 0.8  # Likeness of wording from which a text is a phrase's name, an article or a word's form aside.
_WORTH_A_LOOK = 0.3  # Likeness of wording that makes a phrase a candidate whatever it means.
_SPARE = 8  # More rows than are asked for, because twins are left out.
_EQUIVALENT = 0.7  # Cosine from which a phrase of another language is called an equivalent; 7 of 10 are curated ones.


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
    analysis: Analysis
    """What was understood of the query."""
    close: bool = True
    """Whether the matches are answers, and not only the nearest that there are."""

    @property
    def searched(self) -> str:
        """What was searched: the text as typed, or repaired."""
        return self.analysis.searched

    @property
    def repaired(self) -> bool:
        """Whether something else was searched than what was typed."""
        return self.analysis.repaired


@dataclass(frozen=True, slots=True)
class Equivalent:
    """What another language says instead of a phrase."""

    text: str
    language: str
    key: str = ""
    """Of its entry; empty when the collection lacks it."""
    curated: bool = True
    """Whether a person judged that it means the same; otherwise it was found by meaning."""


@dataclass(frozen=True, slots=True)
class _Likeness:
    """What a query has in common with every phrase: arrays of shape (phrases,), higher is better."""

    vector: Vector | None
    """Of the query's meaning."""
    meaning: Scores
    wording: Scores
    fused: Scores


class SearchEngine:
    """Answers queries from artifacts. Reading only, but for `prefer`, so threads may share it."""

    def __init__(self, artifacts: Artifacts) -> None:
        self.artifacts = artifacts
        self.phrases: Sequence[Phrase] = artifacts.phrases
        self.approximator = artifacts.approximator
        self._index, self._fusion = artifacts.index, artifacts.fusion
        self._rows = {phrase.key: row for row, phrase in enumerate(self.phrases)}
        languages = np.array([phrase.language for phrase in self.phrases])
        self._spoken = {language: np.flatnonzero(languages == language) for language in np.unique(languages).tolist()}
        self._varied, self._first_variants = np.unique(variant_rows(self.phrases), return_index=True)
        self._duplicates: dict[int, list[int]] = {}
        for row, other in artifacts.near_duplicates.tolist():
            self._duplicates.setdefault(row, []).append(other)
        self._log_frequency = _log_frequency(self.phrases, artifacts.vocabulary)
        self._reader = Reader(artifacts)
        self.set_click_counts({})

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
        analysis = self.analyse(text, exact)
        found = analysis.tokens
        likeness = self._likeness(found)
        asked_for = self._reader.asked_for(analysis)
        scores = self._among(likeness.fused, languages, asked_for)
        rows = self._best(scores, max(count + _SPARE, TOP))
        sure = self.artifacts.confidence
        confidence = (
            1.0 if asked_for and rows else sure.of(self._confidence_features(found, likeness, scores[rows[:TOP]]))
        )
        # Emoji alone are a riddle: whoever sets one asks for guesses.
        close = confidence >= sure.threshold or not words(analysis.searched)
        matches = [self._match(row, likeness, bool(asked_for)) for row in self._deduplicate(rows)[:count]]
        return Answer(matches if close or anyway else [], confidence, analysis, close and bool(matches))

    def analyse(self, text: str, exact: bool = False) -> Analysis:
        """What a text as it was typed asks for; with `exact` nothing is repaired."""
        return self._reader.analyse(text, exact)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the phrases."""
        return tuple(self._spoken)

    def confidence_features(self, text: str) -> ConfidenceFeatures:
        """What the confidence of an answer is judged by."""
        found = self.analyse(text).tokens
        likeness = self._likeness(found)
        return self._confidence_features(found, likeness, likeness.fused[self._best(likeness.fused, TOP)])

    def similar(self, key: str, count: int = 10, languages: Collection[str] | None = None) -> list[Match]:
        """The phrases nearest in meaning to the phrase `key`, without itself; empty for an unknown key."""
        row = self._rows.get(key)
        if row is None:
            return []
        cosines = self._index.cosines(self._index.vectors[row], np.array([row]), _CANDIDATES)
        cosines[row] = -1
        best = self._best(self._among(cosines, languages), count)
        return [Match(self.phrases[row], float(cosines[row]), "meaning") for row in best]

    def equivalents(self, key: str, count: int = 3) -> list[Equivalent]:
        """What other languages say instead of the phrase `key`: curated ones first, then close ones by meaning."""
        phrase = self.phrase(key)
        if phrase is None:
            return []
        curated = [
            Equivalent(text, language, named.key if (named := self.named(text, language)) else "")
            for language, texts in phrase.equivalents.items()
            for text in texts
        ]
        known = {one.key for one in curated}
        near = self.similar(key, count, self._spoken.keys() - {phrase.language})
        found = [match.phrase for match in near if match.score >= _EQUIVALENT and match.phrase.key not in known]
        return [*curated, *(Equivalent(one.text, one.language, one.key, curated=False) for one in found)]

    def set_click_counts(self, clicks: Mapping[str, int]) -> None:
        """Take into account how often people chose the phrases of these keys; others count as never chosen."""
        chosen = np.array([clicks.get(key, 0) for key in self._rows])
        self._popularity = self._fusion.popularity(self._log_frequency, chosen)

    def explain(self, analysis: Analysis, key: str) -> list[Part]:
        """What each searched word adds to the score of the phrase `key`, greatest first.

        The shares are of all that speaks for the phrase; what speaks against it is negative. Exact for likeness of
        meaning: cosine and shared trigrams are sums over the query's words.
        """
        row = self._rows.get(key)
        if row is None:
            return []
        found = analysis.tokens
        gloss = word_parts(found, self.artifacts.wording.parts(trigrams(found), GLOSSES, row))
        cosine = self.approximator.explain(found, self._index.vectors[row])
        parts = [(word, part + self._fusion.gloss * more) for (word, part), more in zip(cosine, gloss, strict=False)]
        return shares(parts)

    # From words to scores

    def _likeness(self, found: Sequence[str]) -> _Likeness:
        worded, gloss = self.artifacts.wording.scores(trigrams(found))
        wording, variants = worded[: len(self.phrases)], worded[len(self.phrases) :]
        if variants.max(initial=0) > _WORTH_A_LOOK:
            best = np.maximum.reduceat(variants, self._first_variants)
            wording[self._varied] = np.maximum(wording[self._varied], best)
        vector = self.approximator.encode_words(found)
        meaning = self._cosines(vector, wording, gloss)
        return _Likeness(vector, meaning, wording, self._fusion.fuse(meaning, wording, gloss, self._popularity))

    def _cosines(self, vector: Vector | None, wording: Scores, gloss: Scores) -> Scores:
        if vector is None:
            return np.zeros(len(self.phrases), np.float32)
        if self._index.small:
            return self._index.vectors @ vector
        return self._index.cosines(vector, np.flatnonzero(wording + gloss > _WORTH_A_LOOK), _CANDIDATES)

    def _among(self, scores: Scores, languages: Collection[str] | None, asked_for: Sequence[int] = ()) -> Scores:
        """The scores of these languages' phrases, and of those asked for if any are; of the others -1."""
        left_out = [rows for language, rows in self._spoken.items() if languages and language not in languages]
        if languages is not None and not languages:
            left_out = list(self._spoken.values())
        if not left_out and not asked_for:
            return scores
        among = scores.copy()
        if asked_for:
            among = np.full_like(scores, -1)
            among[asked_for] = scores[asked_for]
        for rows in left_out:
            among[rows] = -1
        return among

    def _best(self, scores: Scores, count: int) -> list[int]:
        rows = np.argpartition(scores, -count)[-count:] if count < len(scores) else np.arange(len(scores))
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        return [row for row in rows.tolist() if scores[row] > 0]

    def _deduplicate(self, rows: list[int]) -> list[int]:
        """The rows without those that say the same in nearly the same words as a better one."""
        kept: list[int] = []
        left_out: set[int] = set()
        for row in rows:
            if row not in left_out:
                kept.append(row)
                left_out.update(self._duplicates.get(row, ()))
        return kept

    def _confidence_features(self, found: Sequence[str], likeness: _Likeness, best: Scores) -> ConfidenceFeatures:
        known = self.artifacts.vocabulary.known(found)
        worded = likeness.wording.max(initial=0)
        return ConfidenceFeatures(
            top1=float(best[0]) if len(best) else 0.0,
            top10_mean=float(best.mean()) if len(best) else 0.0,
            lexical=float(self._fusion.lexical(worded)) if worded > self._fusion.lexical_threshold else 0.0,
            unknown=known.count(0) / len(found) if found else 1.0,
            digits=sum(not word.isalpha() for word in found) / len(found) if found else 0.0,
            vector=likeness.vector,
        )

    def _match(self, row: int, likeness: _Likeness, asked_for: bool) -> Match:
        worded = asked_for or likeness.wording[row] > likeness.meaning[row]
        return Match(self.phrases[row], float(likeness.fused[row]), "wording" if worded else "meaning")

    # Phrases

    def phrase(self, key: str) -> Phrase | None:
        """The phrase of a key; None when these artifacts lack it."""
        row = self._rows.get(key)
        return None if row is None else self.phrases[row]

    def named(self, text: str, language: str) -> Phrase | None:
        """The phrase of a language that a text names, in its own words or nearly so; None when there is none."""
        if phrase := self.phrase(phrase_key(language, text)):
            return phrase
        worded = self._among(self._likeness(words(text)).wording, (language,))
        row = int(np.argmax(worded))
        return self.phrases[row] if worded[row] >= _NAMED else None

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


def _log_frequency(phrases: Sequence[Phrase], vocabulary: Vocabulary) -> Scores:
    """How frequent a phrase's words are on the mean, 0 to 1, shape (phrases,)."""
    found = [words(phrase.text) for phrase in phrases]
    levels = vocabulary.frequencies([word for one in found for word in one]) / np.float32(255)
    starts = np.cumsum([0, *map(len, found)])[:-1]
    return np.asarray(np.add.reduceat(levels, starts) / np.array(list(map(len, found))), np.float32)

"""The search engine: from a person's words to the phrases that mean them."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.artifacts import Artifacts
from bot.search.lookup import Lookup, Reason
from bot.search.names import Names
from bot.search.phrases import Phrase, script_language
from bot.search.rank.best import best_rows
from bot.search.rank.confidence import TOP, ConfidenceFeatures
from bot.search.rank.explain import Part
from bot.search.relations import NONE, Equivalent, RowsByKey
from bot.search.retrieve.wildcards import Wildcards
from bot.search.scoring import Likeness, Scoring
from bot.search.understand.analysis import Analyser, Analysis

Scores = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

_NEAR = 20  # The opposites of so many of the best answers are what a question for an opposite gets.
_HALF_AN_IDIOM = 0.5  # Lexical likeness to an idiom above which a text need not be repaired to be known.
_SPARE = 8  # More rows than are asked for, because near-duplicates are left out.
# Likeness from which phrases are called similar, with a reader and without: chosen by eye on the cards of thirty
# phrases. Some 8 % of all have nothing so near.
_ALIKE, _ALIKE_UNREAD = 0.57, 0.56


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase that answers a query."""

    phrase: Phrase
    score: float
    """At most 1, which is best."""
    reason: Reason
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
    """Whether the matches are answers, and not only the nearest there are."""
    sure: bool = True
    """Whether they surely are; otherwise they are a perhaps."""
    language: str = ""
    """The language of the phrases that were searched, where it is that of the query; else empty."""

    @property
    def searched(self) -> str:
        """What was searched: the text as typed, or repaired."""
        return self.analysis.searched

    @property
    def repaired(self) -> bool:
        """Whether something else was searched than what was typed."""
        return self.analysis.repaired


def _reason(row: int, likeness: Likeness, first: Sequence[int], required: bool) -> Reason:
    """What made a row match; `first` are those of the idiom that is named, if one is, and of its counterparts."""
    if row in first[1:]:
        return "counterpart"
    if required or row in first or likeness.wording[row] > likeness.meaning[row]:
        return "wording"
    return "similar" if first else "meaning"


class SearchEngine:
    """Answers queries from artifacts. Only `set_click_counts` changes it, so threads may share it."""

    def __init__(self, artifacts: Artifacts) -> None:
        self.artifacts = artifacts
        self.phrases: Sequence[Phrase] = artifacts.phrases
        relations = artifacts.relations
        self._rows = RowsByKey(relations)
        languages = relations.languages
        self._spoken = {code: np.flatnonzero(languages == code) for code in dict.fromkeys(languages.tolist())}
        self._duplicates: dict[int, list[int]] = {}
        for row, other in relations.near_duplicates.tolist():
            self._duplicates.setdefault(row, []).append(other)
        self._confidence = artifacts.read_confidence if artifacts.reader else artifacts.confidence
        self._names = Names(relations, self.languages, self._rows, self._duplicates)
        self._analyser, self._lookup = Analyser(artifacts.vocabulary, artifacts.emoji), Lookup(artifacts, self._names)
        self.set_click_counts({})

    @classmethod
    def load(cls, folder: str | Path, reader: bool = True) -> SearchEngine:
        """Read artifacts, with their reader or without it. Raises ArtifactsError with what to do when that fails."""
        return cls(Artifacts.load(Path(folder), reader=reader))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the phrases, by their codes, in the order of the collection."""
        return tuple(self._spoken)

    @cached_property
    def _wildcards(self) -> Wildcards:
        """Made when first needed: few queries quote words, and to fold all phrases takes a tenth of the start."""
        return Wildcards(phrase.names for phrase in self.phrases)

    # Queries

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
        own: bool = False,
        hurried: bool = False,
    ) -> Answer:
        """The phrases that fit `text` best, and how sure that is.

        With `exact` the text is searched as it stands, without repair; with `anyway` the nearest are returned even
        when none is close; with `hurried` the reader is left out, which takes a third of the time. With `own` and
        without `languages`, a text with letters is searched among the phrases of its own language, unless only others
        are close.
        """
        analysis, wording = self._scored(self._analyser.analyse(text, exact))
        languages = analysis.languages or languages
        spoken = own and not analysis.rebus and any(map(str.isalpha, analysis.meaning))
        if languages is not None or not spoken:
            return self._answer(analysis, wording, count, languages, anyway, hurried)
        language = script_language(analysis.meaning)
        narrow = self._answer(analysis, wording, count, (language,), anyway, hurried)
        if not narrow.close:
            wide = self._answer(analysis, wording, count, None, anyway, hurried)
            if wide.close or not narrow.matches:
                return wide
        return replace(narrow, language=language)

    def _answer(
        self,
        analysis: Analysis,
        wording: Scores,
        count: int,
        languages: Collection[str] | None,
        anyway: bool,
        hurried: bool,
    ) -> Answer:
        """The answer to what was understood of a query; `wording` is its likeness to phrases' own words."""
        named = None if analysis.rebus else self._named(analysis.tokens, wording)
        if named is None and analysis.intent in ("explain", "origin") and len(analysis.tokens) > 1:
            analysis = replace(analysis, unknown_name=True)
        found = self._lookup.found(analysis, named, languages, lambda: self._rows_near(analysis.tokens))
        if found is not None:
            matches = [Match(self.phrases[row], score, reason) for row, score, reason in found[:count]]
            return Answer(matches, float(bool(matches)), analysis, bool(matches))
        required = self._wildcards.rows(analysis.quoted, analysis.pattern) if analysis.asks_for_words else []
        named = None if required and named not in required else named  # a name may have quotation marks of its own
        likeness = self._scoring.likeness(analysis, wording, named, hurried)
        judge = self.artifacts.confidence if hurried else self._confidence
        scores = self._among(likeness.fused, languages, required or self._lookup.of_kind(analysis.kind))
        first = [] if named is None else self._names.put_first(named, scores)
        rows = best_rows(scores, max(count + _SPARE, TOP))
        features = self._scoring.confidence_features(analysis.tokens, likeness, scores, rows[:TOP])
        confidence = 1.0 if (required or first) and len(rows) else judge.of(features)
        # Who sets a riddle, or asks for proverbs, asks for guesses.
        close = confidence >= judge.threshold or bool(analysis.rebus or analysis.kind)
        matches = [
            Match(self.phrases[row], float(scores[row]), _reason(row, likeness, first, bool(required)))
            for row in (self._distinct(rows, count) if close or anyway else [])
        ]
        return Answer(matches, confidence, analysis, close and len(rows) > 0, confidence >= judge.sure)

    def analyse(self, text: str, exact: bool = False) -> Analysis:
        """What a text as it was typed asks for; with `exact` nothing is repaired."""
        analysis = self._analyser.analyse(text, exact)
        return self._scored(analysis)[0] if analysis.repaired or analysis.naming else analysis

    def _scored(self, analysis: Analysis) -> tuple[Analysis, Scores]:
        """The analysis, or that of the text as typed where it fits better, and the likeness to phrases' own words.

        Half an idiom with a typo is better known by its trigrams than by guessing its words. Emoji alone are likened to
        the words that they picture.
        """
        if analysis.rebus:
            return analysis, self.artifacts.rebuses.scores(analysis.rebus)
        wording = self._scoring.wording(analysis.tokens)
        if analysis.repaired:
            as_typed = self._analyser.analyse(analysis.typed, exact=True)
            wording_as_typed = self._scoring.wording(as_typed.tokens)
            if wording_as_typed.max() >= max(wording.max(), _HALF_AN_IDIOM):
                analysis, wording = as_typed, wording_as_typed
        if analysis.naming:
            plain = self._analyser.analyse(analysis.searched, exact=True, naming=False)
            wording_of_plain = self._scoring.wording(plain.tokens)
            if self._named(analysis.tokens, wording) is None or wording_of_plain.max() > wording.max():
                return replace(plain, typed=analysis.typed), wording_of_plain
        return analysis, wording

    def _named(self, tokens: Sequence[str], wording: Scores) -> int | None:
        """The row of the idiom that folded words name; everyday words name one only by its whole text."""
        return self._names.named(tokens, wording, nearly=self._scoring.telling(tokens))

    def _rows_near(self, tokens: Sequence[str]) -> list[int]:
        """The phrases of any language that fit words best."""
        found = (match.phrase.key for match in self.answer(" ".join(tokens), _NEAR, exact=True).matches)
        return [self._rows[key] for key in found if key in self._rows]

    def confidence_features(self, text: str) -> ConfidenceFeatures:
        """What the confidence of an answer over all languages is judged by."""
        analysis, wording = self._scored(self._analyser.analyse(text))
        likeness = self._scoring.likeness(analysis, wording)
        best = best_rows(likeness.fused, TOP)
        return self._scoring.confidence_features(analysis.tokens, likeness, likeness.fused, best)

    def explain(self, analysis: Analysis, key: str) -> list[Part]:
        """What each searched word adds to the score of the phrase `key`, greatest first; empty for an unknown key.

        The part of "" is what the sentence as a whole adds.
        """
        row = self._rows.get(key)
        return [] if row is None else self._scoring.parts(analysis, row)

    def set_click_counts(self, clicks: Mapping[str, int]) -> None:
        """Take into account how often people chose the phrases of these keys; others count as never chosen."""
        self.click_counts = clicks
        self._scoring = Scoring(self.artifacts, clicks)

    # Phrases

    def phrase(self, key: str) -> Phrase | None:
        """The phrase of a key, or of which the key's phrase has become a variant; None when these artifacts lack it."""
        row = self._rows.get(key)
        return None if row is None else self.phrases[row]

    def similar(
        self, key: str, count: int = 10, languages: Collection[str] | None = None, least: float | None = None
    ) -> list[Match]:
        """The phrases that are like one of this key in meaning, without its contraries, the likest first.

        Empty for an unknown key, and where none is like it: what counts as like is `least`, a cosine, or what people
        would call similar.
        """
        row = self._rows.get(key)
        if row is None:
            return []
        cosines = self._lookup.alike(row)
        least = (_ALIKE if self.artifacts.readings else _ALIKE_UNREAD) if least is None else least
        best = best_rows(self._among(cosines, languages), count).tolist()
        return [
            Match(self.phrases[other], float(cosines[other]), "meaning") for other in best if cosines[other] >= least
        ]

    def equivalents(self, key: str) -> list[Equivalent]:
        """What other languages say instead of the phrase `key`: curated ones first; empty for an unknown key."""
        row = self._rows.get(key)
        return [] if row is None else self.artifacts.relations.equivalents(self.phrases, row)

    def opposites(self, key: str) -> list[Phrase]:
        """The phrases of the same language that say the contrary of the phrase `key`; empty for an unknown key."""
        row = self._rows.get(key)
        entries = [] if row is None else self.artifacts.relations.opposites[row].tolist()
        return [self.phrases[entry] for entry in entries if entry != NONE]

    @property
    def topics(self) -> list[str]:
        """What phrases are about, in alphabetical order."""
        topics: list[str] = self.artifacts.relations.topics.tolist()
        return topics

    def random(
        self,
        languages: Collection[str] | None = None,
        topic: str | None = None,
        exclude: Collection[str] = frozenset(),
        rng: random.Random | None = None,
    ) -> Phrase | None:
        """A well-known, decent phrase of these languages and this topic whose key is not in `exclude`, or None.

        It is drawn by `rng` where that is given, so that equal seeds draw the same phrase.
        """
        fitting = self._offered(languages)
        if topic is not None:
            fitting &= self.artifacts.relations.about[:, self.artifacts.relations.topics == topic].any(axis=1)
        fitting[[self._rows[key] for key in exclude if key in self._rows]] = False
        rows = np.flatnonzero(fitting)
        return self.phrases[int(rows[(rng or random).randrange(len(rows))])] if len(rows) else None

    def sample(self, count: int, languages: Collection[str] | None = None) -> list[Phrase]:
        """Up to `count` different well-known, decent phrases of these languages, drawn by lot."""
        rows = np.flatnonzero(self._offered(languages)).tolist()
        return [self.phrases[row] for row in random.sample(rows, min(count, len(rows)))]

    def _offered(self, languages: Collection[str] | None) -> npt.NDArray[np.bool_]:
        """Whether a phrase is well known and decent, and of these languages, shape (phrases,)."""
        relations = self.artifacts.relations
        spoken = True if languages is None else np.isin(relations.languages, [*languages])
        return relations.offered & spoken

    # Rows

    def _among(self, scores: Scores, languages: Collection[str] | None, required: Sequence[int] = ()) -> Scores:
        """The scores of these languages' phrases, and of the required ones if any are; of the others -1."""
        left_out = [rows for language, rows in self._spoken.items() if not (languages is None or language in languages)]
        if not left_out and not required:
            return scores
        among = scores.copy()
        if required:
            among = np.full_like(scores, -1)
            among[required] = scores[required]
        for rows in left_out:
            among[rows] = -1
        return among

    def _distinct(self, rows: Rows, count: int) -> list[int]:
        """At most `count` of the rows, without those that say the same in nearly the same words as a better one."""
        kept: list[int] = []
        left_out: set[int] = set()
        for row in rows.tolist():
            if len(kept) == count:
                break
            if row not in left_out:
                kept.append(row)
                left_out.update(self._duplicates.get(row, ()))
        return kept

"""From the words of a query to a score for every phrase, and what each word adds to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.search.artifacts import Artifacts
from bot.search.phrases import USUAL, script_language
from bot.search.rank import contraries
from bot.search.rank.confidence import ConfidenceFeatures
from bot.search.rank.explain import Part, shares
from bot.search.retrieve.ann import AnnIndex
from bot.search.retrieve.approximator import Vector
from bot.search.retrieve.lexical import Places, stems, trigrams
from bot.search.retrieve.parts import covering
from bot.search.text import words
from bot.search.understand.analysis import Analysis
from bot.search.understand.edits import one_slip_apart

Scores = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

_CANDIDATES = 400  # Nearest by meaning that a large index proposes; room for the other language's phrases among them.
_WORTH_A_LOOK = 0.3  # Lexical likeness that makes a phrase a candidate of a large index whatever it means.
# A name with a slip of the finger is at least so like the name, and the longer it is the more, as if of its letters no
# more than so many were lost.
_LEAST_LIKE, _LOST = 0.2, 8
# The two likest phrases that have a text word for word are worth this, and everyday words too: the idiom that somebody
# half remembers is among the first, and what the words mean as a rule before it.
_HELD, _MOST_HELD = 0.7, 2
_READ = 10  # Phrases, the likest ones, that are read to see whether they have a text, or have it with a slip.
_AS_IT_IS = 0.8  # Likeness to such a name of a text whose words are all known: it may well mean what it says.
_PLAIN = 2000  # What words tell together from which they may be a part of an idiom: "give up" may be any.
# Having every word of a query is worth this likeness, and what a phrase has beside them counts less by this share for
# each step that it is more common: of two that begin as the query does, what everybody says comes first.
_PART, _COMMONER = 0.6, 0.15
_MOST_READ = 24  # Words of a query that are left out in turn, each time for a millisecond or two.
_NO_ROWS = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a query has in common with every phrase: arrays of shape (phrases,), higher is better."""

    vector: Vector | None
    """Of the query's meaning."""
    meaning: Scores
    wording: Scores
    reading: Scores
    """Zeros without a reader."""
    read: Vector | None
    """What the reader makes of the query; None without a reader."""
    fused: Scores


class Scoring:
    """Scores phrases by artifacts, and by how often people chose the phrases of some keys. Threads may share it."""

    def __init__(self, artifacts: Artifacts, clicks: Mapping[str, int]) -> None:
        self._artifacts, relations = artifacts, artifacts.relations
        chosen = np.array([clicks.get(key, 0) for key in relations.keys.tolist()])
        self._popularity = artifacts.fusion.popularity(relations.common - USUAL, chosen)

    def telling(self, tokens: Sequence[str]) -> bool:
        """Whether folded words tell so much together that they may be a part of an idiom."""
        return sum(self._artifacts.vocabulary.information(tokens).values()) > _PLAIN

    def wording(self, tokens: Sequence[str]) -> Scores:
        """The likeness of folded words to phrases' own words, greater where they are part of a phrase."""
        artifacts = self._artifacts
        scores = artifacts.wording.scores(trigrams(tokens))
        information = artifacts.vocabulary.information(tokens)
        rows = covering(artifacts.parts, information)
        if sum(information.values()) > _PLAIN:
            steps = artifacts.relations.common[rows].astype(np.float32) - USUAL
            scores[rows] = 1 - (1 - _PART) * (1 - scores[rows]) * (1 - _COMMONER * steps)
            if len(tokens) > 1:
                slipped = self._mistyped(" ".join(tokens), scores)
                meant = slipped and len(artifacts.vocabulary.known(tokens)) == len(tokens)
                scores[slipped] = np.maximum(scores[slipped], _AS_IT_IS) if meant else 1
        if len(rows):
            held = self._in_a_row(" ".join(tokens), scores, rows)
            scores[held] = np.maximum(scores[held], _HELD)
        return scores

    def _mistyped(self, text: str, scores: Scores) -> list[int]:
        """The rows of phrases of which a folded text is the name with one slip, if they are among the likest."""
        near = np.flatnonzero(scores >= max(_LEAST_LIKE, 1 - _LOST / len(text)))
        return [
            row
            for row in _likest(near, scores)
            if any(one_slip_apart(text, " ".join(words(name))) for name in self._artifacts.phrases[row].names)
        ]

    def _in_a_row(self, text: str, scores: Scores, rows: Places) -> list[int]:
        """Of some rows, of which the likest are looked at, those whose phrases have a folded text word for word."""
        held = (row for row in _likest(np.unique(rows), scores) if self._artifacts.phrases[row].has(text))
        return list(islice(held, _MOST_HELD))

    def likeness(
        self, analysis: Analysis, wording: Scores, named: int | None = None, hurried: bool = False
    ) -> Likeness:
        """What a query has in common with every phrase; `wording` is its likeness to phrases' own words.

        Of the words of a `named` phrase it is its meaning that counts, not theirs. With `hurried` the reader is left
        out.
        """
        artifacts, tokens = self._artifacts, analysis.tokens
        gloss = artifacts.glosses.scores(stems(tokens))
        vector = artifacts.approximator.encode_tokens(tokens)
        meaning = np.zeros(len(artifacts.phrases), np.float32)
        if named is not None:
            vector = _meant(artifacts.index, named, vector)
        if vector is not None:
            also = np.flatnonzero(wording + gloss > _WORTH_A_LOOK) if artifacts.index.proposes else _NO_ROWS
            meaning = artifacts.index.cosines(vector, also, _CANDIDATES)
        read = None if hurried else self._read(analysis, named)
        reading = None if read is None or artifacts.readings is None else artifacts.readings.scan(read)
        fused = artifacts.fusion.score(
            meaning,
            wording,
            gloss if named is None else meaning,
            self._popularity,
            reading,
            script_language(analysis.meaning),
        )
        if reading is not None and named is None:
            # Whose words are said needs no reader to be meant.
            meant = np.where(wording < _PART, reading, np.float32(1))
            fused = contraries.decided(fused, meant, artifacts.relations.opposites)
        return Likeness(vector, meaning, wording, np.zeros_like(meaning) if reading is None else reading, read, fused)

    def confidence_features(
        self, tokens: Sequence[str], likeness: Likeness, scores: Scores, rows: Rows
    ) -> ConfidenceFeatures:
        """What is seen of a query and of its best matches, the rows `rows`."""
        best, cosines = scores[rows], likeness.meaning[rows]
        known = self._artifacts.vocabulary.known(tokens)
        best_wording = likeness.wording.max(initial=0, keepdims=True)
        return ConfidenceFeatures(
            top1=float(best[0]) if len(best) else 0.0,
            top10_mean=float(best.mean()) if len(best) else 0.0,
            cosine=float(cosines.max(initial=0)),
            mean_cosine=float(cosines.mean()) if len(best) else 0.0,
            reading=float(likeness.reading[rows].max(initial=0)),
            mean_reading=float(likeness.reading[rows].mean()) if len(best) else 0.0,
            lexical=float(self._artifacts.fusion.lexical(best_wording)[0]),
            unknown=1 - len(known) / len(tokens) if tokens else 1.0,
            digits=sum(not word.isalpha() for word in tokens) / len(tokens) if tokens else 0.0,
            vector=likeness.vector,
            read=likeness.read,
        )

    def parts(self, analysis: Analysis, row: int) -> list[Part]:
        """What each searched word adds to the score of a phrase, greatest first.

        The shares are of all that speaks for the phrase; what speaks against it is negative. Exact for likeness of
        meaning: cosine and shared stems are sums over the query's words. Of the reader's cosine a word has what the
        cosine loses without it; the rest is the part of "", the sentence as a whole.
        """
        artifacts, tokens = self._artifacts, analysis.tokens
        gloss = artifacts.glosses.contributions(stems(tokens), row)
        cosine = artifacts.approximator.explain(tokens, artifacts.index.vectors_of(np.array([row]))[0])
        weight = artifacts.fusion.gloss
        parts = [(word, part + weight * more) for (word, part), more in zip(cosine, gloss, strict=False)]
        whole, read = self._read_parts(analysis, row)
        parts = [(word, part + more) for (word, part), more in zip(parts, read, strict=False)]
        return shares(parts, whole - sum(read))

    def _read_parts(self, analysis: Analysis, row: int) -> tuple[float, list[float]]:
        """What the reader adds to a phrase's score, and what of that each word adds; zeros without a reader."""
        reader, readings, tokens = self._artifacts.reader, self._artifacts.readings, analysis.tokens
        if not (reader and readings and tokens) or analysis.rebus:
            return 0.0, [0.0] * len(tokens)
        weight = self._artifacts.fusion.reading.get(script_language(analysis.meaning), 1.0)
        vector = readings.vectors_of(np.array([row]))[0]
        without = (" ".join([*tokens[:place], *tokens[place + 1 :]]) for place in range(min(len(tokens), _MOST_READ)))
        whole, *others = (weight * float(reader.encode(text) @ vector) for text in (analysis.meaning, *without))
        parts = [whole - other for other in others] if len(tokens) > 1 else [whole]
        return whole, parts + [0.0] * (len(tokens) - len(parts))

    def _read(self, analysis: Analysis, named: int | None) -> Vector | None:
        """The reader's vector of a query, or of the phrase that it names.

        None without a reader, for emoji alone, and for a text without words.
        """
        reader, readings = self._artifacts.reader, self._artifacts.readings
        if not (reader and readings and analysis.tokens) or analysis.rebus:
            return None
        if named is not None:
            return np.asarray(readings.vectors_of(np.array([named]))[0], np.float32)
        return reader.encode(analysis.meaning)


def _likest(rows: npt.NDArray[np.integer[Any]], scores: Scores) -> list[int]:
    """A few of the rows, those of the greatest scores, the likest first."""
    likest: list[int] = rows[np.argsort(-scores[rows], kind="stable")[:_READ]].tolist()
    return likest


def _meant(index: AnnIndex, named: int, vector: Vector | None) -> Vector:
    """The meaning of a phrase and, as far as they say what it means, of the words that name it."""
    own = index.vectors_of(np.array([named]))[0]
    both = own if vector is None else own + max(0.0, float(own @ vector)) * vector
    return np.asarray(both / np.linalg.norm(both), np.float32)

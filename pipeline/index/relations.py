"""What phrases have to do with each other: near-duplicates, equivalents and opposites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bot.search.phrases import Phrase, Role, phrase_key, texts_of
from bot.search.relations import NONE, Relations, Rows
from bot.search.retrieve.lexical import LexicalIndex, trigrams
from bot.search.text import words
from pipeline.recipe import Recipe

Vectors = npt.NDArray[np.float32]

_CLOSE = 3  # Phrases of other languages that are kept for each.
_CHUNK = 1000  # Rows that are compared with all others at once.


def relate(
    phrases: Sequence[Phrase], vectors: Vectors, wording: LexicalIndex, recipe: Recipe, readings: Vectors | None = None
) -> Relations:
    """Find all relations of a collection; `vectors` and the reader's are unit vectors, shape (phrases, dimensions)."""
    relations = Relations.of(phrases)
    curated, opposites = named(phrases, "equivalent"), named(phrases, "opposite")
    # Side by side, two vectors have the mean of their cosines.
    both = vectors if readings is None else np.hstack([vectors, readings]) / np.sqrt(np.float32(2))
    close = close_equivalents(both, relations.languages, recipe.equivalent_from)
    return replace(
        relations,
        near_duplicates=near_duplicates(phrases, both, wording, opposites, recipe),
        curated=curated,
        opposites=opposites,
        close=without_contraries(close, curated, opposites),
    )


def near_duplicates(
    phrases: Sequence[Phrase], vectors: Vectors, wording: LexicalIndex, opposites: Rows, recipe: Recipe
) -> Rows:
    """Pairs of phrases of a language that are alike in meaning and in wording, each both ways, shape (pairs, 2).

    What says the contrary often does so in nearly the same words ("lose heart", "take heart") and is no duplicate:
    `opposites` has a row for each phrase.
    """
    pairs: list[tuple[int, int]] = []
    for row, phrase in enumerate(phrases):
        likeness = wording.scores(trigrams(words(phrase.text)), alternatives=False)
        for other in np.flatnonzero(likeness >= recipe.duplicate_wording).tolist():
            alike = vectors[row] @ vectors[other] >= recipe.duplicate_meaning
            if alike and other not in (row, *opposites[row]) and phrases[other].language == phrase.language:
                pairs += [(row, other), (other, row)]
    return np.unique(np.array(pairs, np.int32).reshape(-1, 2), axis=0)


def named(phrases: Sequence[Phrase], role: Role) -> Rows:
    """The entries that phrases name by their texts of a role, both ways round: if a names b, b names a.

    Shape (phrases, the most that one has): the entries of a phrase's own texts in their order, NONE where there is no
    such entry, then those that name it; NONE fills the rest.
    """
    wordings = [(row, phrase.language, text) for row, phrase in enumerate(phrases) for text in phrase.variants]
    rows = {phrase_key(language, text): row for row, language, text in wordings}
    rows |= {phrase.key: row for row, phrase in enumerate(phrases)}
    entries = [
        [rows.get(phrase_key(text.language, text.text), NONE) for text in texts_of(phrase) if text.role == role]
        for phrase in phrases
    ]
    naming: list[list[int]] = [[] for _ in phrases]
    for row, of_row in enumerate(entries):
        for entry in of_row:
            if entry != NONE and row not in entries[entry] + naming[entry]:
                naming[entry].append(row)
    both = [of_row + others for of_row, others in zip(entries, naming, strict=True)]
    found = np.full((len(phrases), max(map(len, both), default=0)), NONE, np.int32)
    for row, of_row in enumerate(both):
        found[row, : len(of_row)] = of_row
    return found


def without_contraries(close: Rows, curated: Rows, opposites: Rows) -> Rows:
    """Close phrases without the opposites of a phrase's equivalents and the equivalents of its opposites.

    They are about the same, and so their vectors are near: "spill the beans" and "держать язык за зубами". All arrays
    have a row for each phrase, in which NONE stands for no entry.
    """
    kept = close.copy()
    for row in np.flatnonzero((close != NONE).any(axis=1)).tolist():
        contraries = {*opposites[_entries(curated[row])].flat, *curated[_entries(opposites[row])].flat}
        kept[row, [entry in contraries for entry in close[row].tolist()]] = NONE
    return kept


def _entries(row: Rows) -> Rows:
    return np.asarray(row[row != NONE], np.int32)


def close_equivalents(vectors: Vectors, languages: npt.NDArray[np.str_], least: float) -> Rows:
    """The three nearest phrases of other languages with a cosine of at least `least`, shape (phrases, 3)."""
    found = np.full((len(vectors), _CLOSE), NONE, np.int32)
    for start in range(0, len(vectors), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        cosines = np.where(languages[chunk, None] == languages, -1, vectors[chunk] @ vectors.T)
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :_CLOSE]
        close = np.take_along_axis(cosines, best, axis=1) >= least
        found[chunk, : best.shape[1]] = np.where(close, best, NONE)
    return found

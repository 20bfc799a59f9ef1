"""What phrases have to do with each other: near-duplicates, equivalents, and how frequent their words are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.search.phrases import Phrase, phrase_key, texts_of
from bot.search.relations import NONE, Relations, Rows, keys_of
from bot.search.retrieve.ngrams import WORDING, NGramIndex
from bot.search.text import words
from bot.search.understand.vocabulary import Vocabulary
from pipeline.recipe import Recipe

Vectors = npt.NDArray[np.float32]

_CLOSE = 3  # Phrases of other languages that are kept for each.
_CHUNK = 1000  # Rows that are compared with all others at once.


def relate(
    phrases: Sequence[Phrase], vectors: Vectors, ngrams: NGramIndex, vocabulary: Vocabulary, recipe: Recipe
) -> Relations:
    """Find all relations of a collection; `vectors` are unit vectors of shape (phrases, dimensions)."""
    languages = np.array([phrase.language for phrase in phrases])
    return Relations(
        keys=keys_of(phrases),
        log_frequency=log_frequencies(phrases, vocabulary),
        near_duplicates=near_duplicates(phrases, vectors, ngrams, recipe),
        curated=curated_equivalents(phrases, languages, ngrams, recipe.named_from),
        close=close_equivalents(vectors, languages, recipe.equivalent_from),
    )


def log_frequencies(phrases: Sequence[Phrase], vocabulary: Vocabulary) -> npt.NDArray[np.float32]:
    """How frequent a phrase's words are on average, 0 to 1, shape (phrases,)."""
    found = [list(map(vocabulary.log_frequency, words(phrase.text))) for phrase in phrases]
    return np.array([np.mean(levels) / 255 for levels in found], np.float32)


def near_duplicates(phrases: Sequence[Phrase], vectors: Vectors, ngrams: NGramIndex, recipe: Recipe) -> Rows:
    """Pairs of phrases of a language that are alike in meaning and in wording, each both ways, shape (pairs, 2)."""
    pairs: list[tuple[int, int]] = []
    for row, phrase in enumerate(phrases):
        wording = ngrams.scores(words(phrase.text), alternatives=False)[WORDING]
        for other in np.flatnonzero(wording >= recipe.duplicate_wording).tolist():
            alike = vectors[row] @ vectors[other] >= recipe.duplicate_meaning
            if alike and other != row and phrases[other].language == phrase.language:
                pairs += [(row, other), (other, row)]
    return np.unique(np.array(pairs, np.int32).reshape(-1, 2), axis=0)


def curated_equivalents(
    phrases: Sequence[Phrase], languages: npt.NDArray[np.str_], ngrams: NGramIndex, named_from: float
) -> Rows:
    """The entry that each curated equivalent names, by its key or from a lexical likeness of `named_from` on.

    Shape (phrases, the most equivalents that one has); NONE where there is no such entry.
    """
    rows = {phrase.key: row for row, phrase in enumerate(phrases)}

    def entry(language: str, text: str) -> int:
        if (row := rows.get(phrase_key(language, text))) is not None:
            return row
        wording = np.where(languages == language, ngrams.scores(words(text))[WORDING], 0)
        best = int(np.argmax(wording))
        return best if wording[best] >= named_from else NONE

    texts = [[text for text in texts_of(phrase) if text.role == "equivalent"] for phrase in phrases]
    found = np.full((len(phrases), max(map(len, texts), default=0)), NONE, np.int32)
    for row, equivalents in enumerate(texts):
        found[row, : len(equivalents)] = [entry(text.language, text.text) for text in equivalents]
    return found


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

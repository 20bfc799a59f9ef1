"""What the approximator learns from: texts with the text whose teacher embedding each should have, and judged pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bot.search.phrases import Phrase, PhraseText, Role, texts_of
from bot.search.text import words
from pipeline.data.sources import DataFolder, folded
from pipeline.data.tables import SourceError, read_lines
from pipeline.recipe import Recipe

Vectors = npt.NDArray[np.float32]
Row = tuple[str, str, float]
"""A text, the text whose embedding is its target, and how much it weighs."""
WeightedTexts = Sequence[tuple[str, float]]
"""Texts of a phrase, and how much each weighs in the phrase's vector."""


@dataclass(frozen=True)
class TrainingTexts:
    """Parallel columns."""

    texts: list[str]
    targets: list[str]
    weights: list[float]


def training_texts(
    data: DataFolder, phrases: Sequence[Phrase], recipe: Recipe, parallel: Sequence[Path] = ()
) -> TrainingTexts:
    """All training rows once, without any that shares a side with a test or tuning split.

    A multilingual teacher embeds every text itself. An English one gives a Russian text the embedding of its English
    translation (Reimers and Gurevych 2020, "Making monolingual sentence embeddings multilingual"). The files of
    `parallel` add pairs. Raises SourceError for a set that is missing and a line that cannot be read.
    """
    held_out = data.held_out()
    rows: dict[tuple[str, str], Row] = {}
    given = [pair for path in parallel for pair in _given_pairs(path)]
    for text, target, weight in _rows(data, phrases, recipe, given):
        if text and target and not {folded(text), folded(target)} & held_out:
            if len(words(text)) <= 2:
                weight *= recipe.dictionary_weight
            rows.setdefault((folded(text), target), (text, text if recipe.multilingual else target, weight))
    texts, targets, weights = zip(*rows.values(), strict=True)
    return TrainingTexts(list(texts), list(targets), list(weights))


def judged_texts(data: DataFolder) -> list[tuple[str, str, float]]:
    """Pairs of training texts and their likeness, 0 to 5: in English, in Russian, and with one side in each."""
    english, russian = data.sts("en", "train"), data.sts("ru", "train")
    sides = [(english, english), (russian, russian), (english, russian), (russian, english)]
    return [(one[0], other[1], one[2]) for ones, others in sides for one, other in zip(ones, others, strict=True)]


def weighted_texts(phrase: Phrase, recipe: Recipe) -> WeightedTexts:
    """All texts that make a phrase's vector."""
    return weighted(phrase, texts_of(phrase), recipe.weights)


def teacher_texts(phrase: Phrase, recipe: Recipe) -> WeightedTexts:
    """The texts of a phrase that the teacher reads: what the refinement and the report know of a phrase by it.

    Those are the scenes, and the meanings or, where the teacher does not read the phrase's language, a translation.
    """
    roles = {"scene", "meaning" if recipe.reads(phrase.language) else "translation"}
    texts = [text for text in texts_of(phrase) if text.role in roles and recipe.reads(text.language)]
    return weighted(phrase, texts, recipe.weights)


def weighted(phrase: Phrase, texts: Sequence[PhraseText], weights: Mapping[Role, float]) -> WeightedTexts:
    """The texts whose role has a weight, with that weight; the meanings share theirs."""
    parts = {"meaning": len(phrase.meanings)}
    weighed = [(text.text, weights[text.role] / parts.get(text.role, 1)) for text in texts]
    return [(text, weight) for text, weight in weighed if weight]


def weighted_sums(lists: Sequence[WeightedTexts], embed: Callable[[Sequence[str]], Vectors]) -> Vectors:
    """The sum of each list's weighted vectors, shape (len(lists), dimensions); zeros for an empty list.

    `embed` gives the vectors of all texts, shape (texts, dimensions).
    """
    texts = [text for weighted in lists for text, _ in weighted]
    weights = np.array([weight for weighted in lists for _, weight in weighted], np.float32)
    ends = np.cumsum([0, *map(len, lists)])
    sums = sparse.csr_matrix((weights, np.arange(len(texts)), ends), shape=(len(lists), len(texts)))
    return np.asarray(sums @ embed(texts))


def _given_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """A user's own pairs: a text that the teacher reads, a tab, its translation."""
    for number, line in read_lines(path):
        source, tab, other = line.partition("\t")
        if not tab or not source.strip() or not other.strip():
            raise SourceError(f"{path}:{number}: write a text of the teacher's language, a tab and its translation")
        yield source.strip(), other.split("\t")[0].strip()


def _rows(
    data: DataFolder, phrases: Sequence[Phrase], recipe: Recipe, given: Sequence[tuple[str, str]]
) -> Iterator[Row]:
    for source, other in given:
        yield from _translation(source, other, recipe.sentence_weight)
    for english, russian in zip(data.sts("en", "train"), data.sts("ru", "train"), strict=True):
        for side in (0, 1):
            yield from _translation(str(english[side]), str(russian[side]), recipe.judged_weight)
    for name in ("pairs", "pairs_more"):
        if not recipe.multilingual or data.has(name):
            for english_text, russian_text in data.pairs(name):
                yield from _translation(english_text, russian_text, recipe.sentence_weight)
    for lemma, synonyms, gloss in data.wordnet_ru():
        yield from _translation(synonyms, lemma, 1)
        yield from _translation(gloss, lemma, 1)
    for _, gloss in data.glosses("oewn_glosses"):
        yield gloss, gloss, 1
    for name in ("oewn_examples", "tatoeba_eng"):
        for text in data.texts(name):
            yield text, text, 1
    for phrase in phrases:
        yield from _phrase_rows(phrase, recipe)


def _translation(source: str, other: str, weight: float) -> Iterator[Row]:
    yield source, source, weight
    yield other, source, weight


def _phrase_rows(phrase: Phrase, recipe: Recipe) -> Iterator[Row]:
    """Meanings in the teacher's language for themselves, the first one in another for the first in that language.

    What a further sense is translated by nobody says, and the first sense's translation says something else.
    """
    target = phrase.meaning_in(recipe.teacher_language)
    for role, language, text in texts_of(phrase):
        if role in ("meaning", "translation"):
            if language == recipe.teacher_language:
                yield text, text, recipe.meaning_weight
            elif text == phrase.meaning_in(language):
                yield text, target, recipe.meaning_weight

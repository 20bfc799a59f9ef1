"""What the approximator learns from: texts, each with the text whose teacher embedding it should have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.search.phrases import Phrase
from bot.search.text import words
from pipeline.data.sources import DataFolder, folded
from pipeline.data.tables import SourceError, read_lines
from pipeline.recipe import Recipe

Row = tuple[str, str, float]
"""A text, the text whose embedding is its target, and how much it weighs."""
JudgedText = tuple[str, str, float]
"""Two texts and how alike people found them."""


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
    translation (Reimers and Gurevych 2020, "Making monolingual sentence embeddings multilingual"). `parallel` files
    add pairs of their own.
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


def judged_texts(data: DataFolder) -> list[JudgedText]:
    """The judged training pairs in English, in Russian, and with one side in each."""
    english, russian = data.sts("en", "train"), data.sts("ru", "train")
    aligned = list(zip(english, russian, strict=True))
    there = [(en[0], ru[1], en[2]) for en, ru in aligned]
    back = [(ru[0], en[1], en[2]) for en, ru in aligned]
    return english + russian + there + back


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
    needed = [name for name in ("pairs", "pairs_more") if not recipe.multilingual or data.has(name)]
    for name in needed:
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
        yield from _meanings(phrase, recipe)


def _translation(english: str, other: str, weight: float) -> Iterator[Row]:
    yield english, english, weight
    yield other, english, weight


def _meanings(phrase: Phrase, recipe: Recipe) -> Iterator[Row]:
    """Every English sense for itself, and a sense of another language for the English one that it stands beside."""
    english = phrase.meaning_in("en")
    if phrase.language == "en":
        for sense in phrase.meanings:
            yield sense, sense, recipe.meaning_weight
    elif english:
        yield from _translation(english, phrase.meanings[0], recipe.meaning_weight)
    if phrase.language == "en" and english:
        for meaning in phrase.translations.values():
            yield meaning, english, recipe.meaning_weight

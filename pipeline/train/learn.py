"""Learn of language what any phrases need: the teacher's best dimensions and the approximator."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from bot.search.artifacts import Artifacts
from bot.search.phrases import Phrase
from bot.search.rank.confidence import Confidence
from bot.search.rank.reader import Reader
from bot.search.retrieve.approximator import Approximator, WordFeatures
from bot.search.retrieve.lexical import gloss
from bot.search.understand.vocabulary import Vocabulary
from pipeline.data.sources import DataFolder
from pipeline.recipe import Recipe
from pipeline.train.dimensions import Selection, select_dimensions
from pipeline.train.refinement import DistillationSet, QueryPhrasePairs, ScoredPairs, refine_table
from pipeline.train.regression import choose_stems, count_features, fit_table, pieces_of, quantise, train_tokenizer
from pipeline.train.teacher import Embeddings, Teacher
from pipeline.train.texts import TrainingTexts, judged_texts, teacher_texts, weighted_sums


class BuildError(Exception):
    """Artifacts that are not good enough to serve."""


@dataclass(frozen=True)
class Learned:
    """What a build has learned of language, whatever the phrases."""

    approximator: Approximator
    dimensions: list[int]
    """The teacher's dimensions that are served, in their order."""
    vocabulary: Vocabulary
    teacher: Mapping[str, Any]
    """As the manifest names it: the name in the recipe, a fingerprint of what it became, its dimensions."""
    confidence: Confidence = field(default_factory=Confidence)
    """For phrases that no tuning query asks for."""
    reader: Reader | None = None
    selection: Selection | None = None
    """How the dimensions were chosen; None when other artifacts are reused."""


def learn(
    teacher: Teacher,
    training: TrainingTexts,
    vocabulary: Vocabulary,
    phrases: Sequence[Phrase],
    data: DataFolder,
    recipe: Recipe,
    cache: Path,
) -> Learned:
    """Choose the dimensions and train the approximator. Raises SourceError when a set of judged pairs is missing."""
    described = [replace(phrase, scenes=()) for phrase in phrases]
    pairs = [pair for language in recipe.judged_languages for pair in data.sts(language, "train")]
    first, second, scores = zip(*pairs, strict=True)
    say(f"embed {len(training.texts):,} training texts")
    meanings = [text for phrase in described for text, _ in teacher_texts(phrase, recipe)]
    embeddings = Embeddings.of(teacher, [*training.targets, *first, *second, *meanings], cache)
    say("select dimensions")
    judged = embeddings[first], embeddings[second], np.array(scores)
    selection = select_dimensions(*judged, recipe.most_dimensions, recipe.selection_tolerance)
    say(f"approximate {len(selection.dimensions)} of {teacher.dimensions} dimensions")
    embeddings = embeddings.reduced(recipe.components, selection.dimensions)
    approximator = _approximate(training, phrases, data, embeddings, recipe)
    known = {"name": recipe.teacher, "fingerprint": teacher.fingerprint, "dimensions": teacher.dimensions}
    return Learned(approximator, selection.dimensions, vocabulary, known, selection=selection)


def learned_by(artifacts: Artifacts) -> Learned:
    """What other artifacts have learned."""
    return Learned(
        artifacts.approximator,
        list(artifacts.manifest.get("selected", [])),
        artifacts.vocabulary,
        artifacts.manifest.get("teacher", {}),
        artifacts.confidence,
        artifacts.reader,
    )


def _approximate(
    training: TrainingTexts, phrases: Sequence[Phrase], data: DataFolder, embeddings: Embeddings, recipe: Recipe
) -> Approximator:
    """Train the linear imitation of the teacher: the regression first, then its refinement."""
    pieces = pieces_of(train_tokenizer(training.texts, recipe.vocabulary))
    stems = choose_stems(training.texts, recipe.stems, recipe.stem_lengths)
    features = WordFeatures(pieces, stems)
    counts = count_features(training.texts, features)
    distilled = DistillationSet(counts, embeddings[training.targets], np.array(training.weights, np.float32))
    table = fit_table(counts, distilled.targets, distilled.weights, recipe.ridge)
    if recipe.epochs:
        first, second, scores = zip(*judged_texts(data), strict=True)
        scored = ScoredPairs(
            count_features(first, features), count_features(second, features), np.array(scores, np.float32)
        )
        asked = _query_phrase_pairs(phrases, features, embeddings, recipe)
        table = refine_table(table, distilled, scored, asked, recipe)
    return quantise(table, features)


def _query_phrase_pairs(
    phrases: Sequence[Phrase], features: WordFeatures, embeddings: Embeddings, recipe: Recipe
) -> QueryPhrasePairs:
    """The scenes as queries; their phrases are described without them, or each query would find itself."""
    asked = [phrase for phrase in phrases if phrase.scenes]
    described = [replace(phrase, scenes=()) for phrase in asked]
    return QueryPhrasePairs(
        queries=count_features([scene for phrase in asked for scene in phrase.scenes], features),
        phrases=np.repeat(np.arange(len(asked)), np.array([len(phrase.scenes) for phrase in asked], np.int64)),
        descriptions=count_features([gloss(phrase) for phrase in described], features),
        embeddings=weighted_sums([teacher_texts(phrase, recipe) for phrase in described], embeddings.__getitem__),
    )


def say(what: str) -> None:
    """Tell on stderr what is being done, and since when."""
    print(f"[{time.strftime('%H:%M:%S')}] {what}", file=sys.stderr, flush=True)


def say_refused(error: OSError) -> None:
    """Tell on stderr what the disk refused, and what to do."""
    what = f"{error.filename}: " if error.filename else ""
    print(f"error: {what}{error.strerror or error}; free some space or choose another folder", file=sys.stderr)

"""Learn of language what any phrases need: the teacher's best dimensions, the approximator, the vocabulary."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.search.artifacts import Artifacts
from bot.search.phrases import Phrase
from bot.search.rank.confidence import Confidence
from bot.search.retrieve.approximator import Approximator, WordFeatures
from bot.search.retrieve.ngrams import gloss
from bot.search.understand.vocabulary import Vocabulary
from pipeline.data.sources import DataFolder
from pipeline.index.vectors import teacher_texts, without_scenes
from pipeline.index.vocabulary import vocabulary
from pipeline.recipe import Recipe
from pipeline.train.dimensions import JudgedPairs, Selection, select_dimensions
from pipeline.train.refinement import Asked, Judged, Taught, refine_table
from pipeline.train.regression import choose_stems, contaminate, count_features, fit_table, quantise, train_tokenizer
from pipeline.train.teacher import Embeddings, Teacher
from pipeline.train.texts import JudgedText, TrainingTexts, judged_texts


class BuildError(Exception):
    """Artifacts that are not good enough to serve."""


@dataclass(frozen=True)
class Learned:
    """What a build has learned of language, whatever the phrases."""

    approximator: Approximator
    dimensions: list[int]
    """The teacher's dimensions that are served, in their order."""
    vocabulary: Vocabulary
    confidence: Confidence
    """For phrases that no tuning query asks for."""
    selection: Selection | None = None


def learn(
    teacher: Teacher, training: TrainingTexts, phrases: Sequence[Phrase], data: DataFolder, recipe: Recipe, cache: Path
) -> Learned:
    """Choose dimensions, train the approximator and collect the vocabulary."""
    pairs = [pair for language in recipe.judged_languages for pair in data.sts(language, "train")]
    first, second, scores = zip(*pairs, strict=True)
    say(f"embed {len(training.texts):,} training texts")
    described = [text for phrase in phrases for text, _ in teacher_texts(without_scenes(phrase), recipe)]
    embeddings = Embeddings.of(teacher, [*training.targets, *first, *second, *described], cache)
    judged = JudgedPairs(embeddings[first], embeddings[second], np.array(scores))
    say("select dimensions")
    selection = select_dimensions(judged, recipe.most_dimensions, recipe.selection_tolerance)
    say(f"approximate {len(selection.dimensions)} of {teacher.dimensions} dimensions")
    served = embeddings.reduced(recipe.components, selection.dimensions)
    approximator = approximate(training, judged_texts(data), phrases, served, recipe)
    known = vocabulary(training.texts, phrases, data)
    return Learned(approximator, selection.dimensions, known, Confidence(), selection)


def learned_by(artifacts: Artifacts, teacher: Teacher) -> Learned:
    """What other artifacts learned from the same teacher; BuildError when it was another."""
    known = artifacts.manifest["teacher"]
    if known["fingerprint"] != teacher.fingerprint:
        raise BuildError(
            f"--like: those artifacts learned from {known['name']}, not from {teacher.name}: take the same"
        )
    dimensions = list(artifacts.manifest["selected"])
    return Learned(artifacts.approximator, dimensions, artifacts.vocabulary, artifacts.confidence)


def approximate(
    training: TrainingTexts,
    judged: Sequence[JudgedText],
    phrases: Sequence[Phrase],
    embeddings: Embeddings,
    recipe: Recipe,
) -> Approximator:
    """Train the linear imitation of the teacher: regression first, then its refinement."""
    tokenizer = train_tokenizer(training.texts, recipe.vocabulary)
    stems = choose_stems(training.texts, recipe.stems, recipe.stem_lengths)
    features = WordFeatures(tokenizer, stems)
    counts = count_features(training.texts, features)
    if recipe.contamination:
        counts = contaminate(counts, recipe.contamination, recipe.seed)
    taught = Taught(counts, embeddings[training.targets], np.array(training.weights, np.float32))
    table = fit_table(counts, taught.targets, taught.weights, recipe.ridge)
    if recipe.epochs:
        first, second, scores = zip(*judged, strict=True)
        pairs = Judged(count_features(first, features), count_features(second, features), np.array(scores, np.float32))
        table = refine_table(table, taught, pairs, asked_for(phrases, features, embeddings, recipe), recipe)
    return quantise(table, tokenizer, stems)


def asked_for(phrases: Sequence[Phrase], features: WordFeatures, embeddings: Embeddings, recipe: Recipe) -> Asked:
    """The scenes, as the refinement sees them."""
    asked = [without_scenes(phrase) for phrase in phrases if phrase.scenes]
    scenes = [phrase.scenes for phrase in phrases if phrase.scenes]
    taught = np.zeros((len(asked), embeddings.vectors.shape[1]), np.float32)
    for row, phrase in enumerate(asked):
        for text, weight in teacher_texts(phrase, recipe):
            taught[row] += weight * embeddings[[text]][0]
    return Asked(
        scenes=count_features([scene for of_phrase in scenes for scene in of_phrase], features),
        owners=np.repeat(np.arange(len(asked)), np.array([len(of_phrase) for of_phrase in scenes], np.int64)),
        described=count_features(list(map(gloss, asked)), features),
        taught=taught,
    )


def say(what: str) -> None:
    """Tell on stderr what is being done, and since when."""
    print(f"[{time.strftime('%H:%M:%S')}] {what}", file=sys.stderr, flush=True)

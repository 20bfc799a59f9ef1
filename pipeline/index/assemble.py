"""From phrases and what was learned of language to artifacts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.artifacts import Artifacts
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.retrieve.ann import AnnIndex
from bot.search.retrieve.lexical import gloss_index, wording_index
from bot.search.retrieve.parts import parts_index
from pipeline.data.emoji import emoji_names, pictures
from pipeline.data.queries import Asked
from pipeline.data.sources import DataFolder
from pipeline.index.calibration import calibrate
from pipeline.index.fitting import fitted_fusion
from pipeline.index.kept import completed, unchanged
from pipeline.index.lemmas import lemmas
from pipeline.index.readings import phrase_readings
from pipeline.index.rebuses import rebuses
from pipeline.index.relations import relate
from pipeline.index.vectors import phrase_vectors
from pipeline.index.vocabulary import phrase_vocabulary
from pipeline.recipe import Recipe
from pipeline.train.learn import BuildError, Learned

Vectors = npt.NDArray[np.float32]


def assemble(
    phrases: Sequence[Phrase],
    learned: Learned,
    recipe: Recipe,
    cache: Path,
    queries: Sequence[Asked] = (),
    before: Artifacts | None = None,
) -> Artifacts:
    """Index the phrases, fit the weights of the search to `queries`, and calibrate the confidence.

    Where the reader is that of the artifacts `before`, which must have scenes, so is what it made of phrases that stand
    there as they are. Raises BuildError when the index is not good enough.
    """

    def read(some: Sequence[Phrase]) -> Vectors:
        return phrase_readings(some, reader, recipe, cache) if reader else np.zeros(0, np.float32)

    reader = learned.reader
    vectors = phrase_vectors(phrases, learned.approximator, recipe)
    known = before.readings if before and before.reader is reader else None
    readings = completed(phrases, unchanged(phrases, before, recipe), known, read) if reader else None
    wording = wording_index(phrases)
    vocabulary = learned.vocabulary.merged(phrase_vocabulary(phrases))
    artifacts = Artifacts(
        phrases=phrases,
        approximator=learned.approximator,
        index=build_index(phrases, vectors, recipe),
        wording=wording,
        parts=parts_index(phrases),
        glosses=gloss_index(phrases),
        relations=relate(phrases, vectors, wording, recipe, readings),
        vocabulary=vocabulary,
        emoji=emoji_names(learned.approximator),
        rebuses=rebuses(phrases, pictures(), lemmas(DataFolder())),
        fusion=recipe.fusion,
        confidence=learned.confidence,
        manifest={
            "recipe": asdict(recipe),
            "teacher": learned.teacher,
            "corpus": corpus_hash(phrases),
            "selected": learned.dimensions,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        },
    )
    artifacts.confidence = calibrate(SearchEngine(artifacts)) or artifacts.confidence
    if reader and readings is not None:
        artifacts.reader, artifacts.readings = reader, AnnIndex.scanned(readings)
        artifacts.fusion = fitted_fusion(artifacts, queries)
        # Where nothing can be calibrated, that of another collection misjudges how alike ten phrases are to a reader.
        artifacts.read_confidence = calibrate(SearchEngine(artifacts)) or artifacts.confidence
    return artifacts


def build_index(phrases: Sequence[Phrase], vectors: Vectors, recipe: Recipe) -> AnnIndex:
    """The index over unit vectors of shape (phrases, dimensions).

    Raises BuildError when a phrase has no vector or Annoy finds too few of the nearest.
    """
    lost = np.flatnonzero(np.linalg.norm(vectors, axis=1) < 0.5)
    if len(lost):
        phrase = phrases[int(lost[0])]
        raise BuildError(
            f"the approximator knows no word of the meaning of {phrase.text!r} ({phrase.meanings[0]!r}): "
            "give a meaning in a language that it was taught, or build without --reuse and with a multilingual teacher"
        )
    index = AnnIndex.build(vectors, recipe.trees, recipe.search_k, recipe.seed)
    recall = index.recall(vectors[:: max(1, len(vectors) // 1000)]).mean()
    if recall < recipe.least_recall:
        raise BuildError(
            f"the index finds {recall:.3f} of the ten nearest, and {recipe.least_recall} is asked: "
            "raise search_k or trees in the recipe"
        )
    return index


def corpus_hash(phrases: Sequence[Phrase]) -> str:
    """Sha256 of all that the phrases say."""
    digest = hashlib.sha256()
    for phrase in phrases:
        digest.update(repr(phrase).encode())
    return digest.hexdigest()

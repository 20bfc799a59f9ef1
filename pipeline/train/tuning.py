"""The teacher's own lesson: scenes find what a phrase means, and judged pairs are in their order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from bot.search.phrases import Phrase, texts_of
from pipeline.data.sources import DataFolder
from pipeline.recipe import Recipe
from pipeline.train.encoder import SentenceEncoder
from pipeline.train.steps import Loss, both_ways, judged_loss, kept_in, take_steps
from pipeline.train.teacher import Teacher

_RATE = 2e-5  # of learning: as little as leaves what the teacher knows


def tuned_teacher(
    teacher: Teacher, phrases: Sequence[Phrase], data: DataFolder, recipe: Recipe, cache: Path
) -> Teacher:
    """The teacher after so many steps towards rankings as the recipe says, or the same one when it says none.

    Its files are kept in the folder `cache`, and a killed tuning goes on. Raises SourceError when a set of judged
    pairs is missing.
    """
    if not recipe.tuning_steps:
        return teacher
    folder = kept_in(cache, "teacher", teacher.fingerprint, phrases, recipe)
    told = [phrase for phrase in phrases if phrase.scenes and phrase.meaning_in(recipe.teacher_language)]
    encoder = teacher.encoder()
    take_steps(encoder, _loss(encoder, told, data, recipe), recipe.tuning_steps, _RATE, folder / "tuning.pt")
    return teacher.replaced(encoder, folder / f"{Path(teacher.name).name}-tuned")


def _loss(encoder: SentenceEncoder, phrases: Sequence[Phrase], data: DataFolder, recipe: Recipe) -> Loss:
    """Scenes must find their phrase's meaning, and judged pairs be in their order, in turns."""
    language = recipe.teacher_language
    asked = []
    for phrase in phrases:
        scenes = [text.text for text in texts_of(phrase) if text.role == "scene" and recipe.reads(text.language)]
        if scenes:
            asked.append((scenes, phrase.meaning_in(language)))
    pairs = [pair for code in recipe.judged_languages for pair in data.sts(code, "train")]
    judged = judged_loss(encoder, pairs, recipe)

    def loss(step: int) -> torch.Tensor:
        if step % 2 or not asked:
            return judged(step)
        rng = np.random.default_rng([recipe.seed, step])
        drawn = [asked[row] for row in rng.choice(len(asked), min(len(asked), recipe.reader_batch), replace=False)]
        scenes = [texts[rng.integers(len(texts))] for texts, _ in drawn]
        meanings = [meaning for _, meaning in drawn]
        alike = torch.tensor([[one == other for other in meanings] for one in meanings])
        return both_ways(encoder.encode(scenes), encoder.encode(meanings), alike)

    return loss

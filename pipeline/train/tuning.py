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
from pipeline.train.teacher import Teacher, TeacherError

_RATE = 2e-5  # of learning: as little as leaves what the teacher knows
_KEPT = "tuned"  # the folder of what a teacher became


def tuned_teacher(
    teacher: Teacher, phrases: Sequence[Phrase], data: DataFolder, recipe: Recipe, cache: Path
) -> Teacher:
    """The teacher after so many steps towards rankings as the recipe says.

    It is the same one when the recipe says none, and for phrases without scenes: by judged pairs alone it would find
    less than it did. Its files are kept in the folder `cache`, and a killed tuning goes on. Raises SourceError when a
    set of judged pairs is missing.
    """
    asked = _scenes_and_meanings(phrases, recipe)
    pairs = [pair for code in recipe.judged_languages for pair in data.sts(code, "train")]
    if not (recipe.tuning_steps and asked):
        return teacher
    folder = kept_in(cache, "teacher", teacher.fingerprint, asked, pairs, recipe)
    encoder = teacher.encoder()
    take_steps(encoder, _loss(encoder, asked, pairs, recipe), recipe.tuning_steps, _RATE, folder / "tuning.pt")
    return teacher.replaced(encoder, folder / _KEPT)


def known_teacher(name: str, fingerprint: str, recipe: Recipe, cache: Path, device: str = "auto") -> Teacher:
    """The teacher of a fingerprint: the one of this name, or what a build that used `cache` has made of it.

    Raises TeacherError when it is not at hand.
    """
    for place in (name, *map(str, sorted(cache.glob(f"teacher-*/{_KEPT}")))):
        teacher = Teacher(place, recipe.pooling, device, recipe.max_tokens)
        if teacher.fingerprint == fingerprint:
            return teacher
    raise TeacherError(
        f"{name} is not the teacher that these artifacts learned from, and what a build made of it is not in {cache}: "
        "build them anew, or name its folder"
    )


def _scenes_and_meanings(phrases: Sequence[Phrase], recipe: Recipe) -> list[tuple[list[str], str]]:
    """Of each phrase that has both in the teacher's language, its scenes and what it means."""
    asked = []
    for phrase in phrases:
        scenes = [text.text for text in texts_of(phrase) if text.role == "scene" and recipe.reads(text.language)]
        if scenes and (meaning := phrase.meaning_in(recipe.teacher_language)):
            asked.append((scenes, meaning))
    return asked


def _loss(
    encoder: SentenceEncoder,
    asked: Sequence[tuple[list[str], str]],
    pairs: Sequence[tuple[str, str, float]],
    recipe: Recipe,
) -> Loss:
    """Scenes must find their phrase's meaning, and judged pairs be in their order, in turns."""
    judged = judged_loss(encoder, pairs, recipe)

    def loss(step: int) -> torch.Tensor:
        if step % 2:
            return judged(step)
        rng = np.random.default_rng([recipe.seed, step])
        drawn = [asked[row] for row in rng.choice(len(asked), min(len(asked), recipe.reader_batch), replace=False)]
        scenes = [texts[rng.integers(len(texts))] for texts, _ in drawn]
        meanings = [meaning for _, meaning in drawn]
        alike = torch.tensor([[one == other for other in meanings] for one in meanings])
        return both_ways(encoder.encode(scenes), encoder.encode(meanings), alike)

    return loss

"""What the reader of other artifacts made of phrases, so that a new phrase costs seconds and not the reading of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bot.search.artifacts import Artifacts
from bot.search.phrases import Phrase
from bot.search.retrieve.ann import AnnIndex
from pipeline.recipe import Recipe

Vectors = npt.NDArray[np.float32]


def unchanged(phrases: Sequence[Phrase], before: Artifacts | None, recipe: Recipe) -> dict[int, int]:
    """Rows of the phrases that stand in other artifacts with all their texts, and their rows there.

    None do where the recipe weighs what is read of them otherwise.
    """
    if before is None or before.manifest.get("recipe", {}).get("read_weights") != recipe.read_weights:
        return {}
    rows = {phrase.key: row for row, phrase in enumerate(before.phrases)}
    there = ((row, rows.get(phrase.key)) for row, phrase in enumerate(phrases))
    return {row: other for row, other in there if other is not None and before.phrases[other] == phrases[row]}


def completed(
    phrases: Sequence[Phrase],
    same: Mapping[int, int],
    known: AnnIndex | None,
    made: Callable[[Sequence[Phrase]], Vectors],
) -> Vectors:
    """Unit vectors, shape (len(phrases), dimensions): those in `known` of the rows `same`, and `made` of the others."""
    if not (known and same):
        return made(phrases)
    vectors = np.zeros((len(phrases), known.dimensions), np.float32)
    vectors[list(same)] = known.vectors_of(np.array(list(same.values())))
    new = [row for row in range(len(phrases)) if row not in same]
    if new:
        vectors[new] = made([phrases[row] for row in new])
    return vectors

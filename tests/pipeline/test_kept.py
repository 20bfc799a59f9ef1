"""What is taken from other artifacts instead of being made again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np

from bot.search.phrases import Phrase
from bot.search.retrieve.ann import AnnIndex
from pipeline.index.kept import Vectors, completed, unchanged
from pipeline.recipe import Recipe
from support.small import small_artifacts

OLD = [
    Phrase("holy cow", "en", ("what a surprise",)),
    Phrase("cold feet", "en", ("sudden fear",), scenes=("I'm afraid",)),
]
NEW = [Phrase("lock horns", "en", ("to argue",)), OLD[1], replace(OLD[0], variants=("holy smoke",))]


def test_only_what_stands_there_with_all_its_texts_is_unchanged() -> None:
    before = small_artifacts(OLD)
    before.manifest = {"recipe": asdict(Recipe())}
    assert unchanged(NEW, before, Recipe()) == {1: 1}
    assert unchanged(OLD, before, Recipe()) == {0: 0, 1: 1}
    otherwise = replace(Recipe(), read_weights={**Recipe().read_weights, "scene": 3.0})
    assert unchanged(NEW, before, otherwise) == {}
    assert unchanged(NEW, None, Recipe()) == {}


def test_only_what_is_new_is_made() -> None:
    asked: list[str] = []

    def made(phrases: Sequence[Phrase]) -> Vectors:
        asked.extend(phrase.text for phrase in phrases)
        return np.tile(np.array([[0, 0, 1]], np.float32), (len(phrases), 1))

    known = AnnIndex.scanned(np.eye(3, dtype=np.float32)[:2])
    vectors = completed(NEW, {1: 1}, known, made)
    assert asked == ["lock horns", "holy cow"]
    np.testing.assert_allclose(vectors, [[0, 0, 1], [0, 1, 0], [0, 0, 1]], atol=1e-6)
    # A third build from the second one has the same vectors in eight bits.
    np.testing.assert_array_equal(AnnIndex.scanned(known.vectors).vectors, known.vectors)
    completed(NEW, {}, known, made)
    assert asked[2:] == [phrase.text for phrase in NEW]
    assert len(completed(OLD, {0: 0, 1: 1}, known, made)) == 2 and len(asked) == 5

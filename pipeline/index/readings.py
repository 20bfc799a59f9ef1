"""What the reader makes of phrases."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.phrases import Phrase, texts_of
from bot.search.rank.reader import READER, READER_TOKENIZER, Reader
from pipeline.recipe import Pooling, Recipe
from pipeline.train.encoder import by_length
from pipeline.train.learn import BuildError
from pipeline.train.teacher import Embeddings
from pipeline.train.texts import weighted, weighted_sums

Vectors = npt.NDArray[np.float32]


def phrase_readings(phrases: Sequence[Phrase], reader: Reader, recipe: Recipe, cache: Path) -> Vectors:
    """Unit vectors, shape (len(phrases), dimensions): of each phrase the weighted sum of its texts' unit vectors."""
    lists = [weighted(phrase, texts_of(phrase), recipe.read_weights) for phrase in phrases]
    embeddings = Embeddings.of(ReaderOnDisk(reader), [text for texts in lists for text, _ in texts], cache)
    total = weighted_sums(lists, embeddings.__getitem__)
    unit: Vectors = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-9)
    return unit


def load_reader(folder: Path) -> Reader:
    """The reader that a folder holds. Raises BuildError when it holds none."""
    try:
        return Reader.load(folder)
    except ValueError as error:
        raise BuildError(
            f"{folder}: no reader ({error}); name a folder with {READER} and {READER_TOKENIZER}"
        ) from error


class ReaderOnDisk:
    """The reader as the bot serves it, to embed the phrases' texts once."""

    pooling: Pooling = "mean"  # it is a part of the cache's name

    def __init__(self, reader: Reader) -> None:
        self.name, self.dimensions, self._reader = reader.model.name, reader.dimensions, reader

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits of the model's file."""
        return hashlib.sha256(self._reader.model.read_bytes()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimensions)."""
        return by_length(texts, self.dimensions, self._reader.encode_all)

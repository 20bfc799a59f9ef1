"""What is measured, and what it is measured with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.search.artifacts import Artifacts
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.retrieve.ngrams import gloss
from pipeline.data.sources import DATA, DataFolder
from pipeline.evaluation.baselines import Bm25, TfIdf, WordVectors
from pipeline.recipe import Recipe
from pipeline.train.regression import encode_all
from pipeline.train.teacher import Embeddings, Teacher, TeacherError

CACHE = DATA.parent / ".cache/embeddings"
CORPUS = [DATA / "idioms/ru.jsonl", DATA / "idioms/en.jsonl"]

Vectors = npt.NDArray[np.float32]
Scorer = Callable[[str], npt.NDArray[np.floating]]
"""Likeness of a text to every text of a collection, shape (texts,)."""


class Subject:
    """A search engine, the sets that this machine has, and what both are compared with, each made when first needed."""

    def __init__(self, artifacts: Artifacts, data: DataFolder, teacher: str | None = None, alone: bool = False) -> None:
        """`teacher` says where the artifacts' teacher is, when not where they say; `alone` leaves others out."""
        self.artifacts, self.engine, self.data, self.alone = artifacts, SearchEngine(artifacts), data, alone
        self._teacher = teacher

    @cached_property
    def recipe(self) -> Recipe:
        """The numbers that the artifacts were built by, as far as this program knows them."""
        known = self.artifacts.manifest.get("recipe", {})
        names = known.keys() & ({field.name for field in fields(Recipe)} - {"fusion", "stem_lengths"})
        return replace(Recipe(), **{name: known[name] for name in names})

    @cached_property
    def teacher(self) -> Teacher:
        """The encoder that the artifacts learned from; TeacherError when it is not at hand."""
        known = self.artifacts.manifest.get("teacher")
        if known is None:
            raise TeacherError("these artifacts do not say which teacher they learned from: build them anew")
        teacher = Teacher(self._teacher or known["name"], self.recipe.pooling, "cpu", self.recipe.max_tokens)
        if teacher.fingerprint != known["fingerprint"]:
            raise TeacherError(f"{teacher.name} is not the {known['name']} that these artifacts learned from")
        return teacher

    @property
    def selected(self) -> list[int]:
        """The teacher's dimensions that are served, best first."""
        return list(self.artifacts.manifest["selected"])

    def taught(self, texts: Iterable[str]) -> Embeddings:
        """The teacher's own vectors of texts."""
        return Embeddings.of(self.teacher, texts, CACHE)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The served approximator's vectors of texts."""
        return encode_all(self.engine.artifacts.approximator, texts)

    @cached_property
    def word_vectors(self) -> WordVectors:
        """Learned from dictionaries and translations, both languages of a row in one document."""
        documents = [" ".join(pair) for pair in self.data.pairs("pairs")]
        documents += [" ".join(row) for row in self.data.glosses("oewn_glosses")]
        documents += [" ".join(row) for row in self.data.wordnet_ru()]
        return WordVectors(documents)

    def texts(self, phrases: Sequence[Phrase]) -> list[str]:
        """All that a search by words may know of each phrase, its scenes too, which artifacts do not keep."""
        return [" ".join((phrase.text, gloss(phrase))) for phrase in phrases]

    def baselines(self, texts: Sequence[str]) -> dict[str, Scorer]:
        """Other searches over a collection of texts."""
        if self.alone:
            return {}
        vectors = self.word_vectors.encode(texts)
        return {
            "character n-grams": TfIdf(texts, "characters").scores,
            "TF-IDF over words": TfIdf(texts, "words").scores,
            "BM25": Bm25(texts).scores,
            "mean of word vectors": lambda text: vectors @ self.word_vectors.encode([text])[0],
        }

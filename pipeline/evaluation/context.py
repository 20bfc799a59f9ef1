"""What is measured, and what it is measured with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.search.artifacts import Artifacts
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase, texts_of
from bot.search.retrieve.ann import AnnIndex
from pipeline.data.sources import DATA, DataFolder
from pipeline.evaluation.baselines import Bm25, Cosine, Encode, System, tfidf, word_vectors
from pipeline.evaluation.metrics import SYSTEM
from pipeline.recipe import Recipe
from pipeline.train.regression import encode_all
from pipeline.train.teacher import Embeddings, Teacher, TeacherError
from pipeline.train.tuning import known_teacher

CACHE = DATA.parent / ".cache/embeddings"
SEED = 2021  # of everything that is drawn by chance
WORDS, READER = f"{SYSTEM}, without the reader", "the reader alone"

Vectors = npt.NDArray[np.float32]

_SEARCHED = {"phrase", "meaning", "translation", "example", "scene"}  # Roles of the texts that baselines search.


class EvaluationContext:
    """A search engine, the sets that this machine has, and what both are compared with, each made when first needed."""

    def __init__(self, artifacts: Artifacts, data: DataFolder, teacher: str | None = None, alone: bool = False) -> None:
        """`teacher` says where the artifacts' teacher is, when not where they say; `alone` leaves others out."""
        self.artifacts, self.engine, self.data, self.alone = artifacts, SearchEngine(artifacts), data, alone
        self.left_out: dict[str, None] = {}  # why something was not measured
        self._teacher = teacher

    @cached_property
    def recipe(self) -> Recipe:
        """The numbers that the artifacts were built by, as far as this program knows them."""
        known = self.artifacts.manifest.get("recipe", {})
        names = known.keys() & ({field.name for field in fields(Recipe)} - {"fusion", "stem_lengths"})
        return replace(Recipe(), **{name: known[name] for name in names})

    @cached_property
    def engines(self) -> dict[str, SearchEngine]:
        """The engine that the bot serves, and the same without its reader if it has one."""
        words = replace(self.artifacts, reader=None, readings=None)
        return {SYSTEM: self.engine, **({WORDS: SearchEngine(words)} if self.artifacts.reader else {})}

    @cached_property
    def index(self) -> AnnIndex:
        """The vectors of the phrases with an Annoy forest, which artifacts of a small collection do not keep."""
        known = self.artifacts.index
        if known.forest is not None:
            return known
        return AnnIndex.build(known.vectors, self.recipe.trees, known.search_k, self.recipe.seed)

    @cached_property
    def teacher(self) -> Teacher:
        """The encoder that the artifacts learned from. Raises TeacherError when it is not at hand."""
        known = self.artifacts.manifest.get("teacher", {})
        if not {"name", "fingerprint"} <= known.keys():
            raise TeacherError("these artifacts do not say which teacher they learned from: build them anew")
        return known_teacher(self._teacher or known["name"], known["fingerprint"], self.recipe, CACHE, "cpu")

    def teacher_reads(self, language: str) -> bool:
        """Whether the teacher is measured on texts of a language; when only it is lacking, that is noted."""
        if self.alone or language not in self.recipe.judged_languages:
            return False
        try:
            return bool(self.teacher)
        except TeacherError as error:
            self.left_out[str(error)] = None
            return False

    @property
    def selected(self) -> list[int]:
        """The teacher's dimensions that are served, best first."""
        return list(self.artifacts.manifest["selected"])

    def embeddings(self, texts: Iterable[str]) -> Embeddings:
        """The teacher's unit vectors of texts."""
        return Embeddings.of(self.teacher, texts, CACHE)

    def served_embeddings(self, texts: Iterable[str]) -> Embeddings:
        """The teacher's unit vectors of texts, cut down to the dimensions that are served."""
        return self.embeddings(texts).reduced(self.teacher.dimensions, self.selected)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The served approximator's unit vectors, shape (texts, dimensions)."""
        return encode_all(self.artifacts.approximator, texts)

    def languages_with(self, name: str) -> list[str]:
        """Languages of the collection that have a set of this name, which has {} for the language's code."""
        return [language for language in self.engine.languages if name.format(language) in self.data.sources]

    def phrases_in(self, language: str) -> tuple[list[int], list[Phrase]]:
        """The rows and the phrases of a language."""
        rows = [row for row, phrase in enumerate(self.engine.phrases) if phrase.language == language]
        return rows, [self.engine.phrases[row] for row in rows]

    @cached_property
    def _encode_words(self) -> Encode:
        """Word vectors of dictionaries and translations, both languages of a row in one document."""
        tables = (self.data.pairs("pairs"), self.data.glosses("oewn_glosses"), self.data.wordnet_ru())
        return word_vectors([" ".join(row) for table in tables for row in table])

    def read(self, texts: Sequence[str]) -> Vectors:
        """The reader's unit vectors, shape (texts, dimensions). Raises ValueError where there is no reader."""
        if not self.artifacts.reader:
            raise ValueError("these artifacts have no reader")
        return np.array([self.artifacts.reader.encode(text) for text in texts])

    def systems(self, texts: Sequence[str]) -> dict[str, System]:
        """The engine's encoders and their baselines over a collection of texts."""
        encoders: dict[str, Encode] = {SYSTEM: self.encode, **({READER: self.read} if self.artifacts.reader else {})}
        return {name: Cosine(encode, encode(texts)) for name, encode in encoders.items()} | self.baselines(texts)

    def baselines(self, texts: Sequence[str]) -> dict[str, System]:
        """Other searches over a collection of texts."""
        if self.alone:
            return {}
        return {
            "character n-grams": tfidf(texts, ngrams=True),
            "TF-IDF over words": tfidf(texts),
            "BM25": Bm25(texts),
            "mean of word vectors": Cosine(self._encode_words, self._encode_words(texts)),
        }


def searched_texts(phrases: Iterable[Phrase]) -> list[str]:
    """What baselines search of each phrase: what its vector and its n-grams were made of."""
    return [" ".join(text.text for text in texts_of(phrase) if text.role in _SEARCHED) for phrase in phrases]

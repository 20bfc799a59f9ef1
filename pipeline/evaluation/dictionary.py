"""The reverse dictionary: words that people described, found by the engine as if they were idioms of a collection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.relations import Relations
from bot.search.retrieve.ann import AnnIndex
from bot.search.retrieve.ngrams import ngram_index
from pipeline.data.sources import DataFolder, folded
from pipeline.evaluation.context import Subject, Vectors
from pipeline.evaluation.metrics import DEPTH, SERVED, Data, Measurement, mean_of, ranking_of, retrieval
from pipeline.index.relations import log_frequencies
from pipeline.index.vectors import phrase_vectors, teacher_texts

_SETS = {"reverse_hill": "Hill and others 2016", "reverse_rd16": "Thorat and Choudhari 2016"}
_ENDINGS = [("ies", "y"), ("es", "e"), ("es", ""), ("s", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")]
_ENDINGS += [("er", ""), ("er", "e"), ("est", ""), ("est", "e"), ("ally", "al"), ("ly", "")]


def reverse_dictionary(subject: Subject) -> Iterator[Measurement]:
    """A person's description must find its word among the words of its set, known by their WordNet definitions.

    The words become a collection of phrases: the same sum of the teacher's and the approximator's vectors, the same
    search by wording, no number of them chosen on these sets.
    """
    glosses = _glosses(subject.data)
    for name, authors in _SETS.items():
        rows = subject.data.reverse_dictionary(name)
        phrases = [entry(word, glosses) for word in dict.fromkeys(word.lower() for word, _ in rows)]
        vectors = _vectors(subject, phrases)
        engine = _over(subject, phrases, vectors)
        data = Data(f"human descriptions of {authors}, over the set's own {len(phrases)} words", "test")
        asked = [(description, [phrase.text for phrase in phrases].index(word.lower())) for word, description in rows]
        ranks = [_rank(engine, phrases, description, row) for description, row in asked]
        yield from _figures(ranks, data, SERVED)
        cosines = subject.encode([description for description, _ in asked]) @ vectors.T
        right = np.array([row for _, row in asked])
        own = cosines[np.arange(len(right)), right]
        yield from _figures((cosines > own[:, None]).sum(axis=1).tolist(), data, "Idiomatika, meanings alone")


def _figures(ranks: Sequence[int], data: Data, system: str) -> Iterator[Measurement]:
    for figure, values in retrieval([ranking_of(rank) for rank in ranks]).items():
        yield mean_of(figure, values, data, system)


def _glosses(data: DataFolder) -> dict[str, list[str]]:
    """Definitions by folded word."""
    found: dict[str, list[str]] = {}
    for members, gloss in data.glosses("oewn_glosses"):
        for member in members.split(", "):
            found.setdefault(folded(member), []).append(gloss)
    return found


def entry(word: str, glosses: Mapping[str, Sequence[str]]) -> Phrase:
    """A word with its definitions; an inflected one has those of the word that it is a form of.

    The endings are those of WordNet's Morphy (Fellbaum 1998), and two that make adverbs.
    """
    forms = [word, *(word.removesuffix(old) + new for old, new in _ENDINGS if word.endswith(old))]
    known = next((form for form in forms if form in glosses), word)
    return Phrase(word, "en", tuple(glosses.get(known, (word,))))


def _vectors(subject: Subject, phrases: Sequence[Phrase]) -> Vectors:
    texts = [text for phrase in phrases for text, _ in teacher_texts(phrase, subject.recipe)]
    embeddings = subject.taught(texts).reduced(subject.teacher.dimensions, subject.selected)
    return phrase_vectors(phrases, embeddings, subject.engine.artifacts.approximator, subject.recipe)


def _over(subject: Subject, phrases: Sequence[Phrase], vectors: Vectors) -> SearchEngine:
    """The engine with these phrases for its collection."""
    index = AnnIndex.build(vectors, subject.recipe.trees, subject.recipe.search_k, subject.recipe.seed)
    relations = Relations.none(phrases, log_frequencies(phrases, subject.artifacts.vocabulary))
    artifacts = replace(
        subject.artifacts, phrases=phrases, index=index, ngrams=ngram_index(phrases), relations=relations
    )
    return SearchEngine(artifacts)


def _rank(engine: SearchEngine, phrases: Sequence[Phrase], description: str, row: int) -> int:
    matches = engine.answer(description, DEPTH, anyway=True).matches
    return next((rank for rank, match in enumerate(matches) if match.phrase is phrases[row]), DEPTH)

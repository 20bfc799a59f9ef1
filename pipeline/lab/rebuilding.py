"""What another teacher is worth to the bot: a small build of its table with each, searched by people's queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase, script_language
from bot.search.understand.vocabulary import Vocabulary
from pipeline.data.corpus import read_corpus
from pipeline.data.queries import Asked
from pipeline.evaluation.metrics import DEPTH, Values, retrieval
from pipeline.index.assemble import assemble
from pipeline.index.vocabulary import inflected, vocabulary
from pipeline.lab import reranking
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab
from pipeline.recipe import Recipe
from pipeline.train.learn import learn, say
from pipeline.train.teacher import Teacher
from pipeline.train.texts import TrainingTexts, training_texts

TEXTS = 60_000
"""Training texts that are drawn for every build; the bot's own has 800,000."""
_SEARCH_K = 20_000  # without scenes the vectors stand closer together, so more nodes must be looked at
_TINY = replace(Recipe(), most_dimensions=8, components=8, vocabulary=500, stems=50, epochs=1)


def compare(findings: Findings, lab: Lab, teachers: Mapping[str, Sequence[str]]) -> None:
    """Measure engines, without a reader, whose tables imitate these teachers: folders of each seed by name.

    All learn from the same texts, and know the phrases without their scenes. The first one is what the others are
    compared with.
    """
    root = lab.data.folders[0]
    phrases = read_corpus([root / f"idioms/{code}.jsonl" for code in ("ru", "en")])
    training = _drawn(training_texts(lab.data, phrases, Recipe()), lab.rows(TEXTS))
    known = inflected(vocabulary(training.texts, phrases, lab.data), lab.data)
    sets = _by_script(reranking.asked(lab, phrases))
    first: dict[str, Values] = {}
    for name, folders in teachers.items():
        found: dict[str, list[dict[str, Values]]] = {table: [] for table in sets}
        for folder in folders:
            say(f"build with {folder}")
            engine = _built(lab, folder, phrases, training, known)
            for table, queries in sets.items():
                found[table].append(retrieval(reranking.answered(engine, queries, DEPTH)[1]))
        for table, of_seeds in found.items():
            for figure in ("P@1", "R@10", "MRR"):
                findings.mean(table, name, figure, np.array([one[figure] for one in of_seeds]))
            ranked = np.array([one["MRR"] for one in of_seeds])
            if table in first:
                findings.mean(table, name, "MRR gained", ranked - first[table])
            else:
                first[table] = ranked.mean(axis=0)


def _built(
    lab: Lab, folder: str, phrases: Sequence[Phrase], training: TrainingTexts, known: Vocabulary
) -> SearchEngine:
    recipe = replace(_TINY if lab.tiny else Recipe(), teacher=folder, search_k=_SEARCH_K)
    teacher = Teacher(folder, device=lab.device)
    cache = lab.cache / "embeddings"
    learned = learn(teacher, training, known, phrases, lab.data, recipe, cache)
    indexed = [replace(phrase, scenes=()) for phrase in phrases]
    return SearchEngine(assemble(indexed, learned, recipe, cache))


def _drawn(training: TrainingTexts, count: int) -> TrainingTexts:
    """Some of the training texts, by chance."""
    rows = np.sort(np.random.default_rng(0).permutation(len(training.texts))[:count])
    return TrainingTexts(
        [training.texts[row] for row in rows],
        [training.targets[row] for row in rows],
        [training.weights[row] for row in rows],
    )


def _by_script(sets: Mapping[str, Sequence[Asked]]) -> dict[str, list[Asked]]:
    """The queries of each set by the language that they are in."""
    found: dict[str, list[Asked]] = {}
    for name, queries in sets.items():
        for asked in queries:
            found.setdefault(f"{name} queries, {script_language(asked[0])}", []).append(asked)
    return found

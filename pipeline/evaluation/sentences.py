"""Pairs of sentences: how alike they are, whether one paraphrases the other, and finding the other half of a pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import average_precision_score, f1_score

from pipeline.data.sources import folded
from pipeline.evaluation.baselines import Cosine, Scores, jaccard
from pipeline.evaluation.context import SEED, EvaluationContext
from pipeline.evaluation.metrics import DEPTH, Data, Figures, Flags, Rows, Values, mean_of, metric_of, retrieval_figures
from pipeline.train.dimensions import SIZES

Texts = Sequence[str]
Pair = tuple[str, str, int]
Similarity = Callable[[Texts, Texts], Scores]  # likeness of two columns of texts row by row, shape (rows,)

_ALIKE = 4  # What people gave, 0 to 5, to two sentences that say the same.
_QUESTIONS = 2000  # Pairs of questions, of as many groups: each question must find its other half among them.


def sentence_pairs(context: EvaluationContext, split: str = "test") -> Figures:
    """Similarity of sentence pairs against people's judgements."""
    for language in context.languages_with("sts_{}_test"):
        first, second, judged = judged_pairs(context, language, split)
        data = Data(f"stsb-{language}" if split == "test" else f"stsb-{language}-{split}", f"STS-B {language}", split)
        for system, similarity in similarities(context, [*first, *second], language).items():
            yield from _correlations(judged, similarity(first, second), data, system)


def dimensions(context: EvaluationContext) -> Figures:
    """By the number of the teacher's best dimensions, on pairs that they were not chosen by."""
    selected = context.selected
    for language in context.recipe.judged_languages:
        first, second, judged = judged_pairs(context, language)
        whole = context.embeddings([*first, *second])
        data = Data(f"dimensions-{language}", f"STS-B {language}, by dimensions", "test")
        for size in [size for size in SIZES if size < len(selected)] + [len(selected)]:
            some = whole.reduced(context.teacher.dimensions, selected[:size])
            similarity = Cosine(some.__getitem__, some.vectors).similarities
            yield from _correlations(judged, similarity(first, second), data, f"best {size}")


def judged_pairs(context: EvaluationContext, language: str, split: str = "test") -> tuple[Texts, Texts, Values]:
    """The two columns of an STS split, and what people gave each pair, 0 to 5."""
    first, second, scores = zip(*context.data.sts(language, split), strict=True)
    return first, second, np.array(scores)


def similarities(context: EvaluationContext, texts: Texts, language: str) -> dict[str, Similarity]:
    """By the engine and by others; `texts`, of a language, are the collection that others count frequencies in."""
    known: dict[str, Similarity] = {name: system.similarities for name, system in context.systems(texts).items()}
    if not context.alone:
        known["Jaccard over words"] = lambda first, second: np.array(list(map(jaccard, first, second)))
    if context.teacher_reads(language):
        embeddings = context.embeddings(texts)
        known["teacher"] = Cosine(embeddings.__getitem__, embeddings.vectors).similarities
    return known


def _correlations(judged: Values, scores: Scores, data: Data, system: str) -> Figures:
    for figure, of in (("Spearman", spearmanr), ("Pearson", pearsonr)):
        yield metric_of(figure, partial(correlation, of), judged, scores, data, system)


def correlation(of: Callable[[Any, Any], Any], judged: Values, scores: Scores) -> float:
    """Spearman's or Pearson's, as scipy computes it; 0 where a column is constant, as few rows may be."""
    return float(of(judged, scores).statistic) if np.ptp(judged) and np.ptp(scores) else 0.0


# Is it a paraphrase?


def russian_paraphrases(context: EvaluationContext) -> Figures:
    """ParaPhraser: one half of the groups of connected headlines gives the threshold, the other the figures."""
    rows = [(one, other, int(judgement >= 0)) for one, other, judgement in context.data.judged_pairs("ru_paraphraser")]
    groups = components(rows)
    train, test = ([row for row, group in zip(rows, groups, strict=True) if group % 2 == half] for half in (0, 1))
    name = "ParaPhraser, paraphrases and near ones against others"
    yield from _decisions(context, train, test, "ru", Data("paraphraser", name, "half of the groups"))


def english_paraphrases(context: EvaluationContext) -> Figures:
    """The Microsoft Research paraphrase corpus (Dolan and Brockett 2005)."""
    train, test = context.data.judged_pairs("mrpc_train"), context.data.judged_pairs("mrpc_test")
    yield from _decisions(context, train, test, "en", Data("mrpc", "MRPC", "test"))


def _decisions(
    context: EvaluationContext, train: Sequence[Pair], test: Sequence[Pair], language: str, data: Data
) -> Figures:
    """Calling pairs paraphrases from the threshold that is most often right on `train`."""
    texts = [text for row in (*train, *test) for text in row[:2]]
    positive = _positive(test)
    for system, similarity in similarities(context, texts, language).items():
        threshold = best_threshold(_positive(train), _scores(similarity, train))
        scores = _scores(similarity, test)
        predicted = scores >= threshold
        yield mean_of("accuracy", predicted == positive, data, system)
        yield metric_of("F1", f1_score, positive, predicted, data, system)
        yield metric_of("average precision", average_precision_score, positive, scores, data, system)
    yield mean_of("accuracy", positive, data, "always yes")


def best_threshold(positive: Flags, scores: Scores) -> float:
    """The score from which predicting a row positive is most often right."""
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(np.where(positive[order], 1, -1))
    return float(scores[order][int(np.argmax(right))])


def _scores(similarity: Similarity, rows: Sequence[Pair]) -> Scores:
    first, second, _ = zip(*rows, strict=True)
    return similarity(first, second)


def _positive(rows: Sequence[Pair]) -> Flags:
    return np.array([judgement == 1 for *_, judgement in rows])


def components(rows: Sequence[Pair]) -> Rows:
    """Number of the group of each row, shape (rows,): rows of different groups have no text in common."""
    numbers: dict[str, int] = {}
    ends = np.array([[numbers.setdefault(folded(text), len(numbers)) for text in row[:2]] for row in rows])
    graph = coo_array((np.ones(len(rows)), (ends[:, 0], ends[:, 1])), (len(numbers), len(numbers)))
    groups = connected_components(graph, directed=False)[1]
    return np.asarray(groups[ends[:, 0]])


# Finding the other half


def other_halves(context: EvaluationContext) -> Figures:
    """Finding the other half of a pair that people judged alike, among all such halves."""
    for language in context.languages_with("sts_{}_test"):
        first, second, judged = judged_pairs(context, language)
        alike = np.flatnonzero(judged >= _ALIKE).tolist()
        asked, others = ([column[row] for row in alike] for column in (first, second))
        data = Data(f"stsb-{language}-pairs", f"STS-B {language}, pairs scored >= {_ALIKE}", "test")
        yield from _found(context, asked, others, data)


def translations(context: EvaluationContext) -> Figures:
    """Finding a sentence's translation among all."""
    english, russian = (list(side) for side in zip(*context.data.bitext_test(), strict=True))
    yield from _found(context, russian, english, Data("tatoeba-ru-en", "Tatoeba, ru -> en", "test"))
    yield from _found(context, english, russian, Data("tatoeba-en-ru", "Tatoeba, en -> ru", "test"))


def questions(context: EvaluationContext) -> Figures:
    """Finding the question that asks the same, among questions that ask something else."""
    rows = context.data.judged_pairs("qqp")
    _, firsts = np.unique(components(rows), return_index=True)
    drawn = np.sort(np.random.default_rng(SEED).permutation(firsts)[:_QUESTIONS]).tolist()
    asked, others = [rows[row][0] for row in drawn], [rows[row][1] for row in drawn]
    data = Data("quora", "Quora duplicates, a pair of each group", "drawn by chance")
    yield from _found(context, asked, others, data)


def _found(context: EvaluationContext, first: Texts, second: Texts, data: Data) -> Figures:
    for name, system in context.systems(second).items():
        found = ranks(np.array([system.scores(text) for text in first]))
        yield from retrieval_figures([[False] * rank + [True] for rank in found], data, name)


def ranks(similarities: Scores) -> Rows:
    """How many columns, up to DEPTH, come before the diagonal's in each row, shape (rows,).

    Rounding errors are no difference; a row that has nothing in common with its own column did not find it.
    """
    own = similarities.diagonal()
    found: Rows = (similarities > own[:, None] + 1e-5).sum(axis=1)
    return np.where(own > 0, np.minimum(found, DEPTH), DEPTH)

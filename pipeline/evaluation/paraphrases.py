"""Telling paraphrases from other pairs, and finding the other half of a pair among many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from pipeline.data.sources import folded
from pipeline.evaluation.context import Subject
from pipeline.evaluation.metrics import (
    DEPTH,
    SERVED,
    Data,
    Flags,
    Measurement,
    Rows,
    Values,
    area_under_precision,
    best_threshold,
    f1,
    mean_of,
    ranking_of,
    retrieval,
    statistic,
)
from pipeline.evaluation.similarity import Likeness, judged_pairs, likenesses, teacher_likeness

Pair = tuple[str, str, int]

_MRPC = Data("MRPC", "test")
_QUESTIONS = 2000  # Pairs of questions, of as many groups: each question must find its other half among them.


def russian_paraphrases(subject: Subject) -> Iterator[Measurement]:
    """ParaPhraser: one half of the groups of connected headlines gives the threshold, the other the figures."""
    rows = [(one, other, int(judgement >= 0)) for one, other, judgement in subject.data.judged_pairs("ru_paraphraser")]
    groups = components(rows)
    halves = [[row for row, group in zip(rows, groups, strict=True) if group % 2 == half] for half in (0, 1)]
    data = Data("ParaPhraser, paraphrases and near ones against others", "half of the groups")
    yield from _decisions(likenesses(subject, _texts(rows)), halves[0], halves[1], data)
    yield mean_of("accuracy", _positive(halves[1]), data, "always yes")


def english_paraphrases(subject: Subject) -> Iterator[Measurement]:
    """The Microsoft Research paraphrase corpus (Dolan and Brockett 2005)."""
    train, test = _mrpc(subject)
    yield from _decisions(likenesses(subject, _texts([*train, *test])), train, test, _MRPC)
    yield mean_of("accuracy", _positive(test), _MRPC, "always yes")


def teacher_paraphrases(subject: Subject) -> Iterator[Measurement]:
    """The same by the teacher."""
    train, test = _mrpc(subject)
    likeness = teacher_likeness(subject, _texts([*train, *test]))
    yield from _decisions({"teacher": likeness}, train, test, _MRPC)


def _mrpc(subject: Subject) -> tuple[list[Pair], list[Pair]]:
    return subject.data.judged_pairs("mrpc_train"), subject.data.judged_pairs("mrpc_test")


def _texts(rows: Sequence[Pair]) -> list[str]:
    return [text for row in rows for text in row[:2]]


def _decisions(
    systems: Mapping[str, Likeness], train: Sequence[Pair], test: Sequence[Pair], data: Data
) -> Iterator[Measurement]:
    """Calling pairs paraphrases from the threshold that is most often right on `train`."""
    positive = _positive(test)
    for system, likeness in systems.items():
        threshold = best_threshold(_scores(likeness, train), _positive(train))
        scores = _scores(likeness, test)
        told = scores >= threshold
        yield mean_of("accuracy", told == positive, data, system)
        yield statistic("F1", f1, told, positive, data, system)
        yield statistic("average precision", area_under_precision, scores, positive, data, system)


def _scores(likeness: Likeness, rows: Sequence[Pair]) -> Values:
    first, second, _ = zip(*rows, strict=True)
    return likeness(first, second)


def _positive(rows: Sequence[Pair]) -> Flags:
    return np.array([judgement == 1 for *_, judgement in rows])


def components(rows: Sequence[Pair]) -> npt.NDArray[np.int32]:
    """Number of the group that each row belongs to: rows of different groups have no text in common."""
    numbers: dict[str, int] = {}
    ends = np.array([[numbers.setdefault(folded(text), len(numbers)) for text in row[:2]] for row in rows])
    graph = coo_matrix((np.ones(len(rows)), (ends[:, 0], ends[:, 1])), (len(numbers), len(numbers)))
    groups = connected_components(graph, directed=False)[1]
    return np.asarray(groups[ends[:, 0]])


# Finding the other half


def other_halves(subject: Subject) -> Iterator[Measurement]:
    """Finding the other half of a pair that people judged alike, among all such halves."""
    for language in ("ru", "en"):
        first, second, judged = judged_pairs(subject, language)
        alike = np.flatnonzero(judged >= 4)
        asked, others = ([column[row] for row in alike] for column in (first, second))
        yield from _found(subject, asked, others, Data(f"STS-B {language}, pairs scored >= 4", "test"))


def translations(subject: Subject) -> Iterator[Measurement]:
    """Finding a sentence's translation among all."""
    english, russian = (list(side) for side in zip(*subject.data.bitext_test(), strict=True))
    yield from _found(subject, russian, english, Data("Tatoeba, ru -> en", "test"))
    yield from _found(subject, english, russian, Data("Tatoeba, en -> ru", "test"))


def questions(subject: Subject) -> Iterator[Measurement]:
    """Finding the question that asks the same, among questions that ask something else."""
    rows = subject.data.judged_pairs("qqp")
    _, firsts = np.unique(components(rows), return_index=True)
    drawn = np.sort(np.random.default_rng(2021).permutation(firsts)[:_QUESTIONS])
    asked, others = [rows[row][0] for row in drawn], [rows[row][1] for row in drawn]
    yield from _found(subject, asked, others, Data("Quora duplicates, a pair of each group", "drawn by chance"))


def _found(subject: Subject, first: Sequence[str], second: Sequence[str], data: Data) -> Iterator[Measurement]:
    yield from _retrieved(ranks(subject.encode(first) @ subject.encode(second).T), data, SERVED)
    for system, scorer in subject.baselines(second).items():
        yield from _retrieved(ranks(np.array([scorer(text) for text in first])), data, system)


def _retrieved(found: Rows, data: Data, system: str) -> Iterator[Measurement]:
    for figure, values in retrieval([ranking_of(rank) for rank in found]).items():
        yield mean_of(figure, values, data, system)


def ranks(similarities: npt.NDArray[np.floating]) -> Rows:
    """How many columns come before the diagonal's in each row; rounding errors are no difference.

    A row that has nothing in common with its own column did not find it.
    """
    own = similarities.diagonal()
    found: Rows = (similarities > own[:, None] + 1e-5).sum(axis=1)
    return np.where(own > 0, found, DEPTH)

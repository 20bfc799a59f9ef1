"""How well likeness of sentences agrees with people's judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from scipy.stats import rankdata

from pipeline.evaluation.baselines import Bm25, TfIdf, jaccard
from pipeline.evaluation.context import Subject, Vectors
from pipeline.evaluation.metrics import SERVED, Data, Measurement, Rows, Values, bootstrap
from pipeline.train.dimensions import SIZES

Likeness = Callable[[Sequence[str], Sequence[str]], Values]
"""How alike two columns of texts are, shape (rows,)."""


def sentence_pairs(subject: Subject) -> Iterator[Measurement]:
    """Likeness of sentence pairs against people's judgements."""
    for language in ("ru", "en"):
        first, second, judged = judged_pairs(subject, language)
        for system, likeness in likenesses(subject, [*first, *second]).items():
            yield from _correlations(likeness(first, second), judged, Data(f"STS-B {language}", "test"), system)


def teacher_pairs(subject: Subject) -> Iterator[Measurement]:
    """The same by the teacher, in the languages that it reads, whole and by its selected dimensions."""
    selected = subject.selected
    every = range(subject.teacher.dimensions)
    kept = {"teacher": every, f"teacher, {len(selected)} best dimensions": selected}
    for language in subject.recipe.judged_languages:
        yield from _by_dimensions(subject, language, kept)


def dimensions(subject: Subject) -> Iterator[Measurement]:
    """By the number of the teacher's best dimensions, on pairs that they were not chosen by."""
    selected = subject.selected
    sizes = [size for size in SIZES if size < len(selected)] + [len(selected)]
    for language in subject.recipe.judged_languages:
        yield from _by_dimensions(subject, language, {f"best {size}": selected[:size] for size in sizes})


def _by_dimensions(subject: Subject, language: str, kept: Mapping[str, Sequence[int]]) -> Iterator[Measurement]:
    first, second, judged = judged_pairs(subject, language)
    taught = subject.taught([*first, *second])
    one, other = taught[first], taught[second]
    for system, some in kept.items():
        yield from _correlations(
            cosines(one[:, some], other[:, some]), judged, Data(f"STS-B {language}", "test"), system
        )


def judged_pairs(subject: Subject, language: str) -> tuple[list[str], list[str], Values]:
    """The two columns of the STS test split, and what people gave each pair, 0 to 5."""
    first, second, scores = zip(*subject.data.sts(language, "test"), strict=True)
    return list(first), list(second), np.array(scores)


def likenesses(subject: Subject, texts: Sequence[str]) -> dict[str, Likeness]:
    """Ours and others'; `texts` are the collection that others count document frequencies in."""
    ours: dict[str, Likeness] = {SERVED: lambda first, second: cosines(subject.encode(first), subject.encode(second))}
    if subject.alone:
        return ours
    return ours | {
        "character n-grams": TfIdf(texts, "characters").alike,
        "TF-IDF over words": TfIdf(texts, "words").alike,
        "BM25": Bm25(texts).alike,
        "Jaccard over words": lambda first, second: np.array(list(map(jaccard, first, second))),
        "mean of word vectors": subject.word_vectors.alike,
    }


def teacher_likeness(subject: Subject, texts: Sequence[str]) -> Likeness:
    """The cosine of the teacher's own vectors; `texts` are all that it will be asked about."""
    taught = subject.taught(texts)
    return lambda first, second: cosines(taught[first], taught[second])


def cosines(first: Vectors, second: Vectors) -> Values:
    """Row by row."""
    norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return np.asarray((first * second).sum(axis=1) / np.maximum(norms, 1e-9), np.float64)


def _correlations(scores: Values, judged: Values, data: Data, system: str) -> Iterator[Measurement]:
    def row(figure: str, correlation: Callable[[Values, Values], float]) -> Measurement:
        def of(rows: Rows) -> float:
            return correlation(scores[rows], judged[rows])

        value, interval = of(np.arange(len(judged))), bootstrap(of, len(judged))
        return Measurement(figure, value, *data, len(judged), system, *interval)

    yield row("Spearman", _spearman)
    yield row("Pearson", _pearson)


def _pearson(one: Values, other: Values) -> float:
    """0 where one column is constant, as few rows may be."""
    one, other = one - one.mean(), other - other.mean()
    return float(one @ other) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-12)


def _spearman(one: Values, other: Values) -> float:
    return _pearson(rankdata(one), rankdata(other))

"""Pairs of texts for training and for measuring, split so that no text, nor a chain of pairs, is on both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2s
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import linear_kernel

from bot.search.text import words
from pipeline.data.sources import DataFolder, folded
from pipeline.data.tables import read_rows
from pipeline.evaluation.sentences import components
from pipeline.lab.setting import Lab, Vectors

TEST_QUESTIONS = 10_000  # among which a duplicate is looked for; as many as in the known figures
NEGATIVES = 0.63  # share of the pairs that are no duplicates, as in all that Quora published
_DEV_PAIRS = 500  # held out of the training part, to choose the best checkpoint and thresholds by
_MOST_OF_A_GROUP = 5  # pairs of one group of questions that are trained on: the largest group has 658
_WORDED_ALIKE = 0.9  # the cosine of words from which two texts of different groups may well be duplicates

Row = TypeVar("Row")


class Pair(NamedTuple):
    """Two texts and how alike people judged them, from 0 to 1."""

    first: str
    second: str
    label: float

    @property
    def texts(self) -> tuple[str, str]:
        """Both texts."""
        return self.first, self.second


class Several(NamedTuple):
    """A pair, and texts of which a step draws one: negatives, or other forms of the second."""

    first: str
    second: str
    others: list[str]

    def drawn(self) -> str:
        """One of the others, by torch's generator."""
        return self.others[int(torch.randint(len(self.others), ()))]


@dataclass(frozen=True)
class Split:
    """Parts of a set that have no text in common, even by way of other pairs."""

    train: list[Pair]
    dev: list[Pair]
    test: list[Pair]
    groups: Mapping[str, int] = field(default_factory=dict)
    """The group of connected texts that each text belongs to, for mining; pairs that are left out connect some, too."""


def quora(data: DataFolder, test_pairs: int = TEST_QUESTIONS // 2, dev_pairs: int = _DEV_PAIRS) -> Split:
    """Questions that people called duplicates; dev and test have one pair of each group of connected questions.

    Test has groups drawn by chance. A group with a row whose split is named test is never trained on.
    """
    path, columns = data.path("qqp"), ("q1", "q2", "split")
    rows = [row for row in read_rows(path, tuple[str, str, str], columns) if folded(row[0]) != folded(row[1])]
    groups: dict[int, list[tuple[str, str, str]]] = {}
    group_of: dict[str, int] = {}
    for group, row in zip(components([(one, other, 1) for one, other, _ in rows]).tolist(), rows, strict=True):
        groups.setdefault(group, []).append(row)
        group_of |= dict.fromkeys(row[:2], group)
    by_chance = sorted(groups.values(), key=lambda group: _hash(f"a fresh draw: {min(group)[0]}"))
    test, others = by_chance[:test_pairs], by_chance[test_pairs:]
    free = [group for group in others if not any(row[2].endswith("test") for row in group)]
    dev, train = free[:dev_pairs], free[dev_pairs:]
    held, asked = ([Pair(*group[0][:2], 1.0) for group in part] for part in (dev, test))
    return Split([Pair(*row[:2], 1.0) for group in train for row in group[:_MOST_OF_A_GROUP]], held, asked, group_of)


def labelled(lab: Lab, train: Sequence[Pair], test: Sequence[Pair], dev_share: float = 0.1) -> Split:
    """Judged pairs: what is connected with a test pair is left out of training, and dev is taken from train."""
    groups = components([(row.first, row.second, 0) for row in (*test, *train)]).tolist()
    tested = set(groups[: len(test)])
    seen = [(group, row) for group, row in zip(groups[len(test) :], train, strict=True) if group not in tested]
    order = sorted({group for group, _ in seen}, key=lambda group: _hash(str(group)))
    dev = set(order[: max(1, round(dev_share * len(order)))])
    kept, held = ([row for group, row in seen if (group in dev) == held] for held in (False, True))
    kept, held, judged = (part[: lab.rows(len(part))] for part in (kept, held, list(test)))
    return Split(kept, held, judged)


def mrpc(lab: Lab) -> Split:
    """The Microsoft Research paraphrase corpus; its own halves share 265 sentences, so training loses some rows."""
    train, test = (
        [Pair(one, other, float(judged)) for one, other, judged in lab.data.judged_pairs(f"mrpc_{part}")]
        for part in ("train", "test")
    )
    return labelled(lab, train, test)


def paraphraser(lab: Lab) -> Split:
    """ParaPhraser's classes -1, 0 and 1 as 0, 0.5 and 1; test is the half that `pipeline.evaluate` measures on."""
    rows = lab.data.judged_pairs("ru_paraphraser")
    halves: tuple[list[Pair], list[Pair]] = ([], [])
    for group, (one, other, judged) in zip(components(rows).tolist(), rows, strict=True):
        halves[group % 2].append(Pair(one, other, (judged + 1) / 2))
    return labelled(lab, *halves)


def stsb(lab: Lab, language: str) -> Split:
    """The STS benchmark, without training pairs that share a text with its dev or test pairs."""
    held_out = lab.data.held_out()
    train, dev, test = (
        [Pair(one, other, score / 5) for one, other, score in lab.data.sts(language, part)]
        for part in ("train", "dev", "test")
    )
    train = [row for row in train if held_out.isdisjoint((folded(row.first), folded(row.second)))]
    return Split(train[: lab.rows(len(train))], sampled(dev, lab.rows(_DEV_PAIRS)), test[: lab.rows(len(test))])


def texts_of(pairs: Iterable[Pair]) -> list[str]:
    """Every text of the pairs once, in their order."""
    return list(dict.fromkeys(text for row in pairs for text in row.texts))


def sampled(rows: Sequence[Row], count: int, seed: int = 0) -> list[Row]:
    """At most so many rows, drawn by chance."""
    return [rows[row] for row in np.random.default_rng(seed).permutation(len(rows))[:count]]


# Negatives


def mined(
    pairs: Sequence[Pair],
    vectors: Any,
    count: int,
    ceiling: float,
    groups: Mapping[str, int],
    near: Vectors | None = None,
) -> list[list[str]]:
    """For the first text of each pair, the nearest texts of other groups; some find fewer than `count`, or none.

    `vectors` are unit rows for `texts_of(pairs)`, dense or sparse. Texts nearer than the cosine `ceiling` may be
    duplicates that nobody judged, and are skipped. Where rows of `near` are given, they say what is nearest of the
    rest. `groups` has the group of each text.
    """
    texts = texts_of(pairs)
    place = {text: row for row, text in enumerate(texts)}
    asked = np.array([place[row.first] for row in pairs])
    group = np.array([groups[text] for text in texts])
    found: list[list[str]] = []
    for start in range(0, len(pairs), 500):
        anchors = asked[start : start + 500]
        cosines = np.asarray(linear_kernel(vectors[anchors], vectors, dense_output=True))
        skipped = (cosines > ceiling) | (group[anchors][:, None] == group[None, :])
        cosines = cosines if near is None else near[anchors] @ near.T
        cosines[skipped] = -1
        nearest = np.argsort(-cosines, axis=1)[:, :count] if len(texts) <= count else _largest(cosines, count)
        found += [[texts[one] for one in row if own[one] > 0] for row, own in zip(nearest, cosines, strict=True)]
    return found


def with_negatives(pairs: Sequence[Pair], groups: Mapping[str, int], seed: int = 0) -> list[Pair]:
    """The pairs, and first texts of theirs beside one that shares words with it but belongs to another group.

    Such negatives were mined by TF-IDF and judged by nobody. They are as many as in Quora's own set where the pairs
    have so many near ones.
    """
    table = TfidfVectorizer(tokenizer=words, lowercase=False, token_pattern=None, sublinear_tf=True)
    near = mined(pairs, table.fit_transform(texts_of(pairs)), 2, _WORDED_ALIKE, groups)
    wrong = [Pair(row.first, text, 0.0) for row, some in zip(pairs, near, strict=True) for text in some]
    count = round(len(pairs) * NEGATIVES / (1 - NEGATIVES))
    return sampled([*pairs, *sampled(wrong, count, seed)], len(pairs) + count, seed)


def _largest(values: Vectors, count: int) -> np.ndarray:
    some = np.argpartition(-values, count, axis=1)[:, :count]
    return np.take_along_axis(some, np.argsort(-np.take_along_axis(values, some, axis=1), axis=1), axis=1)


def _hash(text: str) -> bytes:
    return blake2s(text.encode(), digest_size=8).digest()

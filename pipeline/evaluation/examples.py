"""Nearest neighbours, good and bad, chosen by a rule and not by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.evaluation.context import Subject
from pipeline.evaluation.metrics import DEPTH
from pipeline.evaluation.retrieval import dev_queries

RULE = (
    "Of the dev queries in both languages, over the Russian idioms: those that find a right answer first, and those "
    "that find it last or not at all; of each kind the ones that the engine is surest of."
)


@dataclass(frozen=True, slots=True)
class Example:
    """A query and what is found for it."""

    query: str
    right: tuple[str, ...]
    rank: int
    """Of the first right answer, from 0; `DEPTH` when there is none."""
    found: tuple[str, ...]
    """The first three answers."""


def examples(subject: Subject, count: int = 6) -> tuple[list[Example], list[Example]]:
    """As many of the best and of the worst, by `RULE`."""
    answered = [
        _answered(subject, text, query.right) for query in dev_queries(subject) for text in query.texts.values()
    ]
    best = sorted(answered, key=lambda pair: (pair[1].rank, -pair[0]))
    worst = sorted(answered, key=lambda pair: (-pair[1].rank, -pair[0]))
    return [example for _, example in best[:count]], [example for _, example in worst[:count]]


def _answered(subject: Subject, text: str, right: frozenset[str]) -> tuple[float, Example]:
    answer = subject.engine.answer(text, DEPTH, ("ru",), anyway=True)
    keys = [match.phrase.key for match in answer.matches]
    rank = next((rank for rank, key in enumerate(keys) if key in right), DEPTH)
    found = tuple(match.phrase.text for match in answer.matches[:3])
    return answer.confidence, Example(text, _texts(subject, sorted(right)), rank, found)


def _texts(subject: Subject, keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(phrase.text for key in keys if (phrase := subject.engine.phrase(key)))

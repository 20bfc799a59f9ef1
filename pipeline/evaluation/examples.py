"""Nearest neighbours, good and bad, chosen by a rule and not by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.data.queries import ASKED_FOR
from pipeline.evaluation.context import EvaluationContext
from pipeline.evaluation.metrics import DEPTH
from pipeline.evaluation.report import as_table
from pipeline.evaluation.retrieval import dev_queries


class Example(NamedTuple):
    """A query and what is found for it."""

    query: str
    right: list[str]
    rank: int  # of the first right answer, from 0; `DEPTH` when there is none
    found: list[str]
    confidence: float

    @property
    def place(self) -> str:
        """Of the first right answer, from 1."""
        return f"{self.rank + 1}" if self.rank < DEPTH else f"below {DEPTH}"


def examples(context: EvaluationContext, count: int = 6) -> tuple[list[Example], list[Example]]:
    """Queries that find a right answer first, and that find it last or not at all, those first that are surest."""
    known = [_example(context, text, query.right) for query in dev_queries(context) for text in query.texts.values()]
    best = sorted(known, key=lambda example: (example.rank, -example.confidence))
    worst = sorted(known, key=lambda example: (-example.rank, -example.confidence))
    return best[:count], worst[:count]


def _example(context: EvaluationContext, text: str, right: frozenset[str]) -> Example:
    answer = context.engine.answer(text, DEPTH, (ASKED_FOR,), anyway=True)
    rank = next((rank for rank, match in enumerate(answer.matches) if match.phrase.key in right), DEPTH)
    wanted = [phrase.text for key in sorted(right) if (phrase := context.engine.phrase(key))]
    return Example(text, wanted, rank, [match.phrase.text for match in answer.matches[:3]], answer.confidence)


def example_table(some: Sequence[Example]) -> str:
    """In Markdown."""
    header = ["query", "right answers", "place of the first", "the first three"]
    return as_table(header, ([one.query, "; ".join(one.right), one.place, "; ".join(one.found)] for one in some))

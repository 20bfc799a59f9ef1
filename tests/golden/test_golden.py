"""What the engine answers and what the bot shows stays as it was recorded, but for what is changed on purpose.

`python -m golden.record` (in tests/) writes both files anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from bot.search.engine import SearchEngine
from golden.queries import golden_queries
from golden.script import play
from support.talking import Talk

HERE = Path(__file__).parent
ANSWERS = [json.loads(line) for line in (HERE / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
SAME = 0.002
"""Scores that differ by less may change places: vectors are stored in half precision."""


def test_every_query_has_a_recorded_answer() -> None:
    assert [row["query"] for row in ANSWERS] == golden_queries()


@pytest.mark.parametrize("row", ANSWERS, ids=lambda row: row["query"])
def test_the_engine_answers_as_recorded(engine: SearchEngine, row: dict[str, object]) -> None:
    answer = engine.answer(str(row["query"]), 10, anyway=True)
    told = {"searched": answer.searched, "repaired": answer.repaired, "close": answer.close}
    assert told == {name: row[name] for name in told}
    assert answer.confidence == pytest.approx(row["confidence"], abs=0.01)
    assert [match.score for match in answer.matches] == pytest.approx(row["scores"], abs=SAME)
    recorded = dict(zip(row["keys"], row["scores"], strict=True))  # type: ignore[call-overload]
    unexpected = [match for match in answer.matches if match.phrase.key not in recorded]
    assert all(match.score <= min(recorded.values()) + SAME for match in unexpected), unexpected
    order = [recorded[match.phrase.key] for match in answer.matches if match.phrase.key in recorded]
    assert all(earlier >= later - SAME for earlier, later in pairwise(order))


async def test_the_conversation_shows_what_was_recorded(engine: SearchEngine) -> None:
    recorded = json.loads((HERE / "conversation.json").read_text(encoding="utf-8"))
    shown = await play(lambda language: Talk(engine, language))
    for step, expected in zip(shown, recorded, strict=True):
        assert step == expected

"""Figures for the admins."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.features.stats import chart
from bot.search.engine import SearchEngine
from support.talking import ANNA, QUERY, RU, Talk


async def test_figures_for_admins_alone(engine: SearchEngine) -> None:
    async with Talk(engine, admins=frozenset({ANNA})) as talk:
        for _ in range(3):
            await talk.say(QUERY)
        (answer,) = await talk.say("/stats")
        assert "Запросов: 3, сегодня 3" in answer["text"]
        assert answer["text"].splitlines()[-1] == f"{datetime.fromtimestamp(talk.time, UTC):%m-%d} 3 {20 * '█'}"
        assert "pre" in {entity["type"] for entity in answer["entities"]}
        other = talk.telegram.add_user("Боб", "ru")
        (answer,) = await talk.say("/stats", talk.telegram.private(other), other)
        assert answer["text"] == RU("notice-unknown-command")


def test_bars_are_as_long_as_their_numbers_are_great() -> None:
    assert chart([("03-09", 0), ("03-10", 5), ("03-11", 10)]).splitlines() == [
        "03-09  0",
        f"03-10  5 {10 * '█'}",
        f"03-11 10 {20 * '█'}",
    ]
    assert chart([]) == ""

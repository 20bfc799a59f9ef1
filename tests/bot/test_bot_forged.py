"""No press in a group, forged or not, shows others what only the presser may see."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.actions import to_data
from bot.features.routes import ACTIONS
from bot.search.engine import Answer, SearchEngine
from bot.search.phrases import phrase_key
from bot.store.protocol import HistoryEntry, Review
from support.small import PHRASES, small_artifacts
from support.strategies import strategies
from support.talking import ANNA, Talk

SECRET = "тайный запрос"
PRIVATE = (SECRET, "Токио", "Tokyo", "17:00", "• 20", "• English", f"1. {PHRASES[1].text}", f"📖 {PHRASES[1].text}")
"""Of what Anna asked and saved, where she lives, when she gets her idiom of the day, her pace and her language."""
OWN = {"key": PHRASES[1].key, "past": 1, "entry": 1, "parent": 1, "card": 2}
"""What buttons may name that is hers."""


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda kind: kind.__name__)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=st.data())
async def test_a_press_in_a_group_shows_nothing_private(kind: type[Any], drawn: st.DataObject) -> None:
    action: Any = drawn.draw(strategies[kind])
    own = {field.name: OWN[field.name] for field in fields(kind) if field.name in OWN and drawn.draw(st.booleans())}
    async with Talk(SearchEngine(small_artifacts()), admins=frozenset({ANNA})) as talk:
        await talk.say("/start")
        await let_have_private_things(talk)
        group = talk.telegram.add_group("Друзья", [talk.user, talk.telegram.add_user("Боб", "ru")])
        (answer,) = await talk.say(f"@idiomatika_bot {PHRASES[0].text}", group)
        await talk.press_data(answer, to_data(replace(action, **own)))
        shown = " ".join(str(message) for number, message in group.messages.items() if number > 1)
        assert [secret for secret in PRIVATE if secret in shown] == []


class Ranking(SearchEngine):
    """Notes how many answers it was asked for."""

    most = 0

    def answer(self, text: str, count: int = 10, *more: Any, **named: Any) -> Answer:
        self.most = max(self.most, count)
        return super().answer(text, count, *more, **named)


async def test_forged_pages_and_offsets_do_not_rank_the_whole_collection() -> None:
    engine = Ranking(small_artifacts())
    async with Talk(engine) as talk:
        (answer,) = await talk.say(PHRASES[0].text)
        for data in ("1v:1:999", "1y:1:999", f"1o:{PHRASES[0].key}:1:999"):
            shown, _ = await talk.press_data(answer, data)
            assert PHRASES[0].text in shown["text"]
        for offset in ("100000", "9" * 60, "٩" * 30):
            assert ((await talk.inline(PHRASES[0].text, offset)).answer or {})["results"] == []
        assert engine.most < 1_000


async def let_have_private_things(talk: Talk) -> None:
    """Let Anna have a history, something saved, learned and reported, and settings."""
    await talk.store.add(HistoryEntry(0, ANNA, str(ANNA), "query", SECRET))
    await talk.store.add(HistoryEntry(0, ANNA, str(ANNA), "card", PHRASES[1].key))
    await talk.store.set_saved(ANNA, PHRASES[1].key, True)
    await talk.store.grade(ANNA, Review(PHRASES[1].key, 1, "", 5.0, "", "2026-01-01"), "2026-01-01")
    await talk.store.report(ANNA, phrase_key("ru", SECRET), "other")
    await talk.store.set(ANNA, zone="Asia/Tokyo", hour="17", due=1.0, pace=20, language="en")

"""Buttons that are pressed twice, late, by others, or long after."""

from __future__ import annotations

import pytest

from bot.search.engine import SearchEngine
from support.talking import EN, QUERY, RU, Talk


async def test_pressing_twice_is_harmless(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say(QUERY)
        card, _ = await talk.press(answer, RU("button-more"))
        same, _ = await talk.press(answer, RU("button-more"))
        assert same["text"] == card["text"]
        assert [call.answer["description"][:36] for call in talk.telegram.refusals] == [
            "Bad Request: message is not modified"
        ]
        assert len(await talk.say("/help")) == 1


async def test_a_late_press_is_harmless(engine: SearchEngine, caplog: pytest.LogCaptureFixture) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say(QUERY)
        query = talk.telegram.press(talk.user, talk.chat, answer["message_id"], "1r:0:")
        talk.time += 60
        await talk.work()
        assert "query is too old" in talk.telegram.refusals[0].answer["description"]
        assert not caplog.records
        assert talk.chat.messages[answer["message_id"]]["text"] != answer["text"]
        talk.telegram.journal.clear()
        del talk.telegram.callback_queries[query.id]


async def test_old_and_foreign_buttons_get_a_toast(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say(QUERY)
        for data, key in [
            ("0old", "notice-old-button"),
            ("1v:999:0", "notice-step-gone"),
            ("1o:" + "0" * 12 + ":0:0", "notice-phrase-gone"),
        ]:
            message, toast = await talk.press_data(answer, data)
            assert (message["text"], toast) == (answer["text"], RU(key))


async def test_nobody_reads_the_steps_of_another(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        await talk.say(QUERY)
        other = talk.telegram.add_user("Eve", "en")
        (answer,) = await talk.say("/random", talk.telegram.private(other), other)
        message, toast = await talk.press_data(answer, "1v:1:0", other)
        assert (message["text"], toast) == (answer["text"], EN("notice-step-gone"))

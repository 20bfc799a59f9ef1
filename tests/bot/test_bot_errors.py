"""What goes wrong is logged without secrets and told kindly."""

from __future__ import annotations

import logging

import pytest

from bot.sandbox.limits import Refusal
from bot.sandbox.world import Chat
from bot.search.engine import Answer, SearchEngine
from bot.search.phrases import Phrase
from support.talking import QUERY, RU, TOKEN, Talk, data


class Broken(SearchEngine):
    """An engine that fails."""

    phrases = ()
    languages = ()

    def __init__(self) -> None:
        pass

    def answer(self, *_: object, **__: object) -> Answer:
        raise RuntimeError("broken")

    def phrase(self, key: str) -> Phrase | None:
        raise RuntimeError(f"broken {key}")


async def test_a_failure_is_told_kindly_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with Talk(Broken()) as talk:
        (answer,) = await talk.say(QUERY)
        assert answer["text"] == RU("notice-error")
        message, toast = await talk.press_data(answer, "1o:00ff00ff00ff:0:0")
        assert (message["text"], toast) == (answer["text"], RU("notice-error"))
        assert [record.exc_info[1].args for record in caplog.records if record.exc_info and record.exc_info[1]] == [
            ("broken",),
            ("broken 00ff00ff00ff",),
        ]
        assert TOKEN not in caplog.text
        talk.errors.clear()


@pytest.mark.parametrize(
    "reason",
    [
        "not enough rights to send text messages to the chat",
        "have no rights to send a message",
        "chat not found",
        "CHAT_WRITE_FORBIDDEN",
        "TOPIC_CLOSED",
    ],
)
async def test_where_the_bot_may_not_write_it_tries_once_and_logs_a_line(
    engine: SearchEngine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, reason: str
) -> None:
    def refuse(*_: object) -> Chat:
        raise Refusal(reason)

    async with Talk(engine) as talk:
        caplog.set_level(logging.INFO, "bot.telegram.handlers")
        group = talk.telegram.add_group("Молчуны", [talk.user])
        monkeypatch.setattr(talk.telegram, "writable", refuse)
        assert await talk.say("/random@idiomatika_bot", group) == []
        (refused,) = talk.telegram.refusals
        assert refused.method == "sendMessage"
        assert [(record.levelname, record.exc_info) for record in caplog.records] == [("INFO", None)]
        assert reason.casefold() in caplog.text.casefold()
        talk.telegram.journal.clear()
        talk.errors.clear()


async def test_a_group_that_became_a_supergroup_costs_a_line_and_its_presses_end(
    engine: SearchEngine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> Chat:
        raise Refusal("group chat was upgraded to a supergroup chat", 400, migrate_to_chat_id=-100_123)

    async with Talk(engine) as talk:
        caplog.set_level(logging.INFO, "bot.telegram.handlers")
        group = talk.telegram.add_group("Друзья", [talk.user])
        (card,) = await talk.say("/random@idiomatika_bot", group)
        monkeypatch.setattr(talk.telegram, "writable", refuse)
        press = talk.telegram.press(talk.user, group, card["message_id"], data(card, RU("button-random")))
        assert await talk.say("/random@idiomatika_bot", group) == []
        assert press.answer is not None
        assert [(record.levelname, record.exc_info) for record in caplog.records] == [("INFO", None)] * 2
        talk.telegram.journal.clear()
        talk.errors.clear()


async def test_the_token_is_in_no_log(engine: SearchEngine, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    async with Talk(engine) as talk:
        await talk.say(QUERY)
    assert TOKEN not in caplog.text

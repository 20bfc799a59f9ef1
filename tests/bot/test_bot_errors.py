"""What goes wrong is logged without secrets and told kindly."""

from __future__ import annotations

import logging

import pytest

from bot.search.engine import Answer, SearchEngine
from bot.search.understand.analysis import Analysis
from support.talking import QUERY, RU, TOKEN, Talk


class Broken(SearchEngine):
    """An engine that understands and then fails."""

    phrases = ()

    def __init__(self) -> None:
        pass

    def analyse(self, text: str, exact: bool = False) -> Analysis:  # noqa: ARG002 (it does not matter)
        return Analysis(text, text, (), (), ())

    def answer(self, *_: object, **__: object) -> Answer:
        raise RuntimeError("broken")


async def test_a_failure_is_told_kindly_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with Talk(Broken()) as talk:
        (answer,) = await talk.say(QUERY)
        assert answer["text"] == RU("notice-error")
        message, toast = await talk.press_data(answer, "1v:1:0")
        assert (message["text"], toast) == (answer["text"], RU("notice-error"))
        assert [record.exc_info[1].args for record in caplog.records if record.exc_info and record.exc_info[1]] == [
            ("broken",)
        ] * 2
        assert TOKEN not in caplog.text
        talk.errors.clear()


async def test_the_token_is_in_no_log(engine: SearchEngine, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    async with Talk(engine) as talk:
        await talk.say(QUERY)
    assert TOKEN not in caplog.text

"""The first meeting, help, and what is no query."""

from __future__ import annotations

import pytest

from bot import links
from bot.search.engine import SearchEngine
from support.talking import EN, RU, Talk, labels


@pytest.mark.parametrize(
    ("language", "greeting"), [("ru", "Привет"), ("en", "Hello"), ("de", "Hallo"), ("fr", "Hello")]
)
async def test_start_and_help_speak_the_language_of_the_person(
    engine: SearchEngine, language: str, greeting: str
) -> None:
    async with Talk(engine, language) as talk:
        (answer,) = await talk.say("/start")
        assert answer["text"].startswith(greeting)
        (answer,) = await talk.say("/help")
        assert "@idiomatika_bot" in answer["text"]


async def test_without_a_language_code_the_message_decides(engine: SearchEngine) -> None:
    async with Talk(engine, "") as talk:
        (answer,) = await talk.say("ничего не делать")
        assert RU("button-why") in labels(answer)
        (answer,) = await talk.say("to do nothing")
        assert EN("button-why") in labels(answer)


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_help_shows_what_can_be_typed(engine: SearchEngine, language: str) -> None:
    async with Talk(engine, language) as talk:
        (answer,) = await talk.say("/help")
        for example in ('"', "*", "💡", "😴"):
            assert example in answer["text"]


async def test_an_unknown_command_is_explained(engine: SearchEngine) -> None:
    async with Talk(engine, "en") as talk:
        (answer,) = await talk.say("/dance now")
        assert answer["text"] == EN("notice-unknown-command")


@pytest.mark.parametrize("kind", ["sticker", "voice", "photo", "document"])
async def test_what_is_not_text_gets_a_kind_answer(engine: SearchEngine, kind: str) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.show(kind)
        assert answer["text"] == RU("notice-not-text")


async def test_an_album_is_answered_once(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for _ in range(3):
            talk.telegram.user_sends_media(talk.user, talk.chat, "photo")
        for update in talk.telegram.updates.pending:
            update["message"]["media_group_id"] = "1"
        answers = await talk.answers(talk.chat, lambda chat: chat)
        assert [answer["text"] for answer in answers] == [RU("notice-not-text")]


async def test_the_menu_is_in_the_language_of_the_person(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        menu = {c["command"]: c["description"] for c in talk.telegram.menu(talk.user, talk.chat)}
        assert menu["random"] == RU("command-random")
        other = talk.telegram.add_user("Bob", "fr")
        menu = {c["command"]: c["description"] for c in talk.telegram.menu(other, talk.telegram.private(other))}
        assert menu["random"] == EN("command-random")


@pytest.mark.parametrize(
    "payload", ["", "i_", "i_000000000000", "q_", "q_!!!", "q_0", "x_1", "0" * 64, "q_" + "_" * 62]
)
async def test_any_start_parameter_is_answered(engine: SearchEngine, payload: str) -> None:
    async with Talk(engine) as talk:
        assert len(await talk.say(f"/start {payload}")) == 1


@pytest.mark.parametrize("query", ["кот", "to do nothing", "я" * 100, "🙂" * 20, "a/b?c+d"])
def test_a_query_survives_a_link_as_far_as_it_fits(query: str) -> None:
    parameter = links.to_query(query)
    assert len(parameter) <= 64
    kind, text = links.read(parameter)
    assert kind == "query"
    assert query.startswith(text)
    assert text == query or len(text.encode()) > 40

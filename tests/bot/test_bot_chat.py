"""The conversation through the real Application, in front of a Telegram that enforces its limits."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.search.engine import Answer, SearchEngine
from bot.texts import texts_in
from support.talking import TOKEN, Talk, labels

QUERY = "ничего не делать, бездельничать"
RU, EN = texts_in("ru"), texts_in("en")


@pytest.mark.parametrize(("language", "greeting"), [("ru", "Привет"), ("en", "Hello"), ("de", "Hello")])
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
        assert RU("button-random") in labels(answer)
        (answer,) = await talk.say("to do nothing")
        assert EN("button-random") in labels(answer)


async def test_nothing_close_is_said_honestly(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("?!?!")
        assert answer["text"] == f"{RU('nothing-found', query='?!?!')}\n\n{RU('nothing-found-advice')}"
        assert RU("button-nearest") not in labels(answer), "there is not even a nearest one"


async def test_ten_idioms_with_meanings_and_a_button_for_each(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say(QUERY)
        phrases = [match.phrase for match in engine.search(QUERY, 10)]
        assert len(phrases) == 10
        for number, phrase in enumerate(phrases, 1):
            assert f"{number}. {phrase.text}\n" in answer["text"]
        assert labels(answer)[:10] == [str(number) for number in range(1, 11)]


async def test_more_goes_on_with_the_numbers_and_back(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (first,) = await talk.say(QUERY)
        second, _ = await talk.press(first, RU("button-more"))
        match = engine.search(QUERY, 11)[10]
        assert f"11. {match.phrase.text}\n" in second["text"]
        card, _ = await talk.press(second, "11")
        assert card["text"].startswith(match.phrase.text)
        again, _ = await talk.press(card, RU("button-back"))
        assert again["text"] == second["text"]
        again, _ = await talk.press(again, RU("button-earlier"))
        assert again["text"] == first["text"]


async def test_a_card_has_all_that_is_known_and_similar_ones(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say(QUERY)
        card, notice = await talk.press(answer, "1")
        phrase = engine.search(QUERY, 1)[0].phrase
        assert notice == ""
        for text in (phrase.text, phrase.meanings[0], phrase.example, *phrase.equivalents):
            assert text in card["text"]
        near = engine.similar(phrase.key, 5, (phrase.language,))
        assert [f"{n}. {match.phrase.text}" in card["text"] for n, match in enumerate(near, 1)] == [True] * 5


async def test_back_undoes_step_by_step_even_after_a_restart(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (results,) = await talk.say(QUERY)
        first, _ = await talk.press(results, "3")
        second, _ = await talk.press(first, "2")
        listing, _ = await talk.press(second, RU("button-more-similar"))
        third, _ = await talk.press(listing, "4")
        await talk.restart()
        message = third
        for earlier in (listing, second, first, results):
            message, _ = await talk.press(message, RU("button-back"))
            assert message["text"] == earlier["text"]
        assert RU("button-back") not in labels(message)


async def test_an_idiom_by_lot_and_another(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (card,) = await talk.say("/random")
        seen = [card["text"]]
        for _ in range(10):
            card, _ = await talk.press(card, RU("button-random"))
            seen.append(card["text"])
        assert len(set(seen)) == len(seen)
        card, _ = await talk.press(card, RU("button-back"))
        assert card["text"] == seen[-2]


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


async def test_old_and_foreign_buttons_get_a_notice(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say(QUERY)
        for data, key in [
            ("0old", "notice-old-button"),
            ("1v:999:0", "notice-step-gone"),
            ("1o:" + "0" * 12 + ":0:0", "notice-phrase-gone"),
        ]:
            message, notice = await talk.press_data(answer, data)
            assert (message["text"], notice) == (answer["text"], RU(key))


async def test_nobody_reads_the_steps_of_another(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        await talk.say(QUERY)
        other = talk.telegram.add_user("Eve", "en")
        (answer,) = await talk.say("/random", talk.telegram.private(other), other)
        message, notice = await talk.press_data(answer, "1v:1:0", other)
        assert (message["text"], notice) == (answer["text"], EN("notice-step-gone"))


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


async def test_a_caption_is_a_query(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.show("photo", QUERY)
        assert QUERY in answer["text"]


async def test_an_unknown_command_is_explained(engine: SearchEngine) -> None:
    async with Talk(engine, "en") as talk:
        (answer,) = await talk.say("/dance now")
        assert answer["text"] == EN("notice-unknown-command")


async def test_a_corrected_query_is_searched_again(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("тест")
        (answer,) = await talk.edit(1, QUERY)
        assert QUERY in answer["text"]


@pytest.mark.parametrize("query", ['<b>&amp; "жить" </i>', "!!!", "🙂" * 300, "я" * 4096, "\u200b", "a\n\n\nb"])
async def test_any_query_gets_an_answer(engine: SearchEngine, query: str) -> None:
    async with Talk(engine) as talk:
        assert len(await talk.say(query)) == 1


async def test_inline_pages_join_without_repeats(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        found, offset = [], ""
        query = max(["делать", "человек", "очень", "to be", "very"], key=lambda words: len(engine.search(words, 200)))
        while True:
            answer = (await talk.inline(query, offset)).answer or {}
            assert len(answer["results"]) <= 20
            found += [card["id"] for card in answer["results"]]
            offset = answer["next_offset"]
            if not offset or len(found) >= 200:
                break
        assert len(found) > 20
        assert len(set(found)) == len(found)


async def test_a_chosen_card_has_buttons_that_work(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        friend = talk.telegram.add_user("Боб", "en")
        chat = talk.telegram.add_friends(talk.user, friend)
        query = await talk.inline(QUERY)
        first = (query.answer or {})["results"][0]
        message = talk.telegram.choose(query, first["id"], chat)
        assert message["text"].startswith(first["title"])
        listing, notice = await talk.press(message, RU("button-similar"), friend)
        assert listing["text"] != message["text"]
        assert notice == ""
        card, _ = await talk.press(listing, "1")
        back, _ = await talk.press(card, RU("button-back"))
        assert [line for line in back["text"].splitlines() if line[:1].isdigit()] == [
            line for line in listing["text"].splitlines() if line[:1].isdigit()
        ]


async def test_the_bot_does_not_answer_its_own_cards(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        query = await talk.inline(QUERY)
        result = (query.answer or {})["results"][0]["id"]
        assert await talk.answers(talk.chat, lambda chat: talk.telegram.choose(query, result, chat)) == []


async def test_the_menu_is_in_the_language_of_the_person(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        menu = {c["command"]: c["description"] for c in talk.telegram.menu(talk.user, talk.chat)}
        assert menu["random"] == RU("command-random")
        other = talk.telegram.add_user("Bob", "fr")
        menu = {c["command"]: c["description"] for c in talk.telegram.menu(other, talk.telegram.private(other))}
        assert menu["random"] == EN("command-random")


class Broken(SearchEngine):
    """An engine that fails."""

    phrases = ()

    def __init__(self) -> None:
        pass

    def answer(self, *_: object, **__: object) -> Answer:
        raise RuntimeError("broken")


async def test_a_failure_is_told_kindly_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with Talk(Broken()) as talk:
        (answer,) = await talk.say(QUERY)
        assert answer["text"] == RU("notice-error")
        message, notice = await talk.press_data(answer, "1v:1:0")
        assert (message["text"], notice) == (answer["text"], RU("notice-error"))
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

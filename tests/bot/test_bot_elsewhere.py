"""Groups, inline mode in other chats, and links that lead to the bot."""

from __future__ import annotations

import pytest

from bot import links
from bot.search.engine import SearchEngine
from bot.store.sqlite import Step
from bot.texts import texts_in
from support.talking import ANNA, Message, Talk, buttons, data, labels

QUERY = "ничего не делать, бездельничать"
RU = texts_in("ru")


@pytest.mark.parametrize(
    "words", [f"@idiomatika_bot {QUERY}", f"{QUERY} @Idiomatika_Bot", f"Эй, @idiomatika_bot, {QUERY}?"]
)
async def test_in_a_group_a_mention_is_answered(engine: SearchEngine, words: str) -> None:
    async with Talk(engine) as talk:
        group = talk.telegram.add_group("Друзья", [talk.user])
        (answer,) = await talk.say(words, group)
        assert "1. " in answer["text"]
        assert "idiomatika" not in answer["text"].casefold()
        card, _ = await talk.press(answer, "1")
        assert card["text"] != answer["text"]


async def test_in_a_group_a_reply_is_answered_and_all_else_is_not(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.telegram.privacy_mode = False
        group = talk.telegram.add_group("Друзья", [talk.user])
        (answer,) = await talk.say("/random", group)
        (reply,) = await talk.say(QUERY, group, reply_to=answer["message_id"])
        assert QUERY in reply["text"]
        for words in (QUERY, "/dance", "/random@other_bot", "/dance@idiomatika_bot"):
            assert await talk.say(words, group) == []
        (answer,) = await talk.say("@idiomatika_bot", group)
        assert answer["text"].startswith("Привет")


async def test_a_topic_of_a_forum_is_kept(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        group = talk.telegram.add_group("Форум", [talk.user], topics=("Книги", "Слова"))
        for words in ("/random@idiomatika_bot", "/quiz", f"@idiomatika_bot {QUERY}"):
            (answer,) = await talk.say(words, group, thread_id=3)
            assert answer["message_thread_id"] == 3
        (quiz,) = await talk.say("/quiz@idiomatika_bot", group, thread_id=3)
        (poll,) = await talk.answers(
            group, lambda chat: talk.telegram.press(talk.user, chat, quiz["message_id"], data(quiz, RU("button-quiz")))
        )
        assert poll["message_thread_id"] == 3


async def test_in_a_group_nothing_personal_is_shown(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        group = talk.telegram.add_group("Друзья", [talk.user])
        await talk.say(QUERY)
        for command in ("history", "saved", "export", "forget", "privacy", "lang", "daily"):
            (answer,) = await talk.say(f"/{command}@idiomatika_bot", group)
            assert answer["text"] == RU("notice-only-private")


async def test_everybody_in_a_group_plays_the_quiz(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        other = talk.telegram.add_user("Борис", "ru")
        group = talk.telegram.add_group("Друзья", [talk.user, other])
        (quiz,) = await talk.say("/quiz@idiomatika_bot", group)
        correct = quiz["poll"]["correct_option_ids"][0]
        talk.telegram.vote(talk.user, quiz["poll"]["id"], [correct])
        talk.telegram.vote(other, quiz["poll"]["id"], [(correct + 1) % 4])
        await talk.work()
        assert (talk.store.score(ANNA), talk.store.score(other.id)) == ((1, 1), (0, 1))


async def test_inline_offers_the_idiom_of_the_day_and_what_many_opened(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        popular = engine.search(QUERY, 1)[0].phrase
        for user in (1, 2, 3):
            talk.store.add_step(Step(0, user, str(user), "card", popular.key))
        answer = (await talk.inline("")).answer or {}
        assert [card["title"] for card in answer["results"]][1:] == [popular.text]
        again = (await talk.inline(" ")).answer or {}
        assert again["results"][0]["title"] == answer["results"][0]["title"]


async def test_inline_without_results_offers_the_bot(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        answer = (await talk.inline("!!! ???")).answer or {}
        assert answer["results"] == []
        (message,) = await talk.say(f"/start {answer['button']['start_parameter']}")
        assert "!!! ???" in message["text"]


async def test_inline_answers_are_personal_and_in_the_language_of_the_person(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        russian = (await talk.inline(QUERY)).answer or {}
        await talk.press((await talk.say("/lang"))[0], RU("language-en"))
        talk.time += 301
        english = (await talk.inline(QUERY)).answer or {}
        assert [card["id"] for card in russian["results"]] == [card["id"] for card in english["results"]]
        assert russian["results"][0]["description"] != english["results"][0]["description"]
        call = next(call for call in talk.telegram.journal if call.method == "answerInlineQuery")
        assert call.params["is_personal"] == "true"


async def test_a_sent_card_counts_as_opened_and_leads_to_the_bot(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        friend = talk.telegram.add_user("Боб", "ru")
        chat = talk.telegram.add_friends(talk.user, friend)
        query = await talk.inline(QUERY)
        card = (query.answer or {})["results"][0]
        message = talk.telegram.choose(query, card["id"], chat)
        await talk.work()
        assert [step.text for step in talk.store.history(ANNA, 0, 5)] == [card["id"]]
        (link,) = [button["url"] for button in buttons(message) if "url" in button]
        assert link.startswith("https://t.me/idiomatika_bot?start=")
        (opened,) = await talk.say(f"/start {link.partition('=')[2]}", talk.telegram.private(friend), friend)
        assert opened["text"].startswith(card["title"])
        assert RU("button-save") in labels(opened)


async def test_undo_in_another_chat_goes_to_the_card(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        chat = talk.telegram.add_friends(talk.user, talk.telegram.add_user("Боб", "ru"))
        query = await talk.inline(QUERY)
        message = talk.telegram.choose(query, (query.answer or {})["results"][0]["id"], chat)
        shown: list[Message] = [await step(talk, message, RU("button-similar"))]
        for label in ("1", "2"):
            shown.append(await step(talk, shown[-1], label))
        for expected in reversed(shown[:-1]):
            shown.append(await step(talk, shown[-1], RU("button-back")))
            assert shown[-1]["text"] == expected["text"]
        card = await step(talk, shown[-1], RU("button-back"))
        assert card["text"].startswith(message["text"].split("\n")[0])


async def step(talk: Talk, message: Message, label: str) -> Message:
    return (await talk.press(message, label))[0]


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

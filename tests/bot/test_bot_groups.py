"""Groups: what is answered there, and what is not."""

from __future__ import annotations

import pytest

from bot.sandbox.limits import Refusal
from bot.sandbox.world import Chat
from bot.search.engine import SearchEngine
from support.talking import ANNA, QUERY, RU, Talk, data


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


async def test_in_a_group_nobody_sees_what_another_saved(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        group = talk.telegram.add_group("Друзья", [talk.user])
        (card,) = await talk.say("/random@idiomatika_bot", group)
        after, toast = await talk.press(card, RU("button-save"))
        assert after["reply_markup"] == card["reply_markup"]
        assert toast == RU("notice-saved")
        assert len(await talk.store.saved(ANNA)) == 1


@pytest.mark.parametrize("forged", ["1x:all", "1x:saved", "1e:all:0", "1e:all:1"])
async def test_in_a_group_a_forged_press_posts_and_erases_nothing(engine: SearchEngine, forged: str) -> None:
    async with Talk(engine) as talk:
        await talk.say(QUERY)
        group = talk.telegram.add_group("Друзья", [talk.user])
        (card,) = await talk.say("/random@idiomatika_bot", group)
        message, toast = await talk.press_data(card, forged)
        assert (message, toast) == (card, RU("notice-only-private"))
        assert max(group.messages) == card["message_id"]
        assert await talk.store.history(ANNA, 0, 9)


async def test_everybody_in_a_group_plays_the_quiz(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        other = talk.telegram.add_user("Борис", "ru")
        group = talk.telegram.add_group("Друзья", [talk.user, other])
        (quiz,) = await talk.say("/quiz@idiomatika_bot", group)
        correct = quiz["poll"]["correct_option_ids"][0]
        talk.telegram.vote(talk.user, quiz["poll"]["id"], [correct])
        talk.telegram.vote(other, quiz["poll"]["id"], [(correct + 1) % 4])
        await talk.work()
        assert (await talk.store.score(ANNA), await talk.store.score(other.id)) == ((1, 1), (0, 1))


async def test_a_group_that_became_a_supergroup_meanwhile_is_answered_there(
    engine: SearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Talk(engine) as talk:
        group = talk.telegram.add_group("Друзья", [talk.user])
        larger = talk.telegram.add_group("Друзья, и больше", [talk.user])
        post = talk.telegram.writable

        def writable(chat_id: str, thread_id: int = 0) -> Chat:
            if chat_id == str(group.id):
                raise Refusal("group chat was upgraded to a supergroup chat", migrate_to_chat_id=larger.id)
            return post(chat_id, thread_id)

        monkeypatch.setattr(talk.telegram, "writable", writable)
        assert await talk.say(f"@idiomatika_bot {QUERY}", group) == []
        assert [QUERY in message["text"] for message in larger.messages.values()] == [True]
        (refused,) = talk.telegram.refusals
        talk.telegram.journal.remove(refused)

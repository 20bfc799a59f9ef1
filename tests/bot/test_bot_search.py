"""Answers to queries: pages, repaired queries, nothing close, and what led to each idiom."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.search.engine import SearchEngine
from support.talking import ANNA, EN, FAR, LAYOUT, NOON, QUERY, REPAIRED, RU, Talk, labels, numbered, pressed


def plain(text: str) -> str:
    """A text as it is shown, without its mark-up."""
    return re.sub("<.*?>", "", text)


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


async def test_a_caption_is_a_query(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.show("photo", QUERY)
        assert QUERY in answer["text"]


async def test_a_corrected_query_corrects_its_answer(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (answer,) = await talk.say("тест")
        assert await talk.edit(1, QUERY) == []
        assert QUERY in talk.chat.messages[answer["message_id"]]["text"]
        await talk.restart()
        (anew,) = await talk.edit(1, REPAIRED)
        assert REPAIRED in anew["text"]


@pytest.mark.parametrize("query", ['<b>&amp; "жить" </i>', "!!!", "🙂" * 300, "я" * 4096, "\u200b", "a\n\n\nb"])
async def test_any_query_gets_an_answer(engine: SearchEngine, query: str) -> None:
    async with Talk(engine) as talk:
        assert len(await talk.say(query)) == 1


async def test_a_repaired_query_says_what_was_searched(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (repaired,) = await talk.say(LAYOUT)
        assert repaired["text"].startswith(f"🔎 {LAYOUT}\n✏️ Искал: бездельничать\n")
        assert numbered(repaired) == [match.phrase.text for match in engine.search("бездельничать", 10)]
        await talk.restart()
        exact = await pressed(talk, repaired, f"Искать точно: {LAYOUT}")
        assert exact["text"].startswith(RU("nothing-found", query=LAYOUT) + "\n" + RU("results-exact"))
        nearest = await pressed(talk, exact, RU("button-nearest"))
        assert RU("results-exact") in nearest["text"]
        assert numbered(nearest) == [
            match.phrase.text for match in engine.answer(LAYOUT, 10, exact=True, anyway=True).matches
        ]
        back = await pressed(talk, nearest, RU("button-back"), RU("button-back"))
        assert back["text"] == repaired["text"]


async def test_the_nearest_are_shown_only_on_request(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (nothing,) = await talk.say(FAR)
        assert numbered(nothing) == []
        await talk.restart()
        nearest = await pressed(talk, nothing, RU("button-nearest"))
        assert nearest["text"].startswith(f"🔎 {FAR}\n{RU('results-nearest')}\n")
        found = [match.phrase.text for match in engine.answer(FAR, 11, anyway=True).matches]
        assert numbered(nearest) == found[:10]
        second = await pressed(talk, nearest, RU("button-more"))
        assert numbered(second)[0] == found[10]
        assert RU("results-nearest") in second["text"]
        card = await pressed(talk, second, "11")
        assert card["text"].startswith(found[10])
        back = await pressed(talk, card, RU("button-back"), RU("button-earlier"), RU("button-back"))
        assert back["text"] == nothing["text"]
        (history,) = await talk.say("/history")
        assert [line.split(" (")[0] for line in history["text"].splitlines()[2:]] == [
            f"1. 📖 {found[10]}",
            f"2. 🔎 {FAR}",
        ]


async def test_answers_that_are_not_sure_say_so(engine: SearchEngine) -> None:
    artifacts = engine.artifacts
    doubtful = {name: replace(getattr(artifacts, name), sure=2.0) for name in ("confidence", "read_confidence")}
    async with Talk(SearchEngine(replace(artifacts, **doubtful))) as talk:
        (answer,) = await talk.say(QUERY)
        assert RU("results-perhaps") in answer["text"] and numbered(answer)
    async with Talk(engine) as talk:
        (answer,) = await talk.say("бить баклуши")
        assert RU("results-perhaps") not in answer["text"]


async def test_an_idiom_that_is_not_there_is_said_to_be_missing(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("что значит перепахать синий абажур")
        assert RU("results-unknown-name") in answer["text"]
        (answer,) = await talk.say("что значит бить баклуши")
        assert RU("results-unknown-name") not in answer["text"]
        assert numbered(answer)[0] == "бить баклуши"


async def test_a_query_can_be_searched_as_typed(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        exact, _ = await talk.press_data(results, "1f:exact:1")
        assert exact["text"].startswith(f"🔎 {QUERY}\n{RU('results-exact')}\n")
        (history,) = await talk.say("/history")
        assert f"1. 🔎 {QUERY} (точно)" in history["text"]
        again = await pressed(talk, history, "1")
        assert again["text"] == exact["text"]
        assert (await pressed(talk, again, RU("button-back")))["text"] == history["text"]
        other = await pressed(talk, exact, "🌐")
        assert RU("results-exact") in other["text"]


async def test_in_a_group_anybody_asks_why_and_for_the_nearest(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        friend = talk.telegram.add_user("Боб", "ru")
        group = talk.telegram.add_group("Друзья", [talk.user, friend])
        (results,) = await talk.say(f"@idiomatika_bot {QUERY}", group)
        explained, _ = await talk.press(results, RU("button-why"), friend)
        assert "💡 Совпало" in explained["text"]
        (nothing,) = await talk.say(f"@idiomatika_bot {FAR}", group)
        nearest, _ = await talk.press(nothing, RU("button-nearest"), friend)
        assert len(numbered(nearest)) == 10


@pytest.mark.parametrize("action", ["1f:exact:{}", "1f:nearest:{}", "1y:{}:0"])
async def test_only_a_query_is_searched_again_or_explained(engine: SearchEngine, action: str) -> None:
    async with Talk(engine) as talk:
        (card,) = await talk.say("/random")
        for step in (1, 99):
            message, toast = await talk.press_data(card, action.format(step))
            assert (message["text"], toast) == (card["text"], RU("notice-step-gone"))


async def test_why_is_shown_and_hidden_in_the_list(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (first,) = await talk.say(QUERY)
        results = await pressed(talk, first, RU("button-more"))
        explained = await pressed(talk, results, RU("button-earlier"), RU("button-why"), RU("button-more"))
        assert numbered(explained) == numbered(results)
        assert len(re.findall(r"^💡 \w", explained["text"], re.MULTILINE)) == 10
        assert re.search(r"💡 Совпало: .*бездельничать \d+ %", explained["text"])
        assert RU("button-earlier") in labels(explained)
        hidden = await pressed(talk, explained, RU("button-why-not"))
        assert hidden["text"] == results["text"]


async def test_the_button_under_the_answers_goes_through_the_languages(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (message,) = await talk.say(QUERY)
        for scope in ("ru", "en", ""):
            message, _ = await talk.press(message, "🌐")
            found = engine.search(QUERY, 10, (scope,) if scope else None)
            assert [f"{n}. {match.phrase.text}\n" in message["text"] for n, match in enumerate(found, 1)] == [
                True
            ] * len(found)
            assert (await talk.store.user(ANNA)).scope == scope


async def test_only_the_chosen_idioms_are_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (screen,) = await talk.say("/lang")
        await talk.press(screen, RU("scope-en"))
        (answer,) = await talk.say("to do nothing")
        assert [
            f"{n}. {m.phrase.text}\n" in answer["text"]
            for n, m in enumerate(engine.search("to do nothing", 10, ("en",)), 1)
        ] == [True] * 10
        (card,) = await talk.say("/random")
        assert engine.phrase((await talk.store.history(ANNA, 0, 1))[0].text).language == "en"  # type: ignore[union-attr]
        assert card["text"]


async def test_a_daily_limit_is_announced_kept_and_ends_at_midnight(engine: SearchEngine) -> None:
    async with Talk(engine, daily_limit=5, admins=frozenset({1})) as talk:
        talk.time = NOON
        answers = [(await talk.say(QUERY))[0]["text"] for _ in range(6)]
        assert [answer.rsplit("\n\n")[-1] for answer in answers[1:4]] == [
            "На сегодня осталось 3 запроса.", "На сегодня осталось 2 запроса.", "На сегодня остался 1 запрос."
        ]  # fmt: skip
        assert "последний" in answers[4]
        assert answers[5] == RU("limit-reached", limit=5)
        talk.time = NOON + 12 * 3600 + 1
        (answer,) = await talk.say(QUERY)
        assert "1. " in answer["text"]
        admin = talk.telegram.add_user("Админ", "ru", id=1)
        for _ in range(7):
            (answer,) = await talk.say(QUERY, talk.telegram.private(admin), admin)
            assert "1. " in answer["text"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("привет!", "talk-greeting"),
        ("спасибо большое", "talk-thanks"),
        ("кто ты?", "talk-who"),
        ("helloooo", "talk-greeting"),
    ],
)
async def test_small_talk_is_answered_in_kind_and_forgotten(engine: SearchEngine, text: str, key: str) -> None:
    async with Talk(engine, daily_limit=1) as talk:
        for _ in range(3):
            (answer,) = await talk.say(text)
            assert answer["text"] == plain(RU(key))
        assert await talk.store.history(ANNA, 0, 10) == []
        assert ((await talk.inline(text)).answer or {})["results"] == []
        (answer,) = await talk.say(QUERY)
        assert numbered(answer)


async def test_who_speaks_english_is_greeted_in_english(engine: SearchEngine) -> None:
    async with Talk(engine, "en") as talk:
        (answer,) = await talk.say("привет")
        assert answer["text"] == plain(EN("talk-greeting"))


async def test_a_question_about_an_idiom_says_why_each_answer_is_one(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for question, why in (("антоним к кот наплакал", "why-opposite"), ("пословицы про труд", "why-topic")):
            (answer,) = await talk.say(question)
            assert numbered(answer) == [match.phrase.text for match in engine.search(question, 10)]
            explained = await pressed(talk, answer, RU("button-why"))
            assert explained["text"].count(RU(why)) == len(numbered(answer))

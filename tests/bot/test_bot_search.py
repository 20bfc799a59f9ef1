"""Answers to queries: pages, repaired queries, nothing close, and what led to each idiom."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.features.lists import SHORTEST_MEANING
from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key
from bot.search.relations import NONE
from support.small import PHRASES, small_artifacts
from support.talking import ANNA, EN, FAR, LAYOUT, NOON, QUERY, REPAIRED, RU, Talk, labels, numbered, pressed
from support.weather import Weather


def plain(text: str) -> str:
    """A text as it is shown, without its mark-up."""
    return re.sub("<.*?>", "", text)


async def test_nothing_close_is_said_honestly(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("?!?!")
        assert answer["text"] == f"{RU('nothing-found', query='?!?!')}\n\n{RU('nothing-found-advice')}"
        assert RU("button-nearest") not in labels(answer), "there is not even a nearest one"


@pytest.mark.parametrize(("language", "query"), [("ru", QUERY), ("en", "to do nothing"), ("en", QUERY)])
async def test_five_idioms_in_the_language_of_the_query_with_a_button_for_each(
    engine: SearchEngine, language: str, query: str
) -> None:
    async with Talk(engine, language) as talk:
        (answer,) = await talk.say(query)
        own = "ru" if query == QUERY else "en"
        phrases = [match.phrase for match in engine.search(query, 5, (own,))]
        assert numbered(answer) == [phrase.text for phrase in phrases]
        for phrase in phrases:
            told = phrase.meaning_in(language) or phrase.meanings[0]
            assert f"{phrase.text} — {told[: SHORTEST_MEANING - 2].rsplit(' ', 1)[0].rstrip(',;')}" in answer["text"], (
                "in the language of who reads"
            )
        assert labels(answer)[:5] == ["1", "2", "3", "4", "5"]
        assert RU("button-random")[0] not in "".join(labels(answer)), "nobody asked for one drawn by lot"


async def test_a_question_about_an_idiom_is_answered_below_the_list(engine: SearchEngine) -> None:
    told = next(phrase for phrase in engine.phrases if phrase.language == "ru" and phrase.text == "бить баклуши")
    untold = next(phrase for phrase in engine.phrases if phrase.language == "ru" and phrase.text == "кот наплакал")
    assert told.etymology and not untold.etymology
    async with Talk(engine) as talk:
        (answer,) = await talk.say("происхождение бить баклуши")
        assert answer["text"].endswith(f"\n{told.etymology}")
        assert answer["entities"][-1]["type"] == "expandable_blockquote"
        second, _ = await talk.press(answer, RU("button-more"))
        assert told.etymology not in second["text"]
        (answer,) = await talk.say("происхождение кот наплакал")
        assert answer["text"].endswith("О происхождении «кот наплакал» мне ничего не известно.")
        (answer,) = await talk.say("что значит бить баклуши")
        assert answer["text"].endswith(f"\nбить баклуши\n{'; '.join(told.meanings)}")
        (answer,) = await talk.say("бить баклуши")
        assert answer["text"].splitlines()[-1].startswith("5. ")


async def test_beside_an_idiom_stands_what_another_language_says(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("бить баклуши")
        lines = dict(re.findall(r"^\d+\. (.+?) — .+ ([↔≈]\xa0.+)$", answer["text"], re.MULTILINE))
        assert lines["бить баклуши"] == "↔\xa0twiddle one's thumbs", "the sign never ends a row"
        for idiom, counterpart in lines.items():
            (first, *_) = engine.equivalents(phrase_key("ru", idiom))
            assert counterpart == f"{'↔' if first.curated else '≈'}\xa0{first.text}" or not first.curated


@pytest.mark.parametrize(("sign", "curated"), [("↔", True), ("≈", False)])
async def test_a_counterpart_that_nobody_judged_is_marked_as_found(sign: str, curated: bool) -> None:
    artifacts = small_artifacts()
    english = next(row for row, phrase in enumerate(artifacts.phrases) if phrase.language == "en")
    field = "curated" if curated else "close"
    rows = np.full((len(artifacts.phrases), 1), NONE, np.int32)
    rows[0] = english
    setattr(artifacts.relations, field, rows)
    async with Talk(SearchEngine(artifacts)) as talk:
        (answer,) = await talk.say(PHRASES[0].text)
        line = f"1. {PHRASES[0].text} — {PHRASES[0].meanings[0]} {sign}\xa0{PHRASES[english].text}"
        assert line in answer["text"].splitlines()


async def test_more_goes_on_with_the_numbers_and_back(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (first,) = await talk.say(QUERY)
        second, _ = await talk.press(first, RU("button-more"))
        match = engine.search(QUERY, 6, ("ru",))[5]
        assert f"6. {match.phrase.text}" in second["text"]
        card, _ = await talk.press(second, "6")
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


async def test_a_query_corrected_before_its_answer_came_is_answered_once(engine: SearchEngine) -> None:
    async with Talk(engine, api=Weather({"slow": 1}).api()) as talk:
        talk.telegram.user_sends(talk.user, talk.chat, "тест")
        talk.telegram.user_edits(talk.chat, 1, QUERY)
        await talk.arrive()
        await talk.inbox.close(10)
        (_, answer) = talk.chat.messages.values()
        assert QUERY in answer["text"]


@pytest.mark.parametrize("query", ['<b>&amp; "жить" </i>', "!!!", "🙂" * 300, "я" * 4096, "\u200b", "a\n\n\nb"])
async def test_any_query_gets_an_answer(engine: SearchEngine, query: str) -> None:
    async with Talk(engine) as talk:
        assert len(await talk.say(query)) == 1


async def test_a_repaired_query_says_what_was_searched(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (repaired,) = await talk.say(LAYOUT)
        assert repaired["text"].startswith(f"🔎 {LAYOUT}\n✏️ Искал: бездельничать\n")
        assert numbered(repaired) == [match.phrase.text for match in engine.search("бездельничать", 5, ("ru",))]
        await talk.restart()
        exact = await pressed(talk, repaired, f"Искать точно: {LAYOUT}")
        assert exact["text"].startswith(RU("nothing-found", query=LAYOUT) + "\n" + RU("results-exact"))
        nearest = await pressed(talk, exact, RU("button-nearest"))
        assert RU("results-exact") in nearest["text"]
        assert numbered(nearest) == [
            match.phrase.text for match in engine.answer(LAYOUT, 5, ("en",), exact=True, anyway=True).matches
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
        found = [match.phrase.text for match in engine.answer(FAR, 6, ("ru",), anyway=True).matches]
        assert numbered(nearest) == found[:5]
        second = await pressed(talk, nearest, RU("button-more"))
        assert numbered(second)[0] == found[5]
        assert RU("results-nearest") in second["text"]
        card = await pressed(talk, second, "6")
        assert card["text"].startswith(found[5])
        back = await pressed(talk, card, RU("button-back"), RU("button-earlier"), RU("button-back"))
        assert back["text"] == nothing["text"]
        (history,) = await talk.say("/history")
        assert [line.split(" (")[0] for line in history["text"].splitlines()[2:]] == [
            f"1. 📖 {found[5]}",
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
        other = await pressed(talk, exact, RU("button-show-en"))
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
        assert len(numbered(nearest)) == 5


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
        assert len(re.findall(r"^💡 \w", explained["text"], re.MULTILINE)) == 5
        assert re.search(r"💡 Совпало: .*«бездельничать» \d+\s%", explained["text"])
        assert RU("button-earlier") in labels(explained)
        hidden = await pressed(talk, explained, RU("button-why-not"))
        assert hidden["text"] == results["text"]


async def test_other_idioms_are_shown_for_this_query_or_for_good(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        own, other = ([match.phrase.text for match in engine.search(QUERY, 6, (code,))] for code in ("ru", "en"))
        (answer,) = await talk.say(QUERY)
        english = await pressed(talk, answer, RU("button-show-en"))
        assert numbered(english) == other[:5]
        more = await pressed(talk, english, RU("button-more"))
        assert numbered(more) == other[5:] + numbered(more)[1:]
        card = await pressed(talk, english, "1")
        assert "💡" in card["text"]
        back = await pressed(talk, card, RU("button-back"), RU("button-back"))
        assert back["text"] == answer["text"]
        assert numbered((await talk.say(QUERY))[0]) == own[:5], "that was for one query only"
        await talk.restart()
        always, toast = await talk.press(english, RU("button-always-en"))
        assert (toast, (await talk.store.user(ANNA)).scope) == (RU("notice-scope-en"), "en")
        assert numbered(always) == other[:5] == numbered((await talk.say(QUERY))[0])
        russian = await pressed(talk, always, RU("button-show-ru"))
        assert numbered(russian) == own[:5]
        again, toast = await talk.press(always, RU("button-always-own"))
        assert (toast, (await talk.store.user(ANNA)).scope) == (RU("notice-scope-own"), "")
        assert numbered(again) == own[:5]


async def test_buttons_that_went_through_the_languages_still_choose_one(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (message,) = await talk.say(QUERY)
        for scope in ("ru", "en", ""):
            message, _ = await talk.press_data(message, f"1c:scope:{scope}:1")
            assert numbered(message) == [match.phrase.text for match in engine.search(QUERY, 5, (scope or "ru",))]
            assert (await talk.store.user(ANNA)).scope == scope
        for forged in ("1l:fr:1", "1l::1", "1c:scope:fr:1"):
            shown, _ = await talk.press_data(message, forged)
            assert numbered(shown) == numbered(message)
        _, toast = await talk.press_data(message, "1l:en:99")
        assert toast == RU("notice-step-gone")


async def test_whose_idioms_are_meant_is_understood_from_what_is_asked_about(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("идиомы со словом cat")
        assert numbered(answer) and all("cat" in idiom for idiom in numbered(answer))
        assert RU("button-show-ru") in labels(answer) and RU("button-show-en") not in labels(answer)
        (answer,) = await talk.say("как по-английски ни пуха ни пера")
        assert numbered(answer)[0] == "break a leg"
        assert not [label for label in labels(answer) if label.startswith("🌐")], "the question says which"
        (answer,) = await talk.say("🐷✈️")
        assert {RU("button-show-ru"), RU("button-show-en")} <= set(labels(answer)), "emoji are of no language"


async def test_only_the_chosen_idioms_are_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (screen,) = await talk.say("/lang")
        await talk.press(screen, "Английские")
        (answer,) = await talk.say(QUERY)
        assert numbered(answer) == [match.phrase.text for match in engine.search(QUERY, 5, ("en",))]
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
            assert numbered(answer) == [match.phrase.text for match in engine.search(question, 5, ("ru",))]
            explained = await pressed(talk, answer, RU("button-why"))
            assert explained["text"].count(RU(why)) == len(numbered(answer))


async def test_what_nobody_sees_is_no_query(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("\u200e \u200f\u200b")
        assert answer["text"] == RU("notice-not-text")

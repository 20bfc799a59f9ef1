"""The conversation shows what the search understood: repaired queries, nothing close, why, equivalents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key
from bot.texts import texts_in
from support.small import PHRASES, small_artifacts
from support.talking import ANNA, Message, Talk, data, labels

QUERY = "ничего не делать, бездельничать"
RU = texts_in("ru")
LAYOUT = ",tpltkmybxfnm"
FAR = "столица Франции"


def numbered(message: Message) -> list[str]:
    """The idioms of a list."""
    return re.findall(r"^\d+\. (.+)$", message["text"], re.MULTILINE)


async def pressed(talk: Talk, message: Message, *labels: str) -> Message:
    for label in labels:
        message, notice = await talk.press(message, label)
        assert notice == ""
    return message


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


async def test_history_shows_both_what_was_typed_and_what_was_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (repaired,) = await talk.say(LAYOUT)
        exact = await pressed(talk, repaired, "Искать точно")
        (history,) = await talk.say("/history")
        assert re.findall(r"🔎 (.+) \(\d", history["text"]) == [f"{LAYOUT} (точно)", f"{LAYOUT} → бездельничать"]
        assert (await pressed(talk, history, "1"))["text"] == exact["text"]


async def test_inline_mode_says_what_was_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        answer = (await talk.inline(LAYOUT)).answer or {}
        assert [card["title"] for card in answer["results"]] == [
            match.phrase.text for match in engine.search("бездельничать", 20)
        ]
        assert answer["button"]["text"] == "✏️ Искал: бездельничать"
        (message,) = await talk.say(f"/start {answer['button']['start_parameter']}")
        assert "Искал: бездельничать" in message["text"]


async def test_why_of_a_repaired_query_is_about_what_was_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (repaired,) = await talk.say(LAYOUT)
        card = await pressed(talk, repaired, "1")
        assert "Совпало: бездельничать 100 %" in card["text"] or RU("why-wording") in card["text"]


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


async def test_inline_mode_shows_no_cards_when_nothing_is_close(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        answer = (await talk.inline(FAR)).answer or {}
        assert answer["results"] == []
        assert answer["button"]["text"] == RU("button-ask")
        (message,) = await talk.say(f"/start {answer['button']['start_parameter']}")
        assert message["text"].startswith(RU("nothing-found", query=FAR))


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
            message, notice = await talk.press_data(card, action.format(step))
            assert (message["text"], notice) == (card["text"], RU("notice-step-gone"))


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


async def test_a_card_says_why_it_was_found(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        card = await pressed(talk, results, "1")
        (line,) = re.findall(r"^💡 Совпало: (.+)$", card["text"], re.MULTILINE)
        shares = [int(share) for share in re.findall(r"(\d+) %", line)]
        assert 0 < len(shares) <= 3
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 101, "rounded, and perhaps not all of them"
        assert line.startswith("бездельничать ")
        similar = await pressed(talk, card, "1")
        assert "💡" not in similar["text"], "no query led from card to card"


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_an_idiom_found_by_its_words_says_so(engine: SearchEngine, language: str) -> None:
    async with Talk(engine, language) as talk:
        (results,) = await talk.say("бить баклуши")
        card = await pressed(talk, results, "1")
        assert f"\n{texts_in(language)('why-wording')}\n" in card["text"]


async def test_equivalents_that_somebody_judged_come_first_and_found_ones_are_marked(engine: SearchEngine) -> None:
    phrase = next(p for p in engine.phrases if p.equivalents and fresh(engine, p.key))
    async with Talk(engine) as talk:
        (card,) = await talk.say(f"/start i_{phrase.key}")
        title = RU(f"card-equivalents-{'en' if phrase.language == 'ru' else 'ru'}").strip("</b>")
        _, judged, found = card["text"][card["text"].index(title) :].splitlines()[:3]
        assert judged == "; ".join(phrase.equivalents)
        assert found == f"≈ {'; '.join(fresh(engine, phrase.key))} — найдено по смыслу"
        links = {entity["url"] for entity in card["entities"] if entity["type"] == "text_link"}
        known = [match.phrase.key for match in engine.equivalents(phrase.key)]
        assert {f"https://t.me/idiomatika_bot?start=i_{key}" for key in known} <= links


def fresh(engine: SearchEngine, key: str) -> list[str]:
    """The equivalents that only the search knows."""
    phrase = engine.phrase(key)
    assert phrase
    language = "en" if phrase.language == "ru" else "ru"
    judged = {named.key for text in phrase.equivalents if (named := engine.named(text, language))}
    return [match.phrase.text for match in engine.equivalents(key) if match.phrase.key not in judged]


async def test_an_equivalent_that_somebody_wrote_with_an_article_leads_to_its_card(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (card,) = await talk.say(f"/start i_{phrase_key('ru', 'кот в мешке')}")
        assert card["text"].count("pig in a poke") == 1
        links = {entity["url"] for entity in card["entities"] if entity["type"] == "text_link"}
        assert f"https://t.me/idiomatika_bot?start=i_{phrase_key('en', 'pig in a poke')}" in links


async def test_a_tap_on_an_equivalent_leads_to_it(engine: SearchEngine) -> None:
    async with Talk(engine, "en") as talk:
        thumbs, idle = phrase_key("en", "twiddle one's thumbs"), phrase_key("ru", "бить баклуши")
        (card,) = await talk.say(f"/start i_{idle}")
        (address,) = {entity["url"] for entity in card["entities"] if entity.get("url", "").endswith(thumbs)}
        (opened,) = await talk.say(f"/start {address.partition('=')[2]}")
        assert opened["text"].startswith("twiddle one's thumbs")
        query = await talk.inline("бить баклуши")
        message = talk.telegram.choose(query, idle, talk.telegram.add_friends(talk.user, talk.user))
        assert address in {entity.get("url") for entity in message["entities"]}


class Attentive(SearchEngine):
    """An engine that notes what people prefer."""

    preferred: Mapping[str, int] | None = None

    def set_click_counts(self, choices: Mapping[str, int]) -> None:
        self.preferred = choices
        super().set_click_counts(choices)


async def test_what_people_choose_is_counted_once_for_each(tmp_path: Path) -> None:
    engine = Attentive(small_artifacts())
    async with Talk(engine, path=tmp_path / "state.db", popularity=True) as talk:
        await talk.tick()
        assert engine.preferred == {}
        other = talk.telegram.add_user("Боб", "ru")
        idle, rain, sent = (phrase.key for phrase in PHRASES[:3])
        (results,) = await talk.say(PHRASES[0].text)
        card = await pressed(talk, results, "1")
        await pressed(talk, card, "1")
        for label in ("👍", RU("button-save")):
            await talk.press(card, label)
        await talk.press(card, "👎", other)
        (results,) = await talk.say(PHRASES[1].text, talk.telegram.private(other), other)
        await talk.press_data(results, data(results, "1"), other)
        await talk.say("/random")
        talk.telegram.choose(await talk.inline(PHRASES[2].text), sent, talk.chat)
        await talk.work()
        await talk.tick()
        assert engine.preferred == {}, "it is counted every hour"
        await talk.restart()
        await talk.tick()
        assert engine.preferred == {idle: 1, rain: 1, sent: 1}
        talk.store.toggle_saved(other.id, idle)
        talk.time += 3601
        await talk.tick()
        assert engine.preferred[idle] == 2
        talk.store.forget(ANNA, ("steps", "saved", "votes"))
        talk.time += 3601
        await talk.tick()
        assert engine.preferred[idle] == 1


async def test_what_people_choose_may_be_ignored() -> None:
    engine = Attentive(small_artifacts())
    async with Talk(engine, popularity=False) as talk:
        talk.store.toggle_saved(ANNA, PHRASES[0].key)
        await talk.tick()
        assert engine.preferred == {}


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_help_shows_what_can_be_typed(engine: SearchEngine, language: str) -> None:
    async with Talk(engine, language) as talk:
        (answer,) = await talk.say("/help")
        for example in ('"', "*", "💡", "😴"):
            assert example in answer["text"]

"""The card of an idiom: what it says, where it leads, and what can be done with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot import links
from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key
from bot.texts import texts_in
from support.states import exported
from support.talking import ANNA, EN, LAYOUT, QUERY, RU, Talk, buttons, data, labels, pressed


async def test_a_card_has_all_that_is_known_and_similar_ones(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say(QUERY)
        card, toast = await talk.press(answer, "1")
        phrase = engine.search(QUERY, 1)[0].phrase
        assert toast == ""
        equivalents = [text for texts in phrase.equivalents.values() for text in texts]
        for text in (phrase.text, phrase.meanings[0], *phrase.examples, *equivalents):
            assert text in card["text"]
        near = engine.similar(phrase.key, 5, (phrase.language,))
        assert [f"{n}. {match.phrase.text}" in card["text"] for n, match in enumerate(near, 1)] == [True] * 5


async def test_who_reads_in_another_language_is_told_what_learners_need(engine: SearchEngine) -> None:
    key = phrase_key("ru", "плевать в потолок")
    phrase = engine.phrase(key)
    assert phrase
    async with Talk(engine, language="en") as talk:
        (card,) = await talk.say(f"/start {links.to_idiom(key)}")
        assert card["text"].startswith("плева́ть в потоло́к\n")
        assert EN("card-literal", value=phrase.literal["en"]).replace("<i>", "").replace("</i>", "") in card["text"]
        assert card["text"].index(phrase.translations["en"]) < card["text"].index(phrase.meanings[0])
        for example, translation in zip(phrase.examples, phrase.example_translations["en"], strict=True):
            assert f"• {example} — {translation}" in card["text"]
    async with Talk(engine) as talk:
        (card,) = await talk.say(f"/start {links.to_idiom(key)}")
        assert card["text"].startswith("плевать в потолок\n")
        assert phrase.literal["en"] not in card["text"] and phrase.example_translations["en"][0] not in card["text"]


async def test_a_card_links_the_opposite_both_ways(engine: SearchEngine) -> None:
    one = engine.phrase(phrase_key("ru", "кот наплакал"))
    assert one
    other = engine.opposites(one.key)[0]
    assert one in engine.opposites(other.key)
    async with Talk(engine) as talk:
        (card,) = await talk.say(f"/start {links.to_idiom(one.key)}")
        assert RU("card-opposites", value="").split(">")[1].split("<")[0] in card["text"]
        assert links.to_idiom(other.key) in str(card["entities"])


async def test_back_undoes_step_by_step_even_after_a_restart(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (results,) = await talk.say(QUERY)
        first, _ = await talk.press(results, "1")
        second, _ = await talk.press(first, "2")
        listing, _ = await talk.press(second, RU("button-more-similar"))
        third, _ = await talk.press(listing, "4")
        await talk.restart()
        message = third
        for earlier in (listing, second, first, results):
            message, _ = await talk.press(message, RU("button-back"))
            assert message["text"] == earlier["text"]
        assert RU("button-back") not in labels(message)


async def test_a_card_is_copied_and_shared(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        card = await pressed(talk, results, "1")
        text = engine.search(QUERY, 1)[0].phrase.text
        actions = {button["text"]: button for button in buttons(card)}
        assert actions[RU("button-copy")]["copy_text"] == {"text": text}
        assert actions[RU("button-share")]["switch_inline_query_chosen_chat"]["query"] == text
        shared = (await talk.inline(text)).answer or {}
        assert shared["results"][0]["title"] == text


async def test_a_vote_is_kept_with_its_query_and_shown_and_can_be_taken_back(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        card = await pressed(talk, results, "1")
        key = engine.search(QUERY, 1)[0].phrase.key

        async def kept() -> list[tuple[str, str, str]]:
            return [(row["query"], row["key"], row["vote"]) for row in (await exported(talk.store, ANNA))["votes"]]

        up = data(card, "👍")
        for _ in range(2):
            # Delivered twice, it has its effect once.
            card, toast = await talk.press_data(card, up)
            assert (toast, "👍 ✓" in labels(card), await kept()) == (RU("notice-vote-up"), True, [(QUERY, key, "up")])
        card, toast = await talk.press(card, "👎")
        assert (toast, await kept()) == (RU("notice-vote-down"), [(QUERY, key, "down")])
        assert {"👍", "👎 ✓"} <= set(labels(card))
        card, toast = await talk.press(card, "👎 ✓")
        assert (toast, await kept()) == (RU("notice-vote-back"), [])
        _, toast = await talk.press_data(card, f"1j:up:{key}:2")
        assert (toast, await kept()) == (RU("notice-vote-up"), [(QUERY, key, "up")]), "a button of an old version"


async def test_in_a_group_no_card_shows_who_voted(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        friend = talk.telegram.add_user("Боб", "ru")
        group = talk.telegram.add_group("Друзья", [talk.user, friend])
        (results,) = await talk.say(f"@idiomatika_bot {QUERY}", group)
        card = await pressed(talk, results, "1")
        for person in (talk.user, friend, talk.user):
            shown, toast = await talk.press(card, "👍", person)
            assert (toast, labels(shown)) == (RU("notice-vote-up"), labels(card))


async def test_a_card_says_why_it_was_found(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say("бездельничать весь день")
        card = await pressed(talk, results, "1")
        (line,) = re.findall(r"^💡 Совпало: (.+)$", card["text"], re.MULTILINE)
        shares = [int(share) for share in re.findall(r"(\d+)\s%", line)]
        assert 0 < len(shares) <= 3
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 101, "rounded, and perhaps not all of them"
        assert line.startswith("«бездельничать» ")
        similar = await pressed(talk, card, "1")
        assert "💡" not in similar["text"], "no query led from card to card"


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_an_idiom_found_by_its_words_says_so(engine: SearchEngine, language: str) -> None:
    async with Talk(engine, language) as talk:
        (results,) = await talk.say("бить баклуши")
        card = await pressed(talk, results, "1")
        assert f"\n{texts_in(language)('why-wording')}\n" in card["text"]


async def test_equivalents_that_somebody_judged_come_first_and_found_ones_are_marked(engine: SearchEngine) -> None:
    phrase = next(p for p in engine.phrases if p.equivalents and not all(e.curated for e in engine.equivalents(p.key)))
    known = engine.equivalents(phrase.key)
    async with Talk(engine) as talk:
        (card,) = await talk.say(f"/start i_{phrase.key}")
        (language,) = phrase.equivalents
        title = RU(f"card-equivalents-{language}").strip("</b>")
        _, judged, found = card["text"][card["text"].index(title) :].splitlines()[:3]
        curated = [one.text for one in known if one.curated]
        assert judged == "; ".join([*curated, *phrase.renderings.get(language, ())])
        assert found == f"≈ {'; '.join(one.text for one in known if not one.curated)} — найдено по смыслу"
        links = {entity["url"] for entity in card["entities"] if entity["type"] == "text_link"}
        assert {f"https://t.me/idiomatika_bot?start=i_{one.key}" for one in known if one.key} <= links


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


async def test_why_of_a_repaired_query_is_about_what_was_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (repaired,) = await talk.say(LAYOUT)
        card = await pressed(talk, repaired, "1")
        assert "Совпало: «бездельничать» 100\N{NO-BREAK SPACE}%" in card["text"] or RU("why-wording") in card["text"]

"""Inline mode: cards in any chat."""

from __future__ import annotations

import pytest

from bot.features.inline import HURRIED_SECONDS, OFFERS_SECONDS
from bot.search.engine import SearchEngine
from bot.store.protocol import HistoryEntry, StateUnavailable
from bot.telegram import handlers
from support.states import exported
from support.talking import ANNA, EN, FAR, LAYOUT, QUERY, RU, Message, Talk, buttons, labels, numbered, pressed


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


async def test_inline_offers_the_idiom_of_the_day_and_what_many_opened(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        popular = next(match.phrase for match in engine.search(QUERY, 10) if match.phrase.offered)
        rude = next(phrase for phrase in engine.phrases if phrase.register == "vulgar")
        for user in range(1, 6):
            for one in (popular, rude):
                await talk.store.add(HistoryEntry(0, user, str(user), "card", one.key))
        answer = (await talk.inline("")).answer or {}
        assert [card["title"] for card in answer["results"]][1:] == [popular.text]
        again = (await talk.inline(" ")).answer or {}
        assert again["results"][0]["title"] == answer["results"][0]["title"]


async def test_what_is_trending_is_read_once_in_a_while_however_many_ask(
    engine: SearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Talk(engine) as talk:
        popular = next(match.phrase for match in engine.search(QUERY, 10) if match.phrase.offered)
        for user in range(1, 6):
            await talk.store.add(HistoryEntry(0, user, str(user), "card", popular.key))
        read, reads = talk.store.trending, list[float]()

        async def trending(days: float, count: int, people: int = 5) -> list[tuple[str, int]]:
            reads.append(talk.time)
            if len(reads) > 1:
                raise StateUnavailable("the server is away")
            return await read(days, count, people)

        monkeypatch.setattr(talk.store, "trending", trending)
        people = [talk.telegram.add_user(f"Боб {number}", "ru") for number in range(40)]
        began = talk.time
        for talk.time in (began, began + OFFERS_SECONDS - 1, began + OFFERS_SECONDS):
            for person in people:
                talk.telegram.inline_query(person, "", "")
            await talk.work(at_once=True)
            # What was read last is offered even when it cannot be read again.
            query = await talk.inline("")
            assert popular.text in [card["title"] for card in (query.answer or {})["results"]]
        assert reads == [began, began + OFFERS_SECONDS]


async def test_inline_without_results_offers_the_bot(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        answer = (await talk.inline("!!! ???")).answer or {}
        assert answer["results"] == []
        (message,) = await talk.say(f"/start {answer['button']['start_parameter']}")
        assert "!!! ???" in message["text"]


async def test_inline_answers_are_personal_and_in_the_language_of_the_person(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        russian = (await talk.inline(QUERY)).answer or {}
        await talk.press((await talk.say("/lang"))[0], EN("language"))
        talk.time += 301
        english = (await talk.inline(QUERY)).answer or {}
        assert [card["id"] for card in russian["results"]] == [card["id"] for card in english["results"]]
        assert russian["results"][0]["description"] != english["results"][0]["description"]
        call = next(call for call in talk.telegram.journal if call.method == "answerInlineQuery")
        assert call.params["is_personal"] == "true"


async def test_while_many_wait_inline_queries_are_answered_by_words_alone(
    engine: SearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "MOST_READ", 3)
    words = [f"{QUERY} {number}" for number in range(10)]
    async with Talk(engine) as talk:
        asked = [talk.telegram.inline_query(talk.telegram.add_user(text, "ru"), text) for text in words]
        await talk.work(at_once=True)
        await talk.inline("выдать тайну")
        calls = [call.params for call in talk.telegram.journal if call.method == "answerInlineQuery"]
    assert [int(call["cache_time"]) for call in calls[:-1]].count(HURRIED_SECONDS) == 7
    assert int(calls[-1]["cache_time"]) > HURRIED_SECONDS, "the rush is over"
    for query, text in zip(asked, words, strict=True):
        keys = [card["id"] for card in (query.answer or {})["results"]]
        ways = [engine.answer(text, len(keys), own=True, hurried=hurried).matches for hurried in (False, True)]
        assert keys in [[match.phrase.key for match in found] for found in ways]


async def test_pages_are_found_as_the_first_one_was(engine: SearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    for most_read, then in ((0, 9), (9, 0)):
        async with Talk(engine) as talk:
            monkeypatch.setattr(handlers, "MOST_READ", most_read)
            first = (await talk.inline("very happy")).answer or {}
            monkeypatch.setattr(handlers, "MOST_READ", then)
            second = (await talk.inline("very happy", first["next_offset"])).answer or {}
        found = engine.answer("very happy", 20, own=True, hurried=not most_read).matches
        shown = [card["id"] for page in (first, second) for card in page["results"]]
        assert shown == [match.phrase.key for match in found]


async def test_inline_mode_says_what_was_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        answer = (await talk.inline(LAYOUT)).answer or {}
        assert [card["title"] for card in answer["results"]] == [
            match.phrase.text for match in engine.search("бездельничать", 10, ("ru",))
        ]
        assert answer["button"]["text"] == "✏️ Искал: бездельничать"
        (message,) = await talk.say(f"/start {answer['button']['start_parameter']}")
        assert "Искал: бездельничать" in message["text"]


async def test_inline_mode_shows_no_cards_when_nothing_is_close(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        answer = (await talk.inline(FAR)).answer or {}
        assert answer["results"] == []
        assert answer["button"]["text"] == RU("button-ask")
        (message,) = await talk.say(f"/start {answer['button']['start_parameter']}")
        assert message["text"].startswith(RU("nothing-found", query=FAR))


async def test_a_chosen_card_has_buttons_that_work(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        friend = talk.telegram.add_user("Боб", "en")
        chat = talk.telegram.add_friends(talk.user, friend)
        query = await talk.inline(QUERY)
        first = (query.answer or {})["results"][0]
        message = talk.telegram.choose(query, first["id"], chat)
        assert message["text"].startswith(first["title"])
        listing, toast = await talk.press(message, RU("button-similar"), friend)
        assert listing["text"] != message["text"]
        assert toast == ""
        card, _ = await talk.press(listing, "1")
        back, _ = await talk.press(card, RU("button-back"))
        assert numbered(back) == numbered(listing)


async def test_the_bot_does_not_answer_its_own_cards(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        query = await talk.inline(QUERY)
        result = (query.answer or {})["results"][0]["id"]
        assert await talk.answers(talk.chat, lambda chat: talk.telegram.choose(query, result, chat)) == []


async def test_a_sent_card_counts_as_opened_and_leads_to_the_bot(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        friend = talk.telegram.add_user("Боб", "ru")
        chat = talk.telegram.add_friends(talk.user, friend)
        query = await talk.inline(QUERY)
        card = (query.answer or {})["results"][0]
        message = talk.telegram.choose(query, card["id"], chat)
        await talk.work()
        assert [step.text for step in await talk.store.history(ANNA, 0, 5)] == [card["id"]]
        (link,) = [button["url"] for button in buttons(message) if "start=i_" in button.get("url", "")]
        assert link.startswith("https://t.me/idiomatika_bot?start=")
        (opened,) = await talk.say(f"/start {link.partition('=')[2]}", talk.telegram.private(friend), friend)
        assert opened["text"].startswith(card["title"])
        assert RU("button-save") in labels(opened)


@pytest.mark.parametrize("forged", ["", "0" * 12, "x" * 64, "<b>кот</b>"])
async def test_a_chosen_card_that_is_none_of_ours_is_not_kept(engine: SearchEngine, forged: str) -> None:
    async with Talk(engine) as talk:
        chosen = {"result_id": forged, "from": talk.user.json(), "query": QUERY}
        talk.telegram.updates.add("chosen_inline_result", chosen)
        await talk.work()
        assert (await exported(talk.store, ANNA))["history"] == []


async def test_undo_in_another_chat_goes_to_the_card(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        chat = talk.telegram.add_friends(talk.user, talk.telegram.add_user("Боб", "ru"))
        query = await talk.inline(QUERY)
        message = talk.telegram.choose(query, (query.answer or {})["results"][0]["id"], chat)
        shown: list[Message] = [await pressed(talk, message, RU("button-similar"))]
        for label in ("1", "2"):
            shown.append(await pressed(talk, shown[-1], label))
        for expected in reversed(shown[:-1]):
            shown.append(await pressed(talk, shown[-1], RU("button-back")))
            assert shown[-1]["text"] == expected["text"]
        card = await pressed(talk, shown[-1], RU("button-back"))
        assert card["text"].startswith(message["text"].split("\n")[0])

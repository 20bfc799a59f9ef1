"""Idioms drawn by lot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.search.engine import SearchEngine
from support.small import PHRASES, small_artifacts
from support.talking import ANNA, RU, Talk, data


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


@pytest.mark.parametrize(
    "words", ["животные", "animals", "Животн", "животных", "ru animals", "русские животные", "rus животных"]
)
async def test_a_random_idiom_of_a_topic(engine: SearchEngine, words: str) -> None:
    async with Talk(engine) as talk:
        (card,) = await talk.say(f"/random {words}")
        for _ in range(3):
            phrase = engine.phrase((await talk.store.history(ANNA, 0, 1))[0].text)
            assert phrase
            assert "animals" in phrase.topics
            assert phrase.language == "ru" or not words.startswith(("ru", "рус"))
            card, _ = await talk.press(card, RU("button-random"))


async def test_an_unknown_topic_names_the_known_ones(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("/random <шкафы>")
        assert RU("topic-animals") in answer["text"]


@pytest.mark.parametrize("topic", ["work-life", "Работа и карьера", "x" * 100, "<b>&", "a.b", "работа " * 14, "2026"])
async def test_topics_of_any_letters_and_length_fit_buttons(topic: str) -> None:
    """A collection of one's own may have any: a button has 64 bytes, and Telegram checks it."""
    mine, *others = PHRASES
    async with Talk(SearchEngine(small_artifacts([replace(mine, topics=(topic.strip(),)), *others]))) as talk:
        (card,) = await talk.say(f"/random {topic}")
        for _ in range(3):
            assert mine.text in card["text"]
            card, toast = await talk.press(card, RU("button-random"))
            assert toast == ""
        assert len(data(card, RU("button-random")).encode()) <= 64


async def test_many_long_topics_fit_a_message() -> None:
    topics = tuple(f"{number} {'тема' * 20}" for number in range(200))
    async with Talk(SearchEngine(small_artifacts([replace(PHRASES[0], topics=topics), *PHRASES[1:]]))) as talk:
        (answer,) = await talk.say("/random шкафы")
        assert topics[0][:60] in answer["text"]


async def test_a_topic_that_is_gone_is_drawn_no_more() -> None:
    async with Talk(SearchEngine(small_artifacts())) as talk:
        (card,) = await talk.say("/random работа")
        assert PHRASES[0].text in card["text"]
        talk.services.serve(SearchEngine(small_artifacts([replace(PHRASES[0], topics=("rest",)), *PHRASES[1:]])))
        card, _ = await talk.press(card, RU("button-random"))
        assert card["text"] == RU("random-empty")

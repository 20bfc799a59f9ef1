"""Idioms drawn by lot."""

from __future__ import annotations

import pytest

from bot.search.engine import SearchEngine
from support.talking import ANNA, RU, Talk


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

"""Idioms drawn by lot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.search.engine import SearchEngine
from support.small import PHRASES, small_artifacts
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


async def test_a_topic_that_fits_no_button_is_kept(tmp_path: Path) -> None:
    topic = "очень-длинная-тема-" * 5
    phrases = [replace(phrase, topics=(topic,) if number == 1 else ()) for number, phrase in enumerate(PHRASES)]
    async with Talk(SearchEngine(small_artifacts(phrases)), path=tmp_path / "state.db") as talk:
        (card,) = await talk.say("/random очень")
        for _ in range(2):
            assert PHRASES[1].text in card["text"]
            card, toast = await talk.press(card, "🎲")
            assert toast == ""

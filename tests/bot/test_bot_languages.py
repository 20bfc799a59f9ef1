"""The language of the bot, and of the idioms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.relations import NONE
from support.small import PHRASES, small_artifacts
from support.talking import EN, RU, Talk, labels, numbered, pressed


def shown(label: str) -> str:
    """A choice as its button names it."""
    return label[:1].upper() + label[1:]


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_the_language_can_be_chosen(engine: SearchEngine, tmp_path: Path, language: str) -> None:
    own, other = (RU, EN) if language == "ru" else (EN, RU)
    async with Talk(engine, language, tmp_path / "state.db") as talk:
        (screen,) = await talk.say("/lang")
        screen, _ = await talk.press(screen, other("language"))
        assert f"• 🗣 {other('language')}" in labels(screen)
        await talk.restart()
        (answer,) = await talk.say("/start")
        assert answer["text"].split(".")[0] == other("start").split(".")[0]
        screen, _ = await talk.press(screen, f"🗣 {shown(other('language-auto'))}")
        assert f"• 🗣 {shown(own('language-auto'))}" in labels(screen)


async def test_another_language_of_idioms_is_data() -> None:
    german = Phrase("Däumchen drehen", "de", ("nichts tun",), equivalents={"ru": ("бить баклуши",)})
    artifacts = small_artifacts([*PHRASES, german])
    artifacts.relations.curated = np.array([[NONE]] * len(PHRASES) + [[0]], np.int32)
    async with Talk(SearchEngine(artifacts)) as talk:
        (screen,) = await talk.say("/lang")
        scopes = [
            f"• 🔎 {shown(RU('scope-all'))}",
            *(f"🔎 {shown(label)}" for label in (RU("scope-ru"), RU("scope-en"), "de")),
        ]
        assert labels(screen)[-7:-3] == scopes
        await talk.press(screen, "🔎 De")
        (answer,) = await talk.say("Däumchen drehen")
        assert RU("button-show-ru") in labels(answer) and "🌐 de" not in labels(answer)
        assert numbered(answer) == ["Däumchen drehen"]
        card = await pressed(talk, answer, "1")
        assert f"{RU('card-equivalents-ru').strip('</b>')}\nбить баклуши" in card["text"]
        (card,) = await talk.say("/random de")
        assert card["text"].startswith("Däumchen drehen")

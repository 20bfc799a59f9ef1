"""Whatever people write and press, in whatever order: always an answer, never a refusal by Telegram or an error."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.actions import to_data
from bot.search.engine import Answer, Match, SearchEngine
from bot.search.phrases import Phrase
from bot.search.relations import Equivalent
from bot.search.understand.analysis import Analysis
from support.strategies import actions
from support.talking import Talk, buttons

words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=200).filter(
    lambda text: text.strip() and not text.startswith("/")
)
relaxed = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.mark.slow
@relaxed
@given(text=words, language=st.sampled_from(["ru", "en", ""]))
def test_any_text(engine: SearchEngine, text: str, language: str) -> None:
    async def talk_about_it() -> None:
        async with Talk(engine, language) as talk:
            assert len(await talk.say(text)) == 1
            await talk.inline(text)
            assert len(await talk.say(f"/random {text}")) == 1
            assert len(await talk.say(f"/daily {text}")) == 1

    asyncio.run(talk_about_it())


@pytest.mark.slow
@relaxed
@given(presses=st.lists(st.one_of(actions.map(to_data), st.text(max_size=20)), max_size=10))
def test_any_callback_data(engine: SearchEngine, presses: list[str]) -> None:
    async def press_all() -> None:
        async with Talk(engine) as talk:
            (message,) = await talk.say("ничего не делать")
            for data in presses:
                message, _ = await talk.press_data(message, data)

    asyncio.run(press_all())


@pytest.mark.slow
@relaxed
@given(presses=st.lists(actions.map(to_data), min_size=1, max_size=6), inline=st.booleans())
def test_any_press_by_anybody_in_a_group_or_on_a_card(engine: SearchEngine, presses: list[str], inline: bool) -> None:
    async def press_all() -> None:
        async with Talk(engine) as talk:
            other = talk.telegram.add_user("Боб", "en")
            group = talk.telegram.add_group("Друзья", [talk.user, other])
            await talk.say("/start", talk.telegram.private(other), other)
            if inline:
                query = await talk.inline("очень обрадоваться")
                message = talk.telegram.choose(query, (query.answer or {})["results"][0]["id"], group)
            else:
                (message,) = await talk.say("@idiomatika_bot очень обрадоваться", group)
            for data in presses:
                message, _ = await talk.press_data(message, data, other)

    asyncio.run(press_all())


@pytest.mark.slow
@relaxed
@given(
    choices=st.lists(st.integers(0, 30), min_size=1, max_size=30),
    stale=st.lists(st.booleans(), min_size=30, max_size=30),
)
def test_any_order_of_presses_of_real_buttons(engine: SearchEngine, choices: list[int], stale: list[bool]) -> None:
    async def press_all() -> None:
        async with Talk(engine) as talk:
            (message,) = await talk.say("ничего не делать")
            seen: list[dict[str, Any]] = [message]
            for choice, old in zip(choices, stale, strict=False):
                shown = seen[choice % len(seen)] if old else seen[-1]
                pressable = [button for button in buttons(shown) if "callback_data" in button]
                if pressable:
                    button = pressable[choice % len(pressable)]
                    seen.append((await talk.press_data(message, button["callback_data"]))[0])

    asyncio.run(press_all())


AWKWARD = ["<b>", "&amp;", 'тот "кто" <i>не</i>', "a & b", "🙂" * 10, "x" * 3000, "{ $x }", "</b></i>", "'«»'"]


class OnePhrase(SearchEngine):
    """An engine that answers everything with one phrase."""

    languages = ("ru", "en")

    def __init__(self, phrase: Phrase) -> None:
        self.phrases = [phrase]

    @property
    def topics(self) -> list[str]:
        return list({*self.phrases[0].topics})

    def similar(self, *_: Any, **__: Any) -> list[Match]:
        return [Match(self.phrases[0], 1.0, "meaning")] * 11

    def equivalents(self, *_: Any, **__: Any) -> list[Equivalent]:
        text, key = self.phrases[0].text, self.phrases[0].key
        return [Equivalent(text, "en", key, curated) for curated in (True, False) for _ in range(11)]

    def opposites(self, *_: Any, **__: Any) -> list[Phrase]:
        return [self.phrases[0]] * 9

    def analyse(self, *_: Any, **__: Any) -> Analysis:
        return Analysis("", self.phrases[0].text, "", (), (), ())

    def answer(self, *_: Any, **__: Any) -> Answer:
        return Answer(self.similar(), 1.0, self.analyse())

    def sample(self, *_: Any, **__: Any) -> list[Phrase]:
        return [self.phrases[0]]

    def random(self, *_: Any, **__: Any) -> Phrase:
        return self.phrases[0]

    phrase = random

    def explain(self, *_: Any, **__: Any) -> list[tuple[str, float]]:
        return [(self.phrases[0].text, 1.0)] * 9

    def set_click_counts(self, *_: Any) -> None:
        pass


@pytest.mark.parametrize("awkward", AWKWARD)
async def test_whatever_a_phrase_contains_is_shown_as_it_is(awkward: str) -> None:
    many = (awkward,) * 9
    phrase = Phrase(
        text=awkward,
        language="ru",
        meanings=many,
        translations={"en": awkward},
        equivalents={"en": many},
        variants=many,
        topics=many,
        scenes=many,
        kind=awkward,
        register=awkward,
        examples=many,
        example_translations={"en": many},
        stressed=awkward,
        literal={"en": awkward},
        usage={"en": awkward},
        etymology=awkward,
        source=f'https://example.org/"{awkward}',
    )
    async with Talk(OnePhrase(phrase)) as talk:
        (answer,) = await talk.say(awkward)
        for label in ("💡", "💡", "точно"):
            answer, _ = await talk.press(answer, label)
        card, _ = await talk.press(answer, "1")
        assert card["text"].startswith(" ".join(awkward.split())[:100])
        for label in ("☆", "⚠️", "Ещё", "🎲"):
            await talk.press(card, label)
            await talk.press_data(card, f"1v:{2}:0")
        for command in ("/history", "/saved", "/quiz", "/random", "/random ы"):
            assert len(await talk.say(command)) == 1
        await talk.say(f"/daily {awkward}")
        await talk.inline("")

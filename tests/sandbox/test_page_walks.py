"""What people come back for, walked through in a real browser on a narrow phone, in each language of the idioms."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from bot.sandbox.telegram import Telegram
from bot.search.engine import SearchEngine
from bot.texts import Texts, texts_in
from support.browsing import Visitor, running_bot, running_chromium

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
QUERIES = {"ru": "бездельничать", "en": "to be very happy", "de": "to be very happy"}
DESPAIR = {"ru": "не хочу больше жить", "en": "I don't want to live anymore", "de": "ich will nicht mehr leben"}
WORDY = {
    "ru": ("очень устать", "жадный человек", "говорить правду", "обмануть доверчивого человека"),
    "en": ("break a leg", "very rarely", "to work hard"),
    "de": ("break a leg", "reveal a secret"),
}
"""Queries whose answers are rather long."""
LANGUAGES = {"ru": "ru-RU", "en": "en-GB", "de": "de-DE"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with running_chromium() as started:
        yield started


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(engine: SearchEngine) -> AsyncIterator[tuple[str, Telegram]]:
    async with running_bot(engine) as served:
        yield served


@pytest_asyncio.fixture(params=LANGUAGES, loop_scope="module")
async def walk(
    request: pytest.FixtureRequest, browser: Browser, bot: tuple[str, Telegram]
) -> AsyncIterator[tuple[Visitor, Texts]]:
    """Somebody who has pressed Start, and the texts that they read; nobody may have complained in the end."""
    url, telegram = bot
    async with Visitor.at(browser, url, LANGUAGES[request.param], **PHONE) as visitor:
        await visitor.open_chat("Idiomatika")
        await visitor.page.locator("#start").click()
        await visitor.hears("/help")
        yield visitor, texts_in(request.param)
        assert await visitor.cut_labels() == []
        assert visitor.complaints == []
    assert telegram.refusals == [] and telegram.unanswered == []


async def opened(visitor: Visitor, texts: Texts) -> None:
    """Ask, and open the first idiom."""
    await visitor.say(QUERIES[texts.language])
    await visitor.hears("5. ")
    await visitor.press("1")
    await visitor.hears("💡")


async def test_an_example_of_the_greeting_is_a_tap_away(walk: tuple[Visitor, Texts]) -> None:
    visitor, texts = walk
    await visitor.press(texts("start-examples").split("; ")[0])
    await visitor.hears("1. ", "5. ")
    assert await visitor.page.locator(".message:not(.mine)").count() == 2, "the greeting stays"


async def test_what_is_saved_is_learned(walk: tuple[Visitor, Texts]) -> None:
    visitor, texts = walk
    await opened(visitor, texts)
    await visitor.press(texts("button-save"))
    await visitor.hears("💡")
    await visitor.say("/learn")
    await visitor.hears(texts("learn-left", count=1).strip())
    await visitor.press(texts("button-reveal"))
    await expect(visitor.answer.locator(".keys button")).to_have_count(4)
    assert await visitor.cut_labels() == []
    await visitor.press(texts("grade-good"))
    await visitor.hears(texts("learn-done"), "🔥")
    await visitor.press(texts("button-ungrade"))
    await visitor.hears(texts("learn-left", count=1).strip())


async def test_a_vote_shows_and_what_is_wrong_can_be_said(walk: tuple[Visitor, Texts]) -> None:
    visitor, texts = walk
    await opened(visitor, texts)
    await visitor.press("👍")
    await expect(visitor.answer.locator(".keys button").filter(has_text="👍 ✓")).to_have_count(1)
    await visitor.press("👍 ✓")
    await expect(visitor.answer.locator(".keys button").filter(has_text="✓")).to_have_count(0)
    await visitor.press(texts("button-wrong"))
    await visitor.press(texts("fault-spelling"))
    await visitor.hears(texts("report-comment"))
    await expect(visitor.page.locator("#context")).to_be_visible()
    await visitor.say("!")
    await visitor.hears(texts("report-thanks"))


async def test_the_best_is_seen_without_scrolling(walk: tuple[Visitor, Texts]) -> None:
    visitor, texts = walk
    for query in WORDY[texts.language]:
        await visitor.say(query)
        await visitor.hears(query, "5. ")
        best, chat = (await visitor.answer.locator("b").nth(1).bounding_box(), visitor.page.locator("#messages"))
        above = await chat.bounding_box()
        assert best and above and best["y"] >= above["y"], query
        assert await visitor.cut_labels() == []


async def test_a_city_is_chosen_by_its_whole_name(walk: tuple[Visitor, Texts]) -> None:
    visitor, texts = walk
    await visitor.say("/daily")
    await visitor.press(texts("button-zone"))
    await visitor.hears(texts("zones-title").split(".")[0])
    assert await visitor.cut_labels() == []


async def test_settings_are_chosen_with_a_tap(walk: tuple[Visitor, Texts]) -> None:
    visitor, texts = walk
    other = texts_in("en" if texts.language == "ru" else "ru")
    await visitor.say("/settings")
    await visitor.press(other("language"))
    await visitor.hears(
        other("settings", language=other("language"), idioms="", daily="").split("<b>")[1].split("</b>")[0]
    )
    await visitor.press(other("button-daily"))
    await visitor.press("9:00")
    await visitor.hears("9:00")
    await visitor.say("/daily 8:30")
    await visitor.hears("8:30")


async def test_topics_and_questions_to_a_dictionary(walk: tuple[Visitor, Texts]) -> None:
    visitor, texts = walk
    await visitor.say("/topic")
    await visitor.hears(texts("topics-title"))
    assert await visitor.cut_labels() == []
    await visitor.press(texts("topic-animals").capitalize())
    await visitor.hears("1. ")
    await visitor.say(f"/opposite {texts('ask-opposite-example')}")
    await visitor.hears("1. ")


async def test_despair_is_met_with_kindness(walk: tuple[Visitor, Texts]) -> None:
    visitor, texts = walk
    await visitor.say(DESPAIR[texts.language])
    await visitor.hears("findahelpline.com", "112")
    await visitor.press(texts("button-idiom-after-all"))
    await visitor.hears(DESPAIR[texts.language])

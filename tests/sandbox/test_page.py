"""The page in a real browser, with the real bot behind it: what a stranger does in the first minutes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from bot.features.routes import MENU
from bot.sandbox.telegram import Telegram
from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key
from bot.texts import LANGUAGES
from support.browsing import Visitor, running_bot, running_chromium

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]
Visit = Callable[..., AbstractAsyncContextManager[Visitor]]

PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}
IDLE = "ничего не делать, бездельничать"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with running_chromium() as started:
        yield started


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(engine: SearchEngine) -> AsyncIterator[tuple[str, Telegram]]:
    async with running_bot(engine) as served:
        yield served


@pytest.fixture
def visit(browser: Browser, bot: tuple[str, Telegram]) -> Visit:
    """A visit after which nobody may have complained: not the browser, not the strict server."""
    url, telegram = bot

    @asynccontextmanager
    async def visit(language: str = "ru-RU", path: str = "", **context: Any) -> AsyncIterator[Visitor]:
        async with Visitor.at(browser, f"{url}/{path}", language, **context) as visitor:
            yield visitor
            await expect(visitor.page.locator(".waiting")).to_have_count(0)
            assert visitor.complaints == []
        assert telegram.refusals == []
        assert telegram.unanswered == []

    return visit


async def meet(visitor: Visitor, greeting: str = "Привет") -> None:
    """Press Start."""
    await visitor.page.locator("#start").click()
    await visitor.hears(greeting)


@pytest.mark.slow
async def test_ask_open_and_go_back(visit: Visit) -> None:
    async with visit(permissions=["clipboard-read", "clipboard-write"]) as anna:
        toast = anna.page.locator("#toast.shown")
        await expect(anna.page.locator(".welcome")).to_contain_text("Вы знаете, что хотите сказать")
        await meet(anna)
        await anna.say(IDLE)
        await anna.hears(IDLE, "1. ", "5. ")
        first = (await anna.answer.locator("b").nth(1).inner_text()).removeprefix("1. ")
        await anna.press("1")
        await expect(anna.answer.locator("b").first).to_have_text(first)
        await anna.press("📋 Идиома")
        await expect(toast).to_have_text("Скопировано")
        assert await anna.page.evaluate("navigator.clipboard.readText()") == first
        await anna.press("Сохранить")
        await expect(toast).to_contain_text("Сохранено")
        await anna.hears("★ Сохранено", "💡 Совпал")
        await anna.press("Ещё")
        await anna.hears(f"Похожие на «{first}»")
        await anna.press("Назад")
        await anna.hears("★ Сохранено")
        await anna.press("Назад")
        await anna.hears("5. ")
        await anna.press("Почему")
        await anna.hears("5. ", "💡 Совпал")
        await anna.press("Скрыть")
        await expect(anna.answer).not_to_contain_text("💡 Совпал")


async def test_nothing_close_and_the_nearest_on_request(visit: Visit) -> None:
    async with visit() as anna:
        await meet(anna)
        await anna.say("столица Франции")
        await anna.hears("близких по смыслу идиом не нашлось")
        await anna.press("Показать ближайшие")
        await anna.hears("Точного не нашлось", "5. ")
        await anna.press("Назад")
        await anna.hears("не нашлось")


async def test_an_equivalent_is_a_tap_away(visit: Visit) -> None:
    async with visit() as anna:
        await meet(anna)
        await anna.say("бить баклуши")
        await anna.hears("5. ")
        await anna.press("1")
        await anna.answer.get_by_role("link", name="twiddle one's thumbs").click()
        await expect(anna.answer.locator("b").first).to_have_text("twiddle one's thumbs")
        await expect(anna.page.locator("#composer")).to_be_visible()


async def test_what_is_typed_is_shown_as_typed(visit: Visit) -> None:
    async with visit() as anna:
        await meet(anna)
        for text in ('<b>&"', "<script>alert(1)</script> &amp; 🙂👍🏽", "a\nb"):
            await anna.say(text)
            assert await anna.page.locator(".message.mine .text").last.inner_text() == text
        await anna.say('обман <i>&amp;"')
        await anna.hears('обман <i>&amp;"')
        await expect(anna.answer.locator(".keys")).to_be_visible()


@pytest.mark.slow
async def test_inline_in_a_friends_chat(visit: Visit) -> None:
    async with visit() as anna:
        cards = anna.page.locator("#suggestions button:has(b)")
        await anna.open_chat("Друг")
        await anna.page.locator("#text").fill(f"@idiomatika_bot {IDLE}")
        await expect(cards).to_have_count(10)
        await cards.last.scroll_into_view_if_needed()
        await expect(cards).to_have_count(20)
        title = await cards.nth(17).locator("b").inner_text()
        await cards.nth(17).click()
        await anna.hears("через @idiomatika_bot", title)
        await anna.press("Похожие")
        await anna.hears("1. ", "5. ")
        await anna.press("2")
        await anna.hears("Сохранить")
        await anna.press("Назад")
        await anna.hears("5. ")
        await anna.press("Назад")
        await anna.hears(title)


async def test_share_into_a_chat_and_come_back_by_the_link(visit: Visit) -> None:
    async with visit() as anna:
        await meet(anna)
        await anna.say("бить баклуши")
        await anna.hears("5. ")
        await anna.press("1")
        await anna.press("Поделиться")
        await anna.page.locator(".pick").filter(has_text="Друг").click()
        card = anna.page.locator("#suggestions button:has(b)").first
        await expect(card).to_contain_text("бить баклуши")
        await card.click()
        await anna.hears("через @idiomatika_bot", "бить баклуши")
        await anna.press("Открыть в боте")
        await expect(anna.page.locator("#title")).to_have_text("Idiomatika")
        await meet(anna, "бить баклуши")


async def test_a_quiz_is_answered_once(visit: Visit) -> None:
    async with visit() as anna:
        await meet(anna)
        await anna.say("/quiz")
        options = anna.answer.locator(".option")
        await expect(options).to_have_count(4)
        await options.nth(2).click()
        await expect(anna.answer.locator(".option.right")).to_have_count(1)
        await expect(anna.answer.locator(".option:disabled")).to_have_count(4)
        await anna.hears("Голосов: 1")
        await anna.press("Счёт")
        await expect(anna.page.locator("#toast.shown, dialog[open]")).to_contain_text("из 1")


async def test_reload_and_go_on(visit: Visit) -> None:
    async with visit() as anna:
        await meet(anna)
        await anna.say(IDLE)
        await anna.hears("5. ")
        before = await anna.page.locator("#messages").inner_text()
        await anna.page.reload()
        await anna.hears("5. ")
        assert await anna.page.locator("#messages").inner_text() == before
        await anna.press("3")
        await anna.hears("Похожие")
        await anna.press("Назад")
        await anna.hears("5. ")


async def test_a_group_hears_the_bot_only_when_it_is_meant(visit: Visit) -> None:
    async with visit() as anna:
        await anna.open_chat("Общий чат")
        await anna.say("просто разговор")
        await anna.say(f"@idiomatika_bot {IDLE}")
        await anna.hears("5. ")
        assert await anna.page.locator(".message:not(.mine)").count() == 1


async def test_themes(visit: Visit) -> None:
    async with visit(color_scheme="dark") as anna:
        ground = "getComputedStyle(document.querySelector('main')).backgroundColor"
        colours = {}
        for theme in ("auto", "light", "dark"):
            await expect(anna.page.locator("html")).to_have_attribute("data-theme", theme)
            colours[theme] = await anna.page.evaluate(ground)
            await anna.page.locator("#theme").click()
        assert colours["auto"] == colours["dark"] != colours["light"]


async def test_a_phone_in_english(visit: Visit) -> None:
    async with visit("en-GB", color_scheme="dark", **PHONE) as ann:
        blocks = "[...document.querySelectorAll('html, #messages, .bubble, .keys')]"
        await ann.open_chat("Idiomatika")
        await meet(ann, "Hello")
        await ann.say("to reveal a secret")
        await ann.hears("let the cat out of the bag", "5. ")
        assert await ann.page.evaluate(f"{blocks}.filter((node) => node.scrollWidth > node.clientWidth).length") == 0
        await ann.press("1")
        await ann.press("Back")
        await ann.hears("5. ")
        await ann.page.locator("#back").click()
        await expect(ann.page.locator("main")).not_to_be_visible()
        await ann.page.locator("#language").click()
        await expect(ann.page.locator("#product")).to_have_text("Локальный чат")


async def test_a_deep_link_waits_for_start(visit: Visit) -> None:
    async with visit("en-GB", path="?start=nonsense") as ann:
        await meet(ann, "Hello")
        assert ann.page.url.endswith("/"), "a reload must not start anew"


NARROW = {"viewport": {"width": 360, "height": 800}, "is_mobile": True, "has_touch": True}
"""The size of many phones, and the narrowest that is common."""


@pytest.mark.parametrize(
    ("language", "query", "others", "back"),
    [
        ("ru-RU", "бездельничать", "Показать английские", "Назад"),
        ("en-GB", "to be very happy", "Show Russian idioms", "Back"),
    ],
)
async def test_on_a_narrow_phone_no_label_is_cut(
    visit: Visit, language: str, query: str, others: str, back: str
) -> None:
    async with visit(language, **NARROW) as anna:
        await anna.open_chat("Idiomatika")
        await meet(anna, "/help")
        await anna.say(query)
        await anna.hears("1. ", "5. ")
        best = anna.answer.locator("b").nth(1)
        box = await best.bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= 800, "the best is seen without scrolling"
        for label, words in ((others, "📌"), ("💡", "💡"), ("1", "📋"), (back, "💡")):
            assert await anna.cut_labels() == [], label
            await anna.press(label)
            await anna.hears(words)
        for count, command in enumerate(("/settings", "/daily", "/saved", "/history", "/privacy", "/quiz"), 3):
            await anna.say(command)
            await expect(anna.page.locator(".message:not(.mine)")).to_have_count(count)
            assert await anna.cut_labels() == [], command


@pytest.mark.parametrize(("language", "label"), [("ru-RU", "Открытка"), ("en-GB", "Picture")])
async def test_a_picture_is_shown_whole(visit: Visit, language: str, label: str) -> None:
    async with visit(language, "?start=i_" + phrase_key("ru", "плевать в потолок"), **NARROW) as anna:
        await anna.page.locator("#start").click()
        await anna.hears("📋")
        await anna.press(label)
        picture = anna.answer.locator("img.photo")
        await expect(picture).to_be_visible()
        await picture.evaluate("img => img.decode()")
        sizes = "img => [img.naturalWidth, img.naturalHeight, img.width / img.height]"
        width, height, drawn = await picture.evaluate(sizes)
        assert (width, height) == (1080, 1080) and abs(drawn - 1) < 0.02
        box = await picture.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["width"] > 250
        await anna.hears("@idiomatika_bot")
        assert await anna.cut_labels() == []


async def test_a_picture_goes_into_another_chat(visit: Visit) -> None:
    async with visit("en-GB", "?start=p_" + phrase_key("en", "piece of cake"), **NARROW) as ann:
        await ann.page.locator("#start").click()
        await expect(ann.answer.locator("img.photo")).to_be_visible()
        await ann.press("Share")
        await ann.page.locator(".pick").filter(has_text="Friend").click()
        card = ann.page.locator("#suggestions button:has(img)").first
        await expect(card).to_contain_text("piece of cake")
        await card.click()
        await ann.hears("via @idiomatika_bot", "piece of cake")
        await expect(ann.answer.locator("img.photo")).to_be_visible()
        assert await ann.cut_labels() == []


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_the_menu_offers_has_no_cut_label(visit: Visit, language: str) -> None:
    async with visit(language, **NARROW) as anna:
        answers = anna.page.locator(".message:not(.mine)")
        await anna.open_chat("Idiomatika")
        await anna.page.locator("#start").click()
        await expect(answers).to_have_count(1)
        cut = {"start": await anna.cut_labels()}
        for command in MENU:
            before = await answers.count()
            await anna.say(f"/{command}")
            await expect(answers).not_to_have_count(before)
            cut[command] = await anna.cut_labels()
        assert {command: labels for command, labels in cut.items() if labels} == {}


async def test_a_long_quote_is_folded_until_it_is_clicked(visit: Visit, bot: tuple[str, Telegram]) -> None:
    async with visit(**NARROW) as anna:
        await anna.open_chat("Idiomatika")
        await meet(anna)
        telegram = bot[1]
        person = max(chat.id for chat in telegram.chats.values() if chat.type == "private" and chat.messages)
        for text in ("one", "so many words that three lines do not hold them " * 8):
            sent = {
                "chat_id": person,
                "text": f"a\n<blockquote expandable>{text}</blockquote>\nb",
                "parse_mode": "HTML",
            }
            assert (await telegram.call(telegram.token, "sendMessage", sent))["ok"]
        short, long = (anna.page.locator("blockquote").nth(number) for number in (-2, -1))
        height = "node => node.getBoundingClientRect().height"
        await expect(long).to_contain_text("so many words")
        assert await short.evaluate("node => node.className") == ""
        folded = await long.evaluate(height)
        assert folded < 80
        await long.click()
        assert await long.evaluate(height) > 2 * folded
        await long.press("Enter")
        assert await long.evaluate(height) == folded


async def test_who_edits_sees_the_answer_change(visit: Visit) -> None:
    async with visit("en-GB") as ann:
        await meet(ann, "Hello")
        await ann.say("to be very happy")
        await ann.hears("5. ")
        before = await ann.page.locator(".message").count()
        mine = ann.page.locator(".message.mine").last
        await mine.hover()
        await mine.locator(".tools button").last.click()
        await ann.page.locator("#text").fill("to be very tired")
        await ann.page.keyboard.press("Enter")
        await ann.hears("to be very tired", "5. ")
        await expect(mine.locator(".meta")).to_contain_text("edited")
        await expect(ann.answer.locator(".meta")).not_to_contain_text("edited")
        assert await ann.page.locator(".message").count() == before

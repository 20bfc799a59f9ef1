"""Drives the page in a real Chromium, in front of the real bot, as a person with a mouse would."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from bot.features.context import Services
from bot.sandbox.telegram import Telegram
from bot.search.engine import SearchEngine
from bot.serving import running_locally
from bot.settings import Settings
from bot.store.opening import open_store

# A busy machine is slow, not wrong.
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)

ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --disable-background-networking --disable-component-update "
    "--disable-sync --no-first-run"
).split()


def chromium(own: str) -> str:
    """Where Chromium is: the machine's, or else the one that Playwright may have fetched for itself."""
    for name in ("chromium", "chromium-browser", "google-chrome", own):
        if found := shutil.which(name):
            return found
    raise FileNotFoundError("The page is tested in Chromium, which is not on this machine: run `make chromium` first.")


@asynccontextmanager
async def running_chromium() -> AsyncIterator[Browser]:
    """A browser without a window."""
    async with async_playwright() as playwright:
        executable = chromium(playwright.chromium.executable_path)
        browser = await playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        await browser.close()


@asynccontextmanager
async def running_bot(engine: SearchEngine) -> AsyncIterator[tuple[str, Telegram]]:
    """The bot as `make run` starts it: the page's address, and the Telegram behind it."""
    store = await open_store(":memory:")
    async with running_locally(Services(engine, store, Settings(port=0))) as served:
        yield served
    await store.close()


@dataclass
class Visitor:
    """A person who looks at the page."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    """What the browser's console said, and what went wrong in the page's own code."""

    @classmethod
    @asynccontextmanager
    async def at(cls, browser: Browser, url: str, language: str = "ru-RU", **context: Any) -> AsyncIterator[Visitor]:
        """Open the page in a browser profile of its own."""
        size = context.pop("viewport", {"width": 1100, "height": 800})
        profile = await browser.new_context(locale=language, viewport=size, **context)
        profile.set_default_timeout(PATIENCE)
        visitor = cls(await profile.new_page())
        visitor.page.on("console", lambda message: visitor.complaints.append(message.text))
        visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        await visitor.page.goto(url)
        yield visitor
        await profile.close()

    @property
    def answer(self) -> Locator:
        """The newest message that is not the person's own, or that came through the bot."""
        return self.page.locator(".message:not(.mine), .message:has(.via)").last

    async def say(self, text: str) -> None:
        """Write a message and wait until it is in the chat."""
        before = await self.page.locator(".message.mine").count()
        await self.page.locator("#text").fill(text)
        await self.page.keyboard.press("Enter")
        await expect(self.page.locator(".message.mine")).to_have_count(before + 1)

    async def hears(self, *words: str) -> None:
        """The newest answer has these words in it."""
        for word in words:
            await expect(self.answer).to_contain_text(word)

    async def press(self, label: str) -> None:
        """Press a button of the newest answer by its label, or by a part of it."""
        buttons = self.answer.locator(".keys button")
        await buttons.filter(has_text=label).first.click()

    async def open_chat(self, title: str) -> None:
        """Choose a chat in the list."""
        await self.page.locator("#chats button").filter(has_text=title).click()
        await expect(self.page.locator("#title")).to_have_text(title)

    async def cut_labels(self) -> list[str]:
        """The labels of the newest answer's buttons that do not fit into them."""
        buttons = self.answer.locator(".keys button")
        return list(
            await buttons.evaluate_all(
                "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth).map(node => node.innerText)"
            )
        )

"""The README's pictures, taken of the page as it is: `python tests/tools/pictures.py` writes them into docs/."""

from __future__ import annotations

import asyncio
import io
import os
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, expect

from bot.search.engine import SearchEngine
from support.browsing import Visitor, running_bot, running_chromium

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


async def take(browser: Browser, url: str) -> None:
    """All of them."""
    half: dict[str, Any] = {"viewport": {"width": 590, "height": 1032}, "reduced_motion": "reduce"}
    async with Visitor.at(browser, url, "en-GB", **half) as ann:
        await ask(ann, "to be very happy")
        await open_idiom(ann, "on cloud nine")
        opened = await shot(ann)
    async with Visitor.at(browser, url, **half) as anna:
        await ask(anna, "bezdelnichat celymi dnyami")
        await anna.press("💡")
        await anna.hears("💡 Совпало: ")
        await anna.page.locator(".message.mine").last.evaluate("question => question.scrollIntoView()")
        save("chat.png", beside(await shot(anna), opened))
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "device_scale_factor": 2}
    async with Visitor.at(browser, url, color_scheme="dark", reduced_motion="reduce", **phone) as anna:
        await ask(anna, "очень устать")
        await open_idiom(anna, "без задних ног")
        save("chat-dark-phone.png", await shot(anna))
    async with Visitor.at(browser, url, "en-GB", viewport={"width": 1000, "height": 560}) as ann:
        await ann.open_chat("Friend")
        await ann.say("I passed the exam!")
        await ann.page.locator("#text").fill("@idiomatika_bot something very easy")
        await expect(ann.page.locator("#suggestions button")).to_have_count(10)
        save("inline.png", await shot(ann))


async def ask(visitor: Visitor, question: str) -> None:
    """Begin the chat and ask."""
    await visitor.open_chat("Idiomatika")
    await visitor.page.locator("#start").click()
    await visitor.hears("/help")
    await visitor.say(question)
    await visitor.hears("5. ")


async def open_idiom(visitor: Visitor, idiom: str) -> None:
    """Open one of the five."""
    titles = await visitor.answer.locator("b").all_inner_texts()
    (number,) = [title.split(". ")[0] for title in titles if title.endswith(f". {idiom}")]
    await visitor.press(number)
    await expect(visitor.answer.locator("b").first).to_have_text(idiom)


async def shot(visitor: Visitor) -> Image.Image:
    """What is to be seen now, with the mouse out of the way."""
    await visitor.page.mouse.move(0, 0)
    return Image.open(io.BytesIO(await visitor.page.screenshot())).convert("RGB")


def beside(left: Image.Image, right: Image.Image, gap: int = 12) -> Image.Image:
    """Two pictures of one height in one."""
    both = Image.new("RGB", (left.width + gap + right.width, left.height), "white")
    both.paste(left, (0, 0))
    both.paste(right, (left.width + gap, 0))
    return both


def save(name: str, picture: Image.Image) -> None:
    """Write a small file: pages of text need few colours."""
    DOCS.mkdir(exist_ok=True)
    picture.quantize(255, dither=Image.Dither.NONE).save(DOCS / name, optimize=True)
    print(name, picture.size, (DOCS / name).stat().st_size)


async def main() -> None:
    """Start the bot and a browser, and take the pictures."""
    engine = SearchEngine.load(Path(os.environ.get("ARTIFACTS", ROOT / "artifacts")))
    async with running_chromium() as browser, running_bot(engine) as (url, _):
        await take(browser, url)


if __name__ == "__main__":
    asyncio.run(main())

"""The README's pictures, taken of the page as it is: `python tests/tools/pictures.py` writes them into docs/.

Names after it choose some of them. What cannot be taken is told at the end, and the others are taken all the same.
"""

from __future__ import annotations

import asyncio
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, Error, expect

from bot.search.engine import SearchEngine
from bot.texts import texts_in
from support.browsing import Visitor, running_bot, running_chromium

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "device_scale_factor": 2}
RU, EN = "ru-RU", "en-GB"
GREETING = {RU: "Привет", EN: "Hello"}
UNKNOWN = {RU: texts_in("ru")("notice-unknown-command")[:20], EN: texts_in("en")("notice-unknown-command")[:20]}
FRIEND = {RU: "Друг", EN: "Friend"}


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: its name, who looks, and what they do after Start.

    A step is a message to write; "[label]" presses a button of the newest answer; "(idiom)" opens one of a list;
    "@words" types them after the bot's name in a friend's chat; "^" scrolls up to the newest question, and "^^" to the
    newest answer.
    """

    name: str
    language: str
    theme: str
    steps: tuple[str, ...] = ()
    shows: str = ""
    """What must be there in the end."""


SHOTS = (
    Shot("start", RU, "light"),
    Shot("answers-ru", RU, "light", ("bezdelnichat celymi dnyami", "^")),
    Shot("answers-en", EN, "dark", ("to be very happy", "^")),
    Shot("card-ru", RU, "dark", ("очень устать", "(без задних ног)", "^^")),
    Shot("card-en", EN, "light", ("ничего не делать, бездельничать", "(плевать в потолок)", "^^")),
    Shot("picture", EN, "light", ("плевать в потолок", "[1]", "[Picture]")),
    Shot("quiz", RU, "light", ("/quiz",)),
    Shot("learn", RU, "dark", ("плевать в потолок", "[1]", "[Сохранить]", "/learn", "[Показать ответ]")),
    Shot("settings", EN, "light", ("/settings", "^")),
    Shot("kindness", RU, "light", ("не хочу больше жить", "^"), "findahelpline"),
    Shot("inline", EN, "dark", ("@something very easy",)),
)
BESIDE = {"chat": ("answers-ru", "card-en", "picture")}
"""Pictures that are made of others."""


async def take(browser: Browser, url: str, shot: Shot) -> None:
    """One of them."""
    profile: dict[str, Any] = {**PHONE, "color_scheme": shot.theme, "reduced_motion": "reduce"}
    async with Visitor.at(browser, url, shot.language, **profile) as visitor:
        await visitor.open_chat("Idiomatika")
        await visitor.page.locator("#start").click()
        await visitor.hears(GREETING[shot.language])
        for step in shot.steps:
            await do(visitor, step, FRIEND[shot.language])
        await expect(visitor.page.locator(".waiting, #toast.shown")).to_have_count(0)
        if (
            UNKNOWN[shot.language] in (text := await visitor.page.locator("main").inner_text())
            or shot.shows not in text
        ):
            raise ValueError("the bot cannot do this")
        if cut := await visitor.cut_labels():
            print(f"{shot.name}: cut labels: {cut}")
        save(shot.name, await seen(visitor))


async def do(visitor: Visitor, step: str, friend: str) -> None:
    """A step of a Shot."""
    match step[0], step[1:-1]:
        case "[", label:
            await press(visitor, label)
        case "(", idiom:
            await press(visitor, await number_of(visitor, idiom))
        case "^", _:
            last = visitor.page.locator(".message.mine").last if step == "^" else visitor.answer
            await last.evaluate("message => message.scrollIntoView()")
        case "@", _:
            await visitor.page.locator("#back").click()
            await visitor.open_chat(friend)
            await visitor.page.locator("#text").fill(f"@idiomatika_bot {step[1:]}")
            await expect(visitor.page.locator("#suggestions button")).not_to_have_count(0)
        case _:
            answers = visitor.page.locator(".message:not(.mine)")
            before = await answers.count()
            await visitor.say(step)
            await expect(answers).to_have_count(before + 1)


async def press(visitor: Visitor, label: str) -> None:
    """Press a button, and wait until it is answered by another text or another message."""
    before = await visitor.page.locator("#messages").inner_text()
    await visitor.press(label)
    await expect(visitor.page.locator("#messages")).not_to_have_text(before, use_inner_text=True)
    await visitor.page.evaluate("Promise.all([...document.images].map((image) => image.decode().catch(() => null)))")


async def number_of(visitor: Visitor, idiom: str) -> str:
    """The number of an idiom in the newest list."""
    titles = await visitor.answer.locator("b").all_inner_texts()
    (number,) = [title.split(". ")[0] for title in titles if title.endswith(f". {idiom}")]
    return number


async def seen(visitor: Visitor) -> Image.Image:
    """What is to be seen now, with the mouse out of the way."""
    await visitor.page.mouse.move(0, 0)
    return Image.open(io.BytesIO(await visitor.page.screenshot())).convert("RGB")


def beside(pictures: list[Image.Image], gap: int = 24) -> Image.Image:
    """Pictures of one size in one."""
    (width, height), count = pictures[0].size, len(pictures)
    whole = Image.new("RGB", (count * width + (count - 1) * gap, height), "white")
    for number, picture in enumerate(pictures):
        whole.paste(picture, (number * (width + gap), 0))
    return whole


def save(name: str, picture: Image.Image) -> None:
    """Write a small file: pages of text need few colours."""
    DOCS.mkdir(exist_ok=True)
    path = DOCS / f"{name}.png"
    picture.quantize(255, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path.name, picture.size, path.stat().st_size)


async def main(names: list[str]) -> list[str]:
    """Start the bot and a browser, take the pictures, and return the names of those that could not be taken."""
    missing = []
    engine = SearchEngine.load(Path(os.environ.get("ARTIFACTS", ROOT / "artifacts")))
    async with running_chromium() as browser, running_bot(engine) as (url, _):
        for shot in SHOTS:
            if not names or shot.name in names:
                try:
                    await take(browser, url, shot)
                except (Error, AssertionError, ValueError) as error:
                    print(f"{shot.name}: {error}", file=sys.stderr)
                    missing.append(shot.name)
    for name, parts in BESIDE.items():
        files = [DOCS / f"{part}.png" for part in parts]
        if all(file.exists() for file in files):
            save(name, beside([Image.open(file).convert("RGB") for file in files]))
    return missing


if __name__ == "__main__":
    if not_taken := asyncio.run(main(sys.argv[1:])):
        sys.exit(f"Not taken: {', '.join(not_taken)}")

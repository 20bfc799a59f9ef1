"""Figures for the admins, with a picture."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from statistics import median

from bot.clock import local_day
from bot.conversation import Conversation
from bot.replies import File, Reply
from bot.texts import Texts, escape

DAYS = 30
_SIZE = (800, 300)
_MARGIN = 40


def report(conversation: Conversation, texts: Texts) -> Reply:
    """The figures, and a picture of the queries of the last days."""
    days = conversation.store.activity(DAYS)
    today = local_day(conversation.store.now(), "UTC")
    seconds = sorted(conversation.seconds) or [0.0]
    top = [(conversation.engine.phrase(key), people) for key, people in conversation.store.trending(DAYS, 5)]
    text = texts.html(
        "stats",
        people=conversation.store.people(DAYS),
        queries=sum(queries for _, queries, _ in days),
        today=next((queries for day, queries, _ in days if day == str(today)), 0),
        median=round(1000 * median(seconds), 1),
        slow=round(1000 * seconds[int(0.99 * len(seconds))], 1),
    )
    names = [f"{escape(phrase.text)} — {people}" for phrase, people in top if phrase]
    top_text = "\n".join([f"\n\n{texts('stats-top')}", *names]) if names else ""
    return Reply(picture=File(text + top_text, chart([(day[5:], queries) for day, queries, _ in days])))


def chart(bars: Sequence[tuple[str, int]]) -> bytes:
    """A PNG of labelled bars."""
    # Only admins need the library, and it takes memory: it is loaded with the first picture.
    from PIL import Image, ImageDraw

    image = Image.new("RGB", _SIZE, "white")
    draw = ImageDraw.Draw(image)
    width, height = (_SIZE[0] - 2 * _MARGIN) / max(len(bars), 1), _SIZE[1] - 2 * _MARGIN
    highest = max([count for _, count in bars], default=0) or 1
    for number, (label, count) in enumerate(bars):
        left, top = _MARGIN + number * width, _SIZE[1] - _MARGIN - height * count / highest
        draw.rectangle((left + 1, top, left + width - 1, _SIZE[1] - _MARGIN), fill="#3390ec")
        draw.text((left + width / 2, top - 4), str(count), fill="black", anchor="mb")
        if number % max(1, len(bars) // 10) == 0:
            draw.text((left + width / 2, _SIZE[1] - _MARGIN + 4), label, fill="black", anchor="mt")
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()

"""Figures for the admins."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bot import clock
from bot.features.context import Commands, Context
from bot.texts import escape, shorten
from bot.ui import Reply, Screen

DAYS = 30
MOST_OPENED = 5
_WIDTH = 20
"""Characters of the longest bar, which fits a narrow screen with its labels."""


async def command(context: Context, _: Sequence[str]) -> Reply:
    """Answer /stats: the figures, what is opened most, and a bar for each of the last days."""
    days = await context.store.activity(DAYS)
    bars = chart([(day[5:], queries) for day, queries, _ in days])
    parts = [await _figures(context, days), await _most_opened(context), f"<pre>{bars}</pre>" if bars else ""]
    return Reply(Screen("\n\n".join(filter(None, parts))))


def chart(bars: Sequence[tuple[str, int]]) -> str:
    """Return a line for each label: the label, a bar as long as the number is great, and the number."""
    greatest = max((count for _, count in bars), default=0) or 1
    digits = len(str(greatest))
    return "\n".join(
        f"{label} {count:>{digits}} {'█' * round(_WIDTH * count / greatest)}".rstrip() for label, count in bars
    )


async def _figures(context: Context, days: Sequence[tuple[str, int, int]]) -> str:
    today = str(clock.local_day(context.store.now(), "UTC"))
    seconds = sorted(context.seconds) or [0.0]
    return context.texts.html(
        "stats",
        people=await context.store.people(DAYS),
        queries=sum(queries for _, queries, _ in days),
        today=sum(queries for day, queries, _ in days if day == today),
        median=round(1000 * median(seconds), 1),
        slow=round(1000 * seconds[int(0.99 * len(seconds))], 1),
    )


async def _most_opened(context: Context) -> str:
    trending = await context.store.trending(DAYS, MOST_OPENED)
    opened = [(phrase, people) for key, people in trending if (phrase := context.engine.phrase(key))]
    names = [f"{escape(shorten(phrase.text, 100))} — {people}" for phrase, people in opened]
    return "\n".join([context.texts("stats-top"), *names]) if names else ""


COMMANDS: Commands = {"stats": command}

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


async def _command(context: Context, _: Sequence[str]) -> Reply:
    """Answer /stats: the figures, what is opened most, and a bar for each of the last days."""
    texts, store, engine = context.texts, context.store, context.engine
    days = await store.activity(DAYS)
    today = str(clock.local_day(store.now(), "UTC"))
    seconds = sorted(context.seconds) or [0.0]
    figures = texts(
        "stats",
        people=await store.people(DAYS),
        queries=sum(queries for _, queries, _ in days),
        today=sum(queries for day, queries, _ in days if day == today),
        median=round(1000 * median(seconds), 1),
        slow=round(1000 * seconds[int(0.99 * len(seconds))], 1),
    )
    top = [(engine.phrase(key), people) for key, people in await store.trending(DAYS, MOST_OPENED)]
    names = [f"{escape(shorten(phrase.text, 100))} — {people}" for phrase, people in top if phrase]
    opened = "\n".join([texts("stats-top"), *names]) if names else ""
    bars = chart([(day[5:], queries) for day, queries, _ in days])
    return Reply(Screen("\n\n".join(filter(None, [figures, opened, f"<pre>{bars}</pre>" if bars else ""]))))


def chart(bars: Sequence[tuple[str, int]]) -> str:
    """Return a line for each pair of label and number: both of them, and a bar as long as the number is great."""
    greatest = max((count for _, count in bars), default=0) or 1
    digits = len(str(greatest))
    lines = [f"{label} {count:>{digits}} {'█' * round(_WIDTH * count / greatest)}" for label, count in bars]
    return "\n".join(line.rstrip() for line in lines)


COMMANDS: Commands = {"stats": _command}

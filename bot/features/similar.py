"""The idioms that are similar to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.actions import Key, Number
from bot.features.context import Actions, Context, Screens
from bot.store.protocol import HistoryEntry
from bot.texts import shorten
from bot.ui import PAGE, Reply, listing, screen, ways_on


@dataclass(frozen=True, slots=True)
class Similar:
    """List what is similar to the phrase of a card, whose history entry is `card`."""

    code: ClassVar[str] = "s"
    key: Key
    card: Number = 0


async def open_list(context: Context, action: Similar) -> Reply:
    """List what is similar; "back" leads to the card, which a card sent by inline mode has no entry for yet."""
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    card = await context.entry(action.card) or await context.add("card", action.key)
    return await show(context, await context.add("similar", action.key, card.id))


async def show(context: Context, entry: HistoryEntry, _: int = 0) -> Reply:
    """Show the list of a history entry."""
    phrase = context.engine.phrase(entry.text)
    if not phrase:
        return context.gone("phrase")
    near = context.engine.similar(phrase.key, PAGE, (phrase.language,))
    title = context.texts.html("similar-title", phrase=shorten(phrase.text, 100))
    text, opens = listing(context.texts, title, [match.phrase for match in near], entry.id, 0)
    return Reply(screen(text, *opens, ways_on(context.texts, entry)))


ACTIONS: Actions = {Similar: open_list}
SCREENS: Screens = {"similar": show}

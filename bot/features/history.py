"""The history: what a person asked and opened, to be shown again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot import clock
from bot.actions import Number, Page
from bot.features import card, search
from bot.features.context import Actions, Commands, Context, Screens
from bot.features.privacy import Erase
from bot.store.protocol import HistoryEntry
from bot.texts import escape, shorten
from bot.ui import Button, Reply, Screen, screen, turns

PAGE = 10
"""Lines of a page: each is short."""
SHOWN: Screens = {**search.SCREENS, **card.SCREENS}
"""The kinds of entries that a history may list."""


@dataclass(frozen=True, slots=True)
class Again:
    """Ask or open again what stands in the history as `past`; `parent` is the list that it was chosen from."""

    code: ClassVar[str] = "a"
    past: Number
    parent: Number
    page: Page = 0


async def _command(context: Context, _: Sequence[str]) -> Reply:
    return await _show(context, await context.add("history", ""))


async def _again(context: Context, action: Again) -> Reply:
    """Ask or open something again; what a draw was narrowed to stays behind."""
    past = await context.store.past(action.past, context.asker.id)
    reopen = SHOWN.get(past.kind) if past else None
    if not past or not reopen:
        return context.gone("step")
    flags = {"exact": past.exact, "nearest": past.nearest}
    return await reopen(context, await context.add(past.kind, past.text, action.parent, action.page, **flags), 0)


async def _show(context: Context, entry: HistoryEntry, page: int = 0) -> Reply:
    """Show a page of the history, or the first where there is no such page any more."""
    texts = context.texts
    pasts = await context.store.history(context.asker.id, page * PAGE, PAGE + 1)
    if not pasts:
        return await _show(context, entry) if page else Reply(Screen(texts("history-empty")))
    numbered = list(enumerate(pasts[:PAGE], page * PAGE + 1))
    lines = [f"{number}. {_line(context, past)}" for number, past in numbered]
    opens = tuple(Button(str(number), Again(past.id, entry.id, page)) for number, past in numbered)
    ways = turns(texts, entry.id, page, len(pasts) > PAGE)
    erase = Button(texts("button-erase"), Erase("history"))
    return Reply(screen("\n".join([texts("history-title"), "", *lines]), opens[:5], opens[5:], ways, (erase,)))


def _line(context: Context, past: HistoryEntry) -> str:
    when = clock.moment(past.at, context.zone, context.texts.language)
    return f"{_name(context, past)} <i>({when})</i>"


def _name(context: Context, past: HistoryEntry) -> str:
    """A query, with what was searched for it, or an idiom, with the icon of its kind."""
    if past.kind != "query":
        phrase = context.engine.phrase(past.text)
        return f"📖 {escape(shorten(phrase.text, 100))}" if phrase else "📖 …"
    if past.exact:
        return f"🔎 {context.texts.html('history-exact', query=shorten(past.text, 80))}"
    searched = context.engine.analyse(past.text).searched
    name = past.text if searched == past.text else f"{shorten(past.text, 40)} → {searched}"
    return f"🔎 {escape(shorten(name, 100))}"


ACTIONS: Actions = {Again: _again}
COMMANDS: Commands = {"history": _command}
SCREENS: Screens = {"history": _show}

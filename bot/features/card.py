"""The card of an idiom: all that is known about it, what led to it, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from bot.actions import Key, Number, Open
from bot.features import search
from bot.features.about import about
from bot.features.context import Actions, Context, Screens
from bot.features.similar import Similar
from bot.search.engine import Match
from bot.search.phrases import Phrase
from bot.store.protocol import HistoryEntry
from bot.texts import escape, shorten
from bot.ui import PAGE, Button, Copy, Reply, Row, Screen, Share, screen, ways_on

SIMILAR_ON_CARD = 5


@dataclass(frozen=True, slots=True)
class Save:
    """Save the phrase of a card, or stop saving it."""

    code: ClassVar[str] = "k"
    key: Key
    entry: Number = 0


@dataclass(frozen=True, slots=True)
class Vote:
    """Judge the phrase of a card: "up" and "down" as an answer to its query, "wrong" as an entry."""

    code: ClassVar[str] = "j"
    vote: Literal["up", "down", "wrong"]
    key: Key
    entry: Number = 0


async def open_card(context: Context, action: Open) -> Reply:
    """Open the card of a phrase."""
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    return await show(context, await context.add("card", action.key, action.parent, action.page))


async def show(context: Context, entry: HistoryEntry, _: int = 0) -> Reply:
    """Show the card of a history entry, as things are now."""
    phrase = context.engine.phrase(entry.text)
    if not phrase:
        return context.gone("phrase")
    asked = await search.query_of(context, entry.parent)
    reason = search.reason_of(context, asked, entry.page, phrase) if asked else ""
    near = context.engine.similar(phrase.key, PAGE, (phrase.language,))
    names = [f"{number}. {escape(shorten(match.phrase.text, 80))}" for number, match in _shown(near)]
    similar = "\n".join([context.texts("card-similar"), *names]) if near else ""
    text = "\n\n".join(filter(None, [about(context, phrase), escape(reason), similar]))
    saved = phrase.key in await context.store.saved(context.asker.id)
    keep = _keep(context, entry, phrase, saved)
    return Reply(screen(text, _numbers(context, entry, near), keep, *_judge(context, entry, judged=bool(reason))))


async def save(context: Context, action: Save) -> Reply:
    """Save a phrase, or stop saving it, and show its card accordingly."""
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    saved = await context.store.toggle_saved(context.asker.id, action.key)
    entry = await context.entry(action.entry)
    reply = await show(context, entry) if entry and entry.kind in SCREENS else Reply()
    return replace(reply, toast=context.texts("notice-saved" if saved else "notice-unsaved"))


async def vote(context: Context, action: Vote) -> Reply:
    """Keep a judgement, and tell the admins about a mistake."""
    phrase = context.engine.phrase(action.key)
    if not phrase:
        return context.gone("phrase")
    wrong = action.vote == "wrong"
    query = "" if wrong else await _query(context, action.entry)
    await context.store.vote(context.asker.id, query, action.key, action.vote)
    report = _report(context, phrase) if wrong else None
    return Reply(toast=context.texts(f"notice-vote-{action.vote}"), alert=wrong, to_admins=report)


def share(context: Context, phrase: Phrase) -> Button:
    """Return the button that sends a phrase to another chat."""
    return Button(context.texts("button-share"), Share(shorten(phrase.text, 200)))


def _shown(near: Sequence[Match]) -> list[tuple[int, Match]]:
    return list(enumerate(near[:SIMILAR_ON_CARD], 1))


def _numbers(context: Context, entry: HistoryEntry, near: Sequence[Match]) -> Row:
    """The buttons that open what is similar."""
    opens = [Button(str(number), Open(match.phrase.key, entry.id)) for number, match in _shown(near)]
    more = Button(context.texts("button-more-similar"), Similar(entry.text, entry.id))
    return (*opens, more) if len(near) > SIMILAR_ON_CARD else tuple(opens)


def _keep(context: Context, entry: HistoryEntry, phrase: Phrase, saved: bool) -> Row:
    star = Button(context.texts("button-saved" if saved else "button-save"), Save(phrase.key, entry.id))
    copy = Button(context.texts("button-copy"), Copy(shorten(phrase.text, 256)))
    return star, copy, share(context, phrase)


def _judge(context: Context, entry: HistoryEntry, judged: bool) -> tuple[Row, ...]:
    """The last rows: votes where a query led to the card, and the ways on."""
    wrong = Button(context.texts("button-wrong"), Vote("wrong", entry.text, entry.id))
    ways = ways_on(context.texts, entry)
    if not judged:
        return ((*ways, wrong),)
    up, down = Button("👍", Vote("up", entry.text, entry.id)), Button("👎", Vote("down", entry.text, entry.id))
    return (up, down, wrong), ways


async def _query(context: Context, card: int) -> str:
    """The query that led to a card; "" when none did."""
    entry = await context.entry(card)
    asked = await search.query_of(context, entry.parent) if entry else None
    return asked.text if asked else ""


def _report(context: Context, phrase: Phrase) -> Screen:
    """What the admins get when somebody reports a mistake."""
    title = context.texts.html("report", user=str(context.asker.id))
    return screen(f"{title}\n\n{about(context, phrase)}", (Button(context.texts("button-open"), Open(phrase.key)),))


ACTIONS: Actions = {Open: open_card, Save: save, Vote: vote}
SCREENS: Screens = {"card": show, "random": show}

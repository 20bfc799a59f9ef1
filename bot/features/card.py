"""The card of an idiom: all that is known about it, what is similar, and what can be done with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from bot.actions import Flag, Key, Number, Open
from bot.features import feedback, picture, search
from bot.features.about import about, joined
from bot.features.context import Actions, Context, Screens
from bot.features.lists import listing
from bot.search.phrases import Phrase
from bot.store.protocol import HistoryEntry
from bot.texts import Texts, escape, shorten
from bot.ui import Button, Copy, Reply, Row, Share, brief, screen, ways_on

SIMILAR, SIMILAR_ON_CARD = 10, 5
VOTES: dict[Literal["up", "down"], str] = {"up": "👍", "down": "👎"}
LONGEST_COPY = 256
"""Telegram's limit for what a button copies."""


@dataclass(frozen=True, slots=True)
class Similar:
    """List what is similar to a phrase; `card` is the card that the button stands on."""

    code: ClassVar[str] = "s"
    key: Key
    card: Number = 0


@dataclass(frozen=True, slots=True)
class Save:
    """Save the phrase of a card (1), or stop saving it (0): pressed twice, it does the same."""

    code: ClassVar[str] = "ks"
    key: Key
    saved: Flag
    card: Number = 0


@dataclass(frozen=True, slots=True)
class Toggle:
    """Save the phrase of a card unless it is saved: what the buttons of versions before 0.6 do."""

    code: ClassVar[str] = "k"
    key: Key
    card: Number = 0


@dataclass(frozen=True, slots=True)
class Judge:
    """Judge the phrase of a card as an answer to its query (1), or take the judgement back (0)."""

    code: ClassVar[str] = "jv"
    vote: Literal["up", "down"]
    given: Flag
    key: Key
    card: Number = 0


@dataclass(frozen=True, slots=True)
class Vote:
    """Judge the phrase of a card, or report it as wrong: what the buttons of versions before 0.7 do."""

    code: ClassVar[str] = "j"
    vote: Literal["up", "down", "wrong"]
    key: Key
    card: Number = 0


async def open_card(context: Context, action: Open) -> Reply:
    """Open the card of a phrase."""
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    return await show(context, await context.add("card", action.key, action.parent, action.page))


async def show(context: Context, entry: HistoryEntry, _: int = 0) -> Reply:
    """Show the card of a history entry, as things are now."""
    texts, key, phrase = context.texts, entry.text, context.engine.phrase(entry.text)
    if not phrase:
        return context.gone("phrase")
    why = await search.why_opened(context, entry, phrase)
    near = context.engine.similar(key, SIMILAR, (phrase.language,))
    numbered = list(enumerate((match.phrase for match in near[:SIMILAR_ON_CARD]), 1))
    names = [f"{number}. {escape(shorten(one.text, 80))}" for number, one in numbered]
    similar = "\n".join([texts("card-similar"), *names]) if near else ""
    opens = tuple(Button(str(number), Open(one.key, entry.id)) for number, one in numbered)
    more = (Button(texts("button-more-similar"), Similar(key, entry.id)),) if len(near) > SIMILAR_ON_CARD else ()
    # In a group all would see what one of them saved.
    keeps = await context.or_else(context.store.saved(context.asker.id), []) if context.asker.in_private else []
    star = Button(texts("button-saved" if key in keeps else "button-save"), Save(key, int(key not in keeps), entry.id))
    keep = (star, share(texts, phrase))
    send = (picture.button(texts, key), feedback.button(texts, key, entry))
    votes = await _votes(context, entry) if why else ()
    rows = opens, more, keep, _copies(texts, phrase), send, votes, ways_on(texts, entry)
    return Reply(screen(joined([about(context, phrase), escape(why), similar]), *rows))


async def _open_similar(context: Context, action: Similar) -> Reply:
    """List what is similar; "back" leads to the card, which is not in the history if inline mode sent it."""
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    card = await context.entry(action.card) or await context.add("card", action.key)
    return await _show_similar(context, await context.add("similar", action.key, card.id))


async def _show_similar(context: Context, entry: HistoryEntry, _: int = 0) -> Reply:
    phrase = context.engine.phrase(entry.text)
    if not phrase:
        return context.gone("phrase")
    near = context.engine.similar(entry.text, SIMILAR, (phrase.language,))
    title = context.texts.html("similar-title" if near else "similar-none", phrase=shorten(phrase.text, 100))
    text, opens = listing(context, title, [match.phrase for match in near], entry.id, 0)
    return Reply(screen(text, *opens, ways_on(context.texts, entry)))


async def _save(context: Context, action: Save) -> Reply:
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    await context.store.set_saved(context.asker.id, action.key, bool(action.saved))
    return await _kept(context, action, bool(action.saved))


async def _toggle(context: Context, action: Toggle) -> Reply:
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    return await _kept(context, action, await context.store.toggle_saved(context.asker.id, action.key, context.update))


async def _kept(context: Context, action: Save | Toggle, saved: bool) -> Reply:
    """The card as it is now, and a word about what was done."""
    entry = await context.or_else(context.entry(action.card), None)
    reply = await show(context, entry) if entry and entry.text == action.key else Reply()
    return replace(reply, toast=context.texts("notice-saved" if saved else "notice-unsaved"))


async def _votes(context: Context, entry: HistoryEntry) -> Row:
    """The buttons that judge an answer; in a group none shows what one of many judged."""
    asked = await search.query_of(context, entry.parent)
    judged = ""
    if context.asker.in_private:
        judging = context.store.voted(context.asker.id, asked.text if asked else "", entry.text)
        judged = await context.or_else(judging, "")
    return tuple(
        Button(f"{label} ✓" if judged == vote else label, Judge(vote, int(judged != vote), entry.text, entry.id))
        for vote, label in VOTES.items()
    )


async def _judge(context: Context, action: Judge) -> Reply:
    """Keep a judgement or take it back, and show the card as it is then."""
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    card = await context.entry(action.card)
    asked = await search.query_of(context, card.parent) if card else None
    vote = action.vote if action.given else ""
    await context.store.vote(context.asker.id, asked.text if asked else "", action.key, vote)
    shown = await show(context, card) if card and card.text == action.key and context.asker.in_private else Reply()
    return replace(shown, toast=context.texts(f"notice-vote-{vote or 'back'}"))


async def _vote(context: Context, action: Vote) -> Reply:
    if action.vote == "wrong":
        return await feedback.ask(context, feedback.Inaccurate(action.key, action.card))
    return await _judge(context, Judge(action.vote, 1, action.key, action.card))


def _copies(texts: Texts, phrase: Phrase) -> Row:
    """Buttons that copy the phrase, alone and with what it means."""
    meaning = shorten(f"{shorten(phrase.text, 120)} — {brief(texts, phrase)}", LONGEST_COPY)
    alone = Button(texts("button-copy"), Copy(shorten(phrase.text, LONGEST_COPY)))
    return alone, Button(texts("button-copy-meaning"), Copy(meaning))


def share(texts: Texts, phrase: Phrase) -> Button:
    """Return the button that sends a phrase to another chat."""
    return Button(texts("button-share"), Share(shorten(phrase.text, 200)))


ACTIONS: Actions = {Open: open_card, Similar: _open_similar, Save: _save, Toggle: _toggle, Judge: _judge, Vote: _vote}
SCREENS: Screens = {"card": show, "random": show, "similar": _show_similar}

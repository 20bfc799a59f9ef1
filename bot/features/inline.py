"""Inline mode: cards for what is typed after the bot's name in any chat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bot import links
from bot.features import daily, kindness, picture
from bot.features.about import about
from bot.features.card import Similar, share
from bot.features.context import Context
from bot.search.phrases import Phrase
from bot.texts import shorten
from bot.ui import Button, InlineCard, InlinePage, Reply, Start, brief, screen

PAGE = 10
"""Cards that are sent at once: more than a phone shows, and the next ones come while it is scrolled."""
MOST_SCROLLED = 500
"""Cards that can be scrolled to; the number to go on from is what a person's program sends, whatever we gave it."""
TRENDING_DAYS = 7
OFFERS_SECONDS = 60
"""How long Telegram may show the same offers: what is trending changes."""
HURRIED_SECONDS = 10
"""How long Telegram may show what was found without the reader."""
HURRIED = "h"
"""What the offset of a page ends in whose cards are found without the reader."""
MOST_KEPT = 300
"""Cards that are kept, some 3 kB each."""


async def answer(context: Context, query: str, offset: str, hurried: bool = False) -> Reply:
    """Return the cards for what is typed, from the `offset` of a page on; `hurried` when many others wait for theirs.

    The pages that follow are found as the first one was, so that they join without repeats.
    """
    first, hurried = _place(offset, hurried)
    if not query.strip():
        return Reply(inline=InlinePage(_cards(context, await _offers(context)), cache_seconds=OFFERS_SECONDS))
    if pictures := await picture.answer_inline(context, query):
        return Reply(inline=pictures)
    if kindness.is_despair(query):
        label = context.texts("button-ask-despair")
        return Reply(inline=InlinePage((), label=label, start=links.to_query(query)))
    if first >= MOST_SCROLLED:
        return Reply(inline=InlinePage(()))
    found = context.engine.answer(query, first + PAGE + 1, context.languages, own=True, hurried=hurried)
    phrases = [match.phrase for match in found.matches[first:]]
    label = "" if phrases or first else context.texts("button-ask")
    if phrases and found.repaired:
        label = context.texts("button-repaired", searched=shorten(found.searched, 40))
    following = f"{first + PAGE}{HURRIED * hurried}" if len(phrases) > PAGE else ""
    cards = _cards(context, phrases[:PAGE])
    page = InlinePage(cards, following, label=label, start=links.to_query(query))
    return Reply(inline=replace(page, cache_seconds=HURRIED_SECONDS) if hurried else page)


def _place(offset: str, hurried: bool) -> tuple[int, bool]:
    """The number of a page's first card, and whether it is found in a hurry; an offset that is none of ours is "".

    What comes is what a person's program sends, whatever we gave it.
    """
    place = re.fullmatch(rf"(\d{{1,64}})({HURRIED}?)", offset)
    return (int(place[1]), bool(place[2])) if place else (0, hurried)


async def chosen(context: Context, key: str) -> None:
    """A card was sent to a chat, which counts as opening it; a key that is no phrase's was not of our cards."""
    if context.engine.phrase(key):
        await context.add("card", key)


async def _offers(context: Context) -> list[Phrase]:
    """What is offered before anything is typed: the idiom of the day, and what many open."""
    offers = [daily.of_the_day(context), *map(context.engine.phrase, await _trending(context))]
    return list({phrase.key: phrase for phrase in offers if phrase and phrase.offered}.values())[:PAGE]


async def _trending(context: Context) -> list[str]:
    """The keys of what many open, read once in OFFERS_SECONDS for all: it takes a look at the history of everybody."""
    trending, now = context.trending, context.store.now()
    if now >= trending.until:
        # Set before it is read: who asks meanwhile gets what was read last, and does not have it read as well.
        trending.until = now + OFFERS_SECONDS
        read = await context.or_else(context.store.trending(TRENDING_DAYS, PAGE), None)
        trending.keys = trending.keys if read is None else [key for key, _ in read]
    return trending.keys


def _cards(context: Context, phrases: Sequence[Phrase]) -> tuple[InlineCard, ...]:
    return tuple(_kept_card(context, phrase) for phrase in phrases)


def _kept_card(context: Context, phrase: Phrase) -> InlineCard:
    """A card, made once for all who read its language: many look for the same, and each pause of typing asks anew."""
    asked = context.texts.language, phrase.language, phrase.text
    if asked not in context.cards:
        if len(context.cards) >= MOST_KEPT:
            context.cards.clear()
        context.cards[asked] = _card(context, phrase)
    return context.cards[asked]


def _card(context: Context, phrase: Phrase) -> InlineCard:
    texts, key = context.texts, phrase.key
    row = Button(texts("button-similar"), Similar(key)), share(texts, phrase)
    bot = Button(texts("button-start"), Start(links.to_idiom(key)))
    message = screen(about(context, phrase), row, (picture.inline_button(texts, key), bot))
    return InlineCard(key, shorten(phrase.text, 120), brief(texts, phrase), message)

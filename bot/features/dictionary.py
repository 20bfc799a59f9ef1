"""Questions to a dictionary as commands: about a topic, a word, an idiom's synonyms, opposite, origin, meaning."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot.actions import Page
from bot.features import search
from bot.features.context import Actions, Commands, Context
from bot.texts import LANGUAGES, Texts, texts_in
from bot.ui import Button, Reply, Screen, pairs, screen

TOPICS = 16
"""Topics on a page, two in a row."""
QUESTIONS = ("proverbs", "word", "synonyms", "opposite", "origin", "meaning", "ru", "en")
"""The commands that ask what their text `ask-...` says, in the language of the collection that the person reads."""
_ABOUT = re.compile("(?:про|о(?:бо?)?|на тему|about|on) ", re.IGNORECASE)
"""How the words after /topic or /proverbs may begin."""
_QUOTES = " «»„“”\"'"


@dataclass(frozen=True, slots=True)
class ShowTopics:
    """Show a page of the topics."""

    code: ClassVar[str] = "td"
    page: Page = 0


@dataclass(frozen=True, slots=True)
class ShowTopic:
    """Show the idioms on a topic, by its place among all."""

    code: ClassVar[str] = "tt"
    place: Page


def _asking(what: str) -> Callable[[Context, Sequence[str]], Awaitable[Reply]]:
    """Return the handler of a command that asks about the words after it, as if the question had been written out."""

    async def ask(context: Context, words: Sequence[str]) -> Reply:
        asks, about = texts_in(context.texts.reads), " ".join(words).strip(_QUOTES)
        if not any(map(str.isalnum, about)):
            return Reply(Screen(context.texts.html("ask-how", example=f"/{what} {asks(f'ask-{what}-example')}")))
        # "/proverbs про труд" has the preposition that the question would have.
        key = f"ask-{what}-about" if _ABOUT.match(about) and asks.has(f"ask-{what}-about") else f"ask-{what}"
        return await search.ask(context, asks(key, words=about))

    return ask


async def _topics(context: Context, words: Sequence[str]) -> Reply:
    """Answer /topic: the idioms on the one that is named, in any interface language, or all topics to choose from."""
    if not words:
        return await _show_topics(context)
    named, spoken = " ".join(words).casefold(), [_names(context, texts_in(language)) for language in LANGUAGES]
    place = next(
        (place for place, names in enumerate(zip(*spoken, strict=True)) if named in map(str.casefold, names)), None
    )
    return await (_asking("topic")(context, words) if place is None else _show_topic(context, ShowTopic(place)))


async def _show_topics(context: Context, action: ShowTopics = ShowTopics()) -> Reply:
    texts, names = context.texts, _names(context, context.texts)
    page = min(action.page, max(0, len(names) - 1) // TOPICS)
    places = range(len(names))[page * TOPICS : (page + 1) * TOPICS]
    topics = [Button(names[place][:1].upper() + names[place][1:], ShowTopic(place)) for place in places]
    earlier = (Button(texts("button-earlier"), ShowTopics(page - 1)),) if page else ()
    later = (Button(texts("button-more"), ShowTopics(page + 1)),) if (page + 1) * TOPICS < len(names) else ()
    return Reply(screen(texts("topics-title"), *pairs(topics), (*earlier, *later)))


async def _show_topic(context: Context, action: ShowTopic) -> Reply:
    """Ask for the idioms on a topic; one that a newer collection lacks leads back to those it has."""
    asks = texts_in(context.texts.reads)
    names = _names(context, asks)
    if action.place >= len(names):
        return await _show_topics(context)
    return await search.ask(context, asks("ask-topic", words=names[action.place]))


def _names(context: Context, texts: Texts) -> list[str]:
    """What the topics are called, in alphabetical order of their keys, so that a place is the same in any language."""
    return [texts.get(f"topic-{topic}", topic) for topic in context.engine.topics]


ACTIONS: Actions = {ShowTopics: _show_topics, ShowTopic: _show_topic}
COMMANDS: Commands = {"topic": _topics, **{what: _asking(what) for what in QUESTIONS}}

"""Screens: what a person is shown, as plain values that know nothing of Telegram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action, Open, Random, Show, Similar
from bot.search import Match, Phrase
from bot.texts import Texts, escape, shorten

PAGE = 10
"""Idioms in one message; with the cuts below, ten of them stay under Telegram's 4,096 characters."""
INLINE_PAGE = 20
SIMILAR_ON_CARD = 5
MOST_MEANINGS = 5


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its label, and what it does."""

    label: str
    does: Action


@dataclass(frozen=True, slots=True)
class Screen:
    """A message: its text in Telegram's HTML, and rows of buttons."""

    text: str
    rows: tuple[tuple[Button, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class InlineCard:
    """What inline mode offers: a card to choose, and the message that the choice sends."""

    key: str
    title: str
    description: str
    message: Screen


def screen(text: str, *rows: tuple[Button, ...]) -> Screen:
    """A screen of the rows that have a button."""
    return Screen(text, tuple(row for row in rows if row))


def results(texts: Texts, query: str, matches: Sequence[Match], step: int, page: int, more: bool) -> Screen:
    """One page of the answers to a query."""
    title = texts.html("results-title", query=shorten(query, 100))
    return _listing(texts, title, [match.phrase for match in matches], step, page, more)


def similar(texts: Texts, phrase: Phrase, matches: Sequence[Match], step: int, parent: Show | None) -> Screen:
    """The idioms that are similar to one."""
    title = texts.html("similar-title", phrase=shorten(phrase.text, 100))
    listing = _listing(texts, title, [match.phrase for match in matches], step, 0, more=False)
    return Screen(listing.text, (*listing.rows[:-1], _ways(texts, step, parent)))


def nothing_found(texts: Texts, query: str) -> Screen:
    """The honest answer when no idiom is close."""
    return screen(texts.html("nothing-found", query=shorten(query, 100)), (Button(texts("button-random"), Random()),))


def inline_card(texts: Texts, phrase: Phrase) -> InlineCard:
    """A phrase as inline mode offers it."""
    message = screen(about(texts, phrase), (Button(texts("button-similar"), Similar(phrase.key)),))
    return InlineCard(phrase.key, shorten(phrase.text, 120), brief(texts, phrase), message)


def card(texts: Texts, phrase: Phrase, near: Sequence[Match], step: int, parent: Show | None) -> Screen:
    """All that is known about a phrase, with the ones nearest to it."""
    shown = near[:SIMILAR_ON_CARD]
    names = [f"{number}. {escape(shorten(match.phrase.text, 80))}" for number, match in enumerate(shown, 1)]
    listed = [texts.html("card-similar") + "\n" + "\n".join(names)] if shown else []
    numbers = tuple(Button(str(n), Open(match.phrase.key, step)) for n, match in enumerate(shown, 1))
    more = (Button(texts("button-similar"), Similar(phrase.key, step)),) if len(near) > SIMILAR_ON_CARD else ()
    return screen("\n\n".join([about(texts, phrase), *listed]), numbers, more, _ways(texts, step, parent))


def about(texts: Texts, phrase: Phrase) -> str:
    """What is known about a phrase, as HTML."""
    parts = [
        f"<b>{escape(shorten(phrase.text, 200))}</b>\n<i>{escape(_nature(texts, phrase))}</i>",
        _meanings(texts, phrase),
        _labelled(texts, "card-equivalents", "; ".join(phrase.equivalents), 250),
        _labelled(texts, "card-variants", "; ".join(phrase.variants), 250),
        _labelled(texts, "card-example", phrase.example, 300),
        _labelled(texts, "card-origin", phrase.etymology, 700),
        _labelled(texts, "card-topics", ", ".join(topic_name(texts, topic) for topic in phrase.topics), 200),
        _source(texts, phrase.source),
    ]
    return "\n\n".join(part for part in parts if part)


def brief(texts: Texts, phrase: Phrase) -> str:
    """The meaning of a phrase in one line, in the reader's language where somebody wrote it."""
    return shorten(phrase.meaning_in(texts.language) or phrase.meanings[0], 160)


def topic_name(texts: Texts, topic: str) -> str:
    """The name of a topic in the reader's language."""
    return texts(f"topic-{topic}") if texts.has(f"topic-{topic}") else topic


def _listing(texts: Texts, title: str, phrases: Sequence[Phrase], step: int, page: int, more: bool) -> Screen:
    first = page * PAGE + 1
    entries = [
        f"<b>{number}. {escape(shorten(phrase.text, 120))}</b>\n{escape(brief(texts, phrase))}"
        for number, phrase in enumerate(phrases, first)
    ]
    opens = [Button(str(number), Open(phrase.key, step, page)) for number, phrase in enumerate(phrases, first)]
    turns = [(page > 0, "button-earlier", Show(step, page - 1)), (more, "button-more", Show(step, page + 1))]
    ways = tuple(Button(texts(label), action) for wanted, label, action in turns if wanted)
    random = () if page else (Button(texts("button-random"), Random(step)),)
    return screen("\n\n".join([title, *entries]), tuple(opens[:5]), tuple(opens[5:]), (*ways, *random))


def _ways(texts: Texts, step: int, parent: Show | None) -> tuple[Button, ...]:
    back = (Button(texts("button-back"), parent),) if parent else ()
    return (*back, Button(texts("button-random"), Random(step)))


def _nature(texts: Texts, phrase: Phrase) -> str:
    names = [f"kind-{phrase.kind}", f"register-{phrase.register}"]
    return ", ".join(texts(name) for name in names if name != "register-neutral" and texts.has(name))


def _meanings(texts: Texts, phrase: Phrase) -> str:
    own = [escape(shorten(meaning, 250)) for meaning in phrase.meanings[:MOST_MEANINGS]]
    lines = own if len(own) == 1 else [f"{number}) {meaning}" for number, meaning in enumerate(own, 1)]
    for language in ("ru", "en"):
        if language != phrase.language and (meaning := phrase.meaning_in(language)):
            lines.append(texts.html(f"card-meaning-{language}", meaning=shorten(meaning, 250)))
    return "\n".join(lines)


def _labelled(texts: Texts, key: str, value: str, limit: int) -> str:
    return texts.html(key, value=shorten(value, limit)) if value else ""


def _source(texts: Texts, source: str) -> str:
    address = source.partition(" ")[0]
    # A quotation mark would end the attribute that the address stands in.
    return texts.html("card-source", address=address.replace('"', "%22")) if address.startswith("https://") else ""

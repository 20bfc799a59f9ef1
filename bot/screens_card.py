"""Screens of one idiom: all that is known about it, and what is similar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot import links
from bot.actions import Open, Random, Save, Show, Similar, Vote
from bot.screens import Button, Copy, Screen, Share, Start, brief, listing, screen, topic_name
from bot.search.engine import Match
from bot.search.phrases import Phrase
from bot.texts import Texts, escape, shorten

SIMILAR_ON_CARD = 5
MOST_MEANINGS = 5
LONGEST_ADDRESS = 300


@dataclass(frozen=True, slots=True)
class InlineCard:
    """What inline mode offers: a card to choose, and the message that the choice sends."""

    key: str
    title: str
    description: str
    message: Screen


@dataclass(frozen=True, slots=True)
class Equivalent:
    """What another language says instead of a phrase."""

    text: str
    address: str = ""
    """Where it can be read about; empty: nowhere."""
    found: bool = False
    """Whether the search found it, and nobody judged it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a screen stands among the others."""

    step: int
    back: Show | None = None
    why: str = ""
    """What in the query led here; empty when none did, and there is nothing to judge."""
    saved: bool = False
    among: str = ""
    """What the next random draw is narrowed to."""


def card(texts: Texts, phrase: Phrase, known: str, near: Sequence[Match], frame: Frame) -> Screen:
    """A phrase with all that is `known` about it, and the ones nearest to it."""
    key, step = phrase.key, frame.step
    shown = near[:SIMILAR_ON_CARD]
    names = [f"{number}. {escape(shorten(match.phrase.text, 80))}" for number, match in enumerate(shown, 1)]
    similar_ones = "\n".join([texts("card-similar"), *names]) if shown else ""
    text = "\n\n".join(filter(None, [known, escape(frame.why), similar_ones]))
    numbers = tuple(Button(str(n), Open(match.phrase.key, step)) for n, match in enumerate(shown, 1))
    more = (Button(texts("button-more-similar"), Similar(key, step)),) if len(near) > SIMILAR_ON_CARD else ()
    save = Button(texts("button-saved" if frame.saved else "button-save"), Save(key, step))
    keep = (save, Button(texts("button-copy"), Copy(shorten(phrase.text, 256))), _share(texts, phrase))
    wrong = Button(texts("button-wrong"), Vote("wrong", key, step))
    rows = ((*numbers, *more), keep)
    if not frame.why:
        return screen(text, *rows, (*_ways(texts, frame), wrong))
    votes = Button("👍", Vote("up", key, step)), Button("👎", Vote("down", key, step))
    return screen(text, *rows, (*votes, wrong), _ways(texts, frame))


def inline_card(texts: Texts, phrase: Phrase, known: str) -> InlineCard:
    """A phrase with all that is `known` about it, as inline mode offers it."""
    similar_ones = Button(texts("button-similar"), Similar(phrase.key))
    bot = Button(texts("button-start"), Start(links.to_idiom(phrase.key)))
    message = screen(known, (similar_ones, _share(texts, phrase)), (bot,))
    return InlineCard(phrase.key, shorten(phrase.text, 120), brief(texts, phrase), message)


def similar(texts: Texts, phrase: Phrase, matches: Sequence[Match], frame: Frame) -> Screen:
    """The idioms that are similar to one."""
    title = texts.html("similar-title", phrase=shorten(phrase.text, 100))
    text, opens = listing(texts, title, [match.phrase for match in matches], frame.step, 0)
    return screen(text, *opens, _ways(texts, frame))


def report(texts: Texts, phrase: Phrase, known: str, user: int) -> Screen:
    """What the admins get when a person reports a mistake."""
    title = texts.html("report", user=str(user))
    return screen(f"{title}\n\n{known}", (Button(texts("button-open"), Open(phrase.key)),))


def about(texts: Texts, phrase: Phrase, equivalents: Sequence[Equivalent]) -> str:
    """What is known about a phrase, as HTML; with what `card` adds it stays under Telegram's 4,096 characters."""
    nature = " · ".join(texts(n) for n in (f"kind-{phrase.kind}", f"register-{phrase.register}") if texts.has(n))
    topics = ", ".join(topic_name(texts, topic) for topic in phrase.topics)
    parts = [
        f"<b>{escape(shorten(phrase.text, 200))}</b>\n<i>{escape(nature)}</i>",
        _meanings(texts, phrase),
        _equivalents(texts, phrase, equivalents),
        _labelled(texts, "card-variants", "; ".join(phrase.variants), 250),
        _labelled(texts, "card-example", phrase.example, 300),
        _labelled(texts, "card-origin", phrase.etymology, 600),
        "\n".join(filter(None, [_labelled(texts, "card-topics", topics, 200), _source(texts, phrase.source)])),
    ]
    return "\n\n".join(filter(None, parts))


def _ways(texts: Texts, frame: Frame) -> tuple[Button, ...]:
    back = (Button(texts("button-back"), frame.back),) if frame.back else ()
    return (*back, Button(texts("button-random"), Random(frame.step, frame.among)))


def _share(texts: Texts, phrase: Phrase) -> Button:
    return Button(texts("button-share"), Share(shorten(phrase.text, 200)))


def _meanings(texts: Texts, phrase: Phrase) -> str:
    own = [escape(shorten(meaning, 200)) for meaning in phrase.meanings[:MOST_MEANINGS]]
    lines = own if len(own) == 1 else [f"{number}) {meaning}" for number, meaning in enumerate(own, 1)]
    for language in ("ru", "en"):
        if language != phrase.language and (meaning := phrase.meaning_in(language)):
            lines.append(texts.html(f"card-meaning-{language}", meaning=shorten(meaning, 200)))
    return "\n".join(lines)


def _equivalents(texts: Texts, phrase: Phrase, equivalents: Sequence[Equivalent]) -> str:
    if not equivalents:
        return ""
    title = texts(f"card-equivalents-{'en' if phrase.language == 'ru' else 'ru'}")
    judged = "; ".join(_linked(one) for one in equivalents if not one.found)
    found = "; ".join(_linked(one) for one in equivalents if one.found)
    return "\n".join(filter(None, [title, judged, found and texts("card-found", value=found)]))


def _linked(equivalent: Equivalent) -> str:
    text = escape(shorten(equivalent.text, 60))
    return f'<a href="{equivalent.address}">{text}</a>' if equivalent.address else text


def _labelled(texts: Texts, key: str, value: str, limit: int) -> str:
    return texts.html(key, value=shorten(value, limit)) if value else ""


def _source(texts: Texts, source: str) -> str:
    address = source.partition(" ")[0]
    if not address.startswith("https://") or len(address) > LONGEST_ADDRESS:
        return ""
    # A quotation mark would end the attribute that the address stands in.
    return texts.html("card-source", address=address.replace('"', "%22"))

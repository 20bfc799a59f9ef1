"""Screens: what a person is shown, as plain values that know nothing of Telegram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot import links
from bot.actions import Action, Open, Random, Save, Set, Show, Similar, Vote, Why
from bot.search import Match, Phrase
from bot.texts import Texts, escape, shorten

PAGE = 10
"""Idioms in one message; with the cuts below, ten of them stay under Telegram's 4,096 characters."""
INLINE_PAGE = 20
SIMILAR_ON_CARD = 5
MOST_MEANINGS = 5
LONGEST_ADDRESS = 300
SCOPES = ("", "ru", "en")


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy a text to the clipboard."""

    text: str


@dataclass(frozen=True, slots=True)
class Share:
    """Choose a chat, and there a card of inline mode."""

    query: str


@dataclass(frozen=True, slots=True)
class Start:
    """Open the chat with the bot at a deep link."""

    parameter: str


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its label, and what it does."""

    label: str
    does: Action | Copy | Share | Start


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


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a screen stands among the others."""

    step: int
    back: Show | None = None
    asked: bool = False
    """Whether a query led here, so that there is something to explain and to judge."""
    saved: bool = False
    among: str = ""
    """What the next random draw is narrowed to."""


def screen(text: str, *rows: tuple[Button, ...]) -> Screen:
    """A screen of the rows that have a button."""
    return Screen(text, tuple(row for row in rows if row))


def results(texts: Texts, query: str, matches: Sequence[Match], step: int, page: int, more: bool, scope: str) -> Screen:
    """One page of the answers to a query among the idioms of a language, or of all where `scope` is empty."""
    title = texts.html("results-title", query=shorten(query, 100))
    text, opens = listing(texts, title, [match.phrase for match in matches], step, page)
    return screen(text, *opens, (*turns(texts, step, page, more), *_other_ways(texts, step, page, scope)))


def similar(texts: Texts, phrase: Phrase, matches: Sequence[Match], frame: Frame) -> Screen:
    """The idioms that are similar to one."""
    title = texts.html("similar-title", phrase=shorten(phrase.text, 100))
    text, opens = listing(texts, title, [match.phrase for match in matches], frame.step, 0)
    return screen(text, *opens, _ways(texts, frame))


def nothing_found(texts: Texts, query: str, step: int, scope: str) -> Screen:
    """The honest answer when no idiom is close."""
    return screen(texts.html("nothing-found", query=shorten(query, 100)), _other_ways(texts, step, 0, scope))


def inline_card(texts: Texts, phrase: Phrase) -> InlineCard:
    """A phrase as inline mode offers it."""
    similar_ones = Button(texts("button-similar"), Similar(phrase.key))
    bot = Button(texts("button-start"), Start(links.to_idiom(phrase.key)))
    message = screen(about(texts, phrase), (similar_ones, _share(texts, phrase)), (bot,))
    return InlineCard(phrase.key, shorten(phrase.text, 120), brief(texts, phrase), message)


def card(texts: Texts, phrase: Phrase, near: Sequence[Match], frame: Frame) -> Screen:
    """All that is known about a phrase, with the ones nearest to it."""
    key, step = phrase.key, frame.step
    shown = near[:SIMILAR_ON_CARD]
    names = [f"{number}. {escape(shorten(match.phrase.text, 80))}" for number, match in enumerate(shown, 1)]
    text = "\n\n".join([about(texts, phrase), *([texts("card-similar") + "\n" + "\n".join(names)] if shown else [])])
    numbers = tuple(Button(str(n), Open(match.phrase.key, step)) for n, match in enumerate(shown, 1))
    more = (Button(texts("button-more-similar"), Similar(key, step)),) if len(near) > SIMILAR_ON_CARD else ()
    why = (Button(texts("button-why"), Why(key, step)),) if frame.asked else ()
    votes = (Button("👍", Vote("up", key, step)), Button("👎", Vote("down", key, step))) if frame.asked else ()
    save = Button(texts("button-saved" if frame.saved else "button-save"), Save(key, step))
    keep = (save, Button(texts("button-copy"), Copy(shorten(phrase.text, 256))), _share(texts, phrase))
    wrong = Button(texts("button-wrong"), Vote("wrong", key, step))
    return screen(text, (*numbers, *more), (*why, *votes), keep, (*_ways(texts, frame), wrong))


def report(texts: Texts, phrase: Phrase, user: int) -> Screen:
    """What the admins get when a person reports a mistake."""
    title = texts.html("report", user=str(user))
    return screen(f"{title}\n\n{about(texts, phrase)}", (Button(texts("button-open"), Open(phrase.key)),))


@lru_cache(maxsize=2048)
def about(texts: Texts, phrase: Phrase) -> str:
    """What is known about a phrase, as HTML. Kept, because typing in inline mode asks for the same ones many times."""
    parts = [
        f"<b>{escape(shorten(phrase.text, 200))}</b>\n<i>{escape(_nature(texts, phrase))}</i>",
        _meanings(texts, phrase),
        _labelled(
            texts, f"card-equivalents-{'en' if phrase.language == 'ru' else 'ru'}", "; ".join(phrase.equivalents), 250
        ),
        _labelled(texts, "card-variants", "; ".join(phrase.variants), 250),
        _labelled(texts, "card-example", phrase.example, 300),
        _labelled(texts, "card-origin", phrase.etymology, 700),
        "\n".join(filter(None, [_topics(texts, phrase), _source(texts, phrase.source)])),
    ]
    return "\n\n".join(part for part in parts if part)


def brief(texts: Texts, phrase: Phrase, limit: int = 160) -> str:
    """The meaning of a phrase in one line, in the reader's language where somebody wrote it."""
    return shorten(phrase.meaning_in(texts.language) or phrase.meanings[0], limit)


def topic_name(texts: Texts, topic: str) -> str:
    """The name of a topic in the reader's language."""
    return texts(f"topic-{topic}") if texts.has(f"topic-{topic}") else topic


def listing(
    texts: Texts, title: str, phrases: Sequence[Phrase], step: int, page: int
) -> tuple[str, list[tuple[Button, ...]]]:
    """Numbered idioms with their meanings, and the rows of buttons that open them."""
    numbered = list(enumerate(phrases, page * PAGE + 1))
    entries = [f"<b>{n}. {escape(shorten(p.text, 120))}</b>\n{escape(brief(texts, p))}" for n, p in numbered]
    opens = tuple(Button(str(number), Open(phrase.key, step, page)) for number, phrase in numbered)
    return "\n\n".join([title, *entries]), [opens[:5], opens[5:]]


def turns(texts: Texts, step: int, page: int, more: bool) -> tuple[Button, ...]:
    """The buttons that turn the pages of a list."""
    ways = [(page > 0, "button-earlier", Show(step, page - 1)), (more, "button-more", Show(step, page + 1))]
    return tuple(Button(texts(label), action) for wanted, label, action in ways if wanted)


def _other_ways(texts: Texts, step: int, page: int, scope: str) -> tuple[Button, ...]:
    """On the first page, where to go instead; the last button names the idioms searched, and chooses the next."""
    if page:
        return ()
    following = SCOPES[(SCOPES.index(scope) + 1) % len(SCOPES)]
    searched = Button("🌐 " + texts(f"scope-{scope or 'all'}"), Set("scope", following, step))
    return Button(texts("button-random"), Random(step)), searched


def _ways(texts: Texts, frame: Frame) -> tuple[Button, ...]:
    back = (Button(texts("button-back"), frame.back),) if frame.back else ()
    return (*back, Button(texts("button-random"), Random(frame.step, frame.among)))


def _share(texts: Texts, phrase: Phrase) -> Button:
    return Button(texts("button-share"), Share(shorten(phrase.text, 200)))


def _nature(texts: Texts, phrase: Phrase) -> str:
    names = [f"kind-{phrase.kind}", f"register-{phrase.register}"]
    return " · ".join(texts(name) for name in names if texts.has(name))


def _meanings(texts: Texts, phrase: Phrase) -> str:
    own = [escape(shorten(meaning, 250)) for meaning in phrase.meanings[:MOST_MEANINGS]]
    lines = own if len(own) == 1 else [f"{number}) {meaning}" for number, meaning in enumerate(own, 1)]
    for language in ("ru", "en"):
        if language != phrase.language and (meaning := phrase.meaning_in(language)):
            lines.append(texts.html(f"card-meaning-{language}", meaning=shorten(meaning, 250)))
    return "\n".join(lines)


def _labelled(texts: Texts, key: str, value: str, limit: int) -> str:
    return texts.html(key, value=shorten(value, limit)) if value else ""


def _topics(texts: Texts, phrase: Phrase) -> str:
    return _labelled(texts, "card-topics", ", ".join(topic_name(texts, topic) for topic in phrase.topics), 200)


def _source(texts: Texts, source: str) -> str:
    address = source.partition(" ")[0]
    if not address.startswith("https://") or len(address) > LONGEST_ADDRESS:
        return ""
    # A quotation mark would end the attribute that the address stands in.
    return texts.html("card-source", address=address.replace('"', "%22"))

"""Screens: what a person is shown, as plain values that know nothing of Telegram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action, Open, Show, Why
from bot.search.phrases import Phrase
from bot.texts import Texts, escape, shorten

PAGE = 10
"""Idioms in one message; with the cuts below, ten of them stay under Telegram's 4,096 characters."""
INLINE_PAGE = 20
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


def screen(text: str, *rows: tuple[Button, ...]) -> Screen:
    """A screen of the rows that have a button."""
    return Screen(text, tuple(row for row in rows if row))


def brief(texts: Texts, phrase: Phrase, limit: int = 160) -> str:
    """The meaning of a phrase in one line, in the reader's language where somebody wrote it."""
    return shorten(phrase.meaning_in(texts.language) or phrase.meanings[0], limit)


def topic_name(texts: Texts, topic: str) -> str:
    """The name of a topic in the reader's language."""
    return texts(f"topic-{topic}") if texts.has(f"topic-{topic}") else topic


def listing(
    texts: Texts, title: str, phrases: Sequence[Phrase], step: int, page: int, whys: Sequence[str] = ()
) -> tuple[str, list[tuple[Button, ...]]]:
    """Numbered idioms with their meanings and perhaps why each is here, and the rows of buttons that open them."""
    numbered = list(enumerate(phrases, page * PAGE + 1))
    limit = 130 if whys else 160
    entries = [f"<b>{n}. {escape(shorten(p.text, 120))}</b>\n{escape(brief(texts, p, limit))}" for n, p in numbered]
    if whys:
        entries = [f"{entry}\n<i>{escape(why)}</i>" for entry, why in zip(entries, whys, strict=True)]
    opens = tuple(Button(str(number), Open(phrase.key, step, page)) for number, phrase in numbered)
    return "\n\n".join([title, *entries]), [opens[:5], opens[5:]]


def turns(texts: Texts, step: int, page: int, more: bool, action: type[Show] | type[Why] = Show) -> tuple[Button, ...]:
    """The buttons that turn the pages of a list; `action` shows a page."""
    ways = [(page > 0, "button-earlier", action(step, page - 1)), (more, "button-more", action(step, page + 1))]
    return tuple(Button(texts(label), action) for wanted, label, action in ways if wanted)

"""What a person is shown and who the person is, as plain values that know nothing of Telegram."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from hashlib import blake2s

from bot.actions import Action, Random, Show
from bot.search.phrases import Phrase
from bot.store.protocol import HistoryEntry
from bot.texts import Texts, shorten

PAGE = 5
"""Idioms on a page of a list: as many as a phone shows without scrolling."""
LONGEST_OF_TWO = 16
"""Characters of a label in half a row of a phone that is 360 pixels wide."""
LOOK = 1
"""Of pictures, to be raised when `bot.drawing` draws them otherwise: Telegram's copies are then shown no more."""
FORMULAS = tuple("=+-@\t\r")
"""What a cell of a table must not begin with."""


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


Row = tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """A message: its text in Telegram's HTML, and rows of buttons."""

    text: str
    rows: tuple[Row, ...] = ()
    placeholder: str = ""
    """If it is not empty, the person is asked to reply to the message, and sees this where they write."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to send."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Poster:
    """What a picture says, in plain texts from top to bottom; `bot.drawing` draws it."""

    title: str
    meaning: str
    label: str
    """What is said of the counterpart: its language. Empty where there is none."""
    counterpart: str
    signature: str

    @property
    def digest(self) -> str:
        """A name for the picture, which another look or another text changes."""
        told = "\0".join((str(LOOK), *astuple(self)))
        return blake2s(told.encode(errors="replace"), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture to send: what it says, its caption in Telegram's HTML, and rows of buttons."""

    poster: Poster
    caption: str
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A quiz question with its options, of which the one at `correct` is right, and the buttons below it."""

    text: str
    options: tuple[str, ...]
    correct: int
    explanation: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class InlineCard:
    """A card of inline mode: what the list shows, and the message that choosing it sends."""

    key: str
    title: str
    description: str
    message: Screen


@dataclass(frozen=True, slots=True)
class InlinePhoto:
    """A picture of inline mode, by the name under which Telegram keeps it: none can be sent along."""

    key: str
    title: str
    file_id: str
    photo: Photo


@dataclass(frozen=True, slots=True)
class InlinePage:
    """Cards of inline mode."""

    cards: tuple[InlineCard | InlinePhoto, ...]
    next: str = ""
    """The offset of the page that follows, if any."""
    cache_seconds: int = 300
    """How long Telegram may show the page again without asking."""
    label: str = ""
    start: str = ""
    """Of the button above the cards, if it has a label: it opens the bot with this start parameter."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of every handler."""

    screen: Screen | None = None
    """A new message, or what replaces the message whose button was pressed."""
    below: Screen | None = None
    """A new message below the one whose button was pressed, which stays."""
    toast: str = ""
    """A short text over the chat when a button was pressed, a message otherwise."""
    alert: bool = False
    """Whether the toast stays until it is closed."""
    file: File | None = None
    photo: Photo | None = None
    question: Question | None = None
    inline: InlinePage | None = None
    to_admins: Screen | None = None
    to_people: tuple[tuple[int, Screen], ...] = ()
    """Messages to others, by their Telegram numbers."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and where."""

    id: int
    chat_key: str
    """The chat or inline message in which they ask."""
    texts: Texts
    own_language: str
    """The interface language for them unless they choose one."""
    bot: str
    """The username of the bot that they talk to."""

    @property
    def in_private(self) -> bool:
        """Whether nobody else reads along."""
        return self.chat_key == str(self.id)


def screen(text: str, *rows: Row) -> Screen:
    """Return a screen without the rows that are empty."""
    return Screen(text, tuple(row for row in rows if row))


def choice(label: str, chosen: bool, does: Action, icon: str = "") -> Button:
    """Return a button that chooses a setting, marked if that is chosen already; an icon says of what it is one."""
    parts = ("•" if chosen else "", icon, label[:1].upper() + label[1:])
    return Button(" ".join(filter(None, parts)), does)


def pairs(buttons: Sequence[Button]) -> list[Row]:
    """Return rows of two buttons in their order; one whose label half a phone has no room for has a row of its own."""
    rows: list[Row] = []
    for button in buttons:
        if rows and len(rows[-1]) == 1 and max(len(button.label), len(rows[-1][0].label)) <= LONGEST_OF_TWO:
            rows[-1] += (button,)
        else:
            rows.append((button,))
    return rows


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows as CSV in UTF-8 with a mark of it, without which Excel takes Cyrillic for something else."""
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(head)
    for row in rows:
        # Programs for tables would take it for a formula.
        writer.writerow(f"'{cell}" if cell.startswith(FORMULAS) else cell for cell in row)
    return lines.getvalue().encode("utf-8-sig")


def brief(texts: Texts, phrase: Phrase, limit: int = 160) -> str:
    """Return the meaning of a phrase in one line, in the reader's language if the collection has it."""
    return shorten(phrase.meaning_in(texts.reads) or phrase.meanings[0], limit)


def turns(texts: Texts, entry: int, page: int, more: bool, turn: Callable[[int, int], Action] = Show) -> Row:
    """Return the buttons that turn the pages of a list."""
    earlier = (Button(texts("button-earlier"), turn(entry, page - 1)),) if page else ()
    later = (Button(texts("button-more"), turn(entry, page + 1)),) if more else ()
    return (*earlier, *later)


def ways_on(texts: Texts, entry: HistoryEntry) -> Row:
    """Return the buttons that lead back from a screen and on to an idiom drawn by lot."""
    back = (Button(texts("button-back"), Show(entry.parent, entry.page)),) if entry.parent else ()
    return (*back, Button(texts("button-random"), Random(entry.id, entry.filter)))

"""Who asks, and what they may get: plain values between the conversation and whoever carries it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.quiz import Question
from bot.screens import Screen
from bot.screens_card import InlineCard
from bot.texts import Texts


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: their number, the chat or inline message in which they do, and the texts that they read."""

    id: int
    place: str
    texts: Texts
    own_language: str = "en"
    """What the bot would speak to them if they had chosen nothing."""
    bot: str = ""
    """The name of the bot that they talk to."""

    @property
    def in_private(self) -> bool:
        """Whether nobody else reads along."""
        return self.place == str(self.id)


@dataclass(frozen=True, slots=True)
class File:
    """A file to send, or a picture, whose name is its caption."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a press: a new screen in place of the old one, a notice, or something to send."""

    screen: Screen | None = None
    notice: str = ""
    alert: bool = False
    """Whether the notice waits to be closed."""
    file: File | None = None
    picture: File | None = None
    question: Question | None = None
    to_admins: Screen | None = None


@dataclass(frozen=True, slots=True)
class InlinePage:
    """Cards for inline mode, and the number of the card that follows them, if any."""

    cards: tuple[InlineCard, ...]
    next: int | None
    cache_seconds: int = 300
    label: str = ""
    """What the button above the cards says; empty: there is none."""
    ask: str = ""
    """The start parameter with which that button opens the chat with the bot."""

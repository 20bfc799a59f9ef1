"""Commands: what follows a slash, and the answer to it."""

from __future__ import annotations

from collections.abc import Sequence

from bot import screens_personal, stats
from bot.conversation import Conversation
from bot.replies import Person, Reply
from bot.screens import Button, Screen, Share, screen

EVERYWHERE = ("random", "quiz", "help")
PERSONAL = ("daily", "saved", "history", "lang", "privacy", "export", "forget")
MENU = ("random", "quiz", "daily", "saved", "history", "lang", "privacy", "help")
"""Those that Telegram's menu offers; the others are named where they are needed."""


def answer(conversation: Conversation, person: Person, name: str, words: Sequence[str]) -> Reply | None:
    """The answer to a command; None for one in a group that is not for this bot."""
    if name == "stats" and person.in_private and person.id in conversation.settings.admins:
        return stats.report(conversation, person.texts)
    if person.in_private:
        return _everywhere(conversation, person, name, words) or _personal(conversation, person, name, words)
    if name in PERSONAL:
        return Reply(Screen(person.texts("notice-only-private")))
    return _everywhere(conversation, person, name, words)


def _everywhere(conversation: Conversation, person: Person, name: str, words: Sequence[str]) -> Reply | None:
    match name:
        case "start":
            return Reply(conversation.start(person, words[0] if words else ""))
        case "help":
            example = (Button(person.texts("button-try-inline"), Share(person.texts("example"))),)
            return Reply(screen(person.texts("help", bot=person.bot), example))
        case "random":
            return Reply(conversation.random(person, words))
        case "quiz":
            return conversation.personal.quiz(person)
    return None


def _personal(conversation: Conversation, person: Person, name: str, words: Sequence[str]) -> Reply:
    match name:
        case "daily":
            return Reply(conversation.personal.ask_daily(person, words))
        case "saved" | "history":
            return Reply(conversation.listed(person, name))
        case "lang":
            return Reply(conversation.personal.preferences(person))
        case "privacy":
            return Reply(screens_personal.privacy(person.texts))
        case "export":
            return Reply(file=conversation.personal.export(person))
        case "forget":
            return Reply(screens_personal.sure(person.texts, "all"))
    return Reply(Screen(person.texts("notice-unknown-command")))

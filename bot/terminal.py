"""A chat in the terminal: the same conversation without Telegram."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from string import ascii_lowercase

from bot import commands
from bot.actions import Action
from bot.conversation import Conversation
from bot.replies import Person, Reply
from bot.screens import Copy, Screen, Share, Start
from bot.texts import Texts, escape

_TAG = re.compile(r"<[^>]+>")


def chat(conversation: Conversation, texts: Texts, read: Callable[[str], str], write: Callable[[str], None]) -> None:
    """Answer line by line until an empty line or the end of input."""
    person = Person(0, "0", texts)
    screen = Screen(f"{texts('start')}\n\n{texts('terminal-hint')}")
    while True:
        buttons = keys(screen)
        write(render(screen, buttons))
        try:
            line = read("> ").strip()
        except (EOFError, KeyboardInterrupt):
            return
        if not line:
            return
        screen = _next(conversation, person, line, buttons) or screen


def render(screen: Screen, buttons: Mapping[str, tuple[str, Action]]) -> str:
    """The screen as plain text, with the keys of its buttons."""
    labels = [f"[{key}] {label}" for key, (label, _) in buttons.items() if key != label]
    return "\n\n".join(filter(None, [html.unescape(_TAG.sub("", screen.text)), "  ".join(labels)]))


def keys(screen: Screen) -> dict[str, tuple[str, Action]]:
    """Label and action of every button by what to type: its number, else the next letter."""
    letters = iter(ascii_lowercase)
    buttons = [(button.label, button.does) for row in screen.rows for button in row]
    return {
        label if label.isdecimal() else next(letters): (label, does)
        for label, does in buttons
        if not isinstance(does, Copy | Share | Start)
    }


def _next(
    conversation: Conversation, person: Person, line: str, buttons: Mapping[str, tuple[str, Action]]
) -> Screen | None:
    if line in buttons:
        reply = conversation.press(person, buttons[line][1])
    elif line.startswith("/"):
        name, *words = line[1:].split()
        reply = commands.answer(conversation, person, name, words) or Reply()
    else:
        return conversation.ask(person, line)
    return reply.screen or Screen(escape(reply.notice))

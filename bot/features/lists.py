"""Lists of idioms: each with its meaning and what another language says, and the buttons that open them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import Open
from bot.features.context import Context
from bot.search.phrases import Phrase
from bot.texts import escape, shorten
from bot.ui import PAGE, Button, Row, brief

_IN_A_ROW = 5
LONGEST_LINE, SHORTEST_MEANING = 72, 30
"""Characters of an idiom, its meaning and its counterpart together, as far as a meaning may be cut for it: on a narrow
phone the best of a page is to be seen above the buttons. The card has all of it."""


def listing(
    context: Context, title: str, phrases: Sequence[Phrase], entry: int, page: int, reasons: Sequence[str] = ()
) -> tuple[str, tuple[Row, ...]]:
    """Return numbered idioms, perhaps with the reason for each, and the buttons that open them."""
    numbered = list(enumerate(phrases, page * PAGE + 1))
    lines = [f"<b>{number}. {_line(context, phrase)}" for number, phrase in numbered]
    if reasons:
        lines = [f"{line}\n<i>{escape(reason)}</i>" for line, reason in zip(lines, reasons, strict=True)]
    opens = [Button(str(number), Open(phrase.key, entry, page)) for number, phrase in numbered]
    rows = (tuple(opens[first : first + _IN_A_ROW]) for first in range(0, len(opens), _IN_A_ROW))
    return "\n\n".join([title, *lines]), tuple(rows)


def _line(context: Context, phrase: Phrase) -> str:
    """What follows the number: the idiom, its meaning, its counterpart if it has one; a paragraph, to be short."""
    text, counterpart = shorten(phrase.text, 120), _counterpart(context, phrase)
    room = max(SHORTEST_MEANING, LONGEST_LINE - len(text) - len(counterpart))
    return f"{escape(text)}</b> — {escape(brief(context.texts, phrase, room))} {escape(counterpart)}".rstrip()


def _counterpart(context: Context, phrase: Phrase) -> str:
    """What another language says instead: what a person judged to mean the same, else what was found by meaning."""
    equivalents = context.engine.equivalents(phrase.key)
    curated = next((one.text for one in equivalents if one.curated), "")
    rendered = next((text for texts in phrase.renderings.values() for text in texts), "")
    if curated or rendered:
        return f"↔\N{NO-BREAK SPACE}{shorten(curated or rendered, 60)}"
    return f"≈\N{NO-BREAK SPACE}{shorten(equivalents[0].text, 60)}" if equivalents else ""

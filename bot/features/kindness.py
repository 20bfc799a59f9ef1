"""Kindness before anything else: who writes in despair gets a warm word and where to find help, and no idioms."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from bot.search.text import fold
from bot.texts import Texts, escape

_HERE = Path(__file__).parent
_PATTERNS = [
    re.compile(pattern)
    for language in tomllib.loads((_HERE / "despair.toml").read_text(encoding="utf-8")).values()
    for pattern in language["patterns"]
]
_SPACES = re.compile(r"[\s,.;:!?…\"«»“”„()]+")


@dataclass(frozen=True, slots=True)
class Helpline:
    """Somebody to call."""

    language: str
    name: str
    number: str
    note: str


LINES = [
    Helpline(line["language"], line["name"], line["number"], line["note"])
    for line in tomllib.loads((_HERE / "helplines.toml").read_text(encoding="utf-8"))["lines"]
]


def is_despair(text: str) -> bool:
    """Whether somebody says that they do not want to live, or want to hurt themselves."""
    plain = _SPACES.sub(" ", fold(text).replace("’", "'")).strip()
    return any(pattern.search(plain) for pattern in _PATTERNS)


def answer(texts: Texts) -> str:
    """Return a warm word and where to find help, as HTML, in the reader's language."""
    lines = [
        f"• {escape(line.name)}: <b>{escape(line.number)}</b> <i>({escape(line.note)})</i>"
        for line in LINES
        if line.language == texts.language
    ]
    return "\n".join([texts("despair"), "", *lines, texts("despair-everywhere"), "", texts("despair-here")])

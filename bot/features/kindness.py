"""Kindness before anything else: who writes in despair gets a warm word and where to find help, and no idioms."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bot.search.text import fold
from bot.texts import Texts, escape

_HERE = Path(__file__).parent


def _any(expressions: Iterable[str]) -> str:
    """One expression for whole words that match any of several."""
    return rf"\b(?:{'|'.join(expressions)})\b"


_LANGUAGES = tomllib.loads((_HERE / "despair.toml").read_text(encoding="utf-8")).values()
_LOOK_ALIKES = [re.compile(_any(words["look_alikes"])) for words in _LANGUAGES]
_DESPAIR = [
    re.compile(
        _any([rf"(?:{'|'.join(words['wishes'])}) {words['between']}(?:{'|'.join(words['ends'])})", *words["sayings"]])
    )
    for words in _LANGUAGES
]
_PAUSE = re.compile(r"(?:\.{2,}|[\s,;:…\"«»“”„()])+")
_END_OF_SENTENCE = re.compile(r"[.!?]+")


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
    plain = _PAUSE.sub(" ", fold(text).replace("’", "'"))
    return any(_says_despair(sentence.strip()) for sentence in _END_OF_SENTENCE.split(plain))


def _says_despair(sentence: str) -> bool:
    for look_alikes in _LOOK_ALIKES:
        sentence = look_alikes.sub("·", sentence)
    return any(despair.search(sentence) for despair in _DESPAIR)


def answer(texts: Texts) -> str:
    """Return a warm word and where to find help, as HTML, in the reader's language."""
    lines = [
        f"• <b>{escape(line.number)}</b> — {escape(line.name)} <i>({escape(line.note)})</i>"
        for line in LINES
        if line.language == texts.language
    ]
    return "\n".join([texts("despair"), "", *lines, texts("despair-everywhere"), "", texts("despair-here")])

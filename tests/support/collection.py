"""The entries that ship, as their files have them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "data"
FILES = {language: DATA / f"idioms/{language}.jsonl" for language in ("ru", "en")}
OTHER = {"ru": "en", "en": "ru"}
"""The language that an entry is translated into, by its own."""
Entry = dict[str, Any]


def read(path: Path) -> list[Entry]:
    """Read JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


ENTRIES: dict[str, list[Entry]] = {language: read(path) for language, path in FILES.items()}


def faulty(language: str, holds: Callable[[Entry], bool]) -> list[str]:
    """The phrases of the entries for which the rule does not hold."""
    return [entry["phrase"] for entry in ENTRIES[language] if not holds(entry)]


def texts(entry: Entry) -> list[str]:
    """Every text of an entry but its source and those that have stress marks or letters of two alphabets."""
    others = ("source", "stressed", "common", "usage_en", "usage_ru")
    values = [value for name, value in entry.items() if name not in others]
    return [text for value in values for text in (value if isinstance(value, list) else [value])]


def balanced(text: str, brackets: dict[str, str]) -> bool:
    """Whether every closing bracket, a key, follows its opening one, and straight quotes come in pairs."""
    opened: list[str] = []
    for character in text:
        if character in brackets.values():
            opened.append(character)
        elif character in brackets and (not opened or opened.pop() != brackets[character]):
            return False
    return not opened and text.count('"') % 2 == 0


def wordings(entry: Entry) -> Iterator[str]:
    """The phrase and its variants."""
    yield entry["phrase"]
    yield from entry.get("variants", ())

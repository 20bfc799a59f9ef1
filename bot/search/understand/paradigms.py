"""The forms of a word: рука, руки, руками; cat, cats."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

_NAME = re.compile(r"\{([a-z_]+)\}")


class _Reading(NamedTuple):
    """A way to take a word for a form of some word."""

    word: re.Pattern[str]
    forms: str
    """Expression of all forms, in which \\1 is what the word's first group matched."""


def readings(word: str) -> list[re.Pattern[str]]:
    """The sets of forms that a folded word may belong to, each as an expression that they match."""
    irregular, regular = _table()
    own = [forms for forms in irregular if forms.fullmatch(word)]
    return own or [re.compile(found.expand(one.forms)) for one in regular if (found := one.word.fullmatch(word))]


@cache
def _table() -> tuple[list[re.Pattern[str]], list[_Reading]]:
    """The forms of each irregular word, and the ways to read all others, of every language."""
    irregular, regular = [], []
    for language in tomllib.loads(Path(__file__).with_name("paradigms.toml").read_text(encoding="utf-8")).values():
        endings = language["endings"]
        irregular += [re.compile(_written_out(forms, endings)) for forms in language["irregular"]]
        regular += [
            _Reading(re.compile(_written_out(word, endings)), _written_out(forms, endings))
            for word, forms in language["readings"]
        ]
    return irregular, regular


def _written_out(expression: str, endings: dict[str, str]) -> str:
    """An expression with the endings that it names in braces."""
    return _NAME.sub(lambda name: endings[name[1]], expression)

"""Quoted words and `*` in a query: what a phrase must have."""

from __future__ import annotations

import re

_WORD, _WORD_OR_STARS = re.compile(r"\w+"), re.compile(r"[\w*]+")
_QUOTED = re.compile('[«"“„”]([^«»"“„”]+)[»"“”]')
_MARKS = re.compile('[«»"“„”]')
_MOST_WORDS, _MOST_STARS = 12, 6  # Of a pattern: people remember fewer words, and emphasis is full of stars.

UNWRITTEN = frozenset({"a", "an", "the", "to"})
"""What people say before an English idiom, and its usual form lacks."""


def quoted_parts(folded: str) -> tuple[str, ...]:
    """The parts of a folded text in quotation marks that have words."""
    return tuple(part.strip() for part in _QUOTED.findall(folded) if _WORD.search(part))


def unquoted(folded: str) -> str:
    """A folded text without its quotation marks."""
    return _MARKS.sub("", folded)


def pattern_of(folded: str) -> tuple[str, ...]:
    """The words and stars of a folded text; none when there is too little or too much to look for."""
    if not 0 < folded.count("*") <= _MOST_STARS:
        return ()
    found = _WORD_OR_STARS.findall(folded)
    wanted = found[1:] if found[0] in UNWRITTEN else found
    return tuple(wanted) if len(found) <= _MOST_WORDS and any(word.strip("*") for word in wanted) else ()

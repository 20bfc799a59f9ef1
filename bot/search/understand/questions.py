"""The question that people put around a meaning: "как сказать, когда ...", "what's the idiom for ..."."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

TABLE = tomllib.loads(Path(__file__).with_name("questions.toml").read_text(encoding="utf-8"))
"""The patterns of each language with their examples; the file says how it is written."""

_NAME = re.compile(r"\{([a-z_]+)\}")
_TAIL = 90  # Characters at the end of a text in which a question may stand.


def expanded(pattern: str) -> str:
    """A pattern of the table with the parts that it names in braces written out."""
    return _NAME.sub(lambda name: _part(name[1]), pattern)


def _part(name: str) -> str:
    """Any of the ways in which any language writes a part."""
    ways = chain.from_iterable(language["parts"].get(name, ()) for language in TABLE.values())
    return f"(?:{'|'.join(map(expanded, ways))})"


def _any_of(kind: str) -> str:
    frames = chain.from_iterable(language.get(kind, ()) for language in TABLE.values())
    return "|".join(expanded(frame["pattern"]) for frame in frames)


_LEAD = re.compile(
    rf"\W*(?:{_part('please')}[\s,.!:?—–-]+)*+(?:{_any_of('leads')})(?:[\s,:]+{_part('link')}\b)*+[\s,:—–-]*"
)
_TRAIL = re.compile(rf"[\s,.;:?!—–-]+(?:{_any_of('trails')})(?:[\s,.!]+{_part('thanks')})?\W*$")


def without_question(folded: str) -> str:
    """The meaning that a folded text asks for, which has a word when the text has one."""
    lead = _LEAD.match(folded)
    rest = folded[lead.end() :] if lead else folded
    head, tail = rest[:-_TAIL], rest[-_TAIL:]
    trail = _TRAIL.search(tail)
    meaning = head + tail[: trail.start()] if trail else rest
    return next((part for part in (meaning, rest) if re.search(r"\w", part)), folded)

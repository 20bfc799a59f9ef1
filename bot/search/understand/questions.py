"""The question that people put around a meaning or an idiom: "как сказать, когда ...", "what does ... mean"."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

TABLE = tomllib.loads(Path(__file__).with_name("questions.toml").read_text(encoding="utf-8"))
"""The patterns of each language with their examples; the file says how it is written."""

Intent = Literal[
    "meaning",
    "translate",
    "synonyms",
    "opposites",
    "explain",
    "origin",
    "word",
    "topic",
    "greeting",
    "thanks",
    "who",
    "help",
]
Kind = Literal["", "proverb", "quotation"]

_NAME = re.compile(r"\{([a-z_]+)\}")
_GROUP = re.compile(r"(?<!\\)\((?!\?)")
_TAIL = 90  # Characters at the end of a text in which a question may stand.
_LONGEST, _LONGEST_TALK = 300, 60  # Characters of a question with an intent of its own, and of small talk.
_SUBJECT = {"meaning": r"(\S.*?)", "word": r"\W?(\w+)\W?"}


class Question(NamedTuple):
    """What a text asks for."""

    meaning: str
    """What it is about; it has a word when the text has one."""
    intent: Intent = "meaning"
    languages: tuple[str, ...] = ()
    kind: Kind = ""
    named: bool = False
    """Whether it is a question only if the meaning names an idiom."""


def expanded(pattern: str) -> str:
    """A pattern of the table with the parts that it names in braces written out."""
    return _NAME.sub(lambda name: _part(name[1]), pattern)


def _part(name: str) -> str:
    """Any of the ways in which any language writes a part."""
    if name in _SUBJECT:
        return expanded(_SUBJECT[name])
    ways = chain.from_iterable(language["parts"].get(name, ()) for language in TABLE.values())
    names = chain.from_iterable(language["languages"].values() for language in TABLE.values())
    return f"(?:{'|'.join(map(expanded, names if name == 'language' else ways))})"


def _rows(kind: str) -> list[dict[str, Any]]:
    """The patterns of a kind of all languages; those that count for less come last."""
    return sorted(chain(*(language.get(kind, ()) for language in TABLE.values())), key=lambda row: "named" in row)


def _any_of(kind: str) -> str:
    return "|".join(expanded(row["pattern"]) for row in _rows(kind))


def _of_groups(kind: str) -> list[dict[str, Any]]:
    """The pattern that each group of `_any_of` belongs to."""
    # Counted by their brackets: to compile every pattern for that, and then all in one, took a tenth of the start.
    return [row for row in _rows(kind) for _ in _GROUP.findall(expanded(row["pattern"]))]


def _called(what: str) -> list[tuple[Any, re.Pattern[str]]]:
    """What people call languages or kinds, each with its value."""
    called = chain.from_iterable(language[what].items() for language in TABLE.values())
    return [(value, re.compile(rf"\b(?:{names})\b")) for value, names in called]


_POLITE = rf"\W*(?:{_part('please')}[\s,.!:?—–-]+)*+"
_LEAD = re.compile(rf"{_POLITE}(?:{_any_of('leads')})(?:[\s,:]+{_part('link')}\b)*+[\s,:—–-]*")
_TRAIL = re.compile(rf"[\s,.;:?!—–-]+(?:{_any_of('trails')})(?:[\s,.!]+{_part('thanks')})?\W*$")
_THING = re.compile(rf"\A{_part('thing')}:? (?=\S)")
_LINK = re.compile(rf"(?:{_part('link')}\b[\s,:—–-]*)*+(?=\S)")
_QUESTION = re.compile(rf"{_POLITE}(?:{_any_of('questions')})(?:[\s,.!]+{_part('thanks')})?[\s.,!?…]*")
_ASKED = _of_groups("questions")
_LINKED = ("translate", "topic")  # Intents whose question may go on with "when" or "that".
_CHAT = _part("chat")
_TALKS = "|".join(f"({expanded(row['pattern'])})" for row in _rows("small_talk"))
_TALK, _TALKED = re.compile(rf"(?:{_CHAT} )*(?:{_TALKS})(?: {_CHAT})*"), [row["intent"] for row in _rows("small_talk")]
_LANGUAGES, _KINDS = _called("languages"), _called("kinds")
_WORD, _REPEATED = re.compile(r"\w+"), re.compile(r"(.)\1{2,}")


def understood(folded: str, naming: bool = True) -> Question:
    """What a folded text asks for; without `naming` no question counts whose meaning must name an idiom."""
    asked, meaning = _asked(folded)
    if not asked or (asked.get("named") and not naming):
        asked, meaning = {}, _bare(folded)
    around = folded.replace(meaning, " ", 1)
    return Question(
        meaning,
        asked.get("intent", "meaning"),
        tuple(dict.fromkeys(code for code, called in _LANGUAGES if called.search(around))),
        next((kind for kind, called in _KINDS if called.search(around)), ""),
        "named" in asked,
    )


def small_talk(folded: str) -> Intent | None:
    """What a folded text says that is about nothing; None when it is about something."""
    if len(folded) > _LONGEST_TALK:
        return None
    plain = _REPEATED.sub(r"\1", " ".join(_WORD.findall(folded)))
    found = _TALK.fullmatch(plain)
    return _TALKED[found.lastindex - 1] if found and found.lastindex else None


def _asked(folded: str) -> tuple[dict[str, Any], str]:
    """The pattern of a question with an intent of its own that a folded text fits, and what the question is about."""
    found = _QUESTION.fullmatch(folded) if len(folded) <= _LONGEST else None
    if not found or not found.lastindex or not _WORD.search(found[found.lastindex]):
        return {}, ""
    # Here and not in the pattern, which would hold it forty times and take twice as long to compile.
    row, meaning = _ASKED[found.lastindex - 1], _THING.sub("", found[found.lastindex], count=1)
    rest = _LINK.sub("", meaning, count=1) if row["intent"] in _LINKED else meaning
    return row, rest if _WORD.search(rest) else meaning


def _bare(folded: str) -> str:
    """A folded text without what stands before and behind its meaning."""
    lead = _LEAD.match(folded)
    rest = folded[lead.end() :] if lead else folded
    head, tail = rest[:-_TAIL], rest[-_TAIL:]
    trail = _TRAIL.search(tail)
    meaning = head + tail[: trail.start()] if trail else rest
    return next((part for part in (meaning, rest) if _WORD.search(part)), folded)

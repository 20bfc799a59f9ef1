"""What a button does, and its form in the 64 bytes that Telegram gives to a button.

Actions name phrases by key and steps by number, never positions in memory: a button pressed after a restart or a
rebuild still means what it meant.
"""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass, fields
from typing import Any

VERSION = "1"


@dataclass(frozen=True, slots=True)
class Open:
    """Open a phrase; `step` and `page` say where from."""

    key: str
    step: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True)
class Similar:
    """List what is similar to the phrase of a card."""

    key: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class Why:
    """Show a page of the answers to a query, and what in the query led to each."""

    step: int
    page: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """Search again what a step searched: "exact", as it was typed; "nearest", though nothing is close; or both."""

    how: str
    step: int


@dataclass(frozen=True, slots=True)
class Save:
    """Save the phrase of a card, or stop saving it."""

    key: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class Vote:
    """Judge the phrase of a card: "up" and "down" as an answer to its query, "wrong" as an entry."""

    vote: str
    key: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class Show:
    """Show an earlier step again, at a page of its list."""

    step: int
    page: int = 0


@dataclass(frozen=True, slots=True)
class Again:
    """Make a step of the history again; `step` is the list that it was chosen from."""

    past: int
    step: int
    page: int = 0


@dataclass(frozen=True, slots=True)
class Random:
    """Open a phrase drawn by lot; `among` narrows the lot, as in "ru.animals"."""

    step: int = 0
    among: str = ""


@dataclass(frozen=True, slots=True)
class Set:
    """Change a setting: "language" or "scope" (ru, en, "" for any), "hour" or "zone" of the idiom of the day.

    `step` is the list to show again afterwards.
    """

    what: str
    value: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for something: a question of the "quiz", one's "score", the "daily" idiom, the "zones" to choose from."""

    topic: str


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase the history, or all that is kept, or nothing after all; only when `sure`."""

    data: str
    sure: int = 0


@dataclass(frozen=True, slots=True)
class Export:
    """Send the saved idioms, or all that is kept, as a file."""

    data: str


Action = Open | Similar | Why | Search | Save | Vote | Show | Again | Random | Set | Ask | Erase | Export

# The codes stand in messages that people keep: never give one to another action. "w" was one that is gone.
_CODES: dict[str, type[Action]] = {
    "o": Open, "s": Similar, "y": Why, "f": Search, "k": Save, "j": Vote, "v": Show,
    "a": Again, "r": Random, "c": Set, "q": Ask, "e": Erase, "x": Export,
}  # fmt: skip
_CODE_OF = {kind: code for code, kind in _CODES.items()}

_FORMS = {
    "key": r"[0-9a-f]{12}",
    "step": r"[0-9]{1,18}",
    "past": r"[0-9]{1,18}",
    "page": r"[0-9]{1,3}",
    "vote": r"up|down|wrong",
    "how": r"exact|nearest|exact-nearest",
    "among": r"[a-z.]{0,30}",
    "what": r"language|scope|hour|zone",
    "value": r"[A-Za-z0-9_+/-]{0,35}",
    "topic": r"quiz|score|daily|zones",
    "data": r"history|saved|all|nothing",
    "sure": r"[01]",
}


def to_data(action: Action) -> str:
    """The callback data of an action."""
    return ":".join((VERSION + _CODE_OF[type(action)], *map(str, astuple(action))))


def from_data(data: str) -> Action | None:
    """The action of callback data; None for data that this version did not write."""
    code, *values = data.split(":")
    kind = _CODES.get(code.removeprefix(VERSION)) if code.startswith(VERSION) else None
    if kind is None or len(values) != len(fields(kind)):
        return None
    if not all(re.fullmatch(_FORMS[field.name], value) for field, value in zip(fields(kind), values, strict=True)):
        return None
    read: list[Any] = [int(v) if f.type == "int" else v for f, v in zip(fields(kind), values, strict=True)]
    return kind(*read)

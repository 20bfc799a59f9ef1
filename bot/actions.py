"""What a button does, and its form in the 64 bytes that Telegram gives to a button.

Actions name phrases by key and screens by the number of their history entry, never positions in memory: a button
pressed after a restart or a rebuild still means what it meant. Here are the form and the actions that several features
offer; the others stand with their feature.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Protocol, get_args, get_origin, get_type_hints

VERSION = "1"

# What a field may hold: its type and the regular expression of its form.
Key = Annotated[str, "[0-9a-f]{12}"]
Number = Annotated[int, "[0-9]{1,18}"]
Page = Annotated[int, "[0-9]{1,3}"]
Flag = Annotated[int, "[01]"]
Filter = Annotated[str, "[a-z.]{0,30}"]
Value = Annotated[str, "[A-Za-z0-9_+/-]{0,35}"]


class Action(Protocol):
    """A frozen dataclass whose fields are annotated with the types above, or with a Literal of words."""

    code: ClassVar[str]
    """Stands first in the callback data; it may have several segments, as in "c:hour".

    Codes stand in messages that people keep: never give one to another action. "w" was one that is gone.
    """
    __dataclass_fields__: ClassVar[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Open:
    """Open the card of a phrase; `parent` and `page` say from which screen."""

    code: ClassVar[str] = "o"
    key: Key
    parent: Number = 0
    page: Page = 0


@dataclass(frozen=True, slots=True)
class Show:
    """Show an earlier screen again, at a page of its list."""

    code: ClassVar[str] = "v"
    entry: Number
    page: Page = 0


@dataclass(frozen=True, slots=True)
class Random:
    """Open a phrase drawn by lot; `filter` narrows the lot, as in "ru.animals"."""

    code: ClassVar[str] = "r"
    parent: Number = 0
    filter: Filter = ""


@dataclass(frozen=True, slots=True)
class SetScope:
    """Search the idioms of one language, or of all (""); `entry` is the list to show again afterwards."""

    code: ClassVar[str] = "c:scope"
    scope: Value = ""
    entry: Number = 0


def to_data(action: Action) -> str:
    """Return the callback data of an action."""
    return ":".join((VERSION + action.code, *map(str, astuple(action))))


def from_data(data: str, kinds: Iterable[type[Action]]) -> Action | None:
    """Return the action that callback data means, one of `kinds`, or None for data that none of them wrote."""
    for kind in kinds:
        prefix = f"{VERSION}{kind.code}:"
        if f"{data}:".startswith(prefix):
            return _read(kind, f"{data}:"[len(prefix) :].split(":")[:-1])
    return None


def _read(kind: type[Action], values: list[str]) -> Action | None:
    forms = _forms(kind)
    if len(values) != len(forms):
        return None
    if not all(re.fullmatch(pattern, value) for (_, pattern), value in zip(forms, values, strict=True)):
        return None
    return kind(*(read(value) for (read, _), value in zip(forms, values, strict=True)))


@cache
def _forms(kind: type[Action]) -> list[tuple[type[str] | type[int], str]]:
    """The type and the pattern of each field."""
    hints = get_type_hints(kind, include_extras=True)
    return [_form(hints[field.name]) for field in fields(kind)]


def _form(hint: Any) -> tuple[type[str] | type[int], str]:
    if get_origin(hint) is Literal:
        return str, "|".join(get_args(hint))
    read, pattern = get_args(hint)
    return read, pattern

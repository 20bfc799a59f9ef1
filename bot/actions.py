"""What a button does, and its form in the 64 bytes that Telegram gives to a button.

Actions name phrases by key and screens by the number of their history entry, never by a position in memory: a button
means the same after a restart or a rebuild. Actions that only one feature offers are defined in its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
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
    """A frozen dataclass whose fields have the types above, or are a Literal of words.

    Its code stands in messages that people keep: never give it to another action. "w" was one that is gone.
    """

    code: ClassVar[str]
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
    return ":".join((VERSION + action.code, *(str(getattr(action, field.name)) for field in fields(action))))


def from_data(data: str, kinds: Iterable[type[Action]]) -> Action | None:
    """Return the action that callback data means, one of `kinds`, or None for data that none of them wrote."""
    for kind in kinds:
        pattern, types = _form(kind)
        if found := pattern.fullmatch(data):
            return kind(*(read(value) for read, value in zip(types, found.groups(), strict=True)))
    return None


@cache
def _form(kind: type[Action]) -> tuple[re.Pattern[str], list[type[str] | type[int]]]:
    """The pattern of an action's callback data, with a group for each field, and the types of the fields."""
    hints = get_type_hints(kind, include_extras=True)
    types, patterns = [], [VERSION + kind.code]
    for field in fields(kind):
        hint = hints[field.name]
        words = "|".join(get_args(hint)) if get_origin(hint) is Literal else ""
        read, pattern = (str, words) if words else get_args(hint)
        types.append(read)
        patterns.append(f"({pattern})")
    return re.compile(":".join(patterns)), types

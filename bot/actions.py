"""What a button does, and its form in the 64 bytes that Telegram gives to a button.

Actions name phrases by key and steps by number, never positions in memory: a button pressed after a restart or a
rebuild still means what it meant.
"""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass, fields
from typing import Any

VERSION = "1"

_KEY = re.compile(r"[0-9a-f]{12}")
_STEP = re.compile(r"[0-9]{1,18}")
_PAGE = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Open:
    """Open a phrase; `step` and `page` say where from."""

    key: str
    step: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True)
class Similar:
    """List what is similar to a phrase."""

    key: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class Show:
    """Show an earlier step again, at a page of its list."""

    step: int
    page: int = 0


@dataclass(frozen=True, slots=True)
class Random:
    """Open a phrase drawn by lot."""

    step: int = 0


Action = Open | Similar | Show | Random

_CODES: dict[str, type[Action]] = {"o": Open, "s": Similar, "v": Show, "r": Random}
_CODE_OF = {kind: code for code, kind in _CODES.items()}


def to_data(action: Action) -> str:
    """The callback data of an action."""
    return ":".join((VERSION + _CODE_OF[type(action)], *map(str, astuple(action))))


def from_data(data: str) -> Action | None:
    """The action of callback data; None for data that this version did not write."""
    code, *values = data.split(":")
    kind = _CODES.get(code.removeprefix(VERSION)) if code.startswith(VERSION) else None
    if kind is None or len(values) != len(fields(kind)):
        return None
    read: list[Any] = [_value(field.name, value) for field, value in zip(fields(kind), values, strict=True)]
    return None if None in read else kind(*read)


def _value(name: str, text: str) -> str | int | None:
    if name == "key":
        return text if _KEY.fullmatch(text) else None
    return int(text) if (_PAGE if name == "page" else _STEP).fullmatch(text) else None

"""Personal data: what is kept, and how to get or erase it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from typing import Any, ClassVar, Literal

from bot.actions import Flag
from bot.features.context import Actions, Commands, Context
from bot.store.protocol import OWNED
from bot.ui import Button, File, Reply, Screen, screen

ERASED = {"history": ("history",), "saved": ("saved",), "all": tuple(OWNED), "nothing": ()}
"""The tables that are emptied of a person."""
FREED_AT_ONCE = 1_000
"""Rows."""


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase the history, the saved idioms, all that is kept, or nothing after all; ask first unless `sure`."""

    code: ClassVar[str] = "e"
    what: Literal["history", "saved", "all", "nothing"]
    sure: Flag = 0


@dataclass(frozen=True, slots=True)
class Export:
    """Send all that is kept as a file."""

    code: ClassVar[str] = "x:all"


async def _privacy(context: Context, _: Sequence[str]) -> Reply:
    texts = context.texts
    ways = Button(texts("button-export"), Export()), Button(texts("button-forget"), Erase("all"))
    return Reply(screen(texts("privacy"), ways))


async def _export(context: Context, _: Export | Sequence[str]) -> Reply:
    kept = await context.store.export(context.asker.id)
    return Reply(file=File("idiomatika.json", await asyncio.to_thread(_as_json, kept)))


def _as_json(kept: Mapping[str, list[dict[str, Any]]]) -> bytes:
    """The tables as JSON, with a line for each row; they are emptied."""
    file, begin = TextIOWrapper(BytesIO(), "utf-8"), "{\n"
    for table, rows in kept.items():
        # Row by row, and freed part by part: while one call has all of it, nothing else runs, though it be on another
        # thread.
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        file.write(f'{begin}"{table}": [\n{next(lines, "")}')
        for line in lines:
            file.write(f",\n{line}")
        begin = "\n],\n"
        while rows:
            del rows[-FREED_AT_ONCE:]
    file.write("\n]\n}\n")
    file.flush()
    return file.buffer.getvalue()


async def _forget(context: Context, _: Sequence[str]) -> Reply:
    return await _erase(context, Erase("all"))


async def _erase(context: Context, action: Erase) -> Reply:
    texts, what = context.texts, action.what
    if what != "nothing" and not action.sure:
        yes, no = Button(texts("button-sure"), Erase(what, 1)), Button(texts("button-not-sure"), Erase("nothing"))
        return Reply(screen(texts(f"sure-{what}"), (yes, no)))
    await context.store.forget(context.asker.id, ERASED[what])
    return Reply(Screen(texts(f"erased-{what}")))


ACTIONS: Actions = {Erase: _erase, Export: _export}
COMMANDS: Commands = {"privacy": _privacy, "export": _export, "forget": _forget}

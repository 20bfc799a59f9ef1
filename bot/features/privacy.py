"""Personal data: what is kept, and how to get or erase it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from bot.actions import Flag
from bot.features.context import Actions, Commands, Context
from bot.store.protocol import OWNED
from bot.ui import Button, File, Reply, Screen, screen

ERASED = {
    "history": ("history",),
    "saved": ("saved",),
    "learning": ("reviews", "learned"),
    "all": tuple(OWNED),
    "nothing": (),
}
"""The tables that are emptied of a person."""
MOST_BYTES = 10_000_000
"""Of an export: some 40,000 rows. Telegram takes 50 MB, but a bot that many ask should not hold as much for each."""


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase history, saved idioms, what was learned, all that is kept, or nothing; ask first unless `sure`."""

    code: ClassVar[str] = "e"
    what: Literal["history", "saved", "learning", "all", "nothing"]
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
    kept = _Kept()
    await context.store.export(context.asker.id, kept.take)
    toast = "" if kept.whole else context.texts("notice-export-cut")
    return Reply(toast=toast, alert=True, file=File("idiomatika.json", await asyncio.to_thread(kept.as_json)))


class _Kept:
    """What is kept about a person as JSON with a line for each row, as far as MOST_BYTES allow."""

    def __init__(self) -> None:
        self.whole = True
        self._lines: dict[str, list[bytes]] = {table: [] for table in OWNED}
        self._bytes = 0

    def take(self, table: str, rows: list[dict[str, Any]]) -> bool:
        """Add rows, and return True when there is no room for more."""
        for row in rows:
            line = json.dumps(row, ensure_ascii=False).encode()
            self._bytes += len(line)
            if self._bytes > MOST_BYTES:
                self.whole = False
                break
            self._lines[table].append(line)
        return not self.whole

    def as_json(self) -> bytes:
        tables = [b'"%s": [\n%s\n]' % (table.encode(), b",\n".join(lines)) for table, lines in self._lines.items()]
        return b"{\n%s\n}\n" % b",\n".join(tables)


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

"""The first meeting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot import links
from bot.actions import Number, Open
from bot.features import card, guide, picture, search
from bot.features.context import Actions, Commands, Context
from bot.ui import Button, Reply, Share, screen


@dataclass(frozen=True, slots=True)
class Try:
    """Search an example, by its place among those of the greeting."""

    code: ClassVar[str] = "t"
    place: Number


async def start(context: Context, words: Sequence[str] = ()) -> Reply:
    """Answer /start, with what a deep link may carry: the key of an idiom or a query."""
    match links.read(words[0] if words else ""):
        case "idiom", key:
            return await card.open_card(context, Open(key))
        case "picture", key:
            return await picture.send(context, picture.Picture(key))
        case "query", query if query.strip():
            return await search.ask(context, query)
    texts = context.texts
    tries = [(Button(example, Try(place)),) for place, example in enumerate(_examples(context))]
    return Reply(screen(texts("start"), *tries, (Button(texts("button-try-inline"), Share(texts("example"))),)))


async def _try(context: Context, action: Try) -> Reply:
    """Search an example below the greeting, which stays."""
    examples = _examples(context)
    reply = await search.ask(context, examples[action.place % len(examples)])
    return Reply(below=reply.screen, toast=reply.toast)


def _examples(context: Context) -> list[str]:
    return context.texts("start-examples").split("; ")


ACTIONS: Actions = {Try: _try}
COMMANDS: Commands = {"start": start, "help": guide.show}

"""The first meeting, and help."""

from __future__ import annotations

from collections.abc import Sequence

from bot import links
from bot.actions import Open
from bot.features import card, picture, search
from bot.features.context import Commands, Context
from bot.ui import Button, Reply, Screen, Share, screen


async def start(context: Context, words: Sequence[str] = ()) -> Reply:
    """Answer /start, with what a deep link may carry: the key of an idiom or a query."""
    match links.read(words[0] if words else ""):
        case "idiom", key:
            return await card.open_card(context, Open(key))
        case "picture", key:
            return await picture.send(context, picture.Picture(key))
        case "query", query if query.strip():
            return await search.ask(context, query)
    return Reply(Screen(context.texts("start")))


async def _show_help(context: Context, _: Sequence[str]) -> Reply:
    texts = context.texts
    example = Button(texts("button-try-inline"), Share(texts("example")))
    return Reply(screen(texts("help", bot=context.asker.bot), (example,)))


COMMANDS: Commands = {"start": start, "help": _show_help}

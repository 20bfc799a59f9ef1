"""What the bot can do, for who asks: in words or by command."""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.context import Context
from bot.ui import Button, Reply, Share, screen


async def show(context: Context, _: Sequence[str] = ()) -> Reply:
    """Answer /help."""
    texts = context.texts
    example = Button(texts("button-try-inline"), Share(texts("example")))
    return Reply(screen(texts("help", bot=context.asker.bot), (example,)))

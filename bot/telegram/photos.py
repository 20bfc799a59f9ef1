"""Pictures: drawn beside the event loop, and sent to Telegram as a file once."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from telegram import Bot, InputFile
from telegram.error import BadRequest

from bot.features.context import Context
from bot.telegram import render
from bot.ui import Photo, Poster

_UNKNOWN = "wrong "
"""What a refusal begins with where Telegram does not know the name of a file, or not for this bot."""
# One pencil: a picture takes some 50 ms of a processor, which the search needs too.
_PENCIL = ThreadPoolExecutor(1, "drawing")

logger = logging.getLogger(__name__)


async def send(bot: Bot, context: Context, photo: Photo, where: dict[str, Any]) -> None:
    """Send a picture: by the name under which Telegram keeps it or, the first time, as a file."""
    name = photo.poster.digest
    known = (await context.or_else(context.store.pictures([name]), {})).get(name)
    if known:
        try:
            await render.send_photo(bot, photo, known, where)
            return
        except BadRequest as error:
            if not error.message.lower().startswith(_UNKNOWN):
                raise
            logger.info("Telegram does not know a picture any more: %s", error)
    drawn = await asyncio.get_running_loop().run_in_executor(_PENCIL, _drawn, photo.poster)
    file_id = await render.send_photo(bot, photo, InputFile(drawn, filename="idiom.png"), where)
    await context.or_else(context.store.add_picture(name, file_id), None)


def _drawn(poster: Poster) -> bytes:
    from bot.drawing import draw  # here, because it takes 4 MB that a bot need not spend until somebody asks

    return draw(poster)

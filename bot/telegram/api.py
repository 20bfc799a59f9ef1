"""Calls of the Bot API in plain JSON: to build, copy and read the library's objects takes longer than a search."""

from __future__ import annotations

from typing import Any

from telegram import Bot

from bot.telegram.transport import READ_SECONDS


async def call(bot: Bot, method: str, *, read_timeout: float = READ_SECONDS, **parameters: Any) -> Any:
    """Call a method of the Bot API with the parameters that are not None, and return its result as JSON.

    Raises TelegramError, and Overtaken for a message that newer ones displaced.
    """
    given = {name: value for name, value in parameters.items() if value is not None}
    # The public way, do_api_request, is for methods that the library lacks, and warns of all others.
    return await bot._post(method, given, read_timeout=read_timeout)

"""Calls of the Bot API in plain JSON: to build, copy and read the library's objects takes longer than a search."""

from __future__ import annotations

from typing import Any

from telegram import Bot
from telegram.ext import ExtBot

from bot.telegram.pace import First
from bot.telegram.transport import READ_SECONDS


async def call(
    bot: Bot, method: str, *, read_timeout: float = READ_SECONDS, first: First | None = None, **parameters: Any
) -> Any:
    """Call a method of the Bot API with the parameters that are not None, and return its result as JSON.

    `first` is for a message that has to wait for its turn. Raises TelegramError, what `first` raises, and Overtaken for
    a message that newer ones displaced.
    """
    given = {name: value for name, value in parameters.items() if value is not None}
    given = ExtBot._merge_api_rl_kwargs(given, first) or {}
    # The public way, do_api_request, is for methods that the library lacks, and warns of all others.
    return await bot._post(method, given, read_timeout=read_timeout)

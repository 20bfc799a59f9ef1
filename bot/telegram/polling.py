"""Polling: asking Telegram for updates, for ever, whatever the network does."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, TypeVar

from telegram import Bot
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.telegram.api import call
from bot.telegram.inbox import UPDATE_TYPES, number_of
from bot.telegram.pace import seconds_of

POLL_SECONDS = 30
"""How long Telegram holds a poll that has no updates."""
LONGEST_PAUSE = 30.0
LONGEST_SILENCE = 3 * POLL_SECONDS
"""Seconds without an answered poll after which the bot counts as ill."""

Result = TypeVar("Result")

logger = logging.getLogger(__name__)


class Poller:
    """Asks for updates, and confirms them by asking for later ones once they are taken."""

    def __init__(self, bot: Bot, take: Callable[[Sequence[Any]], Awaitable[None]]) -> None:
        self._bot, self._take = bot, take
        self._offset = 0
        self._heard = time.monotonic()

    def trouble(self) -> str | None:
        """Return what is wrong when Telegram has not answered for long, and None when all is well."""
        silent = time.monotonic() - self._heard
        return f"Telegram has answered no poll for {silent:.0f} s" if silent > LONGEST_SILENCE else None

    async def run(self) -> None:
        """Poll for ever. Raises InvalidToken when Telegram refuses the token."""
        await patiently("Turning to polling", self._bot.delete_webhook)
        while True:
            await patiently("The poll for updates", self._poll)

    async def _poll(self) -> None:
        updates = await certainly(self._bot, self._ask)
        self._heard = time.monotonic()
        if not isinstance(updates, list):
            raise TelegramError("the answer to a poll is no list")
        await self._take(updates)
        if known := [number for update in updates if (number := number_of(update))]:
            # Not the greatest ever: after a quiet week Telegram begins anew at any number, perhaps a lower one.
            self._offset = max(known) + 1
        elif updates:
            raise TelegramError("what came is no update")

    async def _ask(self) -> Any:
        # As JSON, because the library would stop at the first update that it cannot read.
        wanted: Any = {"offset": self._offset, "timeout": POLL_SECONDS, "allowed_updates": UPDATE_TYPES}
        return await call(self._bot, "getUpdates", read_timeout=POLL_SECONDS + 10, **wanted)


async def certainly(bot: Bot, request: Callable[[], Awaitable[Result]]) -> Result:
    """Return the result of a request. Raises InvalidToken only when Telegram refuses the token twice."""
    try:
        return await request()
    except InvalidToken:
        # Once may be a slip of Telegram's. If the token is refused, this says so too, and the bot must end.
        await bot.get_me()
        raise TelegramError("Telegram refused the request, but not the token") from None


async def patiently(what: str, request: Callable[[], Awaitable[Result]]) -> Result:
    """Return the result of a request, tried until it succeeds.

    The log gets a line when it fails first, others at growing intervals while it goes on failing, and one when it
    succeeds again. Raises InvalidToken, which no patience mends.
    """
    began, next_line, quiet = time.monotonic(), 0.0, LONGEST_PAUSE
    for pause in _pauses():
        try:
            result = await request()
        except InvalidToken:
            raise
        except TelegramError as error:
            pause = max(pause, seconds_of(error)) if isinstance(error, RetryAfter) else pause
            if (lasted := time.monotonic() - began) >= next_line:
                _tell_failure(what, error, pause, lasted if next_line else 0.0)
                next_line, quiet = lasted + quiet, 2 * quiet
            await asyncio.sleep(pause)
        else:
            if next_line:
                logger.warning("%s succeeds again after %.0f s", what, time.monotonic() - began)
            return result
    raise AssertionError


def _tell_failure(what: str, error: TelegramError, pause: float, lasted: float) -> None:
    """Say why something fails, for how long it has done so, and what follows."""
    match error:
        case Conflict():
            logger.error("Another program asks for the updates of this bot: stop it, or give it its own token")
        case RetryAfter():
            logger.warning("%s must wait %g s: Telegram asks for it", what, pause)
        case _:
            since = f" for {lasted:.0f} s" if lasted else ""
            logger.warning("%s has failed%s and is tried until it succeeds: %s", what, since, error)


def _pauses() -> Iterator[float]:
    """Seconds: 1, 2, 4 ... and then always the longest."""
    pause = 1.0
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)

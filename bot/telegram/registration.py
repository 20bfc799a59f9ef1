"""The webhook's registration: Telegram is told where updates go, and asked again and again whether it still knows."""

from __future__ import annotations

import asyncio
import logging
import time

from telegram import Bot, WebhookInfo

from bot.telegram.inbox import UPDATE_TYPES
from bot.telegram.polling import certainly, patiently

INTERVAL = 60.0
LONGEST_SILENCE = 3 * INTERVAL
"""Seconds without an answer after which the bot counts as ill."""

logger = logging.getLogger(__name__)


class Registration:
    """Keeps Telegram sending updates to the webhook: another program with the token can end that, or turn it away."""

    def __init__(self, bot: Bot, url: str, secret: str) -> None:
        """Have Telegram send updates to `url`, with the secret, by `run`."""
        self._bot, self._url, self._secret = bot, url, secret
        self._heard = time.monotonic()
        self._complaint = ""

    def trouble(self) -> str | None:
        """Return what is wrong when Telegram has not answered for long, and None when all is well."""
        silent = time.monotonic() - self._heard
        return f"Telegram has not answered for {silent:.0f} s" if silent > LONGEST_SILENCE else None

    async def run(self) -> None:
        """Register, and again whenever that is undone, for ever. Raises InvalidToken when the token is refused."""
        await patiently("Naming the webhook", self._register)
        while True:
            self._heard = time.monotonic()
            await asyncio.sleep(INTERVAL)
            known = await patiently("Asking about the webhook", self._known)
            if known.url != self._url:
                logger.error("Another program with this token took the webhook away; it is set again")
                await patiently("Naming the webhook", self._register)
            self._pass_on(known)

    async def _known(self) -> WebhookInfo:
        return await certainly(self._bot, self._bot.get_webhook_info)

    async def _register(self) -> None:
        await self._bot.set_webhook(self._url, secret_token=self._secret, allowed_updates=UPDATE_TYPES)

    def _pass_on(self, known: WebhookInfo) -> None:
        """Tell the log why Telegram cannot reach the webhook, once for each reason."""
        complaint = known.last_error_message or ""
        if complaint not in ("", self._complaint) and known.pending_update_count:
            logger.error("Telegram cannot deliver %d updates: %s", known.pending_update_count, complaint)
        self._complaint = complaint

"""The queue of updates, which a bot takes by long polling or gets at its webhook."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from bot.sandbox.limits import Json, require

_OTHER_POLLER = "other getUpdates request; make sure that only one bot instance is running"
_WEBHOOK_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"


class Updates:
    """Updates stay in `pending` until the bot confirms them, by asking for later ones or through its webhook."""

    def __init__(self) -> None:
        self.pending: list[Json] = []
        self.allowed: list[str] = []
        self.webhook = ""
        self.webhook_secret = ""
        # The fields of WebhookInfo that tell of the last failure.
        self.webhook_error: Json = {}
        self._next_id = 100_001
        self._turn = 0
        self._changed = asyncio.Event()

    def add(self, kind: str, content: Json) -> None:
        """Queue an update of one kind, if the bot wants that kind."""
        if kind in self.allowed or not self.allowed:
            self.pending.append({"update_id": self._next_id, kind: content})
            self._next_id += 1
            self._wake()

    def confirm(self, offset: int) -> None:
        """Forget the updates before `offset`; a negative one keeps that many from the end, one not reached yet all."""
        if offset > self._next_id:
            return
        kept = [update for update in self.pending if update["update_id"] >= offset]
        self.pending = kept if offset >= 0 else self.pending[offset:]

    async def get(self, offset: int, limit: int, timeout: float, allowed_updates: Any) -> list[Json]:
        """Pending updates; waits up to `timeout` seconds for the first. Raises Refusal when another asks meanwhile."""
        require(not self.webhook, _WEBHOOK_ACTIVE, 409)
        if allowed_updates is not None:
            self.allowed = list(allowed_updates)
        turn = self._take_turn()
        self.confirm(offset)
        with suppress(TimeoutError):
            async with asyncio.timeout(min(timeout, 50)):
                while not self.pending:
                    await self.wait()
                    cause = "setWebhook request" if self.webhook else _OTHER_POLLER
                    require(turn == self._turn, f"terminated by {cause}", 409)
        return self.pending[: min(max(limit, 1), 100)]

    async def wait(self) -> None:
        """Until an update comes, or the webhook changes."""
        await self._changed.wait()

    def set_webhook(self, url: str, secret: str) -> None:
        """Replace the webhook, or remove it when the address is empty; a poll that is held ends."""
        self.webhook, self.webhook_secret, self.webhook_error = url, secret, {}
        self._take_turn()

    def _take_turn(self) -> int:
        self._turn += 1
        self._wake()
        return self._turn

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

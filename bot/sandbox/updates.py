"""The queue of updates that a bot takes by long polling, or that its webhook is sent."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.limits import Json, require

# What a bot gets only when it asks for it by name.
_ON_REQUEST = ("chat_member", "message_reaction", "message_reaction_count")
_OTHER_POLLER = "other getUpdates request; make sure that only one bot instance is running"
_WEBHOOK_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"


@dataclass
class Webhook:
    """Where updates are sent, and how that went last."""

    url: str
    secret_token: str = ""
    last_error: Json = field(default_factory=dict)
    """`last_error_date` and `last_error_message` of the last failure, if any."""


class Updates:
    """Updates stay until the bot confirms them by asking for later ones."""

    def __init__(self) -> None:
        self.pending: list[Json] = []
        self.allowed: list[str] = []
        self.webhook: Webhook | None = None
        self._next_id = 100_001
        self._turn = 0
        self._changed = asyncio.Event()

    def add(self, kind: str, content: Json) -> None:
        """Queue an update of one kind, if the bot wants that kind."""
        if kind in self.allowed or (not self.allowed and kind not in _ON_REQUEST):
            self.pending.append({"update_id": self._next_id, kind: content})
            self._next_id += 1
            self._wake()

    def confirm(self, offset: int) -> None:
        """Forget the updates before `offset`; a negative one keeps that many from the end."""
        kept = [update for update in self.pending if update["update_id"] >= offset]
        self.pending = kept if offset >= 0 else self.pending[offset:]

    async def get(self, offset: int, limit: int, timeout: float, allowed: Any) -> list[Json]:
        """Pending updates; waits up to `timeout` seconds for the first. Raises Refusal when another asks meanwhile."""
        require(not self.webhook, _WEBHOOK_ACTIVE, 409)
        if allowed is not None:
            self.allowed = list(allowed)
        turn = self._take_turn()
        self.confirm(offset)
        with suppress(TimeoutError):
            async with asyncio.timeout(min(timeout, 50)):
                while not self.pending:
                    await self._changed.wait()
                    cause = "setWebhook request" if self.webhook else _OTHER_POLLER
                    require(turn == self._turn, f"terminated by {cause}", 409)
        return self.pending[: min(max(limit, 1), 100)]

    async def wait(self) -> None:
        """Until an update comes, or the webhook changes."""
        await self._changed.wait()

    def set_webhook(self, webhook: Webhook | None) -> None:
        """Replace the webhook; a poll that is held ends."""
        self.webhook = webhook
        self._take_turn()

    def _take_turn(self) -> int:
        self._turn += 1
        self._wake()
        return self._turn

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

"""Where Telegram brings updates: whoever does not know the secret costs nothing, and what is confirmed is kept."""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from tornado.web import Application, RequestHandler, stream_request_body

from bot import listening
from bot.listening import Limits, Server

Take = Callable[[list[dict[str, Any]]], Awaitable[None]]
"""Makes updates durable; once it returns, Telegram need not keep them."""

LIMITS = Limits()

logger = logging.getLogger(__name__)


async def listen(take: Take, secret: str, host: str, port: int, path: str, limits: Limits = LIMITS) -> Server:
    """Hand every update that is posted to `path` with the secret to `take`, and confirm it when `take` has returned.

    When `take` raises, Telegram is told to send the update again. Raises SettingsError when the port cannot be had.
    """
    shared = {"take": take, "secret": secret.encode(), "path": f"/{path.lstrip('/')}", "limit": limits.body}
    # No log of accesses: who has no secret could fill the disk, and the path may be a secret too.
    application = Application([(r".*", Webhook, shared)], log_function=lambda _: None)
    return listening.listen(application, host, port, limits)


@stream_request_body
class Webhook(RequestHandler):
    """One update. What is refused is refused before a byte of its body is read, and its connection is closed."""

    def initialize(self, take: Take, secret: bytes, path: str, limit: int) -> None:
        """Get what `listen` was told."""
        self._take, self._secret, self._path, self._limit = take, secret, path, limit
        self._body = bytearray()

    def prepare(self) -> None:
        """Judge a request by its headers."""
        if refusal := self._refusal():
            self.set_header("Connection", "close")
            self._answer(refusal)
        else:
            self.settings["server"].hold(self)

    def data_received(self, chunk: bytes) -> None:
        """Collect the body."""
        self._body += chunk

    async def post(self) -> None:
        """Take the update."""
        try:
            update = json.loads(self._body)
        except (ValueError, RecursionError):
            update = None
        if isinstance(update, dict):
            self._answer(await self._taken(update))
        else:
            logger.warning("The webhook got what is no update: a JSON object is expected")
            self._answer(400)

    def on_finish(self) -> None:
        """Leave the connection to whoever needs one."""
        self.settings["server"].release(self)

    def _refusal(self) -> int:
        """The status of a refusal, or 0."""
        if self.request.path != self._path:
            return 404
        if self.request.method != "POST":
            return 405
        given = self.request.headers.get("X-Telegram-Bot-Api-Secret-Token", "")
        if not hmac.compare_digest(given.encode(), self._secret):
            return 403
        return 413 if self._announced() > self._limit else 0

    def _announced(self) -> int:
        """The length of the body in bytes, or the beginning of a longer number; what is no number tornado refuses."""
        length = self.request.headers.get("Content-Length", "")[:16]
        return int(length) if length.isascii() and length.isdigit() else 0

    async def _taken(self, update: dict[str, Any]) -> int:
        """The status that tells Telegram whether it may forget the update."""
        try:
            await self._take([update])
        except Exception:
            logger.exception("An update was not taken, so Telegram will send it again")
            return 500
        return 200

    def _answer(self, status: int) -> None:
        self.set_status(status)
        self.finish()

"""The local Telegram over HTTP: the Bot API for the bot, and a page for people."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError

from bot.sandbox.limits import Json, Refusal
from bot.sandbox.page import LARGEST_WISH, TOKEN_BYTES, Guarded, Page, Part, Socket
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Upload

WEBHOOK_PAUSE = 1.0
"""Seconds before an update that a webhook did not take is sent again."""
_REACHED = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104, asked about and not bound here
"""Who listens at every address is called by one."""
_PARTS = {"path": str(Path(__file__).with_name("static"))}


@dataclass
class Server:
    """A running server. `url`: where the page is, and what TELEGRAM_API_URL names."""

    url: str
    _http: HTTPServer
    _delivery: asyncio.Task[None]

    async def stop(self) -> None:
        """Close every connection and free the port."""
        self._delivery.cancel()
        self._http.stop()
        await self._http.close_all_connections()


async def serve(telegram: Telegram, port: int, host: str = "127.0.0.1") -> Server:
    """Start serving; port 0 takes any free one. Raises OSError when the port cannot be had."""
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    routes: list[Any] = [
        (r"/bot([^/]+)/([A-Za-z]+)", BotApi),
        (r"/(?:file/bot([^/]+)/files|media)/([\w-]+)", File),
        (r"/socket", Socket),
        (r"/", Page),
        (r"/(\w+\.(?:css|js|svg))", Part, _PARTS),
    ]
    shared: Json = {"telegram": telegram, "guests": {}, "host": host, "page_token": secrets.token_urlsafe(TOKEN_BYTES)}
    sockets: Json = {"websocket_ping_interval": 20, "websocket_max_message_size": LARGEST_WISH}
    http = HTTPServer(Application(routes, **sockets, **shared), max_buffer_size=50 * 1024 * 1024)
    listening.setblocking(False)
    http.add_socket(listening)
    reached = _REACHED.get(host, host)
    place = f"[{reached}]" if ":" in reached else reached
    return Server(f"http://{place}:{listening.getsockname()[1]}", http, asyncio.create_task(deliver(telegram)))


class BotApi(Guarded):
    """`/bot<token>/<method>`, parameters in the address, in a form, in JSON or in multipart."""

    _work: asyncio.Task[Json] | None = None

    async def post(self, token: str, method: str) -> None:
        """Answer a call; a long poll waits here. GET is refused: any web site can make a browser send one."""
        files = {name: Upload(sent[0]["filename"], sent[0]["body"]) for name, sent in self.request.files.items()}
        self._work = asyncio.create_task(self.telegram.call(token, method, self._params(), files))
        with suppress(asyncio.CancelledError):
            answer = await self._work
            self.set_status(answer.get("error_code", 200))
            self.finish(answer)

    def on_connection_close(self) -> None:
        """A bot that has gone away polls no more."""
        if self._work:
            self._work.cancel()

    def _params(self) -> Json:
        if self.request.headers.get("Content-Type", "").startswith("application/json") and self.request.body:
            try:
                return dict(json.loads(self.request.body))
            except (ValueError, TypeError) as error:
                raise HTTPError(400, "the body is no JSON object") from error
        return {name: values[-1].decode() for name, values in self.request.arguments.items()}

    def write_error(self, status_code: int, **more: Any) -> None:
        """In the envelope of the Bot API."""
        self.finish(Refusal(self._reason, status_code).json())


class File(Guarded):
    """A file of a message: for the page, or for the bot, which names its token."""

    def get(self, token: str | None, file_id: str) -> None:
        """Pictures to look at, all else to save."""
        upload = self.telegram.files.get(file_id)
        if token not in (None, self.telegram.token) or not upload:
            raise HTTPError(404)
        is_picture = upload.data.startswith(b"\x89PNG")
        self.set_header("Content-Type", "image/png" if is_picture else "application/octet-stream")
        if not is_picture:
            self.set_header("Content-Disposition", f"attachment; filename*=UTF-8''{quote(upload.name)}")
        self.finish(upload.data)


async def deliver(telegram: Telegram) -> None:
    """Send updates to the webhook, while there is one, in their order and until it takes them."""
    client, updates = AsyncHTTPClient(), telegram.updates
    while True:
        if not updates.webhook or not updates.pending:
            await updates.wait()
            continue
        update, headers = updates.pending[0], {"Content-Type": "application/json"}
        if updates.webhook_secret:
            headers["X-Telegram-Bot-Api-Secret-Token"] = updates.webhook_secret
        # What is redirected could be sent anywhere.
        request = HTTPRequest(
            updates.webhook, "POST", headers, json.dumps(update), request_timeout=30, follow_redirects=False
        )
        try:
            await client.fetch(request)
            updates.confirm(update["update_id"] + 1)
        except (HTTPClientError, OSError) as error:
            answered = isinstance(error, HTTPClientError) and error.code != 599
            complaint = f"{'Wrong response from the webhook' if answered else 'Connection failed'}: {error}"
            updates.webhook_error = {"last_error_date": int(telegram.clock()), "last_error_message": complaint}
            await asyncio.sleep(WEBHOOK_PAUSE)

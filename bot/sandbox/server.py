"""The local Telegram over HTTP: the Bot API for the bot, and a page for people."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from dataclasses import dataclass
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError

from bot.sandbox.limits import Json, Refusal
from bot.sandbox.page import LOOPBACK, Guarded, Media, Page, People, Socket
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Upload
from bot.settings import SettingsError

WEBHOOK_TIMEOUT = 30.0
WEBHOOK_PAUSE = 1.0
"""Seconds before an update that a webhook did not take is sent again."""


@dataclass
class Server:
    """A running server."""

    url: str
    """Where the page is, and what TELEGRAM_API_URL names."""
    _http: HTTPServer
    _delivery: asyncio.Task[None]

    async def stop(self) -> None:
        """Close every connection and free the port."""
        self._delivery.cancel()
        self._http.stop()
        await self._http.close_all_connections()


async def serve(telegram: Telegram, port: int, host: str = "127.0.0.1") -> Server:
    """Start serving; port 0 takes any free one. Raises SettingsError when the port cannot be had."""
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SettingsError(
            f"The local chat cannot listen on {host}, port {port} ({error.strerror}): "
            "stop the program that uses the port, or choose another one."
        ) from error
    listening.setblocking(False)
    port = listening.getsockname()[1]
    options = {"telegram": telegram, "people": People(telegram), "local": host in LOOPBACK}
    routes: list[Any] = [
        (r"/bot([^/]+)/([A-Za-z]+)", BotApi, options),
        (r"/file/bot([^/]+)/files/([\w-]+)", BotFile, options),
        (r"/(page\.(?:css|js|svg)|)", Page, options),
        (r"/media/([\w-]+)", Media, options),
        (r"/socket", Socket, options),
    ]
    http = HTTPServer(Application(routes, websocket_ping_interval=20), max_buffer_size=50 * 1024 * 1024)
    http.add_socket(listening)
    return Server(f"http://{host}:{port}", http, asyncio.create_task(deliver(telegram)))


class BotApi(Guarded):
    """`/bot<token>/<method>`, parameters in the address, in a form, in JSON or in multipart."""

    _work: asyncio.Task[Json] | None = None

    async def post(self, token: str, method: str) -> None:
        """Answer a call; a long poll waits here."""
        files = {name: Upload(sent[0]["filename"], sent[0]["body"]) for name, sent in self.request.files.items()}
        self._work = asyncio.create_task(self.telegram.call(token, method, self._params(), files))
        with contextlib.suppress(asyncio.CancelledError):
            answer = await self._work
            self.set_status(answer.get("error_code", 200))
            self.finish(answer)

    get = post

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


class BotFile(Guarded):
    """A file that `getFile` named."""

    def get(self, token: str, file_id: str) -> None:
        if token != self.telegram.token or file_id not in self.telegram.files:
            raise HTTPError(404)
        self.set_header("Content-Type", "application/octet-stream")
        self.finish(self.telegram.files[file_id].data)


async def deliver(telegram: Telegram) -> None:
    """Send updates to the webhook, while there is one, in their order and until it takes them."""
    client, updates = AsyncHTTPClient(), telegram.updates
    while True:
        if not updates.webhook or not updates.pending:
            await updates.wait()
            continue
        hook, update = updates.webhook, updates.pending[0]
        headers = {"Content-Type": "application/json"}
        if hook.secret_token:
            headers["X-Telegram-Bot-Api-Secret-Token"] = hook.secret_token
        request = HTTPRequest(hook.url, "POST", headers, json.dumps(update), request_timeout=WEBHOOK_TIMEOUT)
        try:
            await client.fetch(request)
            updates.confirm(update["update_id"] + 1)
        except (HTTPClientError, OSError) as error:
            answered = isinstance(error, HTTPClientError) and error.code != 599
            complaint = f"{'Wrong response from the webhook' if answered else 'Connection failed'}: {error}"
            hook.last_error = {"last_error_date": int(telegram.clock()), "last_error_message": complaint}
            await asyncio.sleep(WEBHOOK_PAUSE)

"""The Bot API over real HTTP, for the real client and against what other web sites send."""

from __future__ import annotations

import asyncio
import json

import pytest
from telegram import Bot
from telegram.error import Conflict, InvalidToken
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application as WebApplication
from tornado.web import RequestHandler

from bot.sandbox import server as local_server
from bot.sandbox.limits import Json
from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from support.local import TOKEN, App


async def test_files_travel_both_ways(server: Server, telegram: Telegram, app: App) -> None:
    ann = telegram.add_user("Ann")
    telegram.user_sends(ann, telegram.private(ann), "/start")
    sent = await app.bot.send_document(
        ann.id, b'{"a": 1}', filename="данные.json", caption="<b>Yours</b>", parse_mode="HTML"
    )
    assert sent.document and sent.document.file_name == "данные.json" and sent.caption_html == "<b>Yours</b>"
    assert await (await app.bot.get_file(sent.document)).download_as_bytearray() == b'{"a": 1}'
    shown = await AsyncHTTPClient().fetch(f"{server.url}/media/{sent.document.file_id}")
    assert shown.body == b'{"a": 1}' and shown.headers["Content-Disposition"].startswith("attachment;")


@pytest.mark.parametrize(
    ("query", "body", "kind"),
    [
        ("?chat_id=1000001&text=%D0%94%D0%B0", "", ""),
        ("", "chat_id=1000001&text=%D0%94%D0%B0", "application/x-www-form-urlencoded"),
        ("", '{"chat_id": 1000001, "text": "Да"}', "application/json"),
    ],
)
async def test_every_way_to_pass_parameters(
    server: Server, telegram: Telegram, query: str, body: str, kind: str
) -> None:
    ann = telegram.add_user("Ann")
    telegram.user_sends(ann, telegram.private(ann), "/start")
    address = f"{server.url}/bot{TOKEN}/sendMessage{query}"
    answer = await AsyncHTTPClient().fetch(address, method="POST", body=body, headers={"Content-Type": kind})
    assert json.loads(answer.body)["result"]["text"] == "Да"


@pytest.mark.parametrize(
    ("how", "path", "code"),
    [
        ("POST", f"bot{TOKEN}/launchRocket", 404),
        ("POST", "bot2:other/getMe", 401),
        ("POST", f"bot{TOKEN}/sendMessage", 400),
        ("GET", f"bot{TOKEN}/setWebhook?url=https://evil.example/", 405),
    ],
)
async def test_errors_have_telegrams_status(server: Server, telegram: Telegram, how: str, path: str, code: int) -> None:
    body = "" if how == "POST" else None
    answer = await AsyncHTTPClient().fetch(f"{server.url}/{path}", method=how, body=body, raise_error=False)
    assert (answer.code, json.loads(answer.body)["error_code"]) == (code, code)
    assert telegram.updates.webhook == ""


async def test_the_real_client_knows_these_errors(server: Server, app: App) -> None:
    other = Bot("2:other", f"{server.url}/bot")
    async with other.request:
        with pytest.raises(InvalidToken):
            await other.get_me()
    await app.bot.set_webhook("https://example.org/hook")
    with pytest.raises(Conflict):
        await app.bot.get_updates()


async def test_a_poll_ends_when_the_bot_goes_away(server: Server) -> None:
    request = HTTPRequest(f"{server.url}/bot{TOKEN}/getUpdates?timeout=30", "POST", body="", request_timeout=0.2)
    with pytest.raises(HTTPClientError):
        await AsyncHTTPClient().fetch(request)
    await asyncio.sleep(0.1)
    assert [task for task in asyncio.all_tasks() if "call" in repr(task.get_coro())] == []


async def test_a_webhook_gets_updates_with_the_secret_until_it_takes_them(
    telegram: Telegram, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "WEBHOOK_PAUSE", 0.01)
    received: list[tuple[str, Json]] = []

    class Hook(RequestHandler):
        def post(self) -> None:
            received.append((self.request.headers["X-Telegram-Bot-Api-Secret-Token"], json.loads(self.request.body)))
            self.set_status(500 if len(received) == 1 else 200)

    sockets = bind_sockets(0, "127.0.0.1")
    hook = HTTPServer(WebApplication([("/hook", Hook)]))
    hook.add_sockets(sockets)
    await app.bot.set_webhook(
        f"http://127.0.0.1:{sockets[0].getsockname()[1]}/hook", secret_token="secret-1", allowed_updates=["message"]
    )
    ann = telegram.add_user("Ann")
    telegram.user_sends(ann, telegram.private(ann), "hello")
    async with asyncio.timeout(10):
        while telegram.updates.pending:
            await asyncio.sleep(0.01)
    assert received[0][1]["message"]["text"] == "hello"
    assert [secret for secret, _ in received] == ["secret-1", "secret-1"] and received[0] == received[1]
    info = await app.bot.get_webhook_info()
    assert info.last_error_message == "Wrong response from the webhook: HTTP 500: Internal Server Error"
    hook.stop()
    await hook.close_all_connections()


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
@pytest.mark.parametrize("path", ["", "socket", "bot1:local/getMe", "media/x"])
async def test_other_web_sites_are_kept_out(server: Server, headers: dict[str, str], path: str) -> None:
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x", "Sec-WebSocket-Version": "13"}
    request = HTTPRequest(f"{server.url}/{path}", headers=headers | (upgrade if path == "socket" else {}))
    assert (await AsyncHTTPClient().fetch(request, raise_error=False)).code == 403


async def test_a_port_in_use_is_refused(server: Server, telegram: Telegram) -> None:
    port = int(server.url.rpartition(":")[2])
    with pytest.raises(OSError, match=r"[Aa]ddress already in use"):
        await serve(telegram, port)

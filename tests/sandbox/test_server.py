"""The Bot API over real HTTP, for the real client and against what other web sites send."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest
from telegram import Bot
from telegram.error import BadRequest, Conflict, InvalidToken
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application as WebApplication
from tornado.web import RequestHandler

from bot.sandbox import server as local_server
from bot.sandbox.limits import Json
from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from bot.settings import TOKEN as TOKEN_FORM
from support.local import TOKEN, App
from support.network import HAS_IPV6


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
    await app.bot.set_webhook("http://127.0.0.1:9/hook")
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


async def asked(server: Server, path: str, headers: dict[str, str]) -> int:
    """The status of the answer to a browser that asks for this path."""
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x", "Sec-WebSocket-Version": "13"}
    request = HTTPRequest(f"{server.url}/{path}", headers=headers | (upgrade if path == "socket" else {}))
    return (await AsyncHTTPClient().fetch(request, raise_error=False)).code


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "192.0.2.7"},
        {"Host": "[::1"},
        {"Host": ""},
        {"Origin": "https://evil.example"},
        {"Origin": "http://[::1"},
        {"Origin": "null"},
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["", "page.js", "socket", f"bot{TOKEN}/getMe", "media/x"])
async def test_other_web_sites_are_kept_out(server: Server, headers: dict[str, str], path: str) -> None:
    assert await asked(server, path, headers) in (400, 403)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("127.0.0.1:8765", 200),
        ("localhost", 200),
        ("192.0.2.7:8765", 200),
        ("[2001:db8::7]:8765", 200),
        (socket.gethostname(), 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example:8765", 403),
        ("2130706433.", 403),
    ],
)
async def test_an_open_server_answers_to_no_foreign_name(telegram: Telegram, name: str, code: int) -> None:
    """With HOST=0.0.0.0 too: a site whose name comes to lead here would pass as its own origin."""
    server = await serve(telegram, 0, "0.0.0.0")
    assert server.url.startswith("http://127.0.0.1:"), "the address that a browser on this machine can open"
    assert await asked(server, "", {"Host": name, "Origin": f"http://{name}"}) == code
    await server.stop()


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no IPv6")
async def test_an_address_of_ipv6(telegram: Telegram) -> None:
    server = await serve(telegram, 0, "::1")
    assert server.url.startswith("http://[::1]:")
    assert await asked(server, "", {}) == 200
    answer = await AsyncHTTPClient().fetch(f"{server.url}/bot{TOKEN}/getMe", method="POST", body="")
    assert json.loads(answer.body)["result"]["username"] == "echo_bot"
    await server.stop()


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/hook",
        "http://127.0.0.1.evil.example/hook",
        "http://127.0.0.1@evil.example/hook",
        "http://127.0.0.1:9@evil.example/hook",
        "http://evil.example\\@127.0.0.1/hook",
        "http://192.0.2.7/hook",
        "ftp://127.0.0.1/hook",
    ],
)
async def test_nothing_is_sent_to_another_machine(telegram: Telegram, app: App, url: str) -> None:
    with pytest.raises(BadRequest, match="to this machine only"):
        await app.bot.set_webhook(url)
    assert telegram.updates.webhook == ""


async def test_a_redirected_update_is_not_sent_on(
    telegram: Telegram, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "WEBHOOK_PAUSE", 0.01)
    visited: list[str] = []

    class Hook(RequestHandler):
        def post(self) -> None:
            visited.append(self.request.path)
            self.redirect("/elsewhere", status=307)

    hook = HTTPServer(WebApplication([(".*", Hook)]))
    sockets = bind_sockets(0, "127.0.0.1")
    hook.add_sockets(sockets)
    await app.bot.set_webhook(f"http://127.0.0.1:{sockets[0].getsockname()[1]}/hook")
    ann = telegram.add_user("Ann")
    telegram.user_sends(ann, telegram.private(ann), "hello")
    async with asyncio.timeout(10):
        while len(visited) < 3:
            await asyncio.sleep(0.01)
    assert {*visited} == {"/hook"}
    hook.stop()
    await hook.close_all_connections()


def test_nobody_can_guess_the_token() -> None:
    tokens = {Telegram().token for _ in range(20)}
    assert len(tokens) == 20
    assert all(TOKEN_FORM.fullmatch(token) for token in tokens)


async def test_a_port_in_use_is_refused(server: Server, telegram: Telegram) -> None:
    port = int(server.url.rpartition(":")[2])
    with pytest.raises(OSError, match=r"[Aa]ddress already in use"):
        await serve(telegram, port)

"""The local chat over real HTTP: the real client on one side, a page's websocket on the other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InputTextMessageContent,
    Update,
)
from telegram.error import Conflict, InvalidToken
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, InlineQueryHandler, MessageHandler, filters
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application as WebApplication
from tornado.web import RequestHandler
from tornado.websocket import WebSocketClientConnection, websocket_connect

from bot.sandbox import server as local_server
from bot.sandbox.limits import Json
from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from bot.settings import SettingsError
from support.botapi import check_call

App = Application[Any, Any, Any, Any, Any, Any]
TOKEN = "1:local"


@pytest.fixture
def telegram() -> Telegram:
    return Telegram(TOKEN, "echo_bot", "Echo")


@pytest_asyncio.fixture
async def server(telegram: Telegram) -> AsyncIterator[Server]:
    running = await serve(telegram, 0)
    yield running
    await running.stop()


@pytest_asyncio.fixture
async def app(server: Server) -> AsyncIterator[App]:
    """A small bot that says everything twice."""
    built: App = (
        Application.builder().token(TOKEN).base_url(f"{server.url}/bot").base_file_url(f"{server.url}/file/bot").build()
    )
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("Again", callback_data="again")]])

    async def start(update: Update, _: Any) -> None:
        assert update.message
        await update.message.reply_html("<b>Hello</b>", reply_markup=markup)

    async def echo(update: Update, _: Any) -> None:
        assert update.message and update.message.text
        await update.message.reply_text(update.message.text * 2, reply_markup=markup)

    async def press(update: Update, _: Any) -> None:
        assert update.callback_query
        await update.callback_query.answer("Done")
        await update.callback_query.edit_message_text("Pressed")

    async def inline(update: Update, _: Any) -> None:
        assert update.inline_query
        page = int(update.inline_query.offset or 0)
        content = InputTextMessageContent(update.inline_query.query or "nothing")
        cards = [InlineQueryResultArticle(str(n), f"Card {n}", content, markup) for n in range(page, page + 20)]
        await update.inline_query.answer(cards, next_offset=str(page + 20) if page < 40 else "")

    text = filters.TEXT & ~filters.VIA_BOT
    for handler in (CommandHandler("start", start), MessageHandler(text, echo), CallbackQueryHandler(press)):
        built.add_handler(handler)
    built.add_handler(InlineQueryHandler(inline))
    async with built:
        yield built


@pytest_asyncio.fixture
async def polling(app: App) -> AsyncIterator[App]:
    """The same bot, at work."""
    assert app.updater
    await app.updater.start_polling(timeout=5)
    await app.start()
    yield app
    await app.updater.stop()
    await app.stop()


class Browser:
    """What the page does, without its looks."""

    def __init__(self, socket: WebSocketClientConnection, cookie: str) -> None:
        self._socket, self._open, self.cookie = socket, True, cookie

    @classmethod
    async def open(cls, server: Server, language: str = "en", cookie: str = "") -> Browser:
        headers = {"Accept-Language": language} | ({"Cookie": cookie} if cookie else {})
        page = await AsyncHTTPClient().fetch(f"{server.url}/", headers=headers)
        cookie = page.headers.get("Set-Cookie", cookie).split(";")[0]
        request = HTTPRequest(
            server.url.replace("http", "ws") + "/socket", headers={"Cookie": cookie, "Origin": server.url}
        )
        return cls(await websocket_connect(request), cookie)

    async def next(self, event: str) -> Any:
        """What came with the next event of this kind."""
        async with asyncio.timeout(10):
            while True:
                message = await self._socket.read_message()
                self._open = message is not None
                assert message is not None, f"closed while waiting for {event}"
                received = json.loads(message)
                if received["event"] == event:
                    return received["content"]

    async def close(self) -> None:
        """Close the tab, and hear that it is closed."""
        self._socket.close()
        while self._open:
            self._open = await self._socket.read_message() is not None

    async def do(self, wish: str, **more: Any) -> None:
        await self._socket.write_message(json.dumps({"do": wish, **more}))

    async def send(self, chat: int, text: str) -> Json:
        """Write; the bot's answer."""
        await self.do("send", chat=chat, text=text)
        mine = await self.next("message")
        assert mine["text"] == text
        return dict(await self.next("message"))


Open = Callable[..., Awaitable[Browser]]


@pytest_asyncio.fixture
async def visit(server: Server) -> AsyncIterator[Open]:
    """Opens the page in one more browser."""
    opened: list[Browser] = []

    async def visit(language: str = "en", cookie: str = "") -> Browser:
        opened.append(await Browser.open(server, language, cookie))
        return opened[-1]

    yield visit
    for browser in opened:
        await browser.close()


@pytest.mark.usefixtures("polling")
async def test_a_person_writes_presses_and_reads(visit: Open, telegram: Telegram) -> None:
    browser = await visit("ru")
    state = await browser.next("state")
    assert state["me"]["language_code"] == "ru"
    assert [chat["type"] for chat in state["chats"]] == ["private", "friends", "supergroup"]
    chat = state["chats"][0]["id"]
    assert (await browser.send(chat, "/start"))["entities"] == [{"type": "bold", "offset": 0, "length": 5}]
    answer = await browser.send(chat, "да")
    assert answer["text"] == "дада"
    await browser.do("press", chat=chat, message_id=answer["message_id"], data="again", tag="7")
    pressed = await browser.next("pressed")
    assert pressed["tag"] == "7"
    assert (await browser.next("answer"))["query_id"] == pressed["query_id"]
    assert (await browser.next("edited"))["text"] == "Pressed"
    assert telegram.refusals == [] and telegram.unanswered == []
    for call in telegram.journal:
        check_call(call)


@pytest.mark.usefixtures("polling")
async def test_inline_pages_and_a_card_that_becomes_a_message(visit: Open, telegram: Telegram) -> None:
    browser = await visit()
    friend = (await browser.next("state"))["chats"][1]["id"]
    await browser.do("type", chat=friend, text="cat", offset="", tag="1")
    first = await browser.next("results")
    await browser.do("type", chat=friend, text="cat", offset=first["next_offset"], tag="2")
    second = await browser.next("results")
    assert [card["id"] for card in first["results"] + second["results"]] == [str(n) for n in range(40)]
    await browser.do("choose", chat=friend, query_id=second["query_id"], result_id="25")
    message = await browser.next("message")
    assert message["text"] == "cat" and message["via_bot"]["username"] == "echo_bot"
    await browser.do("press", chat=friend, message_id=message["message_id"], data="again", tag="3")
    assert (await browser.next("edited"))["text"] == "Pressed"
    assert telegram.refusals == []


@pytest.mark.usefixtures("polling")
async def test_two_browsers_are_two_people_and_one_browser_comes_back(visit: Open) -> None:
    ann, bob = await visit(), await visit()
    anns, bobs = await ann.next("state"), await bob.next("state")
    assert anns["me"]["id"] != bobs["me"]["id"]
    await ann.send(anns["chats"][0]["id"], "secret")
    group = anns["chats"][2]["id"]
    await ann.do("send", chat=group, text="hi all")
    assert (await bob.next("message"))["text"] == "hi all", "the private chat is not shown to others, the group is"
    again = await (await visit(cookie=ann.cookie)).next("state")
    assert again["me"] == anns["me"]
    assert [message["text"] for message in again["chats"][0]["messages"]] == ["secret", "secretsecret"]


async def test_a_foreign_chat_is_closed(visit: Open, telegram: Telegram) -> None:
    browser = await visit()
    await browser.next("state")
    stranger = telegram.add_user("Stranger")
    await browser.do("send", chat=stranger.id, text="let me in")
    with pytest.raises(AssertionError, match="closed"):
        await browser.next("message")
    assert telegram.private(stranger).messages == {}


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


async def test_a_port_in_use_is_told_in_one_sentence(server: Server, telegram: Telegram) -> None:
    port = int(server.url.rpartition(":")[2])
    with pytest.raises(SettingsError, match=rf"cannot listen on 127\.0\.0\.1, port {port} .*choose another one\.$"):
        await serve(telegram, port)

"""What the page hears and says over its websocket, in front of a real client over real HTTP."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from bot.sandbox.limits import Json
from bot.sandbox.server import Server
from bot.sandbox.telegram import Telegram
from support.botapi import check_call


class Browser:
    """What the page does, without its looks."""

    def __init__(self, socket: WebSocketClientConnection, cookie: str) -> None:
        self.socket, self._open, self.cookie = socket, True, cookie

    @classmethod
    async def open(cls, server: Server, language: str = "en", cookie: str = "", token: str | None = None) -> Browser:
        headers = {"Accept-Language": language} | ({"Cookie": cookie} if cookie else {})
        page = await AsyncHTTPClient().fetch(f"{server.url}/", headers=headers)
        cookie = page.headers.get("Set-Cookie", cookie).split(";")[0]
        if token is None:
            token = re.findall(r'<meta name="token" content="(.*)">', page.body.decode())[0]
        address = f"{server.url.replace('http', 'ws')}/socket?token={token}"
        request = HTTPRequest(address, headers={"Cookie": cookie, "Origin": server.url})
        return cls(await websocket_connect(request), cookie)

    async def next(self, event: str) -> Any:
        """What came with the next event of this kind."""
        async with asyncio.timeout(10):
            while True:
                message = await self.socket.read_message()
                self._open = message is not None
                assert message is not None, f"closed while waiting for {event}"
                received = json.loads(message)
                if received["event"] == event:
                    return received["content"]

    async def close(self) -> None:
        """Close the tab, and hear that it is closed."""
        self.socket.close()
        while self._open:
            self._open = await self.socket.read_message() is not None

    async def do(self, wish: str, **more: Any) -> None:
        await self.socket.write_message(json.dumps({"do": wish, **more}))

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

    async def visit(language: str = "en", cookie: str = "", token: str | None = None) -> Browser:
        opened.append(await Browser.open(server, language, cookie, token))
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


@pytest.mark.parametrize("token", ["", "guessed"])
async def test_who_has_not_read_the_page_gets_nothing(visit: Open, telegram: Telegram, token: str) -> None:
    """The cookie alone is not enough: a browser adds it to what other sites ask for."""
    browser = await visit(token=token)
    with suppress(WebSocketClosedError):
        await browser.do("send", chat=next(iter(telegram.chats)), text="let me in")
    with pytest.raises(AssertionError, match="closed"):
        await browser.next("state")
    assert browser.socket.close_code == 4001, "upon which the page loads itself anew"
    assert all(chat.messages == {} for chat in telegram.chats.values())


async def test_too_much_at_once_ends_the_connection(visit: Open, telegram: Telegram) -> None:
    browser = await visit()
    chat = (await browser.next("state"))["chats"][0]["id"]
    await browser.do("send", chat=chat, text="\0" * 4095 + "я")
    assert len((await browser.next("message"))["text"]) == 4096
    await browser.do("send", chat=chat, text="я" * 2**16)
    with pytest.raises(AssertionError, match="closed"):
        await browser.next("message")
    assert len(telegram.chats[chat].messages) == 1


async def test_a_foreign_chat_is_closed(visit: Open, telegram: Telegram) -> None:
    browser = await visit()
    await browser.next("state")
    stranger = telegram.add_user("Stranger")
    await browser.do("send", chat=stranger.id, text="let me in")
    with pytest.raises(AssertionError, match="closed"):
        await browser.next("message")
    assert telegram.private(stranger).messages == {}

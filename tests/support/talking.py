"""Drives the real Application against the strict Telegram in memory, as a person with a telephone would."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any
from zoneinfo import ZoneInfo

from telegram import Update
from telegram.ext import ContextTypes
from telegram.request import BaseRequest

from bot.app import build, introduce
from bot.features.context import Services
from bot.sandbox.server import BotApi, Server, serve
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Call, Chat, Query, User
from bot.search.engine import SearchEngine
from bot.settings import Settings
from bot.store.opening import open_store
from bot.telegram.inbox import Inbox
from bot.telegram.jobs import Jobs
from bot.telegram.transport import Transport
from bot.texts import texts_in
from support.botapi import check_call
from support.transport import DirectRequest

TOKEN = "123456:" + "A" * 35
ANNA = 777
NOON = datetime(2026, 3, 10, 12, 0, tzinfo=ZoneInfo("Europe/Moscow")).timestamp()
QUERY = "ничего не делать, бездельничать"
LAYOUT, REPAIRED = ",tpltkmybxfnm", "бездельничать"
"""A query in the wrong keyboard layout."""
FAR = "столица Франции"
"""A query that no idiom is close to."""
QUICK = (0.02, 0.02, 0.02)
"""Seconds before a request is tried again."""
RU, EN = texts_in("ru"), texts_in("en")

Message = dict[str, Any]


class Talk:
    """A person in a chat with the bot. On leaving, no error, refusal or unanswered press may be left."""

    def __init__(
        self,
        engine: SearchEngine,
        language: str = "ru",
        path: Path | str = ":memory:",
        over_http: bool = False,
        api: type[BotApi] | None = None,
        **settings: Any,
    ) -> None:
        self.engine, self.path, self.over_http, self.api = engine, path, over_http or api is not None, api
        self.server: Server | None = None
        # Tests share an engine, so what is chosen in one must not change the answers in another; and few have time.
        self.settings = Settings(token=TOKEN, **{"popularity": False, "messages_per_second": 0, **settings})
        self.telegram = Telegram(TOKEN, "idiomatika_bot", "Idiomatika")
        self.time = self.telegram.clock()
        self.telegram.clock = lambda: self.time
        self.user = self.telegram.add_user("Анна", language, id=ANNA)
        self.chat = self.telegram.private(self.user)
        self.errors: list[Exception] = []

    async def _compose(self) -> None:
        self.store = await open_store(self.path, now=lambda: self.time)
        self.services = Services(self.engine, self.store, self.settings)
        request: Callable[[Callable[[str], None]], BaseRequest] = lambda _: DirectRequest(self.telegram)  # noqa: E731
        if self.server:
            request = partial(Transport, pauses=QUICK)
        self.app = build(self.services, request)
        self.jobs = Jobs(self.services, self.app.bot)
        self.inbox = Inbox(self.store, self.app.bot, self.app.process_update, self.services.metrics)
        self.app.add_error_handler(self._note)

    async def _note(self, _: object, context: ContextTypes.DEFAULT_TYPE) -> None:
        if context.error:
            self.errors.append(context.error)

    async def __aenter__(self) -> Talk:
        if self.over_http:
            self.server = await serve(self.telegram, 0, api=self.api)
            self.settings = replace(self.settings, api_url=self.server.url)
        await self._compose()
        await self.app.initialize()
        await introduce(self.app)
        return self

    async def restart(self) -> None:
        """Stop the bot, and start it again with what it left on disk."""
        await self.app.shutdown()
        await self.store.close()
        await self._compose()
        await self.app.initialize()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.app.shutdown()
        await self.store.close()
        if self.server:
            await self.server.stop()
        if error is None:
            for call in self.telegram.journal:
                check_call(call)
            assert [call for call in self.telegram.refusals if not _is_harmless(call)] == []
            assert self.telegram.unanswered == []
            assert self.errors == []

    async def say(self, text: str, chat: Chat | None = None, user: User | None = None, **more: Any) -> list[Message]:
        """Write a message; what the bot answered."""
        return await self.answers(
            chat or self.chat, lambda to: self.telegram.user_sends(user or self.user, to, text, **more)
        )

    async def show(self, kind: str, caption: str = "") -> list[Message]:
        """Send a sticker, voice, photo or document; what the bot answered."""
        return await self.answers(self.chat, lambda to: self.telegram.user_sends_media(self.user, to, kind, caption))

    async def edit(self, message_id: int, text: str) -> list[Message]:
        """Correct a message; what the bot answered."""
        return await self.answers(self.chat, lambda to: self.telegram.user_edits(to, message_id, text))

    async def answers(self, chat: Chat, act: Any) -> list[Message]:
        """The bot's new messages in a chat after something that a person did."""
        act(chat)
        before = set(chat.messages)
        await self.work()
        return [message for number, message in chat.messages.items() if number not in before]

    async def press(self, message: Message, label: str, user: User | None = None) -> tuple[Message, str]:
        """Press the button with this label; the message as it is then, and the toast."""
        return await self.press_data(message, data(message, label), user)

    async def press_data(self, message: Message, callback_data: str, user: User | None = None) -> tuple[Message, str]:
        """Press a button that carries this data, whether the message has it or not."""
        chat = self.telegram.chats[message["chat"]["id"]]
        query = self.telegram.press(user or self.user, chat, message["message_id"], callback_data)
        await self.work()
        assert query.answer is not None
        return chat.messages[message["message_id"]], str(query.answer.get("text", ""))

    async def inline(self, text: str, offset: str = "") -> Query:
        """Type after the bot's name; the answered query."""
        query = self.telegram.inline_query(self.user, text, offset)
        await self.work()
        assert query.answer is not None
        return query

    async def tick(self) -> list[Message]:
        """Let a minute's work be done; the new messages in the chat."""
        before = set(self.chat.messages)
        await self.jobs.tick()
        return [message for number, message in self.chat.messages.items() if number not in before]

    async def arrive(self) -> None:
        """Let the bot take every update that waits, as in earnest, and answer them when it can."""
        updates, self.telegram.updates.pending = self.telegram.updates.pending, []
        await self.inbox.take(updates)

    async def work(self, at_once: bool = False) -> None:
        """Let the bot answer every update that waits, one after another or, as in earnest, `at_once`."""
        updates, self.telegram.updates.pending = self.telegram.updates.pending, []
        answers = [self.app.process_update(Update.de_json(update, self.app.bot)) for update in updates]
        if at_once:
            await asyncio.gather(*answers)
        else:
            for answer in answers:
                await answer


def _is_harmless(call: Call) -> bool:
    return "message is not modified" in call.answer["description"]


def buttons(message: Message) -> list[dict[str, Any]]:
    """Every button of a message."""
    return [button for row in message.get("reply_markup", {}).get("inline_keyboard", []) for button in row]


def labels(message: Message) -> list[str]:
    """The labels of a message's buttons."""
    return [str(button["text"]) for button in buttons(message)]


def data(message: Message, label: str) -> str:
    """The callback data behind a label, or behind the one label that contains it."""
    (found,) = [b for b in buttons(message) if b["text"] == label] or [
        b for b in buttons(message) if label in b["text"]
    ]
    return str(found["callback_data"])


async def pressed(talk: Talk, message: Message, *labels: str) -> Message:
    """Press buttons one after another, none of which may answer with a toast; the message as it is then."""
    for label in labels:
        message, toast = await talk.press(message, label)
        assert toast == ""
    return message


def numbered(message: Message) -> list[str]:
    """The idioms of a list, which are what is bold in it after a number."""
    units = message["text"].encode("utf-16-le")
    bold = [entity for entity in message.get("entities", ()) if entity["type"] == "bold"]
    told = [units[2 * one["offset"] : 2 * (one["offset"] + one["length"])].decode("utf-16-le") for one in bold]
    return [found[1] for text in told if (found := re.match(r"\d+\. (.+)", text))]


def file_of(talk: Talk, message: Message) -> str:
    """The text of the file that a message brings."""
    return talk.telegram.files[message["document"]["file_id"]].data.decode()

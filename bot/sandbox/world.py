"""Who and what there is in the local Telegram: people, chats, messages, open queries."""

from __future__ import annotations

import re
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.limits import Json, RateLimits, Refusal, given, require
from bot.sandbox.updates import Updates

QUERY_LIFETIME = 15.0
"""Seconds after which Telegram takes no answer to a press or to inline typing any more."""


@dataclass
class User:
    """A person. `started`: wrote to the bot at least once, so that the bot may write."""

    id: int
    first_name: str
    language_code: str = ""
    username: str = ""
    started: bool = False
    blocked: bool = False

    def json(self) -> Json:
        """As a `User` of the Bot API."""
        known = given(username=self.username, language_code=self.language_code)
        return {"id": self.id, "is_bot": False, "first_name": self.first_name} | known


@dataclass
class Chat:
    """A conversation: with the bot ("private"), between two people ("friends") or of a group ("supergroup")."""

    id: int
    type: str
    members: dict[int, User]
    title: str = ""
    has_bot: bool = True
    topics: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Json] = field(default_factory=dict)
    next_message_id: int = 1
    bot_spoke_last: bool = False

    def json(self) -> Json:
        """As a `Chat` of the Bot API."""
        chat: Json = {"id": self.id, "type": self.type}
        if self.type == "private":
            person = self.members[self.id]
            return chat | given(first_name=person.first_name, username=person.username)
        return chat | {"title": self.title} | given(is_forum=bool(self.topics))


@dataclass
class Query:
    """What a person did and the bot should answer soon: a press of a button, or typing after the bot's name."""

    id: str
    user: User
    request: Json
    asked: float
    chat: Chat | None = None
    answer: Json | None = None


@dataclass(frozen=True)
class Upload:
    """A file that came with a request."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Call:
    """A request of the bot and the answer that it got."""

    method: str
    params: Json
    answer: Json


def new_token() -> str:
    """A bot's token that nobody can guess, in Telegram's form."""
    return f"{10**9 + secrets.randbelow(9 * 10**9)}:{secrets.token_urlsafe(27)[:35]}"


class World:
    """The state. Messages, users and chats are Bot API objects once they leave it."""

    def __init__(self, token: str = "", username: str = "local_bot", name: str = "Local bot") -> None:
        self.token = token or new_token()
        number = int(self.token.partition(":")[0])
        self.bot: Json = {"id": number, "is_bot": True, "first_name": name, "username": username}
        self.clock: Callable[[], float] = time.time
        self.privacy_mode = True
        self.rate_limits: RateLimits | None = None
        self.users: dict[int, User] = {}
        self.chats: dict[int, Chat] = {}
        self.updates = Updates()
        self.callback_queries: dict[str, Query] = {}
        self.inline_queries: dict[str, Query] = {}
        # Until when an answer holds, by query, offset and, if it is personal, user.
        self.inline_cache: dict[tuple[str, str, int | None], tuple[float, Json]] = {}
        # Where the messages stand that were made from inline results, and the polls.
        self.inline_messages: dict[str, tuple[Chat, int]] = {}
        self.polls: dict[str, tuple[Chat, int]] = {}
        self.votes: dict[str, dict[int, list[int]]] = {}
        self.files: dict[str, Upload] = {}
        # Those of the files that were sent as photos, as a `PhotoSize`.
        self.pictures: dict[str, Json] = {}
        # Commands, description and short description, by which of them, scope and language.
        self.profile: dict[tuple[str, str, str], Any] = {}
        # Called with an event (message, edited, answer, results, profile), its chat and its content.
        self.observers: list[Callable[[str, Chat | None, Json], None]] = []
        self.journal: deque[Call] = deque(maxlen=100_000)

    def notify(self, event: str, chat: Chat | None, content: Json) -> None:
        """Tell the observers what happened."""
        for observer in list(self.observers):
            observer(event, chat, content)

    def private(self, user: User) -> Chat:
        """The person's chat with the bot."""
        return self.chats.setdefault(user.id, Chat(user.id, "private", {user.id: user}))

    def post(self, chat: Chat, sender: Json, content: Json, thread_id: int = 0, reply_to: int = 0) -> Json:
        """Put a message into a chat. `content` holds its text, poll, document, keyboard and so on."""
        replied = chat.messages.get(reply_to, {})
        thread_id = thread_id or replied.get("message_thread_id", 0)
        quoted = {name: value for name, value in replied.items() if name != "reply_to_message"}
        message = {"message_id": chat.next_message_id, "from": sender, "chat": chat.json(), "date": int(self.clock())}
        message |= given(message_thread_id=thread_id, is_topic_message=bool(thread_id), reply_to_message=quoted)
        message |= content
        chat.messages[chat.next_message_id] = message
        chat.next_message_id += 1
        chat.bot_spoke_last = sender == self.bot
        self.notify("message", chat, message)
        return message

    def change(self, chat: Chat, message: Json, content: Json, *, visible: bool = True) -> Json:
        """Replace what a message shows; copies that were handed out before stay as they were."""
        kept = {k: v for k, v in message.items() if k not in ("text", "entities", "reply_markup", "poll")}
        changed = kept | content | ({"edit_date": int(self.clock())} if visible else {})
        chat.messages[message["message_id"]] = changed
        self.notify("edited", chat, changed)
        return changed

    def writable(self, chat_id: str, thread_id: int = 0) -> Chat:
        """The chat with this identifier. Raises Refusal when the bot may not write to it."""
        require(chat_id, "chat_id is empty")
        chat = self.chats.get(int(chat_id)) if re.fullmatch(r"-?\d{1,18}", chat_id) else None
        if chat is None or chat.type == "friends":
            raise Refusal("chat not found")
        if user := chat.members.get(chat.id):
            require(not user.blocked, "bot was blocked by the user", 403)
            require(user.started, "bot can't initiate conversation with a user", 403)
        require(chat.has_bot, f"bot was kicked from the {chat.type} chat", 403)
        require(not thread_id or thread_id in chat.topics, "message thread not found")
        return chat

    def store(self, upload: Upload) -> Json:
        """Keep a file. Returns its identifiers and its size in bytes."""
        file_id = f"file-{secrets.token_hex(12)}"
        self.files[file_id] = upload
        return {"file_id": file_id, "file_unique_id": file_id[5:17], "file_size": len(upload.data)}

    def open_query(self, queries: dict[str, Query], user: User, request: Json, chat: Chat | None) -> Query:
        """Ask the bot something that it should answer soon."""
        query_id = str(secrets.randbits(62))
        full = {"id": query_id, "from": user.json()} | request
        queries[query_id] = Query(query_id, user, full, self.clock(), chat)
        return queries[query_id]

    def close_query(self, queries: dict[str, Query], query_id: str, answer: Json) -> Query:
        """Answer a query, which is possible once and for QUERY_LIFETIME seconds. Raises Refusal."""
        query = queries.get(query_id)
        if not query or query.answer is not None or self.clock() - query.asked > QUERY_LIFETIME:
            raise Refusal("query is too old and response timeout expired or query ID is invalid")
        query.answer = answer
        return query

"""The page for people: a messenger in the browser. Each browser is one person."""

from __future__ import annotations

import json
import secrets
import socket
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from tornado.web import HTTPError, RequestHandler, StaticFileHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from bot.sandbox.limits import Json
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Chat, Query, User

LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_BYTES = 24
LARGEST_WISH = 64 * 1024
"""Bytes of what the page may say at once; a message of 4,096 characters takes at most 24 KB as JSON."""
_PAGE = Path(__file__).with_name("static") / "page.html"
_NAMES = {"ru": ("Гость", "Друг", "Общий чат"), "en": ("Guest", "Friend", "Group chat")}
_ORDER = ("private", "friends", "supergroup")


def welcome(telegram: Telegram, number: int, language: str) -> User:
    """A new person, who gets a chat with the bot, a friend, and a group that all people of the page share."""
    guest, friend, title = _NAMES.get(language, _NAMES["en"])
    user = telegram.add_user(f"{guest} {number}", language)
    telegram.add_friends(user, telegram.add_user(friend, language))
    groups = [chat for chat in telegram.chats.values() if chat.type == "supergroup"]
    group = groups[0] if groups else telegram.add_group(title, [user])
    group.members[user.id] = user
    return user


def is_own(name: str, host: str) -> bool:
    """Whether a request may call a server that listens at `host` by this name: only names that nobody else can give.

    A foreign name may lead here too, for a web site that changes where its name leads. An address cannot be borrowed.
    """
    if name in LOOPBACK or host in LOOPBACK:
        return name in LOOPBACK
    return name in (host.lower(), socket.gethostname().lower()) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _host_of(url: str) -> str:
    """The host of a URL in small letters, without brackets and port; empty for what is no URL."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


class Guarded(RequestHandler):
    """Refuses what other web sites send through a browser, under their own name or under a borrowed one."""

    def prepare(self) -> None:
        self.telegram: Telegram = self.settings["telegram"]
        self.guests: dict[str, User] = self.settings["guests"]
        if not is_own(_host_of(f"//{self.request.host}"), self.settings["host"]):
            raise HTTPError(403, reason="this server answers to its own addresses only")
        origin = self.request.headers.get("Origin")
        if origin and origin.partition("://")[2] != self.request.host:
            raise HTTPError(403, reason="requests of other web sites are refused")

    def set_default_headers(self) -> None:
        """Nothing is loaded from elsewhere, nobody frames the page."""
        self.set_header("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-cache")


class Page(Guarded):
    """The page, with the token that its socket must show. A browser that opens it for the first time is a new person.

    Other sites' scripts can make a browser open the socket, with its cookie too, but can read no page of this one.
    """

    def get(self) -> None:
        if self.get_cookie("person") not in self.guests:
            cookie, language = secrets.token_urlsafe(16), self.request.headers.get("Accept-Language", "en")[:2].lower()
            self.guests[cookie] = welcome(self.telegram, len(self.guests) + 1, language)
            self.set_cookie("person", cookie, httponly=True, samesite="Strict")
        self.set_header("Cache-Control", "no-store")
        self.finish(_PAGE.read_text(encoding="utf-8").replace("{token}", self.settings["page_token"]))


class Part(Guarded, StaticFileHandler):
    """The files that the page is made of."""


class Socket(Guarded, WebSocketHandler):
    """What a person does comes in; what they would see goes out."""

    def open(self, *_: str) -> None:
        """Show everything, then every change."""
        self._typed: dict[str, Query] = {}
        is_ours = secrets.compare_digest(self.get_argument("token", "").encode(), self.settings["page_token"].encode())
        if is_ours and (user := self.guests.get(self.get_cookie("person", ""))):
            self._user = user
            self.telegram.observers.append(self._observe)
            self._show_all()
        else:
            self.close(4001, "reload the page")

    def on_close(self) -> None:
        if self._observe in self.telegram.observers:
            self.telegram.observers.remove(self._observe)

    def on_message(self, message: str | bytes) -> None:
        """`{do: ..., ...}`; what the page would never send ends the connection."""
        try:
            wish = json.loads(message)
            getattr(self, f"_do_{wish.pop('do')}")(**wish)
        except (ValueError, KeyError, TypeError, AttributeError, StopIteration):
            self.close(1007, "not understood")

    def _do_send(self, chat: int, text: str, reply_to: int = 0) -> None:
        if text.strip():
            self.telegram.user_sends(self._user, self._chat(chat), text.strip()[:4096], reply_to=reply_to)

    def _do_media(self, chat: int, kind: str) -> None:
        self.telegram.user_sends_media(self._user, self._chat(chat), kind)

    def _do_edit(self, chat: int, message_id: int, text: str) -> None:
        message = self._chat(chat).messages[message_id]
        if message["from"]["id"] == self._user.id and "text" in message and text.strip():
            self.telegram.user_edits(self._chat(chat), message_id, text.strip()[:4096])

    def _do_press(self, chat: int, message_id: int, data: str, tag: str) -> None:
        query = self.telegram.press(self._user, self._chat(chat), message_id, data)
        self._write("pressed", {"tag": tag, "query_id": query.id})

    def _do_type(self, chat: int, text: str, offset: str, tag: str) -> None:
        query = self.telegram.inline_query(self._user, text, offset, self._chat(chat))
        self._typed[query.id] = query
        self._write("typed", {"tag": tag, "query_id": query.id})
        if query.answer:
            self._write("results", query.answer | {"query_id": query.id})

    def _do_choose(self, chat: int, query_id: str, result_id: str) -> None:
        self.telegram.choose(self._typed[query_id], result_id, self._chat(chat))
        self._typed.clear()

    def _do_vote(self, poll_id: str, options: list[int]) -> None:
        self._chat(self.telegram.polls[poll_id][0].id)
        self.telegram.vote(self._user, poll_id, options)
        self._write("votes", self._votes())

    def _do_block(self, blocked: bool) -> None:
        self.telegram.block(self._user, blocked)
        self._show_all()

    def _do_language(self, code: str) -> None:
        self._user.language_code = code[:2]
        self._show_all()

    def _chat(self, chat_id: int) -> Chat:
        """A chat that the person is in. Raises KeyError."""
        return {chat.id: chat for chat in self._chats()}[chat_id]

    def _chats(self) -> list[Chat]:
        return [chat for chat in self.telegram.chats.values() if self._user.id in chat.members]

    def _votes(self) -> Json:
        return {poll: votes[self._user.id] for poll, votes in self.telegram.votes.items() if self._user.id in votes}

    def _show_all(self) -> None:
        state: Json = {
            "me": self._user.json() | {"blocked": self._user.blocked},
            "bot": self.telegram.bot | {"description": self.telegram.description(self._user)},
            "chats": [self._shown(chat) for chat in sorted(self._chats(), key=lambda chat: _ORDER.index(chat.type))],
            "votes": self._votes(),
        }
        self._write("state", state)

    def _shown(self, chat: Chat) -> Json:
        others = [user.first_name for user in chat.members.values() if user != self._user]
        return chat.json() | {
            "title": others[0] if chat.type == "friends" else chat.title or self.telegram.bot["first_name"],
            "members": len(chat.members) + chat.has_bot,
            "commands": self.telegram.menu(self._user, chat) if chat.has_bot else [],
            "messages": list(chat.messages.values()),
        }

    def _observe(self, event: str, chat: Chat | None, content: Json) -> None:
        mine = content.get("user_id", self._user.id) == self._user.id and (not chat or self._user.id in chat.members)
        if mine and event == "profile":
            self._show_all()
        elif mine:
            self._write(event, content | ({"chat_id": chat.id} if chat else {}))

    def _write(self, event: str, content: Json) -> None:
        try:
            self.write_message({"event": event, "content": content})
        except WebSocketClosedError:
            self.on_close()

"""The page: a messenger in the browser. Each browser is one person."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from urllib.parse import quote, urlsplit

from tornado.web import HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from bot.sandbox.limits import Json
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Chat, Query, User

_FOLDER = Path(__file__).parent
_FILES = {"": "text/html", "page.css": "text/css", "page.js": "text/javascript", "page.svg": "image/svg+xml"}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ORDER = ("private", "friends", "supergroup")
_NAMES = {"ru": ("Гость", "Друг", "Общий чат"), "en": ("Guest", "Friend", "Group chat")}


class People:
    """Who sits at which browser, and where they talk."""

    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram
        self._known: dict[str, User] = {}
        self._group: Chat | None = None

    def at(self, cookie: str | None) -> User | None:
        """The person at a browser that was here before."""
        return self._known.get(cookie or "")

    def welcome(self, language: str) -> str:
        """A cookie for a new person, who gets a chat with the bot, the common group and a friend."""
        guest, friend, title = _NAMES["ru" if language == "ru" else "en"]
        user = self._telegram.add_user(f"{guest} {len(self._known) + 1}", language)
        self._telegram.add_friends(user, self._telegram.add_user(friend, language))
        if not self._group:
            self._group = self._telegram.add_group(title, [user])
        self._group.members[user.id] = user
        cookie = secrets.token_urlsafe(16)
        self._known[cookie] = user
        return cookie


class Guarded(RequestHandler):
    """Refuses what other web sites send through a browser, under their own name or under a borrowed one."""

    def initialize(self, telegram: Telegram, people: People, local: bool) -> None:
        """`local`: only names of this computer are taken for the server's own."""
        self.telegram, self.people, self._local = telegram, people, local

    def prepare(self) -> None:
        if self._local and urlsplit(f"//{self.request.host}").hostname not in LOOPBACK:
            raise HTTPError(403, reason="this server answers to 127.0.0.1 and localhost only")
        origin = self.request.headers.get("Origin")
        if origin and urlsplit(origin).netloc != self.request.host:
            raise HTTPError(403, reason="requests of other web sites are refused")

    def set_default_headers(self) -> None:
        """Nothing is loaded from elsewhere, nobody frames the page."""
        self.set_header("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-cache")


class Page(Guarded):
    """The page and its companions."""

    def get(self, name: str) -> None:
        """One of the files; who opens the page becomes a person."""
        if not name and not self.people.at(self.get_cookie("person")):
            language = self.request.headers.get("Accept-Language", "en")[:2].lower()
            self.set_cookie("person", self.people.welcome(language), httponly=True, samesite="Strict")
        self.set_header("Content-Type", f"{_FILES[name]}; charset=utf-8")
        self.finish((_FOLDER / (name or "page.html")).read_bytes())


class Media(Guarded):
    """A file of a message, for the page."""

    def get(self, file_id: str) -> None:
        """Pictures to look at, all else to save."""
        upload = self.telegram.files.get(file_id)
        if not upload:
            raise HTTPError(404)
        picture = upload.data.startswith(b"\x89PNG")
        self.set_header("Content-Type", "image/png" if picture else "application/octet-stream")
        if not picture:
            self.set_header("Content-Disposition", f"attachment; filename*=UTF-8''{quote(upload.name)}")
        self.finish(upload.data)


class Socket(Guarded, WebSocketHandler):
    """What a person does comes in; what they would see goes out."""

    def open(self, *_: str) -> None:
        """Show everything, then every change."""
        self._typed: dict[str, Query] = {}
        self._user = self.people.at(self.get_cookie("person"))
        if self._user:
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
            self.telegram.user_sends(self._me, self._chat(chat), text.strip()[:4096], reply_to=reply_to)

    def _do_media(self, chat: int, kind: str) -> None:
        self.telegram.user_sends_media(self._me, self._chat(chat), kind)

    def _do_edit(self, chat: int, message_id: int, text: str) -> None:
        message = self._chat(chat).messages[message_id]
        if message["from"]["id"] == self._me.id and "text" in message and text.strip():
            self.telegram.user_edits(self._chat(chat), message_id, text.strip()[:4096])

    def _do_press(self, chat: int, message_id: int, data: str, tag: str) -> None:
        query = self.telegram.press(self._me, self._chat(chat), message_id, data)
        self._write("pressed", {"tag": tag, "query_id": query.id})

    def _do_type(self, chat: int, text: str, offset: str, tag: str) -> None:
        query = self.telegram.inline_query(self._me, text, offset, self._chat(chat))
        self._typed[query.id] = query
        self._write("typed", {"tag": tag, "query_id": query.id})
        if query.answer:
            self._write("results", query.answer | {"query_id": query.id})

    def _do_choose(self, chat: int, query_id: str, result_id: str) -> None:
        self.telegram.choose(self._typed[query_id], result_id, self._chat(chat))
        self._typed.clear()

    def _do_vote(self, poll_id: str, options: list[int]) -> None:
        self._chat(self.telegram.polls[poll_id][0].id)
        self.telegram.vote(self._me, poll_id, options)
        self._write("votes", self._votes())

    def _do_block(self, blocked: bool) -> None:
        self.telegram.block(self._me, blocked)
        self._show_all()

    def _do_language(self, code: str) -> None:
        self._me.language_code = code[:2]
        self._show_all()

    @property
    def _me(self) -> User:
        assert self._user is not None
        return self._user

    def _chat(self, chat_id: int) -> Chat:
        chat = self.telegram.chats[chat_id]
        if self._me.id not in chat.members:
            raise KeyError(chat_id)
        return chat

    def _votes(self) -> Json:
        return {poll: votes[self._me.id] for poll, votes in self.telegram.votes.items() if self._me.id in votes}

    def _show_all(self) -> None:
        mine = [chat for chat in self.telegram.chats.values() if self._me.id in chat.members]
        self._write(
            "state",
            {
                "me": self._me.json() | {"blocked": self._me.blocked},
                "bot": self.telegram.bot | {"description": self.telegram.description(self._me)},
                "chats": [self._shown(chat) for chat in sorted(mine, key=lambda chat: _ORDER.index(chat.type))],
                "votes": self._votes(),
            },
        )

    def _shown(self, chat: Chat) -> Json:
        others = [user.first_name for user in chat.members.values() if user != self._me]
        title = chat.title or self.telegram.bot["first_name"]
        return {
            "id": chat.id,
            "type": chat.type,
            "title": others[0] if chat.type == "friends" else title,
            "members": len(chat.members) + chat.has_bot,
            "commands": self.telegram.menu(self._me, chat) if chat.has_bot else [],
            "messages": list(chat.messages.values()),
        }

    def _observe(self, event: str, chat: Chat | None, content: Json) -> None:
        mine = content.get("user_id", self._me.id) == self._me.id and (not chat or self._me.id in chat.members)
        if mine and event == "profile":
            self._show_all()
        elif mine:
            self._write(event, content | ({"chat_id": chat.id} if chat else {}))

    def _write(self, event: str, content: Json) -> None:
        try:
            self.write_message({"event": event, "content": content})
        except WebSocketClosedError:
            self.on_close()

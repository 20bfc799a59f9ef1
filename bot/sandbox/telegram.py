"""The local Telegram: what the bot calls, and what people do."""

from __future__ import annotations

import json
import re
import secrets
from collections import deque
from collections.abc import Mapping
from functools import cache
from typing import Any, get_type_hints

from bot.sandbox.entities import detect
from bot.sandbox.limits import Json, Refusal, given, require
from bot.sandbox.methods import Methods, Sending
from bot.sandbox.world import Call, Chat, Query, Upload, User

# Parameters that change nothing that can be seen here.
_WITHOUT_EFFECT = frozenset(
    "allow_paid_broadcast disable_content_type_detection disable_notification ip_address link_preview_options "
    "max_connections message_effect_id protect_content".split()
)
_NAMES = {name.replace("_", ""): name for name in vars(Methods) if not name.startswith("_")}
_STICKER = {"type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False, "emoji": "👍"}
_MEDIA: dict[str, Json] = {
    "sticker": _STICKER,
    "voice": {"duration": 3, "mime_type": "audio/ogg"},
    "photo": {"width": 320, "height": 240},
    "document": {"file_name": "notes.txt", "mime_type": "text/plain"},
}


class Telegram(Methods):
    """A strict Telegram in memory with one bot, many people and their chats."""

    def __init__(self, token: str = "1:local", username: str = "local_bot", name: str = "Local bot") -> None:
        super().__init__(token, username, name)
        self.journal: deque[Call] = deque(maxlen=100_000)

    # What the bot calls.

    async def call(
        self, token: str, method: str, params: Mapping[str, Any], files: Mapping[str, Upload] | None = None
    ) -> Json:
        """The answer of the Bot API, envelope included. Values may be JSON texts, as in a form, or plain ones."""
        sent = {**(files or {}), **params}
        try:
            require(token == self.token, "Unauthorized", 401)
            arguments = self._arguments(method, sent, files or {})
            if self.rate_limits and method.lower().startswith(("send", "edit")):
                self.rate_limits.check(str(sent.get("chat_id", "")), self.clock())
            answer = {"ok": True, "result": await getattr(self, _NAMES[method.lower()])(**arguments)}
        except Refusal as refusal:
            answer = refusal.json()
        self.journal.append(Call(method, sent, answer))
        return answer

    @property
    def refusals(self) -> list[Call]:
        """Every call that was answered with an error."""
        return [call for call in self.journal if not call.answer["ok"]]

    @property
    def unanswered(self) -> list[Query]:
        """Every press that the bot has not answered."""
        return [query for query in self.callback_queries.values() if query.answer is None]

    def _arguments(self, method: str, sent: Json, files: Mapping[str, Upload]) -> Json:
        require(method.lower() in _NAMES, "Not Found: method not found", 404)
        known = _parameters(_NAMES[method.lower()])
        unknown = ", ".join(sorted(set(sent) - set(known) - _WITHOUT_EFFECT - set(files)))
        require(not unknown, f"the local chat does not know these parameters of {method}: {unknown}")
        return {name: _value(name, sent[name], known[name], files) for name in known if name in sent}

    # What people do.

    def add_user(self, first_name: str, language_code: str = "", *, username: str = "", id: int = 0) -> User:
        """A new person, who has not met the bot."""
        user = User(id or 1_000_001 + len(self.users), first_name, language_code, username)
        self.users[user.id] = user
        self.private(user)
        return user

    def add_group(self, title: str, members: list[User], *, topics: tuple[str, ...] = ()) -> Chat:
        """A supergroup; with topics it is a forum, whose threads are numbered from 2."""
        people = {user.id: user for user in members}
        chat = Chat(-1_002_000_000_001 - len(self.chats), "supergroup", people, title)
        chat.topics = dict(enumerate(topics, start=2))
        chat.next_message_id += len(topics) + 1
        self.chats[chat.id] = chat
        self._membership(chat, members[0], "left", "member")
        return chat

    def add_friends(self, one: User, other: User) -> Chat:
        """A private chat between two people: the bot is known there by inline mode only."""
        chat = Chat(5_000_000_000 + len(self.chats), "friends", {one.id: one, other.id: other}, has_bot=False)
        self.chats[chat.id] = chat
        return chat

    def user_sends(self, user: User, chat: Chat, text: str, *, thread_id: int = 0, reply_to: int = 0) -> Json:
        """A person writes. Commands, mentions and links become entities."""
        return self._person_posts(user, chat, _written(text), thread_id, reply_to)

    def user_sends_media(self, user: User, chat: Chat, kind: str, caption: str = "") -> Json:
        """A person sends a sticker, voice, photo or document."""
        media = self.store(Upload(kind, b"-")) | _MEDIA[kind]
        content = {kind: [media] if kind == "photo" else media} | given(caption=caption)
        return self._person_posts(user, chat, content)

    def user_edits(self, chat: Chat, message_id: int, text: str) -> Json:
        """A person changes a message of theirs."""
        message = self.change(chat, chat.messages[message_id], _written(text))
        if self._bot_sees(chat, message):
            self.updates.add("edited_message", message)
        return message

    def press(self, user: User, chat: Chat, message_id: int, data: str) -> Query:
        """A person presses a button that carries `data`, on whatever version of the message they still see."""
        inline_id = next((key for key, where in self.inline_messages.items() if where == (chat, message_id)), "")
        request: Json = {"chat_instance": str(abs(chat.id)), "data": data}
        gone = {"chat": chat.json(), "message_id": message_id, "date": 0}
        request |= {"inline_message_id": inline_id} if inline_id else {"message": chat.messages.get(message_id, gone)}
        query = self.open_query(self.callback_queries, user, request, chat)
        self.updates.add("callback_query", query.request)
        return query

    def inline_query(self, user: User, text: str, offset: str = "", chat: Chat | None = None) -> Query:
        """A person types after the bot's name; an answer that Telegram remembers comes at once."""
        kind = {"friends": "private", "private": "sender"}.get(chat.type, chat.type) if chat else "sender"
        request = {"query": text[:256], "offset": offset, "chat_type": kind}
        query = self.open_query(self.inline_queries, user, request, chat)
        for owner in (user.id, None):
            until, answer = self.inline_cache.get((text[:256], offset, owner), (0.0, {}))
            if until > self.clock():
                self.close_query(self.inline_queries, query.id, answer)
                return query
        self.updates.add("inline_query", query.request)
        return query

    def choose(self, query: Query, result_id: str, chat: Chat | None = None) -> Json:
        """A person sends one of the cards to a chat; returns the message."""
        card = next(card for card in (query.answer or {})["results"] if card["id"] == result_id)
        chat = chat or query.chat or self.private(query.user)
        chosen = {"result_id": result_id, "from": query.user.json(), "query": query.request["query"]}
        if "reply_markup" in card["message"]:
            chosen["inline_message_id"] = secrets.token_urlsafe(20)
            self.inline_messages[chosen["inline_message_id"]] = (chat, chat.next_message_id)
        message = self._person_posts(query.user, chat, card["message"] | {"via_bot": self.bot})
        self.updates.add("chosen_inline_result", chosen)
        return message

    def vote(self, user: User, poll_id: str, options: list[int]) -> None:
        """A person votes; in a quiz only the first vote counts."""
        chat, message_id = self.polls[poll_id]
        message, votes = chat.messages[message_id], self.votes.setdefault(poll_id, {})
        poll = message["poll"]
        if poll["type"] == "quiz" and user.id in votes:
            return
        votes[user.id] = options
        counts = [sum(n in vote for vote in votes.values()) for n in range(len(poll["options"]))]
        counted = [option | {"voter_count": count} for option, count in zip(poll["options"], counts, strict=True)]
        poll = poll | {"options": counted, "total_voter_count": len(votes)}
        self.change(chat, message, {"poll": poll} | given(reply_markup=message.get("reply_markup")), visible=False)
        if not poll["is_anonymous"]:
            answer = {"poll_id": poll_id, "user": user.json(), "option_ids": options}
            self.updates.add("poll_answer", answer | {"option_persistent_ids": [str(n) for n in options]})
        self.updates.add("poll", poll)

    def block(self, user: User, blocked: bool = True) -> None:
        """A person stops the bot, or lets it write again."""
        user.blocked = blocked
        self._membership(self.private(user), user, *(("member", "kicked") if blocked else ("kicked", "member")))

    def kick(self, chat: Chat, by: User) -> None:
        """A group removes the bot."""
        chat.has_bot = False
        self._membership(chat, by, "member", "kicked")

    def menu(self, user: User, chat: Chat) -> list[Json]:
        """The commands that a person is offered in a chat: narrow scopes and their own language first."""
        everywhere = "all_private_chats" if chat.type == "private" else "all_group_chats"
        for scope in (f"chat_member {chat.id} {user.id}", f"chat {chat.id}", everywhere, "default"):
            for language in (user.language_code[:2], ""):
                if listed := self.commands.get((scope, language)):
                    return listed
        return []

    def description(self, user: User) -> str:
        """What the bot says of itself before the first message, in the person's language."""
        known = (self.profile.get(("description", language)) for language in (user.language_code[:2], ""))
        return next(filter(None, known), "")

    def _person_posts(self, user: User, chat: Chat, content: Json, thread_id: int = 0, reply_to: int = 0) -> Json:
        spoke_last = chat.bot_spoke_last
        message = self.post(chat, user.json(), content, thread_id, reply_to)
        if chat.type == "private":
            user.started = True
        if self._bot_sees(chat, message, spoke_last):
            self.updates.add("message", message)
        return message

    def _bot_sees(self, chat: Chat, message: Json, spoke_last: bool = False) -> bool:
        """Whether the bot gets a message: in groups with privacy mode, only what is meant for it."""
        if not chat.has_bot or chat.type == "friends":
            return False
        replied = message.get("reply_to_message", {}).get("from") == self.bot
        if chat.type == "private" or not self.privacy_mode or "via_bot" in message or replied:
            return True
        named = [_entity_text(message, e).lower() for e in message.get("entities", ())]
        me = "@" + self.bot["username"].lower()
        return any(name.endswith(me) or (name[0] == "/" and "@" not in name and spoke_last) for name in named)

    def _membership(self, chat: Chat, by: User, old: str, new: str) -> None:
        member: Json = {"chat": chat.json(), "from": by.json(), "date": int(self.clock())}
        for name, status in (("old_chat_member", old), ("new_chat_member", new)):
            member[name] = {"user": self.bot, "status": status} | ({"until_date": 0} if status == "kicked" else {})
        self.updates.add("my_chat_member", member)


@cache
def _parameters(name: str) -> Json:
    """The type of each parameter of a method."""
    types = get_type_hints(getattr(Methods, name))
    shared = get_type_hints(Sending) if types.pop("to", None) else {}
    return {parameter: kind for parameter, kind in (types | shared).items() if parameter != "return"}


def _written(text: str) -> Json:
    return {"text": text} | given(entities=detect(text, []))


def _entity_text(message: Json, entity: Json) -> str:
    units = message["text"].encode("utf-16-le")
    return str(units[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le"))


def _value(name: str, value: Any, kind: Any, files: Mapping[str, Upload]) -> Any:
    """A parameter in the type that its method declares. Raises Refusal."""
    if kind is str:
        return str(value)
    if kind is bool:
        return str(value).lower() in ("true", "yes", "1")
    if kind is int:
        require(re.fullmatch(r"-?\d{1,18}", str(value)), f'invalid parameter "{name}": an Integer is expected')
        return int(value)
    if kind is not Any:
        return files.get(value.removeprefix("attach://"), value) if isinstance(value, str) else value
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise Refusal(f"can't parse {name.replace('_', ' ')} JSON object") from error

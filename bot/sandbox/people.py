"""What people do in the local Telegram: they meet, write, press, type after the bot's name, vote and block."""

from __future__ import annotations

import copy
import secrets
from typing import Any

from bot.sandbox.entities import detect
from bot.sandbox.limits import RULES, Json, given
from bot.sandbox.world import Chat, Query, Upload, User, World


class People(World):
    """Each action changes the world and queues the updates that the bot gets of it."""

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
        media = self.store(Upload(kind, b"-")) | RULES["media"][kind]
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
        gone = {"chat": chat.json(), "message_id": message_id, "date": 0}
        request: Json = {"chat_instance": str(abs(chat.id)), "data": data}
        request |= {"inline_message_id": inline_id} if inline_id else {"message": chat.messages.get(message_id, gone)}
        query = self.open_query(self.callback_queries, user, request, chat)
        self.updates.add("callback_query", query.request)
        return query

    def inline_query(self, user: User, text: str, offset: str = "", chat: Chat | None = None) -> Query:
        """A person types after the bot's name; an answer that Telegram remembers comes at once."""
        kind = {"friends": "private", "private": "sender"}.get(chat.type, chat.type) if chat else "sender"
        request = {"query": text[:256], "offset": offset, "chat_type": kind}
        query = self.open_query(self.inline_queries, user, request, chat)
        remembered = (self.inline_cache.get((text[:256], offset, owner)) for owner in (user.id, None))
        query.answer = next((answer for until, answer in filter(None, remembered) if until > self.clock()), None)
        if query.answer is None:
            self.updates.add("inline_query", query.request)
        return query

    def choose(self, query: Query, result_id: str, chat: Chat | None = None) -> Json:
        """A person sends one of the cards to a chat. Returns the message."""
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
        """A person answers a quiz; only the first answer counts."""
        chat, message_id = self.polls[poll_id]
        message, votes = chat.messages[message_id], self.votes.setdefault(poll_id, {})
        if user.id in votes:
            return
        votes[user.id] = options
        poll = copy.deepcopy(message["poll"])
        poll["total_voter_count"] += 1
        for n, option in enumerate(poll["options"]):
            option["voter_count"] += n in options
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
        """The commands that a person is offered in a chat, in their own language if it has some."""
        kind = "all_private_chats" if chat.type == "private" else "all_group_chats"
        return self._profile("commands", user, kind) or self._profile("commands", user) or []

    def description(self, user: User) -> str:
        """What the bot says of itself before the first message, in the person's own language if it does."""
        return self._profile("description", user) or ""

    def _profile(self, which: str, user: User, scope: str = "default") -> Any:
        own, default = (self.profile.get((which, scope, language)) for language in (user.language_code[:2], ""))
        return own or default

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
        if not chat.has_bot:
            return False
        replied = message.get("reply_to_message", {}).get("from") == self.bot
        if chat.type == "private" or not self.privacy_mode or "via_bot" in message or replied:
            return True
        units: bytes = message.get("text", "").encode("utf-16-le")
        ends = [(2 * entity["offset"], 2 * entity["length"]) for entity in message.get("entities", ())]
        named = [units[start : start + length].decode("utf-16-le").lower() for start, length in ends]
        me = "@" + self.bot["username"].lower()
        return any(name.endswith(me) or (name[0] == "/" and "@" not in name and spoke_last) for name in named)

    def _membership(self, chat: Chat, by: User, old: str, new: str) -> None:
        member: Json = {"chat": chat.json(), "from": by.json(), "date": int(self.clock())}
        for name, status in (("old_chat_member", old), ("new_chat_member", new)):
            member[name] = {"user": self.bot, "status": status} | ({"until_date": 0} if status == "kicked" else {})
        self.updates.add("my_chat_member", member)


def _written(text: str) -> Json:
    return {"text": text} | given(entities=detect(text, []))

"""The local Telegram as a whole: the Bot API for one bot, and what people do."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from mimetypes import guess_type
from typing import Any

from bot.sandbox import limits
from bot.sandbox.limits import RULES, Json, Refusal, given, require
from bot.sandbox.people import People
from bot.sandbox.world import Call, Chat, Query, Upload

# Telegram does not mind capital letters in a method's name.
_NAMES = {name.replace("_", ""): name for name in RULES["methods"]}
_WITHOUT_EFFECT = frozenset(RULES["without_effect"])
_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)
_UNKNOWN_FILE = "wrong file identifier/HTTP URL specified"
_SCOPES = ("default", "all_private_chats", "all_group_chats")


class Telegram(People):
    """A strict Telegram in memory with one bot, many people and their chats."""

    async def call(
        self, token: str, method: str, params: Mapping[str, Any], files: Mapping[str, Upload] | None = None
    ) -> Json:
        """The answer of the Bot API, envelope included. Values may be JSON texts, as in a form, or plain ones."""
        sent = {**(files or {}), **params}
        try:
            require(token == self.token, "Unauthorized", 401)
            name, arguments = _read(method, sent, files or {})
            if self.rate_limits and name.startswith(("send", "edit")):
                self.rate_limits.check(str(sent.get("chat_id", "")), self.clock())
            answer = {"ok": True, "result": await getattr(self, name)(arguments)}
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

    # The methods of the Bot API, in snake case. Each gets all the parameters that rules.json lists for it.

    async def get_me(self, sent: Json) -> Json:
        flags = {"can_join_groups": True, "can_read_all_group_messages": not self.privacy_mode}
        return self.bot | flags | {"supports_inline_queries": True}

    async def get_updates(self, sent: Json) -> list[Json]:
        return await self.updates.get(**sent)

    async def set_webhook(self, sent: Json) -> bool:
        limits.check("secret token", sent["secret_token"])
        limits.check("webhook", sent["url"])
        if sent["allowed_updates"] is not None:
            self.updates.allowed = list(sent["allowed_updates"])
        if sent["drop_pending_updates"]:
            self.updates.pending.clear()
        self.updates.set_webhook(sent["url"], sent["secret_token"])
        return True

    async def delete_webhook(self, sent: Json) -> bool:
        return await self.set_webhook(RULES["methods"]["set_webhook"] | sent)

    async def get_webhook_info(self, sent: Json) -> Json:
        updates = self.updates
        info = {"url": updates.webhook, "has_custom_certificate": False, "pending_update_count": len(updates.pending)}
        return info | updates.webhook_error | given(allowed_updates=updates.allowed)

    async def get_file(self, sent: Json) -> Json:
        file_id = sent["file_id"]
        require(file_id in self.files, "invalid file_id")
        return {"file_id": file_id, "file_unique_id": file_id[5:17], "file_path": f"files/{file_id}"}

    async def send_message(self, sent: Json) -> Json:
        return self._send(limits.rich_text("text", sent["text"], sent["parse_mode"], "sent text"), sent)

    async def send_document(self, sent: Json) -> Json:
        upload = self._upload(sent["document"])
        kind = guess_type(upload.name)[0] or "application/octet-stream"
        document = self.store(upload) | {"file_name": upload.name, "mime_type": kind}
        caption = limits.rich_text("caption", sent["caption"], sent["parse_mode"])
        return self._send({"document": document} | caption, sent)

    async def send_photo(self, sent: Json) -> Json:
        photo = self._photo(sent["photo"])
        caption = limits.rich_text("caption", sent["caption"], sent["parse_mode"])
        return self._send({"photo": [photo]} | caption, sent)

    async def send_poll(self, sent: Json) -> Json:
        question, kind, right = sent["question"].strip(), sent["type"], sent["correct_option_ids"]
        explanation = limits.rich_text("explanation", sent["explanation"], sent["explanation_parse_mode"])
        texts = limits.quiz(kind, question, sent["options"], right, explanation)
        options = [{"persistent_id": str(n), "text": text, "voter_count": 0} for n, text in enumerate(texts)]
        poll: Json = {"id": str(len(self.polls) + 5_000_000_000), "question": question, "options": options}
        poll |= {"type": kind, "correct_option_ids": right, "is_anonymous": sent["is_anonymous"], "is_closed": False}
        poll |= {"allows_multiple_answers": False, "allows_revoting": False, "members_only": False}
        message = self._send({"poll": poll | {"total_voter_count": 0} | explanation}, sent)
        self.polls[poll["id"]] = (self.chats[message["chat"]["id"]], message["message_id"])
        return message

    async def edit_message_text(self, sent: Json) -> Json | bool:
        content = limits.rich_text("text", sent["text"], sent["parse_mode"], "edited text")
        content |= limits.keyboard(sent["reply_markup"])
        chat, message = self._editable(sent)
        require("text" in message, "there is no text in the message to edit")
        differs = any(message.get(name) != content.get(name) for name in ("text", "entities", "reply_markup"))
        require(differs, _NOT_MODIFIED)
        changed = self.change(chat, message, content)
        return True if sent["inline_message_id"] else changed

    async def answer_callback_query(self, sent: Json) -> bool:
        limits.check("toast", sent["text"])
        answer = {"text": sent["text"], "show_alert": sent["show_alert"]}
        query = self.close_query(self.callback_queries, sent["callback_query_id"], answer)
        return self._tell(query, "answer")

    async def answer_inline_query(self, sent: Json) -> bool:
        cards = limits.inline_results(sent["results"], sent["next_offset"], sent["button"], self.pictures)
        answer = {"results": cards, "next_offset": sent["next_offset"], "button": sent["button"]}
        query = self.close_query(self.inline_queries, sent["inline_query_id"], answer)
        owner = query.user.id if sent["is_personal"] else None
        until = self.clock() + sent["cache_time"]
        self.inline_cache[query.request["query"], query.request["offset"], owner] = (until, answer)
        return self._tell(query, "results")

    async def set_my_commands(self, sent: Json) -> bool:
        scope = str((sent["scope"] or {"type": "default"}).get("type"))
        require(scope in _SCOPES, "can't parse BotCommandScope: the local chat does not know this type")
        return self._set_profile("commands", scope, sent["language_code"], limits.commands(sent["commands"]))

    async def set_my_description(self, sent: Json) -> bool:
        limits.check("description", sent["description"])
        return self._set_profile("description", "default", sent["language_code"], sent["description"])

    async def set_my_short_description(self, sent: Json) -> bool:
        limits.check("short description", sent["short_description"])
        return self._set_profile("short description", "default", sent["language_code"], sent["short_description"])

    def _send(self, content: Json, sent: Json) -> Json:
        """Put a message of the bot into the chat that it names, with its keyboard and as a reply if it is one."""
        content |= limits.keyboard(sent["reply_markup"])
        chat = self.writable(sent["chat_id"], sent["message_thread_id"])
        reply = sent["reply_parameters"] or {}
        reply_to = int(reply.get("message_id", 0))
        found = reply_to in chat.messages or not reply_to or reply.get("allow_sending_without_reply")
        require(found, "message to be replied not found")
        message = self.post(chat, self.bot, content, sent["message_thread_id"], reply_to)
        return {name: value for name, value in message.items() if name != "force_reply"}

    def _editable(self, sent: Json) -> tuple[Chat, Json]:
        if inline_message_id := sent["inline_message_id"]:
            require(inline_message_id in self.inline_messages, "MESSAGE_ID_INVALID")
            chat, message_id = self.inline_messages[inline_message_id]
            return chat, chat.messages[message_id]
        chat, message_id = self.writable(sent["chat_id"]), sent["message_id"]
        require(message_id, "message identifier is not specified")
        require(message_id in chat.messages, "message to edit not found")
        require(chat.messages[message_id]["from"] == self.bot, "message can't be edited")
        return chat, chat.messages[message_id]

    def _upload(self, file: Upload | str) -> Upload:
        upload = self.files.get(file) if isinstance(file, str) else file
        if not upload:
            raise Refusal("there is no file in the request")
        require(upload.data, "file must be non-empty")
        return upload

    def _photo(self, file: Upload | str) -> Json:
        """A new picture, or one that was sent before."""
        if isinstance(file, str) and file:
            require(file in self.files, _UNKNOWN_FILE)
            require(file in self.pictures, "can't use file of type Document as Photo")
            return self.pictures[file]
        upload = self._upload(file)
        require(len(upload.data) <= RULES["largest_photo"], "file is too big")
        size = limits.picture_size(upload.data)
        photo = self.store(upload) | size
        self.pictures[photo["file_id"]] = photo
        return photo

    def _set_profile(self, which: str, scope: str, language: str, value: Any) -> bool:
        limits.check("language code", language)
        self.profile[which, scope, language] = value
        self.notify("profile", None, {})
        return True

    def _tell(self, query: Query, event: str) -> bool:
        """Show the answer of a query to the person who asked."""
        self.notify(event, query.chat, (query.answer or {}) | {"user_id": query.user.id, "query_id": query.id})
        return True


def _read(method: str, sent: Json, files: Mapping[str, Upload]) -> tuple[str, Json]:
    """A method's name here, and the values of all its parameters. Raises Refusal."""
    require(method.lower() in _NAMES, "Not Found: method not found", 404)
    name = _NAMES[method.lower()]
    known: Json = RULES["methods"][name]
    unknown = ", ".join(sorted(set(sent) - set(known) - _WITHOUT_EFFECT - set(files)))
    require(not unknown, f"the local chat does not know these parameters of {method}: {unknown}")
    return name, known | {key: _value(key, sent[key], default, files) for key, default in known.items() if key in sent}


def _value(name: str, value: Any, default: Any, files: Mapping[str, Upload]) -> Any:
    """A value read as what the parameter's default is: a flag, number, file, text, or any JSON. Raises Refusal."""
    if isinstance(default, bool):
        return str(value).lower() in ("true", "yes", "1")
    if isinstance(default, int):
        require(re.fullmatch(r"-?\d{1,18}", str(value)), f'invalid parameter "{name}": an Integer is expected')
        return int(value)
    if default == "attach://":
        return value if isinstance(value, Upload) else files.get(str(value).removeprefix(default), str(value))
    if isinstance(default, str):
        return str(value)
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise Refusal(f"can't parse {name.replace('_', ' ')} JSON object") from error

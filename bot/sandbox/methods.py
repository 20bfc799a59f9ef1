"""The methods of the Bot API that a bot like this one uses; each is named as there, in snake case."""

from __future__ import annotations

import re
import struct
from mimetypes import guess_type
from typing import Any, TypedDict, Unpack

from bot.sandbox import limits
from bot.sandbox.entities import utf16_length
from bot.sandbox.limits import Json, Refusal, given, require
from bot.sandbox.updates import Webhook
from bot.sandbox.world import Chat, Upload, World

_SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)


class Sending(TypedDict, total=False):
    """What every method that sends a message takes."""

    chat_id: str
    message_thread_id: int
    reply_parameters: Any
    reply_markup: Any


class Methods(World):
    """What a bot can do to the self. Parameters carry Telegram's names; every method raises Refusal."""

    async def get_me(self) -> Json:
        flags = {"can_join_groups": True, "can_read_all_group_messages": not self.privacy_mode}
        return self.bot | flags | {"supports_inline_queries": True}

    async def get_updates(
        self, offset: int = 0, limit: int = 100, timeout: int = 0, allowed_updates: Any = None
    ) -> list[Json]:
        return await self.updates.get(offset, limit, timeout, allowed_updates)

    async def set_webhook(
        self, url: str = "", secret_token: str = "", allowed_updates: Any = None, drop_pending_updates: bool = False
    ) -> bool:
        require(re.fullmatch(r"[A-Za-z0-9_-]{0,256}", secret_token), "secret token contains unallowed characters")
        reachable = re.match(r"https://|http://(127\.0\.0\.1|localhost)[:/]|$", url)
        require(reachable, "bad webhook: An HTTPS URL must be provided for webhook")
        if allowed_updates is not None:
            self.updates.allowed = list(allowed_updates)
        if drop_pending_updates:
            self.updates.pending.clear()
        self.updates.set_webhook(Webhook(url, secret_token) if url else None)
        return True

    async def delete_webhook(self, drop_pending_updates: bool = False) -> bool:
        return await self.set_webhook(drop_pending_updates=drop_pending_updates)

    async def get_webhook_info(self) -> Json:
        hook, waiting = self.updates.webhook or Webhook(""), len(self.updates.pending)
        info = {"url": hook.url, "has_custom_certificate": False, "pending_update_count": waiting}
        return info | hook.last_error | given(allowed_updates=self.updates.allowed)

    async def send_message(self, text: str = "", parse_mode: str = "", **to: Unpack[Sending]) -> Json:
        return self._send(limits.message_text(text, parse_mode), to)

    async def send_document(
        self, document: Upload | str = "", caption: str = "", parse_mode: str = "", **to: Unpack[Sending]
    ) -> Json:
        upload = self._upload(document, "document")
        kind = guess_type(upload.name)[0] or "application/octet-stream"
        stored = self.store(upload) | {"file_name": upload.name, "mime_type": kind}
        return self._send({"document": stored} | _caption(caption, parse_mode), to)

    async def send_photo(
        self, photo: Upload | str = "", caption: str = "", parse_mode: str = "", **to: Unpack[Sending]
    ) -> Json:
        upload = self._upload(photo, "photo")
        size = self.store(upload) | _png_size(upload.data)
        return self._send({"photo": [size]} | _caption(caption, parse_mode), to)

    async def send_poll(
        self,
        question: str = "",
        options: Any = None,
        type: str = "regular",
        is_anonymous: bool = True,
        allows_multiple_answers: bool = False,
        correct_option_ids: Any = None,
        explanation: str = "",
        explanation_parse_mode: str = "",
        **to: Unpack[Sending],
    ) -> Json:
        too_long = "poll explanation length must not exceed 200"
        hint = limits.rich_text(explanation, explanation_parse_mode, 200, too_long, "explanation")
        texts = limits.poll(question.strip(), options, type, correct_option_ids, hint)
        poll: Json = {"id": str(len(self.polls) + 5_000_000_000), "question": question.strip(), "total_voter_count": 0}
        poll["options"] = [{"persistent_id": str(n), "text": t, "voter_count": 0} for n, t in enumerate(texts)]
        poll |= {"is_closed": False, "is_anonymous": is_anonymous, "type": type, "allows_revoting": type != "quiz"}
        poll |= {"allows_multiple_answers": allows_multiple_answers, "members_only": False} | hint
        poll |= given(correct_option_ids=type == "quiz" and correct_option_ids)
        message = self._send({"poll": poll}, to)
        self.polls[poll["id"]] = (self.chats[message["chat"]["id"]], message["message_id"])
        return message

    async def edit_message_text(
        self,
        chat_id: str = "",
        message_id: int = 0,
        inline_message_id: str = "",
        text: str = "",
        parse_mode: str = "",
        reply_markup: Any = None,
    ) -> Json | bool:
        content = limits.message_text(text, parse_mode, "MESSAGE_TOO_LONG") | limits.keyboard(reply_markup)
        chat, message = self._editable(chat_id, message_id, inline_message_id)
        require("text" in message, "there is no text in the message to edit")
        differs = any(message.get(name) != content.get(name) for name in ("text", "entities", "reply_markup"))
        require(differs, _SAME)
        changed = self.change(chat, message, content)
        return True if inline_message_id else changed

    async def answer_callback_query(
        self, callback_query_id: str = "", text: str = "", show_alert: bool = False, url: str = "", cache_time: int = 0
    ) -> bool:
        require(utf16_length(text) <= 200, "MESSAGE_TOO_LONG")
        require(not url or url.startswith(f"https://t.me/{self.bot['username']}?start="), "URL_INVALID")
        answer = {"text": text, "show_alert": show_alert, "url": url}
        query = self.close_query(self.callback_queries, callback_query_id, answer)
        self.notify("answer", query.chat, answer | {"user_id": query.user.id, "query_id": query.id})
        return True

    async def answer_inline_query(
        self,
        inline_query_id: str = "",
        results: Any = None,
        cache_time: int = 300,
        is_personal: bool = False,
        next_offset: str = "",
        button: Any = None,
    ) -> bool:
        cards = limits.inline_results(results, next_offset, button)
        answer = {"results": cards, "next_offset": next_offset, "button": button}
        query = self.close_query(self.inline_queries, inline_query_id, answer)
        key = (query.request["query"], query.request["offset"], query.user.id if is_personal else None)
        self.inline_cache[key] = (self.clock() + cache_time, answer)
        self.notify("results", None, answer | {"user_id": query.user.id, "query_id": query.id})
        return True

    async def set_my_commands(self, commands: Any = None, scope: Any = None, language_code: str = "") -> bool:
        self.commands[_scope(scope), _language(language_code)] = limits.commands(commands)
        self.notify("profile", None, {})
        return True

    async def set_my_description(self, description: str = "", language_code: str = "") -> bool:
        return self._describe("description", description, 512, language_code)

    async def set_my_short_description(self, short_description: str = "", language_code: str = "") -> bool:
        return self._describe("short_description", short_description, 120, language_code)

    async def get_file(self, file_id: str = "") -> Json:
        require(file_id in self.files, "invalid file_id")
        sizes = {"file_size": len(self.files[file_id].data), "file_path": f"files/{file_id}"}
        return {"file_id": file_id, "file_unique_id": file_id[5:17]} | sizes

    def _send(self, content: Json, to: Sending) -> Json:
        thread_id, reply = to.get("message_thread_id", 0), to.get("reply_parameters") or {}
        content |= limits.keyboard(to.get("reply_markup"))
        chat = self.writable(to.get("chat_id", ""), thread_id)
        reply_to = int(reply.get("message_id", 0))
        found = reply_to in chat.messages or not reply_to or reply.get("allow_sending_without_reply")
        require(found, "message to be replied not found")
        return self.post(chat, self.bot, content, thread_id, reply_to)

    def _editable(self, chat_id: str, message_id: int, inline_message_id: str) -> tuple[Chat, Json]:
        if inline_message_id:
            require(inline_message_id in self.inline_messages, "MESSAGE_ID_INVALID")
            chat, message_id = self.inline_messages[inline_message_id]
            return chat, chat.messages[message_id]
        chat = self.writable(chat_id)
        require(message_id, "message identifier is not specified")
        require(message_id in chat.messages, "message to edit not found")
        require(chat.messages[message_id]["from"] == self.bot, "message can't be edited")
        return chat, chat.messages[message_id]

    def _upload(self, file: Upload | str, name: str) -> Upload:
        upload = self.files.get(file) if isinstance(file, str) else file
        if not upload:
            raise Refusal(f"there is no {name} in the request")
        require(upload.data, "file must be non-empty")
        return upload

    def _describe(self, which: str, text: str, limit: int, language_code: str) -> bool:
        require(utf16_length(text) <= limit, f"bot {which.replace('_', ' ')} is too long")
        self.profile[which, _language(language_code)] = text
        self.notify("profile", None, {})
        return True


def _caption(caption: str, parse_mode: str) -> Json:
    return limits.rich_text(caption, parse_mode, 1024, "message caption is too long", "caption")


def _language(code: str) -> str:
    require(re.fullmatch(r"([a-z]{2})?", code), "invalid language code specified")
    return code


def _scope(scope: Any) -> str:
    """A key for a scope of commands: its type, chat and user."""
    scope = scope or {"type": "default"}
    known = scope.get("type") in ("default", "all_private_chats", "all_group_chats", "chat", "chat_member")
    require(known, "can't parse BotCommandScope: the local chat does not know this type")
    return " ".join(str(scope[part]) for part in ("type", "chat_id", "user_id") if part in scope)


def _png_size(data: bytes) -> Json:
    require(data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24, "IMAGE_PROCESS_FAILED")
    width, height = struct.unpack(">II", data[16:24])
    fits = width + height <= 10_000 and max(width, height) <= 20 * min(width, height)
    require(fits, "PHOTO_INVALID_DIMENSIONS")
    return {"width": width, "height": height}

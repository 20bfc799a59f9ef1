"""The methods of the Bot API that a bot like this one uses; each is named as there, in snake case."""

from __future__ import annotations

import re
import struct
from mimetypes import guess_type
from typing import Any, TypedDict, Unpack

from bot.chat import limits
from bot.chat.entities import utf16_length
from bot.chat.limits import Json, Refusal
from bot.chat.updates import Webhook
from bot.chat.world import Chat, Upload, World

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


class Methods:
    """What a bot can do to a world. Parameters carry Telegram's names; every method raises Refusal."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def get_me(self) -> Json:
        world = self._world
        flags = {"can_join_groups": True, "can_read_all_group_messages": not world.privacy_mode}
        return world.bot | flags | {"supports_inline_queries": True}

    async def get_updates(
        self, offset: int = 0, limit: int = 100, timeout: int = 0, allowed_updates: Any = None
    ) -> list[Json]:
        return await self._world.updates.get(offset, limit, timeout, allowed_updates)

    async def set_webhook(
        self, url: str = "", secret_token: str = "", allowed_updates: Any = None, drop_pending_updates: bool = False
    ) -> bool:
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,256}", secret_token):
            raise Refusal("secret token contains unallowed characters")
        if url and not re.match(r"https://|http://(127\.0\.0\.1|localhost)[:/]", url):
            raise Refusal("bad webhook: An HTTPS URL must be provided for webhook")
        updates = self._world.updates
        if allowed_updates is not None:
            updates.allowed = list(allowed_updates)
        if drop_pending_updates:
            updates.pending.clear()
        updates.set_webhook(Webhook(url, secret_token) if url else None)
        return True

    async def delete_webhook(self, drop_pending_updates: bool = False) -> bool:
        return await self.set_webhook(drop_pending_updates=drop_pending_updates)

    async def get_webhook_info(self) -> Json:
        updates = self._world.updates
        info: Json = {"url": "", "has_custom_certificate": False, "pending_update_count": len(updates.pending)}
        if updates.allowed:
            info["allowed_updates"] = updates.allowed
        return info | ({"url": updates.webhook.url} | updates.webhook.last_error if updates.webhook else {})

    async def send_message(self, text: str = "", parse_mode: str = "", **to: Unpack[Sending]) -> Json:
        return self._send(limits.message_text(text, parse_mode), to)

    async def send_document(
        self, document: Upload | str = "", caption: str = "", parse_mode: str = "", **to: Unpack[Sending]
    ) -> Json:
        upload = self._upload(document, "document")
        stored = self._world.store(upload) | {"file_name": upload.name}
        stored["mime_type"] = guess_type(upload.name)[0] or "application/octet-stream"
        return self._send({"document": stored} | _caption(caption, parse_mode), to)

    async def send_photo(
        self, photo: Upload | str = "", caption: str = "", parse_mode: str = "", **to: Unpack[Sending]
    ) -> Json:
        upload = self._upload(photo, "photo")
        size = self._world.store(upload) | _png_size(upload.data)
        return self._send({"photo": [size]} | _caption(caption, parse_mode), to)

    async def send_poll(
        self,
        question: str = "",
        options: Any = None,
        type: str = "regular",
        is_anonymous: bool = True,
        allows_multiple_answers: bool = False,
        correct_option_ids: Any = None,
        correct_option_id: Any = None,
        explanation: str = "",
        explanation_parse_mode: str = "",
        **to: Unpack[Sending],
    ) -> Json:
        world = self._world
        correct = correct_option_ids if correct_option_id is None else [correct_option_id]
        too_long = "poll explanation length must not exceed 200"
        hint = limits.rich_text(explanation, explanation_parse_mode, 200, too_long, "explanation")
        texts = limits.poll(question.strip(), options, type, correct, hint)
        poll = {"id": str(len(world.polls) + 5_000_000_000), "question": question.strip(), "total_voter_count": 0}
        poll["options"] = [{"persistent_id": str(n), "text": t, "voter_count": 0} for n, t in enumerate(texts)]
        poll |= {"is_closed": False, "is_anonymous": is_anonymous, "type": type, "allows_revoting": type != "quiz"}
        poll |= {"allows_multiple_answers": allows_multiple_answers, "members_only": False} | hint
        poll |= {"correct_option_ids": correct} if type == "quiz" else {}
        message = self._send({"poll": poll}, to)
        world.polls[str(poll["id"])] = (world.chats[message["chat"]["id"]], message["message_id"])
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
        if "text" not in message:
            raise Refusal("there is no text in the message to edit")
        return self._edit(chat, message, content, bool(inline_message_id))

    async def answer_callback_query(
        self, callback_query_id: str = "", text: str = "", show_alert: bool = False, url: str = "", cache_time: int = 0
    ) -> bool:
        if utf16_length(text) > 200:
            raise Refusal("MESSAGE_TOO_LONG")
        if url and not url.startswith(f"https://t.me/{self._world.bot['username']}?start="):
            raise Refusal("URL_INVALID")
        answer = {"text": text, "show_alert": show_alert, "url": url}
        query = self._world.close_query(self._world.callback_queries, callback_query_id, answer)
        self._world.notify("answer", query.chat, answer | {"user_id": query.user.id, "query_id": query.id})
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
        world = self._world
        cards = limits.inline_results(results, next_offset, button)
        answer = {"results": cards, "next_offset": next_offset, "button": button}
        query = world.close_query(world.inline_queries, inline_query_id, answer)
        key = (query.request["query"], query.request["offset"], query.user.id if is_personal else None)
        world.inline_cache[key] = (world.clock() + cache_time, answer)
        world.notify("results", None, answer | {"user_id": query.user.id, "query_id": query.id})
        return True

    async def set_my_commands(self, commands: Any = None, scope: Any = None, language_code: str = "") -> bool:
        self._world.commands[_scope(scope), _language(language_code)] = limits.commands(commands)
        self._world.notify("profile", None, {})
        return True

    async def set_my_description(self, description: str = "", language_code: str = "") -> bool:
        return self._describe("description", description, 512, language_code)

    async def set_my_short_description(self, short_description: str = "", language_code: str = "") -> bool:
        return self._describe("short_description", short_description, 120, language_code)

    async def get_file(self, file_id: str = "") -> Json:
        upload = self._world.files.get(file_id)
        if not upload:
            raise Refusal("invalid file_id")
        sizes = {"file_size": len(upload.data), "file_path": f"files/{file_id}"}
        return {"file_id": file_id, "file_unique_id": file_id[5:17]} | sizes

    def _send(self, content: Json, to: Sending) -> Json:
        world, thread_id, reply = self._world, to.get("message_thread_id", 0), to.get("reply_parameters") or {}
        content |= limits.keyboard(to.get("reply_markup"))
        chat = world.writable(to.get("chat_id", ""), thread_id)
        reply_to = int(reply.get("message_id", 0))
        if reply_to and reply_to not in chat.messages and not reply.get("allow_sending_without_reply"):
            raise Refusal("message to be replied not found")
        return world.post(chat, world.bot, content, thread_id, reply_to)

    def _editable(self, chat_id: str, message_id: int, inline_message_id: str) -> tuple[Chat, Json]:
        if not inline_message_id:
            return self._own(self._world.writable(chat_id), message_id)
        if inline_message_id not in self._world.inline_messages:
            raise Refusal("MESSAGE_ID_INVALID")
        chat, message_id = self._world.inline_messages[inline_message_id]
        return chat, chat.messages[message_id]

    def _own(self, chat: Chat, message_id: int) -> tuple[Chat, Json]:
        if not message_id:
            raise Refusal("message identifier is not specified")
        if message_id not in chat.messages:
            raise Refusal("message to edit not found")
        if chat.messages[message_id]["from"] != self._world.bot:
            raise Refusal("message can't be edited")
        return chat, chat.messages[message_id]

    def _edit(self, chat: Chat, message: Json, content: Json, inline: bool) -> Json | bool:
        if all(message.get(name) == content.get(name) for name in ("text", "entities", "reply_markup")):
            raise Refusal(_SAME)
        changed = self._world.change(chat, message, content)
        return True if inline else changed

    def _upload(self, file: Upload | str, name: str) -> Upload:
        if isinstance(file, str) and file in self._world.files:
            return self._world.files[file]
        if not isinstance(file, Upload):
            raise Refusal(f"there is no {name} in the request")
        if not file.data:
            raise Refusal("file must be non-empty")
        return file

    def _describe(self, which: str, text: str, limit: int, language_code: str) -> bool:
        if utf16_length(text) > limit:
            raise Refusal(f"bot {which.replace('_', ' ')} is too long")
        self._world.profile[which, _language(language_code)] = text
        self._world.notify("profile", None, {})
        return True


def _caption(caption: str, parse_mode: str) -> Json:
    return limits.rich_text(caption, parse_mode, 1024, "message caption is too long", "caption")


def _language(code: str) -> str:
    if not re.fullmatch(r"([a-z]{2})?", code):
        raise Refusal("invalid language code specified")
    return code


def _scope(scope: Any) -> str:
    """A key for a scope of commands: its type, chat and user."""
    scope = scope or {"type": "default"}
    kinds = ("default", "all_private_chats", "all_group_chats", "chat", "chat_member")
    if scope.get("type") not in kinds:
        raise Refusal("can't parse BotCommandScope: the local chat does not know this type")
    return " ".join(str(scope[part]) for part in ("type", "chat_id", "user_id") if part in scope)


def _png_size(data: bytes) -> Json:
    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < 24:
        raise Refusal("IMAGE_PROCESS_FAILED")
    width, height = struct.unpack(">II", data[16:24])
    if width + height > 10_000 or max(width, height) > 20 * min(width, height):
        raise Refusal("PHOTO_INVALID_DIMENSIONS")
    return {"width": width, "height": height}

"""A local Telegram with one person, and short ways to call it."""

from __future__ import annotations

from typing import Any

from telegram.ext import Application

from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Chat, Upload, User

App = Application[Any, Any, Any, Any, Any, Any]
TOKEN = "1:local"
KEYBOARD = {"inline_keyboard": [[{"text": "More", "callback_data": "more"}]]}


class Local(Telegram):
    """A Telegram with one person, who has started the bot."""

    def __init__(self) -> None:
        super().__init__(TOKEN, "idiom_bot")
        self.ann: User = self.add_user("Ann", "en", username="ann_lee")
        self.chat_: Chat = self.private(self.ann)
        self.user_sends(self.ann, self.chat_, "/start")

    async def ask(self, method: str, files: dict[str, Upload] | None = None, **params: Any) -> Any:
        answer = await self.call(TOKEN, method, params, files)
        return answer["result"] if answer["ok"] else answer

    async def error(self, method: str, **params: Any) -> tuple[int, str]:
        answer = await self.call(TOKEN, method, params)
        assert not answer["ok"], answer
        return answer["error_code"], answer["description"]

    async def send(self, text: str = "Hello", **params: Any) -> Any:
        return await self.ask("sendMessage", chat_id=self.ann.id, text=text, **params)


def card(n: int, **more: Any) -> dict[str, Any]:
    content = {"message_text": f"<b>{n}</b>", "parse_mode": "HTML"}
    return {"type": "article", "id": str(n), "title": f"Card {n}", "input_message_content": content} | more

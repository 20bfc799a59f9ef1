"""python-telegram-bot talking to a `Telegram` in the same process, without a socket."""

from __future__ import annotations

import json
from typing import Any

from telegram.request import BaseRequest, RequestData

from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Upload


class DirectRequest(BaseRequest):
    """Pass one to `ApplicationBuilder.request` and another to `get_updates_request`."""

    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram

    @property
    def read_timeout(self) -> float | None:
        return None

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(
        self,
        url: str,
        method: str,  # noqa: ARG002
        request_data: RequestData | None = None,
        *_: Any,
        **__: Any,
    ) -> tuple[int, bytes]:
        place, name = url.rsplit("/", 1)
        token = place.rpartition("/bot")[2]
        if "/file/" in url:
            return 200, self._telegram.files[name].data
        answer = await self._telegram.call(token, name, *_content(request_data))
        return answer.get("error_code", 200), json.dumps(answer).encode()


def _content(data: RequestData | None) -> tuple[dict[str, str], dict[str, Upload]]:
    if data is None:
        return {}, {}
    files = {name: Upload(part[0] or name, _bytes(part[1])) for name, part in data.multipart_data.items()}
    return data.json_parameters, files


def _bytes(content: Any) -> bytes:
    return content if isinstance(content, bytes) else bytes(content.read())

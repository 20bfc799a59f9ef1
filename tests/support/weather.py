"""Bad days of Telegram and of the network: refusals, lost answers, garbage, slowness; as often as a test asks."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from typing import Literal, get_args

from tornado.http1connection import HTTP1Connection
from tornado.web import Finish

from bot.sandbox.limits import Refusal
from bot.sandbox.server import BotApi

Fault = Literal["429", "500", "502", "504", "401", "dropped", "cut", "garbled", "slow"]
"""A status; a connection lost before the call is done ("dropped") or after it ("cut"); an answer that is no JSON
after it ("garbled"); one that comes late ("slow")."""
BEFORE = ("429", "500", "502", "504", "401", "dropped")
"""Faults of calls that are not done."""


class Weather:
    """What goes wrong: for each fault its chance, or what was forecast for the next calls of a method."""

    def __init__(self, chances: Mapping[Fault, float] | None = None, seed: int = 0) -> None:
        self.chances = dict(chances or {})
        self.forecast: dict[str, list[Fault]] = {}
        self.happened: Counter[str] = Counter()
        self._rng = random.Random(seed)

    def fault(self, method: str) -> Fault | None:
        """What happens to this call."""
        if coming := self.forecast.get(method):
            return self._noted(coming.pop(0))
        drawn = self._rng.random()
        for fault, chance in self.chances.items():
            drawn -= chance
            if drawn < 0 and (fault != "429" or method.startswith(("send", "edit"))):
                return self._noted(fault)
        return None

    def delay(self) -> float:
        """Seconds by which a slow answer is late."""
        return self._rng.uniform(0.1, 1.0)

    def _noted(self, fault: Fault) -> Fault:
        assert fault in get_args(Fault)
        self.happened[fault] += 1
        return fault

    def api(self) -> type[BotApi]:
        """The Bot API in this weather."""
        weather = self

        class Api(BotApi):
            async def post(self, token: str, method: str) -> None:
                fault = weather.fault(method)
                if fault in BEFORE:
                    self._fail(fault)
                elif fault in ("cut", "garbled"):
                    await self.telegram.call(token, method, self._params(), self._uploads())
                    self._lose(fault)
                else:
                    if fault == "slow":
                        await asyncio.sleep(weather.delay())
                    await super().post(token, method)

            def _fail(self, fault: str) -> None:
                if fault == "dropped":
                    self._lose(fault)
                self.set_status(int(fault))
                if fault in ("429", "401"):
                    more = {"retry_after": 1} if fault == "429" else {}
                    self.finish(Refusal("not today", int(fault), **more).json())
                else:
                    self.set_header("Content-Type", "text/html")
                    self.finish("<html><h1>Bad day</h1></html>")

            def _lose(self, fault: str) -> None:
                if fault == "garbled":
                    self.finish(b'{"ok": tr')
                    return
                assert isinstance(self.request.connection, HTTP1Connection)
                self.request.connection.stream.close()
                raise Finish

        return Api

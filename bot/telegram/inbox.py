"""The inbox: every update is remembered before Telegram may forget it, and until it is answered."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from telegram import Bot, Update

from bot.metrics import Metrics
from bot.store.protocol import LEASE, StateUnavailable, Store

UPDATE_TYPES = (
    "message edited_message callback_query inline_query chosen_inline_result poll_answer my_chat_member".split()
)
"""What the bot asks Telegram for."""
NOT_READ = {"entities", "reply_markup", "reply_to_message"}
"""What the bot does not look at in a message that is pressed or replied to, which is its own: most of such an update,
of the time to read it, and of the memory that it takes."""
FINISHED_AT_ONCE = 1_000
MOST_AT_ONCE = 5_000
"""Updates that are answered at once; the next ones stay with Telegram until some are done."""
MOST_TAKEOVERS = 3
"""How often an update may be left unanswered: it may be what ends the process that answers it."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GivenUp:
    """An update that no process lived to answer; who sent it is owed an apology."""

    update: Update


class Inbox:
    """Takes updates as they come, and answers all of them at once: who must wait, waits in `Turns`."""

    def __init__(self, store: Store, bot: Bot, answer: Callable[[object], Awaitable[None]], metrics: Metrics) -> None:
        """Pass each update, as an Update or as a GivenUp, to `answer`."""
        self._store, self._bot, self._answer, self._metrics = store, bot, answer, metrics
        self._answering: dict[int, asyncio.Task[None]] = {}
        self._answered: list[int] = []
        self._finishing: asyncio.Task[None] | None = None

    async def take(self, updates: Sequence[Any]) -> None:
        """Start to answer updates in the Bot API's JSON; when this returns, a kill loses none of them.

        Those that were taken before are left out, and so is what is no update.
        """
        while len(self._answering) >= MOST_AT_ONCE:
            await asyncio.sleep(0.05)
        numbered = {number: _essential(update) for update in updates if (number := number_of(update))}
        if not all(map(number_of, updates)):
            logger.error("What came is no update, and is skipped")
        try:
            texts = [(number, json.dumps(update, ensure_ascii=False)) for number, update in numbered.items()]
            new = await self._store.keep_updates(texts)
        except StateUnavailable as error:
            # Answered all the same; only a kill would lose them now.
            logger.warning("Updates are not remembered: %s", error)
            new = [number for number in numbered if number not in self._answering]
        for number in new:
            self._start(number, numbered[number])

    async def take_over(self) -> None:
        """Start to answer what a kill left unanswered, here and in processes that share the state."""
        with suppress(StateUnavailable):
            for number, text, times in await self._store.take_over():
                if number not in self._answering:
                    self._start(number, json.loads(text), given_up=times >= MOST_TAKEOVERS)
        self._begin_to_finish()

    async def go_on_taking_over(self) -> None:
        """Take over again and again, for ever."""
        while True:
            await asyncio.sleep(LEASE / 3)
            await self.take_over()

    async def close(self, seconds: float) -> None:
        """Wait so long for the answers under way; the next start answers the rest."""
        if self._answering:
            await asyncio.wait(self._answering.values(), timeout=seconds)
        for task in self._answering.values():
            task.cancel()
        await asyncio.gather(*self._answering.values(), return_exceptions=True)
        if self._finishing:
            await self._finishing

    def _start(self, number: int, update: dict[str, Any], given_up: bool = False) -> None:
        self._answering[number] = asyncio.create_task(self._answer_one(number, update, given_up))

    async def _answer_one(self, number: int, update: dict[str, Any], given_up: bool) -> None:
        came = time.monotonic()
        self._metrics.update(next((kind for kind in UPDATE_TYPES if kind in update), "other"))
        try:
            if given_up:
                # Before anything is done about it, lest that end the process once more.
                with suppress(StateUnavailable):
                    await self._store.finish_updates([number])
            if read := self._read(update):
                await self._answer_or_skip(number, GivenUp(read) if given_up else read)
                self._metrics.answered(time.monotonic() - came)
            self._answered.append(number)
            self._begin_to_finish()
        finally:
            del self._answering[number]

    def _read(self, update: dict[str, Any]) -> Update | None:
        """The update as an object; None for one that is not as documented, which is skipped, lest it come for ever."""
        try:
            return Update.de_json(update, self._bot)
        except Exception as error:
            logger.error("Update %s is not as documented, and is skipped: %r", update.get("update_id"), error)
            return None

    async def _answer_or_skip(self, number: int, update: object) -> None:
        """Answer an update; one so odd that not even its error can be handled must not come again after every start."""
        try:
            await self._answer(update)
        except Exception:
            logger.exception("Update %d cannot be answered, and is skipped", number)

    def _begin_to_finish(self) -> None:
        self._finishing = self._finishing or asyncio.create_task(self._finish())

    async def _finish(self) -> None:
        """Tell the store what is answered; while it writes, more gathers. What it cannot be told now is told later."""
        try:
            while numbers := self._answered[:FINISHED_AT_ONCE]:
                await self._store.finish_updates(numbers)
                del self._answered[: len(numbers)]
        except StateUnavailable as error:
            logger.warning("Answered updates would be answered again after a stop now: %s", error)
        except Exception:
            logger.exception("Answered updates would be answered again after a stop now")
        finally:
            self._finishing = None


def number_of(update: Any) -> int:
    """Return the number of an update, or 0 for what is none."""
    number = update.get("update_id") if isinstance(update, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 < number < 2**63 else 0


def _essential(update: dict[str, Any]) -> dict[str, Any]:
    """An update without what is not read of it."""
    for outer, inner in (("callback_query", "message"), ("message", "reply_to_message")):
        holder = update.get(outer)
        if isinstance(holder, dict) and isinstance(message := holder.get(inner), dict):
            read = {name: value for name, value in message.items() if name not in NOT_READ}
            return {**update, outer: {**holder, inner: read}}
    return update

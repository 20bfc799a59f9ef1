"""How much one bot process answers: `make bench` prints it.

The bot runs on one core as it does in the image; people and a strict Telegram, joined to it by HTTP, are this process
on another one. First as many people as keep the bot busy do one thing after another, then updates come at half of that
rate.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import re
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bot.sandbox.server import serve
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Call, User
from support.served import BOT, environment

TOKEN = "123456:" + "A" * 35
PEOPLE = 200
QUERIES = ["ничего не делать", "выдать тайну", "to be very happy", "очень устать", "once in a blue", "ыыы"]
ANSWERS = {"sendMessage", "editMessageText", "answerInlineQuery"}
TICKS = os.sysconf("SC_CLK_TCK")
CORES = sorted(os.sched_getaffinity(0))


@dataclass
class Figures:
    """What a load took."""

    answers: int
    seconds: float
    bot: float
    """Seconds of the bot's CPU."""
    telegram: float
    """Seconds of this process's CPU."""
    waited: list[float] = field(default_factory=list)

    def row(self, kind: str, load: str) -> str:
        """A line of the table."""
        each = [f"{1000 * spent / self.answers:.1f} ms" for spent in (self.bot, self.telegram)]
        ordered = sorted(self.waited)
        waited = [f"{1000 * second:.0f} ms" for second in (median(ordered), ordered[int(0.99 * len(ordered))])]
        busy = [f"{100 * spent / self.seconds:.0f} %" for spent in (self.bot, self.telegram)]
        return f"| {kind}, {load} | {self.answers / self.seconds:.0f} | {' | '.join([*each, *busy, *waited])} |"


class Load:
    """The bot and its people."""

    def __init__(self) -> None:
        self.telegram = Telegram(TOKEN, "load_bot", "Load")
        self.telegram.journal = self  # type: ignore[assignment]
        self.people = [self.telegram.add_user(f"Person {number}", "ru") for number in range(PEOPLE)]
        self._awaited: dict[str, asyncio.Future[None]] = {}
        self._count = 0
        self.pid = 0

    def append(self, call: Call) -> None:
        """In place of the journal: every call of the bot passes here."""
        if call.method in ANSWERS:
            who = call.params.get("chat_id") or call.params.get("inline_query_id")
            if (awaited := self._awaited.pop(str(who), None)) and not awaited.done():
                awaited.set_result(None)

    async def answered(self, key: str) -> None:
        """Until the bot has sent something to a chat, or for a query of inline mode."""
        self._awaited[key] = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(60):
            await self._awaited[key]

    async def ask(self, user: User) -> None:
        """Send a question, and wait for its answer."""
        self._count += 1
        self.telegram.user_sends(user, self.telegram.private(user), QUERIES[self._count % len(QUERIES)])
        await self.answered(str(user.id))

    async def press(self, user: User) -> None:
        """Press the first button of the latest answer that opens something, or else ask; wait for what it shows."""
        chat = self.telegram.private(user)
        number, shown = next((n, m) for n, m in reversed(chat.messages.items()) if "reply_markup" in m)
        data = [button.get("callback_data", "") for row in shown["reply_markup"]["inline_keyboard"] for button in row]
        if opens := [each for each in data if re.match("1[ov]:", each)]:
            self.telegram.press(user, chat, number, opens[0])
            await self.answered(str(user.id))
        else:
            await self.ask(user)

    async def type(self, user: User) -> None:
        """Type a query that nobody typed before in inline mode, and wait for the cards."""
        self._count += 1
        words = f"{QUERIES[self._count % len(QUERIES)]} {self._count}"
        await self.answered(self.telegram.inline_query(user, words).id)

    async def busy(self, act: Callable[[User], Awaitable[None]], seconds: float) -> Figures:
        """Let everybody do one thing after another."""
        until = time.perf_counter() + seconds
        waited: list[float] = []

        async def live(user: User) -> None:
            while (began := time.perf_counter()) < until:
                await act(user)
                waited.append(time.perf_counter() - began)

        return await self._measured(asyncio.gather(*(live(user) for user in self.people)), waited)

    async def steady(self, act: Callable[[User], Awaitable[None]], seconds: float, rate: float) -> Figures:
        """Let people act at a rate, whether the bot has answered the one before or not."""
        waited: list[float] = []

        async def once(user: User, at: float) -> None:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            began = time.perf_counter()
            await act(user)
            waited.append(time.perf_counter() - began)

        start = time.perf_counter()
        lives: list[list[float]] = [[] for _ in self.people]
        for number in range(int(rate * seconds)):
            lives[number % PEOPLE].append(start + number / rate)

        async def live(user: User, times: list[float]) -> None:
            for at in times:
                await once(user, at)

        together = asyncio.gather(*(live(*each) for each in zip(self.people, lives, strict=True)))
        return await self._measured(together, waited)

    async def _measured(self, work: Awaitable[object], waited: list[float]) -> Figures:
        started, own, bot = time.perf_counter(), time.process_time(), cpu(self.pid)
        await work
        spent = time.perf_counter() - started
        return Figures(len(waited), spent, cpu(self.pid) - bot, time.process_time() - own, waited)


def cpu(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICKS


async def run(folder: Path, seconds: float, reader: str) -> None:
    """Start the bot, load it in every way, and print what that took."""
    load = Load()
    server = await serve(load.telegram, 0)
    os.sched_setaffinity(0, {CORES[0]})
    settings = {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": server.url, "READER": reader}
    variables = environment({**settings, "STATE": str(folder / "state.db"), "MESSAGES_PER_SECOND": "0"})
    started = time.perf_counter()
    bot = await asyncio.create_subprocess_exec(*BOT, env=variables)
    load.pid = bot.pid
    os.sched_setaffinity(bot.pid, {CORES[-1]})
    try:
        await load.ask(load.people[0])
        print(f"\nREADER={reader}: {time.perf_counter() - started:.2f} s from the process to the first answer\n")
        print("| load | answers a second | bot's CPU | Telegram's CPU | bot busy | Telegram busy | median | p99 |")
        print("|" + "---|" * 8)
        for kind, act in (("questions", load.ask), ("presses", load.press), ("inline", load.type)):
            full = await load.busy(act, seconds)
            print(full.row(kind, f"{PEOPLE} at once"))
            rate = full.answers / full.seconds / 2
            print((await load.steady(act, seconds, rate)).row(kind, "half of that"), flush=True)
        status = Path(f"/proc/{bot.pid}/status").read_text()
        print(f"\nResident: {int(status.partition('VmRSS:')[2].split()[0]) / 1000:.0f} MB")
    finally:
        bot.terminate()
        await bot.wait()
        await server.stop()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--reader", nargs="+", default=["1", "0"], choices=("0", "1"))
    options = parser.parse_args()
    gc.disable()  # The pauses of this process would be taken for the bot's.
    for reader in options.reader:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(run(Path(folder), options.seconds, reader))


if __name__ == "__main__":
    main()

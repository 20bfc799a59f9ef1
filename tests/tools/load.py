"""How long the bot takes under load: `PYTHONPATH=.:tests python tests/tools/load.py` prints two tables.

The real bot gets questions, presses and inline typing at a steady rate. Each time is taken from the moment when
Telegram has the update to the moment when it has the bot's answer: first with both in one process and nothing between
them, which is the time inside the bot, then with the bot in a process of its own and HTTP both ways, as a person waits.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

from bot.app import build
from bot.features.context import Services
from bot.sandbox.server import serve
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Call, Chat, User
from bot.search.engine import SearchEngine
from bot.settings import Settings
from bot.store.opening import open_store
from bot.telegram.inbox import Inbox
from bot.telegram.polling import Poller
from support.transport import DirectRequest

TOKEN = "123456:" + "A" * 35
PEOPLE = 100
QUERIES = ["ничего не делать", "выдать тайну", "to be very happy", "очень устать", "once in a blue", "ыыы"]
KINDS = {"sendMessage": "question", "editMessageText": "press", "answerInlineQuery": "inline"}


class Clock:
    """When each person's update was made, and how long its answer took."""

    def __init__(self, telegram: Telegram) -> None:
        self.asked: dict[str, float] = {}
        self.took: defaultdict[str, list[float]] = defaultdict(list)
        self._telegram = telegram

    def append(self, call: Call) -> None:
        """In place of the journal: every request of the bot passes here."""
        kind = KINDS.get(call.method, "")
        who = str(call.params.get("chat_id") or call.params.get("inline_query_id", ""))
        if kind and (asked := self.asked.pop(kind + who, None)):
            self.took[kind].append(time.perf_counter() - asked)


async def inside(state: Path, rate: int, seconds: int) -> dict[str, list[float]]:
    """Seconds from update to outgoing request inside the bot, by kind of update."""
    telegram = Telegram(TOKEN, "load_bot", "Load")
    clock = Clock(telegram)
    settings = Settings(token=TOKEN, messages_per_second=0)
    store = await open_store(state)
    services = Services(SearchEngine.load(settings.artifacts), store, settings)
    app = build(services, lambda _: DirectRequest(telegram))
    people = [telegram.add_user(f"Person {number}", "ru") for number in range(PEOPLE)]
    await app.initialize()
    inbox = Inbox(store, app.bot, app.process_update, services.metrics)
    polling = asyncio.create_task(Poller(app.bot, inbox.take).run())
    await started(telegram, people[0])
    telegram.journal = clock  # type: ignore[assignment]
    await load(telegram, clock, people, rate, seconds)
    polling.cancel()
    await inbox.close(5)
    await app.shutdown()
    await store.close()
    return clock.took


async def outside(state: Path, rate: int, seconds: int) -> dict[str, list[float]]:
    """Seconds from update to answer with HTTP between Telegram and the bot, by kind of update."""
    telegram = Telegram(TOKEN, "load_bot", "Load")
    clock = Clock(telegram)
    telegram.journal = clock  # type: ignore[assignment]
    server = await serve(telegram, 0)
    environment = {
        **os.environ,
        "TELEGRAM_TOKEN": TOKEN,
        "TELEGRAM_API_URL": server.url,
        "STATE": str(state),
        "MESSAGES_PER_SECOND": "0",
    }
    bot = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", env=environment)
    people = [telegram.add_user(f"Person {number}", "ru") for number in range(PEOPLE)]
    await started(telegram, people[0])
    await load(telegram, clock, people, rate, seconds)
    bot.terminate()
    await bot.wait()
    await server.stop()
    return clock.took


async def started(telegram: Telegram, user: User) -> None:
    """Until the bot answers."""
    chat = telegram.private(user)
    telegram.user_sends(user, chat, "/start")
    while len(chat.messages) == 1:
        await asyncio.sleep(0.01)


async def load(telegram: Telegram, clock: Clock, people: list[User], rate: int, seconds: int) -> None:
    """Updates at the rate, in turn a question, a press and a typed query, and a second to answer the last."""
    start = time.perf_counter()
    for number in range(rate * seconds):
        user = people[number // 3 % PEOPLE]
        act(telegram, clock, user, telegram.private(user), number)
        await asyncio.sleep(max(0, start + (number + 1) / rate - time.perf_counter()))
    await asyncio.sleep(1)


def act(telegram: Telegram, clock: Clock, user: User, chat: Chat, number: int) -> None:
    """One update."""
    words = QUERIES[number // 3 % len(QUERIES)]
    shown = max((key for key, message in chat.messages.items() if "reply_markup" in message), default=0)
    if number % 3 == 0 or (number % 3 == 1 and not shown):
        clock.asked[f"question{chat.id}"] = time.perf_counter()
        telegram.user_sends(user, chat, words)
    elif number % 3 == 1:
        clock.asked[f"press{chat.id}"] = time.perf_counter()
        first = chat.messages[shown]["reply_markup"]["inline_keyboard"][0][0]
        telegram.press(user, chat, shown, first["callback_data"])
    else:
        query = telegram.inline_query(user, f"{words} {number}")
        clock.asked[f"inline{query.id}"] = time.perf_counter()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rate", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for title, measure in (("inside the bot", inside), ("with HTTP both ways", outside)):
            took = asyncio.run(measure(Path(folder) / f"{measure.__name__}.db", options.rate, options.seconds))
            print(f"\n{options.rate} updates a second for {options.seconds} seconds, {title}")
            print("| update | answers | median | p99 |\n|---|---|---|---|")
            for kind, seconds in [*took.items(), ("all", [second for each in took.values() for second in each])]:
                ordered = sorted(seconds)
                slow = ordered[int(0.99 * len(ordered))]
                print(f"| {kind} | {len(ordered)} | {1000 * median(ordered):.1f} ms | {1000 * slow:.1f} ms |")


if __name__ == "__main__":
    main()

"""A soak: many people, a Telegram with bad days, a bot that is killed; then everything must be as they left it.

`PYTHONPATH=.:tests python tests/tools/soak.py` prints what happened, and fails when somebody lost something. The people
and the strict Telegram are in this process, the bot is in another, as in the image.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import re
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bot.sandbox.server import serve
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import QUERY_LIFETIME, Call, Chat, Query, User
from bot.texts import texts_in
from support.served import BOT, environment
from support.weather import Fault, Weather

TOKEN = "123456:" + "A" * 35
CHANCES: Mapping[Fault, float] = {
    **dict.fromkeys(("429", "500", "502", "dropped", "cut", "garbled"), 0.004),
    "slow": 0.02,
}
MOST_GROWTH = 1.05
"""Of the memory, from the first tenth of the second half, where nobody kills, to the end."""
PATIENCE = 6.0
"""Seconds that a person waits for an answer before they do something else."""
WORDS = [
    *("ничего не делать", "выдать тайну", "очень устать", "бить баклуши", "как сказать, когда льёт дождь"),
    *(
        "to be very happy",
        "once in a blue",
        "spill the beans",
        "to reveal a secret",
        "ochen ustat",
        "бездельнечать",
        ",tpltkmybxfnm",
    ),
]
COMMANDS = ["/help", "/random", "/saved", "/history", "/start", "/settings", "/quiz"]
SORRY = {texts_in(language)(key) for language in ("ru", "en") for key in ("notice-error", "notice-state")}


@dataclass
class Outcome:
    """What a soak saw."""

    acts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    unanswered: int = 0
    """Acts after which nothing came in time."""
    sorry: int = 0
    """Apologies that people got."""
    kills: int = 0
    stops: list[float] = field(default_factory=list)
    """Seconds that a stop by SIGTERM took."""
    starts: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    """Resident kilobytes of the last bot process, tenth by tenth."""
    tracebacks: int = 0
    wrong: list[str] = field(default_factory=list)
    """Whatever is not as people left it."""


@dataclass
class Person:
    """Somebody who does one thing after another, and what the bot must know of them."""

    user: User
    chat: Chat
    rng: random.Random
    asked: list[str] = field(default_factory=list)
    """Queries and opened cards, as the history must have them."""
    saved: dict[str, bool] = field(default_factory=dict)
    presses: list[Query] = field(default_factory=list)
    noticed: asyncio.Event = field(default_factory=asyncio.Event)
    """The bot did something that they see."""

    async def patient(self) -> None:
        """Wait until the bot does something, but not for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self.noticed.wait()


class Soak:
    """The people, their Telegram and the bot."""

    def __init__(self, folder: Path, people: int, seed: int, settings: Mapping[str, str], rate: float = 80) -> None:
        self._rate = rate  # Things that all people together do in a second, unless they have to wait.
        self.weather = Weather(seed=seed)
        self.telegram = Telegram(TOKEN, "soak_bot", "Soak")
        self.telegram.journal = self  # type: ignore[assignment]
        self.outcome, self.state, self._rng = Outcome(), folder / "state.db", random.Random(seed)
        self._log = folder / "bot.log"
        given = {"TELEGRAM_TOKEN": TOKEN, "STATE": str(self.state), "MESSAGES_PER_SECOND": "0"}
        self._environment = environment({**settings, **given})
        self._bot: asyncio.subprocess.Process | None = None
        self._outages: list[tuple[float, float]] = []
        self.people = []
        for number in range(people):
            user = self.telegram.add_user(f"Person {number}", self._rng.choice(["ru", "en"]))
            self.people.append(Person(user, self.telegram.private(user), random.Random(f"{seed} {number}")))
        self._who = {person.user.id: person for person in self.people}
        self.telegram.observers.append(self._notice)

    def append(self, call: Call) -> None:
        """In place of the journal: every call of the bot passes here."""
        if str(call.params.get("text", "")) in SORRY:
            self.outcome.sorry += 1

    async def run(self, updates: int, kills: int) -> Outcome:
        """Let people do so many things, kill the bot so often in the first half, and compare."""
        server = await serve(self.telegram, 0, api=self.weather.api())
        self._environment["TELEGRAM_API_URL"] = server.url
        try:
            await self.start()
            await self._lives(updates, kills)
            await self.stop()
        finally:
            if self._bot and self._bot.returncode is None:
                self._bot.kill()
                await self._bot.wait()
            await server.stop()
        self._compare()
        return self.outcome

    async def _lives(self, updates: int, kills: int) -> None:
        self.weather.chances = dict(CHANCES)
        killer = asyncio.create_task(self._kill(kills, updates))
        watcher = asyncio.create_task(self._watch(updates))
        await asyncio.gather(*(self._live(person, updates // len(self.people)) for person in self.people))
        await killer
        watcher.cancel()
        self.weather.chances = {}
        await self._quiet()
        self.outcome.memory.append(self._memory())

    async def start(self) -> None:
        """Start the bot, and wait until it answers."""
        started = time.perf_counter()
        with self._log.open("ab") as log:
            self._bot = await asyncio.create_subprocess_exec(*BOT, env=self._environment, stderr=log)
        user = self.telegram.add_user("First", "en")
        chat = self.telegram.private(user)
        answered = asyncio.Event()
        self._who[user.id] = Person(user, chat, self._rng, noticed=answered)
        async with asyncio.timeout(60):
            while not answered.is_set():
                # On a bad day the answer itself may be lost.
                self.telegram.user_sends(user, chat, "/help")
                with suppress(TimeoutError):
                    await asyncio.wait_for(answered.wait(), PATIENCE)
        self.outcome.starts.append(time.perf_counter() - started)

    async def stop(self, kind: signal.Signals = signal.SIGTERM) -> None:
        """End the bot by a signal."""
        assert self._bot
        stopped = time.perf_counter()
        self._bot.send_signal(kind)
        await self._bot.wait()
        if kind == signal.SIGTERM:
            self.outcome.stops.append(time.perf_counter() - stopped)

    async def _kill(self, kills: int, updates: int) -> None:
        for number in range(kills):
            while self.outcome.acts.total() < (number + 1) * updates / 2 / (kills + 1):
                await asyncio.sleep(0.02)
            began = self.telegram.clock()
            await self.stop(signal.SIGTERM if number % 3 == 2 else signal.SIGKILL)
            self.outcome.kills += number % 3 != 2
            await self.start()
            self._outages.append((began, self.telegram.clock()))

    async def _watch(self, updates: int) -> None:
        """Note the memory at every tenth of the second half, where nobody kills."""
        for tenth in range(6, 10):
            while self.outcome.acts.total() < tenth * updates / 10:
                await asyncio.sleep(0.05)
            self.outcome.memory.append(self._memory())

    def _memory(self) -> int:
        assert self._bot
        status = Path(f"/proc/{self._bot.pid}/status").read_text(encoding="ascii")
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0])

    async def _live(self, person: Person, acts: int) -> None:
        self.telegram.user_sends(person.user, person.chat, "/start")
        every = len(self.people) / self._rate
        due = time.perf_counter() + person.rng.uniform(0, every)
        for _ in range(acts):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due = max(due, time.perf_counter() - every) + every
            act = person.rng.choices(
                [self._ask, self._press, self._type, self._command, self._correct], [8, 8, 4, 2, 1]
            )[0]
            person.noticed.clear()
            started = time.perf_counter()
            await act(person)
            self.outcome.acts[act.__name__.strip("_")] += 1
            if act != self._type:
                await person.patient()
            took = time.perf_counter() - started
            self.outcome.seconds.append(took)
            self.outcome.unanswered += took >= PATIENCE

    def _notice(self, event: str, chat: Chat | None, content: dict[str, Any]) -> None:
        """Let people see what the bot does."""
        of_bot = event != "message" or content["from"]["is_bot"]
        person = self._who.get(chat.id if chat else content.get("user_id", 0))
        if person and of_bot:
            person.noticed.set()

    async def _ask(self, person: Person) -> None:
        words = f"{person.rng.choice(WORDS)} {person.rng.choice(['', '!', '?'])}".strip()
        person.asked.append(words)
        self.telegram.user_sends(person.user, person.chat, words)

    async def _correct(self, person: Person) -> None:
        messages = person.chat.messages.items()
        own = [n for n, message in messages if not message["from"]["is_bot"] and "via_bot" not in message]
        words = person.rng.choice(WORDS)
        person.asked.append(words)
        self.telegram.user_edits(person.chat, own[-1], words)

    async def _command(self, person: Person) -> None:
        self.telegram.user_sends(person.user, person.chat, person.rng.choice(COMMANDS))

    async def _press(self, person: Person) -> None:
        """Press something below the last message that has buttons."""
        shown = [number for number, message in person.chat.messages.items() if "reply_markup" in message]
        if not shown:
            return await self._ask(person)
        rows = person.chat.messages[shown[-1]]["reply_markup"]["inline_keyboard"]
        able = [
            b["callback_data"] for row in rows for b in row if re.match(r"1(o|ks|v|y):", b.get("callback_data", ""))
        ]
        if not able:
            return await self._ask(person)
        data = person.rng.choice(able)
        code, *values = data.split(":")
        if code == "1o":
            person.asked.append(values[0])
        if code == "1ks":
            person.saved[values[0]] = values[1] == "1"
        person.presses.append(self.telegram.press(person.user, person.chat, shown[-1], data))
        return None

    async def _type(self, person: Person) -> None:
        """Type in inline mode, and perhaps send a card."""
        query = self.telegram.inline_query(person.user, f"{person.rng.choice(WORDS)} {person.rng.randrange(10**6)}")
        await person.patient()
        if query.answer and query.answer["results"] and person.rng.random() < 0.5:
            card = person.rng.choice(query.answer["results"])["id"]
            person.asked.append(card)
            self.telegram.choose(query, card, person.chat)

    async def _quiet(self) -> None:
        """Until the bot has answered everything that Telegram and its state hold."""
        async with asyncio.timeout(120):
            while self.telegram.updates.pending or self._rows("SELECT id FROM bodies"):
                await asyncio.sleep(0.2)

    def _rows(self, sql: str, *values: object) -> list[Any]:
        db = sqlite3.connect(f"file:{self.state}?mode=ro", uri=True)
        try:
            return db.execute(sql, values).fetchall()
        finally:
            db.close()

    def _compare(self) -> None:
        wrong = self.outcome.wrong
        for person in self.people:
            number = person.user.id
            kept = self._rows(
                "SELECT text FROM history WHERE user = ? AND kind IN ('query', 'card') ORDER BY id", number
            )
            texts = [text for (text,) in kept]
            if texts != person.asked:
                wrong.append(f"history of {number}: {_difference(texts, person.asked)}")
            saved = {key for (key,) in self._rows("SELECT key FROM saved WHERE user = ?", number)}
            if saved != {key for key, is_saved in person.saved.items() if is_saved}:
                wrong.append(f"saved by {number}: {saved} instead of {person.saved}")
            wrong += [f"a press of {number} was not answered" for press in person.presses if self._forgotten(press)]
        self.outcome.tracebacks = self._log.read_text(encoding="utf-8").count("Traceback")
        if TOKEN in self._log.read_text(encoding="utf-8"):
            wrong.append("the token is in the log")

    def _forgotten(self, press: Query) -> bool:
        """Whether a press was not answered, though the bot ran all the time in which Telegram takes an answer."""
        until = press.asked + QUERY_LIFETIME
        away = any(began <= until and ended >= press.asked for began, ended in self._outages)
        return press.answer is None and not away


def _difference(texts: list[str], expected: list[str]) -> str:
    place = next((n for n, (one, other) in enumerate(zip(texts, expected, strict=False)) if one != other), -1)
    lost, more = Counter(expected) - Counter(texts), Counter(texts) - Counter(expected)
    return f"lost {dict(lost)}, more {dict(more)}, first difference at {place} of {len(expected)}"


def report(outcome: Outcome, weather: Weather, seconds: float) -> str:
    """What happened, as a table."""
    ordered = sorted(outcome.seconds)
    rows = {
        "acts": json.dumps(outcome.acts),
        "acts a second": f"{outcome.acts.total() / seconds:.0f}",
        "faults": json.dumps(weather.happened),
        "seconds to an answer: median, p99": f"{median(ordered):.3f}, {ordered[int(0.99 * len(ordered))]:.3f}",
        "no answer in time": f"{outcome.unanswered} ({100 * outcome.unanswered / len(ordered):.2f} %)",
        "kills, stops; the longest stop": f"{outcome.kills}, {len(outcome.stops)}; {max(outcome.stops):.1f} s",
        "start to first answer: median": f"{median(outcome.starts):.2f} s",
        "memory in MB, by tenths of the second half": ", ".join(f"{kb / 1000:.0f}" for kb in outcome.memory),
        "apologies, tracebacks": f"{outcome.sorry}, {outcome.tracebacks}",
        "not as people left it": str(len(outcome.wrong)),
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--updates", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--rate", type=float, default=80, help="acts a second")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", default="0", choices=("0", "1"))
    options = parser.parse_args()
    # The strict Telegram would log every bad day.
    logging.getLogger("tornado.access").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), options.people, options.seed, {"READER": options.reader}, options.rate)
        started = time.perf_counter()
        outcome = asyncio.run(soak.run(options.updates, options.kills))
    print(report(outcome, soak.weather, time.perf_counter() - started))
    if outcome.memory[-1] > MOST_GROWTH * outcome.memory[0]:
        outcome.wrong.append(f"memory grew by more than {MOST_GROWTH - 1:.0%}")
    print("\n".join(outcome.wrong[:20]))
    return 1 if outcome.wrong or outcome.sorry or outcome.tracebacks else 0


if __name__ == "__main__":
    sys.exit(main())

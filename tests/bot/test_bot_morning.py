"""The morning when many get their idiom of the day: as fast as Telegram allows, and through kills and stops."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from bot.sandbox.server import BotApi
from bot.sandbox.telegram import Telegram
from bot.search.engine import SearchEngine
from bot.store.opening import open_store
from support.postgres import Server
from support.running import BotProcess, running, telegram_in, until
from support.small import small_artifacts
from support.talking import Talk
from support.weather import Weather

LATENCY = 0.15


class Slow(BotApi):
    """A Telegram that is far away."""

    async def post(self, token: str, method: str) -> None:
        await asyncio.sleep(LATENCY)
        await super().post(token, method)


async def subscribe(telegram: Telegram, state: Path | str, count: int, now: float) -> None:
    """Let so many people wait for their idiom of the day."""
    store = await open_store(state)
    for number in range(count):
        user = telegram.add_user(f"Гость {number}", "ru")
        user.started = True
        await store.set(user.id, hour="9", zone="UTC", due=now - 1, spoken="ru")
    await store.close()


def delivered(telegram: Telegram) -> Counter[int]:
    """How many messages people got."""
    return Counter({user: len(telegram.chats[user].messages) for user in telegram.users})


async def nobody_due(state: str) -> None:
    store = await open_store(state)
    async with asyncio.timeout(60):
        while await store.due():
            await asyncio.sleep(0.1)
    await store.close()


def reached(telegram: Telegram, count: int) -> bool:
    return delivered(telegram).total() >= count


@pytest.mark.slow
async def test_idioms_of_the_day_are_sent_as_fast_as_allowed(tmp_path: Path) -> None:
    """With 150 ms for each call, one after another would be 6 a second."""
    rate, sent = 50, list[float]()
    small = SearchEngine(small_artifacts())
    async with Talk(small, path=tmp_path / "state.db", api=Slow, messages_per_second=rate) as talk:
        talk.telegram.observers.append(lambda *_: sent.append(time.perf_counter()))
        await subscribe(talk.telegram, tmp_path / "state.db", 300, talk.time)
        await talk.jobs.tick()
        assert len(sent) == 300
        assert 0.7 * rate < 299 / (sent[-1] - sent[0]) < 1.05 * rate
        windows = zip(sent, sent[rate:], strict=False)
        assert all(later - earlier > 0.8 for earlier, later in windows)


async def test_who_is_muted_holds_up_nobody_and_gets_theirs_a_little_later(tmp_path: Path) -> None:
    weather, small = Weather(), SearchEngine(small_artifacts())
    async with Talk(small, path=tmp_path / "state.db", api=weather.api()) as talk:
        await subscribe(talk.telegram, tmp_path / "state.db", 60, talk.time)
        weather.forecast["sendMessage"] = ["429"] * 40
        began = time.perf_counter()
        await talk.jobs.tick()
        assert time.perf_counter() - began < 1, "Telegram asks for a second's silence in each of the forty chats"
        assert delivered(talk.telegram).total() == 20
        await asyncio.sleep(1.1)
        await talk.jobs.tick()
        assert set(delivered(talk.telegram).values()) <= {0, 1} and delivered(talk.telegram).total() == 60
        await talk.jobs.tick()
        assert delivered(talk.telegram).total() == 60, "nobody gets two"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "by"), [("sqlite", signal.SIGTERM), ("sqlite", signal.SIGKILL), ("postgresql", signal.SIGKILL)]
)
async def test_stops_and_kills_on_such_a_morning(
    tmp_path: Path, kind: str, by: signal.Signals, request: pytest.FixtureRequest
) -> None:
    """Nobody gets two, and nobody is left out, but by a kill just between the note that one is sent and its request."""
    state = str(tmp_path / "state.db")
    if kind == "postgresql":
        server: Server = request.getfixturevalue("postgres")
        state = server.new()
    async with telegram_in(api=Slow) as (telegram, api):
        bot = BotProcess(tmp_path, TELEGRAM_API_URL=api.url, STATE=state, MESSAGES_PER_SECOND=50)
        await subscribe(telegram, state, 200, time.time())
        async with running(bot):
            for share in (60, 130):
                await until(partial(reached, telegram, share))
                await bot.end(by)
                await bot.start()
            await nobody_due(state)
            assert await bot.end(signal.SIGTERM) == 0
    counts = Counter(delivered(telegram).values())
    assert counts.keys() <= {0, 1}
    assert counts[0] <= (0 if by == signal.SIGTERM else 2)
    assert "Traceback" not in bot.log

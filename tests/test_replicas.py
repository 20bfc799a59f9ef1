"""Three copies of the bot behind a load balancer share a database, and are killed in turn: nobody loses anything."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from bot.sandbox.telegram import Telegram
from bot.sandbox.world import User
from bot.store.opening import open_store
from support.postgres import Server
from support.running import BotProcess, free_port, running, telegram_in, until
from support.small import PHRASES
from support.states import exported
from support.weather import Weather

REPLICAS, PEOPLE, QUESTIONS = 3, 30, 8


class Balancer(RequestHandler):
    """Passes each update to the next copy that listens."""

    def initialize(self, ports: cycle[int]) -> None:
        self._ports = ports

    async def post(self) -> None:
        client = AsyncHTTPClient()
        for port in (next(self._ports) for _ in range(REPLICAS)):
            url = f"http://127.0.0.1:{port}{self.request.uri}"
            try:
                answer = await client.fetch(url, method="POST", headers=self.request.headers, body=self.request.body)
            except ConnectionRefusedError:
                continue
            except (HTTPClientError, OSError):
                break
            self.set_status(answer.code)
            return
        self.set_status(502)


def answers(telegram: Telegram, user: User) -> list[str]:
    return [message["text"] for message in telegram.private(user).messages.values() if message["from"]["is_bot"]]


def idioms_of_the_day(telegram: Telegram) -> list[int]:
    """How many each person got."""
    return [sum(text.startswith("🌅") for text in answers(telegram, user)) for user in telegram.users.values()]


async def asking(telegram: Telegram, user: User) -> list[str]:
    """Ask one question after another; the questions."""
    asked = [f"{PHRASES[number % 3].text} {user.id} {number}" for number in range(QUESTIONS)]
    for question in asked:
        telegram.user_sends(user, telegram.private(user), question)
        await until(lambda: any(question in text for text in answers(telegram, user)), 50)  # noqa: B023
        await asyncio.sleep(0.5)
    return asked


@pytest.mark.slow
async def test_copies_that_are_killed_in_turn_lose_and_repeat_nothing(tmp_path: Path, postgres: Server) -> None:
    ports, state = [free_port() for _ in range(REPLICAS)], postgres.new()
    balancer = HTTPServer(Application([(r"/hook", Balancer, {"ports": cycle(ports)})], log_function=lambda _: None))
    entrance = free_port()
    balancer.listen(entrance, "127.0.0.1")
    async with AsyncExitStack() as stack:
        stack.push_async_callback(balancer.close_all_connections)
        stack.callback(balancer.stop)
        # Slow, so that every kill cuts off some answers.
        telegram, api = await stack.enter_async_context(telegram_in(Weather({"slow": 0.3}).api()))
        shared = {"TELEGRAM_API_URL": api.url, "STATE": state, "WEBHOOK_URL": f"http://127.0.0.1:{entrance}/hook"}
        bots = [BotProcess(tmp_path / str(port), PORT=port, **shared) for port in ports]
        people = [telegram.add_user(f"Гость {number}", "ru") for number in range(PEOPLE)]
        store = await open_store(state)
        stack.push_async_callback(store.close)
        for user in people:
            user.started = True
            await store.set(user.id, hour="9", zone="UTC", due=time.time() - 1, spoken="ru")
        await stack.enter_async_context(running(*bots))
        await until(lambda: idioms_of_the_day(telegram) == [1] * PEOPLE)
        conversations = asyncio.gather(*(asking(telegram, user) for user in people))
        for bot in bots:
            await asyncio.sleep(1)
            await bot.end()
            await bot.start()
        asked = await conversations
        kept = [
            [row for row in (await exported(store, user.id))["history"] if row["kind"] == "query"] for user in people
        ]
    assert [sorted(row["text"] for row in rows) for rows in kept] == [sorted(questions) for questions in asked]
    assert idioms_of_the_day(telegram) == [1] * PEOPLE
    assert telegram.refusals == []
    assert "Traceback" not in "".join(bot.log for bot in bots)

"""The entrance: the real bot and a Telegram joined by real HTTP, with a token and without."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.app import log_to_stderr
from bot.features.context import Services
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Chat
from bot.search.engine import SearchEngine
from bot.serving import running_locally
from bot.settings import Settings, SettingsError
from bot.store.opening import open_store
from support.running import BotProcess, free_port, running, telegram_in
from support.talking import QUERY, TOKEN

# Of an idiom itself: the meanings of small artifacts are drawn by lot, and may be too far for an answer.
WORDS = "баклуши бить"


async def answered(chat: Chat, count: int) -> str:
    """The text of the message with this number, once it is there."""
    async with asyncio.timeout(10):
        while len(chat.messages) < count:
            await asyncio.sleep(0.01)
    return str(chat.messages[count]["text"])


async def test_a_port_in_use_is_one_sentence(engine: SearchEngine) -> None:
    store = await open_store(":memory:")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        services = Services(engine, store, Settings(port=port))
        with pytest.raises(SettingsError, match=rf"cannot listen on 127\.0\.0\.1, port {port} .*choose another one\.$"):
            async with running_locally(services):
                pass
    await store.close()


async def test_the_bot_answers_over_http(engine: SearchEngine, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    log_to_stderr()
    settings, store = Settings(port=0), await open_store(":memory:")
    telegram: Telegram
    async with running_locally(Services(engine, store, settings)) as (_, telegram):
        user = telegram.add_user("Анна", "ru")
        chat = telegram.private(user)
        telegram.user_sends(user, chat, "/start")
        assert (await answered(chat, 2)).startswith("Привет")
        telegram.user_sends(user, chat, QUERY)
        assert "5. " in await answered(chat, 4)
        press = telegram.press(
            user, chat, 4, chat.messages[4]["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
        )
        query = telegram.inline_query(user, QUERY)
        async with asyncio.timeout(10):
            while press.answer is None or query.answer is None:
                await asyncio.sleep(0.01)
        assert len(query.answer["results"]) == 10
    await store.close()
    assert telegram.refusals == []
    assert telegram.token not in caplog.text


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [("TELEGRAM_TOKEN", "nonsense", "TELEGRAM_TOKEN"), ("PORT", "99999", "PORT"), ("ARTIFACTS", "nowhere", "nowhere")],
)
def test_a_wrong_setting_ends_in_one_sentence(tmp_path: Path, setting: str, value: str, words: str) -> None:
    environment = {**os.environ, "STATE": str(tmp_path / "state.db"), setting: value}
    run = subprocess.run([sys.executable, "-m", "bot"], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert words in run.stderr
    assert "Traceback" not in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize("webhook", [False, True])
async def test_the_real_entrance_with_a_token(tmp_path: Path, webhook: bool) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}/hook" if webhook else ""
    async with telegram_in() as (telegram, server):
        bot = BotProcess(tmp_path, TELEGRAM_API_URL=server.url, PORT=port, WEBHOOK_URL=address)
        user = telegram.add_user("Анна", "ru")
        telegram.user_sends(user, telegram.private(user), WORDS)
        async with running(bot):
            assert "бить баклуши" in await answered(telegram.private(user), 2)
            assert await bot.end(signal.SIGTERM) == 0
    assert TOKEN not in bot.log
    assert telegram.refusals == []
    store = await open_store(tmp_path / "state.db")
    assert [entry.text for entry in await store.history(user.id, 0, 9)] == [WORDS]
    await store.close()


def test_a_stop_while_artifacts_are_read_is_no_failure(tmp_path: Path) -> None:
    stopped_meanwhile = (
        "import os, signal, time; from bot import __main__ as bot; "
        "bot.SearchEngine.load = lambda *_: (os.kill(os.getpid(), signal.SIGTERM), time.sleep(20)); bot.main()"
    )
    environment = {**os.environ, "STATE": str(tmp_path / "state.db"), "TELEGRAM_TOKEN": TOKEN}
    run = subprocess.run(
        [sys.executable, "-c", stopped_meanwhile], env=environment, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")


async def test_a_refused_token_is_one_sentence(tmp_path: Path) -> None:
    async with telegram_in() as (telegram, server):
        telegram.token = TOKEN[:-1] + "B"
        bot = BotProcess(tmp_path, TELEGRAM_API_URL=server.url)
        async with running(bot):
            assert await bot.ended() == 1
    assert bot.log.splitlines()[-1] == "Telegram refused TELEGRAM_TOKEN: copy it from @BotFather again."
    assert TOKEN not in bot.log
    assert "Traceback" not in bot.log

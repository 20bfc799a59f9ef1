"""`python -m bot` in a process of its own, over small artifacts: started, killed and started again."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bot.sandbox.server import BotApi, Server, serve
from bot.sandbox.telegram import Telegram
from support.small import small_artifacts
from support.talking import TOKEN

ROOT = Path(__file__).resolve().parents[2]


class BotProcess:
    """The bot as an operator runs it. What it leaves in `folder` outlives it."""

    def __init__(self, folder: Path, **settings: object) -> None:
        """Have the settings that are given by the names of their variables."""
        self.artifacts, self.log_file = folder / "artifacts", folder / "bot.log"
        folder.mkdir(exist_ok=True)
        if not self.artifacts.exists():
            small_artifacts().save(self.artifacts)
        self._environment = dict(os.environ)
        self.set(TELEGRAM_TOKEN=TOKEN, ARTIFACTS=self.artifacts, STATE=folder / "state.db", PORT=0)
        self.set(**settings)
        self._process: asyncio.subprocess.Process | None = None

    def set(self, **settings: object) -> None:
        """Have these settings at the next start."""
        self._environment |= {name: str(value) for name, value in settings.items()}

    async def start(self) -> None:
        """Start, and wait for nothing."""
        with self.log_file.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot"), cwd=ROOT, env=self._environment, stdout=log, stderr=log
            )

    async def ended(self, seconds: float = 30) -> int:
        """Wait until it ends by itself; the exit status."""
        assert self._process
        async with asyncio.timeout(seconds):
            return await self._process.wait()

    async def end(self, by: signal.Signals = signal.SIGKILL, seconds: float = 30) -> int:
        """End it by a signal, if it is still there; the exit status."""
        if self._process and self._process.returncode is None:
            self._process.send_signal(by)
            return await self.ended(seconds)
        return 0

    @property
    def log(self) -> str:
        """What it wrote so far, in all its lives."""
        return self.log_file.read_text(encoding="utf-8")


@asynccontextmanager
async def telegram_in(api: type[BotApi] | None = None) -> AsyncIterator[tuple[Telegram, Server]]:
    """A strict Telegram over HTTP, perhaps with bad days or far away."""
    telegram = Telegram(TOKEN, "idiomatika_bot", "Idiomatika")
    server = await serve(telegram, 0, api=api)
    try:
        yield telegram, server
    finally:
        await server.stop()


@asynccontextmanager
async def running(*bots: BotProcess) -> AsyncIterator[None]:
    """Start these; none of them is left behind."""
    try:
        for bot in bots:
            await bot.start()
        yield
    finally:
        for bot in bots:
            await bot.end()


async def until(holds: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something holds. Raises TimeoutError after so many seconds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


def free_port() -> int:
    """A port that nothing listens at just now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])

"""The bot at work: where updates come from, what runs beside them, and how all of it starts and stops."""

from __future__ import annotations

import asyncio
import hashlib
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from telegram import Bot
from telegram.error import InvalidToken

from bot.app import build, introduce
from bot.features.context import Services
from bot.refresh import Refresh
from bot.settings import Settings, SettingsError
from bot.telegram import webhook
from bot.telegram.inbox import Inbox
from bot.telegram.jobs import Jobs
from bot.telegram.polling import Poller, patiently
from bot.telegram.registration import Registration

if TYPE_CHECKING:
    from bot.sandbox.telegram import Telegram

STOP_SECONDS = 5.0
"""How long answers under way may take when the bot stops; the next start gives those that take longer."""


async def run(services: Services) -> None:
    """Serve until SIGTERM or SIGINT, by webhook if one is set. Raises SettingsError for a token that is refused."""
    stopped = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    serving, stop = asyncio.create_task(_serve(services)), asyncio.create_task(stopped.wait())
    await asyncio.wait([serving, stop], return_when=asyncio.FIRST_COMPLETED)
    stop.cancel()
    serving.cancel()
    try:
        with suppress(asyncio.CancelledError):
            await serving
    except InvalidToken as error:
        raise SettingsError("Telegram refused TELEGRAM_TOKEN: copy it from @BotFather again.") from error


async def _serve(services: Services) -> None:
    """Serve until cancelled, or until what should go on for ever ends with an error, which is raised."""
    async with running(services) as tasks:
        await asyncio.gather(*tasks)


@asynccontextmanager
async def running(services: Services) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Answer updates, polled or sent to the webhook, and do the work beside. Yields the tasks that go on for ever."""
    app, settings = build(services), services.settings
    services.tell_artifacts()
    async with AsyncExitStack() as stack:
        # A start that fails leaves connections too, which the application would not close.
        stack.push_async_callback(app.bot.shutdown)
        await patiently("The start", app.initialize)
        stack.push_async_callback(app.shutdown)
        inbox = Inbox(services.store, app.bot, app.process_update, services.metrics)
        stack.push_async_callback(inbox.close, STOP_SECONDS)
        await inbox.take_over()  # before what came since, or a person's later words would be answered first
        jobs = Jobs(services, app.bot)
        stack.push_async_callback(jobs.close, STOP_SECONDS / 2)
        source: Poller | Registration = Poller(app.bot, inbox.take)
        if settings.webhook_url:
            source = await _webhook(stack, app.bot, inbox, settings)
        if settings.metrics_port:
            from bot import watching

            watched = await watching.listen(services.metrics, source.trouble, settings.host, settings.metrics_port)
            stack.push_async_callback(watched.stop)
        # The menu is told beside the rest: Telegram may take minutes for it.
        work = [source.run(), inbox.go_on_taking_over(), jobs.run(), Refresh(services).run(), introduce(app)]
        tasks = [asyncio.create_task(each) for each in work]
        stack.push_async_callback(_end, tasks)
        yield tasks


async def _webhook(stack: AsyncExitStack, bot: Bot, inbox: Inbox, settings: Settings) -> Registration:
    """Listen for updates, and return what tells Telegram where."""
    # Telegram sends it back with every update; made of the token, it is one secret less to keep.
    secret = hashlib.sha256(f"webhook {settings.token}".encode()).hexdigest()
    path = urlsplit(settings.webhook_url).path or "/"
    server = await webhook.listen(inbox.take, secret, settings.host, settings.port, path)
    stack.push_async_callback(server.stop)
    return Registration(bot, settings.webhook_url, secret)


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def run_locally(services: Services) -> None:
    """Serve the bot in front of a local Telegram until interrupted. Raises SettingsError for a port in use."""
    async with running_locally(services) as (url, _):
        print(f"Open {url} in a browser: a chat with the bot, for trying and testing.")
        print("For the real Telegram set TELEGRAM_TOKEN to what @BotFather gave you.", flush=True)
        await asyncio.Event().wait()


@asynccontextmanager
async def running_locally(services: Services) -> AsyncIterator[tuple[str, Telegram]]:
    """Join the bot and a local Telegram by HTTP, and give its address. Raises SettingsError for a port in use."""
    # Imported here, because the real bot has no use for it and its memory.
    from bot.sandbox.server import serve
    from bot.sandbox.telegram import Telegram

    telegram = Telegram(username="idiomatika_bot", name="Idiomatika")
    host, port = services.settings.host, services.settings.port
    async with AsyncExitStack() as stack:
        try:
            server = await serve(telegram, port, host)
        except OSError as error:
            raise SettingsError(
                f"The local chat cannot listen on {host}, port {port} ({error.strerror}): "
                "stop the program that uses the port, or choose another one."
            ) from error
        stack.push_async_callback(server.stop)
        # The local Telegram takes as much as comes.
        settings = replace(services.settings, token=telegram.token, api_url=server.url, messages_per_second=0)
        services.settings = settings
        await stack.enter_async_context(running(services))
        yield server.url, telegram

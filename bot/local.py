"""The bot in front of a Telegram of its own, to be tried in a browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from bot.app import UPDATE_TYPES, build, introduce
from bot.conversation import Conversation
from bot.sandbox.server import serve
from bot.sandbox.telegram import Telegram
from bot.settings import Settings


def run(settings: Settings, conversation: Conversation) -> None:
    """Serve until interrupted. Raises SettingsError when the port cannot be had."""

    async def until_interrupted() -> None:
        async with running(settings, conversation) as (url, _):
            print(f"Open {url} in a browser: a chat with the bot, for trying and testing.")
            print("For the real Telegram set TELEGRAM_TOKEN to what @BotFather gave you.", flush=True)
            await asyncio.Event().wait()

    asyncio.run(until_interrupted())


@asynccontextmanager
async def running(settings: Settings, conversation: Conversation) -> AsyncIterator[tuple[str, Telegram]]:
    """The real bot and its own Telegram, joined by HTTP as in earnest; their address. Raises SettingsError."""
    telegram = Telegram(username="idiomatika_bot", name="Idiomatika")
    async with AsyncExitStack() as stack:
        server = await serve(telegram, settings.port, settings.host)
        stack.push_async_callback(server.stop)
        # The own Telegram takes as much as comes.
        own = replace(settings, token=telegram.token, api_url=server.url, messages_per_second=0)
        app = await stack.enter_async_context(build(own, conversation))
        assert app.updater
        await introduce(app)
        await app.start()
        stack.push_async_callback(app.stop)
        await app.updater.start_polling(allowed_updates=UPDATE_TYPES)
        stack.push_async_callback(app.updater.stop)
        yield server.url, telegram

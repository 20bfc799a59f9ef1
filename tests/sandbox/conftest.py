"""A local Telegram, alone and behind HTTP, and a small bot in front of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InputTextMessageContent,
    Update,
)
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, InlineQueryHandler, MessageHandler, filters

from bot.sandbox.server import Server, serve
from bot.sandbox.telegram import Telegram
from support.local import TOKEN, App, Local


@pytest.fixture
def local() -> Local:
    return Local()


@pytest.fixture
def telegram() -> Telegram:
    return Telegram(TOKEN, "echo_bot", "Echo")


@pytest_asyncio.fixture
async def server(telegram: Telegram) -> AsyncIterator[Server]:
    running = await serve(telegram, 0)
    yield running
    await running.stop()


@pytest_asyncio.fixture
async def app(server: Server) -> AsyncIterator[App]:
    """A small bot that says everything twice."""
    built: App = (
        Application.builder().token(TOKEN).base_url(f"{server.url}/bot").base_file_url(f"{server.url}/file/bot").build()
    )
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("Again", callback_data="again")]])

    async def start(update: Update, _: Any) -> None:
        assert update.message
        await update.message.reply_html("<b>Hello</b>", reply_markup=markup)

    async def echo(update: Update, _: Any) -> None:
        assert update.message and update.message.text
        await update.message.reply_text(update.message.text * 2, reply_markup=markup)

    async def press(update: Update, _: Any) -> None:
        assert update.callback_query
        await update.callback_query.answer("Done")
        await update.callback_query.edit_message_text("Pressed")

    async def inline(update: Update, _: Any) -> None:
        assert update.inline_query
        page = int(update.inline_query.offset or 0)
        content = InputTextMessageContent(update.inline_query.query or "nothing")
        cards = [InlineQueryResultArticle(str(n), f"Card {n}", content, markup) for n in range(page, page + 20)]
        await update.inline_query.answer(cards, next_offset=str(page + 20) if page < 40 else "")

    text = filters.TEXT & ~filters.VIA_BOT
    for handler in (CommandHandler("start", start), MessageHandler(text, echo), CallbackQueryHandler(press)):
        built.add_handler(handler)
    built.add_handler(InlineQueryHandler(inline))
    async with built:
        yield built


@pytest_asyncio.fixture
async def polling(app: App) -> AsyncIterator[App]:
    """The same bot, at work."""
    assert app.updater
    await app.updater.start_polling(timeout=5)
    await app.start()
    yield app
    await app.updater.stop()
    await app.stop()

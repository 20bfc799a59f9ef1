"""The Telegram application: which handler answers which update, and how it runs."""

from __future__ import annotations

from typing import Any

from telegram import BotCommand, LinkPreviewOptions, Update
from telegram.constants import ParseMode
from telegram.ext import (
    Application,
    ApplicationBuilder,
    CallbackQueryHandler,
    CommandHandler,
    Defaults,
    InlineQueryHandler,
    MessageHandler,
    filters,
)
from telegram.request import BaseRequest

from bot.conversation import Conversation
from bot.handlers import Handlers
from bot.settings import Settings
from bot.texts import LANGUAGES, texts_in

App = Application[Any, Any, Any, Any, Any, Any]

UPDATES_AT_ONCE = 64
COMMANDS = ("random", "help")
UPDATE_TYPES = [Update.MESSAGE, Update.EDITED_MESSAGE, Update.CALLBACK_QUERY, Update.INLINE_QUERY]


def build(settings: Settings, conversation: Conversation, request: BaseRequest | None = None) -> App:
    """The application, ready to run. `request` replaces the HTTP transport."""
    builder = ApplicationBuilder().token(settings.token).concurrent_updates(UPDATES_AT_ONCE).post_init(introduce)
    builder.base_url(f"{settings.api_url}/bot").base_file_url(f"{settings.api_url}/file/bot")
    builder.defaults(Defaults(parse_mode=ParseMode.HTML, link_preview_options=LinkPreviewOptions(is_disabled=True)))
    if request:
        builder.request(request).get_updates_request(request)
    else:
        # A pool smaller than the concurrency would make updates time out waiting for a connection.
        builder.connection_pool_size(UPDATES_AT_ONCE + 8)
    app: App = builder.build()
    add_handlers(app, Handlers(conversation))
    return app


def add_handlers(app: App, handlers: Handlers) -> None:
    """The first of these that fits an update answers it."""
    person = filters.UpdateType.MESSAGES & filters.ChatType.PRIVATE & ~filters.VIA_BOT & ~filters.StatusUpdate.ALL
    app.add_handler(CommandHandler("start", handlers.start))
    app.add_handler(CommandHandler("help", handlers.help))
    app.add_handler(CommandHandler("random", handlers.random))
    app.add_handler(MessageHandler(person & filters.COMMAND, handlers.unknown_command))
    app.add_handler(MessageHandler(person & (filters.TEXT | filters.CAPTION), handlers.text))
    app.add_handler(MessageHandler(person, handlers.other))
    app.add_handler(CallbackQueryHandler(handlers.press))
    app.add_handler(InlineQueryHandler(handlers.inline))
    app.add_error_handler(handlers.error)


async def introduce(app: App) -> None:
    """Tell Telegram the commands for its menu, in every language of the bot."""
    for language in LANGUAGES:
        commands = [BotCommand(name, texts_in(language)(f"command-{name}")) for name in COMMANDS]
        # English is also what people of any other language see.
        await app.bot.set_my_commands(commands, language_code=None if language == "en" else language)


def run(settings: Settings, conversation: Conversation) -> None:
    """Serve until interrupted. Raises telegram.error.InvalidToken."""
    build(settings, conversation).run_polling(allowed_updates=UPDATE_TYPES, bootstrap_retries=-1)

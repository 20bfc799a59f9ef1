"""The Telegram application: which handler answers which update, and how the bot presents itself."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from telegram import BotCommand, BotCommandScopeAllGroupChats, ext
from telegram.error import InvalidToken, TelegramError
from telegram.ext import Application, ApplicationBuilder, ChatMemberHandler, MessageHandler, filters
from telegram.request import BaseRequest

from bot.features.context import Services
from bot.features.routes import IN_GROUPS, MENU
from bot.settings import TOKEN
from bot.telegram.handlers import Handlers
from bot.telegram.inbox import GivenUp
from bot.telegram.pace import Pace
from bot.telegram.transport import Transport
from bot.texts import DEFAULT, LANGUAGES, texts_in

App = Application[Any, Any, Any, Any, Any, Any]

logger = logging.getLogger(__name__)


def build(services: Services, request: Callable[[Callable[[str], None]], BaseRequest] = Transport) -> App:
    """Return the application, ready to run. `request` makes the HTTP transports."""
    settings, retried = services.settings, services.metrics.retried
    builder = ApplicationBuilder().token(settings.token).rate_limiter(Pace(settings.messages_per_second, retried))
    builder.base_url(f"{settings.api_url}/bot").base_file_url(f"{settings.api_url}/file/bot")
    # Updates and jobs do not come through the library, which loses them when it is killed.
    builder.updater(None).job_queue(None).request(request(retried)).get_updates_request(request(retried))
    app: App = builder.build()
    add_handlers(app, Handlers(services), int(settings.token.partition(":")[0]))
    return app


def add_handlers(app: App, handlers: Handlers, bot: int) -> None:
    """The first of these that fits an update answers it. `bot` is the bot's number, by which it knows its own cards."""
    message = filters.UpdateType.MESSAGES & ~filters.ViaBot(bot) & ~filters.StatusUpdate.ALL
    private, group = message & filters.ChatType.PRIVATE, message & filters.ChatType.GROUPS
    words = filters.TEXT | filters.CAPTION
    app.add_handler(MessageHandler((private | group) & filters.COMMAND, handlers.command))
    app.add_handler(MessageHandler(private & words, handlers.text))
    # Only new ones: a live location is edited every few seconds.
    app.add_handler(MessageHandler(private & filters.UpdateType.MESSAGE, handlers.other))
    app.add_handler(MessageHandler(group & filters.UpdateType.MESSAGE & words, handlers.group_text))
    app.add_handler(ext.CallbackQueryHandler(handlers.press))
    app.add_handler(ext.InlineQueryHandler(handlers.inline))
    app.add_handler(ext.ChosenInlineResultHandler(handlers.chosen))
    app.add_handler(ext.PollAnswerHandler(handlers.voted))
    app.add_handler(ChatMemberHandler(handlers.membership, ChatMemberHandler.MY_CHAT_MEMBER))
    app.add_handler(ext.TypeHandler(GivenUp, handlers.given_up))
    app.add_error_handler(handlers.error)


async def introduce(app: App) -> None:
    """Tell Telegram the menu of commands and what the bot is, in every language of the bot."""
    for language in LANGUAGES:
        texts = texts_in(language)
        # The default is also what people of any other language see.
        code = None if language == DEFAULT else language
        menu = {name: BotCommand(name, texts(f"command-{name}")) for name in MENU}
        try:
            await app.bot.set_my_commands(list(menu.values()), language_code=code)
            groups = BotCommandScopeAllGroupChats()
            await app.bot.set_my_commands([menu[name] for name in IN_GROUPS], groups, language_code=code)
            await app.bot.set_my_description(texts("description"), language_code=code)
            await app.bot.set_my_short_description(texts("description-short"), language_code=code)
        except TelegramError as error:
            logger.warning("The menu was not updated: %s", error)


class Discreet(logging.Formatter):
    """Writes no token, wherever a message or an exception has one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        return TOKEN.sub("<token>", super().format(record))


def log_to_stderr() -> None:
    """Log what an operator wants to know, and never the token."""
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    # A refused token ends the program with one sentence; the library's traceback adds nothing.
    handler.addFilter(lambda record: not (record.exc_info and record.exc_info[0] is InvalidToken))
    logging.basicConfig(handlers=[handler], level=logging.INFO)
    for chatty in ("httpx", "tornado.access", "tornado.general"):
        # At INFO they write every address that is called, and every malformed request of a stranger.
        logging.getLogger(chatty).setLevel(logging.WARNING)

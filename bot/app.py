"""The Telegram application: which handler answers which update, and how it runs, with Telegram or without."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from telegram import BotCommand, BotCommandScopeAllGroupChats, ext
from telegram.error import InvalidToken, TelegramError
from telegram.ext import AIORateLimiter, Application, ApplicationBuilder, ChatMemberHandler, MessageHandler, filters
from telegram.request import BaseRequest

from bot.features.context import Services
from bot.features.routes import IN_GROUPS, MENU
from bot.settings import TOKEN, Settings, SettingsError
from bot.telegram.handlers import Handlers
from bot.telegram.jobs import INTERVAL, Jobs
from bot.texts import DEFAULT, LANGUAGES, texts_in

if TYPE_CHECKING:
    from bot.sandbox.telegram import Telegram

App = Application[Any, Any, Any, Any, Any, Any]

UPDATES_AT_ONCE = 256
"""Many, because those of a group that writes too fast wait for its limit, and must not keep others waiting."""
UPDATE_TYPES = (
    "message edited_message callback_query inline_query chosen_inline_result poll_answer my_chat_member".split()
)

logger = logging.getLogger(__name__)


def build(services: Services, request: BaseRequest | None = None) -> App:
    """Return the application, ready to run. `request` replaces the HTTP transport."""
    settings = services.settings
    builder = ApplicationBuilder().token(settings.token).concurrent_updates(UPDATES_AT_ONCE).post_init(introduce)
    builder.base_url(f"{settings.api_url}/bot").base_file_url(f"{settings.api_url}/file/bot")
    rate = settings.messages_per_second
    builder.rate_limiter(AIORateLimiter(rate, max_retries=2) if rate else AIORateLimiter(0, group_max_rate=0))
    if request:
        builder.request(request).get_updates_request(request)
    else:
        # A pool smaller than the concurrency would make updates time out waiting for a connection.
        builder.connection_pool_size(UPDATES_AT_ONCE + 8)
    app: App = builder.build()
    add_handlers(app, Handlers(services), int(settings.token.partition(":")[0]))
    if app.job_queue:
        app.job_queue.run_repeating(Jobs(services).tick, INTERVAL, first=1)
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
    for chatty in ("httpx", "tornado.access", "apscheduler"):
        # At INFO the first two write every address that is called.
        logging.getLogger(chatty).setLevel(logging.WARNING)


def run(services: Services) -> None:
    """Serve until interrupted, by webhook if one is set. Raises SettingsError for a token that Telegram refuses."""
    try:
        _run(services.settings, build(services))
    except InvalidToken as error:
        raise SettingsError("Telegram refused TELEGRAM_TOKEN: copy it from @BotFather again.") from error


def _run(settings: Settings, app: App) -> None:
    if not settings.webhook_url:
        app.run_polling(allowed_updates=UPDATE_TYPES, bootstrap_retries=-1)
        return
    app.run_webhook(
        listen=settings.host,
        port=settings.port,
        url_path=urlsplit(settings.webhook_url).path.lstrip("/"),
        webhook_url=settings.webhook_url,
        # Telegram sends it back with every update; made of the token, it is one secret less to keep.
        secret_token=hashlib.sha256(f"webhook {settings.token}".encode()).hexdigest(),
        allowed_updates=UPDATE_TYPES,
        bootstrap_retries=-1,
    )


async def run_locally(services: Services) -> None:
    """Serve the bot in front of a local Telegram until interrupted. Raises SettingsError for a port in use."""
    async with running_locally(services) as (url, _):
        print(f"Open {url} in a browser: a chat with the bot, for trying and testing.")
        print("For the real Telegram set TELEGRAM_TOKEN to what @BotFather gave you.", flush=True)
        await asyncio.Event().wait()


@asynccontextmanager
async def running_locally(services: Services) -> AsyncIterator[tuple[str, Telegram]]:
    """Join the bot and a local Telegram by HTTP, and give its address. Raises SettingsError for a port in use."""
    # Imported here, because the real bot has no use for a server and its memory.
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
        app = await stack.enter_async_context(build(replace(services, settings=settings)))
        assert app.updater
        await introduce(app)
        await app.start()
        stack.push_async_callback(app.stop)
        await app.updater.start_polling(allowed_updates=UPDATE_TYPES)
        stack.push_async_callback(app.updater.stop)
        yield server.url, telegram

"""`python -m bot`: the Telegram bot when TELEGRAM_TOKEN is set, otherwise a local chat to try it in a browser."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys

# Before numpy is imported: a search is a few small products, which threads only make wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from telegram.error import InvalidToken

from bot import app
from bot.features.context import Services
from bot.search.artifacts import ArtifactsError
from bot.search.engine import SearchEngine
from bot.settings import TOKEN, Settings, SettingsError
from bot.store.protocol import StateError
from bot.store.sqlite import SqliteStore


def main() -> None:
    """Compose and run; what only a person can put right ends in one sentence."""
    log_to_stderr()
    try:
        serve(Settings.from_environment(os.environ))
    except (SettingsError, ArtifactsError, StateError) as error:
        sys.exit(str(error))
    except InvalidToken:
        sys.exit("Telegram refused TELEGRAM_TOKEN: copy it from @BotFather again.")
    except KeyboardInterrupt:
        sys.exit(0)


class Discreet(logging.Formatter):
    """Writes no token, whoever put one into a message or an exception."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, or lines, of a record."""
        return TOKEN.sub("<token>", super().format(record))


def log_to_stderr() -> None:
    """Log what an operator wants to know, and never the token."""
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    # A refused token ends the program with a sentence of its own; the library's traceback adds nothing.
    handler.addFilter(lambda record: not (record.exc_info and record.exc_info[0] is InvalidToken))
    logging.basicConfig(handlers=[handler], level=logging.INFO)
    for chatty in ("httpx", "tornado.access", "apscheduler"):
        # At INFO the first two write every address that is called.
        logging.getLogger(chatty).setLevel(logging.WARNING)


def serve(settings: Settings) -> None:
    """Run the bot that the settings ask for until it is interrupted."""
    engine = SearchEngine.load(settings.artifacts)
    # The people of a local chat are gone when it ends, and so is what the bot remembers of them.
    store = SqliteStore(settings.state if settings.token else ":memory:")
    services = Services(engine, store, settings)
    # The phrases never become garbage, and looking through them again and again would double every answer's time.
    gc.collect()
    gc.freeze()
    try:
        if settings.token:
            app.run(services)
        else:
            asyncio.run(app.run_locally(services))
    finally:
        store.close()


if __name__ == "__main__":
    main()

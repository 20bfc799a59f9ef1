"""`python -m bot`: the Telegram bot when TELEGRAM_TOKEN is set, otherwise a local chat to try it in a browser."""

from __future__ import annotations

import asyncio
import gc
import os
import sys

# Before numpy is imported: a search is a few small products, which threads only make wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from bot import serving
from bot.app import log_to_stderr
from bot.features.context import Services
from bot.search.artifacts import ArtifactsError
from bot.search.engine import SearchEngine
from bot.settings import Settings, SettingsError
from bot.store.opening import open_store
from bot.store.protocol import StateError


def main() -> None:
    """Compose and run; an error that only the operator can put right ends in one sentence."""
    log_to_stderr()
    try:
        serve(Settings.from_environment(os.environ))
    except (SettingsError, ArtifactsError, StateError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(0)


def serve(settings: Settings) -> None:
    """Run the bot that the settings ask for until it is interrupted."""
    engine = SearchEngine.load(settings.artifacts, settings.reader)
    # The phrases never become garbage, and looking through them again and again would double every answer's time.
    gc.collect()
    gc.freeze()
    asyncio.run(_serve(engine, settings))


async def _serve(engine: SearchEngine, settings: Settings) -> None:
    # The people of a local chat are gone when it ends, and so is what the bot remembers of them.
    store = await open_store(settings.state if settings.token else ":memory:")
    services = Services(engine, store, settings)
    try:
        await (serving.run(services) if settings.token else serving.run_locally(services))
    finally:
        await store.close()


if __name__ == "__main__":
    main()

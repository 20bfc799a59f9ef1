"""`python -m bot`: the Telegram bot when TELEGRAM_TOKEN is set, otherwise a local chat to try it in a browser."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
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
    # For as long as the artifacts are read; the bot at work finishes its answers first.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        asyncio.run(_serve(Settings.from_environment(os.environ)))
    except (SettingsError, ArtifactsError, StateError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(0)


async def _serve(settings: Settings) -> None:
    # The engine has no name of its own here, so that it is let go when new artifacts take its place. The people of a
    # local chat are gone when it ends, and so is what the bot remembers of them.
    services = Services(
        SearchEngine.load(settings.artifacts, settings.reader),
        await open_store(settings.state if settings.token else ":memory:"),
        settings,
    )
    # The phrases are no garbage, and looking through them again and again would double every answer's time.
    gc.collect()
    gc.freeze()
    try:
        await (serving.run(services) if settings.token else serving.run_locally(services))
    finally:
        await services.store.close()


if __name__ == "__main__":
    main()

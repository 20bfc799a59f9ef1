"""New artifacts, served without a pause: loaded beside the old ones, and taken between two updates."""

from __future__ import annotations

import asyncio
import gc
import logging
from pathlib import Path

from bot import memory
from bot.features.context import Services
from bot.search.artifacts import ArtifactsError, read_manifest
from bot.search.engine import SearchEngine

EVERY = 2.0
"""Seconds between two looks at the folder; what is found must have been there at the look before."""
WARMING = ("сильный дождь", "to do nothing all day", "🐷✈️")

logger = logging.getLogger(__name__)

Seen = frozenset[tuple[str, int, int, int]]
"""The files of a folder: of each its name, its number, when it was written and how long it is."""


class Refresh:
    """Watches the folder of artifacts."""

    def __init__(self, services: Services, every: float = EVERY) -> None:
        """Give `services` an engine of new artifacts; look for them `every` so many seconds."""
        self._services, self._every = services, every
        self._latest: Seen | None = None
        self._judged: Seen | None = None

    async def run(self) -> None:
        """Look for new artifacts, for ever."""
        while True:
            await self.look()
            await asyncio.sleep(self._every)

    async def look(self) -> None:
        """Serve what is in the folder, if that is new, settled and sound; say once what is not sound."""
        found, before = await asyncio.to_thread(_seen, self._services.settings.artifacts), self._latest
        self._latest = found
        if found != before or found == self._judged:
            return
        self._judged = found
        try:
            engine = await asyncio.to_thread(self._engine)
        except ArtifactsError as error:
            logger.error("The new artifacts are not served, and the old ones go on: %s", error)
        except Exception as error:  # whatever it is, it is no reason to stop serving the old ones
            logger.error(
                "The new artifacts are not served, and the old ones go on: they cannot be searched (%r)", error
            )
        else:
            if engine:
                self._serve(engine)
                del engine
                await asyncio.to_thread(memory.give_back)

    def _engine(self) -> SearchEngine | None:
        """An engine of what is in the folder, as fast as it will be; None for what is served already."""
        settings = self._services.settings
        if read_manifest(settings.artifacts) == self._services.engine.artifacts.manifest:
            return None
        engine = SearchEngine.load(settings.artifacts, settings.reader)
        for text in WARMING:
            engine.answer(text)
        # As at the start of the bot: what lives as long as the process is not looked through again and again.
        gc.collect()
        gc.freeze()
        return engine

    def _serve(self, engine: SearchEngine) -> None:
        """Let everything that begins now be answered by another engine; what has begun keeps the one that it has."""
        engine.set_click_counts(self._services.engine.click_counts)
        self._services.serve(engine)
        built = engine.artifacts.manifest.get("date", "an unknown date")
        logger.info("Now serving the artifacts of %s with %s phrases", built, f"{len(engine.phrases):,}")


def _seen(folder: Path) -> Seen | None:
    """The files that lie in a folder; None where there is none."""
    try:
        stats = [(path.name, path.stat()) for path in folder.iterdir() if path.is_file()]
    except OSError:
        return None
    return frozenset((name, stat.st_ino, stat.st_mtime_ns, stat.st_size) for name, stat in stats)

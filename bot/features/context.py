"""What every handler gets: the search, the store, and who asks."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, TypeVar

from bot import clock
from bot.metrics import Metrics
from bot.search.engine import SearchEngine
from bot.settings import Settings
from bot.store.protocol import HistoryEntry, StateUnavailable, Store, User
from bot.texts import Texts, texts_in
from bot.ui import Asker, InlineCard, Reply

T = TypeVar("T")

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Trending:
    """What many people opened of late, as it was read last."""

    keys: list[str] = field(default_factory=list)
    until: float = 0.0
    """When it is to be read again, in seconds since 1970."""


@dataclass(slots=True)
class Services:
    """What is the same for everybody who asks. Only `serve` changes the engine."""

    engine: SearchEngine
    store: Store
    settings: Settings
    seconds: deque[float] = field(default_factory=lambda: deque(maxlen=1000))
    """How long the latest queries took."""
    cards: dict[tuple[str, str, str], InlineCard] = field(default_factory=dict)
    """Cards of inline mode that were shown of late, by the reader's language, the phrase's language and its text."""
    trending: Trending = field(default_factory=Trending)
    metrics: Metrics = field(default_factory=Metrics)
    troubles: list[str] = field(default_factory=list)
    """Why the state could not be had, of late; whoever tells the admins empties it."""

    def serve(self, engine: SearchEngine) -> None:
        """Answer with this engine from now on; answers under way keep the engine and the cards that they began with."""
        self.engine, self.cards = engine, {}
        self.tell_artifacts()

    def tell_artifacts(self) -> None:
        """Count the artifacts as those that are served."""
        manifest = self.engine.artifacts.manifest
        self.metrics.serves(str(manifest.get("date", "")), str(manifest["recipe"]["name"]))

    def context(self, user: User, chat_key: str, own_language: str, bot: str, update: int = 0) -> Context:
        """Return what handlers need to answer this user's update in this chat; `bot` is the bot's username."""
        asker = Asker(user.id, chat_key, texts_in(user.language or own_language), own_language, bot)
        return Context(
            self.engine,
            self.store,
            self.settings,
            self.seconds,
            self.cards,
            self.trending,
            asker,
            user,
            update,
            self.report_state,
        )

    def report_state(self, error: StateUnavailable) -> None:
        """Note that the state cannot be had just now."""
        if not self.troubles:
            logger.error("The state cannot be had; the search goes on without it: %s", error)
            self.troubles.append(str(error))


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler needs to answer somebody; the settings of the asker are read once for each update."""

    engine: SearchEngine
    store: Store
    settings: Settings
    seconds: deque[float]
    cards: dict[tuple[str, str, str], InlineCard]
    trending: Trending
    asker: Asker
    user: User
    update: int = 0
    """The number of the update that is answered; 0 for what nobody asked for."""
    report_state: Callable[[StateUnavailable], None] = field(default=lambda _: None)
    unread: StateUnavailable | None = None
    """Why the settings in `user` are the defaults and not the asker's own; None: they are the asker's."""

    @property
    def texts(self) -> Texts:
        """The texts in the asker's language."""
        return self.asker.texts

    @property
    def languages(self) -> tuple[str, ...] | None:
        """The languages of the idioms that the asker searches; None is all."""
        return (self.user.scope,) if self.user.scope else None

    @property
    def zone(self) -> str:
        """The time zone that the asker chose, or the likeliest for their language; zones have been abolished, too."""
        return clock.known_zone(self.user.zone) or self.texts("home-zone")

    @property
    def today(self) -> date:
        """The date where the asker lives."""
        return clock.local_day(self.store.now(), self.zone)

    async def set(self, **values: Any) -> Context:
        """Change settings of the asker, by the names of the fields of User, and return the context with them.

        Raises StateUnavailable also where the settings could not be read, because some are written as they were.
        """
        if self.unread:
            raise self.unread
        await self.store.set(self.asker.id, **values)
        return replace(self, user=replace(self.user, **values))

    async def add(self, kind: str, text: str, parent: int = 0, page: int = 0, **more: Any) -> HistoryEntry:
        """Remember a screen that the asker is shown; a parent that they cannot go back to counts as none.

        A screen that cannot be remembered just now is shown all the same, without a way back to it.
        """
        known = await self.or_else(self.entry(parent), None)
        parent = known.id if known else 0
        entry = HistoryEntry(0, self.asker.id, self.asker.chat_key, kind, text, parent, page, **more)
        return await self.or_else(self.store.add(entry, self.update), entry)

    async def or_else(self, kept: Awaitable[T], otherwise: T) -> T:
        """Return what the state holds, or something else when it cannot be had just now."""
        try:
            return await kept
        except StateUnavailable as error:
            self.report_state(error)
            return otherwise

    async def entry(self, number: int) -> HistoryEntry | None:
        """Return the screen with this number, if it was shown in the asker's chat."""
        return await self.store.entry(number, self.asker.chat_key) if number else None

    def gone(self, what: str) -> Reply:
        """Return the answer to a button whose "phrase" or "step" no longer exists."""
        return Reply(toast=self.texts(f"notice-{what}-gone"))


# What a feature answers: presses of buttons, commands with the words after them, and pages of history entries.
Actions = Mapping[type[Any], Callable[[Context, Any], Awaitable[Reply]]]
Commands = Mapping[str, Callable[[Context, Sequence[str]], Awaitable[Reply]]]
Screens = Mapping[str, Callable[[Context, HistoryEntry, int], Awaitable[Reply]]]

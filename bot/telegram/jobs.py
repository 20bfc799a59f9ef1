"""What happens by the clock: idioms of the day are sent, what people chose is counted, old rows are deleted."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from telegram import Bot
from telegram.error import Forbidden, RetryAfter, TelegramError

from bot import memory
from bot.features import daily
from bot.features.context import Context, Services
from bot.store.protocol import StateUnavailable, User
from bot.telegram.pace import First
from bot.telegram.render import send_to, tell
from bot.telegram.transport import Undone
from bot.telegram.turns import Overtaken
from bot.texts import DEFAULT, texts_in
from bot.ui import Screen

LATEST = 1800.0
"""Seconds after which an idiom of the day is no longer sent: nobody wants yesterday's after a long stop."""
INTERVAL = 60.0
COUNT_EVERY = 3600.0
"""Seconds between two counts of what people chose."""
TELL_EVERY = 3600.0
"""Seconds between two messages to the admins about the state."""
SENT_AT_ONCE = 25
"""Idioms of the day under way: as many as the limit of a second, so that whoever asks something waits a second."""

logger = logging.getLogger(__name__)


class Unwanted(Exception):
    """An idiom of the day that its reader does not want any more, or that another process sends."""


class Jobs:
    """The work of every minute."""

    def __init__(self, services: Services, bot: Bot) -> None:
        """Work for the users of `services` through `bot`."""
        self.services, self.bot = services, bot
        self._counted, self._told = -COUNT_EVERY, -TELL_EVERY
        self._sending: asyncio.Future[list[BaseException | None]] | None = None
        self._stopping = False

    async def run(self) -> None:
        """Work every minute, for ever, whatever happens in one of them."""
        while True:
            try:
                await self.tick()
            except StateUnavailable as error:
                self.services.report_state(error)
            except Exception:
                logger.exception("The work of this minute was not done")
            await self._tell_troubles()
            await asyncio.to_thread(memory.give_back)
            await asyncio.sleep(INTERVAL)

    async def tick(self) -> None:
        """Send what is due, count what was chosen, delete what is old: of processes that share a state, one does it."""
        store = self.services.store
        if await store.leads():
            await self._send_due()
            await store.prune()
        if self.services.settings.popularity and store.now() >= self._counted + COUNT_EVERY:
            clicks = await store.clicks()
            # Whichever engine serves by now.
            self.services.engine.set_click_counts(clicks)
            self._counted = store.now()

    async def close(self, seconds: float) -> None:
        """Wait so long for the idioms of the day that are on their way; the next start sends the others."""
        self._stopping = True
        if self._sending:
            await asyncio.wait([self._sending], timeout=seconds)
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)

    async def _send_due(self) -> None:
        free, begin = asyncio.Semaphore(SENT_AT_ONCE), asyncio.Lock()
        rate = self.services.settings.messages_per_second

        async def send(user: User) -> None:
            async with free:
                # In even steps: a kill in the midst of a burst would catch many between their note and their request.
                async with begin:
                    await asyncio.sleep(1 / rate if rate else 0)
                if not self._stopping:
                    await self._try_to_send(user)

        self._sending = asyncio.gather(*map(send, await self.services.store.due()), return_exceptions=True)
        # Cut off between its note and its request, a message would never be sent.
        await asyncio.shield(self._sending)

    async def _try_to_send(self, user: User) -> None:
        try:
            await self.send_daily(user)
        except StateUnavailable as error:
            self.services.report_state(error)
        except Exception:
            logger.exception("An idiom of the day could not be made; its reader gets the next one")
            # The same one would fail again every minute, until it is too late for it.
            with suppress(StateUnavailable):
                await daily.schedule(self._context(user))

    async def _tell_troubles(self) -> None:
        """Tell the admins why the state could not be had."""
        troubles, now = self.services.troubles, self.services.store.now()
        if troubles and now >= self._told + TELL_EVERY:
            self._told = now
            text = Screen(texts_in(DEFAULT).html("report-state", reason=troubles[0]))
            await asyncio.gather(*(tell(self.bot, admin, text) for admin in self.services.settings.admins))
        troubles.clear()

    async def send_daily(self, user: User) -> None:
        """Send the idiom of the day to somebody for whom it was due, unless they chose otherwise since then."""
        context = self._context(user)

        async def note() -> None:
            # Before sending, so that a kill in between never sends one twice; and not before its turn has come, so
            # that a kill costs nobody theirs who still waits.
            if self._stopping or not await daily.schedule(context):
                raise Unwanted

        if abs(context.store.now() - (user.due or 0)) > LATEST:
            await daily.schedule(context)
        elif (await context.store.user(user.id)).due == user.due:
            shown = (await daily.todays_card(context)).screen
            await (self._send(user, shown, note) if shown else daily.schedule(context))

    def _context(self, user: User) -> Context:
        return self.services.context(user, str(user.id), user.spoken or DEFAULT, self.bot.username)

    async def _send(self, user: User, card: Screen, note: First) -> None:
        try:
            await send_to(self.bot, user.id, card, note)
        except Unwanted:
            pass
        except (Undone, RetryAfter) as error:
            logger.warning("An idiom of the day could not be sent yet: %s", error)
            await self._make_due_again(user)
        except (TelegramError, Overtaken) as error:
            # A chat that is gone, or not to be written to; all else would be the fault of the card, which all get.
            if isinstance(error, Forbidden) or str(error).casefold().startswith("chat not found"):
                logger.info("An idiom of the day was refused, so its reader is unsubscribed: %s", error)
                await daily.unsubscribe(self.services.store, user.id)
            else:
                logger.warning("An idiom of the day was not delivered: %s", error)

    async def _make_due_again(self, user: User) -> None:
        """Let the next minute send it, unless its reader chose otherwise meanwhile."""
        now = await self.services.store.user(user.id)
        if user.due and (now.hour, now.zone) == (user.hour, user.zone):
            await self.services.store.reschedule(now, user.due)

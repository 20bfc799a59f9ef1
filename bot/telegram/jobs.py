"""What happens by the clock: idioms of the day are sent, what people chose is counted, old rows are deleted."""

from __future__ import annotations

import logging

from telegram import Bot
from telegram.error import BadRequest, Forbidden, TelegramError
from telegram.ext import ContextTypes

from bot.features import daily
from bot.features.context import Services
from bot.store.protocol import User
from bot.telegram.render import send_to
from bot.texts import DEFAULT

LATEST = 1800.0
"""Seconds after which an idiom of the day is no longer sent: nobody wants yesterday's after a long stop."""
INTERVAL = 60.0
COUNT_EVERY = 3600.0
"""Seconds between two counts of what people chose."""

logger = logging.getLogger(__name__)


class Jobs:
    """The work of every minute."""

    def __init__(self, services: Services) -> None:
        """Work for the users of `services`."""
        self.services = services
        self._counted = -COUNT_EVERY

    async def tick(self, ptb: ContextTypes.DEFAULT_TYPE) -> None:
        """Send what is due, count what was chosen, delete what is old."""
        store = self.services.store
        for user in await store.due():
            await self.send_daily(ptb.bot, user)
        if self.services.settings.popularity and store.now() >= self._counted + COUNT_EVERY:
            self._counted = store.now()
            self.services.engine.set_click_counts(await store.clicks())
        await store.prune()

    async def send_daily(self, bot: Bot, user: User) -> None:
        """Send the idiom of the day to somebody for whom it was due, unless they chose otherwise since then."""
        context = self.services.context(user, str(user.id), user.spoken or DEFAULT, bot.username)
        # Before sending: a stop in between costs one message, and never sends one twice.
        wanted = await daily.schedule(context)
        if not wanted or context.store.now() - (user.due or 0) > LATEST:
            return
        try:
            if card := (await daily.todays_card(context)).screen:
                await send_to(bot, user.id, card)
        except (Forbidden, BadRequest) as error:
            logger.info("An idiom of the day was refused, so its reader is unsubscribed: %s", error)
            await daily.unsubscribe(context.store, user.id)
        except TelegramError as error:
            logger.warning("An idiom of the day was not delivered: %s", error)

"""What happens by the clock: idioms of the day are sent, what people chose is counted, old rows are deleted."""

from __future__ import annotations

import logging

from telegram.error import BadRequest, Forbidden, TelegramError
from telegram.ext import ContextTypes

from bot.conversation import Conversation
from bot.sending import send_to
from bot.store.sqlite import User

LATEST = 1800.0
"""Seconds after which an idiom of the day is no longer sent: nobody wants yesterday's after a long stop."""
INTERVAL = 60.0
COUNT_EVERY = 3600.0
"""Seconds between two counts of what people chose."""

logger = logging.getLogger(__name__)


class Jobs:
    """The work of every minute."""

    def __init__(self, conversation: Conversation) -> None:
        """Work for the users of `conversation`."""
        self.conversation = conversation
        self._counted = -COUNT_EVERY

    async def tick(self, context: ContextTypes.DEFAULT_TYPE) -> None:
        """Send what is due, count what was chosen, delete what is old."""
        store = self.conversation.store
        for user in store.due():
            late = store.now() - (user.due or 0) > LATEST
            # Before sending: a stop in between costs one message, and never sends one twice.
            self.conversation.personal.schedule(user)
            if not late:
                await self._send(context, user)
        if self.conversation.settings.popularity and store.now() >= self._counted + COUNT_EVERY:
            self._counted = store.now()
            self.conversation.engine.set_click_counts(store.choices())
        store.prune()

    async def _send(self, context: ContextTypes.DEFAULT_TYPE, user: User) -> None:
        screen = self.conversation.daily_card(user, context.bot.username)
        try:
            if screen:
                await send_to(context.bot, user.id, screen)
        except (Forbidden, BadRequest) as error:
            logger.info("An idiom of the day was refused, so its reader is unsubscribed: %s", error)
            self.conversation.personal.unsubscribe(user.id)
        except TelegramError as error:
            logger.warning("An idiom of the day was not delivered: %s", error)

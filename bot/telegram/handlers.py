"""Handlers: from Telegram's updates to the features, and back. None of them decides anything."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from telegram import ChatMember, Message, Update
from telegram.error import BadRequest, TelegramError
from telegram.ext import ContextTypes

from bot.features import daily, inline, routes, search, start
from bot.features.context import Context, Services
from bot.store.protocol import StateUnavailable, User
from bot.telegram import photos, render
from bot.telegram.inbox import GivenUp
from bot.telegram.pace import ASKER
from bot.telegram.turns import Overtaken, Turns
from bot.texts import interface_language
from bot.ui import InlinePage, Reply, Screen

Ptb = ContextTypes.DEFAULT_TYPE
Part = TypeVar("Part")

LONGEST_LINE = 30
"""Updates of a chat, or of a person, that may wait for the one before; then the newest displace the oldest."""
MOST_READ = 3
"""Inline queries that may wait for the search, some 10 ms, and all get the best; when more wait, it goes by words alone
until they are fewer, which answers twice as many: at each pause of typing everybody asks anew."""
TOLD_AGAIN_SECONDS = 60.0
"""How long who was told that they write too fast must have kept within bounds to be told so again."""
REMEMBERED = 3_000
"""Answers that are edited when their question is."""
NOT_WRITABLE = (
    "chat not found",
    "not enough rights to send",
    "have no rights to send",
    "need administrator rights",
    "message thread not found",
    "message to edit not found",
    "chat_",
    "topic_",
)
"""What refusals begin with where nothing can be written; the last two are codes such as CHAT_WRITE_FORBIDDEN."""

logger = logging.getLogger(__name__)


class Handlers:
    """One method for each kind of update."""

    def __init__(self, services: Services) -> None:
        """Answer everybody from `services`."""
        self.services = services
        self._turns = Turns(LONGEST_LINE)
        # Of what somebody types in inline mode only the latest matters.
        self._typing = Turns(1)
        self._typed = 0
        # By the numbers of people and of groups, which are never the same.
        self._overtaken: dict[int, float] = {}
        self._answers: OrderedDict[tuple[int, int], int] = OrderedDict()
        self._albums: deque[str] = deque(maxlen=1000)

    async def command(self, update: Update, ptb: Ptb) -> None:
        """A command, perhaps with the name of the bot that it is for."""
        first, *words = (_given(update.effective_message).text or "").split()
        name, _, bot = first[1:].partition("@")
        if bot.casefold() in ("", ptb.bot.username.casefold()):
            await self._answer(update, lambda context: routes.command(context, name.casefold(), words))

    async def text(self, update: Update, _: Ptb) -> None:
        """A query: a message, a corrected one, or the caption of a picture."""
        message = _given(update.effective_message)
        query, to = _words(message), message.reply_to_message
        replied = (to.text or "") if to and to.from_user and to.from_user.id == message.get_bot().id else ""
        await self._answer(update, lambda context: routes.said(context, query, replied), query)

    async def group_text(self, update: Update, ptb: Ptb) -> None:
        """A message in a group: a query when it names the bot or replies to it, and nothing otherwise."""
        message = _given(update.effective_message)
        name = f"@{ptb.bot.username}".casefold()
        words = _words(message).split()
        query = " ".join(word for word in words if word.rstrip(",.:;!?").casefold() != name)
        replied = message.reply_to_message and message.reply_to_message.from_user
        if query != " ".join(words) or (replied and replied.id == ptb.bot.id):
            await self._answer(update, lambda at: search.ask(at, query) if query else start.start(at), query)

    async def other(self, update: Update, _: Ptb) -> None:
        """A sticker, a photo, a voice message; an album of them comes one by one and is answered once."""
        album = _given(update.effective_message).media_group_id
        if album not in self._albums:
            if album:
                self._albums.append(album)
            await self._answer(update, _not_text)

    async def press(self, update: Update, _: Ptb) -> None:
        """A button."""
        data = _given(update.callback_query).data or ""
        await self._answer(update, lambda context: routes.press(context, data))

    async def inline(self, update: Update, _: Ptb) -> None:
        """A query typed in another chat."""
        query = _given(update.inline_query)
        self._typed += 1
        try:
            async with self._typing.turn(query.from_user.id):
                context = await self._context(update, query.query)
                hurried = self._typed > MOST_READ
                reply = await inline.answer(context, query.query, query.offset, hurried)
        finally:
            self._typed -= 1
        await render.answer_inline(query, reply.inline or InlinePage(()))

    async def chosen(self, update: Update, _: Ptb) -> None:
        """A card of inline mode was sent."""
        sent = _given(update.chosen_inline_result)
        async with self._turns.turn(sent.from_user.id):
            await inline.chosen(await self._context(update), sent.result_id)

    async def voted(self, update: Update, _: Ptb) -> None:
        """An answer to a quiz poll."""
        vote = update.poll_answer
        if vote and vote.user and vote.option_ids:
            await self.services.store.add_answer(vote.user.id, vote.poll_id, vote.option_ids[0])

    async def membership(self, update: Update, _: Ptb) -> None:
        """Somebody stopped the bot, or started it again."""
        change = update.my_chat_member
        if change and change.chat.type == change.chat.PRIVATE and change.new_chat_member.status == ChatMember.BANNED:
            await daily.unsubscribe(self.services.store, change.chat.id)

    async def given_up(self, update: GivenUp, _: Ptb) -> None:
        """An update that ended, or may have ended, every process that answered it."""
        self.services.metrics.error()
        logger.error("Update %d is given up: no process lived to answer it", update.update.update_id)
        await self._tell(update.update, "notice-error")

    async def error(self, update: object, ptb: Ptb) -> None:
        """An error: the log gets the reason, the person a word where no answer can come any more."""
        asked = update if isinstance(update, Update) and update.effective_user else None
        match ptb.error:
            case Overtaken():
                self.services.metrics.dropped()
                await self._tell_overtaken(asked)
            case StateUnavailable() as error:
                self.services.metrics.error()
                self.services.report_state(error)
                await self._tell(asked, "notice-state")
            case TelegramError() as error if _is_undeliverable(error):
                # Blocked, muted or out of reach: a word of apology would go the same way, or after the answer.
                self.services.metrics.error()
                logger.info("An answer was not delivered: %s", error)
            case error:
                self.services.metrics.error()
                logger.error("An update was not answered", exc_info=error)
                await self._tell(asked, "notice-error")

    async def _tell_overtaken(self, update: Update | None) -> None:
        """Tell who writes too fast that they do, once in each flood of a person or in a chat; a press ends silently."""
        if update and update.callback_query:
            await self._tell(update, "")
        if not update or not update.effective_message or update.callback_query:
            return
        told, now = {update.effective_message.chat.id, _given(update.effective_user).id}, time.monotonic()
        recent = {key: at for key, at in self._overtaken.items() if at + TOLD_AGAIN_SECONDS > now}
        self._overtaken = recent | dict.fromkeys(told, now)
        if recent.keys().isdisjoint(told):
            logger.info("A chat writes too fast; of its messages only the latest are answered")
            # As nobody's: among those of the person it would be overtaken too.
            ASKER.set(0)
            if not await self._tell(update, "notice-overtaken"):
                self._overtaken = {key: at for key, at in self._overtaken.items() if key not in told}

    async def _answer(self, update: Update, handle: Callable[[Context], Awaitable[Reply]], words: str = "") -> None:
        """Answer a message or a press, after those that came from the same person or the same chat before."""
        chat, user = update.effective_chat, _given(update.effective_user)
        ASKER.set(user.id)
        # Otherwise of two settings changed at once, each would be written with the other as it was before. Nobody waits
        # here for the network, only for the search and the store.
        async with self._turns.turn(("person", user.id)), self._turns.turn(chat.id if chat else user.id):
            context = await self._context(update, words)
            reply = await handle(context)
        await self._deliver(update, context, reply)

    async def _context(self, update: Update, words: str = "") -> Context:
        """Who sent the update, from where, and in which language they read."""
        user, chat = _given(update.effective_user), update.effective_chat
        result = update.callback_query or update.chosen_inline_result
        chat_key = (result and result.inline_message_id) or str(chat.id if chat else user.id)
        message = update.effective_message
        own = interface_language(user.language_code, words or (message and message.text) or "")
        unread = None
        try:
            known = await self.services.store.user(user.id)
        except StateUnavailable as error:
            self.services.report_state(error)
            known, unread = User(user.id), error
        context = self.services.context(known, chat_key, own, update.get_bot().username, update.update_id)
        return replace(context, unread=unread)

    async def _deliver(self, update: Update, context: Context, reply: Reply) -> None:
        """Answer a message or a press."""
        bot, query, message = update.get_bot(), update.callback_query, update.effective_message
        if query:
            # At once, and the screen takes its place in the chat's line at once too. A stop cuts off both.
            calls = [render.answer(query, reply.toast, reply.alert)]
            calls += [render.edit(query, reply.screen)] if reply.screen else []
            for failure in await asyncio.gather(*calls, return_exceptions=True):
                if failure:
                    raise failure
        elif message and (shown := reply.screen or (Screen(reply.toast) if reply.toast else None)):
            await self._show(message, shown)
        where = render.beside(query.message if query else message, context.asker.id)
        if reply.below:
            await render.send_below(bot, reply.below, where)
        if reply.file:
            await bot.send_document(document=reply.file.content, filename=reply.file.name, **where)
        if reply.photo:
            await photos.send(bot, context, reply.photo, where)
        if reply.question:
            poll = await render.send_question(bot, reply.question, where)
            await context.or_else(context.store.add_poll(poll, reply.question.correct), None)
        if reply.to_admins:
            for admin in context.settings.admins:
                await render.tell(bot, admin, reply.to_admins)
        for user, shown in reply.to_people:
            await render.tell(bot, user, shown)

    async def _show(self, message: Message, screen: Screen) -> None:
        """Send the answer to a message; where the message is the corrected form of one, its answer is corrected."""
        asked = message.chat.id, message.message_id
        # The answer to what was written first may be on its way yet.
        async with self._turns.turn(asked):
            if message.edit_date and asked in self._answers:
                await render.edit_sent(message.get_bot(), message.chat.id, self._answers[asked], screen)
                return
            self._answers[asked] = await render.send(message, screen)
        if len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)

    async def _tell(self, update: Update | None, key: str) -> bool:
        """Tell a person a text in their language in place of an answer; "" ends a press without a word.

        Return whether it was delivered.
        """
        if not update:
            return False
        context = await self._context(update)
        try:
            await self._deliver(update, context, Reply(toast=context.texts(key) if key else ""))
        except (TelegramError, Overtaken) as error:
            logger.info("A word in place of an answer was not delivered either: %s", error)
            return False
        return True


async def _not_text(context: Context) -> Reply:
    return Reply(Screen(context.texts("notice-not-text")))


def _is_undeliverable(error: TelegramError) -> bool:
    """Whether an error is of the place that something was sent to, or of the way there."""
    return not isinstance(error, BadRequest) or error.message.lower().startswith(NOT_WRITABLE)


def _given(part: Part | None) -> Part:
    """The part of an update that its handler was registered for."""
    if part is None:
        raise TypeError("an update came to a handler of another kind")
    return part


def _words(message: Message | None) -> str:
    given = _given(message)
    return given.text or given.caption or ""

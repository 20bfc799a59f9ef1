"""Handlers: from Telegram's updates to the features, and back. None of them decides anything."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from telegram import ChatMember, InlineQueryResultsButton, Message, Update
from telegram.error import Conflict, Forbidden, NetworkError, TelegramError
from telegram.ext import ContextTypes

from bot.features import daily, inline, routes, search, start
from bot.features.context import Context, Services
from bot.telegram import render
from bot.texts import interface_language
from bot.ui import InlinePage, Reply, Screen

Ptb = ContextTypes.DEFAULT_TYPE
Part = TypeVar("Part")

logger = logging.getLogger(__name__)


class Handlers:
    """One method for each kind of update."""

    def __init__(self, services: Services) -> None:
        """Answer everybody from `services`."""
        self.services = services
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def command(self, update: Update, ptb: Ptb) -> None:
        """A command, perhaps with the name of the bot that it is for."""
        first, *words = (_given(update.effective_message).text or "").split()
        name, _, bot = first[1:].partition("@")
        if bot.casefold() in ("", ptb.bot.username.casefold()):
            await self._answer(update, lambda context: routes.command(context, name.casefold(), words))

    async def text(self, update: Update, _: Ptb) -> None:
        """A query: a message, a corrected one, or the caption of a picture."""
        query = _words(update.effective_message)
        await self._answer(update, lambda context: search.ask(context, query), query)

    async def group_text(self, update: Update, ptb: Ptb) -> None:
        """A message in a group: a query when it names the bot or replies to it, and nothing otherwise."""
        message = _given(update.effective_message)
        name = f"@{ptb.bot.username}".casefold()
        words = _words(message).split()
        query = " ".join(word for word in words if word.rstrip(",.:;!?").casefold() != name)
        replied = message.reply_to_message and message.reply_to_message.from_user
        if query != " ".join(words) or (replied and replied.id == ptb.bot.id):
            await self._answer(update, lambda at: search.ask(at, query) if query else start.start(at), query)

    async def other(self, update: Update, ptb: Ptb) -> None:
        """A sticker, a photo, a voice message; an album of them comes one by one and is answered once."""
        album, chat = _given(update.effective_message).media_group_id, _given(ptb.chat_data)
        if not album or chat.get("album") != album:
            chat["album"] = album
            context = await self._context(update)
            await self._deliver(update, context, Reply(Screen(context.texts("notice-not-text"))))

    async def press(self, update: Update, _: Ptb) -> None:
        """A button."""
        data = _given(update.callback_query).data or ""
        await self._answer(update, lambda context: routes.press(context, data))

    async def inline(self, update: Update, ptb: Ptb) -> None:
        """A query typed in another chat."""
        query = _given(update.inline_query)
        context = await self._context(update, query.query)
        reply = await inline.answer(context, query.query, int(query.offset) if query.offset.isdecimal() else 0)
        page = reply.inline or InlinePage(())
        ask = InlineQueryResultsButton(page.label, start_parameter=page.start) if page.label else None
        with render.harmless_ignored():
            await query.answer(
                [render.article(card, ptb.bot) for card in page.cards],
                cache_time=page.cache_seconds,
                # The cards are in the asker's own language.
                is_personal=True,
                next_offset=str(page.next or ""),
                button=ask,
            )

    async def chosen(self, update: Update, _: Ptb) -> None:
        """A card of inline mode was sent."""
        await inline.chosen(await self._context(update), _given(update.chosen_inline_result).result_id)

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

    async def error(self, update: object, ptb: Ptb) -> None:
        """An error: the log gets the reason, the person an apology."""
        match ptb.error, update:
            case Forbidden() as error, _:
                logger.info("A message was not delivered: %s", error)
            case Conflict(), _:
                logger.error("Another program asks for the updates of this bot: stop it, or give it its own token")
            case NetworkError() as error, None:
                logger.warning("Telegram could not be reached: %s", error)
            case error, _:
                logger.error("An update was not answered", exc_info=error)
                if isinstance(update, Update) and update.effective_user:
                    await self._apologise(update)

    async def _answer(self, update: Update, handle: Callable[[Context], Awaitable[Reply]], words: str = "") -> None:
        """Answer a message or a press, after those that the same person sent before."""
        # Otherwise of two settings changed at once, each would be written with the other as it was before.
        async with self._turns.setdefault(_given(update.effective_user).id, asyncio.Lock()):
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
        known = await self.services.store.user(user.id)
        return self.services.context(known, chat_key, own, update.get_bot().username)

    async def _deliver(self, update: Update, context: Context, reply: Reply) -> None:
        """Answer a message or a press."""
        bot, query, message = update.get_bot(), update.callback_query, update.effective_message
        if query:
            await render.answer(query, reply.toast, reply.alert)
            if reply.screen:
                await render.edit(query, reply.screen)
        elif message and (shown := reply.screen or (Screen(reply.toast) if reply.toast else None)):
            await render.send(message, shown)
        where = render.beside(query.message if query else message, context.asker.id)
        if reply.file:
            await bot.send_document(document=reply.file.content, filename=reply.file.name, **where)
        if reply.question:
            poll = await render.send_question(bot, reply.question, where)
            await context.store.add_poll(poll, reply.question.correct)
        if reply.to_admins:
            for admin in context.settings.admins:
                await render.tell(bot, admin, reply.to_admins)

    async def _apologise(self, update: Update) -> None:
        context = await self._context(update)
        try:
            await self._deliver(update, context, Reply(toast=context.texts("notice-error")))
        except TelegramError as error:
            logger.warning("The apology was not delivered either: %s", error)


def _given(part: Part | None) -> Part:
    """The part of an update that its handler was registered for."""
    if part is None:
        raise TypeError("an update came to a handler of another kind")
    return part


def _words(message: Message | None) -> str:
    given = _given(message)
    return given.text or given.caption or ""

"""Handlers: from Telegram's updates to the conversation. None of them decides anything."""

from __future__ import annotations

import logging
from typing import TypeVar

from telegram import ChatMember, InlineQueryResultsButton, Update
from telegram.error import Conflict, Forbidden, NetworkError, TelegramError
from telegram.ext import ContextTypes

from bot import commands
from bot.actions import from_data
from bot.conversation import Conversation
from bot.replies import Person, Reply
from bot.screens import Screen
from bot.sending import answer, article, beside, edit, harmless_ignored, send, send_extras
from bot.texts import interface_language, texts_in

Context = ContextTypes.DEFAULT_TYPE

Part = TypeVar("Part")

logger = logging.getLogger(__name__)


class Handlers:
    """One method for each kind of update."""

    def __init__(self, conversation: Conversation) -> None:
        """Translate between Telegram and `conversation`."""
        self.conversation = conversation

    async def command(self, update: Update, context: Context) -> None:
        """A command, perhaps with the name of the bot that it is for."""
        message = _given(update.effective_message)
        first, *words = (message.text or "").split()
        name, _, bot = first[1:].partition("@")
        if bot.casefold() in ("", context.bot.username.casefold()):
            person = self.person(update)
            reply = commands.answer(self.conversation, person, name.casefold(), words)
            if reply and (shown := reply.screen or (Screen(reply.notice) if reply.notice else None)):
                await send(message, shown)
            await send_extras(context.bot, self.conversation, person, reply or Reply(), beside(message, person.id))

    async def text(self, update: Update, _: Context) -> None:
        """A query: a message, a corrected one, or the caption of a picture."""
        message = _given(update.effective_message)
        query = message.text or message.caption or ""
        await send(message, self.conversation.ask(self.person(update, query), query))

    async def group_text(self, update: Update, context: Context) -> None:
        """A message in a group: a query when it names the bot or replies to it, and nothing otherwise."""
        message = _given(update.effective_message)
        name = f"@{context.bot.username}".casefold()
        words = (message.text or message.caption or "").split()
        query = " ".join(word for word in words if word.rstrip(",.:;!?").casefold() != name)
        replied = message.reply_to_message and message.reply_to_message.from_user
        if query != " ".join(words) or (replied and replied.id == context.bot.id):
            person = self.person(update, query)
            await send(message, self.conversation.ask(person, query) if query else Screen(person.texts("start")))

    async def other(self, update: Update, context: Context) -> None:
        """A sticker, a photo, a voice message; an album of them comes one by one and is answered once."""
        message = _given(update.effective_message)
        album, chat = message.media_group_id, _given(context.chat_data)
        if not album or chat.get("album") != album:
            chat["album"] = album
            await send(message, Screen(self.person(update).texts("notice-not-text")))

    async def press(self, update: Update, context: Context) -> None:
        """A button."""
        query = _given(update.callback_query)
        person = self.person(update)
        action = from_data(query.data or "")
        reply = self.conversation.press(person, action) if action else Reply(notice=person.texts("notice-old-button"))
        await answer(query, reply.notice, reply.alert)
        if reply.screen:
            await edit(query, reply.screen)
        await send_extras(context.bot, self.conversation, person, reply, beside(query.message, person.id))

    async def inline(self, update: Update, context: Context) -> None:
        """A query typed in another chat."""
        query = _given(update.inline_query)
        person = self.person(update, query.query)
        page = self.conversation.inline(person, query.query, int(query.offset) if query.offset.isdecimal() else 0)
        ask = InlineQueryResultsButton(page.label, start_parameter=page.ask) if page.label else None
        with harmless_ignored():
            await query.answer(
                [article(card, context.bot) for card in page.cards],
                cache_time=page.cache_seconds,
                # The cards are in the person's own language.
                is_personal=True,
                next_offset=str(page.next or ""),
                button=ask,
            )

    async def chosen(self, update: Update, _: Context) -> None:
        """A card of inline mode was sent."""
        result = _given(update.chosen_inline_result)
        self.conversation.sent(self.person(update), result.result_id)

    async def voted(self, update: Update, _: Context) -> None:
        """An answer to a quiz poll."""
        vote = update.poll_answer
        if vote and vote.user and vote.option_ids:
            self.conversation.store.add_answer(vote.user.id, vote.poll_id, vote.option_ids[0])

    async def membership(self, update: Update, _: Context) -> None:
        """Somebody stopped the bot, or started it again."""
        change = update.my_chat_member
        if change and change.chat.type == change.chat.PRIVATE and change.new_chat_member.status == ChatMember.BANNED:
            self.conversation.personal.unsubscribe(change.chat.id)

    async def error(self, update: object, context: Context) -> None:
        """Whatever went wrong: the log gets the reason, the person a kind sentence."""
        match context.error, update:
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

    def person(self, update: Update, words: str = "") -> Person:
        """Who sent the update, from where, and in which language they read."""
        user = _given(update.effective_user)
        message = update.effective_message
        result = update.callback_query or update.chosen_inline_result
        place = (result and result.inline_message_id) or str(
            update.effective_chat.id if update.effective_chat else user.id
        )
        own = interface_language(user.language_code, words or (message and message.text) or "")
        texts = texts_in(self.conversation.store.user(user.id).language or own)
        return Person(user.id, place, texts, own, update.get_bot().username)

    async def _apologise(self, update: Update) -> None:
        text = self.person(update).texts("notice-error")
        try:
            if update.callback_query:
                await answer(update.callback_query, text)
            elif update.effective_message:
                await update.effective_message.reply_text(text)
        except TelegramError as error:
            logger.warning("The apology was not delivered either: %s", error)


def _given(part: Part | None) -> Part:
    """The part of an update that its handler was registered for."""
    if part is None:
        raise TypeError("an update came to a handler of another kind")
    return part

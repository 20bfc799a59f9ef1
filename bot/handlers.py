"""Handlers: from Telegram's updates to the conversation, and from its screens back to Telegram's requests."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from telegram import (
    CallbackQuery,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InputTextMessageContent,
    Message,
    Update,
)
from telegram.error import BadRequest, Forbidden, TelegramError
from telegram.ext import ContextTypes

from bot.actions import from_data, to_data
from bot.conversation import Conversation, Person
from bot.screens import Button, InlineCard, Screen
from bot.texts import interface_language, texts_in

Context = ContextTypes.DEFAULT_TYPE

logger = logging.getLogger(__name__)

# Both come of a person who presses twice or waits long; there is nothing to do about them.
_HARMLESS = ("message is not modified", "query is too old")


class Handlers:
    """One method for each kind of update; none of them decides anything."""

    def __init__(self, conversation: Conversation) -> None:
        """Translate between Telegram and `conversation`."""
        self.conversation = conversation

    async def start(self, update: Update, context: Context) -> None:
        """/start"""
        await self._say(update, "start")

    async def help(self, update: Update, context: Context) -> None:
        """/help"""
        await self._say(update, "help", bot=context.bot.username)

    async def random(self, update: Update, context: Context) -> None:
        """/random"""
        await send(_message(update), self.conversation.random(self.person(update)))

    async def unknown_command(self, update: Update, context: Context) -> None:
        """A command that the bot does not have."""
        await self._say(update, "notice-unknown-command")

    async def text(self, update: Update, context: Context) -> None:
        """A query: a message, a corrected one, or the caption of a picture."""
        message = _message(update)
        query = message.text or message.caption or ""
        await send(message, self.conversation.ask(self.person(update, query), query))

    async def other(self, update: Update, context: Context) -> None:
        """A sticker, a photo, a voice message."""
        await self._say(update, "notice-not-text")

    async def press(self, update: Update, context: Context) -> None:
        """A button."""
        query = update.callback_query
        assert query is not None
        person = self.person(update)
        action = from_data(query.data or "")
        if action is None:
            return await _answer(query, person.texts("notice-old-button"))
        reply = self.conversation.press(person, action)
        await _answer(query, reply.notice)
        if reply.screen:
            await _edit(query, context, reply.screen)

    async def inline(self, update: Update, context: Context) -> None:
        """A query typed in another chat."""
        query = update.inline_query
        assert query is not None
        first = int(query.offset) if query.offset.isdecimal() else 0
        page = self.conversation.inline(self.person(update, query.query), query.query, first)
        cards = [_article(card) for card in page.cards]
        # None and not "": where defaults are set, python-telegram-bot turns an empty string into "[]".
        offset = str(page.next) if page.next else None
        with _harmless_ignored():
            # Personal, because the language of the cards is the person's own.
            await query.answer(cards, next_offset=offset, is_personal=True)

    async def error(self, update: object, context: Context) -> None:
        """Whatever went wrong: the log gets the reason, the person a kind sentence."""
        if isinstance(context.error, Forbidden):
            logger.info("A message was not delivered: %s", context.error)
            return
        logger.error("An update was not answered", exc_info=context.error)
        if isinstance(update, Update) and update.effective_user:
            await self._apologise(update)

    async def _apologise(self, update: Update) -> None:
        text = self.person(update).texts("notice-error")
        try:
            if update.callback_query:
                await _answer(update.callback_query, text)
            elif update.effective_message:
                await update.effective_message.reply_text(text)
        except TelegramError as error:
            logger.warning("The apology was not delivered either: %s", error)

    async def _say(self, update: Update, key: str, **values: str) -> None:
        message = _message(update)
        texts = self.person(update, message.text or "").texts
        await send(message, Screen(texts.html(key, **values)))

    def person(self, update: Update, words: str = "") -> Person:
        """Who sent the update, from where, and in which language they read."""
        user = update.effective_user
        assert user is not None
        query = update.callback_query
        inline = query.inline_message_id if query else None
        place = inline or str(update.effective_chat.id if update.effective_chat else user.id)
        chosen = self.conversation.store.user(user.id).language
        return Person(user.id, place, texts_in(interface_language(chosen, user.language_code, words)))


async def send(message: Message, screen: Screen) -> None:
    """Answer a message with a screen."""
    await message.reply_html(screen.text, reply_markup=markup(screen))


def markup(screen: Screen) -> InlineKeyboardMarkup | None:
    """The buttons of a screen."""
    rows = [[_button(button) for button in row] for row in screen.rows]
    return InlineKeyboardMarkup(rows) if rows else None


def _button(button: Button) -> InlineKeyboardButton:
    return InlineKeyboardButton(button.label, callback_data=to_data(button.does))


def _article(card: InlineCard) -> InlineQueryResultArticle:
    return InlineQueryResultArticle(
        id=card.key,
        title=card.title,
        description=card.description,
        input_message_content=InputTextMessageContent(card.message.text),
        reply_markup=markup(card.message),
    )


def _message(update: Update) -> Message:
    message = update.effective_message
    assert message is not None
    return message


async def _answer(query: CallbackQuery, notice: str) -> None:
    with _harmless_ignored():
        await query.answer(notice or None)


async def _edit(query: CallbackQuery, context: Context, screen: Screen) -> None:
    # By number and not through query.message: a message too old for Telegram to show can still be edited.
    where: dict[str, Any] = {"inline_message_id": query.inline_message_id}
    if query.message:
        where = {"chat_id": query.message.chat.id, "message_id": query.message.message_id}
    with _harmless_ignored():
        await context.bot.edit_message_text(screen.text, reply_markup=markup(screen), **where)


@contextmanager
def _harmless_ignored() -> Iterator[None]:
    try:
        yield
    except BadRequest as error:
        if not error.message.lower().startswith(_HARMLESS):
            raise

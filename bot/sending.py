"""From screens to Telegram's requests."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from telegram import (
    Bot,
    CallbackQuery,
    CopyTextButton,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InputTextMessageContent,
    LinkPreviewOptions,
    MaybeInaccessibleMessage,
    Message,
    Poll,
    SwitchInlineQueryChosenChat,
)
from telegram.constants import ParseMode
from telegram.error import BadRequest, TelegramError

from bot import links
from bot.actions import Ask, to_data
from bot.conversation import Conversation
from bot.quiz import Question
from bot.replies import Person, Reply
from bot.screens import Button, Copy, Screen, Share, Start
from bot.screens_card import InlineCard
from bot.texts import Texts

logger = logging.getLogger(__name__)

# Given with every message and not as the client's defaults, which it also applies where they do not belong:
# a default mark-up goes into polls, and any default makes it write an empty string as "[]".
_STYLE: dict[str, Any] = {
    "parse_mode": ParseMode.HTML,
    "link_preview_options": LinkPreviewOptions(is_disabled=True),
}
# Both come of a person who presses twice or waits long; there is nothing to do about them.
_HARMLESS = ("message is not modified", "query is too old")


async def send(message: Message, screen: Screen) -> None:
    """Answer a message with a screen."""
    # In groups the answer quotes the question, which may be deleted by now.
    await message.reply_text(
        screen.text, reply_markup=markup(screen, message.get_bot()), allow_sending_without_reply=True, **_STYLE
    )


async def send_to(bot: Bot, user: int, screen: Screen) -> None:
    """Send a screen to a person who asked for nothing just now."""
    await bot.send_message(user, screen.text, reply_markup=markup(screen, bot), **_STYLE)


async def send_extras(
    bot: Bot, conversation: Conversation, person: Person, reply: Reply, where: dict[str, Any]
) -> None:
    """Send what a reply brings besides a screen."""
    if reply.file:
        await bot.send_document(document=reply.file.content, filename=reply.file.name, **where)
    if reply.picture:
        await bot.send_photo(
            photo=reply.picture.content, caption=reply.picture.name, parse_mode=ParseMode.HTML, **where
        )
    if reply.question:
        message = await _send_question(bot, person.texts, reply.question, where)
        if message.poll:
            conversation.store.add_poll(message.poll.id, reply.question.correct)
    if reply.to_admins:
        for admin in conversation.settings.admins:
            await _tell(bot, admin, reply.to_admins)


async def _tell(bot: Bot, admin: int, screen: Screen) -> None:
    try:
        await send_to(bot, admin, screen)
    except TelegramError as error:
        logger.warning("Admin %d was not told: %s. Has this account written to the bot?", admin, error)


async def _send_question(bot: Bot, texts: Texts, question: Question, where: dict[str, Any]) -> Message:
    again = Screen("", ((Button(texts("button-quiz"), Ask("quiz")), Button(texts("button-score"), Ask("score"))),))
    return await bot.send_poll(
        question=question.text,
        options=question.options,
        type=Poll.QUIZ,
        correct_option_ids=[question.correct],  # type: ignore[list-item]  # not a literal, and in range
        explanation=question.explanation,
        # An anonymous poll tells nobody's answer, so there would be no score.
        is_anonymous=False,
        reply_markup=markup(again, bot),
        **where,
    )


async def answer(query: CallbackQuery, notice: str, alert: bool = False) -> None:
    """Answer a press, with a notice or silently."""
    with harmless_ignored():
        await query.answer(notice or None, show_alert=alert or None)


async def edit(query: CallbackQuery, screen: Screen) -> None:
    """Put a screen in place of the one whose button was pressed."""
    bot = query.get_bot()
    # By number and not through query.message: a message too old for Telegram to show can still be edited.
    where: dict[str, Any] = {"inline_message_id": query.inline_message_id}
    if query.message:
        where = {"chat_id": query.message.chat.id, "message_id": query.message.message_id}
    with harmless_ignored():
        await bot.edit_message_text(screen.text, reply_markup=markup(screen, bot), **_STYLE, **where)


def beside(message: MaybeInaccessibleMessage | None, user: int) -> dict[str, Any]:
    """Where something new is sent: the same chat and thread, or to the person where there is no message."""
    thread = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
    return {"chat_id": message.chat.id if message else user, "message_thread_id": thread}


def markup(screen: Screen, bot: Bot) -> InlineKeyboardMarkup | None:
    """The buttons of a screen."""
    rows = [[_button(button, bot) for button in row] for row in screen.rows]
    return InlineKeyboardMarkup(rows) if rows else None


def article(card: InlineCard, bot: Bot) -> InlineQueryResultArticle:
    """A card of inline mode."""
    content = InputTextMessageContent(card.message.text, **_STYLE)
    return InlineQueryResultArticle(
        card.key, card.title, content, description=card.description, reply_markup=markup(card.message, bot)
    )


@contextmanager
def harmless_ignored() -> Iterator[None]:
    """Swallow the refusals that need no action, and no others."""
    try:
        yield
    except BadRequest as error:
        if not error.message.lower().startswith(_HARMLESS):
            raise


def _button(button: Button, bot: Bot) -> InlineKeyboardButton:
    match button.does:
        case Copy(text):
            return InlineKeyboardButton(button.label, copy_text=CopyTextButton(text))
        case Share(query):
            chosen = SwitchInlineQueryChosenChat(
                query, allow_user_chats=True, allow_group_chats=True, allow_channel_chats=True
            )
            return InlineKeyboardButton(button.label, switch_inline_query_chosen_chat=chosen)
        case Start(parameter):
            return InlineKeyboardButton(button.label, url=links.to_bot(bot.username, parameter))
        case action:
            return InlineKeyboardButton(button.label, callback_data=to_data(action))

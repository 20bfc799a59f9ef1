"""From plain values to Telegram's requests."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import telegram
from telegram import Bot, CallbackQuery, InlineKeyboardButton, Message
from telegram.constants import ParseMode
from telegram.error import BadRequest, TelegramError

from bot import links
from bot.actions import to_data
from bot.ui import Button, Copy, InlineCard, Question, Row, Screen, Share, Start

logger = logging.getLogger(__name__)

# Given with every message and not as the client's defaults, which it also applies where they do not belong:
# a default mark-up goes into polls, and any default makes it write an empty string as "[]".
_STYLE: dict[str, Any] = {
    "parse_mode": ParseMode.HTML,
    "link_preview_options": telegram.LinkPreviewOptions(is_disabled=True),
}
# Both come of a person who presses twice or waits long; there is nothing to do about them.
_HARMLESS = ("message is not modified", "query is too old")


async def send(message: Message, screen: Screen) -> int:
    """Answer a message with a screen, and return the number of the answer."""
    buttons = markup(screen.rows, message.get_bot())
    # In groups the answer quotes the question, which may be deleted by now.
    sent = await message.reply_text(screen.text, reply_markup=buttons, allow_sending_without_reply=True, **_STYLE)
    return sent.message_id


async def edit_sent(bot: Bot, chat: int, message: int, screen: Screen) -> None:
    """Put a screen in place of one that was sent."""
    with harmless_ignored():
        await bot.edit_message_text(screen.text, chat, message, reply_markup=markup(screen.rows, bot), **_STYLE)


async def send_to(bot: Bot, user: int, screen: Screen) -> None:
    """Send a screen to a person who asked for nothing just now."""
    await bot.send_message(user, screen.text, reply_markup=markup(screen.rows, bot), **_STYLE)


async def tell(bot: Bot, admin: int, screen: Screen) -> None:
    """Send a screen to an admin; one who cannot be reached is noted in the log."""
    try:
        await send_to(bot, admin, screen)
    except TelegramError as error:
        logger.warning("Admin %d was not told: %s. Has this account written to the bot?", admin, error)


async def send_question(bot: Bot, question: Question, where: dict[str, Any]) -> str:
    """Send a quiz question, and return the identifier of its poll."""
    message = await bot.send_poll(
        question=question.text,
        options=question.options,
        type=telegram.Poll.QUIZ,
        correct_option_ids=[question.correct],  # type: ignore[list-item]  # not a literal, and in range
        explanation=question.explanation,
        # Telegram does not say who answered an anonymous poll, so there would be no score.
        is_anonymous=False,
        reply_markup=markup((question.buttons,), bot),
        **where,
    )
    assert message.poll
    return message.poll.id


async def answer(query: CallbackQuery, toast: str, alert: bool = False) -> None:
    """Answer a press, with a toast or silently."""
    with harmless_ignored():
        await query.answer(toast or None, show_alert=alert or None)


async def edit(query: CallbackQuery, screen: Screen) -> None:
    """Put a screen in place of the one whose button was pressed."""
    bot = query.get_bot()
    # By number and not through query.message: a message too old for Telegram to show can still be edited.
    where: dict[str, Any] = {"inline_message_id": query.inline_message_id}
    if query.message:
        where = {"chat_id": query.message.chat.id, "message_id": query.message.message_id}
    with harmless_ignored():
        await bot.edit_message_text(screen.text, reply_markup=markup(screen.rows, bot), **_STYLE, **where)


def beside(message: telegram.MaybeInaccessibleMessage | None, user: int) -> dict[str, Any]:
    """Return where something new is sent: the same chat and thread, or the person where there is no message."""
    thread = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
    return {"chat_id": message.chat.id if message else user, "message_thread_id": thread}


def markup(rows: Iterable[Row], bot: Bot) -> telegram.InlineKeyboardMarkup | None:
    """Return buttons as Telegram takes them."""
    keyboard = [[_button(button, bot) for button in row] for row in rows]
    return telegram.InlineKeyboardMarkup(keyboard) if keyboard else None


def article(card: InlineCard, bot: Bot) -> telegram.InlineQueryResultArticle:
    """Return a card of inline mode as Telegram takes it."""
    content, buttons = telegram.InputTextMessageContent(card.message.text, **_STYLE), markup(card.message.rows, bot)
    return telegram.InlineQueryResultArticle(
        card.key, card.title, content, description=card.description, reply_markup=buttons
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
            return InlineKeyboardButton(button.label, copy_text=telegram.CopyTextButton(text))
        case Share(query):
            chat = telegram.SwitchInlineQueryChosenChat(
                query, allow_user_chats=True, allow_group_chats=True, allow_channel_chats=True
            )
            return InlineKeyboardButton(button.label, switch_inline_query_chosen_chat=chat)
        case Start(parameter):
            return InlineKeyboardButton(button.label, url=links.to_bot(bot.username, parameter))
        case action:
            return InlineKeyboardButton(button.label, callback_data=to_data(action))

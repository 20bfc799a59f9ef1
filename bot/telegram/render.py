"""From plain values to Telegram's requests, as the Bot API documents them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import telegram
from telegram import Bot, CallbackQuery, InlineQuery, InputFile, Message
from telegram.error import BadRequest, TelegramError

from bot import links
from bot.actions import to_data
from bot.telegram.api import call
from bot.telegram.pace import First
from bot.telegram.turns import Overtaken
from bot.ui import Button, Copy, InlineCard, InlinePage, InlinePhoto, Photo, Question, Row, Screen, Share, Start

Json = dict[str, Any]

logger = logging.getLogger(__name__)

_STYLE: Json = {"parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
# Both come of a person who presses twice or waits long; there is nothing to do about them.
_HARMLESS = ("message is not modified", "query is too old")
_CARDS = 300
"""Cards of inline mode that are kept as JSON: those that many look for come again and again."""


async def send(message: Message, screen: Screen) -> int:
    """Answer a message with a screen, and return the number of the answer."""
    chat, thread = message.chat, message.message_thread_id if message.is_topic_message else None
    # In groups the answer quotes the question, which may be deleted by now.
    quoted = {"message_id": message.message_id, "allow_sending_without_reply": True}
    reply = None if chat.type == chat.PRIVATE else quoted
    shown = _shown(screen, message.get_bot().username)
    where: Json = {"chat_id": chat.id, "message_thread_id": thread, "reply_parameters": reply}
    return int((await call(message.get_bot(), "sendMessage", **where, **shown))["message_id"])


async def send_to(bot: Bot, user: int, screen: Screen, first: First | None = None) -> None:
    """Send a screen to a person who asked for nothing just now; `first` is done when its turn has come."""
    await call(bot, "sendMessage", first=first, chat_id=user, **_shown(screen, bot.username))


async def send_below(bot: Bot, screen: Screen, where: Json) -> None:
    """Send a screen to a chat, as `beside` names it."""
    await call(bot, "sendMessage", **where, **_shown(screen, bot.username))


async def tell(bot: Bot, person: int, screen: Screen) -> None:
    """Send a screen to an admin, or to somebody who waits for word; one who cannot be reached is noted in the log."""
    try:
        await send_to(bot, person, screen)
    except (TelegramError, Overtaken) as error:
        logger.warning("%d was not told: %s. Has this account written to the bot?", person, error)


async def send_question(bot: Bot, question: Question, where: Json) -> str:
    """Send a quiz question, and return the identifier of its poll."""
    message = await call(
        bot,
        "sendPoll",
        question=question.text,
        options=[{"text": option} for option in question.options],
        type="quiz",
        correct_option_ids=[question.correct],
        explanation=question.explanation,
        # Telegram does not say who answered an anonymous poll, so there would be no score.
        is_anonymous=False,
        reply_markup=markup(question.rows, bot.username),
        **where,
    )
    return str(message["poll"]["id"])


async def send_photo(bot: Bot, photo: Photo, file: InputFile | str, where: Json) -> str:
    """Send a picture, from a file or by the name under which Telegram keeps it, and return that name."""
    buttons = markup(photo.rows, bot.username)
    caption: Json = {"caption": photo.caption, "parse_mode": "HTML", "reply_markup": buttons}
    message = await call(bot, "sendPhoto", photo=file, **caption, **where)
    # The largest of its sizes is the picture itself.
    return str(message["photo"][-1]["file_id"])


async def answer(query: CallbackQuery, toast: str, alert: bool = False) -> None:
    """Answer a press, with a toast or silently."""
    with harmless_ignored():
        shown: Json = {"text": toast or None, "show_alert": alert or None}
        await call(query.get_bot(), "answerCallbackQuery", callback_query_id=query.id, **shown)


async def answer_inline(query: InlineQuery, page: InlinePage) -> None:
    """Answer what somebody types in another chat with cards to choose from."""
    ask = {"text": page.label, "start_parameter": page.start} if page.label else None
    bot = query.get_bot()
    with harmless_ignored():
        await call(
            bot,
            "answerInlineQuery",
            inline_query_id=query.id,
            results=[_result(card, bot.username) for card in page.cards],
            cache_time=page.cache_seconds,
            # The cards are in the asker's own language.
            is_personal=True,
            next_offset=page.next,
            button=ask,
        )


async def edit(query: CallbackQuery, screen: Screen) -> None:
    """Put a screen in place of the one whose button was pressed."""
    # By number and not through query.message: a message too old for Telegram to show can still be edited.
    where: Json = {"inline_message_id": query.inline_message_id}
    if query.message:
        where = {"chat_id": query.message.chat.id, "message_id": query.message.message_id}
    await _edit(query.get_bot(), screen, where)


async def edit_sent(bot: Bot, chat: int, message: int, screen: Screen) -> None:
    """Put a screen in place of one that was sent."""
    await _edit(bot, screen, {"chat_id": chat, "message_id": message})


async def _edit(bot: Bot, screen: Screen, where: Json) -> None:
    with harmless_ignored():
        await call(bot, "editMessageText", **where, **_shown(screen, bot.username))


def beside(message: telegram.MaybeInaccessibleMessage | None, user: int) -> dict[str, Any]:
    """Return where something new is sent: the same chat and thread, or the person where there is no message."""
    thread = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
    return {"chat_id": message.chat.id if message else user, "message_thread_id": thread}


def markup(rows: Iterable[Row], bot: str) -> Json | None:
    """Return buttons as Telegram takes them; `bot` is the bot's username."""
    keyboard = [[_button(button, bot) for button in row] for row in rows]
    return {"inline_keyboard": keyboard} if keyboard else None


@lru_cache(_CARDS)
def article(card: InlineCard, bot: str) -> Json:
    """Return a card of inline mode as Telegram takes it."""
    content = {"message_text": card.message.text, **_STYLE}
    named = {"type": "article", "id": card.key, "title": card.title, "description": card.description}
    buttons = markup(card.message.rows, bot)
    return {**named, "input_message_content": content, **({"reply_markup": buttons} if buttons else {})}


def _result(card: InlineCard | InlinePhoto, bot: str) -> Json:
    if isinstance(card, InlineCard):
        return article(card, bot)
    named = {"type": "photo", "id": card.key, "title": card.title, "photo_file_id": card.file_id}
    caption = {"caption": card.photo.caption, "parse_mode": "HTML"}
    return {**named, **caption, "reply_markup": markup(card.photo.rows, bot)}


@contextmanager
def harmless_ignored() -> Iterator[None]:
    """Swallow the refusals that need no action, and no others."""
    try:
        yield
    except BadRequest as error:
        if not error.message.lower().startswith(_HARMLESS):
            raise


def _shown(screen: Screen, bot: str) -> Json:
    asks: Json = {"force_reply": True, "input_field_placeholder": screen.placeholder}
    return {"text": screen.text, "reply_markup": asks if screen.placeholder else markup(screen.rows, bot), **_STYLE}


def _button(button: Button, bot: str) -> Json:
    match button.does:
        case Copy(text):
            does: Json = {"copy_text": {"text": text}}
        case Share(query):
            kinds = dict.fromkeys(("allow_user_chats", "allow_group_chats", "allow_channel_chats"), True)
            does = {"switch_inline_query_chosen_chat": {"query": query, **kinds}}
        case Start(parameter):
            does = {"url": links.to_bot(bot, parameter)}
        case action:
            does = {"callback_data": to_data(action)}
    return {"text": button.label, **does}

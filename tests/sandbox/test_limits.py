"""Every limit is enforced, in Telegram's words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.sandbox.limits import RateLimits
from support.local import Local, card


async def test_text_limits(local: Local) -> None:
    sent = await local.send("<b>" + "x" * 4096 + "</b>", parse_mode="HTML")
    assert len(sent["text"]) == 4096
    assert await local.error("sendMessage", chat_id=local.ann.id, text="x" * 4097) == (
        400,
        "Bad Request: message is too long",
    )
    too_long = {"chat_id": local.ann.id, "message_id": sent["message_id"], "text": "x" * 4097}
    assert await local.error("editMessageText", **too_long) == (400, "Bad Request: MESSAGE_TOO_LONG")
    for empty in ("", " \n", "\u200b", "<b> </b>"):
        description = (await local.send(empty, parse_mode="HTML"))["description"]
        assert description == "Bad Request: message text is empty"
    assert (await local.send("<b>x</b>" * 101, parse_mode="HTML"))["description"] == "Bad Request: ENTITIES_TOO_LONG"


@pytest.mark.parametrize(
    ("button", "error"),
    [
        ({"callback_data": "я" * 33}, "BUTTON_DATA_INVALID"),
        (
            {"callback_data": ""},
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        ({}, "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"),
        ({"copy_text": {"text": "x" * 257}}, "BUTTON_COPY_TEXT_INVALID"),
        ({"url": "not a link"}, "BUTTON_URL_INVALID"),
        ({"switch_inline_query_chosen_chat": {"query": "x"}}, "BUTTON_TYPE_INVALID"),
    ],
)
async def test_button_limits(button: dict[str, Any], error: str, local: Local) -> None:
    answer = await local.send(reply_markup={"inline_keyboard": [[{"text": "B"} | button]]})
    assert answer["description"] == f"Bad Request: {error}"


async def test_every_kind_of_button_is_sent(local: Local) -> None:
    actions: list[dict[str, Any]] = [
        {"callback_data": "я" * 32},
        {"copy_text": {"text": "x" * 256}},
        {"url": "https://example.org"},
        {"switch_inline_query": ""},
        {"switch_inline_query_current_chat": "cat"},
        {"switch_inline_query_chosen_chat": {"query": "cat", "allow_user_chats": True}},
    ]
    markup = {"inline_keyboard": [[{"text": "B"} | action for action in actions]]}
    assert (await local.send(reply_markup=json.dumps(markup)))["reply_markup"] == markup


@pytest.mark.parametrize("rows", [[9], [8] * 13])
async def test_keyboard_size(rows: list[int], local: Local) -> None:
    keyboard = [[{"text": "B", "callback_data": "x"}] * row for row in rows]
    answer = await local.send(reply_markup={"inline_keyboard": keyboard})
    assert answer["description"] == "Bad Request: reply markup is too long"


@pytest.mark.parametrize(
    ("cards", "more", "error"),
    [
        ([card(n) for n in range(51)], {}, "too many inline query results specified"),
        ([card(1), card(1)], {}, "RESULT_ID_DUPLICATE"),
        ([card(1, id="я" * 33)], {}, "RESULT_ID_INVALID"),
        ([], {"next_offset": "x" * 65}, "NEXT_OFFSET_INVALID"),
        ([], {"button": {"text": "Open", "start_parameter": "a b"}}, "START_PARAM_INVALID"),
        ([card(1, input_message_content={"message_text": "x" * 4097})], {}, "MESSAGE_TOO_LONG"),
    ],
)
async def test_inline_limits(cards: list[Any], more: dict[str, Any], error: str, local: Local) -> None:
    query = local.inline_query(local.ann, "cat")
    answer = await local.error("answerInlineQuery", inline_query_id=query.id, results=cards, **more)
    assert answer == (400, f"Bad Request: {error}")


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"question": "x" * 301}, "poll question length must not exceed 300"),
        ({"options": ["a"]}, "poll must have at least 2 options"),
        ({"options": ["a"] * 13}, "poll must have no more than 12 options"),
        ({"options": ["a", "x" * 101]}, "poll options length must not exceed 100"),
        ({"explanation": "x" * 201}, "poll explanation length must not exceed 200"),
        ({"correct_option_ids": [2]}, "invalid correct option identifier specified"),
        ({"type": "regular"}, "unsupported poll type specified: the local chat knows quizzes only"),
    ],
)
async def test_poll_limits(more: dict[str, Any], error: str, local: Local) -> None:
    quiz = {"question": "?", "options": ["a", "b"], "type": "quiz", "correct_option_ids": [0]} | more
    assert await local.error("sendPoll", chat_id=local.ann.id, **quiz) == (400, f"Bad Request: {error}")


async def test_rates(local: Local) -> None:
    now = 1_800_000_000.0
    local.clock = lambda: now
    local.rate_limits = RateLimits()
    assert (await local.send())["text"] == "Hello"
    answer = await local.send()
    assert answer["error_code"] == 429 and answer["parameters"]["retry_after"] >= 1
    assert answer["description"] == f"Too Many Requests: retry after {answer['parameters']['retry_after']}"
    now += answer["parameters"]["retry_after"]
    assert (await local.send())["text"] == "Hello"

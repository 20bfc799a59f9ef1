"""The local Telegram speaks as documented: to the real client, and field by field."""

from __future__ import annotations

import struct

import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputFile, Update
from telegram.error import BadRequest, Forbidden, RetryAfter
from telegram.ext import Application

from bot.sandbox.limits import RULES, RateLimits
from bot.sandbox.world import Upload
from support.botapi import API, check, check_call
from support.local import KEYBOARD, Local, card
from support.transport import DirectRequest

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + b"rest"


async def test_the_real_client_gets_its_own_errors(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")
    builder = Application.builder().token("1:local").request(DirectRequest(local))
    async with builder.get_updates_request(DirectRequest(local)).build().bot as bot:
        markup = InlineKeyboardMarkup([[InlineKeyboardButton("More", callback_data="more")]])
        sent = await bot.send_message(local.ann.id, "<b>Hi</b>", parse_mode="HTML", reply_markup=markup)
        assert sent.text_html == "<b>Hi</b>"
        with pytest.raises(BadRequest, match="not modified"):
            await sent.edit_text("<b>Hi</b>", parse_mode="HTML", reply_markup=markup)
        document = await bot.send_document(local.ann.id, InputFile(b"{}", "you.json"), caption="Yours")
        assert document.document and document.document.mime_type == "application/json"
        assert await (await bot.get_file(document.document.file_id)).download_as_bytearray() == b"{}"
        photo = await bot.send_photo(local.ann.id, PNG)
        assert (photo.photo[0].width, photo.photo[0].height) == (640, 480)
        quiz = await bot.send_poll(local.ann.id, "?", ["a", "b"], type="quiz", correct_option_ids=[0])
        assert quiz.poll and quiz.poll.type == "quiz"
        local.rate_limits = RateLimits()
        await bot.send_message(local.ann.id, "one")
        with pytest.raises(RetryAfter):
            await bot.send_message(local.ann.id, "two")
        local.rate_limits = None
        local.block(local.ann)
        with pytest.raises(Forbidden):
            await bot.send_message(local.ann.id, "three")
        assert [Update.de_json(update, bot).update_id for update in local.updates.pending]


async def test_all_that_leaves_is_as_documented(local: Local) -> None:
    group = local.add_group("Friends", [local.ann], topics=("Chat",))
    for kind in ("sticker", "voice", "photo", "document"):
        local.user_sends_media(local.ann, local.chat_, kind)
    local.user_edits(local.chat_, 1, "/start again")
    sent = await local.send("<b>x</b>", parse_mode="HTML", reply_markup=KEYBOARD, reply_parameters={"message_id": 1})
    local.press(local.ann, local.chat_, sent["message_id"], "more")
    local.press(local.ann, local.chat_, 999, "gone")
    query = local.inline_query(local.ann, "cat", chat=group)
    await local.ask("answerInlineQuery", inline_query_id=query.id, results=[card(1, reply_markup=KEYBOARD)])
    local.choose(query, "1")
    quiz = await local.ask(
        "sendPoll",
        chat_id=local.ann.id,
        question="?",
        options=[{"text": "a"}, {"text": "b"}],
        type="quiz",
        correct_option_ids=[0],
        is_anonymous=False,
        explanation="<i>so</i>",
        explanation_parse_mode="HTML",
    )
    local.vote(local.ann, quiz["poll"]["id"], [0])
    await local.ask("sendDocument", chat_id=local.ann.id, files={"document": Upload("a.json", b"{}")}, caption="c")
    await local.ask("sendPhoto", chat_id=group.id, files={"photo": Upload("a.png", PNG)})
    await local.ask("setMyCommands", commands=[{"command": "a", "description": "b"}])
    for method in ("getMe", "getWebhookInfo", "getUpdates"):
        await local.ask(method)
    local.kick(group, local.ann)
    local.block(local.ann)
    assert local.refusals == []
    for call in local.journal:
        check_call(call)
    check(local.updates.pending, ["Array of Update"], "updates")


@pytest.mark.parametrize("name", RULES["methods"])
def test_the_methods_take_documented_parameters_of_the_documented_types(name: str) -> None:
    first, *more = name.split("_")
    declared = API["methods"][first + "".join(map(str.capitalize, more))]
    for parameter, default in RULES["methods"][name].items():
        types = {kind.split(" ")[0] for kind in declared[parameter][0]}
        plain = {str: {"String", "InputFile"}, bool: {"Boolean"}, int: {"Integer"}}.get(type(default))
        assert types & plain if plain else not types & {"String", "Boolean", "Integer"}


def test_what_has_no_effect_is_documented() -> None:
    documented = {parameter for parameters in API["methods"].values() for parameter in parameters}
    assert set(RULES["without_effect"]) <= documented

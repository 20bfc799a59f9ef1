"""What the bot's requests do, and what comes of them for people."""

from __future__ import annotations

from typing import Any

from bot.sandbox.world import Upload
from support.local import KEYBOARD, Local, card


async def test_edits(local: Local) -> None:
    sent = await local.send("<b>Hello</b>", parse_mode="HTML", reply_markup=KEYBOARD)
    where = {"chat_id": local.ann.id, "message_id": sent["message_id"]}
    same = await local.error("editMessageText", **where, text="<b>Hello</b>", parse_mode="HTML", reply_markup=KEYBOARD)
    assert same[0] == 400 and same[1].startswith("Bad Request: message is not modified: specified new message content")
    edited = await local.ask("editMessageText", **where, text="Hello")
    assert edited["text"] == "Hello" and "reply_markup" not in edited and "edit_date" in edited
    assert sent["reply_markup"] == KEYBOARD, "an answer that was given does not change"
    assert await local.error("editMessageText", chat_id=local.ann.id, message_id=99, text="x") == (
        400,
        "Bad Request: message to edit not found",
    )
    assert await local.error("editMessageText", chat_id=local.ann.id, message_id=1, text="x") == (
        400,
        "Bad Request: message can't be edited",
    )


async def test_a_press_is_answered_once_and_in_time(local: Local) -> None:
    now = 1_800_000_000.0
    local.clock = lambda: now
    sent = await local.send(reply_markup=KEYBOARD)
    query = local.press(local.ann, local.chat_, sent["message_id"], "more")
    assert local.unanswered == [query]
    assert query.request["message"] == sent
    assert (await local.error("answerCallbackQuery", callback_query_id=query.id, text="x" * 201))[1].endswith(
        "MESSAGE_TOO_LONG"
    )
    assert await local.ask("answerCallbackQuery", callback_query_id=query.id, text="Done") is True
    assert query.answer and query.answer["text"] == "Done" and local.unanswered == []
    too_old = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    assert await local.error("answerCallbackQuery", callback_query_id=query.id) == (400, too_old)
    late = local.press(local.ann, local.chat_, sent["message_id"], "more")
    now += 60
    assert await local.error("answerCallbackQuery", callback_query_id=late.id) == (400, too_old)


async def test_inline_mode_from_typing_to_pressing(local: Local) -> None:
    bob = local.add_user("Bob", "ru")
    friends = local.add_friends(local.ann, bob)
    query = local.inline_query(local.ann, "cat", chat=friends)
    assert query.request["chat_type"] == "private"
    cards = [card(1), card(2, reply_markup=KEYBOARD)]
    assert await local.ask("answerInlineQuery", inline_query_id=query.id, results=cards, next_offset="20") is True
    assert query.answer and query.answer["next_offset"] == "20"
    plain, message = local.choose(query, "1"), local.choose(query, "2")
    assert message["via_bot"] == local.bot and message["entities"][0]["type"] == "bold" and plain["text"] == "1"
    kinds = [next(k for k in update if k != "update_id") for update in local.updates.pending]
    assert kinds == ["message", "inline_query", "chosen_inline_result", "chosen_inline_result"]
    assert "inline_message_id" not in local.updates.pending[-2]["chosen_inline_result"], "no keyboard, no identifier"
    identifier = local.updates.pending[-1]["chosen_inline_result"]["inline_message_id"]
    press = local.press(bob, friends, message["message_id"], "more")
    assert press.request["inline_message_id"] == identifier and "message" not in press.request
    assert await local.ask("editMessageText", inline_message_id=identifier, text="Changed") is True
    assert friends.messages[message["message_id"]]["text"] == "Changed"
    assert await local.error("sendMessage", chat_id=friends.id, text="x") == (400, "Bad Request: chat not found")
    assert await local.error("editMessageText", inline_message_id="?", text="x") == (
        400,
        "Bad Request: MESSAGE_ID_INVALID",
    )


async def test_inline_answers_are_remembered_for_everyone_unless_personal(local: Local) -> None:
    bob = local.add_user("Bob")
    for text, personal in (("cat", False), ("dog", True)):
        query = local.inline_query(local.ann, text)
        await local.ask("answerInlineQuery", inline_query_id=query.id, results=[card(1)], is_personal=personal)
    assert local.inline_query(bob, "cat").answer and local.inline_query(local.ann, "dog").answer
    assert local.inline_query(bob, "dog").answer is None


async def test_a_quiz(local: Local) -> None:
    group = local.add_group("Friends", [local.ann])
    quiz: dict[str, Any] = {
        "chat_id": group.id,
        "question": "?",
        "type": "quiz",
        "correct_option_ids": [1],
        "is_anonymous": False,
    }
    sent = await local.ask("sendPoll", **quiz, options=[{"text": "a"}, {"text": "b"}])
    local.vote(local.ann, sent["poll"]["id"], [1])
    local.vote(local.ann, sent["poll"]["id"], [0])
    answers = [update["poll_answer"]["option_ids"] for update in local.updates.pending if "poll_answer" in update]
    assert answers == [[1]], "nobody votes twice in a quiz"
    poll = group.messages[sent["message_id"]]["poll"]
    assert [option["voter_count"] for option in poll["options"]] == [0, 1]


async def test_who_may_be_written_to(local: Local) -> None:
    stranger = local.add_user("Stranger")
    assert await local.error("sendMessage", chat_id=stranger.id, text="x") == (
        403,
        "Forbidden: bot can't initiate conversation with a user",
    )
    assert await local.error("sendMessage", chat_id=5, text="x") == (400, "Bad Request: chat not found")
    local.block(local.ann)
    assert await local.error("sendMessage", chat_id=local.ann.id, text="x") == (
        403,
        "Forbidden: bot was blocked by the user",
    )
    assert local.updates.pending[-1]["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    local.block(local.ann, False)
    assert (await local.send())["text"] == "Hello"


async def test_unknown_tokens_methods_and_parameters_are_refused(local: Local) -> None:
    assert (await local.call("2:other", "getMe", {}))["error_code"] == 401
    assert await local.error("launchRocket") == (404, "Not Found: method not found")
    assert (await local.error("sendMessage", chat_id=local.ann.id, text="x", colour="red"))[0] == 400
    assert [call.method for call in local.refusals] == ["getMe", "launchRocket", "sendMessage"]


async def test_commands_by_scope_and_language(local: Local) -> None:
    one, two = [{"command": "one", "description": "One"}], [{"command": "two", "description": "Два"}]
    await local.ask("setMyCommands", commands=one)
    await local.ask("setMyCommands", commands=two, language_code="ru")
    bob = local.add_user("Bob", "ru-RU")
    assert local.menu(local.ann, local.chat_) == one and local.menu(bob, local.private(bob)) == two
    bad = [{"command": "One!", "description": "x"}]
    assert await local.error("setMyCommands", commands=bad) == (400, "Bad Request: BOT_COMMAND_INVALID")


async def test_a_caption_may_be_called_like_the_file(local: Local) -> None:
    files = {"document": Upload("a.txt", b"-")}
    sent = await local.ask("sendDocument", files, chat_id=local.ann.id, caption="document")
    assert sent["caption"] == "document" and sent["document"]["file_name"] == "a.txt"

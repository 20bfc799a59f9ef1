"""The local Telegram is as strict as the real one."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any

import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputFile, Update
from telegram.error import BadRequest, Forbidden, RetryAfter
from telegram.ext import Application

from bot.sandbox.entities import MarkupError, parse_html
from bot.sandbox.limits import RateLimits
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import Chat, Upload, User
from support.botapi import check, check_call
from support.transport import DirectRequest

pytestmark = pytest.mark.asyncio

KEYBOARD = {"inline_keyboard": [[{"text": "More", "callback_data": "more"}]]}
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + b"rest"


class Local(Telegram):
    """A Telegram with one person, who has started the bot."""

    def __init__(self) -> None:
        super().__init__(username="idiom_bot")
        self.ann: User = self.add_user("Ann", "en", username="ann_lee")
        self.chat_: Chat = self.private(self.ann)
        self.user_sends(self.ann, self.chat_, "/start")

    async def ask(self, method: str, files: dict[str, Upload] | None = None, **params: Any) -> Any:
        answer = await self.call("1:local", method, params, files)
        return answer["result"] if answer["ok"] else answer

    async def error(self, method: str, **params: Any) -> tuple[int, str]:
        answer = await self.call("1:local", method, params)
        assert not answer["ok"], answer
        return answer["error_code"], answer["description"]

    async def send(self, text: str = "Hello", **params: Any) -> Any:
        return await self.ask("sendMessage", chat_id=self.ann.id, text=text, **params)


@pytest.fixture
def local() -> Local:
    return Local()


@pytest.mark.parametrize(
    ("markup", "text", "entities"),
    [
        ("a &lt;b&gt; &amp;&quot;&#33;&nbsp;", 'a <b> &"!&nbsp;', []),
        ("<b>Б</b> <i>x</i>", "Б x", [("bold", 0, 1), ("italic", 2, 1)]),
        ("😀<b>x😀</b>", "😀x😀", [("bold", 2, 3)]),
        ("<b>a<i>b</i></b>", "ab", [("bold", 0, 2), ("italic", 1, 1)]),
        ("<B>a</B><ins>b</ins><del>c</del>", "abc", [("bold", 0, 1), ("underline", 1, 1), ("strikethrough", 2, 1)]),
        ("<code>a<b>b</b></code>", "ab", [("code", 0, 2)]),
        ("<b></b>x", "x", []),
        ("<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", 0, 1)]),
        ("<span class='tg-spoiler'>s</span><tg-spoiler>t</tg-spoiler>", "st", [("spoiler", 0, 1), ("spoiler", 1, 1)]),
    ],
)
async def test_html_becomes_entities(markup: str, text: str, entities: list[tuple[str, int, int]]) -> None:
    plain, found = parse_html(markup)
    assert plain == text
    assert [(entity["type"], entity["offset"], entity["length"]) for entity in found] == entities


async def test_links_and_languages_keep_what_they_point_to() -> None:
    assert parse_html('<a href="https://a.org/?x=1&amp;y=2">a</a>')[1][0]["url"] == "https://a.org/?x=1&y=2"
    assert parse_html('<pre><code class="language-py">x</code></pre>')[1] == [
        {"type": "pre", "offset": 0, "length": 1, "language": "py"}
    ]


@pytest.mark.parametrize(
    ("markup", "error"),
    [
        ("a <p>", 'Unsupported start tag "p" at byte offset 2'),
        ("я <3", "Unclosed start tag at byte offset 3"),
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b><i>x</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ('<a href="x>y</a>', 'Unclosed start tag "a" at byte offset 0'),
    ],
)
async def test_wrong_html_is_refused_in_telegrams_words(markup: str, error: str, local: Local) -> None:
    with pytest.raises(MarkupError) as raised:
        parse_html(markup)
    assert str(raised.value) == error
    answer = await local.send(markup, parse_mode="HTML")
    assert answer == {"ok": False, "error_code": 400, "description": f"Bad Request: can't parse entities: {error}"}


async def test_a_message_is_trimmed_and_its_links_found(local: Local) -> None:
    message = await local.send("  <b> see</b> /help or @idiom_bot \n", parse_mode="HTML")
    assert message["text"] == "see /help or @idiom_bot"
    assert [(e["type"], e["offset"], e["length"]) for e in message["entities"]] == [
        ("bold", 0, 3),
        ("bot_command", 4, 5),
        ("mention", 13, 10),
    ]


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


def card(n: int, **more: Any) -> dict[str, Any]:
    content = {"message_text": f"<b>{n}</b>", "parse_mode": "HTML"}
    return {"type": "article", "id": str(n), "title": f"Card {n}", "input_message_content": content} | more


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


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"question": "x" * 301}, "poll question length must not exceed 300"),
        ({"options": ["a"]}, "poll must have at least 2 options"),
        ({"options": ["a"] * 13}, "poll must have no more than 12 options"),
        ({"options": ["a", "x" * 101]}, "poll options length must not exceed 100"),
        ({"explanation": "x" * 201}, "poll explanation length must not exceed 200"),
        ({"correct_option_ids": [2]}, "invalid correct option identifier specified"),
    ],
)
async def test_poll_limits(more: dict[str, Any], error: str, local: Local) -> None:
    quiz = {"question": "?", "options": ["a", "b"], "type": "quiz", "correct_option_ids": [0]} | more
    assert await local.error("sendPoll", chat_id=local.ann.id, **quiz) == (400, f"Bad Request: {error}")


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


async def test_groups_show_the_bot_only_what_is_meant_for_it(local: Local) -> None:
    group = local.add_group("Friends", [local.ann], topics=("Chat", "Idioms"))
    await local.ask("getUpdates", offset=-1)
    local.updates.pending.clear()
    for text in ("hello", "/help@other_bot", "/help", "hi @idiom_bot", "/help@Idiom_Bot"):
        local.user_sends(local.ann, group, text, thread_id=3)
    assert [update["message"]["text"] for update in local.updates.pending] == ["hi @idiom_bot", "/help@Idiom_Bot"]
    sent = await local.ask("sendMessage", chat_id=group.id, text="x", message_thread_id=3)
    assert sent["message_thread_id"] == 3 and sent["is_topic_message"]
    answer = local.user_sends(local.ann, group, "thanks", reply_to=sent["message_id"])
    assert local.updates.pending[-1]["message"] == answer and answer["message_thread_id"] == 3
    assert await local.error("sendMessage", chat_id=group.id, text="x", message_thread_id=9) == (
        400,
        "Bad Request: message thread not found",
    )


async def test_long_polling(local: Local) -> None:
    first = await local.ask("getUpdates", timeout=5)
    assert [update["message"]["text"] for update in first] == ["/start"]
    assert await local.ask("getUpdates") == first, "what is not confirmed comes again"
    held = asyncio.create_task(local.ask("getUpdates", offset=first[-1]["update_id"] + 1, timeout=5))
    await asyncio.sleep(0)
    local.user_sends(local.ann, local.chat_, "later")
    assert [update["message"]["text"] for update in await held] == ["later"]


async def test_two_pollers_and_a_webhook_conflict(local: Local) -> None:
    local.updates.pending.clear()
    held = asyncio.create_task(local.call("1:local", "getUpdates", {"timeout": 5}))
    await asyncio.sleep(0)
    await local.ask("getUpdates")
    assert (await held)["description"].startswith("Conflict: terminated by other getUpdates request")
    await local.ask("setWebhook", url="https://example.org/hook", secret_token="s")
    code, description = await local.error("getUpdates")
    assert code == 409 and description.startswith("Conflict: can't use getUpdates method while webhook is active")
    await local.ask("deleteWebhook")
    assert await local.ask("getUpdates") == []


async def test_updates_come_only_when_wanted(local: Local) -> None:
    await local.ask("getUpdates", offset=-1, allowed_updates=["callback_query"])
    local.updates.pending.clear()
    local.user_sends(local.ann, local.chat_, "unseen")
    local.press(local.ann, local.chat_, 1, "x")
    assert ["callback_query" in update for update in local.updates.pending] == [True]


async def test_unknown_tokens_methods_and_parameters_are_refused(local: Local) -> None:
    assert (await local.call("2:other", "getMe", {}))["error_code"] == 401
    assert await local.error("launchRocket") == (404, "Not Found: method not found")
    assert (await local.error("sendMessage", chat_id=local.ann.id, text="x", colour="red"))[0] == 400
    assert [call.method for call in local.refusals] == ["getMe", "launchRocket", "sendMessage"]


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


async def test_commands_by_scope_and_language(local: Local) -> None:
    one, two = [{"command": "one", "description": "One"}], [{"command": "two", "description": "Два"}]
    await local.ask("setMyCommands", commands=one)
    await local.ask("setMyCommands", commands=two, language_code="ru")
    bob = local.add_user("Bob", "ru-RU")
    assert local.menu(local.ann, local.chat_) == one and local.menu(bob, local.private(bob)) == two
    bad = [{"command": "One!", "description": "x"}]
    assert await local.error("setMyCommands", commands=bad) == (400, "Bad Request: BOT_COMMAND_INVALID")


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

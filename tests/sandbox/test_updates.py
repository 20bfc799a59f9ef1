"""Which updates a bot gets, and how it takes them."""

from __future__ import annotations

import asyncio

from support.local import Local


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
    await local.ask("setWebhook", url="http://127.0.0.1:9/hook", secret_token="s")
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

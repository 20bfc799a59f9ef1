"""Updates: each is answered once, none is lost to a kill, and what is no update holds nobody up."""

from __future__ import annotations

import asyncio
import copy
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.search.engine import SearchEngine
from bot.serving import running
from bot.store.protocol import LEASE, StateUnavailable
from bot.telegram import render
from bot.telegram.inbox import MOST_TAKEOVERS
from support.small import PHRASES, small_artifacts
from support.talking import ANNA, RU, Talk, data

WORDS = PHRASES[0].text
Update = dict[str, Any]


@pytest.fixture(scope="module")
def small() -> SearchEngine:
    return SearchEngine(small_artifacts())


def asked(talk: Talk, words: str = WORDS) -> Update:
    """The update of a question, which Telegram forgets here."""
    talk.telegram.user_sends(talk.user, talk.chat, words)
    return talk.telegram.updates.pending.pop()


async def answered(talk: Talk) -> None:
    """Until nothing is under way."""
    async with asyncio.timeout(10):
        while talk.inbox._answering or talk.inbox._finishing:
            await asyncio.sleep(0)


def answers(talk: Talk) -> int:
    return sum(message["from"]["is_bot"] for message in talk.chat.messages.values())


async def killed(talk: Talk) -> None:
    """As after kill -9: nothing that was under way ends."""
    for task in talk.inbox._answering.values():
        task.cancel()
    await asyncio.sleep(0)
    await talk.restart()


async def revived(talk: Talk) -> None:
    """Let the bot look once for what was left unanswered."""
    await talk.inbox.take_over()
    await answered(talk)


async def test_an_update_that_comes_again_is_answered_once(small: SearchEngine, tmp_path: Path) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        update = asked(talk)
        await talk.inbox.take([update, copy.deepcopy(update)])
        await talk.inbox.take([update])
        await answered(talk)
        await talk.inbox.take([update])
        await talk.restart()
        await talk.inbox.take([update])
        await revived(talk)
        assert answers(talk) == 1
        assert len(await talk.store.history(ANNA, 0, 9)) == 1


async def test_what_a_kill_left_is_answered_after_the_start(small: SearchEngine, tmp_path: Path) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        await talk.inbox.take([asked(talk), asked(talk, PHRASES[1].text)])
        await killed(talk)
        assert answers(talk) == 0
        await revived(talk)
        assert answers(talk) == 2
        assert [entry.text for entry in await talk.store.history(ANNA, 0, 9)] == [PHRASES[1].text, WORDS]


async def test_what_a_kill_left_is_answered_before_what_came_since(
    small: SearchEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Talk(small, path=tmp_path / "state.db", over_http=True) as talk:
        await talk.inbox.take([asked(talk)])
        await killed(talk)
        talk.telegram.user_sends(talk.user, talk.chat, PHRASES[1].text)
        take_over = talk.store.take_over

        async def slowly() -> list[tuple[int, str, int]]:
            await asyncio.sleep(0.5)
            return await take_over()

        monkeypatch.setattr(talk.store, "take_over", slowly)
        async with running(talk.services), asyncio.timeout(10):
            while answers(talk) < 2:
                await asyncio.sleep(0.02)
        assert [entry.text for entry in await talk.store.history(ANNA, 0, 9)] == [PHRASES[1].text, WORDS]


async def test_an_update_that_kills_every_process_is_given_up_with_an_apology(
    small: SearchEngine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        (card,) = await talk.say("/random")
        press = talk.telegram.press(talk.user, talk.chat, card["message_id"], data(card, RU("button-random")))
        before = answers(talk)
        await talk.inbox.take([talk.telegram.updates.pending.pop(), asked(talk)])
        for _ in range(MOST_TAKEOVERS - 1):
            await killed(talk)
            await talk.inbox.take_over()
        assert (answers(talk), press.answer) == (before, None)
        await killed(talk)
        await revived(talk)
        assert talk.chat.messages[max(talk.chat.messages)]["text"] == RU("notice-error")
        assert press.answer and press.answer["text"] == RU("notice-error")
        assert (answers(talk), caplog.text.count("is given up")) == (before + 1, 2)
        await talk.restart()
        await revived(talk)
        assert answers(talk) == before + 1


async def test_a_press_that_comes_again_does_not_undo_itself(small: SearchEngine, tmp_path: Path) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        (card,) = await talk.say("/random")
        for data in ("1ks:{}:1:0", "1ks:{}:1:0"):
            key = next(phrase.key for phrase in PHRASES if phrase.text in card["text"])
            await talk.press_data(card, data.format(key))
        assert await talk.store.saved(ANNA) == [key]


async def test_an_old_button_toggles_and_a_kill_does_not_toggle_back(small: SearchEngine, tmp_path: Path) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        (card,) = await talk.say("/random")
        key = next(phrase.key for phrase in PHRASES if phrase.text in card["text"])
        for expected, word in (([key], "notice-saved"), ([], "notice-unsaved")):
            _, toast = await talk.press_data(card, f"1k:{key}:0")
            assert (await talk.store.saved(ANNA), toast) == (expected, RU(word))
        press = talk.telegram.press(talk.user, talk.chat, card["message_id"], f"1k:{key}:0")
        update = talk.telegram.updates.pending.pop()
        await talk.inbox.take([update])
        async with asyncio.timeout(10):
            while press.answer is None:
                await asyncio.sleep(0)
        await killed(talk)
        await revived(talk)
        await talk.inbox.take([update])
        await answered(talk)
        assert await talk.store.saved(ANNA) == [key]


async def test_a_question_answered_twice_is_in_the_history_once(small: SearchEngine, tmp_path: Path) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        update = asked(talk)
        await talk.inbox.take([update])
        async with asyncio.timeout(10):
            while not answers(talk):
                await asyncio.sleep(0)
        await killed(talk)
        await revived(talk)
        assert len(await talk.store.history(ANNA, 0, 9)) == 1


@pytest.mark.parametrize(
    "poison",
    [
        None,
        7,
        "text",
        [],
        {},
        {"update_id": "7"},
        {"update_id": -1},
        {"update_id": True},
        {"update_id": 7, "message": {"message_id": 1}},
        {"update_id": 7, "message": "text"},
        {"update_id": 7, "callback_query": {"id": "1", "from": None}},
        {"update_id": 7, "inline_query": {"id": "1", "from": {"id": 1}, "query": 5}},
        {"update_id": 7, "message_of_the_future": {"id": 1}},
        {"update_id": 2**70},
        {"update_id": 7, "message": {"message_id": 1, "date": 10**30, "chat": {"id": 1, "type": "private"}}},
    ],
)
async def test_poison_is_skipped_and_the_next_is_answered(small: SearchEngine, poison: Any) -> None:
    async with Talk(small) as talk:
        update = asked(talk)
        await talk.inbox.take([poison, update])
        await answered(talk)
        assert answers(talk) == 1


async def test_what_cannot_be_answered_at_all_does_not_come_again(
    small: SearchEngine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        odd = asked(talk)
        odd["message"]["from"]["id"] = {"id": ANNA}
        await talk.inbox.take([odd, asked(talk)])
        await answered(talk)
        await killed(talk)
        await revived(talk)
        assert (answers(talk), caplog.text.count("cannot be answered, and is skipped")) == (1, 1)
        talk.errors.clear()


async def test_a_stop_hands_back_what_it_cannot_finish(small: SearchEngine, tmp_path: Path) -> None:
    async with Talk(small, path=tmp_path / "state.db", messages_per_second=1) as talk:
        for _ in range(5):
            await talk.inbox.take([asked(talk)])
        await talk.inbox.close(0.3)
        before = answers(talk)
        assert before < 5
        await talk.restart()
        await talk.inbox.take([])
        await talk.inbox.take_over()
        await talk.inbox.close(10)
        assert answers(talk) >= 5


async def test_of_a_pressed_message_only_what_is_read_is_kept(
    small: SearchEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A screen with its buttons is most of an update, and of the memory that hundreds of them at once would take."""
    async with Talk(small, path=tmp_path / "state.db") as talk:
        (shown,) = await talk.say(WORDS)
        talk.telegram.press(talk.user, talk.chat, shown["message_id"], data(shown, "1"))
        kept, remember = list[tuple[int, str]](), talk.store.keep_updates

        async def keep(updates: Sequence[tuple[int, str]]) -> list[int]:
            kept.extend(updates)
            return await remember(updates)

        monkeypatch.setattr(talk.store, "keep_updates", keep)
        await talk.inbox.take([talk.telegram.updates.pending.pop()])
        await answered(talk)
        message = json.loads(kept[-1][1])["callback_query"]["message"]
        assert message["message_id"] == shown["message_id"] and not {"entities", "reply_markup"} & {*message}


@pytest.mark.parametrize("error", [StateUnavailable("full"), RuntimeError("a mistake")])
async def test_what_was_answered_while_the_state_was_away_is_finished_later(
    small: SearchEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        with monkeypatch.context() as away:

            async def fails(_: Sequence[int]) -> None:
                raise error

            away.setattr(talk.store, "finish_updates", fails)
            await talk.inbox.take([asked(talk)])
            await answered(talk)
        await revived(talk)
        assert answers(talk) == 1
        await talk.restart()
        talk.time += 2 * LEASE
        await revived(talk)
        assert answers(talk) == 1


async def test_a_stop_waits_for_no_press_that_telegram_does_not_answer(
    small: SearchEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        (shown,) = await talk.say(WORDS)

        async def silent(*_: Any, **__: Any) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(render, "call", silent)
        talk.telegram.press(talk.user, talk.chat, shown["message_id"], data(shown, "1"))
        await talk.inbox.take([talk.telegram.updates.pending.pop()])
        await asyncio.sleep(0.1)
        began = time.monotonic()
        await talk.inbox.close(0.1)
        assert time.monotonic() - began < 1
        talk.telegram.callback_queries.clear()

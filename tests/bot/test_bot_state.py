"""When the state cannot be had, the search goes on without history, and says so."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest

from bot.search.engine import SearchEngine
from bot.store.protocol import StateUnavailable
from support.small import PHRASES, small_artifacts
from support.states import full
from support.talking import ANNA, EN, RU, Talk

ADMIN = 4242
READING = ("user", "due", "entry", "past", "history", "recent_keys", "saved", "score", "trending", "pictures")
WRITING = ("set", "add", "count_query", "set_saved", "toggle_saved", "vote", "add_poll", "add_answer", "add_picture")


@pytest.fixture(scope="module")
def small() -> SearchEngine:
    return SearchEngine(small_artifacts())


async def test_the_search_goes_on_when_nothing_can_be_written(small: SearchEngine) -> None:
    async with Talk(small, admins=frozenset({ADMIN}), daily_limit=9) as talk:
        admin = talk.telegram.add_user("Админ", "en", id=ADMIN)
        await talk.say("/start", talk.telegram.private(admin), admin)
        full(talk.store, *WRITING, "keep_updates", "finish_updates")
        for words in (
            PHRASES[0].text,
            "/random",
            "/help",
            "/history",
            "/saved",
            "/daily",
            "/quiz",
            "/privacy",
            "/stats",
        ):
            (answer,) = await talk.say(words)
            assert answer["text"] not in (RU("notice-error"), RU("notice-state")), words
        (results,) = await talk.say(PHRASES[0].text)
        card, toast = await talk.press(results, "1")
        assert (PHRASES[0].text in card["text"], toast) == (True, "")
        _, toast = await talk.press(card, RU("button-random"))
        _, toast = await talk.press(card, RU("button-save"))
        assert toast == RU("notice-state")
        await talk.inline(PHRASES[0].text)
        talk.errors.clear()
        await talk.jobs._tell_troubles()
        told = talk.telegram.private(admin).messages
        assert told[max(told)]["text"].startswith(EN("report-state", reason="database or disk is full")[:40])
        await talk.jobs._tell_troubles()
        assert max(talk.telegram.private(admin).messages) == max(told), "once in an hour"


async def test_the_search_goes_on_when_nothing_can_be_read(small: SearchEngine) -> None:
    async with Talk(small) as talk:
        full(talk.store, *WRITING, *READING)
        (results,) = await talk.say(PHRASES[0].text)
        card, _ = await talk.press(results, "1")
        assert PHRASES[0].text in card["text"]
        _, toast = await talk.press(card, RU("button-random"))
        assert toast == ""
        for words in ("/random", "/help", "/start", "/settings"):
            (answer,) = await talk.say(words)
            assert answer["text"] not in (RU("notice-error"), RU("notice-state")), words
        await talk.inline(PHRASES[0].text)
        assert (await talk.inline("")).answer is not None
        for words in ("/saved", "/history"):
            (answer,) = await talk.say(words)
            assert answer["text"] == RU("notice-state")
        talk.errors.clear()
        assert talk.user.id == ANNA


@pytest.mark.parametrize(
    "data", ["1c:zone:Europe/Berlin:0", "1c:hour:20:0", "1c:language:en:0", "1c:scope:en:0"], ids=lambda data: data[3:8]
)
async def test_settings_that_could_not_be_read_are_not_written_over(
    small: SearchEngine, monkeypatch: pytest.MonkeyPatch, data: str
) -> None:
    async with Talk(small) as talk:
        await talk.say("/daily 9 Asia/Tokyo")
        (shown,) = await talk.say("/daily")
        before = await talk.store.user(ANNA)
        assert (before.hour, before.zone) == ("9", "Asia/Tokyo")
        with monkeypatch.context() as patch:

            async def fails(_: int) -> None:
                raise StateUnavailable("the server is away")

            patch.setattr(talk.store, "user", fails)
            _, toast = await talk.press_data(shown, data)
            assert toast == RU("notice-state")
            (answer,) = await talk.say("/daily 20")
            assert answer["text"] == RU("notice-state")
        assert await talk.store.user(ANNA) == before
        talk.errors.clear()
        await talk.press_data(shown, data)
        assert await talk.store.user(ANNA) != before


async def test_people_are_answered_while_another_program_locks_the_file(small: SearchEngine, tmp_path: Path) -> None:
    async with Talk(small, path=tmp_path / "state.db") as talk:
        other = sqlite3.connect(tmp_path / "state.db")
        other.execute("BEGIN IMMEDIATE")
        for words in ("/help", PHRASES[0].text):
            talk.telegram.user_sends(talk.user, talk.chat, words)
        began, stalls = time.perf_counter(), [0.0]
        taking = asyncio.create_task(talk.arrive())
        while len(talk.chat.messages) < 4:
            step = time.perf_counter()
            await asyncio.sleep(0.01)
            stalls.append(time.perf_counter() - step)
            assert time.perf_counter() - began < 10
        other.rollback()
        other.close()
        await taking
        await talk.inbox.close(5)
        assert max(stalls) < 0.5
        texts = [message["text"] for message in talk.chat.messages.values()]
        assert any(PHRASES[0].text in text for text in texts[2:])
        assert not {RU("notice-error"), RU("notice-state")} & {*texts}

"""The history."""

from __future__ import annotations

import re
from pathlib import Path

from bot.search.engine import SearchEngine
from support.talking import LAYOUT, NOON, QUERY, RU, Talk, labels, pressed


async def test_history_lists_queries_and_idioms_and_repeats_them(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        talk.time = NOON
        (results,) = await talk.say(QUERY)
        opened, _ = await talk.press(results, "2")
        await talk.say(QUERY)
        await talk.restart()
        (history,) = await talk.say("/history")
        name = engine.search(QUERY, 2)[1].phrase.text
        assert f"1. 🔎 {QUERY} (10 мар., 12:00)\n2. 📖 {name} (10 мар., 12:00)" in history["text"]
        again, _ = await talk.press(history, "1")
        assert again["text"] == results["text"]
        back, _ = await talk.press(await pressed(talk, again, "2"), RU("button-back"))
        assert back["text"] == results["text"]
        assert back["message_id"] != opened["message_id"]


async def test_history_turns_pages_and_comes_back_to_the_page(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for number in range(25):
            await talk.say(f"делать {number}")
        (history,) = await talk.say("/history")
        second, _ = await talk.press(history, RU("button-more"))
        assert "11. 🔎 делать 14 " in second["text"]
        results, _ = await talk.press(second, "11")
        assert "делать 14" in results["text"]
        last, _ = await talk.press(second, RU("button-more"))
        assert labels(last)[:5] == ["21", "22", "23", "24", "25"]
        assert RU("button-more") not in labels(last)


async def test_history_is_cleared_after_a_question(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        card, _ = await talk.press(results, "1")
        (history,) = await talk.say("/history")
        question, _ = await talk.press(history, RU("button-erase"))
        kept, _ = await talk.press(question, RU("button-not-sure"))
        assert kept["text"] == RU("erased-nothing")
        (history,) = await talk.say("/history")
        question, _ = await talk.press(history, RU("button-erase"))
        done, _ = await talk.press(question, RU("button-sure"))
        assert done["text"] == RU("erased-history")
        _, toast = await talk.press(card, RU("button-back"))
        assert toast == RU("notice-step-gone")
        (history,) = await talk.say("/history")
        assert history["text"] == RU("history-empty")


async def test_history_shows_both_what_was_typed_and_what_was_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (repaired,) = await talk.say(LAYOUT)
        exact = await pressed(talk, repaired, "Искать точно")
        (history,) = await talk.say("/history")
        assert re.findall(r"🔎 (.+) \(\d", history["text"]) == [f"{LAYOUT} (точно)", f"{LAYOUT} → бездельничать"]
        assert (await pressed(talk, history, "1"))["text"] == exact["text"]


async def test_what_nobody_sees_is_not_remembered_and_turns_no_line(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for query in ("\u200b", "\u202e\u2066", " \u00a0 "):
            await talk.say(query)
        await talk.say("ничего \u202eне делать\u202c\u200f")
        (history,) = await talk.say("/history")
        assert "1. 🔎 ничего не делать (" in history["text"] and "2. " not in history["text"]

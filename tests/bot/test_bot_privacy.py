"""Personal data: seen, taken and erased."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.features.privacy import MOST_BYTES
from bot.search.engine import SearchEngine
from bot.store.sql import DAY
from support.small import small_artifacts
from support.states import exported
from support.talking import ANNA, QUERY, RU, Talk, file_of, labels, pressed

LONGEST_STALL = 0.5
"""Seconds for which the event loop may stand still on a busy machine; an export on the loop itself takes a second."""


async def test_one_can_see_take_and_erase_all_that_is_kept(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        await talk.press(await pressed(talk, results, "1"), RU("button-save"))
        (privacy,) = await talk.say("/privacy")
        assert RU("button-forget") in labels(privacy)
        (file,) = await talk.say("/export")
        kept = json.loads(file_of(talk, file))
        assert kept["history"][-1]["text"] == QUERY
        assert len(kept["saved"]) == 1
        (question,) = await talk.say("/forget")
        done, _ = await talk.press(question, RU("button-sure"))
        assert done["text"] == RU("erased-all")
        assert not any((await exported(talk.store, ANNA)).values())


def fill(path: Path, rows: int) -> None:
    """Write a long history of Anna's."""
    file = sqlite3.connect(path)
    file.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
        "INSERT INTO history (user, chat_key, kind, text, parent, page, at) "
        "SELECT ?, ?, CASE WHEN i % 2 THEN 'query' ELSE 'card' END, 'кот ' || i % 1000, 0, 0, 0 FROM n",
        (rows, ANNA, str(ANNA)),
    )
    file.commit()
    file.close()


@asynccontextmanager
async def stalls() -> AsyncIterator[list[float]]:
    """The seconds between two steps of the event loop that has nothing else to do."""
    seconds: list[float] = []

    async def beat() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.001)
            seconds.append(time.perf_counter() - began)

    beating = asyncio.create_task(beat())
    yield seconds
    beating.cancel()


@pytest.mark.slow
async def test_half_a_million_rows_hold_nobody_up(tmp_path: Path) -> None:
    small = SearchEngine(small_artifacts())
    async with Talk(small, path=tmp_path / "state.db", popularity=True) as talk:
        talk.time = 0.0
        await talk.say("/start")
        fill(tmp_path / "state.db", 500_000)
        async with stalls() as seconds:
            cut, file = await talk.say("/export")
            await talk.tick()
            assert await talk.store.trending(7, 20, 1)
            talk.time = 200 * DAY
            await talk.tick()
        assert max(seconds) < LONGEST_STALL
        assert cut["text"] == RU("notice-export-cut")
        assert len(file_of(talk, file).encode()) < 1.1 * MOST_BYTES
        # The newest of them.
        assert [row["id"] for row in json.loads(file_of(talk, file))["history"]][:2] == [500_000, 499_999]
        assert (await exported(talk.store, ANNA))["history"] == []


async def test_an_export_takes_little_memory_however_long_the_history_is(tmp_path: Path) -> None:
    async with Talk(SearchEngine(small_artifacts()), path=tmp_path / "state.db") as talk:
        await talk.say("/export")
        fill(tmp_path / "state.db", 150_000)
        tracemalloc.start()
        await talk.say("/export")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # As it is read, as the file, and as it is sent; all rows at once would be 150 MB.
        assert most < 6 * MOST_BYTES


async def test_a_long_export_arrives_over_http(tmp_path: Path) -> None:
    async with Talk(SearchEngine(small_artifacts()), path=tmp_path / "state.db", over_http=True) as talk:
        await talk.say("/start")
        fill(tmp_path / "state.db", 20_000)
        (file,) = await talk.say("/export")
        assert len(json.loads(file_of(talk, file))["history"]) == 20_000

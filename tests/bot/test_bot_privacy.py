"""Personal data: seen, taken and erased."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.search.engine import SearchEngine
from bot.store.sql import DAY
from support.small import small_artifacts
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
        assert kept["history"][0]["text"] == QUERY
        assert len(kept["saved"]) == 1
        (question,) = await talk.say("/forget")
        done, _ = await talk.press(question, RU("button-sure"))
        assert done["text"] == RU("erased-all")
        assert not any((await talk.store.export(ANNA)).values())


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
            (file,) = await talk.say("/export")
            await talk.tick()
            assert await talk.store.trending(7, 20, 1)
            talk.time = 200 * DAY
            await talk.tick()
        assert max(seconds) < LONGEST_STALL
        assert len(json.loads(file_of(talk, file))["history"]) == 500_000
        assert (await talk.store.export(ANNA))["history"] == []


async def test_a_long_export_arrives_over_http(tmp_path: Path) -> None:
    async with Talk(SearchEngine(small_artifacts()), path=tmp_path / "state.db", over_http=True) as talk:
        await talk.say("/start")
        fill(tmp_path / "state.db", 20_000)
        (file,) = await talk.say("/export")
        assert len(json.loads(file_of(talk, file))["history"]) == 20_000

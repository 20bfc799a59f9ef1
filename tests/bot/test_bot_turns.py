"""Turns: one at a time for each key, in order; cancelled ones hold nobody up, and too long a line loses its oldest."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.telegram.turns import Overtaken, Turns


async def test_one_at_a_time_in_the_order_of_coming() -> None:
    turns, seen, inside = Turns(100), [], 0

    async def visit(number: int) -> None:
        nonlocal inside
        async with turns.turn("a"):
            inside += 1
            assert inside == 1
            await asyncio.sleep(0)
            seen.append(number)
            inside -= 1

    await asyncio.gather(*(visit(number) for number in range(50)))
    assert seen == list(range(50))
    assert turns._lines == {}


async def test_another_key_does_not_wait() -> None:
    turns = Turns(1)
    async with turns.turn("a"), asyncio.timeout(1), turns.turn("b"):
        pass


async def test_the_oldest_gives_way() -> None:
    turns, came = Turns(2), []

    async def visit(number: int) -> None:
        async with turns.turn("a"):
            came.append(number)
            await asyncio.sleep(0)

    results = await asyncio.gather(*map(visit, range(6)), return_exceptions=True)
    assert came == [0, 4, 5]
    assert [isinstance(result, Overtaken) for result in results] == [False, True, True, True, False, False]


@pytest.mark.parametrize("seed", range(20))
async def test_whoever_is_cancelled_passes_the_turn_on(seed: int) -> None:
    rng, turns, done = random.Random(seed), Turns(100), []

    async def visit(number: int) -> None:
        async with turns.turn("a"):
            await asyncio.sleep(0)
        done.append(number)

    tasks = [asyncio.create_task(visit(number)) for number in range(20)]
    for _ in range(15):
        await asyncio.sleep(0)
        rng.choice(tasks).cancel()
    async with asyncio.timeout(5):
        await asyncio.gather(*tasks, return_exceptions=True)
    assert turns._lines == {}
    assert done == sorted(done)
    assert len(done) >= 5

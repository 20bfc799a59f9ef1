"""The idiom of the day."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from telegram.error import BadRequest

from bot.search.engine import SearchEngine
from bot.store.protocol import OWNED, User
from bot.telegram import jobs
from support.talking import ANNA, NOON, RU, Talk
from support.weather import Fault, Weather


async def until_it_is_due(talk: Talk) -> None:
    """Ask for the idiom of the day, and let its hour come."""
    talk.time = NOON
    await talk.say("/daily 15")
    talk.time = NOON + 3 * 3600


async def test_the_idiom_of_the_day_comes_at_its_hour_every_day(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        talk.time = NOON
        (screen,) = await talk.say("/daily")
        assert "Москва, 12:00" in screen["text"]
        screen, _ = await talk.press(screen, "15:00")
        assert "15:00" in screen["text"]
        assert await talk.tick() == []
        talk.time = NOON + 3 * 3600 + 30
        (card,) = await talk.tick()
        assert card["text"].startswith("🌅")
        assert await talk.tick() == []
        await talk.restart()
        assert await talk.tick() == []
        talk.time += 24 * 3600
        (next_card,) = await talk.tick()
        assert next_card["text"] != card["text"]
        opened, _ = await talk.press(next_card, "1")
        back, _ = await talk.press(opened, RU("button-back"))
        assert back["text"] in next_card["text"]


async def test_missed_days_are_not_sent_in_a_flood(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        await talk.say("/daily 15")
        talk.time = NOON + 5 * 24 * 3600
        assert await talk.tick() == []
        talk.time += 3 * 3600 + 30
        assert len(await talk.tick()) == 1


async def test_a_clock_that_was_wrong_and_is_set_back_costs_nobody_the_next_day(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON + 400 * 24 * 3600
        await talk.say("/daily 15")
        talk.time = NOON
        assert await talk.tick() == []
        talk.time = NOON + 3 * 3600 + 30
        assert len(await talk.tick()) == 1


async def test_who_lives_in_a_zone_that_is_abolished_is_served_all_the_same(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        await talk.say("/start")
        await talk.store.set(ANNA, zone="US/Pacific-New", hour="15", due=NOON - 1, spoken="ru")
        assert len(await talk.tick()) == 1
        (screen,) = await talk.say("/daily")
        assert "Москва, 12:00" in screen["text"]


async def test_another_zone_is_chosen_or_written(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        (screen,) = await talk.say("/daily 9")
        zones, _ = await talk.press(screen, RU("button-zone"))
        screen, _ = await talk.press(zones, "Владивосток")
        assert "9:00" in screen["text"]
        assert "Владивосток, 19:00" in screen["text"]
        assert (await talk.store.user(ANNA)).due == NOON + 14 * 3600
        (screen,) = await talk.say("/daily 21:00 asia/tbilisi")
        assert "Тбилиси, 13:00" in screen["text"]
        assert (await talk.store.user(ANNA)).due == NOON + 8 * 3600
        screen, _ = await talk.press(screen, RU("button-daily-stop"))
        assert (await talk.store.user(ANNA)).due is None
        (screen,) = await talk.say("/daily 25 Nowhere/Land")
        assert (await talk.store.user(ANNA)).due is None


async def test_hour_and_zone_pressed_at_once_are_both_kept(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        (screen,) = await talk.say("/daily")
        for data in ("1c:hour:9:0", "1c:zone:Asia/Vladivostok:0"):
            talk.telegram.press(talk.user, talk.chat, screen["message_id"], data)
        await talk.work(at_once=True)
        user = await talk.store.user(ANNA)
        assert (user.hour, user.zone, user.due) == ("9", "Asia/Vladivostok", NOON + 14 * 3600)


async def test_who_unsubscribes_while_others_get_theirs_gets_none(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        await until_it_is_due(talk)
        (due,) = await talk.store.due()
        await talk.store.forget(ANNA, OWNED)
        before = set(talk.chat.messages)
        await talk.jobs.send_daily(due)
        assert set(talk.chat.messages) == before
        assert await talk.store.user(ANNA) == User(ANNA)


async def test_who_blocks_the_bot_is_unsubscribed(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        await talk.say("/daily 15")
        talk.telegram.block(talk.user)
        await talk.work()
        assert (await talk.store.user(ANNA)).due is None
        talk.telegram.block(talk.user, False)
        await talk.say("/daily 15")
        talk.user.blocked = True
        talk.time = NOON + 3 * 3600
        assert await talk.tick() == []
        assert (await talk.store.user(ANNA)).due is None
        talk.telegram.journal.clear()


@pytest.mark.parametrize("faults", [["502"] * 4, ["429"]])
async def test_what_could_not_be_sent_is_sent_later(engine: SearchEngine, faults: list[Fault]) -> None:
    weather = Weather()
    async with Talk(engine, api=weather.api()) as talk:
        await until_it_is_due(talk)
        weather.forecast["sendMessage"] = [*faults]
        assert await talk.tick() == []
        talk.time += 60
        await asyncio.sleep(1.1 * faults.count("429"))  # The second for which Telegram mutes is one of the real clock.
        assert len(await talk.tick()) == 1
        talk.time += 60
        assert await talk.tick() == []


async def test_a_card_that_cannot_be_made_is_told_of_once_and_the_next_one_comes(
    engine: SearchEngine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with Talk(engine) as talk:
        await until_it_is_due(talk)

        async def broken(*_: object) -> None:
            raise LookupError("no such idiom")

        with monkeypatch.context() as today:
            today.setattr("bot.features.daily.todays_card", broken)
            for _ in range(3):
                assert await talk.tick() == []
                talk.time += 60
        assert caplog.text.count("LookupError: no such idiom") == 1
        talk.time = NOON + 27 * 3600
        assert len(await talk.tick()) == 1


async def test_a_card_that_is_refused_unsubscribes_nobody(
    engine: SearchEngine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with Talk(engine) as talk:
        await until_it_is_due(talk)

        async def refused(*_: object) -> None:
            raise BadRequest("Can't parse entities")

        monkeypatch.setattr(jobs, "send_to", refused)
        assert await talk.tick() == []
        assert "Can't parse entities" in caplog.text
        assert (await talk.store.user(ANNA)).hour == "15"


async def test_memory_is_given_back_every_minute(engine: SearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    given_back = asyncio.Event()
    loop = asyncio.get_running_loop()
    monkeypatch.setattr("bot.memory.give_back", lambda: loop.call_soon_threadsafe(given_back.set))
    monkeypatch.setattr(jobs, "INTERVAL", 0.01)
    async with Talk(engine) as talk:
        running = asyncio.create_task(talk.jobs.run())
        for _ in range(2):
            await asyncio.wait_for(given_back.wait(), 5)
            given_back.clear()
        running.cancel()

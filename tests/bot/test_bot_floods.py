"""Who writes too much, or is muted by Telegram, keeps nobody else waiting, and is told once. In real time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from telegram.error import RetryAfter

from bot.sandbox.limits import RateLimits, Refusal
from bot.sandbox.world import Chat
from bot.search.engine import SearchEngine
from bot.telegram.pace import ASKER, LONGEST_LINE, Pace
from bot.telegram.turns import Overtaken
from support.small import small_artifacts
from support.talking import RU, Talk

LIMIT = 3.0
"""Seconds that others may wait on a busy machine; alone they wait some thousandths."""
WORDS = "бить баклуши"


@pytest.fixture(scope="module")
def small() -> SearchEngine:
    return SearchEngine(small_artifacts())


@pytest.fixture
async def talk(small: SearchEngine, request: pytest.FixtureRequest) -> Any:
    # Not as a context that checks refusals: of these there are many here.
    talk = Talk(small, over_http=getattr(request, "param", "") == "over HTTP", messages_per_second=30)
    await talk.__aenter__()
    talk.telegram.clock = time.time
    yield talk
    await talk.inbox.close(0)
    await talk.__aexit__(RuntimeError, RuntimeError(), None)


async def until(holds: Callable[[], bool], seconds: float) -> float:
    """Seconds until something holds. Raises TimeoutError after so many."""
    started = time.perf_counter()
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)
    return time.perf_counter() - started


async def waited(talk: Talk, name: str) -> float:
    """Seconds until another person is answered."""
    other = talk.telegram.add_user(name, "ru")
    chat = talk.telegram.private(other)
    talk.telegram.user_sends(other, chat, WORDS)
    await talk.arrive()
    return await until(lambda: len(chat.messages) > 1, 30)


def nothing(_: str) -> None:
    """Retries are of no interest here."""


def told(chat: Chat, key: str) -> int:
    return sum(message["text"] == RU(key) for message in chat.messages.values())


async def flood_of_a_group(talk: Talk) -> None:
    group = talk.telegram.add_group("Шумные", [talk.user])
    for _ in range(320):
        talk.telegram.user_sends(talk.user, group, "/random@idiomatika_bot")
    await talk.arrive()


async def flood_of_a_person(talk: Talk) -> None:
    for number in range(600):
        talk.telegram.user_sends(talk.user, talk.chat, f"{WORDS} {number}")
    await talk.arrive()


async def raid_on_a_group(talk: Talk) -> None:
    raiders = [talk.telegram.add_user(f"Гость {number}", "ru") for number in range(300)]
    group = talk.telegram.add_group("Шумные", raiders)
    for raider in raiders:
        talk.telegram.user_sends(raider, group, "/random@idiomatika_bot")
    await talk.arrive()


async def typing(talk: Talk) -> None:
    for number in range(600):
        talk.telegram.inline_query(talk.user, f"{WORDS} {number}")
    await talk.arrive()


async def flood_of_many_groups_by_one_person(talk: Talk) -> None:
    groups = [talk.telegram.add_group(f"Группа {number}", [talk.user]) for number in range(200)]
    for group in 3 * groups:
        talk.telegram.user_sends(talk.user, group, "/random@idiomatika_bot")
    await talk.arrive()


FLOODS = [flood_of_a_group, flood_of_a_person, raid_on_a_group, flood_of_many_groups_by_one_person, typing]


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("strict", [False, True])
async def test_others_do_not_wait_and_a_stop_is_quick(
    talk: Talk, flood: Callable[[Talk], Awaitable[None]], strict: bool
) -> None:
    talk.telegram.rate_limits = RateLimits() if strict else None
    await flood(talk)
    waits = [await waited(talk, f"Другой {number}") for number in range(5)]
    assert max(waits) < LIMIT, waits
    started = time.perf_counter()
    await talk.inbox.close(1.0)
    assert time.perf_counter() - started < LIMIT


async def test_who_writes_too_much_is_told_once(talk: Talk) -> None:
    for number in range(300):
        talk.telegram.user_sends(talk.user, talk.chat, f"{WORDS} {number}")
    await talk.arrive()
    await until(lambda: told(talk.chat, "notice-overtaken") == 1 or len(talk.chat.messages) > 320, 30)
    await talk.inbox.close(2.0)
    assert told(talk.chat, "notice-overtaken") <= 1


@pytest.mark.slow
async def test_who_goes_on_writing_too_much_is_told_with_the_next_answer(talk: Talk) -> None:
    for number in range(60):
        talk.telegram.user_sends(talk.user, talk.chat, f"{WORDS} {number}")
        await talk.arrive()
        await asyncio.sleep(0.04)
    # As soon as Telegram allows the chat another message.
    await until(lambda: told(talk.chat, "notice-overtaken") == 1, 10 + LIMIT)


async def test_in_a_group_the_others_are_answered_too(talk: Talk) -> None:
    other = talk.telegram.add_user("Тихая", "ru")
    group = talk.telegram.add_group("Шумные", [talk.user, other])
    for number in range(120):
        talk.telegram.user_sends(talk.user, group, "/random@idiomatika_bot")
        if number == 60:
            talk.telegram.user_sends(other, group, f"@idiomatika_bot {WORDS}")
    await talk.arrive()
    (asked,) = (message["message_id"] for message in group.messages.values() if message["from"]["id"] == other.id)

    def answered() -> bool:
        return any(
            message.get("reply_to_message", {}).get("message_id") == asked for message in group.messages.values()
        )

    await until(answered, LIMIT)


async def test_one_person_s_messages_displace_only_each_other() -> None:
    sent: list[int] = []

    async def send(asker: int) -> None:
        sent.append(asker)

    async def answer(asker: int) -> None:
        ASKER.set(asker)
        with suppress(Overtaken):
            await pace.process_request(send, (asker,), {}, "sendMessage", {"chat_id": -7}, None)

    pace = Pace(1000, nothing, group=(1, 0.02), person=(100, 0.1))
    await asyncio.gather(*map(answer, [1] * 50 + [2] + [1] * 50))
    assert 2 in sent[:4]


async def test_the_latest_messages_of_a_flood_are_sent() -> None:
    sent: list[int] = []

    async def send(number: int) -> None:
        sent.append(number)

    pace = Pace(1000, nothing, private=(2, 0.1))
    calls = [pace.process_request(send, (n,), {}, "sendMessage", {"chat_id": 7}, None) for n in range(100)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert sent == [0, 1, 2, *range(100 - LONGEST_LINE, 100)]
    assert sum(isinstance(result, Overtaken) for result in results) == 100 - len(sent)


async def test_all_chats_together_keep_the_limit_of_a_second() -> None:
    sent: list[float] = []

    async def send() -> None:
        sent.append(time.monotonic())

    pace = Pace(30, nothing)
    await asyncio.gather(
        *(pace.process_request(send, (), {}, "sendMessage", {"chat_id": chat}, None) for chat in range(1, 66))
    )
    assert all(later - earlier > 0.9 for earlier, later in zip(sent, sent[30:], strict=False))


@pytest.mark.parametrize("endpoint", ["answerInlineQuery", "answerCallbackQuery"])
async def test_an_answer_that_would_come_too_late_is_given_up_at_once(endpoint: str) -> None:
    waits = [timedelta(seconds=0.05), timedelta(seconds=10), timedelta(0)]
    refused = iter(waits)

    async def refuse() -> None:
        raise RetryAfter(next(refused))

    async with asyncio.timeout(LIMIT):
        with pytest.raises(RetryAfter) as caught:
            await Pace(0, nothing).process_request(refuse, (), {}, endpoint, {}, None)
    assert caught.value.retry_after == waits[1]


@pytest.mark.parametrize("talk", ["in memory", "over HTTP"], indirect=True)
async def test_a_chat_that_telegram_mutes_waits_alone(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    muted, post = talk.chat, talk.telegram.writable
    refused: list[float] = []

    def writable(chat_id: str, thread_id: int = 0) -> Chat:
        if chat_id == str(muted.id) and time.perf_counter() < ends:
            refused.append(time.perf_counter())
            raise Refusal("Too Many Requests: retry after 2", 429, retry_after=2)
        return post(chat_id, thread_id)

    ends = time.perf_counter() + 1.5
    monkeypatch.setattr(talk.telegram, "writable", writable)
    for _ in range(5):
        talk.telegram.user_sends(talk.user, muted, WORDS)
    await talk.arrive()
    waits = [await waited(talk, f"Другой {number}") for number in range(5)]
    assert max(waits) < 1.0
    await until(lambda: len(muted.messages) == 10, 10)
    assert len(refused) == 1, "its other messages wait instead of asking again"

"""Bad days of Telegram and of the network, over real HTTP: nothing is said twice, and nothing ends without a word."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from telegram.error import InvalidToken, NetworkError
from tornado.httpclient import AsyncHTTPClient

from bot.sandbox.server import serve
from bot.sandbox.telegram import Telegram
from bot.sandbox.world import User
from bot.search.engine import SearchEngine
from bot.telegram import polling, registration
from bot.telegram.transport import Transport, Undone
from support.network import HAS_IPV6
from support.running import BotProcess, free_port, running, telegram_in, until
from support.small import PHRASES, small_artifacts
from support.talking import QUICK, RU, TOKEN, Talk, file_of, labels
from support.weather import Fault, Weather

WORDS = PHRASES[0].text


@pytest.fixture(scope="module")
def small() -> SearchEngine:
    return SearchEngine(small_artifacts())


def write(telegram: Telegram, user: User, text: str = WORDS) -> None:
    telegram.user_sends(user, telegram.private(user), text)


def answers(telegram: Telegram, user: User) -> list[str]:
    """What the bot wrote to a person."""
    return [message["text"] for message in telegram.private(user).messages.values() if message["from"]["is_bot"]]


# Single calls


@pytest.mark.parametrize(
    ("faults", "sent"),
    [
        (["500"], 1),
        (["502"], 1),
        (["429"], 1),
        (["502", "500", "502"], 1),
        (["cut"], 1),
        (["garbled"], 1),
        (["500", "cut"], 1),
        # Whether it came nobody can tell, so it is not sent again.
        (["dropped"], 0),
        (["504"], 0),
        (["500"] * 4, 0),
    ],
)
async def test_an_answer_is_sent_once_and_never_with_an_apology(
    small: SearchEngine, faults: list[Fault], sent: int
) -> None:
    weather = Weather()
    async with Talk(small, api=weather.api()) as talk:
        weather.forecast["sendMessage"] = [*faults]
        told = await talk.say(WORDS)
        assert [WORDS in message["text"] for message in told] == [True] * sent
        assert weather.forecast["sendMessage"] == []
        assert len(talk.errors) <= 1
        talk.errors.clear()
        assert len(await talk.say(WORDS)) == 1


@pytest.mark.parametrize("fault", ["500", "502", "429", "504", "dropped", "cut", "garbled"])
async def test_a_press_is_done_whatever_happens_to_its_calls(small: SearchEngine, fault: Fault) -> None:
    weather = Weather()
    async with Talk(small, api=weather.api()) as talk:
        (results,) = await talk.say(WORDS)
        weather.forecast |= {"editMessageText": [fault], "answerCallbackQuery": [fault]}
        card, toast = await talk.press(results, "1")
        assert (PHRASES[0].meanings[0] in card["text"], toast) == (True, "")
        weather.forecast |= {"editMessageText": [fault], "answerCallbackQuery": [fault]}
        card, _ = await talk.press(card, RU("button-save"))
        assert RU("button-saved") in labels(card)
        weather.forecast["answerInlineQuery"] = [fault]
        assert (await talk.inline(WORDS)).answer
        assert weather.forecast == {name: [] for name in weather.forecast}
        # What was done before its answer was lost is refused the second time.
        if fault in ("cut", "garbled"):
            assert len(talk.telegram.refusals) > 0
            talk.telegram.journal.clear()


@pytest.mark.parametrize(("fault", "sent"), [("500", 1), ("429", 1), ("cut", 1), ("dropped", 0)])
async def test_a_file_is_sent_once(small: SearchEngine, fault: Fault, sent: int) -> None:
    weather = Weather()
    async with Talk(small, api=weather.api()) as talk:
        await talk.say(WORDS)
        weather.forecast["sendDocument"] = [fault]
        files = await talk.say("/export")
        assert [WORDS in file_of(talk, file) for file in files] == [True] * sent
        talk.errors.clear()


@pytest.mark.parametrize(
    ("fault", "reason"), [("500", "5xx"), ("504", "5xx"), ("dropped", "network"), ("garbled", "network")]
)
async def test_what_is_tried_again_is_counted_by_its_reason(fault: Fault, reason: str) -> None:
    weather, reasons = Weather(), list[str]()
    weather.forecast["getMe"] = [fault]
    async with telegram_in(weather.api()) as (_, server), Transport(reasons.append, QUICK) as transport:
        status, _ = await transport.do_request(f"{server.url}/bot{TOKEN}/getMe", "POST")
    assert (status, reasons) == (200, [reason])


async def test_a_server_that_cannot_be_reached_counts_as_the_network() -> None:
    reasons = list[str]()
    async with Transport(reasons.append, (0.0,)) as transport:
        with pytest.raises(Undone, match="could not be reached"):
            await transport.do_request(f"http://127.0.0.1:{free_port()}/bot{TOKEN}/getMe", "POST")
    assert reasons == ["network"]


async def test_the_proxy_of_the_environment_is_used_but_not_for_what_it_leaves_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[str]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.extend(line for line in head.splitlines() if line.startswith(("POST", "Proxy-Authorization")))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as proxy, telegram_in() as (_, server):
        port = proxy.sockets[0].getsockname()[1]
        monkeypatch.setenv("http_proxy", f"http://anna:secret@127.0.0.1:{port}")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        async with Transport(list[str]().append, ()) as transport:
            assert await transport.do_request("http://telegram.test/botX/getMe", "POST") == (200, b"{}")
            assert asked == [
                "POST http://telegram.test/botX/getMe HTTP/1.1",
                "Proxy-Authorization: Basic YW5uYTpzZWNyZXQ=",
            ]
            assert (await transport.do_request(f"{server.url}/bot{TOKEN}/getMe", "POST"))[0] == 200
    assert len(asked) == 2


async def test_what_fails_is_tried_ever_more_seldom_and_told_ever_more_seldom(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pauses, now, failures = list[float](), [0.0], [NetworkError("no way there")] * 12

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    async def request() -> str:
        if failures:
            raise failures.pop()
        return "done"

    monkeypatch.setattr(polling, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(polling, "asyncio", SimpleNamespace(sleep=sleep))
    assert await polling.patiently("The walk", request) == "done"
    assert pauses == [1, 2, 4, 8, 16, *[30] * 7]
    told = [record.getMessage() for record in caplog.records]
    assert told == [
        "The walk has failed and is tried until it succeeds: no way there",
        "The walk has failed for 31 s and is tried until it succeeds: no way there",
        "The walk has failed for 91 s and is tried until it succeeds: no way there",
        "The walk has failed for 211 s and is tried until it succeeds: no way there",
        "The walk succeeds again after 241 s",
    ]


# The bot as a process


async def test_an_outage_costs_a_line_when_it_begins_and_one_when_it_ends(tmp_path: Path) -> None:
    weather, bot = Weather(), BotProcess(tmp_path)
    weather.forecast["getUpdates"] = ["dropped", "garbled", "dropped"]
    async with telegram_in(weather.api()) as (telegram, server):
        bot.set(TELEGRAM_API_URL=server.url)
        user = telegram.add_user("Анна", "ru")
        write(telegram, user)
        async with running(bot):
            await until(lambda: answers(telegram, user))
            assert await bot.end(signal.SIGTERM) == 0
    lines = [line for line in bot.log.splitlines() if "The poll for updates" in line]
    assert ["has failed and is tried until it succeeds" in line for line in lines] == [True, False]
    assert re.search("succeeds again after [0-9]+ s", lines[1])
    assert "Traceback" not in bot.log


async def test_one_poll_that_is_refused_is_a_slip(tmp_path: Path) -> None:
    weather, bot = Weather(), BotProcess(tmp_path)
    weather.forecast["getUpdates"] = ["401"]
    async with telegram_in(weather.api()) as (telegram, server):
        bot.set(TELEGRAM_API_URL=server.url)
        user = telegram.add_user("Анна", "ru")
        write(telegram, user)
        async with running(bot):
            await until(lambda: answers(telegram, user))
    assert "Telegram refused the request, but not the token" in bot.log
    assert "Traceback" not in bot.log


async def test_a_token_that_is_refused_from_some_time_on_ends_the_bot(tmp_path: Path) -> None:
    async with telegram_in() as (telegram, server):
        bot = BotProcess(tmp_path, TELEGRAM_API_URL=server.url)
        user = telegram.add_user("Анна", "ru")
        write(telegram, user)
        async with running(bot):
            await until(lambda: answers(telegram, user))
            telegram.token = TOKEN[:-1] + "B"
            # Ends the poll that is held.
            write(telegram, user)
            assert await bot.ended() == 1
    assert bot.log.splitlines()[-1] == "Telegram refused TELEGRAM_TOKEN: copy it from @BotFather again."
    assert "Traceback" not in bot.log
    assert TOKEN not in bot.log


@pytest.mark.slow
async def test_without_a_network_it_says_so_ever_more_seldom_and_waits(tmp_path: Path) -> None:
    port = free_port()
    early = BotProcess(tmp_path / "early", TELEGRAM_API_URL=f"http://127.0.0.1:{port}")
    lost = BotProcess(tmp_path / "lost", TELEGRAM_API_URL="http://no-such-host.invalid")
    telegram = Telegram(TOKEN, "idiomatika_bot", "Idiomatika")
    user = telegram.add_user("Анна", "ru")
    write(telegram, user)
    async with running(early, lost):
        await until(lambda: min(bot.log.count("The start has failed") for bot in (early, lost)) == 1, 60)
        for bot in (early, lost):
            assert "Telegram could not be reached" in bot.log
            assert "Traceback" not in bot.log
            assert TOKEN not in bot.log
        server = await serve(telegram, port)
        await until(lambda: answers(telegram, user))
        assert [await bot.end(signal.SIGTERM) for bot in (early, lost)] == [0, 0]
        await server.stop()
    for bot in (early, lost):
        assert bot.log.count("The start has failed") == 1
    # Nothing ever answers under the other's address.
    assert [bot.log.count("The start succeeds again") for bot in (early, lost)] == [1, 0]
    assert "Unclosed" not in early.log + lost.log


async def test_a_message_that_is_not_as_documented_is_skipped_once(tmp_path: Path) -> None:
    async with telegram_in() as (telegram, server):
        bot = BotProcess(tmp_path, TELEGRAM_API_URL=server.url)
        user = telegram.add_user("Анна", "ru")
        dateless = {"message_id": 1, "from": user.json(), "chat": telegram.private(user).json(), "text": WORDS}
        telegram.updates.add("message", dateless)
        async with running(bot):
            await until(lambda: not telegram.updates.pending)
            write(telegram, user)
            await until(lambda: answers(telegram, user))
            await asyncio.sleep(0.5)
            assert len([call for call in telegram.journal if call.method == "getUpdates"]) <= 5
    assert bot.log.count("is not as documented, and is skipped") == 1
    assert "Traceback" not in bot.log


@pytest.mark.parametrize("number", [2**70, "7"])
async def test_a_number_that_is_none_is_not_asked_for_without_a_pause(small: SearchEngine, number: object) -> None:
    async with Talk(small) as talk:
        talk.telegram.updates.pending.append({"update_id": number})
        polling_on = asyncio.create_task(polling.Poller(talk.app.bot, talk.inbox.take).run())
        await asyncio.sleep(0.5)
        polling_on.cancel()
        assert len([call for call in talk.telegram.journal if call.method == "getUpdates"]) <= 2


async def test_after_a_quiet_week_updates_have_any_numbers(tmp_path: Path) -> None:
    async with telegram_in() as (telegram, server):
        user = telegram.add_user("Анна", "ru")
        async with running(BotProcess(tmp_path, TELEGRAM_API_URL=server.url)):
            for count, number in enumerate((100_000, 77, 900_000), 1):
                telegram.updates._next_id = number
                write(telegram, user)
                await until(lambda: len(answers(telegram, user)) == count)  # noqa: B023
                await until(lambda: not telegram.updates.pending)


async def test_nobody_waits_for_the_menu(tmp_path: Path) -> None:
    weather = Weather()
    weather.forecast["setMyCommands"] = ["429"] * 20
    async with telegram_in(weather.api()) as (telegram, server):
        user = telegram.add_user("Анна", "ru")
        write(telegram, user)
        async with running(BotProcess(tmp_path, TELEGRAM_API_URL=server.url)):
            await until(lambda: answers(telegram, user))
            assert weather.forecast["setMyCommands"] != []


async def test_a_webhook_that_another_program_took_away_is_set_again(
    small: SearchEngine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(registration, "INTERVAL", 0.05)
    async with Talk(small) as talk:
        updates, url = talk.telegram.updates, "http://127.0.0.1:1/hook"
        registered = registration.Registration(talk.app.bot, url, "secret")
        running = asyncio.create_task(registered.run())
        await until(lambda: updates.webhook == url)
        updates.set_webhook("", "")
        await until(lambda: updates.webhook == url)
        assert updates.webhook_secret == "secret"
        assert "took the webhook away" in caplog.text
        assert registered.trouble() is None
        talk.telegram.token = TOKEN[:-1] + "B"
        with pytest.raises(InvalidToken):
            await running
        talk.telegram.token = TOKEN
        monkeypatch.setattr(registration, "LONGEST_SILENCE", -1)
        assert "Telegram has not answered" in (registered.trouble() or "")
        talk.telegram.journal.clear()


async def test_a_stop_in_a_flood_is_quick(tmp_path: Path) -> None:
    async with telegram_in() as (telegram, server):
        bot = BotProcess(tmp_path, TELEGRAM_API_URL=server.url)
        people = [telegram.add_user(f"Гость {number}", "ru") for number in range(50)]
        group = telegram.add_group("Шумные", people)
        for number in range(320):
            telegram.user_sends(people[number % 50], group, "/random@idiomatika_bot")
            write(telegram, people[number % 50])
        async with running(bot):
            await until(lambda: sum(len(answers(telegram, user)) for user in people) > 20)
            began = time.monotonic()
            assert await bot.end(signal.SIGTERM) == 0
            assert time.monotonic() - began < 10
    assert "Traceback" not in bot.log


@pytest.mark.slow
async def test_what_the_webhook_confirmed_is_answered_after_a_kill(tmp_path: Path) -> None:
    """Bursts of 40, and each time a kill when all are confirmed and hardly any is answered."""
    port = free_port()
    webhook = f"http://127.0.0.1:{port}/hook"
    async with telegram_in() as (telegram, server):
        bot = BotProcess(tmp_path, TELEGRAM_API_URL=server.url, PORT=port, WEBHOOK_URL=webhook, MESSAGES_PER_SECOND=20)
        people = [telegram.add_user(f"Гость {number}", "ru") for number in range(40)]

        def waiting(burst: int) -> int:
            return sum(len(set(answers(telegram, user))) < burst for user in people)

        def answered(burst: int) -> bool:
            return not waiting(burst)

        async with running(bot):
            await until(lambda: telegram.updates.webhook)
            for burst in (1, 2):
                for user in people:
                    write(telegram, user, f"{WORDS} {'!' * burst}")
                await until(lambda: not telegram.updates.pending)
                await bot.end()
                assert waiting(burst) > 5, "the kill came too late to tell anything"
                await bot.start()
                await until(partial(answered, burst))
    assert "Traceback" not in bot.log


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no IPv6")
async def test_the_local_chat_at_an_address_of_ipv6(tmp_path: Path) -> None:
    bot = BotProcess(tmp_path, TELEGRAM_TOKEN="", HOST="::1")
    async with running(bot):
        await until(lambda: "in a browser" in bot.log)
        (url,) = re.findall(r"Open (http://\[::1\]:\d+) in a browser", bot.log)
        assert (await AsyncHTTPClient().fetch(url)).code == 200


async def test_a_webhook_at_an_unknown_host_ends_in_one_sentence(tmp_path: Path) -> None:
    async with telegram_in() as (_, server):
        webhook = "https://idioms.example.org/hook"
        bot = BotProcess(tmp_path, TELEGRAM_API_URL=server.url, WEBHOOK_URL=webhook, HOST="no-such-host.invalid")
        async with running(bot):
            assert await bot.ended() == 1
    assert bot.log.splitlines()[-1].startswith("The bot cannot listen on no-such-host.invalid, port 0: HOST must be")
    assert "Traceback" not in bot.log

"""What only a PostgreSQL server has: it can be away, refuse, and be shared by several processes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from bot.store.opening import open_store
from bot.store.postgres import QUICK_SECONDS
from bot.store.protocol import HistoryEntry, StateError, StateUnavailable, User
from support.postgres import Server, programs, running_server
from support.states import exported

QUERY = HistoryEntry(0, 1, "1", "query", "кот & <b>")


@pytest.fixture
def url(postgres: Server) -> str:
    """The address of a new database."""
    return postgres.new()


@pytest.fixture
def own_server(postgres: Server) -> Iterator[Server]:
    """A server that the test may stop."""
    with running_server(postgres.bin) as server:
        yield server


async def test_first_starts_at_once_all_succeed(url: str) -> None:
    stores = await asyncio.gather(*(open_store(url) for _ in range(5)))
    await asyncio.gather(*(store.set(number, language="ru") for number, store in enumerate(stores)))
    assert [(await stores[0].user(number)).language for number in range(5)] == ["ru"] * 5
    for store in stores:
        await store.close()


async def test_one_leads_and_when_it_is_gone_another(url: str) -> None:
    first, second = await open_store(url), await open_store(url)
    assert [await store.leads() for store in (first, second, first, second)] == [True, False, True, False]
    await first.close()
    # The server notices in its own time.
    async with asyncio.timeout(10):
        while not await second.leads():
            await asyncio.sleep(0.01)
    await second.close()


async def end_leader(server: Server) -> None:
    """End the connection that holds the lock of the leader, and wait until the server has given the lock back."""
    held = "FROM pg_locks WHERE locktype = 'advisory'"
    server.execute(f"SELECT pg_terminate_backend(pid) {held}")
    async with asyncio.timeout(10):
        while server.execute(f"SELECT pid {held}"):
            await asyncio.sleep(0.01)


async def test_who_loses_the_connection_leads_again_or_another_does(postgres: Server, url: str) -> None:
    first, second = await open_store(url), await open_store(url)
    assert [await first.leads(), await second.leads()] == [True, False]
    await end_leader(postgres)
    async with asyncio.timeout(10):
        while [await first.leads(), await second.leads()] != [True, False]:
            await asyncio.sleep(0.01)
    await end_leader(postgres)
    async with asyncio.timeout(10):
        while [await second.leads(), await first.leads()] != [True, False]:
            await asyncio.sleep(0.01)
    await first.close()
    await second.close()


async def test_two_bots_may_share_a_database_by_schemas(postgres: Server, url: str) -> None:
    name = url.removeprefix("postgresql://postgres@/").partition("?")[0]
    stores = []
    for schema in ("one", "two"):
        postgres.execute(f"CREATE SCHEMA {schema}", name)
        stores.append(await open_store(f"{url}&options=-csearch_path%3D{schema}"))
    assert [await store.leads() for store in stores] == [True, True]
    await stores[0].set(1, language="ru")
    assert await stores[1].user(1) == User(1)
    for store in stores:
        await store.close()


async def test_lost_connections_are_replaced_unnoticed(postgres: Server, url: str) -> None:
    store = await open_store(url)
    await asyncio.gather(*(store.user(number) for number in range(20)))
    postgres.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name = 'idiomatika' AND state = 'idle'"
    )
    assert await store.user(1) == User(1)
    await store.set(1, language="ru")
    await store.close()


async def test_a_server_that_is_away_is_said_to_be_soon_and_found_again(own_server: Server) -> None:
    store = await open_store(own_server.new())
    await store.set(1, language="ru")
    assert await store.leads()
    own_server.stop()
    for call in (store.user(1), store.leads(), exported(store, 1), store.keep_updates([(1, "{}")])):
        with pytest.raises(StateUnavailable):
            await call
    # Whoever asks next does not wait as long again.
    begun = time.monotonic()
    with pytest.raises(StateUnavailable):
        await store.user(1)
    assert time.monotonic() - begun < 1
    own_server.start()
    async with asyncio.timeout(20):
        while True:
            try:
                assert await store.user(1) == User(1, language="ru")
                assert await store.leads()
                assert await store.keep_updates([(1, "{}")]) == [1]
                break
            except StateUnavailable:
                await asyncio.sleep(0.05)
    await store.close()


@pytest.mark.slow
async def test_a_server_that_does_not_answer_is_not_waited_for(own_server: Server) -> None:
    store = await open_store(own_server.new())
    await asyncio.gather(*(store.set(number, language="ru") for number in range(20)))
    backends = [pid for (pid,) in own_server.execute("SELECT pid FROM pg_stat_activity WHERE datname LIKE 'test%'")]
    assert own_server.process
    stopped = [own_server.process.pid, *backends]
    begun = time.monotonic()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    outcomes = await asyncio.gather(*(store.user(number) for number in range(20)), return_exceptions=True)
    took = time.monotonic() - begun
    for pid in reversed(stopped):
        os.kill(pid, signal.SIGCONT)
    assert all(isinstance(outcome, StateUnavailable) for outcome in outcomes)
    assert took < QUICK_SECONDS + 12
    async with asyncio.timeout(20):
        while True:
            try:
                assert await store.user(1) == User(1, language="ru")
                break
            except StateUnavailable:
                await asyncio.sleep(0.05)
    await store.close()


async def test_tables_of_a_newer_version_are_refused(postgres: Server, url: str) -> None:
    await (await open_store(url)).close()
    name = url.removeprefix("postgresql://postgres@/").partition("?")[0]
    postgres.execute("INSERT INTO migrations (name) VALUES ('flying_carpets')", name)
    with pytest.raises(StateError, match=r"newer version of the bot \(flying_carpets\)"):
        await open_store(url)


async def test_columns_of_a_newer_version_are_no_hindrance(postgres: Server, url: str) -> None:
    store = await open_store(url)
    await store.set(1, language="ru")
    name = url.removeprefix("postgresql://postgres@/").partition("?")[0]
    for table in ("users", "history"):
        postgres.execute(f"ALTER TABLE {table} ADD COLUMN fresh TEXT DEFAULT 'new'", name)
    assert await store.user(1) == User(1, language="ru")
    entry = await store.add(QUERY)
    assert await store.history(1, 0, 9) == [entry]
    await store.close()


async def refusal(url: str) -> str:
    """What opening this address is refused with."""
    with pytest.raises(StateError) as caught:
        await (await open_store(url)).close()
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def test_an_address_that_cannot_be_used_is_one_sentence_without_the_password(postgres: Server, url: str) -> None:
    postgres.execute("CREATE ROLE stranger LOGIN PASSWORD 'right'")
    stranger = url.replace("postgres@", "stranger:{}@")
    said = {
        "wrong password": await refusal(stranger.format("hush-hush")),
        "no database": await refusal(url.replace("/test", "/nothing")),
        "no right": await refusal(stranger.format("right")),
        "no socket": await refusal("postgresql://postgres:hush-hush@/x?host=/nowhere"),
        "no server": await refusal("postgresql://postgres:hush-hush@127.0.0.1:1/x"),
        "no host": await refusal("postgresql://postgres:hush-hush@no.such.host.invalid/x"),
        "@ in it": await refusal("postgresql://postgres:hush@hush-hush@127.0.0.1:1/x"),
        "/ in it": await refusal("postgresql://postgres:hush/hush-hush@127.0.0.1:1/x"),
        ": in it": await refusal("postgresql://postgres:hush:hush-hush@127.0.0.1:1/x"),
        "% in it": await refusal("postgresql://postgres:hush%hush-hush@127.0.0.1:1/x"),
        "no number": await refusal("postgresql://postgres@127.0.0.1:port/x?password=hush-hush"),
    }
    assert [case for case, sentence in said.items() if "hush" in sentence] == []
    assert [case for case, sentence in said.items() if "STATE" not in sentence] == []
    assert "authentication failed" in said["wrong password"]
    assert 'database "nothing' in said["no database"]
    assert "allow the user" in said["no right"]
    assert "refused" in said["no server"]
    assert "%40" in said["@ in it"]


WITHOUT_PSYCOPG = """
import asyncio, sys
sys.modules["psycopg"] = None
from bot.store.opening import open_store
from bot.store.protocol import StateError
try:
    asyncio.run(open_store("postgres://localhost/x"))
except StateError as error:
    print(error)
"""


def test_missing_packages_are_one_sentence() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_PSYCOPG], capture_output=True, text=True, check=True)
    assert "pip install 'idiomatika[postgresql]'" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_the_server_s_programs_are_found_where_they_are() -> None:
    folder = programs()
    assert folder is None or (folder / "postgres").exists()

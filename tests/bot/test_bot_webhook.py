"""The webhook in front of real sockets: what is confirmed was taken, and strangers cost next to nothing."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest
import pytest_asyncio

from bot.listening import Limits, Server
from bot.settings import Settings, SettingsError
from bot.telegram.webhook import listen
from support.network import HAS_IPV6

ROOT = Path(__file__).resolve().parents[2]
SECRET = "s3cret-s3cret"
UPDATE = {"update_id": 7, "message": {"text": "бить баклуши"}}
BODY = json.dumps(UPDATE).encode()
QUICK = Limits(seconds=0.3, connections=3, body=1000)


class Inbox:
    """Takes updates, or fails as it is told."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.failure: Exception | None = None
        self.open = asyncio.Event()
        self.open.set()

    async def take(self, updates: list[dict[str, Any]]) -> None:
        await self.open.wait()
        if self.failure:
            raise self.failure
        self.taken += updates


Start = Callable[..., Awaitable[Server]]


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest_asyncio.fixture
async def start(inbox: Inbox) -> AsyncIterator[Start]:
    """Starts a webhook at /hook."""
    running: list[Server] = []

    async def start(limits: Limits = QUICK, host: str = "127.0.0.1") -> Server:
        running.append(await listen(inbox.take, SECRET, host, 0, "/hook", limits))
        return running[-1]

    yield start
    for server in running:
        await server.stop()


def head(line: str = "POST /hook", secret: str = SECRET, **more: object) -> bytes:
    """The head of a request; keywords are headers."""
    given = {"Host": "x", "X-Telegram-Bot-Api-Secret-Token": secret, **more}
    lines = [f"{line} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in given.items() if value)]
    return "\r\n".join([*lines, "", ""]).encode()


def request(body: bytes = BODY, line: str = "POST /hook", secret: str = SECRET) -> bytes:
    return head(line, secret, Content_Length=len(body)) + body


class Client:
    """One connection."""

    opened: ClassVar[list[Client]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def to(cls, server: Server, data: bytes = b"", host: str = "127.0.0.1") -> Client:
        client = cls(*await asyncio.open_connection(host, server.port))
        cls.opened.append(client)
        client.writer.write(data)
        return client

    async def status(self) -> int:
        """The status of the next answer; 0 when the server closed the connection instead."""
        async with asyncio.timeout(10):
            try:
                answer = await self.reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0
        return int(answer.split()[1])

    async def end(self) -> None:
        """Wait until the server closes the connection."""
        with suppress(ConnectionError):
            async with asyncio.timeout(10):
                await self.reader.read()


async def ask(server: Server, data: bytes, host: str = "127.0.0.1") -> int:
    """The status of the answer to one request."""
    return await (await Client.to(server, data, host)).status()


@pytest_asyncio.fixture(autouse=True)
async def closed_clients() -> AsyncIterator[None]:
    """Closes every connection that a test opened."""
    yield
    for client in Client.opened:
        client.writer.close()
    Client.opened.clear()


async def test_an_update_is_taken_and_confirmed(start: Start, inbox: Inbox) -> None:
    server = await start()
    client = await Client.to(server, request())
    assert await client.status() == 200
    client.writer.write(request(b'{"update_id": 8}'))
    assert await client.status() == 200, "a connection serves many updates"
    assert inbox.taken == [UPDATE, {"update_id": 8}]


async def test_nothing_is_confirmed_before_it_was_taken(start: Start, inbox: Inbox) -> None:
    inbox.open.clear()
    client = await Client.to(await start(), request())
    answer = asyncio.create_task(client.status())
    # Longer than a body may take: the bot's own work has no such limit.
    await asyncio.sleep(2 * QUICK.seconds)
    assert not answer.done()
    inbox.open.set()
    assert await answer == 200
    assert inbox.taken == [UPDATE]


async def test_what_was_not_taken_is_to_be_sent_again(
    start: Start, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    inbox.failure = RuntimeError("surprise")
    server = await start()
    assert await ask(server, request()) == 500
    assert "Telegram will send it again" in caplog.text
    assert "Traceback" in caplog.text
    inbox.failure = None
    assert await ask(server, request()) == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"text"', b"7", b"\xff", b"[" * 900, b"9" * 900])
async def test_what_is_no_object_is_refused_in_one_line(
    start: Start, inbox: Inbox, caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    assert await ask(await start(), request(body)) == 400
    assert inbox.taken == []
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    ("line", "secret", "status"),
    [
        ("POST /hook", "", 403),
        ("POST /hook", "s3cret", 403),
        ("POST /hook", SECRET + "x", 403),
        ("POST /hook", "секрет", 403),
        ("GET /hook", SECRET, 405),
        ("BREW /hook", SECRET, 405),
        ("POST /hook/", SECRET, 404),
        ("POST /Hook", SECRET, 404),
        ("POST /", SECRET, 404),
        ("POST /hook/../hook", SECRET, 404),
        ("POST http://evil.example/hook", SECRET, 404),
    ],
)
async def test_strangers_are_refused_before_their_body(
    start: Start, inbox: Inbox, caplog: pytest.LogCaptureFixture, line: str, secret: str, status: int
) -> None:
    """The body never comes, and the answer does not wait for it."""
    client = await Client.to(await start(Limits(seconds=60)), head(line, secret, Content_Length=900))
    assert await client.status() == status
    await client.end()
    assert inbox.taken == [] and caplog.text == ""


@pytest.mark.parametrize("name", ["Host: x\r\n", ""])
async def test_a_proxy_may_speak_http_1_0(start: Start, inbox: Inbox, name: str) -> None:
    client = await Client.to(await start(), request().replace(b"1.1\r\nHost: x\r\n", f"1.0\r\n{name}".encode()))
    assert await client.status() == 200
    await client.end()
    assert inbox.taken == [UPDATE]


async def test_a_question_mark_ends_the_path(start: Start) -> None:
    assert await ask(await start(), request(line="POST /hook?a=b")) == 200


@pytest.mark.parametrize("length", [str(QUICK.body + 1), "9" * 5000])
async def test_too_large_a_body_is_refused_before_it_comes(start: Start, inbox: Inbox, length: str) -> None:
    server = await start()
    client = await Client.to(server, head(Content_Length=length))
    assert await client.status() == 413
    await client.end()
    assert await ask(server, request(b" " * (QUICK.body - len(BODY)) + BODY)) == 200
    assert inbox.taken == [UPDATE]


async def test_a_body_in_pieces_is_cut(start: Start, inbox: Inbox) -> None:
    server = await start(Limits(seconds=60, body=1000))
    pieces = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (BODY[:9], BODY[9:])) + b"0\r\n\r\n"
    assert await ask(server, head(Transfer_Encoding="chunked") + pieces) == 200
    client = await Client.to(server, head(Transfer_Encoding="chunked") + b"1f4\r\n" + b" " * 500 + b"\r\n1f5\r\n")
    assert await client.status() == 400
    await client.end()
    assert inbox.taken == [UPDATE]


@pytest.mark.parametrize("sent", [b"", b"POST /hook HT", head(Content_Length=9) + b"{"])
async def test_who_is_slow_is_cut_off(start: Start, sent: bytes) -> None:
    client = await Client.to(await start(), sent)
    began = asyncio.get_running_loop().time()
    await client.end()
    assert QUICK.seconds * 0.9 < asyncio.get_running_loop().time() - began < 5


async def test_who_drips_is_cut_off_too(start: Start) -> None:
    client = await Client.to(await start(), b"POST /hook HTTP/1.1\r\nX: ")

    async def drip() -> None:
        while True:
            client.writer.write(b"x")
            await asyncio.sleep(0.05)

    dripping = asyncio.create_task(drip())
    await client.end()
    dripping.cancel()


async def test_too_long_headers_are_cut(start: Start) -> None:
    client = await Client.to(await start(Limits(seconds=60, headers=2000)), b"POST /hook HTTP/1.1\r\nX: " + b"x" * 4000)
    await client.end()


async def test_a_newcomer_takes_the_place_of_the_longest_idle(start: Start, inbox: Inbox) -> None:
    server = await start(Limits(seconds=60, connections=3))
    inbox.open.clear()
    working = await Client.to(server, request())
    await asyncio.sleep(0.05)
    idle, newer = await Client.to(server), await Client.to(server)
    await asyncio.sleep(0.05)
    newcomer = await Client.to(server, request(b'{"update_id": 8}'))
    # Three are open, and this one has been idle longest.
    await idle.end()
    inbox.open.set()
    assert await newcomer.status() == 200
    assert await working.status() == 200, "what is being answered is never cut"
    assert len(inbox.taken) == 2
    newer.writer.write(request())
    assert await newer.status() == 200


async def test_there_is_no_place_while_all_are_at_work(start: Start, inbox: Inbox) -> None:
    server = await start(Limits(seconds=60, connections=3))
    inbox.open.clear()
    working = [await Client.to(server, request()) for _ in range(3)]
    await asyncio.sleep(0.05)
    late = await Client.to(server, request())
    await late.end()
    inbox.open.set()
    assert [await client.status() for client in working] == [200] * 3


async def test_a_stop_waits_for_what_is_being_taken(start: Start, inbox: Inbox) -> None:
    server = await start()
    inbox.open.clear()
    client = await Client.to(server, request())
    await asyncio.sleep(0.05)
    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0.05)
    inbox.open.set()
    assert await client.status() == 200
    await stopping
    with pytest.raises(OSError, match=r"."):
        await asyncio.open_connection("127.0.0.1", server.port)


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no IPv6")
async def test_an_address_of_ipv6(start: Start, inbox: Inbox) -> None:
    assert await ask(await start(host="::1"), request(), "::1") == 200
    assert inbox.taken == [UPDATE]


@pytest.mark.parametrize("host", ["no-such-host.invalid", "192.0.2.1", "2001:db8::1"])
async def test_a_foreign_host_is_one_sentence(inbox: Inbox, host: str) -> None:
    with pytest.raises(
        SettingsError, match=rf"^The bot cannot listen on {host}, port 0: HOST must be .* \([^()]+\)\.$"
    ):
        await listen(inbox.take, SECRET, host, 0, "/hook")


@pytest.mark.parametrize(("given", "host"), [("::1", "::1"), ("[::1]", "::1"), ("my-host.lan", "my-host.lan")])
def test_hosts(given: str, host: str) -> None:
    assert Settings.from_environment({"HOST": given}).host == host


@pytest.mark.parametrize("given", ["a..b", ".", "http://127.0.0.1", "127.0.0.1 ::1", "хост", "a" * 70 + "..b"])
def test_what_is_no_host_is_one_sentence(given: str) -> None:
    with pytest.raises(SettingsError, match=r"^HOST must be an address or a name of this machine, .*\.$"):
        Settings.from_environment({"HOST": given})


async def test_a_port_in_use_is_one_sentence(start: Start, inbox: Inbox) -> None:
    port = (await start()).port
    with pytest.raises(SettingsError, match=rf"port {port}: stop the program that uses the port, or choose .* PORT\.$"):
        await listen(inbox.take, SECRET, "127.0.0.1", port, "/hook")


CHILD = f"""
import asyncio
from bot.telegram.webhook import listen
async def take(updates): pass
async def main():
    server = await listen(take, "{SECRET}", "127.0.0.1", 0, "/hook")
    print(server.port, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


@contextmanager
def child() -> Iterator[tuple[int, Callable[[], float]]]:
    """A process with a webhook: its port, and how much memory it has just now, in megabytes."""
    process = subprocess.Popen([sys.executable, "-c", CHILD], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout

    def memory() -> float:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1024

    try:
        yield int(process.stdout.readline()), memory
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def pour(port: int, megabytes: int) -> int:
    """Send a large body without the secret, as much of it as the server takes. Returns how many megabytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as stranger:
        stranger.sendall(head(secret="", Content_Length=megabytes * 2**20))
        for sent in range(megabytes):
            try:
                stranger.sendall(bytes(2**20))
            except ConnectionError:
                return sent
    return megabytes


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_strangers_cost_no_memory() -> None:
    """Eight bodies of 90 MB without the secret, and 600 heads that never end; meanwhile Telegram is served."""
    with child() as (port, memory):
        before = memory()
        assert sum(pour(port, 90) for _ in range(8)) < 360, "720 were offered; some wait in the system's buffers"
        unfinished = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(600)]
        for stranger in unfinished:
            with suppress(ConnectionError):
                stranger.sendall(b"POST /hook HTTP/1.1\r\nX: " + b"x" * 8000)
        with socket.create_connection(("127.0.0.1", port), timeout=10) as served:
            served.sendall(request())
            assert served.recv(12) == b"HTTP/1.1 200"
        assert memory() - before < 30
        for stranger in unfinished:
            stranger.close()

"""What an operator's tools read over HTTP."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from prometheus_client.parser import text_string_to_metric_families
from tornado.httpclient import AsyncHTTPClient, HTTPResponse

from bot import watching
from bot.listening import Server
from bot.metrics import Metrics
from bot.settings import SettingsError


class Watched:
    """A bot that says how it is."""

    def __init__(self) -> None:
        self.metrics = Metrics()
        self.trouble: str | None = None

    def healthy(self) -> str | None:
        return self.trouble


@pytest.fixture
def bot() -> Watched:
    return Watched()


@pytest_asyncio.fixture
async def server(bot: Watched) -> AsyncIterator[Server]:
    running = await watching.listen(bot.metrics, bot.healthy, "127.0.0.1", 0)
    yield running
    await running.stop()


async def get(server: Server, path: str, method: str = "GET") -> HTTPResponse:
    address = f"http://127.0.0.1:{server.port}{path}"
    return await AsyncHTTPClient().fetch(address, method=method, allow_nonstandard_methods=True, raise_error=False)


async def test_health(server: Server, bot: Watched) -> None:
    answer = await get(server, "/healthz")
    assert (answer.code, answer.body) == (200, b"ok\n")
    bot.trouble = "Telegram has not answered for 60 s"
    answer = await get(server, "/healthz")
    assert (answer.code, answer.body) == (503, b"Telegram has not answered for 60 s\n")


async def test_everything_that_happened_is_counted(server: Server, bot: Watched) -> None:
    metrics = bot.metrics
    metrics.serves("2026-11-20T10:00:00+00:00", "default")
    for kind in ("message", "message", "callback_query"):
        metrics.update(kind)
    metrics.answered(0.004)
    metrics.answered(0.3)
    metrics.answered(60.0)
    metrics.error()
    metrics.dropped()
    for reason in ("429", "429", "network"):
        metrics.retried(reason)
    answer = await get(server, "/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }
    assert {
        ("idiomatika_artifacts_info", "2026-11-20T10:00:00+00:00", "default"): 1,
        ("idiomatika_updates_total", "message"): 2,
        ("idiomatika_updates_total", "callback_query"): 1,
        ("idiomatika_answer_seconds_bucket", "0.005"): 1,
        ("idiomatika_answer_seconds_bucket", "0.5"): 2,
        ("idiomatika_answer_seconds_bucket", "10.0"): 2,
        ("idiomatika_answer_seconds_count",): 3,
        ("idiomatika_errors_total",): 1,
        ("idiomatika_dropped_total",): 1,
        ("idiomatika_retries_total", "429"): 2,
        ("idiomatika_retries_total", "network"): 1,
    }.items() <= samples.items()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are measured where there is /proc")
async def test_the_process_is_measured(server: Server) -> None:
    text = (await get(server, "/metrics")).body.decode()
    assert {"process_resident_memory_bytes", "process_start_time_seconds"} <= {
        family.name for family in text_string_to_metric_families(text)
    }


def test_two_bots_in_one_process_count_apart() -> None:
    one, other = Metrics(), Metrics()
    one.error()
    assert "idiomatika_errors_total 1.0" in one.text()
    assert "idiomatika_errors_total 0.0" in other.text()


@pytest.mark.parametrize(("path", "method", "code"), [("/", "GET", 404), ("/metrics", "POST", 405)])
async def test_there_is_nothing_else(
    server: Server, caplog: pytest.LogCaptureFixture, path: str, method: str, code: int
) -> None:
    assert (await get(server, path, method)).code == code
    assert caplog.text == ""


async def test_a_port_in_use_names_the_setting(server: Server, bot: Watched) -> None:
    with pytest.raises(SettingsError, match=r"choose another METRICS_PORT\.$"):
        await watching.listen(bot.metrics, bot.healthy, "127.0.0.1", server.port)


def test_the_documentation_names_every_metric() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/deployment.md").read_text(encoding="utf-8")
    named = set(re.findall(r"idiomatika_\w+?(?=`|\{)", page))
    kinds = {"counter": "_total", "histogram": "", "info": "_info"}
    families = text_string_to_metric_families(Metrics().text())
    counted = {family.name + kinds.get(family.type, "") for family in families}
    assert named == {name for name in counted if name.startswith("idiomatika") and not name.endswith("_created")}

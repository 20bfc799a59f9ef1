"""The image: small, portable, and content with a file system on which nothing can be written but the state."""

from __future__ import annotations

import asyncio
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from datetime import date
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from babel.dates import format_date

from bot import watching
from bot.metrics import Metrics
from bot.sandbox.server import serve
from bot.sandbox.telegram import Telegram
from bot.settings import Settings
from support.dockerfile import Image, build, steps
from support.network import HAS_IPV6

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
TOKEN = "123456:" + "A" * 35
LIMIT = 400_000_000
"""Bytes that the image may have."""
BASE = 150_000_000
"""Bytes of them that are left to the base image."""
LANGUAGES = sorted(path.stem for path in (ROOT / "bot/locales").iterdir())
PATIENCE = 60
"""Seconds in which the bot must be healthy."""
ENGINE = next((engine for engine in ("docker", "podman") if shutil.which(engine)), "")
RUNS = bool(ENGINE) and subprocess.run([ENGINE, "info"], capture_output=True, check=False).returncode == 0
"""There is an engine, and not its client alone."""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """What the Dockerfile's steps make; nothing in it can be written any more but the state."""
    index = [sys.executable, "-m", "pip", "index", "versions", "pip"]
    if subprocess.run(index, capture_output=True, check=False).returncode:
        pytest.skip("no package index can be reached")
    root = tmp_path_factory.mktemp("image")
    image = build(ROOT, root)
    fixed = [str(root / "venv"), str(root / "idiomatika")]
    subprocess.run(["chmod", "-R", "a-w", *fixed], check=True)
    yield image
    subprocess.run(["chmod", "-R", "u+w", *fixed], check=True)


@pytest.fixture
async def telegram() -> AsyncIterator[str]:
    """The address of a Telegram that knows the token."""
    server = await serve(Telegram(TOKEN), 0)
    yield server.url
    await server.stop()


def contained(image: Image, *command: str) -> list[str]:
    """The command as a container runs it: without capabilities even root must heed that files are read-only."""
    path = shutil.which(command[0], path=image.environment["PATH"])
    bare = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    return [*bare, str(path), *command[1:]]


def said(image: Image, *command: str) -> str:
    """What a command prints in the image. Raises CalledProcessError when it fails."""
    run = contained(image, *command)
    done = subprocess.run(run, cwd=image.place, env=image.environment, check=True, capture_output=True, text=True)
    return done.stdout


def files(image: Image) -> dict[Path, tuple[int, int]]:
    """Every file and folder but the state, with its size and the time of its last change."""
    there = [path for top in ("venv", "idiomatika") for path in (image.root / top).rglob("*")]
    return {path: (path.lstat().st_size, path.lstat().st_mtime_ns) for path in there}


def test_its_base_is_named_by_digest() -> None:
    bases = [rest for instruction, rest in steps(DOCKERFILE) if instruction == "FROM"]
    first, *others = bases
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64} AS base", first)
    assert others == ["base AS build", "base"]


def test_it_runs_as_an_ordinary_user_who_owns_the_state_alone() -> None:
    last = dict(steps(DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]))
    assert (last["USER"], last["VOLUME"]) == ("1000:1000", "/state")
    assert re.findall(r"chown|chmod|--owner \S+.*", DOCKERFILE) == ["--owner 1000 --group 1000 /state"]


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.2", "0.0.0.0", "", *(["::1", "[::1]", "::"] if HAS_IPV6 else [])]
)
async def test_it_is_healthy_where_the_bot_listens_and_well(host: str) -> None:
    settings = Settings.from_environment({"HOST": host})
    trouble: list[str] = []
    bot = await watching.listen(Metrics(), lambda: "".join(trouble) or None, settings.host, 0)
    assert await unhealthy(HOST=host, METRICS_PORT=str(bot.port)) == 0
    trouble.append("Telegram has not answered for 60 s")
    assert await unhealthy(HOST=host, METRICS_PORT=str(bot.port)) == 1
    await bot.stop()
    assert await unhealthy(HOST=host, METRICS_PORT=str(bot.port)) == 1
    assert [await unhealthy(HOST=host, METRICS_PORT=port) for port in ("0", "")] == [0, 0]


async def unhealthy(**settings: str) -> int:
    """The exit status of the health check."""
    _, *rest = Image(Path(), settings=dict(steps(DOCKERFILE))).command("HEALTHCHECK")
    check = await asyncio.create_subprocess_exec(sys.executable, *rest, env=settings, stderr=asyncio.subprocess.DEVNULL)
    return await check.wait()


@pytest.mark.slow
def test_it_is_small(image: Image) -> None:
    assert image.size() < LIMIT - BASE


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64" or not shutil.which("objdump"), reason="reads x86's instructions")
def test_what_is_compiled_here_runs_on_every_cpu(image: Image) -> None:
    """The registers of 256 and 512 bits are those of AVX, which the machine that builds may have and others lack."""
    (library,) = image.root.glob("venv/lib/*/site-packages/annoy/*.so")
    code = subprocess.run(["objdump", "--disassemble", library], capture_output=True, text=True, check=True).stdout
    assert "%xmm0" in code
    assert re.findall(r"%[yz]mm\d", code) == []


@pytest.mark.slow
def test_it_searches_and_has_the_bot_s_languages_and_postgresql_s_driver(image: Image) -> None:
    assert "spill the beans" in said(image, "idiomatika-search", "to reveal a secret", "-n", "1")
    dates = "import datetime, sys; from babel.dates import format_date as form; import psycopg, psycopg_pool\n"
    dates += "print(psycopg.pq.__impl__, *(form(datetime.date(2026, 2, 1), locale=each) for each in sys.argv[1:]))"
    forms = (format_date(date(2026, 2, 1), locale=language) for language in LANGUAGES)
    assert said(image, "python", "-c", dates, *LANGUAGES) == " ".join(["binary", *forms]) + "\n"


@pytest.mark.slow
async def test_the_bot_is_healthy_where_nothing_can_be_written(image: Image, telegram: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        said(image, "touch", str(image.place / "new"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        image.environment["METRICS_PORT"] = str(listening.getsockname()[1])
    image.environment |= {"HOST": "127.0.0.1", "TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": telegram}
    before = files(image)
    assert [
        path
        for path in before
        if path.match("bot/*.py") and Path(cache_from_source(str(path), optimization=2)) not in before
    ] == []
    entrance = contained(image, *image.command("ENTRYPOINT"))
    bot = await asyncio.create_subprocess_exec(*entrance, cwd=image.place, env=image.environment)
    asked = contained(image, *image.command("HEALTHCHECK"))
    async with asyncio.timeout(PATIENCE):
        while await (await asyncio.create_subprocess_exec(*asked, env=image.environment, stderr=-3)).wait():
            assert bot.returncode is None
    bot.terminate()
    assert await bot.wait() == 0
    assert await (await asyncio.create_subprocess_exec(*asked, env=image.environment, stderr=-3)).wait() == 1
    assert files(image) == before
    assert (image.root / "state/state.db").stat().st_size > 0


@pytest.mark.slow
@pytest.mark.skipif(not RUNS, reason="neither docker nor podman runs here")
def test_an_engine_builds_it_and_runs_it_read_only() -> None:
    def engine(*command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ENGINE, *command], check=check, capture_output=True, text=True)

    engine("build", "--tag", "idiomatika:test", str(ROOT))
    assert int(engine("image", "inspect", "--format", "{{.Size}}", "idiomatika:test").stdout) < LIMIT
    limits = ["--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=none"]
    container = engine("run", "--detach", *limits, "idiomatika:test").stdout.strip()
    try:
        _, *check = Image(Path(), settings=dict(steps(DOCKERFILE))).command("HEALTHCHECK")
        deadline = time.monotonic() + PATIENCE
        while engine("exec", container, "python", *check, check=False).returncode:
            assert time.monotonic() < deadline, engine("logs", container).stderr
            time.sleep(1)
    finally:
        engine("rm", "--force", "--volumes", container)

"""New artifacts while the bot runs: taken between two updates, and never if they are not sound."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.features import inline
from bot.refresh import Refresh
from bot.sandbox.server import serve
from bot.sandbox.telegram import Telegram
from bot.search.artifacts import MANIFEST
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.retrieve.ann import AnnIndex
from support.small import PHRASES, small_artifacts
from support.talking import TOKEN, Talk
from support.teaching import small_reader

IDLE = PHRASES[0]
OTHERS = [replace(IDLE, meanings=("сидеть сложа руки",)), *PHRASES[1:4], Phrase("as right as rain", "en", ("well",))]
NEW = OTHERS[-1].text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(tmp_path / "artifacts", PHRASES, "2026-01-01")
    return tmp_path / "artifacts"


def save(folder: Path, phrases: list[Phrase], date: str) -> None:
    artifacts = small_artifacts(phrases)
    replace(artifacts, manifest={**artifacts.manifest, "date": date}).save(folder)


def talking(folder: Path, **settings: Any) -> Talk:
    return Talk(SearchEngine.load(folder), artifacts=folder, **settings)


async def look_twice(refresh: Refresh) -> None:
    """What is found must have been there at the look before."""
    await refresh.look()
    await refresh.look()


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "bot.refresh"]


async def test_new_artifacts_are_served(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with talking(folder) as talk:
        refresh = Refresh(talk.services)
        await look_twice(refresh)
        assert said(caplog) == [], "what is served already is not loaded again"
        assert "сидеть сложа" not in str((await talk.inline(IDLE.text)).answer)
        talk.services.engine.set_click_counts({IDLE.key: 7})
        save(folder, OTHERS, "2026-02-02")
        await refresh.look()
        assert said(caplog) == [], "somebody may still be writing"
        await refresh.look()
        assert said(caplog) == ["Now serving the artifacts of 2026-02-02 with 5 phrases"]
        talk.time += 301  # Telegram keeps inline answers so long.
        assert "сидеть сложа" in str((await talk.inline(IDLE.text)).answer), "cards are of the new artifacts"
        (answer,) = await talk.say(NEW)
        assert NEW in answer["text"]
        assert talk.services.engine.click_counts == {IDLE.key: 7}
        assert 'built="2026-02-02"' in talk.services.metrics.text()
        assert talk.services.metrics.text().count("idiomatika_artifacts_info{") == 1
        await look_twice(refresh)
        assert len(said(caplog)) == 1


async def test_what_is_not_sound_is_said_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with talking(folder) as talk:
        refresh, engine = Refresh(talk.services), talk.services.engine
        (folder / "table.npy").write_bytes(b"garbage")
        (folder / MANIFEST).write_text("{}", encoding="utf-8")
        for _ in range(3):
            await look_twice(refresh)
        assert len(said(caplog)) == 1
        assert "The new artifacts are not served, and the old ones go on" in said(caplog)[0]
        assert "not a manifest" in said(caplog)[0] and "\n" not in said(caplog)[0]
        (folder / MANIFEST).unlink()
        await look_twice(refresh)
        assert "manifest.json is missing" in said(caplog)[1]
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        await look_twice(refresh)
        assert "no such folder" in said(caplog)[2]
        assert len(said(caplog)) == 3 and talk.services.engine is engine
        (answer,) = await talk.say(IDLE.text)
        assert IDLE.text in answer["text"]
        save(folder, OTHERS, "2026-02-02")
        await look_twice(refresh)
        assert talk.services.engine.phrase(OTHERS[-1].key), "it goes on looking"


async def test_a_link_may_lead_elsewhere(folder: Path) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    async with talking(link) as talk:
        refresh = Refresh(talk.services)
        save(folder.with_name("other"), OTHERS, "2026-02-02")
        link.unlink()
        link.symlink_to("other")
        await look_twice(refresh)
        assert talk.services.engine.phrase(OTHERS[-1].key)


async def test_who_is_being_answered_keeps_engine_and_cards(folder: Path) -> None:
    async with talking(folder) as talk:
        user = await talk.store.user(talk.user.id)
        context = talk.services.context(user, str(user.id), "ru", "bot")
        save(folder, OTHERS, "2026-02-02")
        await look_twice(Refresh(talk.services))
        old = (await inline.answer(context, IDLE.text, "")).inline
        assert old and "бездельничать" in str(old.cards[0])
        assert talk.services.cards == {}, "no old card is kept for those who come now"
        new = (await inline.answer(talk.services.context(user, str(user.id), "ru", "bot"), IDLE.text, "")).inline
        assert new and "сидеть сложа руки" in str(new.cards[0])


async def test_what_was_chosen_is_counted_for_the_engine_that_serves_by_then(folder: Path) -> None:
    async with talking(folder, popularity=True) as talk:
        await talk.store.toggle_saved(talk.user.id, IDLE.key)
        clicks, other = talk.store.clicks, SearchEngine.load(folder)

        async def replaced_meanwhile() -> object:
            talk.services.serve(other)
            return await clicks()

        talk.store.clicks = replaced_meanwhile  # type: ignore[method-assign, assignment]
        await talk.jobs.tick()
        assert other.click_counts == {IDLE.key: 1}


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize("reader", [True, False])
async def test_old_artifacts_are_let_go_and_the_reader_is_as_set(folder: Path, tmp_path: Path, reader: bool) -> None:
    def save_read(date: str) -> None:
        artifacts = small_artifacts()
        artifacts.reader = small_reader(tmp_path / date)
        vectors = np.eye(len(PHRASES), artifacts.reader.dimensions, dtype=np.float32)
        artifacts.readings = AnnIndex.scanned(vectors)
        artifacts.manifest = {**artifacts.manifest, "date": date}
        artifacts.save(folder)

    save_read("2026-01-01")
    talk = Talk(SearchEngine.load(folder, reader), artifacts=folder, reader=reader)
    async with talk:
        await talk.say("to do nothing")
        talk.engine = SearchEngine(small_artifacts())  # it is the bot's alone now
        artifacts = talk.services.engine.artifacts
        kept = [artifacts.phrases, artifacts.index, artifacts.approximator, *filter(None, [artifacts.reader])]
        old = [weakref.ref(part) for part in (talk.services.engine, artifacts, *kept)]
        del artifacts, kept
        save_read("2026-02-02")
        # At the start of the bot all is frozen, so what refers to itself would never be collected.
        with no_garbage_collection():
            await look_twice(Refresh(talk.services))
            assert [part() for part in old] == [None] * len(old)
        assert (talk.services.engine.artifacts.reader is not None) == reader
        assert talk.services.engine.artifacts.manifest["date"] == "2026-02-02"


@pytest.mark.slow
async def test_a_running_bot_answers_on(folder: Path, tmp_path: Path) -> None:
    """The real entrance: other artifacts, garbage, a rollback and a stop, and every question gets its answer."""
    telegram = Telegram(TOKEN, "idiomatika_bot", "Idiomatika")
    server = await serve(telegram, 0)
    user = telegram.add_user("Анна", "ru")
    chat = telegram.private(user)
    environment = os.environ | {
        "TELEGRAM_TOKEN": TOKEN,
        "TELEGRAM_API_URL": server.url,
        "ARTIFACTS": str(folder),
        "STATE": str(tmp_path / "state.db"),
        "MESSAGES_PER_SECOND": "0",
    }
    log = (tmp_path / "log").open("w")
    bot = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", env=environment, stderr=log)

    async def ask(text: str) -> str:
        number = max(chat.messages, default=0) + 2
        telegram.user_sends(user, chat, text)
        async with asyncio.timeout(20):
            while number not in chat.messages:
                await asyncio.sleep(0.005)
        return str(chat.messages[number]["text"])

    async def ask_until(text: str, wanted: str) -> None:
        """Ask again and again, something else in between; every question is answered, and at last so."""
        async with asyncio.timeout(30):
            while wanted not in await ask(text):
                assert IDLE.text in await ask(IDLE.text)

    try:
        assert IDLE.text in await ask(IDLE.text)
        assert f"1. {NEW}" not in await ask(NEW)
        save(folder, OTHERS, "2026-02-02")
        await ask_until(NEW, f"1. {NEW}")
        manifest = (folder / MANIFEST).read_text(encoding="utf-8")
        (folder / MANIFEST).write_text(manifest[: len(manifest) // 2], encoding="utf-8")
        for _ in range(200):
            assert f"1. {NEW}" in await ask(NEW)
            if "old ones go on" in (tmp_path / "log").read_text():
                break
            await asyncio.sleep(0.05)
        (folder / MANIFEST).write_text(manifest, encoding="utf-8")
        rollback = [sys.executable, "-m", "pipeline.rollback", "--out", str(folder)]
        await asyncio.to_thread(subprocess.run, rollback, check=True, stdout=subprocess.DEVNULL)
        await ask_until(IDLE.text, "бездельничать")
        # Stopped while it may be loading.
        save(folder, OTHERS, "2026-02-02")
        await asyncio.sleep(3.9)
        stopping = time.monotonic()
        bot.terminate()
        assert await bot.wait() == 0
        assert time.monotonic() - stopping < 10
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
        await server.stop()
        log.close()
    lines = (tmp_path / "log").read_text().splitlines()
    assert telegram.refusals == []
    assert not [line for line in lines if re.search(r"Traceback|Error|not answered", line)]
    told = [line.partition("bot.refresh: ")[2] for line in lines if "bot.refresh" in line]
    assert [line[:40] for line in told[:3]] == [
        "Now serving the artifacts of 2026-02-02 ",
        "The new artifacts are not served, and th",
        "Now serving the artifacts of 2026-01-01 ",
    ]

"""The same tests run on each kind of state."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.opening import open_store
from bot.store.protocol import Store
from support.postgres import Server
from support.states import Clock, Open


@pytest.fixture(params=["sqlite", "postgresql"])
def state(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A state that nobody has opened yet, as STATE names it."""
    if request.param == "sqlite":
        return str(tmp_path / "new" / "state.db")
    server: Server = request.getfixturevalue("postgres")
    return server.new()


@pytest.fixture
def clock() -> Clock:
    """The clock of the stores of a test; it stands at 0."""
    return Clock()


@pytest.fixture
async def open_state(state: str, clock: Clock) -> AsyncIterator[Open]:
    """Opens the state; what is not closed is closed at the end."""
    opened: list[Store] = []

    async def open_one() -> Store:
        opened.append(await open_store(state, clock))
        return opened[-1]

    yield open_one
    for store in opened:
        await store.close()


@pytest.fixture
async def store(open_state: Open) -> Store:
    """An empty store; its clock stands at 0."""
    return await open_state()

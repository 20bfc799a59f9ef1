"""Fixtures that many tests share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.search.engine import SearchEngine
from support.postgres import MISSING, Server, programs, running_server

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def engine() -> SearchEngine:
    """The engine over the artifacts of the repository."""
    return SearchEngine.load(ROOT / "artifacts")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server."""
    folder = programs()
    if not folder or not find_spec("psycopg"):
        pytest.skip(MISSING if not folder else "psycopg is missing: install the extra `postgresql`")
    with running_server(folder) as server:
        yield server

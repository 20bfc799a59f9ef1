"""Fixtures that many tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.search.engine import SearchEngine

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def engine() -> SearchEngine:
    """The engine over the artifacts of the repository."""
    return SearchEngine.load(ROOT / "artifacts")

"""Fixtures that the tests of the pipeline share."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.teaching import save_teacher


@pytest.fixture(scope="session")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small teacher's folder."""
    return save_teacher(tmp_path_factory.mktemp("teacher"))

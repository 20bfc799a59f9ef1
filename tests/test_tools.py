"""The tools of `tests/tools` run, on a small scale."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("load.py --rate 20 --seconds 2", "with HTTP both ways"),
        ("soak.py --updates 200 --people 20 --kills 2", "| not as people left it | 0 |"),
    ],
)
def test_a_tool_runs(command: str, told: str) -> None:
    environment = {**os.environ, "PYTHONPATH": ".:tests"}
    words = [sys.executable, *f"tests/tools/{command}".split()]
    run = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert told in run.stdout, run.stderr
    assert run.returncode == 0, run.stdout

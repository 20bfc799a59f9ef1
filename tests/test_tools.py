"""The tools of `tests/tools` run, on a small scale."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_the_load_tool_measures_questions_presses_and_typing() -> None:
    environment = {**os.environ, "PYTHONPATH": ".:tests"}
    words = [sys.executable, *"tests/tools/load.py --seconds 1 --reader 0".split()]
    run = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert run.returncode == 0, run.stderr
    rows = [line for line in run.stdout.splitlines() if line.startswith(("| questions", "| presses", "| inline"))]
    assert len(rows) == 6, run.stdout

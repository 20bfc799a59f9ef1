"""What the README says is run, and what it shows is what was measured."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
RUN, TEST = "make run", "make test"


@pytest.fixture(scope="module", autouse=True)
def leave_nothing() -> Iterator[None]:
    yield
    shutil.rmtree(ROOT / "my-artifacts", ignore_errors=True)


def test_the_first_two_commands_are_all_that_a_stranger_needs() -> None:
    assert COMMANDS[:2] == [RUN, TEST]
    assert (ROOT / ".ci/run").read_text(encoding="utf-8").rstrip().endswith(f"\n{TEST}")


def test_make_run_opens_the_chat() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TELEGRAM_TOKEN"} | {"PORT": "0"}
    with subprocess.Popen(RUN.split(), cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            lines = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in process.stdout)
            address = next(found.group() for found in lines if found)
            with urllib.request.urlopen(address, timeout=10) as answer:
                assert "Idiomatika" in answer.read().decode()
        finally:
            process.terminate()
            deadline = time.monotonic() + 10
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)


def test_the_other_commands_do_what_they_say() -> None:
    """In their order, as a reader would paste them."""
    printed = ""
    for command in COMMANDS[2:]:
        done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        printed += done.stdout
    assert "плевать в потолок" in printed
    assert '"phrase": "срывать завесу"' in printed
    assert "поймать дзен" in printed


def test_every_file_that_the_readme_names_is_there() -> None:
    names = [name for name in re.findall(r"(?:\]\(|src=\")([^)#\"]+)", README) if not name.startswith("http")]
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_the_figures_are_those_of_the_report() -> None:
    measured = json.loads((ROOT / "artifacts/report/evaluation.json").read_text(encoding="utf-8"))
    known = {f"{row['value']:.3f}" for row in measured}
    table = README.split("<!-- figures -->")[1].split("<!-- /figures -->")[0]
    ours = re.findall(r"\*\*([\d.]+)\*\*", table)
    assert len(ours) >= 10
    assert [value for value in ours if value not in known] == []

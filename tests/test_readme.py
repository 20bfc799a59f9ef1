"""What the README says is run, and what it shows is what was measured."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.evaluation import readme
from pipeline.evaluation.metrics import SERVED, Measurement
from pipeline.evaluation.timings import Timing

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
    assert "searched for: бездельничать целыми днями" in printed and "бить баклуши" in printed
    assert '"phrase": "срывать завесу"' in printed
    assert "поймать дзен" in printed


def test_every_file_that_the_readme_names_is_there() -> None:
    names = [name for name in re.findall(r"(?:\]\(|src=\")([^)#\"]+)", README) if not name.startswith("http")]
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_the_table_is_what_was_measured() -> None:
    assert readme.filled(README, readme.read_table()) == README


def test_a_line_tells_figures_intervals_and_others() -> None:
    line = readme.Line("what", "Section", [("set", "R@10"), ("set", "MRR")], ("BM25",), "reference bot 0.1")
    ours = [Measurement(name, 0.25, "set, whole", "dev", 9, SERVED, 0.2, 0.3, "Section") for name in ("R@10", "MRR")]
    theirs = [replace(row, value=0.125, system="BM25") for row in ours]
    elsewhere = [replace(row, value=0.9, section="Other") for row in ours]
    told = "**0.250** / **0.250**<br><sub>0.20–0.30 / 0.20–0.30</sub>"
    assert line.cells([*elsewhere, *theirs, *ours]) == ["what", told, "BM25 0.125 / 0.125; reference bot 0.1"]
    told = "**25 %** / **25 %**<br><sub>20–30 / 20–30</sub>"
    assert replace(line, shares=True, others=()).cells(ours) == ["what", told, "reference bot 0.1"]


def test_a_figure_that_is_lacking_is_named() -> None:
    first = readme.LINES[0]
    with pytest.raises(readme.ReadmeError, match=f"no “{first.figures[0][1]}” of “{SERVED}” on “{first.figures[0][0]}"):
        readme.table([], [])
    with pytest.raises(readme.ReadmeError, match="no place for the table"):
        readme.filled("# Idiomatika", "")


def test_what_it_costs_is_told_where_it_was_timed() -> None:
    timed = [
        Timing("search of a clean query", 243.2, "us", "of one that is repaired", 1234.0),
        Timing("encode a query", 22.2, "us", "the teacher", 5548.0),
        Timing("artifacts, with the index", 24.6, "MB"),
        Timing("memory of the bot after 1,000 queries", 117.9, "MB"),
    ]
    costs = list(readme.costs(timed))
    assert [row[1:] for row in costs] == [
        ["**243 µs**", "of one that is repaired 1.23 ms"],
        ["**22 µs**", "the teacher 5.55 ms"],
        ["**25 MB**", ""],
        ["**118 MB**", ""],
    ]
    assert list(readme.costs([])) == []
    with pytest.raises(readme.ReadmeError, match="has no “memory of the bot”"):
        list(readme.costs(timed[:3]))

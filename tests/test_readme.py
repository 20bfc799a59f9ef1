"""What the README says is run, and what it shows is what was measured."""

from __future__ import annotations

import os
import re
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from pipeline import readme

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RUSSIAN = (ROOT / "README.ru.md").read_text(encoding="utf-8")
RUN, TEST = "make run", "make test"


def commands(page: str) -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]


def table(page: str) -> list[str]:
    """The lines between the template of the figures and the end of their table."""
    return page.partition("-->\n")[2].partition("<!-- /figures -->")[0].splitlines()


COMMANDS = commands(README)


def test_the_first_two_commands_are_all_that_a_stranger_needs() -> None:
    assert COMMANDS[:2] == [RUN, TEST]
    assert (ROOT / ".ci/run").read_text(encoding="utf-8").rstrip().endswith(f"\n{TEST}")


def test_the_russian_page_has_the_same_commands_links_and_figures() -> None:
    assert commands(RUSSIAN) == COMMANDS
    targets = r"(?:\]\(|src=\"|<http)([^)>\"]+)"
    others = {"README.md", "README.ru.md"}
    assert set(re.findall(targets, RUSSIAN)) - others == set(re.findall(targets, README)) - others
    figures, theirs = ([line.split("|")[2:] for line in table(page)[2:]] for page in (README, RUSSIAN))
    assert figures == theirs
    assert len(figures) == 5


def test_each_page_fits_on_one_page() -> None:
    assert max(len(page.splitlines()) for page in (README, RUSSIAN)) <= 100


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_other_commands_do_what_they_say() -> None:
    """In their order, as a reader would paste them."""
    printed = ""
    for command in COMMANDS[2:]:
        done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        printed += done.stdout
    assert "searched for: бездельничать целыми днями" in printed and "бить баклуши" in printed
    assert '"phrase": "срывать завесу"' in printed


@pytest.mark.parametrize("page", [README, RUSSIAN])
def test_the_table_is_what_was_measured(page: str) -> None:
    assert readme.filled(page, readme.read_figures()) == page


def test_figures_are_shown_with_units_and_intervals() -> None:
    figures = {
        "data/R@10": readme.Figure(0.25, "", 0.2, 0.3),
        "speed/search": readme.Figure(243.2, "us"),
        "speed/search/baseline": readme.Figure(1234.0, "us"),
        "size/memory": readme.Figure(117.9, "MB"),
    }
    told = [
        ("{data/R@10} ({data/R@10:interval})", "0.250 (0.20–0.30)"),
        ("{data/R@10:%} ({data/R@10:%interval})", "25 % (20–30)"),
        ("{speed/search}, repaired {speed/search/baseline}", "243 µs, repaired 1.23 ms"),
        ("{size/memory}", "118 MB"),
    ]
    for template, shown in told:
        page = f"before\n<!-- figures\n{template}\n-->\n{{}}\n<!-- /figures -->\nafter"
        assert readme.filled(page, figures) == page.replace("{}", shown)


def test_a_figure_that_is_lacking_is_named() -> None:
    with pytest.raises(readme.ReadmeError, match="no figure stsb-ru/spearman"):
        readme.filled("<!-- figures\n{stsb-ru/spearman}\n-->\n<!-- /figures -->", {})
    with pytest.raises(readme.ReadmeError, match="no place for the table"):
        readme.filled("# Idiomatika", {})

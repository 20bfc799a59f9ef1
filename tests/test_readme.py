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
from pipeline.evaluation.report import write_json

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
    assert len(figures) == 7


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


REPORT = [
    {"id": "set/R@10", "value": 0.25, "low": 0.2, "high": 0.3},
    {"id": "set/R@10/BM25", "value": 0.125, "low": 0.1, "high": 0.15},
]
TIMED = [
    {
        "id": "speed/search",
        "value": 243.2,
        "unit": "µs",
        "baseline": "of one that is repaired",
        "baseline_value": 1234.0,
    },
    {"id": "size/memory", "value": 117.9, "unit": "MB", "baseline": "", "baseline_value": 0.0},
]


def written(folder: Path) -> dict[str, str]:
    write_json(REPORT, folder / "evaluation.json")
    write_json(TIMED, folder / "timings.json")
    return readme.read_figures(folder)


def test_a_template_is_filled_with_figures_intervals_and_others(tmp_path: Path) -> None:
    template = "<!-- figures\n| R | {set/R@10} ({set/R@10:interval}) | BM25 {set/R@10/BM25} |\n-->\n"
    table = "| R | 0.250 (0.20–0.30) | BM25 0.125 |\n"
    before, after = f"# Idiomatika\n{template}", "<!-- /figures -->\n"
    assert readme.filled(f"{before}old\n{after}", written(tmp_path)) == f"{before}{table}{after}"
    shares = "<!-- figures\n**{set/R@10:%}** {set/R@10:%interval}\n-->\n<!-- /figures -->"
    assert "-->\n**25 %** 20–30\n<!--" in readme.filled(shares, written(tmp_path))


def test_what_it_costs_is_shown_in_units(tmp_path: Path) -> None:
    template = "<!-- figures\n{speed/search} {speed/search/baseline} {size/memory}\n-->\n<!-- /figures -->"
    assert "-->\n243 µs 1.23 ms 118 MB\n<!--" in readme.filled(template, written(tmp_path))
    (tmp_path / "timings.json").unlink()
    with pytest.raises(readme.ReadmeError, match="no figure 'speed/search'"):
        readme.filled(template, readme.read_figures(tmp_path))


def test_a_figure_that_is_lacking_is_named() -> None:
    with pytest.raises(readme.ReadmeError, match=r"no figure 'set/MRR': run python -m pipeline\.evaluate"):
        readme.filled("<!-- figures\n{set/MRR}\n-->\n<!-- /figures -->", {})
    with pytest.raises(readme.ReadmeError, match="no place for the table"):
        readme.filled("# Idiomatika", {})

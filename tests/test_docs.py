"""The documentation is true: its links lead somewhere, what it names and quotes is there, its commands run."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from sqlite_utils import Database

from bot.settings import Settings
from bot.store.protocol import KEPT_DAYS, OWNED

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for pattern in ("*.md", "docs/*.md", "data/**/*.md", "artifacts/report/*.md")
    for path in sorted(ROOT.glob(pattern))
}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
ROOTS = tuple(
    f"{name}/"
    for name in (
        ".github",
        "artifacts",
        "bot",
        "data",
        "deploy",
        "docs",
        "examples",
        "pipeline",
        "requirements",
        "tests",
    )
)
ENDINGS = (".css", ".ftl", ".html", ".js", ".json", ".jsonl", ".md", ".npz", ".py", ".toml", ".txt", ".yaml", ".yml")
INVENTED = {"bot/locales/de.ftl", "data/idioms/de.jsonl", "data/state.db", "data/downloads", "mine.de.tsv"}
"""Files that a page tells its reader to make, or that the bot makes."""

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)|(?:src|href)=\"([^\"]+)\"")
COMMANDS = {name: [code for kind, code in FENCED.findall(text) if kind == "sh"] for name, text in PAGES.items()}
QUOTES = [code for text in PAGES.values() for _, code in FENCED.findall(text) if code.startswith("# bot/")]


def headings(text: str) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    titles = re.findall(r"^#+ (.+)$", FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def rows(page: str) -> list[list[str]]:
    """The cells of all tables of a page, without their heads."""
    return [re.split(r" *\| *", line)[1:-1] for line in PAGES[page].splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    lost = []
    for link in filter(None, (part for parts in LINK.findall(FENCED.sub("", PAGES[name])) for part in parts)):
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        known = headings(target.read_text(encoding="utf-8")) if anchor and target.is_file() else {anchor}
        if not target.exists() or anchor not in known:
            lost.append(link)
    assert lost == []


@pytest.mark.parametrize("name", PAGES)
def test_every_file_that_is_named_is_there(name: str) -> None:
    spans = set(re.findall(r"`(\w[\w./-]+|\.\w+/[\w./-]+)`", FENCED.sub("", PAGES[name])))
    named = {span for span in spans if span.startswith(ROOTS) or span.endswith(ENDINGS)} - INVENTED
    lost = [span for span in named if not any((place / span).exists() for place in (ROOT, (ROOT / name).parent))]
    # A bare name may stand for a file anywhere in the repository.
    assert [span for span in lost if "/" in span or not any(any(ROOT.glob(f"{top}**/{span}")) for top in ROOTS)] == []


@pytest.mark.parametrize("code", QUOTES)
def test_quoted_code_is_there_word_for_word(code: str) -> None:
    """The first line names the file; a line of three dots leaves something out."""
    first, _, quoted = code.partition("\n")
    source = (ROOT / first.removeprefix("# ")).read_text(encoding="utf-8")
    assert [part for part in quoted.split("...\n") if part not in source] == []


def test_every_page_of_the_documentation_is_reached_from_the_readme() -> None:
    assert [name for name in PAGES if name.startswith("docs/") and name not in PAGES["README.md"]] == []


def test_every_target_of_make_that_is_named_exists() -> None:
    pages = "\n".join([(ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"), *PAGES.values()])
    called = re.findall(r"(?:^|`|run: )(?:[A-Z_]+=\S+ )*make((?: [a-z.][a-z./-]*)+)", pages, re.MULTILINE)
    targets = set(re.findall(r"^([\w./-]+):", MAKEFILE, re.MULTILINE))
    assert {target for line in called for target in line.split()} <= targets


def test_every_target_of_make_is_described() -> None:
    command = ["make", "--no-print-directory", "help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    described = {line.split()[1] for line in done.stdout.splitlines()}
    assert described == set(re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)[0].split())


def test_the_table_of_settings_is_what_the_bot_reads() -> None:
    source = (ROOT / "bot/settings.py").read_text(encoding="utf-8")
    table = {name.strip("`"): default.strip("`") for name, default, _ in rows("docs/settings.md")}
    assert set(table) == set(re.findall(r"\"([A-Z]+(?:_[A-Z]+)*)\"", source))
    assert Settings.from_environment(table) == Settings()


def test_the_tables_of_the_state_file_are_described() -> None:
    described = {name.strip("`"): kept for name, _, kept in rows("docs/backup.md")}
    assert set(described) == {*OWNED, *KEPT_DAYS}
    assert {name: f"{days} days" for name, days in KEPT_DAYS.items()}.items() <= {
        name: kept.split(",")[0] for name, kept in described.items()
    }.items()
    assert all(("`/forget`" in described[name]) == (name in OWNED) for name in described)


def test_every_room_and_type_of_the_architecture_is_there() -> None:
    page = PAGES["ARCHITECTURE.md"]
    rooms = {path.parent for top in ("bot", "pipeline") for path in ROOT.glob(f"{top}/*/**/*.py")}
    assert [room for room in sorted(rooms) if f"`{room.relative_to(ROOT)}/`" not in page] == []
    for names, files, _ in (row for row in rows("ARCHITECTURE.md") if row[0][1].isupper()):
        sources = [(ROOT / file.strip("` ")).read_text(encoding="utf-8") for file in files.split(",")]
        for name in names.replace("`", "").split(", "):
            assert any(re.search(rf"^class {name}\b", text, re.MULTILINE) for text in sources), name


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The repository as its reader has it, with a state file: what the commands write stays here."""
    for path in ROOT.iterdir():
        if path.name not in ("data", ".git"):
            (tmp_path / path.name).symlink_to(path)
    (tmp_path / "data").mkdir()
    for path in (ROOT / "data").iterdir():
        if not path.name.startswith("state.db"):
            (tmp_path / "data" / path.name).symlink_to(path)
    Database(tmp_path / "data/state.db").table("users").insert({"id": 7})
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, code in COMMANDS.items() if code and not name.startswith("README")])
def test_every_command_does_what_it_says(name: str, clone: Path) -> None:
    """Page by page, in their order, as a reader would paste them."""
    script = "set -eu\n" + "".join(COMMANDS[name])
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    done = subprocess.run(
        ["bash", "-c", script], cwd=clone, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    if name == "docs/your-phrases.md":
        assert "поймать дзен" in done.stdout
    if name == "docs/backup.md":
        assert '"integrity_check": "ok"' in done.stdout
        assert [row["id"] for row in Database(clone / "state-backup.db").table("users").rows] == [7]

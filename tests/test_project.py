"""The package: what it carries, what it is called, and the commands that it brings."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_is_the_changelogs_latest() -> None:
    versions = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[0] == PROJECT["project"]["version"]


def test_the_package_carries_every_file_that_the_bot_reads() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["bot"]
    carried = {path for pattern in patterns for path in (ROOT / "bot").glob(pattern)}
    there = {path for path in (ROOT / "bot").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in there if path.suffix != ".py"} == carried


@pytest.mark.parametrize("entry", PROJECT["project"]["scripts"].values())
def test_every_command_starts_something(entry: str) -> None:
    module, _, name = entry.partition(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_what_is_installed_is_pinned_once() -> None:
    project = PROJECT["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(requirement for extra in extras for requirement in extra)]
    pinned = {
        line.partition("==")[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    names = [re.split(r"[\[<>=]", requirement)[0].lower().replace("_", "-") for requirement in wanted]
    assert [name for name in names if name not in pinned] == []
    assert [requirement for requirement in wanted if "==" in requirement] == []

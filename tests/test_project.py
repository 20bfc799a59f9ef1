"""The package: what it carries, what it is called, and the commands that it brings."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "requirements").glob("*.txt"))}


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


def pinned(name: str) -> dict[str, set[str]]:
    """The packages of a lock file and their versions, of which Pythons may have different ones."""
    found: dict[str, set[str]] = {}
    for package, version in re.findall(r"^([\w.-]+)==(\S+)", LOCKS[name], re.MULTILINE):
        found.setdefault(package, set()).add(version)
    return found


def asked(*extras: str) -> list[Requirement]:
    """What pyproject.toml asks for, with these extras."""
    project = PROJECT["project"]
    wanted = [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]
    return [Requirement(each) for each in wanted]


def test_nothing_is_pinned_but_in_the_lock_files() -> None:
    wanted = asked(*PROJECT["project"]["optional-dependencies"])
    assert [str(each) for each in wanted if "==" in str(each.specifier)] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_has_pins_and_their_hashes_and_nothing_else(name: str) -> None:
    """No address either: a package is known by its hash, wherever it comes from."""
    lines = [line for line in LOCKS[name].splitlines(keepends=True) if not line.startswith("# ")]
    pin, digest = r"[a-z0-9][a-z0-9.-]*==[\w.+]+( ; .*)?", "    --hash=sha256:[0-9a-f]{64}"
    assert re.fullmatch(rf"({pin}( \\\n{digest})+\n)+", "".join(lines))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("runtime", asked("postgresql")),
        ("build", asked("pipeline")),
        ("test", asked(*PROJECT["project"]["optional-dependencies"])),
        ("installer", [Requirement(each) for each in ["pip", *PROJECT["build-system"]["requires"]]]),
    ],
)
def test_a_lock_file_has_what_the_project_asks_for(name: str, wanted: list[Requirement]) -> None:
    locked = pinned(name)
    missing = [
        str(each)
        for each in wanted
        if not any(each.specifier.contains(version) for version in locked.get(canonicalize_name(each.name), ()))
    ]
    assert missing == []


def test_the_lock_files_agree() -> None:
    everything = pinned("test") | pinned("cuda")
    assert all(
        everything[name] == versions for lock in LOCKS if lock != "torch-cpu" for name, versions in pinned(lock).items()
    )
    assert {f"{version}+cpu" for version in everything["torch"]} == pinned("torch-cpu")["torch"]
    assert {name for name in everything if re.match("cuda-|nvidia-|triton", name)} == set(pinned("cuda"))

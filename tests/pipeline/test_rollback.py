"""Going back to the build before, and forth again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.search.artifacts import MANIFEST, Artifacts
from bot.search.folder import previous_of
from pipeline.rollback import main
from support.small import PHRASES, small_artifacts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three phrases, and before that five."""
    for phrases, date in ((5, "2026-01-01"), (3, "2026-02-02")):
        artifacts = small_artifacts(PHRASES[:phrases])
        replace(artifacts, manifest={**artifacts.manifest, "date": date}).save(tmp_path / "artifacts")
    return tmp_path / "artifacts"


def phrases_in(folder: Path) -> int:
    return len(Artifacts.load(folder).phrases)


def test_back_and_forth(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for phrases, date in ((5, "2026-01-01"), (3, "2026-02-02"), (5, "2026-01-01")):
        assert main(["--out", str(folder)]) == 0
        said = capsys.readouterr().out
        assert said == f"{folder}: now the build of {date} with {phrases} phrases; run this again to go back\n"
        assert phrases_in(folder) == phrases


def test_through_a_link(folder: Path) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    assert main(["--out", str(link)]) == 0
    assert link.is_symlink() and phrases_in(folder) == 5


def test_away_from_a_damaged_build(folder: Path) -> None:
    (folder / MANIFEST).write_text("{", encoding="utf-8")
    assert main(["--out", str(folder)]) == 0
    assert phrases_in(folder) == 5


def test_a_missing_folder_is_brought_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.rename(folder.with_name("gone"))
    assert main(["--out", str(folder)]) == 0
    assert "with 5 phrases" in capsys.readouterr().out and phrases_in(folder) == 5


def test_not_to_a_damaged_build(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (previous_of(folder) / "vectors.npz").write_bytes(b"damaged")
    assert main(["--out", str(folder)]) == 1
    said = capsys.readouterr().err
    assert "vectors.npz: differs from what was built" in said and said.count("\n") == 1
    assert phrases_in(folder) == 3


def test_nothing_to_go_back_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_artifacts().save(tmp_path / "first")
    for name in ("first", "nowhere"):
        assert main(["--out", str(tmp_path / name)]) == 1
        said = capsys.readouterr().err
        assert f"{tmp_path / name}: no earlier build is kept beside it (as .{name}-previous)" in said
    assert phrases_in(tmp_path / "first") == 5

"""The folder of artifacts: whole or not at all, checked before use, replaced without a gap."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.search.artifacts import MANIFEST, REQUIRED, Artifacts, ArtifactsError
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.rank.confidence import Confidence
from bot.search.retrieve.ann import AnnIndex
from bot.search.retrieve.lexical import trigrams
from bot.search.text import words
from support.small import PHRASES, small_artifacts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_artifacts().save(tmp_path / "artifacts")
    return tmp_path / "artifacts"


def fault(folder: Path) -> str:
    with pytest.raises(ArtifactsError) as caught:
        Artifacts.load(folder)
    return str(caught.value)


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    saved = small_artifacts()
    saved.save(tmp_path / "artifacts")
    loaded = Artifacts.load(tmp_path / "artifacts")
    assert list(loaded.phrases) == PHRASES
    assert loaded.fusion == saved.fusion
    assert loaded.index.search_k == saved.index.search_k
    np.testing.assert_array_equal(loaded.index.vectors, saved.index.vectors)
    for text in ("сильный дождь", "twiddle", "преувеличивал"):
        np.testing.assert_array_equal(loaded.approximator.encode(text), saved.approximator.encode(text))
        for index in ("wording", "glosses"):
            found, kept = (getattr(artifacts, index).scores(trigrams(words(text))) for artifacts in (loaded, saved))
            np.testing.assert_array_equal(found, kept)
        assert loaded.vocabulary.log_frequency(text) == saved.vocabulary.log_frequency(text)
    assert loaded.emoji == saved.emoji and loaded.confidence == saved.confidence


def test_the_manifest_names_every_file_and_nothing_else_lies_there(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    assert set(manifest["files"]) == set(REQUIRED)
    assert {path.name for path in folder.iterdir()} == {*REQUIRED, MANIFEST}
    assert [path.name for path in folder.parent.iterdir()] == ["artifacts"]


@pytest.mark.parametrize("name", REQUIRED)
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert f"{name}: missing" in fault(folder)


@pytest.mark.parametrize("name", REQUIRED)
def test_a_changed_file_is_named(folder: Path, name: str) -> None:
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(data)
    message = fault(folder)
    assert f"{name}: differs from what was built" in message
    assert "python -m pipeline.build" in message


def test_a_half_written_folder_has_no_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()
    assert "manifest.json is missing" in fault(folder)


def test_a_missing_folder_says_so(tmp_path: Path) -> None:
    assert "no such folder" in fault(tmp_path / "nowhere")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 5}', "\udcff"])
def test_a_damaged_manifest_says_so(folder: Path, text: str) -> None:
    (folder / MANIFEST).write_text(text, encoding="utf-8", errors="surrogateescape")
    assert "not a manifest" in fault(folder)


def test_another_format_says_which(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).write_text(json.dumps({**manifest, "format": 99}), encoding="utf-8")
    assert "format 99, but this program reads format 5" in fault(folder)


def test_a_failed_save_leaves_the_previous_folder(folder: Path) -> None:
    """A disk that fills up: simulated by a limit on the size of files, which makes writes fail as ENOSPC does."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    program = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from bot.search.artifacts import Artifacts, ArtifactsError\n"
        "artifacts = Artifacts.load(Path(sys.argv[1]))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "try: artifacts.save(Path(sys.argv[1]))\n"
        "except ArtifactsError as error: sys.exit(str(error))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "could not be written" in done.stderr and "Free some space" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in folder.parent.iterdir()] == ["artifacts"]


def test_saving_over_a_running_engine_disturbs_it_not(folder: Path) -> None:
    engine = SearchEngine.load(folder)
    before = engine.search("сильный дождь")
    small_artifacts(PHRASES[:3], seed=5).save(folder)
    assert engine.search("сильный дождь") == before
    assert len(SearchEngine.load(folder).phrases) == 3


def test_everything_that_is_known_of_a_phrase_is_kept(tmp_path: Path) -> None:
    phrase = Phrase(
        "бить баклуши",
        "ru",
        ("бездельничать",),
        {"en": "to idle", "de": "faulenzen"},
        {"en": ("twiddle one's thumbs", "goof off")},
        scenes=("лежит на диване",),
        etymology="Баклуши — чурки.",
    )
    small_artifacts([phrase, *PHRASES[1:]]).save(tmp_path / "artifacts")
    assert Artifacts.load(tmp_path / "artifacts", scenes=True).phrases[0] == phrase
    assert Artifacts.load(tmp_path / "artifacts").phrases[0] == replace(phrase, scenes=())


def test_parts_that_do_not_belong_together_are_refused(folder: Path) -> None:
    artifacts = small_artifacts()
    artifacts.phrases = artifacts.phrases[1:]
    artifacts.save(folder)
    assert "vectors of 5 phrases instead of 4" in fault(folder)
    artifacts = small_artifacts()
    artifacts.confidence = Confidence(direction=(1.0, 2.0))
    artifacts.save(folder)
    assert "a confidence of 2 dimensions" in fault(folder)


def test_a_report_is_saved_beside_and_is_not_needed(folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "somewhere"
    report.mkdir()
    (report / "evaluation.md").write_text("| figure |", encoding="utf-8")
    small_artifacts().save(folder, report)
    assert (folder / "report" / "evaluation.md").read_text(encoding="utf-8") == "| figure |"
    shutil.rmtree(folder / "report")
    Artifacts.load(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_says_so(folder: Path) -> None:
    folder.parent.chmod(0o500)
    try:
        with pytest.raises(ArtifactsError, match="could not be written"):
            small_artifacts().save(folder)
    finally:
        folder.parent.chmod(0o700)


def test_the_forest_is_the_same_in_every_build(tmp_path: Path) -> None:
    vectors = small_artifacts().index.vectors
    forests = []
    for name in ("one", "two"):
        forest = AnnIndex.build(vectors, trees=5, search_k=100, seed=1).forest
        assert forest and forest.save(str(tmp_path / name))
        forests.append((tmp_path / name).read_bytes())
    assert forests[0] == forests[1]


def test_vectors_that_annoy_would_take_silently_are_refused() -> None:
    index = small_artifacts().index
    for bad in (np.zeros_like(index.vectors), np.full_like(index.vectors, np.nan)):
        with pytest.raises(ValueError, match="row 0 is not a unit vector"):
            type(index).build(bad, 5, 100, 0)

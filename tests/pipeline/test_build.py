"""The whole pipeline on small real things: a random BERT on disk, a few texts, a user's own phrases."""

from __future__ import annotations

import errno
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bot.search.artifacts import Artifacts
from bot.search.engine import SearchEngine
from pipeline.build import build, main
from pipeline.data.sources import DataFolder, SourceError
from pipeline.recipe import Recipe, load_recipe
from pipeline.train.learn import BuildError
from pipeline.train.teacher import Teacher, TeacherError
from pipeline.train.tuning import known_teacher
from support.small import PHRASES, small_artifacts
from support.teaching import THINGS, ВЕЩИ, ДЕЛАЕТ

RECIPE = """
vocabulary = 200
stems = 10
most_dimensions = 24
components = 28
batch = 16
judged_batch = 8
trees = 5
search_k = 1000
reader_pieces = 150
reader_batch = 8
tuning_steps = 2
translation_batch = 8
translation_steps = 2
phrase_steps = 2
[fusion]
gloss = 0.9
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "mine.ru.tsv"
    path.write_text("".join(f"{вещь} за {вещь}\t{вещь} {ДЕЛАЕТ[0]}\n" for вещь in ВЕЩИ), encoding="utf-8")
    return path


@pytest.fixture
def recipe(tmp_path: Path, teacher: Path) -> Recipe:
    (tmp_path / "tiny.toml").write_text(RECIPE, encoding="utf-8")
    return replace(load_recipe(str(tmp_path / "tiny.toml")), teacher=str(teacher))


def test_a_file_of_phrases_becomes_an_engine(tmp_path: Path, data: DataFolder, corpus: Path, recipe: Recipe) -> None:
    out = tmp_path / "out"
    build([corpus], recipe, data, out, device="cpu", cache=tmp_path / "cache")
    engine = SearchEngine.load(out)
    assert len(engine.phrases) == len(ВЕЩИ)
    assert engine.artifacts.reader and engine.artifacts.readings
    assert engine.artifacts.approximator.dimensions <= 24
    assert engine.search("кошка за кошка")[0].phrase.text == "кошка за кошка"
    assert engine.search("корова бежит")[0].phrase.text == "корова за корова"
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["recipe"]["vocabulary"] == 200 and manifest["recipe"]["fusion"]["gloss"] == 0.9
    assert manifest["teacher"]["dimensions"] == 32 and len(manifest["corpus"]) == 64
    assert {row["figure"] for row in manifest["measurements"]} >= {"Spearman", "P@1", "recall@10 of the index"}
    assert (out / "report/selection.png").read_bytes().startswith(b"\x89PNG")
    assert "| Spearman |" in (out / "report/evaluation.md").read_text(encoding="utf-8")


def test_a_multilingual_teacher_needs_no_parallel_text(
    tmp_path: Path, data: DataFolder, corpus: Path, recipe: Recipe
) -> None:
    data.path("pairs_more").unlink()
    labse = replace(recipe, multilingual=True, pooling="cls")
    artifacts = build([corpus], labse, data, tmp_path / "out", device="cpu", cache=tmp_path / "cache")
    assert len(artifacts.phrases) == len(ВЕЩИ)


def test_other_phrases_can_take_an_approximator_that_is_there(
    tmp_path: Path, data: DataFolder, corpus: Path, recipe: Recipe
) -> None:
    out = tmp_path / "out"
    taught = build([corpus], recipe, data, out, device="cpu", cache=tmp_path / "cache")
    (out / "report/lab.md").write_text("What the lab measured.", encoding="utf-8")
    (out / "report/timings.json").write_text("[]", encoding="utf-8")
    mine = tmp_path / "mine.en.tsv"
    mine.write_text("it is raining cats\tA cat jumps and a cat runs.\nholy cow\tA cow sings.\n", encoding="utf-8")
    shutil.rmtree(data.folders[0] / "training")
    reused = build([mine], recipe, data, out, device="cpu", cache=tmp_path / "cache", reuse=taught)
    assert reused.approximator is taught.approximator
    assert SearchEngine.load(out).search("the cow that sings")[0].phrase.text == "holy cow"
    # A build leaves what it does not write itself.
    assert (out / "report/lab.md").read_text(encoding="utf-8") == "What the lab measured."
    assert {"timings.json", "selection.png"} <= {path.name for path in (out / "report").iterdir()}
    assert reused.manifest["teacher"] == taught.manifest["teacher"]
    with pytest.raises(BuildError, match=r"have pooling = 'mean' in their recipe, this build has 'cls'"):
        other = replace(recipe, pooling="cls")
        build([mine], other, data, out, device="cpu", cache=tmp_path / "cache", reuse=taught)


def test_the_table_and_the_reader_learn_from_a_teacher_that_was_tuned_on_scenes(
    tmp_path: Path, data: DataFolder, recipe: Recipe
) -> None:
    corpus, cache = tmp_path / "mine.jsonl", tmp_path / "cache"
    rows = [
        {"phrase": f"{вещь} за {вещь}", "meaning": f"{вещь} бежит", "meaning_en": f"a {thing} runs", "scenes": scenes}
        for вещь, thing, scenes in zip(ВЕЩИ, THINGS, [[f"the {thing} sings"] for thing in THINGS], strict=True)
    ]
    corpus.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    built = build([corpus], recipe, data, tmp_path / "out", device="cpu", cache=cache)
    fingerprint = built.manifest["teacher"]["fingerprint"]
    assert fingerprint != Teacher(recipe.teacher, device="cpu").fingerprint
    assert known_teacher(recipe.teacher, fingerprint, recipe, cache, "cpu").fingerprint == fingerprint
    with pytest.raises(TeacherError, match="is not the teacher that these artifacts learned from"):
        known_teacher(recipe.teacher, fingerprint, recipe, tmp_path / "elsewhere", "cpu")
    tuned = build([corpus], recipe, data, tmp_path / "out", device="cpu", cache=cache, reuse=built, reader="tune")
    assert tuned.approximator is built.approximator and tuned.reader is not built.reader
    assert tuned.manifest["teacher"] == built.manifest["teacher"]


def test_a_users_own_pairs_teach_another_language(
    tmp_path: Path, data: DataFolder, corpus: Path, recipe: Recipe
) -> None:
    pairs = tmp_path / "german.tsv"
    pairs.write_text("A cat runs.\tEine Katze läuft.\nA dog sleeps.\tEin Hund schläft.\n", encoding="utf-8")
    artifacts = build([corpus], recipe, data, tmp_path / "out", [pairs], "cpu", tmp_path / "cache")
    assert artifacts.approximator.encode("Katze läuft") is not None
    pairs.write_text("A cat runs.\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"german\.tsv:1: write"):
        build([corpus], recipe, data, tmp_path / "out", [pairs], "cpu", tmp_path / "cache")


def test_a_build_that_misses_a_set_says_which_and_leaves_the_artifacts(
    tmp_path: Path, data: DataFolder, corpus: Path, recipe: Recipe
) -> None:
    out = tmp_path / "out"
    small_artifacts().save(out)
    data.path("sts_en_train").unlink()
    with pytest.raises(SourceError, match="training set sts_en_train is missing: run"):
        build([corpus], recipe, data, out, device="cpu", cache=tmp_path / "cache")
    assert len(SearchEngine.load(out).phrases) == len(PHRASES)


def test_too_little_recall_fails_the_build(tmp_path: Path, data: DataFolder, corpus: Path, recipe: Recipe) -> None:
    with pytest.raises(BuildError, match="raise search_k or trees"):
        strict = replace(recipe, least_recall=1.1)
        build([corpus], strict, data, tmp_path / "out", device="cpu", cache=tmp_path / "cache")
    assert not (tmp_path / "out").exists()


def test_a_phrase_that_nobody_understands_is_named(tmp_path: Path, data: DataFolder, recipe: Recipe) -> None:
    corpus = tmp_path / "ja.tsv"
    corpus.write_text("猿も木から落ちる\t誰にでも失敗はある\n", encoding="utf-8")
    with pytest.raises(BuildError, match="no word of the meaning of '猿も木から落ちる'"):
        build([corpus], recipe, data, tmp_path / "out", device="cpu", cache=tmp_path / "cache")


# The command line


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--corpus", "none.tsv"], "none.tsv"),
        (["--recipe", "none"], "neither a file nor a recipe; the recipes are default, labse"),
        (["--data", "none"], "there is no folder none"),
    ],
)
def test_a_users_error_is_one_sentence(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*options, "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: ") and message in said and said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_of_somebody_else_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.build.read_corpus", lambda _: pytest.fail("the corpus was read"))
    out = tmp_path / "papers"
    out.mkdir()
    (out / "thesis.tex").write_text("mine", encoding="utf-8")
    for path, reason in ((out, "not empty, and not a folder of artifacts"), (out / "thesis.tex", "a file, where")):
        assert main(["--out", str(path)]) == 1
        said = capsys.readouterr().err
        assert said.startswith(f"error: {path}: {reason}") and said.count("\n") == 1
    assert (out / "thesis.tex").read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["papers"]


def test_a_full_disk_is_one_sentence(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "cache"))

    monkeypatch.setattr("pipeline.build.build", full)
    assert main(["--corpus", str(corpus), "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err == (
        f"error: {tmp_path / 'cache'}: No space left on device; free some space or choose another folder\n"
    )


def test_the_reader_is_trained_taken_over_or_left_out(
    tmp_path: Path, data: DataFolder, corpus: Path, recipe: Recipe
) -> None:
    cache, own = tmp_path / "cache", tmp_path / "own.jsonl"
    own.write_text('{"query": "кошка спит", "gold": "кошка за кошка"}\n', encoding="utf-8")
    first = build([corpus], recipe, data, tmp_path / "first", device="cpu", cache=cache, queries=[own])
    reused = build([corpus], recipe, data, tmp_path / "reused", device="cpu", cache=cache, reuse=first)
    folder = str(tmp_path / "first")
    taken = build([corpus], recipe, data, tmp_path / "taken", device="cpu", cache=cache, reuse=first, reader=folder)
    saved = [Artifacts.load(tmp_path / name) for name in ("first", "reused", "taken")]
    assert len({one.manifest["files"]["reader.onnx"] for one in saved}) == 1
    alone = build([corpus], recipe, data, tmp_path / "alone", device="cpu", cache=cache, reuse=first, reader="none")
    assert (alone.reader, alone.readings) == (None, None)
    assert reused.reader and taken.reader
    with pytest.raises(BuildError, match="no reader"):
        build([corpus], recipe, data, tmp_path / "out", device="cpu", cache=cache, reuse=first, reader=str(tmp_path))

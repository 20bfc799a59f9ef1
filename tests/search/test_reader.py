"""The reader: its vectors, its part in the ranking and in the reasons, its files."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.search.artifacts import READ, Artifacts, ArtifactsError
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.rank import reader as reader_module
from bot.search.rank.explain import shares
from bot.search.rank.fusion import Fusion
from bot.search.rank.reader import Reader
from bot.search.retrieve.ann import AnnIndex
from pipeline.index.readings import phrase_readings
from pipeline.recipe import Recipe
from support.small import Told, small_artifacts
from support.teaching import SENTENCES, small_reader

ROOT = Path(__file__).resolve().parents[2]
PHRASES = [Phrase(f"the {number}", "en", (english,)) for number, (english, _) in enumerate(SENTENCES[:6])]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return small_reader(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="module")
def artifacts(reader: Reader, tmp_path_factory: pytest.TempPathFactory) -> Artifacts:
    made = small_artifacts(PHRASES)
    vectors = phrase_readings(PHRASES, reader, Recipe(), tmp_path_factory.mktemp("cache"))
    return replace(made, reader=reader, readings=AnnIndex.scanned(vectors), fusion=Fusion(reading={"en": 50.0}))


def test_texts_become_unit_vectors_alone_or_together(reader: Reader) -> None:
    texts = [english for english, _ in SENTENCES[:5]]
    together = reader.encode_all([*texts, "a cat " * 500])
    assert together.shape == (6, reader.dimensions) == (6, 32)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-3)
    for text, vector in zip(texts, together, strict=False):
        assert reader.encode(text) @ vector > 0.97  # eight bits are scaled by what is read together
    assert reader.encode(texts[0]) is reader.encode(texts[0])
    assert np.isfinite(reader.encode("щъ 🐷")).all()


def test_vectors_are_the_same_with_the_cpus_own_sums_and_without_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = ROOT / "artifacts"
    texts = ["ничего не делать", "to reveal a secret at the worst moment", "не раскрывать тайну"]
    own = Reader.load(real).encode_all(texts)
    for flags in ("", "flags\t: fpu sse4_2 avx2\n"):
        monkeypatch.setattr(reader_module, "_CPU", tmp_path / "cpuinfo")
        if flags:
            (tmp_path / "cpuinfo").write_text(f"processor\t: 0\n{flags}", encoding="utf-8")
        assert np.allclose(Reader.load(real).encode_all(texts), own, atol=1e-4)


def test_the_ranking_follows_the_reader_as_far_as_it_weighs(artifacts: Artifacts) -> None:
    queries = ["The cat sings.", "A duck eats!", "a lion", "some cow", "no bear", "one hen"]
    meanings = [SearchEngine(artifacts).analyse(query).meaning for query in queries]
    told = replace(artifacts, reader=Told(meanings), readings=AnnIndex.scanned(np.eye(6, dtype=np.float32)[::-1]))
    unread = SearchEngine(replace(told, fusion=Fusion(reading={"en": 0.0})))
    words = SearchEngine(replace(told, reader=None, readings=None))
    for query, phrase in zip(queries, PHRASES[::-1], strict=True):
        assert SearchEngine(told).answer(query, 1, anyway=True).matches[0].phrase == phrase
        assert [match.phrase for match in unread.answer(query, 6, anyway=True).matches] == [
            match.phrase for match in words.answer(query, 6, anyway=True).matches
        ]


def test_reasons_name_what_only_the_sentence_as_a_whole_tells(artifacts: Artifacts) -> None:
    engine = SearchEngine(artifacts)
    parts = engine.explain(engine.analyse("the cat that sings"), PHRASES[0].key)
    assert "" in dict(parts)
    assert sum(part for _, part in parts if part > 0) == pytest.approx(1)
    alone = SearchEngine(replace(artifacts, reader=None, readings=None))
    assert "" not in dict(alone.explain(alone.analyse("the cat that sings"), PHRASES[0].key))
    assert shares([("cat", 1.0)], 3.0) == [("", 0.75), ("cat", 0.25)]
    assert shares([("cat", 1.0)], -3.0) == [("cat", 1.0)]


def test_the_reader_is_saved_with_the_artifacts_and_may_stay_on_the_disk(artifacts: Artifacts, tmp_path: Path) -> None:
    folder = tmp_path / "artifacts"
    artifacts.save(folder)
    read, words = Artifacts.load(folder), Artifacts.load(folder, reader=False)
    assert read.reader and read.readings and artifacts.reader
    np.testing.assert_array_equal(read.reader.encode("a cat"), artifacts.reader.encode("a cat"))
    assert (words.reader, words.readings) == (None, None)
    read.save(folder)  # over the files that it was loaded from
    assert SearchEngine.load(folder).answer("a cat", anyway=True).matches
    for name in READ:
        (folder / name).unlink()
    assert SearchEngine.load(folder, reader=False).answer("a cat", anyway=True).matches
    with pytest.raises(ArtifactsError, match=READ[0]):
        Artifacts.load(folder)


def test_in_a_hurry_it_is_as_if_there_were_no_reader(engine: SearchEngine) -> None:
    words = SearchEngine.load(ROOT / "artifacts", reader=False)
    for query in (
        "ничего не делать",
        "to reveal a secret",
        "купить билеты на поезд",
        "бить баклуши",
        "не выдать тайну",
    ):
        hurried, alone = engine.answer(query, own=True, hurried=True), words.answer(query, own=True)
        assert [match.phrase.key for match in hurried.matches] == [match.phrase.key for match in alone.matches]
        assert hurried.confidence == pytest.approx(alone.confidence)
        assert (hurried.close, hurried.sure) == (alone.close, alone.sure)


def test_a_file_that_is_no_model_gets_one_sentence(artifacts: Artifacts, tmp_path: Path) -> None:
    folder = tmp_path / "artifacts"
    for name, content in zip(READ, (b"nothing", b"{}", b"PK"), strict=True):
        artifacts.save(folder)
        (folder / name).write_bytes(content)
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        manifest["files"][name] = hashlib.sha256(content).hexdigest()
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        with pytest.raises(ArtifactsError, match=r"cannot be read .* run python -m pipeline\.build"):
            Artifacts.load(folder)


def test_without_the_reader_its_libraries_are_not_loaded(artifacts: Artifacts, tmp_path: Path) -> None:
    artifacts.save(tmp_path / "artifacts")
    program = (
        "import sys\n"
        "from bot.search.engine import SearchEngine\n"
        "SearchEngine.load(sys.argv[1], reader=False).search('a cat')\n"
        "assert {'onnxruntime', 'tokenizers'}.isdisjoint(sys.modules)\n"
        "SearchEngine.load(sys.argv[1])\n"
        "assert {'onnxruntime', 'tokenizers'} <= {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", program, tmp_path / "artifacts"], check=True, cwd=Path(__file__).parents[2])

"""The engine over the artifacts of the repository: what people type, and what it answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.search.engine import SearchEngine
from bot.search.retrieve.ann import SCAN_UP_TO, AnnIndex
from support.small import small_artifacts

ROOT = Path(__file__).resolve().parents[2]


def texts(engine: SearchEngine, query: str, count: int = 10, languages: tuple[str, ...] | None = None) -> list[str]:
    return [match.phrase.text for match in engine.search(query, count, languages)]


@pytest.mark.parametrize(
    ("query", "language", "good"),
    [
        ("ничего не делать целыми днями", "ru", {"плевать в потолок", "бить баклуши", "сидеть сложа руки"}),
        ("сильный дождь", "ru", {"как из ведра", "хляби небесные"}),
        ("to do nothing all day", "ru", {"плевать в потолок", "бить баклуши", "сидеть сложа руки"}),
        ("raining very hard", "en", {"rain cats and dogs"}),
        ("сильный дождь", "en", {"rain cats and dogs"}),
        ("раскрыть секрет", "en", {"let the cat out of the bag", "spill the beans"}),
        ("to reveal a secret", "ru", {"срывать завесу", "выдать с головой", "раскрыть карты"}),
    ],
)
def test_a_description_finds_the_idiom(engine: SearchEngine, query: str, language: str, good: set[str]) -> None:
    assert good & set(texts(engine, query, 10, (language,)))


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("бить баклуши", "бить баклуши"),
        ("бил баклуши", "бить баклуши"),
        ("бить бакулши", "бить баклуши"),
        ("баклуши бить", "бить баклуши"),
        ("БИТЬ БАКЛУШИ!!!", "бить баклуши"),
        ("rainin cats and dogs", "rain cats and dogs"),
    ],
)
def test_its_own_words_find_an_idiom_first(engine: SearchEngine, query: str, wanted: str) -> None:
    match = engine.search(query)[0]
    assert match.phrase.text == wanted
    assert match.reason == "wording"


def test_a_variant_finds_its_entry(engine: SearchEngine) -> None:
    entry = next(phrase for phrase in engine.phrases if phrase.variants)
    assert engine.search(entry.variants[0])[0].phrase == entry


@pytest.mark.parametrize("query", ["", "   ", "!!!", "🏻", "—", "\0", "ܐܒܓ", "漢字", "zqxjk", "ъьъьъ"])
def test_what_says_nothing_finds_nothing(engine: SearchEngine, query: str) -> None:
    assert engine.search(query) == []


def test_a_very_long_query_is_answered_by_its_beginning(engine: SearchEngine) -> None:
    assert engine.search("ничего не делать " * 6000)
    assert engine.search("щ" * 100_000) == []


@settings(max_examples=300, deadline=None)
@given(query=st.text(), count=st.integers(1, 60))
def test_any_text_gets_well_formed_answers(engine: SearchEngine, query: str, count: int) -> None:
    matches = engine.search(query, count)
    assert len(matches) <= count
    assert len({match.phrase.key for match in matches}) == len(matches)
    scores = [match.score for match in matches]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_languages_are_a_filter(engine: SearchEngine) -> None:
    for language in ("ru", "en"):
        found = engine.search("money", 30, (language,))
        assert found and {match.phrase.language for match in found} == {language}
    assert engine.search("money", 10, ()) == []
    assert engine.search("money", 10, ("tlh",)) == []


def test_similar_idioms_are_near_and_never_the_idiom_itself(engine: SearchEngine) -> None:
    key = engine.search("бить баклуши")[0].phrase.key
    found = engine.similar(key, 15)
    assert len(found) == 15 and key not in {match.phrase.key for match in found}
    assert {match.phrase.language for match in engine.similar(key, 5, ("en",))} == {"en"}
    assert engine.similar("no such key") == []


def test_every_key_opens_its_phrase(engine: SearchEngine) -> None:
    assert all(engine.phrase(phrase.key) is phrase for phrase in engine.phrases)
    assert engine.phrase("000000000000") is None


def test_random_keeps_to_what_is_asked(engine: SearchEngine) -> None:
    for _ in range(20):
        phrase = engine.random(("en",), "animals")
        assert phrase and phrase.language == "en" and "animals" in phrase.topics
    others = {phrase.key for phrase in engine.phrases[1:]}
    assert engine.random(exclude=others) is engine.phrases[0]
    assert engine.random(topic="no such topic") is None


def test_an_explanation_is_exact(engine: SearchEngine) -> None:
    query, key = "целыми днями бездельничать", engine.search("бить баклуши")[0].phrase.key
    row = [phrase.key for phrase in engine.phrases].index(key)
    vector, encoded = engine.artifacts.index.vectors[row], engine.artifacts.approximator.encode(query)
    assert encoded is not None
    parts = engine.artifacts.approximator.explain(query.split(), vector)
    assert [word for word, _ in parts] == query.split()
    assert sum(part for _, part in parts) == pytest.approx(float(encoded @ vector), abs=1e-5)
    shares = engine.explain(engine.analyse(query), key)
    assert sum(share for _, share in shares if share > 0) == pytest.approx(1)
    assert max(shares, key=lambda share: share[1])[0] == "бездельничать"


def test_an_encoding_is_a_unit_vector_whatever_was_encoded_before() -> None:
    approximator = small_artifacts().approximator
    fresh = approximator.encode("сильный дождь")
    for number in range(9000):  # more words than the cache holds
        approximator.encode(f"дождь{number} сильный")
    again = approximator.encode("сильный дождь")
    assert fresh is not None and again is not None
    assert fresh.dtype == np.float32 and np.linalg.norm(fresh) == pytest.approx(1, abs=1e-6)
    np.testing.assert_array_equal(fresh, again)
    assert approximator.encode("") is None


def test_annoy_and_a_scan_agree(engine: SearchEngine) -> None:
    """With the recipe that the artifacts were built by: a forest is saved only for a large collection."""
    recipe = engine.artifacts.manifest["recipe"]
    vectors = engine.artifacts.index.vectors
    assert len(vectors) <= SCAN_UP_TO and engine.artifacts.index.forest is None
    index = AnnIndex.build(vectors, recipe["trees"], recipe["search_k"], recipe["seed"])
    assert index.recall(vectors[::16]).mean() >= 0.99


def test_a_neighbour_that_annoy_does_not_propose_is_not_found() -> None:
    vectors = np.random.default_rng(0).normal(size=(300, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = AnnIndex.build(vectors, trees=1, search_k=1, seed=1)
    proposed = np.array([len(index.nearest(vector, 10)[0]) for vector in vectors])
    recall = index.recall(vectors)
    assert recall.shape == (300,) and proposed.min() < 10
    assert (recall <= proposed / 10 + 1e-6).all()


def test_eight_bits_tell_cosines_to_a_few_thousandths(engine: SearchEngine) -> None:
    index = engine.artifacts.index
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(500, 256)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scanned = AnnIndex.build(vectors, 1, 10, 1).cosines(vectors[3], np.array([]), 10)
    np.testing.assert_allclose(scanned, vectors @ vectors[3], atol=0.003)
    assert np.linalg.norm(index.vectors, axis=1) == pytest.approx(1, abs=0.01)


def test_a_large_index_survives_saving(tmp_path: Path) -> None:
    vectors = np.random.default_rng(0).normal(size=(SCAN_UP_TO + 1, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = AnnIndex.build(vectors, trees=5, search_k=2000, seed=1)
    assert index.save(tmp_path) == ["vectors.npz", "forest.ann"]
    loaded = AnnIndex.load(tmp_path, 2000)
    assert loaded.proposes
    np.testing.assert_array_equal(loaded.nearest(vectors[7], 10)[0], index.nearest(vectors[7], 10)[0])


def test_a_large_index_goes_through_annoy() -> None:
    vectors = np.random.default_rng(0).normal(size=(SCAN_UP_TO + 1, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = AnnIndex.build(vectors, trees=5, search_k=2000, seed=1)
    cosines = index.cosines(vectors[7], np.array([11]), 50)
    assert cosines[7] == pytest.approx(1, abs=0.01)
    assert cosines[11] == pytest.approx(float(vectors[11] @ vectors[7]), abs=0.01)
    assert 50 <= np.count_nonzero(cosines) <= 52
    np.testing.assert_allclose(index.scan(vectors[7]), vectors @ vectors[7], atol=0.02)


def test_the_command_line_answers() -> None:
    command = [sys.executable, "-m", "bot.search", "-n", "3", "--json", "--language", "ru", "бездельничать"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(records) == 3 and {record["language"] for record in records} == {"ru"}
    assert set(records[0]) == {"key", "phrase", "language", "meanings", "score", "reason"}


def test_the_prompt_answers_line_by_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot.search", "-n", "1"],
        input="бить баклуши\n\nzqxjk\n",
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    first, second = done.stdout.splitlines()
    assert "бить баклуши" in first and second == "nothing close"


def test_the_command_line_says_what_is_wrong(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot.search", "x", "--artifacts", str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 1 and "no such folder" in done.stderr and "Traceback" not in done.stderr


def test_nothing_that_says_the_contrary_is_left_out_as_a_duplicate(engine: SearchEngine) -> None:
    relations = engine.artifacts.relations
    contraries = {(row, other) for row, others in enumerate(relations.opposites.tolist()) for other in others}
    assert contraries.isdisjoint(map(tuple, relations.near_duplicates.tolist()))


@pytest.mark.parametrize("reader", [True, False])
def test_what_counts_as_similar_fits_the_vectors(reader: bool) -> None:
    """Other vectors have other cosines: most phrases have something similar, and some have nothing."""
    engine = SearchEngine.load(ROOT / "artifacts", reader)
    keys = engine.artifacts.relations.keys.tolist()[::40]
    assert 0.85 < np.mean([bool(engine.similar(key, 5)) for key in keys]) < 0.99

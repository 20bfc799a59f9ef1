"""The training of the approximator, each part against an oracle or a worked example."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import Ridge
from tokenizers import Tokenizer

from bot.search.phrases import Phrase
from bot.search.retrieve.approximator import UNKNOWN, WordPieces
from pipeline.data.sources import DataFolder
from pipeline.index.vectors import phrase_vectors
from pipeline.recipe import Recipe
from pipeline.train.dimensions import cosine_spearman, select_dimensions
from pipeline.train.refinement import (
    DistillationSet,
    QueryPhrasePairs,
    ScoredPairs,
    asked_loss,
    refine_table,
    scored_loss,
    soft_target_loss,
)
from pipeline.train.regression import (
    choose_stems,
    count_features,
    encode_all,
    fit_table,
    pieces_of,
    quantise,
    train_tokenizer,
)
from pipeline.train.texts import judged_texts, teacher_texts, training_texts, weighted_sums, weighted_texts
from support.small import small_artifacts

RNG = np.random.default_rng(7)
ENGLISH = Phrase(
    "hit the sack", "en", ("to go to bed", "to sleep"), {"ru": "лечь спать"}, scenes=("so tired", "глаза слипаются")
)
RUSSIAN = Phrase(
    "клевать носом",
    "ru",
    ("дремать",),
    {"en": "to nod off"},
    variants=("носом клевать",),
    equivalents={"en": ("to drop off",)},
    examples=("Он клевал носом.",),
    scenes=("засыпаю на лекции", "who sleeps at a lecture"),
)


# The texts of a phrase


def test_every_text_of_a_phrase_weighs_what_the_recipe_says() -> None:
    assert weighted_texts(ENGLISH, Recipe()) == [
        ("hit the sack", 0.3),
        ("to go to bed", 0.5),
        ("to sleep", 0.5),
        ("лечь спать", 1.0),
        ("so tired", 0.7),
        ("глаза слипаются", 0.7),
    ]
    assert weighted_texts(RUSSIAN, Recipe()) == [
        ("клевать носом", 0.3),
        ("дремать", 1.0),
        ("to nod off", 1.0),
        ("Он клевал носом.", 0.5),
        ("засыпаю на лекции", 0.7),
        ("who sleeps at a lecture", 0.7),
    ]


def test_the_teacher_embeds_what_it_reads() -> None:
    english, multilingual = Recipe(), Recipe(multilingual=True)
    assert teacher_texts(ENGLISH, english) == [("to go to bed", 0.5), ("to sleep", 0.5), ("so tired", 0.7)]
    assert teacher_texts(RUSSIAN, english) == [("to nod off", 1.0), ("who sleeps at a lecture", 0.7)]
    assert [text for text, _ in teacher_texts(ENGLISH, multilingual)] == [*ENGLISH.meanings, *ENGLISH.scenes]
    assert [text for text, _ in teacher_texts(RUSSIAN, multilingual)] == [*RUSSIAN.meanings, *RUSSIAN.scenes]
    assert teacher_texts(replace(RUSSIAN, translations={}, scenes=()), english) == []


def test_meanings_are_taught_what_the_teacher_reads(data: DataFolder) -> None:
    training = training_texts(data, [ENGLISH, RUSSIAN], Recipe())
    assert list(zip(training.texts, training.targets, training.weights, strict=True))[-5:] == [
        ("to go to bed", "to go to bed", 2.0),
        ("to sleep", "to sleep", 0.8),
        ("лечь спать", "to go to bed", 0.8),
        ("дремать", "to nod off", 0.8),
        ("to nod off", "to nod off", 2.0),
    ]


def test_a_further_sense_is_not_taught_the_translation_of_the_first(data: DataFolder) -> None:
    russian = replace(RUSSIAN, meanings=(*RUSSIAN.meanings, "кланяться"))
    assert training_texts(data, [russian], Recipe()) == training_texts(data, [RUSSIAN], Recipe())


def test_no_training_text_stands_in_a_test(data: DataFolder) -> None:
    training = training_texts(data, [], Recipe())
    assert not {"A cat sings.", "кошка поёт", "A hen."} & {*training.texts, *training.targets}
    assert {"кошка ест", "a cat that eats a mouse"} <= {*training.texts}


def test_judged_pairs_have_all_pairs_of_languages(data: DataFolder) -> None:
    pairs = judged_texts(data)
    assert len(pairs) == 4 * len(data.sts("en", "train"))
    assert pairs[:: len(pairs) // 4] == [
        ("cat runs", "cat runs", 5.0),
        ("кошка бежит", "кошка бежит", 5.0),
        ("cat runs", "кошка бежит", 5.0),
        ("кошка бежит", "cat runs", 5.0),
    ]


def test_weighted_sums_are_sums() -> None:
    known = {"a": [1.0, 2.0], "b": [3.0, 5.0]}
    sums = weighted_sums([[("a", 2), ("b", 1)], [], [("b", 0.5)]], lambda texts: np.array([known[t] for t in texts]))
    np.testing.assert_array_equal(sums, [[5, 9], [0, 0], [1.5, 2.5]])


def test_a_phrases_vector_is_what_the_approximator_makes_of_its_texts() -> None:
    approximator = small_artifacts().approximator
    phrase = Phrase("лить как из ведра", "ru", ("о сильном дожде",), {"en": "of heavy rain"}, scenes=("дожде", "rain"))
    texts = [phrase.text, phrase.meanings[0], "of heavy rain", "дожде", "rain"]
    total = np.array([0.3, 1, 1, 0.7, 0.7]) @ encode_all(approximator, texts)
    found = phrase_vectors([phrase], approximator, Recipe())
    np.testing.assert_allclose(found, [total / np.linalg.norm(total)], rtol=1e-4)


# Dimensions


def judged(noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of unit vectors whose first four dimensions agree as far as people say; the others are noise."""
    scores = RNG.uniform(0, 1, 2000)
    first = RNG.normal(size=(2000, 20))
    second = RNG.normal(size=(2000, 20)) * noise
    second[:, :4] = first[:, :4] * scores[:, None] + RNG.normal(size=(2000, 4)) * (1 - scores[:, None])
    units = [(rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32) for rows in (first, second)]
    return units[0], units[1], scores


def test_the_dimensions_that_people_agree_with_come_first() -> None:
    selection = select_dimensions(*judged(noise=1), most=16, tolerance=0.01)
    assert set(selection.dimensions[:4]) == {0, 1, 2, 3}
    assert selection.sizes == [16, 20] and len(selection.dimensions) == 16
    assert selection.lasso[0] >= selection.lasso[1] - 0.01 and len(selection.pca) == 2


def test_spearman_is_of_the_cosines() -> None:
    first = np.array([[1, 0], [1, 0], [2, 0]], np.float32)
    second = np.array([[5, 0], [1, 1], [0, 9]], np.float32)
    assert cosine_spearman(first, second, np.array([5.0, 3.0, 1.0])) == pytest.approx(1)


# Regression


def test_features_are_counted() -> None:
    features = small_artifacts().approximator.features
    counts = count_features(["rain, RAIN and преувеличивать", "", "猿"], features)
    rain, stem = features.pieces.cut("rain")[0], features.count - 2
    assert counts.shape == (3, features.count) and counts.dtype == np.float32
    assert counts[0, rain] == 2 and counts[0, stem] == 1
    assert counts[1:].nnz == 0
    assert count_features([], features).shape == (0, features.count)


@given(st.text("кошкаибегcatrun0猿", max_size=12) | st.sampled_from(["кошкам", "бегала", "к" * 100, "к" * 101]))
def test_words_are_cut_as_the_library_cuts_them(word: str) -> None:
    tokenizer = a_tokenizer()
    pieces = pieces_of(tokenizer)
    known = [number for number in tokenizer.encode(word).ids if number != tokenizer.token_to_id(UNKNOWN)]
    assert pieces.cut(word) == known
    again = Tokenizer.from_str(pieces.to_json())
    assert again.encode(word).tokens == tokenizer.encode(word).tokens
    assert WordPieces.from_json(tokenizer.to_str().encode()).cut(word) == known


@cache
def a_tokenizer() -> Tokenizer:
    return train_tokenizer(["кошка бегает и кошки бегали", "a cat runs, cats ran", "0"] * 20, 60)


def test_stems_are_beginnings_that_other_alphabets_share() -> None:
    texts = ["кошка кошки кошкам", "running runner", "мышь"]
    assert choose_stems(texts, 2, (4, 5)) == ["кошк", "кошка"]


def test_the_table_solves_the_regression() -> None:
    counts = sparse.random(400, 60, 0.1, "csr", np.float32, random_state=3)
    targets = RNG.normal(size=(400, 70)).astype(np.float32)
    weights = RNG.uniform(0.5, 4, 400).astype(np.float32)
    idf = np.log((1 + 400) / (1 + (counts > 0).sum(axis=0).A1)) + 1
    features = counts.toarray() * idf
    features /= np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-9)
    oracle = Ridge(alpha=0.5, fit_intercept=False).fit(features, targets, weights).coef_.T * idf[:, None]
    table = fit_table(counts, targets, weights, ridge=0.5)
    assert table.dtype == np.float32
    assert np.linalg.norm(table - oracle) <= 0.01 * np.linalg.norm(oracle)


def test_eight_bits_keep_the_table() -> None:
    approximator = small_artifacts().approximator
    table = RNG.normal(size=approximator.table.shape).astype(np.float32)
    kept = quantise(table, approximator.features)
    np.testing.assert_allclose(kept.table * kept.scale[:, None], table, atol=np.abs(table).max() / 127)


# Refinement


def unit(rows: int) -> np.ndarray:
    """Vectors of a table whose features are texts of their own."""
    vectors = RNG.normal(size=(rows, 8)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def test_the_losses_are_those_of_the_literature() -> None:
    eye, table, rows = sparse.identity(4, np.float32, "csr"), unit(4), np.arange(4)
    rows_of, teacher = torch.from_numpy(table), unit(4)
    distilled = DistillationSet(eye, teacher, np.ones(4, np.float32))
    soft = np.exp(teacher @ teacher.T / 0.1)
    given = np.exp(table @ teacher.T / 0.1)
    entropy = -(soft / soft.sum(1, keepdims=True) * np.log(given / given.sum(1, keepdims=True))).sum(1).mean()
    assert float(soft_target_loss(distilled, rows, rows_of, 0.1)) == pytest.approx(entropy, rel=1e-4)

    scored = ScoredPairs(eye, eye[[1, 2, 3, 0]], np.array([1, 2, 3, 3], np.float32))
    cosines = (table * table[[1, 2, 3, 0]]).sum(axis=1)
    wrong = [np.exp((cosines[i] - cosines[j]) / 0.1) for i, j in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]]
    assert float(scored_loss(scored, rows, rows_of, 0.1)) == pytest.approx(np.log(1 + sum(wrong)), rel=1e-4)

    asked = QueryPhrasePairs(eye[:3], np.array([0, 1, 1]), eye[2:], np.zeros((2, 8), np.float32))
    likeness = np.exp(table[:3] @ table[2:].T / 0.1)
    own = likeness[[0, 1, 2], [0, 1, 1]] / (likeness[:, 0] * [1, 1, 1] + likeness[:, 1] * [2, 1, 1])
    assert float(asked_loss(asked, rows[:3], rows_of, 0.1)) == pytest.approx(-np.log(own).mean(), rel=1e-4)


@pytest.mark.parametrize("scenes", [0, 50])
def test_refinement_lowers_the_losses_and_leaves_the_given_table(scenes: int) -> None:
    counts = sparse.random(200, 40, 0.1, "csr", np.float32, random_state=1) + sparse.eye(200, 40, dtype=np.float32)
    counts = counts.tocsr().astype(np.float32)
    table, recipe = unit(40), Recipe(epochs=20, batch=64, judged_batch=16, scene_batch=16, learning_rate=1e-2)
    distilled = DistillationSet(counts, unit(200), np.ones(200, np.float32))
    scored = ScoredPairs(counts[:50], counts[50:100], RNG.uniform(0, 5, 50).astype(np.float32))
    asked = QueryPhrasePairs(counts[:scenes], np.arange(scenes) // 5, counts[-10:], np.zeros((10, 8), np.float32))
    refined, before = refine_table(table, distilled, scored, asked, recipe), table.copy()
    np.testing.assert_array_equal(table, before)
    rows = np.arange(50)
    for loss, data in ((soft_target_loss, distilled), (scored_loss, scored), (asked_loss, asked)):
        if data is not asked or scenes:
            old, new = (float(loss(data, rows, torch.from_numpy(kept), 0.05)) for kept in (table, refined))  # type: ignore[arg-type]
            assert new < old

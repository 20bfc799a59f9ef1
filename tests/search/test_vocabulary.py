"""The vocabulary: what it knows, what it learns of inflection, and that it survives saving."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.search.understand.vocabulary import Vocabulary, number
from pipeline.data.sources import DataFolder
from pipeline.index.vocabulary import inflections, kept_apart, vocabulary
from support.small import PHRASES


def test_twice_as_frequent_is_nine_levels_higher() -> None:
    known = Vocabulary.build({"муха": 1, "слон": 2, "elephant": 1024, "rare": 0.5})
    assert known.frequencies(["муха", "слон", "elephant", "rare", "мухи"]).tolist() == [1, 10, 91, 1, 0]
    assert len(known) == 4
    assert Vocabulary.build({}).frequencies(["муха"]).tolist() == [0]


def test_the_most_frequent_word_of_the_world_fits() -> None:
    assert Vocabulary.build({"you": 1e30}).frequencies(["you"]).tolist() == [255]


def test_no_two_words_of_the_lists_share_a_number() -> None:
    listed = {word for name in ("frequency_ru", "frequency_en") for word, _ in DataFolder().frequencies(name)}
    assert len({number(word) for word in listed}) == len(listed)


def test_saved_and_loaded(tmp_path: Path) -> None:
    counts = {word: float(place + 1) for place, word in enumerate("раз два три four five \ud800 𐍈".split())}
    path = tmp_path / "vocabulary.npz"
    Vocabulary.build(counts).save(path)
    loaded = Vocabulary.load(path)
    assert loaded.frequencies(list(counts)).tolist() == Vocabulary.build(counts).frequencies(list(counts)).tolist()
    assert not loaded.frequencies(["шесть", ""]).any()


def test_a_file_of_unequal_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.npz"
    np.savez(path, gaps=np.ones(3, np.uint64), levels=np.ones(2, np.uint8))
    with pytest.raises(ValueError, match="2 frequencies for 3 words"):
        Vocabulary.load(path)


def test_usual_changes_of_endings_are_learned() -> None:
    stems = [f"стол{letter}" for letter in "бвгдж"]
    changes = inflections([f"{stem}{ending}" for stem in stems for ending in ("ами", "ам")] + ["столбаит"])
    assert changes == {"ами>ам": 5, "ам>ами": 5}


def test_words_of_texts_and_phrases_are_known_but_not_of_texts_that_are_kept_apart() -> None:
    texts = [f"quux{one}{other} foobarbaz" for one in "abcdefghij" for other in "abcdefghij"]
    apart = [text.split()[0] for text in texts if kept_apart(text)]
    known = vocabulary(texts, PHRASES, DataFolder())
    assert apart
    assert not known.frequencies(apart).any()
    assert known.frequencies([text.split()[0] for text in texts]).astype(bool).sum() == len(texts) - len(apart)
    assert known.frequencies(["баклуши", "thumbs", "преувеличивать", "foobarbaz", "the", "не"]).all()
    assert not known.frequencies(["ns", "lj", "cgc"]).any()

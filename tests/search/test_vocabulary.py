"""The vocabulary: what it knows, what it learns of inflection, and that it survives saving."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2
from pathlib import Path

import numpy as np
import pytest

from bot.search.understand.vocabulary import Vocabulary
from pipeline.data.sources import DataFolder
from pipeline.index.vocabulary import inflections, kept_apart, vocabulary
from support.small import PHRASES


def levels(known: Vocabulary, words: Iterable[str]) -> list[int]:
    return [known.log_frequency(word) for word in words]


def test_twice_as_frequent_is_nine_levels_higher() -> None:
    known = Vocabulary.build({"муха": 1, "слон": 2, "elephant": 1024, "rare": 0.5})
    assert levels(known, ["муха", "слон", "elephant", "rare", "мухи"]) == [1, 10, 91, 1, 0]
    assert len(known) == 4
    assert Vocabulary.build({}).log_frequency("муха") == 0


def test_the_most_frequent_word_of_the_world_fits() -> None:
    assert Vocabulary.build({"you": 1e30}).log_frequency("you") == 255


def test_every_word_of_the_lists_has_its_own_frequency() -> None:
    data = DataFolder()
    listed = dict(data.frequencies("frequency_ru")) | dict(data.frequencies("frequency_en"))
    known = Vocabulary.build(listed)
    assert len(known) == len(listed)
    assert levels(known, listed) == [min(255, 1 + round(9 * log2(count))) for count in listed.values()]


def test_saved_and_loaded(tmp_path: Path) -> None:
    counts = {word: float(place + 1) for place, word in enumerate("раз два три four five six 𐍈".split())}
    path = tmp_path / "vocabulary.npz"
    built = Vocabulary.build(counts, ["ова>ово"])
    built.save(path)
    loaded = Vocabulary.load(path)
    assert levels(loaded, counts) == levels(built, counts) == [1, 10, 15, 19, 22, 24, 26]
    assert levels(loaded, ["шесть", ""]) == [0, 0]
    assert loaded.is_inflection("голова", "голово") and not loaded.is_inflection("голово", "голова")


def test_equal_words_are_saved_as_equal_bytes(tmp_path: Path) -> None:
    paths = tmp_path / "one.npz", tmp_path / "two.npz"
    words, endings = "раз два три four five".split(), ["а>б", "б>а"]
    for path, order in zip(paths, (1, -1), strict=True):
        Vocabulary.build(dict.fromkeys(words[::order], 2.0), endings[::order]).save(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_of_two_vocabularies_the_greater_frequency_counts() -> None:
    one, two = Vocabulary.build({"раз": 1, "два": 4}, ["а>б"]), Vocabulary.build({"раз": 2, "three": 1}, ["б>в"])
    merged = one.merged(two)
    assert len(merged) == 3 and levels(merged, ["раз", "два", "three"]) == [10, 19, 1]
    assert merged.is_inflection("а", "б") and merged.is_inflection("б", "в")


def test_a_file_of_unequal_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.npz"
    Vocabulary.build({"раз": 1, "два": 2, "три": 3}).save(path)
    with np.load(path) as file:
        np.savez(path, **{**file, "log_frequencies": np.ones(2, np.uint8)})
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
    assert not any(levels(known, apart))
    assert sum(map(bool, levels(known, [text.split()[0] for text in texts]))) == len(texts) - len(apart)
    assert all(levels(known, ["баклуши", "thumbs", "преувеличивать", "foobarbaz", "the", "не"]))
    assert not any(levels(known, ["ns", "lj", "cgc"]))

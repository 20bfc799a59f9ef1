"""What the build finds out about phrases and the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.relations import NONE, Equivalent, Relations
from bot.search.retrieve.lexical import wording_index
from pipeline.index.relations import close_equivalents, named, near_duplicates, without_contraries
from pipeline.recipe import Recipe

ENTRIES = [
    Phrase("pig in a poke", "en", ("something bought unseen",), variants=("a pig in a poke",)),
    Phrase("хитрый как лиса", "ru", ("об очень хитром",), equivalents={"en": ("a pig in a poke", "and yet it moves")}),
    Phrase("кот в мешке", "ru", ("о покупке вслепую",), equivalents={"en": ("pig in a poke",)}),
]


@pytest.mark.parametrize(
    ("text", "language", "row"),
    [
        ("a pig in a poke", "en", 0),
        ("pig in a poke", "en", 0),
        ("Хитрый, как лиса", "ru", 1),
        ("хитёр как лиса", "ru", NONE),
        ("pig in a poke", "ru", NONE),
        ("and yet it moves", "en", NONE),
    ],
)
def test_an_equivalent_leads_to_the_entry_that_it_names(text: str, language: str, row: int) -> None:
    asking = Phrase("asking", "tlh", ("-",), equivalents={language: (text,)})
    assert named([*ENTRIES, asking], "equivalent")[3, 0] == row


def test_who_is_named_names_in_turn() -> None:
    one, other = Phrase("un", "fr", ("1",), opposites=("deux", "trois")), Phrase("deux", "fr", ("2",))
    assert named([one, other], "opposite").tolist() == [[1, NONE], [0, NONE]]
    other = replace(other, opposites=("un",))
    assert named([one, other], "opposite").tolist() == [[1, NONE], [0, NONE]]


def test_named_come_first_and_close_ones_once() -> None:
    curated = named(ENTRIES, "equivalent")
    close = np.array([[1, 2, NONE], [0, NONE, NONE], [0, NONE, NONE]], np.int32)
    relations = replace(Relations.of(ENTRIES), curated=curated, close=close)
    pig = ENTRIES[0]
    assert relations.equivalents(ENTRIES, 0) == [Equivalent(entry.text, "ru", entry.key) for entry in ENTRIES[1:]]
    assert relations.equivalents(ENTRIES, 1) == [
        Equivalent("a pig in a poke", "en", pig.key),
        Equivalent("and yet it moves", "en"),
    ]
    assert relations.equivalents(ENTRIES, 2) == [Equivalent("pig in a poke", "en", pig.key)]


def test_close_equivalents_are_of_another_language_and_close_enough() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1], [0.6, 0.8]], np.float32)
    languages = np.array(["en", "ru", "ru", "en"])
    found = close_equivalents(vectors, languages, 0.7)
    assert found.tolist() == [[1, NONE, NONE], [3, 0, NONE], [3, NONE, NONE], [1, 2, NONE]]


def test_what_says_the_contrary_of_an_equivalent_is_not_close() -> None:
    curated = np.array([[1], [0], [NONE], [NONE]], np.int32)  # 0 tell = 1 рассказать, and 2 молчать, 3 keep quiet
    opposites = np.array([[NONE], [2], [1], [NONE]], np.int32)
    close = np.array([[1, 2, NONE], [0, 3, NONE], [3, 0, NONE], [2, NONE, NONE]], np.int32)
    expected = [[1, NONE, NONE], [0, 3, NONE], [3, NONE, NONE], [2, NONE, NONE]]
    assert without_contraries(close, curated, opposites).tolist() == expected


def test_the_served_relations_hold(engine: SearchEngine) -> None:
    key = next(phrase.key for phrase in engine.phrases if phrase.text == "сизифов труд")
    assert engine.equivalents(key)[0].text == "Sisyphean task" and engine.equivalents(key)[0].curated
    assert engine.artifacts.readings
    vectors, readings = engine.artifacts.index.vectors, engine.artifacts.readings.vectors
    for row in range(0, len(engine.phrases), 50):
        phrase = engine.phrases[row]
        for one in engine.equivalents(phrase.key):
            assert one.language != phrase.language
            other = engine.phrase(one.key) if one.key else None
            if not one.curated:
                assert other
                place = engine.phrases.index(other)
                assert (vectors[place] @ vectors[row] + readings[place] @ readings[row]) / 2 >= 0.69
    assert engine.equivalents("no such key") == []


def test_what_says_the_contrary_in_nearly_the_same_words_is_no_duplicate() -> None:
    entries = [Phrase(text, "en", ("-",)) for text in ("lose heart", "take heart", "lose my heart")]
    told = replace(entries[0], opposites=("take heart",)), *entries[1:]
    vectors, wording, recipe = np.ones((3, 1), np.float32), wording_index(entries), Recipe(duplicate_wording=0.3)
    without = near_duplicates(entries, vectors, wording, named(entries, "opposite"), recipe).tolist()
    assert [0, 1] in without and [1, 0] in without
    pairs = near_duplicates(told, vectors, wording, named(told, "opposite"), recipe).tolist()
    assert pairs == [pair for pair in without if set(pair) != {0, 1}] and [0, 2] in pairs

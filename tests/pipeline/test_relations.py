"""What the build finds out about phrases and the others."""

from __future__ import annotations

import numpy as np
import pytest

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.relations import NONE, Equivalent, Relations, keys_of
from bot.search.retrieve.ngrams import ngram_index
from pipeline.index.relations import close_equivalents, curated_equivalents

ENTRIES = [
    Phrase("pig in a poke", "en", ("something bought unseen",)),
    Phrase("хитрый как лиса", "ru", ("об очень хитром",), equivalents={"en": ("a pig in a poke", "and yet it moves")}),
    Phrase("кот в мешке", "ru", ("о покупке вслепую",), equivalents={"en": ("pig in a poke",)}),
]
LANGUAGES = np.array([phrase.language for phrase in ENTRIES])


@pytest.mark.parametrize(
    ("text", "language", "row"),
    [
        ("a pig in a poke", "en", 0),
        ("pig in a poke", "en", 0),
        ("хитёр как лиса", "ru", 1),
        ("pig in a poke", "ru", NONE),
        ("and yet it moves", "en", NONE),
    ],
)
def test_an_equivalent_leads_to_the_entry_that_it_names(text: str, language: str, row: int) -> None:
    asking = Phrase("asking", "tlh", ("-",), equivalents={language: (text,)})
    phrases = [*ENTRIES, asking]
    languages = np.array([*LANGUAGES, "tlh"])
    assert curated_equivalents(phrases, languages, ngram_index(phrases), 0.8)[3, 0] == row


def test_curated_equivalents_come_first_and_close_ones_once() -> None:
    curated = curated_equivalents(ENTRIES, LANGUAGES, ngram_index(ENTRIES), 0.8)
    close = np.array([[1, 2, NONE], [0, NONE, NONE], [0, NONE, NONE]], np.int32)
    relations = Relations(keys_of(ENTRIES), np.ones(3, np.float32), np.empty((0, 2), np.int32), curated, close)
    pig = ENTRIES[0]
    assert relations.equivalents(ENTRIES, 0) == [
        Equivalent(entry.text, "ru", entry.key, curated=False) for entry in ENTRIES[1:]
    ]
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


def test_the_served_relations_hold(engine: SearchEngine) -> None:
    key = next(phrase.key for phrase in engine.phrases if phrase.text == "сизифов труд")
    assert engine.equivalents(key)[0].text == "a Sisyphean task" and engine.equivalents(key)[0].curated
    vectors = engine.artifacts.index.vectors
    for row in range(0, len(engine.phrases), 50):
        phrase = engine.phrases[row]
        for one in engine.equivalents(phrase.key):
            assert one.language != phrase.language
            other = engine.phrase(one.key) if one.key else None
            if not one.curated:
                assert other and vectors[engine.phrases.index(other)] @ vectors[row] >= 0.69
    assert engine.equivalents("no such key") == []

"""The scenes of phrases: what people write who look for one."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.search.retrieve.lexical import LexicalIndex, trigrams
from bot.search.text import words
from support.collection import DATA, ENTRIES, read

ALL = [entry for entries in ENTRIES.values() for entry in entries]
SCENES = [(entry["phrase"], scene) for entry in ALL for scene in entry["scenes"]]


def test_every_entry_has_four_scenes() -> None:
    assert [entry["phrase"] for entry in ALL if len(entry["scenes"]) < 4] == []


def test_a_scene_is_a_line_of_a_few_words() -> None:
    assert [scene for _, scene in SCENES if not 1 <= len(words(scene)) <= 20 or len(scene) > 120] == []


def test_no_idiom_has_the_scene_of_another() -> None:
    assert [scene for scene, times in Counter(" ".join(words(scene)) for _, scene in SCENES).items() if times > 1] == []


def test_a_scene_never_says_the_idiom_itself() -> None:
    told = [
        (phrase, scene)
        for phrase, scene in SCENES
        if len(words(phrase)) > 1 and f" {_plain(phrase)} " in f" {_plain(scene)} "
    ]
    assert told == []


@pytest.mark.parametrize("name", ["dev_queries", "dev_noisy"])
def test_no_scene_is_near_a_query_that_measures(name: str) -> None:
    """The scenes were written without sight of the queries; those that came out alike all the same were removed."""
    rows = read(DATA / f"queries/{name}.jsonl")
    queries = [row[field] for row in rows for field in ("ru", "en", "query") if field in row]
    index = LexicalIndex.build([trigrams(words(scene)) for _, scene in SCENES])
    assert [query for query in queries if index.scores(trigrams(words(query))).max() >= 0.5] == []


def _plain(text: str) -> str:
    return " ".join(words(text))

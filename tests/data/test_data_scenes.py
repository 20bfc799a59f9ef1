"""The scenes of phrases: what people write who look for one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bot.search.retrieve.ngrams import NGramIndex, trigrams
from bot.search.text import words

DATA = Path(__file__).resolve().parents[2] / "data"
ENTRIES = [
    json.loads(line)
    for language in ("ru", "en")
    for line in (DATA / f"idioms/{language}.jsonl").read_text(encoding="utf-8").splitlines()
]
SCENES = [(entry["phrase"], scene) for entry in ENTRIES for scene in entry.get("scenes", ())]


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
    rows = [json.loads(line) for line in (DATA / f"queries/{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    queries = [row[field] for row in rows for field in ("ru", "en", "query") if field in row]
    index = NGramIndex.build([scene for _, scene in SCENES])
    assert [query for query in queries if index.scores(trigrams(words(query)))[0].max() >= 0.5] == []


def _plain(text: str) -> str:
    return " ".join(words(text))

"""The queries that measure: their answers are in the collection, and what reports is not what was tuned on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bot.search.phrases import phrase_key, script_language
from bot.search.text import words
from support.collection import ENTRIES, read

QUERIES = Path(__file__).parents[2] / "data/queries"


def lines(name: str) -> list[str]:
    return (QUERIES / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["polarity.jsonl", "rebuses.jsonl"])
def test_every_answer_is_in_the_collection(name: str) -> None:
    keys = {phrase_key(language, entry["phrase"]) for language, entries in ENTRIES.items() for entry in entries}
    for row in read(QUERIES / name):
        named = [row["gold"], *filter(None, [row.get("opposite")]), *row.get("also", ())]
        lacking = [text for text in named if phrase_key(script_language(text), text) not in keys]
        assert not lacking, row
        assert row["split"] in ("tuning", "report")
    assert max(Counter(row["query"] for row in read(QUERIES / name)).values()) == 1


def test_there_are_minimal_pairs_in_both_languages_and_splits() -> None:
    pairs = read(QUERIES / "polarity.jsonl")
    assert len(pairs) >= 300
    for split in ("tuning", "report"):
        languages = Counter(script_language(row["query"]) for row in pairs if row["split"] == split)
        assert min(languages["ru"], languages["en"]) >= 120
    split_of: dict[frozenset[str], set[str]] = {}
    for row in pairs:
        assert row["gold"] != row["opposite"]
        split_of.setdefault(frozenset((row["gold"], row["opposite"])), set()).add(row["split"])
    assert all(len(splits) == 1 for splits in split_of.values())


def test_fresh_lines_are_none_that_something_was_chosen_by() -> None:
    fresh = [" ".join(words(line)) for line in lines("report_offtopic.txt")]
    assert len(set(fresh)) >= 200
    known = {" ".join(words(line)) for name in ("dev_offtopic.txt", "tuning_offtopic.txt") for line in lines(name)}
    assert known.isdisjoint(fresh)
    assert sum(row["split"] == "report" for row in read(QUERIES / "rebuses.jsonl")) >= 60

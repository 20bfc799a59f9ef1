"""The Russian phrases that ship: what holds of them alone."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bot.search.text import words
from pipeline.data.corpus import read_corpus
from support.collection import DATA, ENTRIES, FILES, faulty, read

RUSSIAN = ENTRIES["ru"]
# First words of meanings that keep their capital.
NAMES = {"I", "Moscow", "Thursday"}


def starts_lower(text: str) -> bool:
    first = re.findall(r"\w+", text)[0]
    return first in NAMES or not first[0].isupper()


def test_there_are_enough_of_each_kind() -> None:
    kinds = Counter(entry["kind"] for entry in RUSSIAN)
    assert kinds["idiom"] >= 5000
    assert kinds["proverb"] >= 550
    assert kinds["quotation"] >= 350


def test_two_orders_of_the_same_words_are_one_entry() -> None:
    bags = Counter(" ".join(sorted(words(entry["phrase"]))) for entry in RUSSIAN)
    assert [bag for bag, count in bags.items() if count > 1] == []


def test_meanings_begin_small() -> None:
    assert faulty("ru", lambda entry: all(starts_lower(entry[name]) for name in ("meaning", "meaning_en"))) == []


def test_each_text_keeps_to_its_alphabet() -> None:
    russian = [text for e in RUSSIAN for text in (e["phrase"], e["meaning"], *e["examples"])]
    assert [text for text in russian if re.search("[a-zA-Z]", text)] == []
    english = ("meaning_en", "literal_en", "equivalents_en", "renderings_en", "examples_en")
    assert faulty("ru", lambda entry: not re.search("[а-яё]", str([entry.get(name) for name in english]).lower())) == []


def test_russian_quotes_are_angled() -> None:
    straight = re.compile("[\"“”„']")
    assert faulty("ru", lambda e: not straight.search(" ".join((e["phrase"], e["meaning"], *e["examples"])))) == []


@pytest.mark.parametrize("queries", ["dev", "tuning"])
def test_the_phrases_of_the_queries_are_entries(queries: str) -> None:
    phrases = {entry["phrase"] for entries in ENTRIES.values() for entry in entries}
    rows = read(DATA / f"queries/{queries}_queries.jsonl")
    assert {text for row in rows for text in (row["gold"], *row["also_ok"])} - phrases == set()


def test_both_shipped_files_are_read_together() -> None:
    russian = [phrase for phrase in read_corpus(list(FILES.values())) if phrase.language == "ru"]
    assert [(phrase.text, phrase.meanings, phrase.translations) for phrase in russian] == [
        (entry["phrase"], (entry["meaning"],), {"en": entry["meaning_en"]}) for entry in RUSSIAN
    ]

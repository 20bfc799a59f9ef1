"""The Russian phrases that ship: complete, of one style, and without two entries for one idiom."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.search.text import words
from pipeline.data.corpus import read_corpus

DATA = Path(__file__).resolve().parents[2] / "data"
ENTRIES: list[dict[str, Any]] = [
    json.loads(line) for line in (DATA / "idioms/ru.jsonl").read_text(encoding="utf-8").splitlines()
]
TOPICS = frozenset(
    """anger animals appearance attention body character clothes colours conflict danger death deception difficulty ease
    emotion failure family fear food friendship health home idleness intellect joy justice law life love luck money
    nature numbers people place poverty power pride quantity religion sadness secrecy similarity speech speed success
    surprise time travel truth uselessness war wealth weather work""".split()
)
VALUES = {
    "kind": {"idiom", "proverb", "quotation"},
    "register": {"neutral", "colloquial", "bookish", "dated", "vulgar"},
    "source": {"this project", "https://ru.wiktionary.org (edited)"},
}
REQUIRED = {"phrase", "meaning", "meaning_en", "topics", "kind", "register", "example", "source"}
TYPES = {
    **dict.fromkeys(REQUIRED | {"etymology"}, str),
    **dict.fromkeys(("topics", "equivalents_en", "variants", "scenes"), list),
}
# First words of meanings that keep their capital.
NAMES = {"Moscow"}
BRACKETS = {")": "(", "»": "«"}


def texts(entry: dict[str, Any]) -> list[str]:
    """Every text of an entry but its source."""
    return [
        text
        for name, value in entry.items()
        if name != "source"
        for text in (value if isinstance(value, list) else [value])
    ]


def faulty(holds: Callable[[dict[str, Any]], bool]) -> list[str]:
    """The phrases of the entries for which the rule does not hold."""
    return [entry["phrase"] for entry in ENTRIES if not holds(entry)]


def is_balanced(text: str) -> bool:
    opened: list[str] = []
    for character in text:
        if character in BRACKETS.values():
            opened.append(character)
        elif character in BRACKETS and (not opened or opened.pop() != BRACKETS[character]):
            return False
    return not opened and text.count('"') % 2 == 0


def starts_lower(text: str) -> bool:
    first = re.findall(r"\w+", text)[0]
    return first in NAMES or first[0].islower()


def test_there_are_enough_of_each_kind() -> None:
    kinds = Counter(entry["kind"] for entry in ENTRIES)
    assert len(ENTRIES) >= 2450
    assert kinds["idiom"] >= 2000
    assert kinds["proverb"] >= 340
    assert kinds["quotation"] >= 75


def test_every_entry_is_complete_and_typed() -> None:
    assert faulty(lambda entry: entry.keys() >= REQUIRED and all(entry.values())) == []
    assert faulty(lambda entry: all(isinstance(value, TYPES.get(name, ())) for name, value in entry.items())) == []


def test_values_are_the_known_ones() -> None:
    assert faulty(lambda entry: all(entry[name] in known for name, known in VALUES.items())) == []
    assert faulty(lambda entry: TOPICS.issuperset(entry["topics"])) == []


def test_every_wording_occurs_once() -> None:
    wordings = Counter(
        " ".join(words(text)) for entry in ENTRIES for text in (entry["phrase"], *entry.get("variants", []))
    )
    assert [wording for wording, count in wordings.items() if count > 1] == []


def test_two_orders_of_the_same_words_are_one_entry() -> None:
    bags = Counter(" ".join(sorted(words(entry["phrase"]))) for entry in ENTRIES)
    assert [bag for bag, count in bags.items() if count > 1] == []


def test_lists_repeat_nothing() -> None:
    lists = ("topics", "equivalents_en", "variants")
    assert faulty(lambda entry: all(len({*map(str.lower, v)}) == len(v) for n, v in entry.items() if n in lists)) == []


def test_meanings_begin_small_and_end_without_a_stop() -> None:
    meanings = ("meaning", "meaning_en")
    assert faulty(lambda entry: all(starts_lower(entry[name]) for name in meanings)) == []
    assert faulty(lambda entry: not any(entry[name].endswith((".", ";", ",", ":", "!")) for name in meanings)) == []


def test_examples_and_etymologies_are_sentences() -> None:
    sentence = re.compile(r"[«—\s]*[А-ЯЁ0-9].*[.!?…]»?", re.DOTALL)
    assert faulty(lambda entry: bool(sentence.fullmatch(entry["example"]))) == []
    assert faulty(lambda entry: "etymology" not in entry or bool(sentence.fullmatch(entry["etymology"]))) == []


def test_each_text_keeps_to_its_alphabet() -> None:
    russian = ("phrase", "meaning", "example", "etymology")
    assert faulty(lambda entry: not any(re.search("[a-zA-Z]", entry[n]) for n in russian[:3])) == []
    english = [*(entry["meaning_en"] for entry in ENTRIES), *(e for x in ENTRIES for e in x.get("equivalents_en", []))]
    assert [text for text in english if re.search("[а-яё]", text.lower())] == []
    mixed = re.compile(r"[a-z][а-яё]|[а-яё][a-z]", re.IGNORECASE)
    assert faulty(lambda entry: not any(map(mixed.search, texts(entry)))) == []


def test_brackets_and_quotes_are_balanced() -> None:
    assert faulty(lambda entry: all(map(is_balanced, texts(entry)))) == []
    assert faulty(lambda entry: not re.search("[\"“”„']", entry["phrase"] + entry["meaning"] + entry["example"])) == []


def test_spaces_and_characters_are_clean() -> None:
    stray = re.compile(r"\s\s|^\s|\s$|[^\S ]|\s[,.;:!?)»]|[(«]\s|[\u0300\u0301\u00ad\u200b\ufeff]| - ")
    assert faulty(lambda entry: not any(map(stray.search, texts(entry)))) == []
    assert faulty(lambda entry: all(unicodedata.is_normalized("NFC", text) for text in texts(entry))) == []


@pytest.mark.parametrize("name", ["gold", "also_ok"])
def test_the_phrases_of_the_queries_are_entries(name: str) -> None:
    phrases = {entry["phrase"] for entry in ENTRIES}
    queries = [
        json.loads(line) for line in (DATA / "queries/dev_queries.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    wanted = {text for query in queries for text in ([query[name]] if name == "gold" else query[name])}
    assert wanted
    assert wanted - phrases == set()


def test_both_shipped_files_are_read_together() -> None:
    phrases = read_corpus([DATA / "idioms/ru.jsonl", DATA / "idioms/en.jsonl"])
    russian = [phrase for phrase in phrases if phrase.language == "ru"]
    assert [(phrase.text, phrase.meanings, phrase.translations) for phrase in russian] == [
        (entry["phrase"], (entry["meaning"],), {"en": entry["meaning_en"]}) for entry in ENTRIES
    ]
    assert any(phrase.language == "en" for phrase in phrases)

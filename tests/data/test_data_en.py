"""The English phrases that ship: real idioms, of one style, and without two entries for one idiom."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.data.corpus import read_corpus

FILE = Path(__file__).resolve().parents[2] / "data/idioms/en.jsonl"
ENTRIES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
CURATED = [entry for entry in ENTRIES if "meaning_ru" in entry]
PHRASES = {entry["phrase"] for entry in ENTRIES}
WORDINGS = [text for entry in ENTRIES for text in (entry["phrase"], *entry.get("variants", []))]
TEXT_FIELDS = {"phrase", "meaning_ru", "kind", "register", "example", "etymology", "source"}
LIST_FIELDS = {"meanings", "equivalents_ru", "variants", "topics", "scenes"}
TOPICS = frozenset(
    """anger animals appearance attention body character clothes colours conflict danger death deception difficulty ease
    emotion failure family fear food friendship health home idleness intellect joy justice law life love luck money
    nature numbers people place poverty power pride quantity religion sadness secrecy similarity speech speed success
    surprise time travel truth uselessness war wealth weather work""".split()
)
# Words of senses that keep their capital; any other one is the beginning of a second sentence.
NAMES = frozenset(
    """America American Atlantic Australia British Central Communist Communists Devil English God I Indies Internet
    Ocean States Sunday United West""".split()
)
# Words that make no other idiom of a phrase, whichever of them is used.
FILLERS = {"a", "an", "the"}
OWNERS = {"ones", "someones", "somebodys", "your", "my", "his", "her", "their", "our"}
SPELLINGS = {"gray": "grey", "honor": "honour", "neighbor": "neighbour", "tire": "tyre", "upon": "on"}
# Pairs that only such a word sets apart, and that nevertheless mean different things.
DIFFERENT = {
    frozenset(pair)
    for pair in (
        ("change one's mind", "change someone's mind"),
        ("draw a line", "draw the line"),
        ("in a state", "in state"),
        ("read my lips", "read someone's lips"),
        ("take a stand", "take the stand"),
    )
}


def senses_like(pattern: str) -> list[tuple[str, str]]:
    """The senses in which the pattern occurs, with their phrases."""
    found = re.compile(pattern)
    return [(entry["phrase"], sense) for entry in ENTRIES for sense in entry["meanings"] if found.search(sense)]


def faulty(holds: Callable[[dict[str, Any]], bool]) -> list[str]:
    """The phrases of the entries for which the rule does not hold."""
    return [entry["phrase"] for entry in ENTRIES if not holds(entry)]


def texts(entry: dict[str, Any]) -> list[str]:
    """Every text of an entry but its source."""
    return [
        text
        for name, value in entry.items()
        if name != "source"
        for text in (value if isinstance(value, list) else [value])
    ]


def folded(text: str) -> str:
    """Lower case, without accents, punctuation and hyphens."""
    plain = unicodedata.normalize("NFKD", text.lower()).replace("'", "")
    return " ".join(re.sub(r"[^\w\s]", " ", re.sub(r"[\u0300-\u036f]", "", plain)).split())


def skeleton(phrase: str) -> str:
    """What is left of a phrase when articles, owners, spelling and hyphens do not count."""
    kept = [word for word in folded(phrase).split() if word not in FILLERS]
    return "".join("ones" if word in OWNERS else SPELLINGS.get(word, word) for word in kept)


def is_balanced(text: str) -> bool:
    opened: list[str] = []
    for character in text:
        if character in "([":
            opened.append(character)
        elif character in ")]" and (not opened or opened.pop() + character not in ("()", "[]")):
            return False
    return not opened and text.count('"') % 2 == 0


# Form


def test_there_are_enough_and_the_reader_takes_them() -> None:
    assert 4500 <= len(ENTRIES) <= 6000
    assert [phrase.text for phrase in read_corpus([FILE])] == [entry["phrase"] for entry in ENTRIES]


def test_fields_are_known_typed_and_filled() -> None:
    assert faulty(lambda entry: entry.keys() >= {"phrase", "meanings", "source"}) == []
    assert faulty(lambda entry: entry.keys() <= TEXT_FIELDS | LIST_FIELDS) == []
    assert faulty(lambda entry: all(isinstance(v, list if n in LIST_FIELDS else str) for n, v in entry.items())) == []
    assert faulty(lambda entry: all(entry.values()) and all(texts(entry))) == []


def test_values_are_the_known_ones() -> None:
    assert faulty(lambda entry: TOPICS.issuperset(entry.get("topics", []))) == []
    assert {entry["kind"] for entry in ENTRIES if "kind" in entry} == {"idiom", "proverb", "quotation"}
    assert {entry["register"] for entry in ENTRIES if "register" in entry} <= {
        "neutral", "colloquial", "bookish", "dated", "vulgar",
    }  # fmt: skip
    wiktionary = "https://en.wiktionary.org/wiki/"
    assert faulty(lambda e: e["source"] == "this project" or e["source"].startswith(wiktionary)) == []


def test_curated_entries_come_first_and_the_rest_in_alphabetical_order() -> None:
    assert ENTRIES[: len(CURATED)] == CURATED
    rest = [(folded(entry["phrase"]), entry["phrase"]) for entry in ENTRIES[len(CURATED) :]]
    assert rest == sorted(rest)


# One idiom, one entry


def test_every_wording_occurs_once() -> None:
    assert [wording for wording, count in Counter(map(folded, WORDINGS)).items() if count > 1] == []


def test_articles_owners_and_spelling_make_no_second_entry() -> None:
    alike: dict[str, list[str]] = {}
    for phrase in PHRASES:
        alike.setdefault(skeleton(phrase), []).append(phrase)
    assert [pair for pair in alike.values() if len(pair) > 1 and frozenset(pair) not in DIFFERENT] == []


@pytest.mark.parametrize(
    ("phrase", "variant"),
    [
        ("too many cooks spoil the broth", "too many cooks spoils the broth"),
        ("time will tell", "only time will tell"),
        ("all cats are grey in the dark", "all cats are gray in the dark"),
        ("great minds think alike", "great minds"),
    ],
)
def test_mere_variants_are_kept_as_variants(phrase: str, variant: str) -> None:
    assert [entry["phrase"] for entry in ENTRIES if variant in entry.get("variants", [])] == [phrase]


def test_no_entry_repeats_a_sense() -> None:
    assert faulty(lambda entry: len(set(map(folded, entry["meanings"]))) == len(entry["meanings"])) == []


# Clean text


def test_no_word_mixes_alphabets() -> None:
    mixed = re.compile(r"[a-z][а-яё]|[а-яё][a-z]", re.IGNORECASE)
    assert faulty(lambda entry: not any(map(mixed.search, texts(entry)))) == []
    english = ("phrase", "meanings", "variants", "example", "etymology")
    assert faulty(lambda entry: not re.search("[а-яё]", str([entry.get(name) for name in english]).lower())) == []


def test_brackets_and_quotes_are_balanced() -> None:
    assert faulty(lambda entry: all(map(is_balanced, texts(entry)))) == []


def test_no_markup_is_left() -> None:
    markup = re.compile(r"\{|\}|\[|\]|<|>|\||''|&#?\w+;|https?:|→|OCLC|ISSN|\(\s*\)")
    assert faulty(lambda entry: not any(map(markup.search, texts(entry)))) == []


def test_spaces_are_clean() -> None:
    stray = re.compile(r"\s\s|^\s|\s$|[^\S ]|\s[,.;:!?)]|\(\s|[\u00ad\u200b\u200e\ufeff]")
    assert faulty(lambda entry: not any(map(stray.search, texts(entry)))) == []


# Senses that are senses


def test_senses_are_few_and_short() -> None:
    assert faulty(lambda entry: 1 <= len(entry["meanings"]) <= 4) == []
    assert senses_like(r"^.{0,3}$") + senses_like(r"^.{201}") == []


def test_senses_begin_small_and_end_without_a_stop() -> None:
    capitals = {word for _, sense in senses_like("[A-Z]") for word in re.findall(r"\b[A-Z]\w*", sense)}
    assert capitals - NAMES == set()
    assert [found for found in senses_like(r"[.,;:]$") if not found[1].endswith("etc.")] == []


def test_senses_begin_without_a_usage_label() -> None:
    assert senses_like(r"^\(") == []
    assert senses_like(r"(?i)\((idiomatic|transitive|intransitive|figurative(ly)?|by extension|slang|informal)\b") == []


def test_senses_carry_no_example_or_citation() -> None:
    assert [found for found in senses_like(r"\w\w\. ") if "etc. " not in found[1]] == []
    assert senses_like(r"(?i)\bfor (example|instance)\b|\be\.g\.") == []
    assert senses_like(r"\b(1[5-9]|20)\d\d\b") == []


def test_senses_explain_and_do_not_point_elsewhere() -> None:
    names = "synonym|antonym|spelling|misspelling|ellipsis|clipping|abbreviation|initialism|participle|plural"
    forms = "alternative|archaic|dated|emphatic|extended|inflected|obsolete|rare|standard"
    assert senses_like(rf"(?i)\b({names})s? of\b|\b({forms}) form of\b|^short for\b") == []
    assert senses_like(r"(?i)^see\b|\bsee also\b|thesaurus|\bsense \d") == []


def test_literal_senses_are_gone() -> None:
    assert senses_like(r"(?i)other than figuratively|^literally\b") == []


# What is in and what is not


@pytest.mark.parametrize(
    "phrase",
    [
        "energy level", "cylinder head", "red wine", "white wine", "sour cherry", "power supply", "third person",
        "culpable homicide", "significance level", "water closet", "older sister", "top edge", "project management",
    ],
)  # fmt: skip
def test_plain_compounds_and_terms_are_not_idioms(phrase: str) -> None:
    assert phrase not in WORDINGS


def test_curated_entries_are_complete_on_both_sides() -> None:
    whole = TEXT_FIELDS - {"etymology"} | {"meanings", "topics"}
    assert [entry["phrase"] for entry in CURATED if not entry.keys() >= whole] == []
    assert [entry["phrase"] for entry in CURATED if not re.search("[а-яё]", entry["meaning_ru"])] == []
    assert len(CURATED) >= 900
    assert sum("equivalents_ru" in entry for entry in CURATED) >= 800


@pytest.mark.parametrize(
    "phrase",
    [
        "absence makes the heart grow fonder", "actions speak louder than words", "a piece of cake",
        "beat around the bush", "bite the bullet", "break the ice", "call it a day", "cut corners",
        "don't count your chickens before they're hatched", "every cloud has a silver lining",
        "hit the nail on the head", "kick the bucket", "let the cat out of the bag", "once in a blue moon",
        "the tip of the iceberg",
        "under the weather", "spill the beans", "with a grain of salt", "black sheep", "white elephant",
        "kill two birds with one stone", "Rome wasn't built in a day", "pull someone's leg", "read between the lines",
        "speak of the devil", "rain cats and dogs", "when pigs fly", "let sleeping dogs lie", "break a leg",
    ],
)  # fmt: skip
def test_well_known_idioms_are_curated(phrase: str) -> None:
    wordings = {skeleton(text) for entry in CURATED for text in (entry["phrase"], *entry.get("variants", []))}
    assert skeleton(phrase) in wordings

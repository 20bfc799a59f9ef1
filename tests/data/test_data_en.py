"""The English phrases that ship: real idioms, of one style, and without two entries for one idiom."""

from __future__ import annotations

import re
import unicodedata

import pytest

from support.collection import ENTRIES, faulty, wordings

ENGLISH = ENTRIES["en"]
PHRASES = {entry["phrase"] for entry in ENGLISH}
WORDINGS = [text for entry in ENGLISH for text in wordings(entry)]
# First words of senses that keep their capital.
NAMES = {"I", "God", "English", "British", "American", "Wall", "Christmas", "Latin", "Hamlet", "Shakespeare"}
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
    return [(entry["phrase"], sense) for entry in ENGLISH for sense in entry["meanings"] if found.search(sense)]


def folded(text: str) -> str:
    """Lower case, without accents, punctuation and hyphens."""
    plain = unicodedata.normalize("NFKD", text.lower()).replace("'", "")
    return " ".join(re.sub(r"[^\w\s]", " ", re.sub(r"[\u0300-\u036f]", "", plain)).split())


def skeleton(phrase: str) -> str:
    """What is left of a phrase when articles, owners, spelling and hyphens do not count."""
    kept = [word for word in folded(phrase).split() if word not in FILLERS]
    return "".join("ones" if word in OWNERS else SPELLINGS.get(word, word) for word in kept)


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
    assert [entry["phrase"] for entry in ENGLISH if variant in entry.get("variants", [])] == [phrase]


def test_no_entry_repeats_a_sense() -> None:
    assert faulty("en", lambda entry: len(set(map(folded, entry["meanings"]))) == len(entry["meanings"])) == []


def test_english_texts_have_no_cyrillic_letters() -> None:
    english = ("phrase", "meanings", "variants", "examples", "etymology")
    assert faulty("en", lambda entry: not re.search("[а-яё]", str([entry.get(name) for name in english]).lower())) == []


# Senses that are senses


def test_senses_are_few_and_short() -> None:
    assert faulty("en", lambda entry: 1 <= len(entry["meanings"]) <= 4) == []
    assert senses_like(r"^.{0,3}$") + senses_like(r"^.{201}") == []


def test_senses_begin_small_unless_with_a_name() -> None:
    first = {re.findall(r"[\w']+", sense)[0] for _, sense in senses_like('^["(]?[A-Z]')}
    assert first - NAMES == set()


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
def test_well_known_idioms_are_in(phrase: str) -> None:
    wordings = {skeleton(text) for entry in ENGLISH for text in (entry["phrase"], *entry.get("variants", []))}
    assert skeleton(phrase) in wordings

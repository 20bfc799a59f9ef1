"""What holds of the entries of both languages: complete, of one style, and each idiom once."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest

from bot.search.phrases import phrase_key
from bot.search.relations import NONE
from bot.search.text import words
from pipeline.data.corpus import read_corpus
from pipeline.index.relations import named
from support.collection import ENTRIES, FILES, OTHER, Entry, balanced, faulty, texts, wordings

TOPICS = frozenset(
    """anger animals appearance attention body character clothes colours conflict danger death deception difficulty ease
    emotion failure family fear food friendship health home idleness intellect joy justice law life love luck money
    nature numbers people place poverty power pride quantity religion sadness secrecy similarity speech speed success
    surprise time travel truth uselessness war wealth weather work""".split()
)
KNOWN: dict[str, set[str | int]] = {
    "kind": {"idiom", "proverb", "quotation"},
    "register": {"neutral", "colloquial", "bookish", "dated", "vulgar"},
    "common": {1, 2, 3, 4, 5},
}
OWN = {"ru": {"stressed", "literal_en", "meaning"}, "en": {"meanings"}}
"""Columns of one language alone."""
EVERY = {"phrase", "topics", "kind", "register", "common", "examples", "scenes", "source"}
SOME = {"opposites", "variants", "etymology"}
SOME_TRANSLATED = {"equivalents", "renderings", "examples", "usage"}
LISTS = re.compile(r"(meanings|equivalents|renderings|opposites|variants|topics|examples|scenes)(_\w\w)?")
SENTENCE = re.compile(r"[«\"'—…\s]*[A-ZА-ЯЁ0-9].*[.!?…][»\"']?", re.DOTALL)
SOURCE = re.compile(r"this project|https://ru\.wiktionary\.org \(edited\)|https://en\.wiktionary\.org/wiki/\S+")
PHRASES = read_corpus(list(FILES.values()))
KEYS = {phrase.key for phrase in PHRASES}
both = pytest.mark.parametrize("language", ENTRIES)


def usual(entry: Entry) -> bool:
    return bool(entry["common"] >= 3)


@both
def test_every_entry_is_complete_typed_and_of_known_values(language: str) -> None:
    other = OTHER[language]
    required = EVERY | OWN[language] | {f"meaning_{other}"}
    known = required | SOME | {f"{name}_{other}" for name in SOME_TRANSLATED}
    assert faulty(language, lambda entry: required <= set(entry) <= known) == []
    typed = {name: list if LISTS.fullmatch(name) else str for name in known} | {"common": int}
    assert faulty(language, lambda entry: all(isinstance(value, typed[name]) for name, value in entry.items())) == []
    assert faulty(language, lambda entry: all(entry.values()) and all(texts(entry))) == []
    assert faulty(language, lambda entry: all(entry[name] in values for name, values in KNOWN.items())) == []
    assert faulty(language, lambda entry: TOPICS.issuperset(entry["topics"]) and len(entry["topics"]) <= 4) == []
    assert faulty(language, lambda entry: bool(SOURCE.fullmatch(entry["source"]))) == []


def test_there_are_enough() -> None:
    assert len(ENTRIES["ru"]) >= 6500
    assert len(ENTRIES["en"]) >= 5700


@both
def test_the_entries_stand_in_alphabetical_order(language: str) -> None:
    order = [re.sub(r"[^\w ]", "", entry["phrase"].lower().replace("ё", "е")) for entry in ENTRIES[language]]
    assert order == sorted(order)


@both
def test_every_wording_occurs_once(language: str) -> None:
    found = Counter(" ".join(words(text)) for entry in ENTRIES[language] for text in wordings(entry))
    assert [wording for wording, count in found.items() if count > 1] == []


@both
def test_lists_repeat_nothing(language: str) -> None:
    lists = [[text.lower() for text in v] for e in ENTRIES[language] for v in e.values() if isinstance(v, list)]
    assert [one for one in lists if len(set(one)) < len(one)] == []


# For learners


@both
def test_what_people_use_has_two_translated_examples(language: str) -> None:
    translated = f"examples_{OTHER[language]}"
    assert faulty(language, lambda e: len(e["examples"]) == len(e.get(translated) or e["examples"])) == []
    assert faulty(language, lambda e: not usual(e) or len(e.get(translated) or ()) >= 2) == []


@both
def test_examples_notes_and_origins_are_sentences(language: str) -> None:
    other = OTHER[language]
    sentences = [
        *((e["phrase"], text) for e in ENTRIES[language] for text in e["examples"] + e.get(f"examples_{other}", [])),
        *((e["phrase"], e[n]) for e in ENTRIES[language] for n in ("etymology", f"usage_{other}") if n in e),
    ]
    assert [one for one in sentences if not SENTENCE.fullmatch(one[1])] == []


def test_stress_marks_stand_on_vowels_and_change_nothing_else() -> None:
    assert faulty("ru", lambda entry: entry["stressed"].replace("\u0301", "") == entry["phrase"]) == []
    assert faulty("ru", lambda entry: not re.search("(?<![аеиоуыэюяАЕИОУЫЭЮЯ])\u0301", entry["stressed"])) == []


def test_a_word_of_several_syllables_has_one_stress() -> None:
    """Unless it has ё, which is stressed, or is a preposition, or its stress has gone to the word before it."""

    def holds(entry: Entry) -> bool:
        before = ""
        for word in re.findall("[\\w\u0301]+", entry["stressed"]):
            marks, vowels = word.count("\u0301"), len(re.findall("[аеёиоуыэюя]", word.lower()))
            expected = 0 if "ё" in word.lower() or word in ("изо", "перед", "передо") else 1
            moved = "\u0301" in before and len(before) <= 5
            if vowels > 1 and marks != expected and not (moved and not marks):
                return False
            before = word
        return True

    # A compound with a stress and a half, and a word whose stress has gone further back.
    others = {"крыть трёхэтажным матом", "не с чего, так с бубен"}
    assert set(faulty("ru", holds)) == others


# What entries have to do with each other


def test_equivalents_and_opposites_are_entries() -> None:
    lost = [
        (phrase.text, text)
        for phrase in PHRASES
        for language, of in (*phrase.equivalents.items(), (phrase.language, phrase.opposites))
        for text in of
        if phrase_key(language, text) not in KEYS
    ]
    assert lost == []


def test_most_of_what_people_use_has_an_equivalent() -> None:
    found = named(PHRASES, "equivalent").max(axis=1) != NONE
    for language in ENTRIES:
        used = [row for row, one in enumerate(PHRASES) if one.language == language and one.common >= 3]
        assert found[used].mean() >= 0.6


def test_many_have_an_opposite_that_is_no_equivalent() -> None:
    found = named(PHRASES, "opposite").max(axis=1) != NONE
    languages = Counter(PHRASES[row].language for row in found.nonzero()[0])
    assert languages["ru"] >= 800 and languages["en"] >= 600
    assert [phrase.text for phrase in PHRASES if phrase.text in phrase.opposites] == []


def test_the_wrong_equivalents_that_people_found_are_gone() -> None:
    wrong = [
        ("en", "spill the beans", "держать язык за зубами"),
        ("en", "make headway", "топтаться на месте"),
        ("en", "cheap as chips", "стоить целое состояние"),
        ("en", "wear the trousers", "под каблуком"),
        ("en", "learn to walk before you can run", "лезть вперёд батьки в пекло"),
    ]
    for language, phrase, other in wrong:
        entry = next((one for one in PHRASES if one.language == language and one.text == phrase), None)
        back = next((one for one in PHRASES if one.language == OTHER[language] and one.text == other), None)
        assert entry is None or other not in entry.equivalents.get(OTHER[language], ())
        assert back is None or phrase not in back.equivalents.get(language, ())


# Origins


def test_quotations_name_their_source_and_many_origins_are_told() -> None:
    for language in ENTRIES:
        assert faulty(language, lambda entry: entry["kind"] != "quotation" or "etymology" in entry) == []
    assert sum("etymology" in entry for entry in ENTRIES["ru"]) >= 800
    assert sum("etymology" in entry for entry in ENTRIES["en"]) >= 600


def test_every_topic_has_its_proverbs() -> None:
    found = {topic for entries in ENTRIES.values() for e in entries if e["kind"] == "proverb" for topic in e["topics"]}
    assert found >= TOPICS - {"colours"}  # no proverb is about colours by its meaning


# Clean text


@both
def test_texts_are_clean(language: str) -> None:
    stray = re.compile(r"\s\s|^\s|\s$|[^\S ]|\s[,.;:!?)»]|[(«]\s|[\u0300\u0301\u00ad\u200b\u200e\ufeff]| - ")
    markup = re.compile(r"\{|\}|\[|\]|<|>|\||''|&#?\w+;|https?:|→|OCLC|ISSN|\(\s*\)")
    mixed = re.compile(r"[a-z][а-яё]|[а-яё][a-z]", re.IGNORECASE)
    for pattern in (stray, markup, mixed):
        assert [text for e in ENTRIES[language] for text in texts(e) if pattern.search(text)] == []
    assert [text for e in ENTRIES[language] for text in texts(e) if not unicodedata.is_normalized("NFC", text)] == []
    assert faulty(language, lambda e: all(balanced(text, {")": "(", "]": "[", "»": "«"}) for text in texts(e))) == []


@both
def test_meanings_end_without_a_stop(language: str) -> None:
    stop = (".", ";", ",", ":", "!")
    senses = [
        text
        for e in ENTRIES[language]
        for text in (*e.get("meanings", ()), e.get("meaning", ""), e[f"meaning_{OTHER[language]}"])
    ]
    assert [text for text in senses if text.endswith(stop) and not text.endswith(("etc.", "и т. п.", "и т. д."))] == []

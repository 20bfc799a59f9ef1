"""Reading a query: the question around it, quotation marks, stars."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.search.text import fold, words
from bot.search.understand.questions import Wildcards, read_query

DATA = Path(__file__).parents[2] / "data"


def entries(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


IDIOMS = entries("idioms/ru.jsonl") + entries("idioms/en.jsonl")

# The question around a meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Как сказать, когда опоздал с решением", "опоздал с решением"),
        ("как сказать что Пётр устал", "петр устал"),
        ("как бы сказать: устал", "устал"),
        ("как ещё говорят о лентяях", "лентяях"),
        ("что сказать, если опоздал", "опоздал"),
        ("как называется, если человек ленится", "человек ленится"),
        ("каким словом назвать лентяя", "лентяя"),
        ("как одним словом назвать того, кто врёт", "того, кто врет"),
        ("идиома про идиомы", "идиомы"),
        ("фразеологизм о лени", "лени"),
        ("поговорка или пословица про лень", "лень"),
        ("русская пословица, когда поздно", "поздно"),
        ("идиома про то, что надо спешить", "надо спешить"),
        ("есть ли выражение для случая, когда всё плохо", "все плохо"),
        ("Привет! Подскажите, пожалуйста, фразу, которая означает лень", "лень"),
        ("человек ленится, как это называется?", "человек ленится"),
        ("человек ленится, что это за идиома", "человек ленится"),
        ("лень, есть такая поговорка?", "лень"),
        ("идиома про лень, как это назвать?", "лень"),
        ("What's the idiom for being late?", "being late?"),
        ("what is a good saying for when someone lies", "someone lies"),
        ("is there an expression that means being late", "being late"),
        ("Hi, I'm looking for an idiom about laziness", "laziness"),
        ("a saying for lazy people", "lazy people"),
        ("word for someone who lies", "someone who lies"),
        ("how do you say that he is lazy", "he is lazy"),
        ("what do you call someone who lies", "someone who lies"),
        ("what’s it called when it rains", "it rains"),
        ("being late, what's the expression for that?", "being late"),
        ("being late idiom, please", "being late"),
    ],
)
def test_a_question_leaves_its_meaning(text: str, meaning: str) -> None:
    assert read_query(text).meaning == meaning


@pytest.mark.parametrize(
    "text",
    [
        "как сказать",
        "как говорится",
        "легко сказать",
        "слово не воробей",
        "word for word",
        "so to speak",
        "it goes without saying",
        "how do you say that in french?",
        "идиома",
        "как это называется?",
        "i'm looking for trouble",
        "не знаю, как сказать",
        "",
        "?!",
    ],
)
def test_what_is_no_question_stays(text: str) -> None:
    assert read_query(text).meaning == text


def test_no_phrase_and_no_meaning_of_the_collection_is_cut() -> None:
    texts = [text for entry in IDIOMS for name in ("phrase", "meaning", "meaning_en") if (text := entry.get(name))]
    assert len(texts) > 10_000
    assert [text for text in texts if words(read_query(text).meaning) != words(text)] == []


def test_of_the_dev_queries_only_questions_are_cut() -> None:
    queries = [entry[language] for entry in entries("queries/dev_queries.jsonl") for language in ("ru", "en")]
    cut = [query for query in queries if read_query(query).meaning != fold(query)]
    asking = re.compile("(?:как (?:сказать|назвать)|идиома|фразеологизм|пословица|поговорка|выражение) ")
    assert cut == [query for query in queries if asking.match(query)]
    assert len(cut) == 21


# Quotation marks


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("идиома «Бить баклуши»", ("бить баклуши",)),
        ('the one with "bucket" and "kick"', ("bucket", "kick")),
        ("„в ус“ и “не дуть”", ("в ус", "не дуть")),
        ("don't look a gift horse in the mouth, it's rude", ()),
        ('одна " кавычка и пустые «!»', ()),
    ],
)
def test_quoted_parts_are_wanted_in_the_phrase(text: str, quoted: tuple[str, ...]) -> None:
    assert read_query(text).quoted == quoted


# Stars

PHRASES = [
    "бить баклуши",
    "бить ключом",
    "бросать слова на ветер",
    "ветер в голове",
    "биться как рыба об лёд",
    "elephant in the room",
    "the fly in the ointment",
    "забить гол",
]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("бить *", [0, 1]),
        ("* на ветер", [2]),
        ("* ветер", [2, 3]),
        ("бакл*", [0]),
        ("*клуши", [0]),
        ("*итьс*", [4]),
        ("б*ть к*м", [1]),
        ("биться * лед", [4]),
        ("Биться * ЛЁД!", [4]),
        ("the * in the room", [5]),
        ("the fly * ointment", [6]),
        ("* in * the *", [5, 6]),
        ("идиома про бить *", [0, 1]),
        ("что-то вроде «на *тер»", [2]),
        ("баклуши * бить", []),
        ("b(*.|[a", []),
    ],
)
def test_a_star_stands_for_words_or_letters(text: str, rows: list[int]) -> None:
    pattern = read_query(text).pattern
    assert pattern is not None
    assert Wildcards(PHRASES).rows(pattern) == rows


@pytest.mark.parametrize("text", ["бить баклуши", "*", "* * *", "the *", "", "a * " * 7, "слово " * 20 + "*"])
def test_no_star_nothing_but_stars_or_too_much_is_no_pattern(text: str) -> None:
    assert read_query(text).pattern is None


def test_a_phrase_without_words_keeps_its_place() -> None:
    pattern = read_query("бить*").pattern
    assert pattern is not None
    assert Wildcards(["!", "бить", ""]).rows(pattern) == [1]


@given(
    st.lists(st.text("ab*", min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(st.lists(st.text("ab", min_size=1, max_size=5), max_size=6).map(" ".join), max_size=5),
)
def test_a_pattern_finds_what_a_plain_one_would(chunks: list[str], phrases: list[str]) -> None:
    text = " ".join(["b", *chunks])
    pattern = read_query(text).pattern
    if pattern is not None:
        plain = "".join(
            r"(?: \w+)*" if not chunk.strip("*") else " " + chunk.replace("*", r"\w*") for chunk in text.split()
        )
        expected = [row for row, phrase in enumerate(phrases) if re.search(rf"{plain}(?!\w)", f" {phrase}")]
        assert Wildcards(phrases).rows(pattern) == expected


# Anything

ASKED = [
    "как сказать",
    "когда",
    "идиома",
    "про",
    "what's the",
    "idiom",
    "for",
    "please",
    "лень",
    "«",
    '"',
    "*",
    ",",
    "?",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(ASKED)).map(" ".join)))
def test_any_text_can_be_read(text: str) -> None:
    query = read_query(text)
    assert query.meaning in fold(text)
    assert bool(words(query.meaning)) == bool(words(text))
    assert all(part in fold(text) and words(part) for part in query.quoted)
    if query.pattern is not None:
        assert "*" in text
        Wildcards(PHRASES).rows(query.pattern)

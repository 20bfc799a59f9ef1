"""Reading a query: the question around it, quotation marks, stars."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.search.retrieve.wildcards import Wildcards
from bot.search.text import fold, words
from bot.search.understand.analysis import Analyser, Analysis
from bot.search.understand.emoji import EmojiNames
from bot.search.understand.paradigms import readings
from bot.search.understand.questions import TABLE, Intent, expanded, small_talk, understood
from bot.search.understand.topics import NAMES, topics_called
from bot.search.understand.vocabulary import Vocabulary

DATA = Path(__file__).parents[2] / "data"


def entries(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


IDIOMS = entries("idioms/ru.jsonl") + entries("idioms/en.jsonl")

NO_EMOJI = EmojiNames({})
ANALYSER = Analyser(Vocabulary.build({}), NO_EMOJI)


def analyse(text: str) -> Analysis:
    return ANALYSER.analyse(text, exact=True)


# The question around a meaning


FRAMES = [frame for language in TABLE.values() for kind in ("leads", "trails") for frame in language.get(kind, ())]


@pytest.mark.parametrize(
    ("pattern", "text", "meaning"),
    [(frame["pattern"], text, meaning) for frame in FRAMES for text, meaning in frame["examples"]],
)
def test_a_question_leaves_its_meaning(pattern: str, text: str, meaning: str) -> None:
    assert understood(fold(text), naming=False).meaning == meaning
    assert re.search(expanded(pattern), fold(text))


def test_every_question_has_an_example() -> None:
    assert all(frame["examples"] for frame in FRAMES)
    assert sum(len(frame["examples"]) for frame in FRAMES) >= 30


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
    assert understood(text, naming=False).meaning == text


def test_no_phrase_and_no_meaning_of_the_collection_is_cut() -> None:
    texts = [text for entry in IDIOMS for name in ("phrase", "meaning", "meaning_en") if (text := entry.get(name))]
    assert len(texts) > 10_000
    assert [text for text in texts if words(understood(fold(text), naming=False).meaning) != words(text)] == []


def test_of_the_dev_queries_only_questions_are_cut() -> None:
    queries = [entry[language] for entry in entries("queries/dev_queries.jsonl") for language in ("ru", "en")]
    cut = [query for query in queries if understood(fold(query), naming=False).meaning != fold(query)]
    asking = re.compile("(?:как (?:сказать|назвать)|идиома|фразеологизм|пословица|поговорка|выражение) ")
    assert cut == [query for query in queries if asking.match(query)]
    assert len(cut) == 21


# Questions about something else than a meaning

QUESTIONS = [question for language in TABLE.values() for question in language["questions"]]
TALK = [talk for language in TABLE.values() for talk in language["small_talk"]]
LINES = [line for name in ("dev", "tuning") for line in entries(f"queries/{name}_queries.jsonl")]
QUERIES = [line[language] for line in LINES for language in ("ru", "en")]


@pytest.mark.parametrize(
    ("intent", "pattern", "example"),
    [(question["intent"], question["pattern"], example) for question in QUESTIONS for example in question["examples"]],
)
def test_a_question_says_what_is_asked_about_what(intent: str, pattern: str, example: list[str]) -> None:
    text, meaning, *wanted = example
    asked = understood(fold(text))
    assert (asked.meaning, asked.intent) == (meaning, intent)
    assert " ".join([*asked.languages, asked.kind]).split() == " ".join(wanted).split()
    assert re.search(expanded(pattern), fold(text))


def test_every_intent_has_examples_in_every_language() -> None:
    for language in TABLE.values():
        rows = [*language["questions"], *language["small_talk"]]
        assert all(row["examples"] for row in rows)
        assert {row["intent"] for row in rows} == {*get_args(Intent)} - {"meaning"}


@pytest.mark.parametrize(
    ("text", "languages", "meaning"),
    [
        ("What's the Russian idiom for being late?", ("ru",), "being late"),
        ("русская пословица, когда поздно", ("ru",), "поздно"),
        ("идиома про англичан", (), "англичан"),
        ("a Russian who drinks a lot", (), "a russian who drinks a lot"),
        ("like a Chinese whisper in English class", (), "like a chinese whisper in english class"),
        ("говорит вроде по-русски, а не понять", (), "говорит вроде по-русски, а не понять"),
    ],
)
def test_a_language_is_asked_for_around_the_meaning_only(text: str, languages: tuple[str, ...], meaning: str) -> None:
    query = analyse(text)
    assert (query.languages, query.tokens) == (languages, tuple(words(meaning)))


def test_who_asks_about_an_idiom_may_quote_it() -> None:
    query = analyse("что значит «бить баклуши»?")
    assert (query.intent, query.tokens, query.quoted) == ("explain", ("бить", "баклуши"), ())


def test_only_several_of_a_kind_are_asked_for_as_such() -> None:
    """Who looks for one saying often calls it by the name of another kind."""
    assert (understood("пословицы о лени").kind, understood("пословица о лени").kind) == ("proverb", "")


@pytest.mark.parametrize(("intent", "text"), [(talk["intent"], text) for talk in TALK for text in talk["examples"]])
def test_small_talk_is_understood(intent: str, text: str) -> None:
    assert analyse(text).intent == intent


@pytest.mark.parametrize(
    "text",
    ["привет, как по-английски ни пуха ни пера", "спасибо на хлеб не намажешь", "hello and goodbye", "кто ты такой?!"],
)
def test_small_talk_is_the_whole_text(text: str) -> None:
    assert analyse(text).intent not in ("greeting", "thanks")


def test_no_query_and_no_text_of_an_idiom_is_small_talk_or_a_question_about_something_else() -> None:
    own = [text for entry in IDIOMS for text in (entry["phrase"], *entry.get("variants", ()))]
    assert [text for text in [*own, *QUERIES] if small_talk(fold(text))] == []
    asked = {text: understood(fold(text), naming=False) for text in [*own, *QUERIES]}
    assert [text for text, question in asked.items() if question[1:] != ("meaning", (), "", False)] == []


@pytest.mark.parametrize(
    "repeated",
    ["как", "русские", "good", "популярные русские", "сказать", "идиомы и", "привет", "ку", "x по-русски", "перевод"],
)
def test_no_question_takes_long(repeated: str) -> None:
    text = f"{repeated} " * 100
    start = time.process_time()
    for length in (60, 300):
        understood(text[:length]), small_talk(text[:length])
    assert time.process_time() - start < 0.05


# Forms of words


@pytest.mark.parametrize(
    ("word", "forms", "others"),
    [
        ("рука", "руки руку руками рук", "рукав ручка"),
        ("кошкой", "кошка кошки кошек", "кот окошко"),
        ("конец", "конца концы концов", "конь"),
        ("день", "дня дней", "дно деньги"),
        ("чёрный", "черная черного", "чернила"),
        ("говорить", "говорит говорил говорят", "говор"),
        ("люди", "людей человек", "людный"),
        ("cat", "cats", "category catch"),
        ("dogs", "dog", "doge"),
        ("run", "runs running ran", "rune"),
        ("feet", "foot", "fee"),
        ("baby", "babies", "babe"),
    ],
)
def test_a_word_has_forms(word: str, forms: str, others: str) -> None:
    read = readings(fold(word))
    assert any(all(one.fullmatch(form) for form in forms.split()) for one in read)
    assert not [other for other in others.split() if any(one.fullmatch(other) for one in read)]


@pytest.mark.parametrize(
    ("word", "topic"),
    [("труде", "work"), ("друзьях", "friendship"), ("любви", "love"), ("animal", "animals"), ("деньгах", "money")],
)
def test_a_topic_is_called_by_its_names_in_any_form(word: str, topic: str) -> None:
    assert topics_called(word) == {topic}


def test_names_of_topics_are_of_topics() -> None:
    topics = {topic for entry in IDIOMS for topic in entry["topics"]}
    assert all(set(names) == topics for names in NAMES.values())


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
    assert analyse(text).quoted == quoted


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
WILDCARDS = Wildcards([phrase] for phrase in PHRASES)


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
    pattern = analyse(text).pattern
    assert pattern
    assert WILDCARDS.rows((), pattern) == rows


@pytest.mark.parametrize("text", ["бить баклуши", "*", "* * *", "the *", "", "a * " * 7, "слово " * 20 + "*"])
def test_no_star_nothing_but_stars_or_too_much_is_no_pattern(text: str) -> None:
    assert analyse(text).pattern == ()


def test_a_phrase_without_words_keeps_its_place() -> None:
    assert Wildcards([["!"], ["бить"], [""]]).rows((), analyse("бить*").pattern) == [1]


def test_a_phrase_is_found_by_its_variants_and_never_by_two_of_them_at_once() -> None:
    wildcards = Wildcards([["бить баклуши", "точить лясы"], ["точить нож"]])
    assert wildcards.rows((), ("точить", "*")) == [0, 1]
    assert wildcards.rows((), ("бить", "*", "лясы")) == []
    assert wildcards.rows(("точить", "баклуши"), ()) == [0]  # each quoted part may be in another of them
    assert wildcards.rows((), ()) == []


@given(
    st.lists(st.text("ab*", min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(st.lists(st.text("ab", min_size=1, max_size=5), max_size=6).map(" ".join), max_size=5),
)
def test_a_pattern_finds_what_a_plain_one_would(chunks: list[str], phrases: list[str]) -> None:
    text = " ".join(["b", *chunks])
    pattern = analyse(text).pattern
    if pattern:
        plain = "".join(
            r"(?: \w+)*" if not chunk.strip("*") else " " + chunk.replace("*", r"\w*") for chunk in text.split()
        )
        expected = [row for row, phrase in enumerate(phrases) if re.search(rf"{plain}(?!\w)", f" {phrase}")]
        assert Wildcards([phrase] for phrase in phrases).rows((), pattern) == expected


HOSTILE = ["*о*о*о*о*о*о", "о*о*о*о*о*о*б", "* * * * * б", "о* о* о* о* о* о*"]
LETTERS_AND_STARS = st.lists(st.text("оаеинт***", min_size=1, max_size=8), min_size=1, max_size=6).map(" ".join)
SHIPPED = Wildcards([entry["phrase"]] for entry in IDIOMS)


@settings(deadline=None)
@given(st.one_of(LETTERS_AND_STARS, st.sampled_from(HOSTILE)))
def test_no_pattern_takes_long(text: str) -> None:
    pattern = analyse(text).pattern
    start = time.process_time()
    SHIPPED.rows((), pattern)
    assert time.process_time() - start < 0.1


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


def test_half_a_surrogate_pair_is_no_word() -> None:
    assert ANALYSER.analyse("бить \ud800 баклуши").tokens == ("бить", "баклуши")


@given(st.one_of(st.text(), st.lists(st.sampled_from(ASKED)).map(" ".join)))
def test_any_text_can_be_read(text: str) -> None:
    meaning, query = understood(fold(text), naming=False).meaning, analyse(text)
    assert meaning in fold(text)
    assert bool(words(meaning)) == bool(words(text))
    assert list(query.tokens) == words(NO_EMOJI.replaced(meaning))
    assert all(part in NO_EMOJI.replaced(fold(text)) and words(part) for part in query.quoted)
    assert "*" in text or not query.pattern
    WILDCARDS.rows(query.quoted, query.pattern)


def test_most_small_talk_that_people_type_is_understood_and_no_word_that_they_search() -> None:
    lines = (DATA / "queries/smalltalk.tsv").read_text(encoding="utf-8").splitlines()
    kinds = {"greeting": {"greeting"}, "thanks": {"thanks"}, "about": {"who", "help"}}
    told = [small_talk(fold(text)) in kinds[kind] for kind, _, text in (line.split("\t") for line in lines)]
    assert sum(told) >= 0.95 * len(told)
    for word in (
        "здравомыслие",
        "здравый",
        "благодарность",
        "помощь",
        "человек",
        "робот",
        "morning",
        "evening",
        "tank",
    ):
        assert not small_talk(word)

"""Repair of queries: layouts, transliteration, look-alikes, typos; and that what is correct stays as it is."""

from __future__ import annotations

import json
import random
import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.search.text import words
from bot.search.understand.corrector import Corrector
from bot.search.understand.edits import neighbours, one_slip_apart
from bot.search.understand.layout import without_look_alikes
from bot.search.understand.vocabulary import Vocabulary
from pipeline.data.sources import DATA, DataFolder
from pipeline.evaluation import noise
from pipeline.index.vocabulary import vocabulary

QUERIES = [json.loads(line) for line in (DATA / "queries/dev_queries.jsonl").read_text(encoding="utf-8").splitlines()]
CLEAN = [query[language] for query in QUERIES for language in ("ru", "en")]


@pytest.fixture(scope="module")
def known() -> Vocabulary:
    """The words of what ships and of the queries."""
    data = DataFolder()
    taught = [text for pair in data.pairs("pairs") for text in pair]
    return vocabulary([*taught, *CLEAN], [], data)


@pytest.fixture(scope="module")
def repair(known: Vocabulary) -> Callable[[str], str]:
    return repairing(known)


def repairing(known: Vocabulary) -> Callable[[str], str]:
    corrector = Corrector(known)
    return lambda text: corrector.correct(text, words(text))


EXAMPLES = {
    # the other layout
    ",tpltkmybxfnm": "бездельничать",
    ";bd`n phz? ybxtuj gjckt ct,z yt jcnfdbn": "живёт зря, ничего после себя не оставит",
    "Ghbdtn!": "Привет!",
    "vs gjikb d ktc": "мы пошли в лес",
    "руддщ": "hello",
    "вщтэе цщккн": "don't worry",
    "как сказать ghbdtn": "как сказать привет",
    # Latin letters for Russian
    "skazal odno, a doshlo do druzey sovsem drugoe": "сказал одно, а дошло до друзей совсем другое",
    "toropilsja i vsjo isportil": "торопился и всё испортил",
    "4to delat'": "что делать",
    "problem so vremenem": "проблем со временем",
    "privet": "привет",
    "İ privet": "İ привет",  # in lower case it is "i" and a dot, and no letter of any alphabet
    # repeated letters and typos
    "оооочень хорошо": "очень хорошо",
    "soooo good": "so good",
    "погаворка про зваод": "поговорка про завод",
    "двацать лет": "двадцать лет",
    "Becuase of him": "Because of him",
    "wierd peple": "weird people",
    "немогу молчать": "не могу молчать",
}


@pytest.mark.parametrize(("typed", "meant"), EXAMPLES.items(), ids=list(EXAMPLES))
def test_examples(repair: Callable[[str], str], typed: str, meant: str) -> None:
    assert repair(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "?!", "🐟🛢️", "ёлка", "зелёный за́мок", "iPhone 12 не включается", "205/55 R16"),
        *("@durov_fan", "https://t.me/durof", "«погаворка»", '"becuase of"', "Это Зюзюкин", "дом x5"),
    ],
)
def test_what_is_no_fault_stays(repair: Callable[[str], str], text: str) -> None:
    assert repair(text) == text


def test_an_unseen_form_of_a_known_word_is_no_typo() -> None:
    counts = {"голова": 256.0}
    assert repairing(Vocabulary.build(counts))("голово") == "голова"
    assert repairing(Vocabulary.build(counts, ["ова>ово"]))("голово") == "голово"


def test_a_form_that_nobody_was_seen_to_use_is_no_typo_and_makes_no_other_word_one() -> None:
    counts = {"water": 2.0**20, "головой": 2.0**20}
    assert repairing(Vocabulary.build(counts))("головок wated") == "головой water"
    repair = repairing(Vocabulary.build({**counts, "головок": 1.0}, ["wok>waa"]))
    assert repair("головок wated") == "головок water"


def test_decomposed_letters_are_no_fault(repair: Callable[[str], str]) -> None:
    text = unicodedata.normalize("NFD", "лёгкий Зюзюкин")
    assert repair(text) == text


def test_what_nobody_types_takes_no_time(repair: Callable[[str], str]) -> None:
    start = time.perf_counter()
    for text in ("q" * 2000, "ж" * 2000, "xn" * 1000, '"' * 2000, "." * 1999 + "x", "хq" * 1000, "dbdb " * 400):
        repair(without_look_alikes(text))
    assert time.perf_counter() - start < 2


def test_clean_queries_stay(repair: Callable[[str], str]) -> None:
    assert [text for text in CLEAN if repair(text) != text] == []


def restored(repair: Callable[[str], str], pairs: list[tuple[str, str]]) -> float:
    """Share of the queries of which every word is as it was meant."""
    return sum(words(repair(typed)) == words(meant) for meant, typed in pairs) / len(pairs)


def test_noisy_queries_are_understood(repair: Callable[[str], str]) -> None:
    dice = random.Random(1)
    russian = [query["ru"] for query in QUERIES]
    assert restored(repair, [(text, noise.layout(text)) for text in CLEAN]) >= 0.98
    assert restored(repair, [(text, noise.translit(text, dice)) for text in russian]) >= 0.85
    assert restored(repair, [(text, noise.typo(text, dice)) for text in CLEAN]) >= 0.65


def test_noise_is_seeded() -> None:
    assert noise.layout("жуёт, что?") == ";e`n? xnj&"
    assert noise.layout("isn't it?") == "шытэе ше,"
    assert (
        noise.typo("из уст в уста", random.Random(3))
        == noise.typo("из уст в уста", random.Random(3))
        != "из уст в уста"
    )
    assert noise.typo("а и б", random.Random(3)) == "а и б"
    assert noise.translit("Щи", random.Random(1)) in ("Shchi", "Schi", "Wi")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cлoн", "слон"),
        ("hеllо", "hello"),
        ("c утра", "с утра"),
        ("plan c", "plan c"),
        ("что значит break a leg", "что значит break a leg"),
        ("xбокс", "хбокс"),
        ("git-коммит", "git-коммит"),
        ("zоопарк", "zоопарк"),
        ("ëлка", "ёлка"),
    ],
)
def test_look_alikes(typed: str, meant: str) -> None:
    assert without_look_alikes(typed) == meant


LETTERS = "абвг"


@given(st.text(LETTERS, min_size=1, max_size=6))
def test_neighbours_are_all_words_one_edit_away(word: str) -> None:
    everything = Vocabulary.build(dict.fromkeys(all_neighbours(word) | {word}, 1.0))
    assert {other for other, _ in neighbours(word, everything)} - {word} == all_neighbours(word) - {word}


def all_neighbours(word: str) -> set[str]:
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    dropped = {before + after[1:] for before, after in cuts if after}
    swapped = {before + after[1] + after[0] + after[2:] for before, after in cuts if len(after) > 1}
    replaced = {before + letter + after[1:] for before, after in cuts if after for letter in LETTERS}
    inserted = {before + letter + after for before, after in cuts for letter in LETTERS}
    return dropped | swapped | replaced | inserted


keys = st.text(
    st.one_of(st.sampled_from("абожэюё `[];',./?&^\"'4aehijnosty «»"), st.characters(codec="utf-8")), max_size=40
)


@settings(deadline=None, max_examples=300)
@given(text=st.one_of(keys, st.sampled_from(CLEAN).map(noise.layout)))
def test_repairing_twice_changes_nothing_more(repair: Callable[[str], str], text: str) -> None:
    once = repair(text)
    assert repair(once) == once
    assert without_look_alikes(without_look_alikes(text)) == without_look_alikes(text)


@given(st.text("абв ", max_size=6), st.text("абв ", max_size=6))
def test_one_slip_is_one_edit(one: str, other: str) -> None:
    splits = [(one[:place], one[place:]) for place in range(len(one) + 1)]
    edits = {one, *(a + b[1:] for a, b in splits), *(a + c + b for a, b in splits for c in "абв ")}
    edits |= {a + c + b[1:] for a, b in splits if b for c in "абв "}
    edits |= {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1}
    assert one_slip_apart(one, other) == (other in edits)

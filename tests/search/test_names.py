"""An idiom that is typed in its own words, or in a part of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.search.engine import SearchEngine
from bot.search.forms import roots
from bot.search.phrases import Phrase, phrase_key
from bot.search.relations import NONE, Relations, RowsByKey
from bot.search.retrieve.parts import covering, parts_index
from support.small import PHRASES, small_artifacts

IDLE, RAIN, FLY, CATS, THUMBS = (phrase.text for phrase in PHRASES)
OTHERS = [Phrase("зарядить надолго", "ru", ("о сильном дожде",)), Phrase("as dry as dust", "en", ("with no rain",))]


@pytest.fixture(scope="module")
def small() -> SearchEngine:
    """A person judged that an idiom of rain and one of idleness mean the same in both languages."""
    phrases = [*PHRASES, *OTHERS]
    artifacts = small_artifacts(phrases)
    curated, opposites = np.full((2, len(phrases), 1), NONE, np.int32)
    curated[[0, 1, 3, 4], 0] = [4, 3, 1, 0]
    opposites[[3, 6], 0] = [6, 3]
    artifacts.relations = replace(artifacts.relations, curated=curated, opposites=opposites)
    return SearchEngine(artifacts)


@pytest.mark.parametrize("query", [CATS, "raining cats and dogs", "cats and dogs rained", "rain cats dogs"])
@pytest.mark.parametrize("languages", [None, ("ru",), ("en", "ru")])
def test_a_named_idiom_is_first_and_its_counterpart_second(
    small: SearchEngine, query: str, languages: tuple[str, ...] | None
) -> None:
    matches = small.search(query, 3, languages)
    assert [(match.phrase.text, match.reason) for match in matches[:2]] == [(CATS, "wording"), (RAIN, "counterpart")]


def test_after_the_counterparts_comes_what_is_like_the_idiom_and_never_its_opposite(small: SearchEngine) -> None:
    found = {match.phrase.text: match.reason for match in small.search(CATS)}
    assert found["зарядить надолго"] == "similar"
    assert "as dry as dust" not in found


def test_what_the_opposite_of_a_counterpart_says_is_not_like_the_idiom_either(small: SearchEngine) -> None:
    assert "as dry as dust" not in [match.phrase.text for match in small.search(RAIN, 9)]
    similar = small.similar(small.search(RAIN, 1)[0].phrase.key, 9, least=-1)
    assert similar and "as dry as dust" not in [match.phrase.text for match in similar]


def test_counterparts_keep_to_the_languages_that_are_searched(small: SearchEngine) -> None:
    found = [match.phrase.text for match in small.search(IDLE, 9, ("ru",))]
    assert found[0] == IDLE and THUMBS not in found


def test_a_near_duplicate_has_the_same_counterparts(small: SearchEngine) -> None:
    artifacts = small.artifacts
    pair = np.array([[1, 5], [5, 1]], np.int32)
    relations = replace(artifacts.relations, near_duplicates=pair)
    found = SearchEngine(replace(artifacts, relations=relations)).search("зарядить надолго")
    assert [match.phrase.text for match in found[:2]] == ["зарядить надолго", CATS]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        (FLY, FLY),
        ("делают из мух слонов", FLY),
        ("twiddle your thumbs", THUMBS),
        ("слона", None),
        ("to do nothing", None),
    ],
)
def test_whether_an_idiom_is_named(small: SearchEngine, query: str, named: str | None) -> None:
    first = [match.phrase.text for match in small.answer(query, anyway=True).matches[:1] if match.score == 1]
    assert first == ([named] if named else [])


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("out of the frying pan into the fire", ["out of the frying pan into the fire", "из огня да в полымя"]),
        ("hit the nail on the head", ["hit the nail on the head", "не в бровь, а в глаз"]),
        ("били баклуши", ["бить баклуши", "twiddle one's thumbs"]),
        ("glass houses", ["people who live in glass houses shouldn't throw stones"]),
        ("the grass is", ["the grass is always greener on the other side"]),
        ("bite the", ["bite the bullet", "bite the dust"]),  # the shorter one is less common
        ("он собаку на этом съел", ["собаку съесть"]),
    ],
)
def test_names_and_parts_in_the_collection(engine: SearchEngine, query: str, wanted: list[str]) -> None:
    assert [match.phrase.text for match in engine.search(query, len(wanted))] == wanted


@pytest.mark.parametrize(
    "forms",
    [
        *("воробей воробья воробьями", "кошка кошек кошкой", "встретиться встретилась встретимся", "был будет есть"),
        *("сильный сильнейшая", "палец пальцам", "день днями", "съел съесть"),
        *("house houses", "bite bites biting bit bitten", "cry cries cried", "take took taken", "man men mens"),
    ],
)
def test_forms_of_a_word_have_a_root_in_common(forms: str) -> None:
    first, *others = map(roots, forms.split())
    assert all(first & other for other in others)


@pytest.mark.parametrize("pair", ["cat category", "hour house", "кот который", "дом дума", "рука рукав"])
def test_other_words_have_no_root_in_common(pair: str) -> None:
    one, other = map(roots, pair.split())
    assert not one & other


@pytest.mark.parametrize(
    ("weights", "rows"),
    [
        ({"муха": 50, "слоны": 50}, {2}),
        ({"мухи": 1, "из": 1}, {2}),
        ({"муха": 50, "слоны": 50, "он": 5}, {2}),
        ({"муха": 50, "слоны": 50, "кит": 20}, set()),
        ({"муха": 50, "из": 1, "он": 1}, set()),
        ({"слоны": 50}, set()),
        ({"thumb": 50, "your": 10}, {4}),
        ({}, set()),
    ],
)
def test_a_part_is_all_words_or_two_that_tell_much(weights: dict[str, float], rows: set[int]) -> None:
    assert set(covering(parts_index(PHRASES), weights).tolist()) == rows


def test_a_phrase_is_found_by_its_key_and_by_those_of_its_variants() -> None:
    phrases = [
        Phrase("бить баклуши", "ru", ("бездельничать",), variants=("баклуши бить", "сидеть сложа руки")),
        Phrase("сидеть сложа руки", "ru", ("бездельничать",)),
        Phrase("spill the beans", "en", ("to reveal a secret",)),
    ]
    rows = RowsByKey(Relations.of(phrases))
    assert [rows[phrase.key] for phrase in phrases] == [0, 1, 2]
    assert rows[phrase_key("ru", "баклуши бить")] == 0
    assert len([*rows]) == len(rows) == 5
    for strange in ("", "0", "f" * 500, "\ud800", phrases[0].key + "0", phrase_key("en", "бить баклуши")):
        assert rows.get(strange) is None


@pytest.mark.parametrize(
    "text", ["twidlde your thumbs", "twiddle yourthumbs", "twiddle your thunbs", "twiddle our thumbs"]
)
def test_a_name_with_one_slip_is_first(small: SearchEngine, text: str) -> None:
    assert small.answer(text, 1, anyway=True).matches[0].phrase.text == THUMBS


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("test of time", "stand the test of time"),  # the reader likes its contrary better
        ("same place", "lightning never strikes twice in the same place"),
        ("good money", "throw good money after bad"),
        ("than done", "easier said than done"),
        ("звёзд с неба", "звёзд с неба не хватает"),
    ],
)
def test_everyday_words_in_a_row_find_the_idiom_that_has_them(engine: SearchEngine, part: str, whole: str) -> None:
    assert whole in [match.phrase.text for match in engine.search(part, 5)]


def test_what_everyday_words_mean_comes_before_an_idiom_that_has_them(engine: SearchEngine) -> None:
    assert engine.search("give up", 1)[0].reason == "meaning"


def test_a_text_of_known_words_may_mean_what_it_says(engine: SearchEngine) -> None:
    found = engine.answer("no shame", 2).matches
    assert found[0].phrase.text == "no shade" and found[0].score < 1
    assert found[1].reason == "meaning"


def test_short_idioms_with_a_swapped_letter_are_found(engine: SearchEngine) -> None:
    for typed, wanted in (("в ажруе", "в ажуре"), ("англе во плоти", "ангел во плоти"), ("вл имя", "во имя")):
        assert engine.answer(typed, 1).matches[0].phrase.text == wanted


def test_a_name_with_quotation_marks_of_its_own_is_first(engine: SearchEngine) -> None:
    assert engine.search("на «вы»", 1)[0].phrase.text == "на «вы»"

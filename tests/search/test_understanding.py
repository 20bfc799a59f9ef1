"""What people type, and what the engine makes of it: over the artifacts of the repository."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

from bot.search.engine import SearchEngine
from bot.search.rank.confidence import Confidence, ConfidenceFeatures
from bot.search.rank.explain import shares
from bot.search.retrieve.lexical import LexicalIndex, stems, trigrams
from bot.search.text import fold, words
from bot.search.understand import questions
from pipeline.evaluation import noise
from support.small import small_artifacts

DATA = Path(__file__).resolve().parents[2] / "data"


def dev_queries() -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / "queries/dev_queries.jsonl").read_text("utf-8").splitlines()]


def names(engine: SearchEngine, query: str, count: int = 10) -> list[str]:
    return [match.phrase.text for match in engine.search(query, count)]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (",tpltkmybxfnm", "бездельничать"),
        ("bezdelnichat", "бездельничать"),
        ("безделничать", "бездельничать"),
        ("to reveal a sercet", "to reveal a secret"),
        ("руддщ", "hello"),
    ],
)
def test_what_is_mistyped_is_searched_as_it_was_meant(engine: SearchEngine, typed: str, meant: str) -> None:
    answer = engine.answer(typed, anyway=True)
    assert (answer.repaired, answer.searched) == (True, meant)
    assert answer.matches == engine.answer(meant, anyway=True).matches
    key = engine.search("бить баклуши", 1)[0].phrase.key
    assert engine.explain(answer.analysis, key) == engine.explain(engine.analyse(meant, exact=True), key)


def calls(function: Callable[..., object], run: Callable[[], object], but: Collection[str] = ()) -> int:
    """How often a function is called while something runs, but for calls with one of some texts."""
    count = 0

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if event == "call" and frame.f_code is function.__code__:
            count += frame.f_locals.get("text") not in but

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def test_a_query_is_folded_once_and_each_index_scanned_once(engine: SearchEngine) -> None:
    """A repaired one is looked up among phrases' own words as typed as well, and folded in parts and other readings.

    Names of phrases are folded beside, where it may be one of them with a slip.
    """
    names = {name for phrase in engine.phrases for name in phrase.names}
    dice = random.Random(1)
    queries = [query[language] for query in dev_queries()[::5] for language in ("ru", "en")]
    noisy = [noise.layout(text) for text in queries] + [noise.typo(text, dice) for text in queries]
    noisy += [noise.translit(query["ru"], dice) for query in dev_queries()[::5]]
    seen = set()
    for text in (*queries, *noisy):
        known = all(map(engine.artifacts.vocabulary.log_frequency, words(text)))
        folds, scans = (calls(of, partial(engine.answer, text), names) for of in (fold, LexicalIndex.scores))
        seen.add((known, engine.analyse(text).repaired, folds, scans))
        if known:
            assert calls(LexicalIndex.scores, partial(engine.analyse, text)) == 0, (
                "to know what is searched needs no scan"
            )
    assert {(folds, scans) for known, _, folds, scans in seen if known} == {(1, 2)}
    assert {folds for _, repaired, folds, _ in seen if repaired} == {5, 6}
    assert {scans for _, repaired, _, scans in seen if repaired} == {3}


def test_the_exact_text_is_searched_on_request(engine: SearchEngine) -> None:
    answer = engine.answer("безделничать", exact=True)
    assert (answer.repaired, answer.searched) == (False, "безделничать")


def test_letters_that_only_look_alike_are_put_right_without_a_word(engine: SearchEngine) -> None:
    answer = engine.answer("бить бaклyши")  # Latin a and y
    assert not answer.repaired and answer.matches[0].phrase.text == "бить баклуши"


def test_half_an_idiom_with_a_typo_is_not_guessed_at(engine: SearchEngine) -> None:
    """A repair would make "rough and easy" of it, which is another idiom."""
    assert names(engine, "rough and eady", 1) == ["rough and ready"]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [("🐊😭", "crocodile tears"), ("🐿️🎡😵", "как белка в колесе"), ("🤷🏿‍♀️", "пожимать плечами")],
)
def test_emoji_alone_are_answered(engine: SearchEngine, query: str, wanted: str) -> None:
    assert wanted in names(engine, query)


def test_an_emoji_among_words_is_a_word_of_their_language(engine: SearchEngine) -> None:
    assert names(engine, "сильный 🌧") == names(engine, engine.artifacts.emoji.replaced("сильный 🌧"))


def test_the_question_around_a_meaning_changes_nothing(engine: SearchEngine) -> None:
    plain = names(engine, "надоело")
    assert names(engine, "как сказать, когда надоело") == plain
    assert names(engine, "идиома про надоело") == plain


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"без царя"', ["без царя в голове"]),
        ("kill * birds", ["kill two birds with one stone"]),
        ("the ele* in the room", ["elephant in the room"]),
        ("piece of ca*", ["piece of cake"]),
        ("«баклуши»", ["бить баклуши"]),
    ],
)
def test_quotes_and_stars_ask_for_words(engine: SearchEngine, query: str, found: list[str]) -> None:
    answer = engine.answer(query)
    assert [match.phrase.text for match in answer.matches] == found
    assert {match.reason for match in answer.matches} == {"wording"} and answer.confidence == 1


def test_quotation_marks_are_not_read(engine: SearchEngine) -> None:
    assert engine.analyse('«целыми днями» "бездельничать"').meaning == "целыми днями бездельничать"


def test_quoted_words_that_no_phrase_has_are_searched_like_others(engine: SearchEngine) -> None:
    assert names(engine, '"целыми днями бездельничать"') == names(engine, "целыми днями бездельничать")


@pytest.mark.parametrize("query", ["расписание электричек на субботу", "python 3.12 download", "asdkjh qwpoeiru"])
def test_what_no_idiom_fits_gets_none_but_the_nearest_on_request(engine: SearchEngine, query: str) -> None:
    assert engine.answer(query).matches == []
    assert engine.answer(query).confidence < engine.artifacts.confidence.threshold
    nearest = engine.answer(query, anyway=True)
    assert not nearest.close and nearest.matches == sorted(nearest.matches, key=lambda match: -match.score)


def test_no_two_of_ten_are_one_idiom(engine: SearchEngine) -> None:
    """The collection has both "запретный плод" and "запретный плод сладок"."""
    found = names(engine, "хочется того, чего нельзя", 20)
    assert len({"запретный плод", "запретный плод сладок"} & set(found)) == 1
    pairs = {frozenset(pair) for pair in engine.artifacts.relations.near_duplicates.tolist()}
    rows = {phrase.key: row for row, phrase in enumerate(engine.phrases)}
    for query in dev_queries()[:40]:
        shown = [rows[match.phrase.key] for match in engine.answer(query["ru"], anyway=True).matches]
        assert not [pair for pair in pairs if pair <= set(shown)]


def test_pages_continue_each_other(engine: SearchEngine) -> None:
    long = names(engine, "ничего не делать", 40)
    assert len(long) == 40
    for count in (1, 10, 11, 21):
        assert long[:count] == names(engine, "ничего не делать", count)


def test_what_people_choose_comes_earlier_when_both_fit(engine: SearchEngine) -> None:
    engine, query = SearchEngine(engine.artifacts), "ничего не делать"
    first, second = engine.search(query, 2)
    assert 0 < first.score - second.score < 0.1
    engine.set_click_counts({second.phrase.key: 10**12})
    assert engine.search(query, 1)[0].phrase == second.phrase
    engine.set_click_counts({})
    assert engine.search(query, 2) == [first, second]


def test_popularity_can_be_switched_off() -> None:
    artifacts = small_artifacts()
    artifacts.fusion = replace(artifacts.fusion, clicks=0.0, prior=0.0)
    engine = SearchEngine(artifacts)
    before = engine.answer("бездельничать to idle", anyway=True)
    engine.set_click_counts({match.phrase.key: 1000 for match in before.matches[1:]})
    assert engine.answer("бездельничать to idle", anyway=True) == before


def test_reasons_sum_to_the_score(engine: SearchEngine) -> None:
    query = "целыми днями бездельничать и спать"
    match = engine.search(query)[0]
    row = [phrase.key for phrase in engine.phrases].index(match.phrase.key)
    found, glosses = words(query), engine.artifacts.glosses
    parts = glosses.contributions(stems(found), row)
    assert sum(parts) == pytest.approx(float(glosses.scores(stems(found))[row]), abs=1e-4)
    told = engine.explain(engine.analyse(query), match.phrase.key)
    assert " ".join(sorted(" ".join(word for word, _ in told).split())) == " ".join(sorted(found))
    assert sum(share for _, share in told if share > 0) == pytest.approx(1)


def test_small_neighbours_are_told_together() -> None:
    parts = [("бездельничать", 0.62), ("целыми", 0.11), ("днями", 0.1), ("и", -0.2), ("спать", 0.17)]
    told = [(text, round(share, 2)) for text, share in shares(parts)]
    assert told == [("бездельничать", 0.62), ("целыми днями", 0.21), ("спать", 0.17), ("и", -0.2)]


def test_a_lexical_index_gives_cosines_and_the_best_of_alternatives() -> None:
    index = LexicalIndex.build([["кот", "и", "кит"], ["кот"], ["дом"]], [(2, ["кот"])])
    assert index.scores(["кот"], alternatives=False)[1:].tolist() == pytest.approx([1, 0], abs=1e-3)
    assert 0 < index.scores(["кот"])[0] < 1 and index.scores(["кот"])[2] == pytest.approx(1, abs=1e-3)
    assert index.scores(["???"]).tolist() == [0, 0, 0]
    assert sum(index.contributions(["кит", "кот", "кот", "?"], 0)) == pytest.approx(
        float(index.scores(["кит", "кот"])[0]), abs=1e-3
    )


def test_terms_are_trigrams_of_the_letters_and_stems_of_words() -> None:
    assert trigrams(["в", "ус"]) == ["_в_", "в_у", "_ус", "ус_"]
    assert stems(["бездельничать", "ус"]) == ["безде", "ус"]


def test_confidence_rises_with_what_speaks_for_an_idiom() -> None:
    sure = Confidence(bias=-4, top1=2, top10_mean=10, unknown=-3, digits=-5, direction=(1.0, 0.0))
    features = ConfidenceFeatures(
        top1=0.5,
        top10_mean=0.4,
        cosine=0.5,
        mean_cosine=0.4,
        reading=0.3,
        mean_reading=0.2,
        lexical=0,
        unknown=0,
        digits=0,
        vector=None,
        read=None,
    )
    assert sure.of(features) == pytest.approx(0.731, abs=1e-3)  # 1 / (1 + e**-(-4 + 1 + 4))
    assert sure.of(replace(features, digits=0.5)) < sure.of(replace(features, unknown=0.5)) < sure.of(features)
    assert sure.of(replace(features, lexical=0.9)) == 0.9
    read = replace(sure, reading_direction=(0.0, 2.0))
    assert read.of(features) == sure.of(features)  # without a reader
    assert read.of(replace(features, read=np.array([0.6, 0.8], np.float32))) > sure.of(features)
    assert Confidence.from_dict(json.loads(json.dumps(read.as_dict()))) == read


def test_every_group_of_the_questions_belongs_to_a_pattern() -> None:
    assert len(questions._ASKED) == questions._QUESTION.groups

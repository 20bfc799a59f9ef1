"""Questions about an idiom, a word or a topic, and their answers: over the artifacts of the repository."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from bot.search.engine import Answer, SearchEngine
from bot.search.phrases import Phrase


def phrases(answer: Answer) -> list[Phrase]:
    return [match.phrase for match in answer.matches]


def texts(answer: Answer) -> list[str]:
    return [phrase.text for phrase in phrases(answer)]


@pytest.mark.parametrize(
    ("question", "language", "counterpart"),
    [
        ("как по-английски сказать ни пуха ни пера", "en", "break a leg"),
        ("ни пуха ни пера по-английски", "en", "break a leg"),
        ("translate ни пуха ни пера", "en", "break a leg"),
        ("What is the Russian equivalent of “kick the bucket”?", "ru", "сыграть в ящик"),
    ],
)
def test_counterparts_come_in_the_language_asked_for(
    engine: SearchEngine, question: str, language: str, counterpart: str
) -> None:
    answer = engine.answer(question, languages=("ru", "en")[language == "ru" :][:1])
    assert (answer.analysis.intent, answer.close) == ("translate", True)
    assert {phrase.language for phrase in phrases(answer)} == {language}
    assert counterpart in texts(answer)[:3]


def test_a_meaning_is_searched_in_the_language_asked_for(engine: SearchEngine) -> None:
    answer = engine.answer("how do russians say someone is very poor", languages=("en",))
    assert answer.matches == engine.answer("someone is very poor", languages=("ru",)).matches


@pytest.mark.parametrize("question", ["уйти по-английски", "собаку съел", "выбирать выражения"])
def test_an_idiom_is_no_question(engine: SearchEngine, question: str) -> None:
    answer = engine.answer(question)
    assert (answer.analysis.intent, answer.analysis.languages) == ("meaning", ())


def test_a_question_that_must_name_an_idiom_is_none_when_it_names_none(engine: SearchEngine) -> None:
    assert engine.analyse("значение понимают лишь потом").tokens == ("значение", "понимают", "лишь", "потом")
    assert engine.analyse("значение выражения бить баклуши").tokens == ("бить", "баклуши")


def test_synonyms_of_an_idiom_are_what_is_similar_in_its_language(engine: SearchEngine) -> None:
    key = engine.search("бить баклуши", 1)[0].phrase.key
    answer = engine.answer("синонимы к фразеологизму бить баклуши", languages=("en",))
    assert phrases(answer) == [match.phrase for match in engine.similar(key, 10, ("ru",))]
    english = engine.answer("английские синонимы к бить баклуши")
    assert {phrase.language for phrase in phrases(english)} == {"en"}


def test_synonyms_of_words_are_searched_as_a_meaning(engine: SearchEngine) -> None:
    assert engine.answer("other words for very tired").matches == engine.answer("very tired").matches


def test_opposites_of_an_idiom_are_the_curated_ones(engine: SearchEngine) -> None:
    key = engine.search("кот наплакал", 1)[0].phrase.key
    answer = engine.answer("антоним к фразеологизму кот наплакал", 100)
    assert phrases(answer) == engine.opposites(key) != []
    assert {match.reason for match in answer.matches} == {"opposite"}


def test_what_says_the_contrary_is_no_translation(engine: SearchEngine) -> None:
    told = [phrase.text for phrase in phrases(engine.answer("how do you say spill the beans in Russian", 20))]
    assert "по секрету всему свету" in told
    assert not {"держать язык за зубами", "держать рот на замке", "ни гу-гу"} & {*told}


def test_opposites_of_words_are_those_of_their_best_answers_and_nothing_else(engine: SearchEngine) -> None:
    near = [match.phrase.key for match in engine.search("generous", 20)]
    told = phrases(engine.answer("opposite of generous", 100))
    assert told and all(any(phrase in engine.opposites(key) for key in near) for phrase in told)
    assert not engine.answer("opposite of asdkjh qwpoeiru").close


@pytest.mark.parametrize(
    "question", ["что значит бить баклуши", "откуда взялось выражение бить баклуши", "бить баклуши meaning"]
)
@pytest.mark.parametrize("languages", [None, ("en",)])
def test_an_idiom_that_is_asked_about_comes_first(
    engine: SearchEngine, question: str, languages: tuple[str, ...] | None
) -> None:
    first, *others = phrases(engine.answer(question, languages=languages))
    assert first.text == "бить баклуши"
    assert languages is None or {phrase.language for phrase in others} == {"en"}


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("фразеологизмы со словом рука", r"рук(а|и|е|у|ой|ам|ами|ах)?"),
        ("идиомы с кошкой", r"кош(к(а|и|е|у|ой|ам|ами|ах)|ек)"),
        ("idioms with the word cat", r"cats?"),
    ],
)
def test_phrases_with_a_word_have_any_form_of_it(engine: SearchEngine, question: str, form: str) -> None:
    answer = engine.answer(question, 200)
    assert len(answer.matches) > 10
    assert all(re.search(rf"(?<!\w){form}(?!\w)", phrase.text.lower()) for phrase in phrases(answer))
    assert all(one.common >= other.common for one, other in pairwise(phrases(answer)))


@pytest.mark.parametrize(
    ("question", "topic", "kind"),
    [("русские пословицы про труд", "work", "proverb"), ("Russian quotes about love", "love", "quotation")],
)
def test_a_topic_is_answered_by_what_is_known_best_of_the_kind(
    engine: SearchEngine, question: str, topic: str, kind: str
) -> None:
    answer = engine.answer(question, 30)
    assert {(phrase.kind, phrase.language, topic in phrase.topics) for phrase in phrases(answer)} == {
        (kind, "ru", True)
    }
    assert all(one.common >= other.common for one, other in pairwise(phrases(answer)))
    assert engine.answer(question, 5).matches == answer.matches[:5]


def test_what_is_no_topic_is_searched_as_a_meaning_among_the_kind(engine: SearchEngine) -> None:
    answer = engine.answer("пословицы о том, как важно учиться")
    assert "учиться никогда не поздно" in texts(answer)
    assert {phrase.kind for phrase in phrases(answer)} == {"proverb"}


def test_what_many_phrases_name_is_what_they_are_about(engine: SearchEngine) -> None:
    about, having = (engine.answer(question, 200) for question in ("идиомы про кошек", "идиомы с кошкой"))
    assert {*texts(about)} == {*texts(having)}
    assert "animals" in engine.answer("идиомы с животными").matches[-1].phrase.topics


@pytest.mark.parametrize("text", ["привет", "thank you so much!", "ты кто?"])
def test_small_talk_has_no_matches(engine: SearchEngine, text: str) -> None:
    answer = engine.answer(text, anyway=True)
    assert (answer.matches, answer.close, answer.analysis.small_talk) == ([], False, True)

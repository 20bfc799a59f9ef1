"""The options of the quiz: of one form, never near in meaning, and not to be guessed by their looks."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from bot.features.context import Context, Services
from bot.features.quiz import NEAR, drawn_question, form_of
from bot.search.engine import SearchEngine
from bot.search.text import words
from bot.settings import Settings
from bot.store.opening import open_store
from bot.store.protocol import User
from bot.ui import Question

ASKED = 300


@pytest.fixture
async def reader(request: pytest.FixtureRequest, engine: SearchEngine) -> Context:
    """What a handler gets for somebody who reads a language."""
    random.seed(7)
    return Services(engine, await open_store(":memory:"), Settings()).context(User(1), "1", request.param, "bot")


def by_length(_: Question, option: str) -> float:
    return len(option)


def by_words(_: Question, option: str) -> float:
    return len(words(option))


def by_difference(question: Question, option: str) -> float:
    return sum(abs(len(option) - len(other)) for other in question.options)


def by_letters(question: Question, option: str) -> float:
    return len({word[:3] for word in words(option)} & {word[:3] for word in words(question.text)})


def by_endings(question: Question, option: str) -> float:
    ends = {word[-2:] for word in words(question.text)}
    return sum(word[-2:] in ends for word in words(option))


def share_guessed(questions: list[Question], look: Callable[[Question, str], float], sign: int) -> float:
    """How often the option that stands out by a look is right; of several that do, one by chance."""
    right = 0.0
    for question in questions:
        looks = [sign * look(question, option) for option in question.options]
        best = [place for place, value in enumerate(looks) if value == max(looks)]
        right += (question.correct in best) / len(best)
    return right / len(questions)


@pytest.mark.parametrize("reader", ["ru", "en"], indirect=True)
async def test_looks_do_not_give_the_answer_away(reader: Context) -> None:
    questions = [question for _ in range(ASKED) if (question := drawn_question(reader))]
    assert len(questions) > 0.98 * ASKED
    guessed = {
        (look.__name__, sign): share_guessed(questions, look, sign)
        for look in (by_length, by_words, by_difference, by_letters, by_endings)
        for sign in (1, -1)
    }
    assert max(guessed.values()) < 0.35, guessed
    assert len({question.text.split()[0] for question in questions}) > 1, "there are several kinds"
    for question in questions:
        assert len(question.text) <= 300 and len(set(question.options)) == 4
        assert all(0 < len(option) <= 100 for option in question.options) and len(question.explanation) <= 200


@pytest.mark.parametrize("reader", ["ru"], indirect=True)
async def test_a_wrong_option_is_of_the_same_form_and_far_in_meaning(reader: Context) -> None:
    engine = reader.engine
    named = {phrase.text: phrase for phrase in engine.phrases}
    seen = 0
    while seen < 30:
        question = drawn_question(reader)
        if not question or not set(question.options) <= set(named):
            continue
        seen += 1
        options = [named[option] for option in question.options]
        right = options.pop(question.correct)
        near = {match.phrase.key for match in engine.similar(right.key, 2000, least=NEAR)}
        assert {form_of(option) for option in options} == {form_of(right)}
        assert near.isdisjoint(option.key for option in options)
        assert all(option.offered for option in [right, *options])

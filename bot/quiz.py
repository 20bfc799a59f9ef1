"""The quiz: guess what an idiom means."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.search.text import words
from bot.texts import Texts, shorten

OPTIONS = 4
DRAWS = 200
"""Idioms tried for a question: not every one has a meaning in the reader's language that fits a poll."""
LONGEST_OPTION = 100
"""Telegram's limit for an option of a poll; the question may have 300, the explanation 200."""
_NEAR = slice(5, 40)
"""Where wrong answers come from, by nearness: the very nearest idioms may well mean the same."""
_STEM = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its options, of which one is correct."""

    text: str
    options: tuple[str, ...]
    correct: int
    explanation: str


def ask(engine: SearchEngine, texts: Texts, languages: Collection[str] | None) -> Question | None:
    """A question about an idiom drawn by lot; None when the collection hardly has one to ask about."""
    for _ in range(DRAWS if engine.phrases else 0):
        phrase = random.choice(engine.phrases)
        fits = phrase.register != "vulgar" and (languages is None or phrase.language in languages)
        question = _about(engine, texts, phrase) if fits else None
        if question:
            return question
    return None


def _about(engine: SearchEngine, texts: Texts, phrase: Phrase) -> Question | None:
    right = _option(texts, phrase)
    wrong = _wrong(engine, texts, phrase, right)
    if not right or len(wrong) < OPTIONS - 1:
        return None
    options = random.sample([right, *wrong], OPTIONS)
    text = texts("quiz-question", phrase=shorten(phrase.text, 200))
    return Question(text, tuple(options), options.index(right), shorten(phrase.example or right, 190))


def _wrong(engine: SearchEngine, texts: Texts, phrase: Phrase, right: str) -> list[str]:
    near = engine.similar(phrase.key, _NEAR.stop, (phrase.language,))[_NEAR]
    meanings = dict.fromkeys(filter(None, (_option(texts, match.phrase) for match in near)))
    # A meaning that shares a word with the correct one could be correct as well.
    others = [meaning for meaning in meanings if not _stems(meaning) & _stems(right)]
    return random.sample(others, min(OPTIONS - 1, len(others)))


def _option(texts: Texts, phrase: Phrase) -> str:
    """The meaning in the reader's language if there is one that a poll can show whole, else ""."""
    meaning = " ".join(phrase.meaning_in(texts.language).split())
    return meaning if len(meaning) <= LONGEST_OPTION else ""


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in words(text) if len(word) >= _STEM}

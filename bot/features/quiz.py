"""The quiz: guess what an idiom means."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot.features.context import Actions, Commands, Context
from bot.search.phrases import Phrase
from bot.search.text import words
from bot.texts import shorten
from bot.ui import Button, Question, Reply

OPTIONS = 4
DRAWS = 200
"""Idioms tried for a question: not every one has a meaning in the reader's language that fits a poll."""
LONGEST_OPTION = 100
"""Telegram's limit for an option of a poll; the question may have 300, the explanation 200."""
_NEAR = slice(5, 40)
"""Where wrong answers come from, by nearness: the very nearest idioms may well mean the same."""
_STEM = 5


@dataclass(frozen=True, slots=True)
class AskQuestion:
    """Ask a question."""

    code: ClassVar[str] = "q:quiz"


@dataclass(frozen=True, slots=True)
class ShowScore:
    """Show how many questions were answered correctly."""

    code: ClassVar[str] = "q:score"


async def _ask(context: Context, _asked: AskQuestion | Sequence[str]) -> Reply:
    """Ask about an idiom drawn by lot, unless the collection hardly has one to ask about."""
    for _ in range(DRAWS):
        phrase = context.engine.random(context.languages)
        if phrase and (question := _question(context, phrase)):
            return Reply(question=question)
    return Reply(toast=context.texts("quiz-impossible"))


async def _show_score(context: Context, _: ShowScore) -> Reply:
    correct, asked = await context.store.score(context.asker.id)
    return Reply(toast=context.texts("quiz-score", correct=correct, asked=asked))


def _question(context: Context, phrase: Phrase) -> Question | None:
    texts, right = context.texts, _option(context, phrase)
    near = context.engine.similar(phrase.key, _NEAR.stop, (phrase.language,))[_NEAR]
    meanings = dict.fromkeys(filter(None, (_option(context, match.phrase) for match in near)))
    # A meaning that shares a word with the correct one could be correct as well.
    others = [meaning for meaning in meanings if not _stems(meaning) & _stems(right)]
    if not right or len(others) < OPTIONS - 1:
        return None
    options = random.sample([right, *random.sample(others, OPTIONS - 1)], OPTIONS)
    buttons = Button(texts("button-quiz"), AskQuestion()), Button(texts("button-score"), ShowScore())
    text = texts("quiz-question", phrase=shorten(phrase.text, 200))
    explanation = shorten((phrase.examples or (right,))[0], 190)
    return Question(text, tuple(options), options.index(right), explanation, buttons)


def _option(context: Context, phrase: Phrase) -> str:
    """The meaning in the reader's language if there is one that a poll can show whole, else ""."""
    meaning = " ".join(phrase.meaning_in(context.texts.language).split())
    return meaning if len(meaning) <= LONGEST_OPTION else ""


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in words(text) if len(word) >= _STEM}


ACTIONS: Actions = {AskQuestion: _ask, ShowScore: _show_score}
COMMANDS: Commands = {"quiz": _ask}

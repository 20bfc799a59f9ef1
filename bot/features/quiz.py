"""The quiz: what an idiom means, which idiom means something, which one fits into a gap."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot import clock
from bot.actions import Key, Open
from bot.features import card
from bot.features.about import name_of
from bot.features.context import Actions, Commands, Context
from bot.learning import with_gaps
from bot.search.phrases import Phrase
from bot.search.text import words
from bot.texts import Texts, shorten
from bot.ui import Button, Question, Reply

OPTIONS = 4
DRAWN = 400
"""Idioms among which options of one form are looked for; with fewer, long proverbs would hardly ever be asked."""
ASKED = 20
"""How many of them are tried, until one has options."""
LONGEST_OPTION = 100
"""Telegram's limit for an option of a poll; the question may have 300, the explanation 200."""
LONGEST_GAPPED = 250
NEAR = 0.3
"""Likeness of meaning from which an option might be right as well: of pairs of one language drawn by lot, 4 %."""
MOST_NEAR = 2_000
"""More than are ever so near: of 600 idioms drawn by lot, none had more than 579."""
_STEM = 5
_LONGER = 1.6
"""How much longer than the right option a wrong one may be, or shorter: the longest is not to give itself away."""
_MANY = 6
"""Words from which idioms are equally long."""
_ENDINGS = {
    "verb": ("ть", "ться", "ти", "тись", "чь", "чься"),
    "past": ("ло", "ла", "ли", "лся", "лось"),
    "adjective": ("ый", "ий", "ой", "ая", "яя", "ое", "ее", "ые", "ие"),
    "ing": ("ing",),
    "ed": ("ed",),
    "ly": ("ly",),
}
"""Endings that tell the part of speech, more or less; it matters only that like looks for like."""
_ENGLISH = {"to", "a", "an", "the", "someone", "something", "said"}


@dataclass(frozen=True, slots=True)
class AskQuestion:
    """Ask a question."""

    code: ClassVar[str] = "q:quiz"


@dataclass(frozen=True, slots=True)
class ShowScore:
    """Show how many questions were answered correctly."""

    code: ClassVar[str] = "q:score"


@dataclass(frozen=True, slots=True)
class OpenBelow:
    """Open the card of the phrase that was asked about below the question, which stays."""

    code: ClassVar[str] = "qo"
    key: Key


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of questions."""

    text: Callable[[Texts, Phrase], str]
    """The question about a phrase; "" where it cannot be asked."""
    option: Callable[[Texts, Phrase], str]
    """What a phrase is among the options."""


def _meaning(texts: Texts, phrase: Phrase) -> str:
    return " ".join(phrase.meaning_in(texts.reads).split())


def _asks_meaning(texts: Texts, phrase: Phrase) -> str:
    return texts("quiz-question", phrase=shorten(name_of(texts, phrase), 200))


def _asks_phrase(texts: Texts, phrase: Phrase) -> str:
    meaning = _meaning(texts, phrase)
    tells = _stems(meaning) & _stems(phrase.text)
    return texts("quiz-which", meaning=shorten(meaning, 250)) if meaning and not tells else ""


def _asks_gap(texts: Texts, phrase: Phrase) -> str:
    gapped = (with_gaps(example, phrase.text) for example in phrase.examples)
    example = next((example for example in gapped if 0 < len(example) <= LONGEST_GAPPED), "")
    return texts("quiz-gap", example=example) if example else ""


def _name(_: Texts, phrase: Phrase) -> str:
    return phrase.text


KINDS = (Kind(_asks_meaning, _meaning), Kind(_asks_phrase, _name), Kind(_asks_gap, _name))


async def _ask(context: Context, _asked: AskQuestion | Sequence[str]) -> Reply:
    """Ask about an idiom drawn by lot, unless the collection hardly has one to ask about."""
    # It takes some hundredths of a second, in which nobody else should have to wait.
    question = await asyncio.to_thread(drawn_question, context)
    return Reply(question=question) if question else Reply(toast=context.texts("quiz-impossible"))


def drawn_question(context: Context) -> Question | None:
    """Return a question of a kind drawn by lot about an idiom drawn by lot; None if there is none to be had."""
    by_form: dict[tuple[str | int, ...], list[Phrase]] = {}
    drawn = context.engine.sample(DRAWN, context.languages)
    for phrase in drawn:
        by_form.setdefault(form_of(phrase), []).append(phrase)
    for phrase in drawn[:ASKED]:
        for kind in random.sample(KINDS, len(KINDS)):
            if question := question_about(context, phrase, kind, by_form[form_of(phrase)]):
                return question
    return None


def question_about(context: Context, phrase: Phrase, kind: Kind, like: Sequence[Phrase]) -> Question | None:
    """Return a question of a kind about a phrase, with options from phrases of one form, if enough of them do."""
    texts, right, text = context.texts, kind.option(context.texts, phrase), kind.text(context.texts, phrase)
    if not (text and 0 < len(right) <= LONGEST_OPTION):
        return None
    wrong = list(dict.fromkeys(_wrong(context, phrase, kind, like)))
    if len(wrong) < OPTIONS - 1:
        return None
    options = random.sample([right, *wrong[: OPTIONS - 1]], OPTIONS)
    asks = Button(texts("button-quiz"), AskQuestion())
    rows = (
        (asks,),
        (Button(texts("button-quiz-open"), OpenBelow(phrase.key)), Button(texts("button-score"), ShowScore())),
    )
    explanation = shorten(f"{phrase.text} — {_meaning(texts, phrase) or phrase.meanings[0]}", 190)
    return Question(text, tuple(options), options.index(right), explanation, rows)


def _wrong(context: Context, phrase: Phrase, kind: Kind, like: Iterable[Phrase]) -> Iterable[str]:
    """Options that are surely not right, about as long as the right one, and share no word with what is asked."""
    texts, right = context.texts, kind.option(context.texts, phrase)
    near = context.engine.similar(phrase.key, MOST_NEAR, (phrase.language,), NEAR)
    same = {match.phrase.key for match in near} | {one.key for one in context.engine.opposites(phrase.key)}
    telling = _stems(right) | _stems(phrase.text) | _stems(_meaning(texts, phrase))
    for other in like:
        option = kind.option(texts, other)
        fits = option and len(option) <= LONGEST_OPTION and 1 / _LONGER <= len(option) / len(right) <= _LONGER
        if fits and other.key not in {phrase.key, *same} and not _stems(option) & telling:
            yield option


def form_of(phrase: Phrase) -> tuple[str | int, ...]:
    """Return what phrases of one form have in common: language, kind, parts of speech, how they begin, how many words.

    The part of speech of a meaning is that of the idiom, and its first word tells it where the idiom's own do not.
    """
    own, meaning = words(phrase.text), words(phrase.meanings[0])
    speech = _speech(phrase.language, own[:1]), _speech(phrase.language, own[-1:]), _speech(phrase.language, meaning)
    return phrase.language, phrase.kind, *speech, _beginning(own), min(len(own), _MANY)


def _speech(language: str, told: Sequence[str]) -> str:
    """The part of speech of the first word, as far as it shows."""
    first = told[0] if told else ""
    if language == "en" and first in _ENGLISH:
        return first
    return next((speech for speech, endings in _ENDINGS.items() if first.endswith(endings)), "")


def _beginning(own: Sequence[str]) -> str:
    """How an idiom begins, where that shows: with a little word, such as a preposition, "like" or "как"."""
    first = own[0] if own else ""
    return first if len(first) <= 3 or first == "like" else ""


async def _open(context: Context, action: OpenBelow) -> Reply:
    reply = await card.open_card(context, Open(action.key))
    return Reply(below=reply.screen, toast=reply.toast)


async def _show_score(context: Context, _: ShowScore) -> Reply:
    """Tell the score of this week, of the last one, and of all time."""
    texts, monday = context.texts, clock.week_begins(context.store.now(), context.zone)
    this, last, ever = [
        texts("quiz-score", correct=correct, asked=asked)
        for correct, asked in (
            await context.store.score(context.asker.id, monday),
            await context.store.score(context.asker.id, monday - clock.WEEK, monday),
            await context.store.score(context.asker.id),
        )
    ]
    return Reply(toast=texts("quiz-scores", this=this, last=last, ever=ever), alert=True)


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in words(text) if len(word) >= _STEM}


ACTIONS: Actions = {AskQuestion: _ask, ShowScore: _show_score, OpenBelow: _open}
COMMANDS: Commands = {"quiz": _ask}

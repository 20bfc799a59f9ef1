"""Repetition: saved idioms are asked again at growing intervals, and a person grades how well they knew each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Literal

from babel.dates import format_timedelta

from bot import learning
from bot.actions import Flag, Key, Number
from bot.features.about import about, name_of
from bot.features.context import Actions, Commands, Context
from bot.features.privacy import Erase
from bot.learning import Grade, Plan
from bot.search.phrases import Phrase
from bot.store.protocol import Review
from bot.texts import Texts, escape, shorten
from bot.ui import Button, Reply, Screen, brief, choice, pairs, screen

PACES = (5, 10, 20)
"""How many new idioms a day can be chosen."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Ask what is to be repeated next."""

    code: ClassVar[str] = "n"


@dataclass(frozen=True, slots=True)
class Reveal:
    """Show the answer to a question about a phrase that was graded `count` times, and the grades."""

    code: ClassVar[str] = "nr"
    key: Key
    count: Number


@dataclass(frozen=True, slots=True)
class GradeIt:
    """Grade a phrase that was graded `count` times before, and ask the next; later it has no effect."""

    code: ClassVar[str] = "ng"
    grade: Grade
    key: Key
    count: Number


@dataclass(frozen=True, slots=True)
class Ungrade:
    """Take back the grade that was the phrase's `count`-th, and ask it again; later it has no effect."""

    code: ClassVar[str] = "nu"
    key: Key
    count: Number


@dataclass(frozen=True, slots=True)
class ShowPlan:
    """Show what can be chosen about repetition."""

    code: ClassVar[str] = "q:learn"


@dataclass(frozen=True, slots=True)
class SetPace:
    """Begin so many new idioms a day."""

    code: ClassVar[str] = "np"
    pace: Number


@dataclass(frozen=True, slots=True)
class Pause:
    """Repeat nothing for now (1), or go on (0)."""

    code: ClassVar[str] = "nz"
    paused: Flag


async def _repeat(context: Context, _: Repeat | Sequence[str] = ()) -> Reply:
    """Ask the next question, or say when there will be one."""
    return Reply(await _next(context))


async def _next(context: Context, *undo: Button) -> Screen:
    """The next question, or when there will be one, with a button that takes back the latest grade, if there is one."""
    texts, keys = context.texts, await _saved(context)
    if not keys:
        return screen(texts("learn-empty"), undo)
    if context.user.paused:
        return screen(texts("learn-paused"), (Button(texts("button-resume"), Pause(0)),), undo)
    plan = await _plan(context, keys)
    phrase = context.engine.phrase(plan.first.key) if plan.first else None
    if not plan.first or not phrase:
        return screen(await _done(context, plan), (Button(texts("button-plan"), ShowPlan()),), undo)
    left = texts("learn-left", count=plan.count)
    show = Button(texts("button-reveal"), Reveal(phrase.key, plan.first.count))
    return screen(f"{left}\n\n{_question(texts, phrase, plan.first.count)}", (show,), undo)


def _question(texts: Texts, phrase: Phrase, count: int) -> str:
    """A question about a phrase: what it means, which it is, which fits into a gap, in turn."""
    gaps = filter(None, (learning.with_gaps(example, phrase.text) for example in phrase.examples))
    example = next(gaps, "") if count % 3 == 2 else ""
    if example:
        return texts.html("learn-gap", example=shorten(example, 300), meaning=brief(texts, phrase))
    if count % 3 == 0:
        return texts.html("learn-meaning", phrase=shorten(name_of(texts, phrase), 200))
    which = texts.get(f"learn-which-{phrase.language}", texts("learn-which"))
    return f"{escape(brief(texts, phrase))}\n\n{which}"


async def _done(context: Context, plan: Plan) -> str:
    """That nothing is to be repeated now, when something will be, and for how many days in a row something was."""
    texts = context.texts
    later = _span(texts, plan.next - context.store.now(), "long") if plan.next else ""
    days = learning.streak(await context.store.learned(context.asker.id), context.today)
    lines = [texts("learn-done"), texts("learn-next", span=later) if later else texts("learn-tomorrow")]
    return "\n".join([*lines, *([texts("learn-streak", days=days)] if days else [])])


async def _reveal(context: Context, action: Reveal) -> Reply:
    """Show the card of a phrase with the grades below it, and after how long each lets it be asked again."""
    phrase, review = context.engine.phrase(action.key), await _review(context, action.key)
    if not phrase:
        return context.gone("phrase")
    if review.count != action.count:
        return await _repeat(context)
    texts, spans = context.texts, learning.intervals(review, context.store.now(), context.today)
    grades = [
        Button(
            f"{texts(f'grade-{grade}')} · {_span(texts, span.total_seconds())}",
            GradeIt(grade, phrase.key, review.count),
        )
        for grade, span in spans.items()
    ]
    return Reply(screen(about(context, phrase), *pairs(grades)))


async def _grade(context: Context, action: GradeIt) -> Reply:
    """Keep a grade, unless this question was graded already, and ask the next question."""
    review = await _review(context, action.key)
    if review.count != action.count or not context.engine.phrase(action.key):
        return await _repeat(context)
    after = learning.graded(review, action.grade, context.store.now(), context.today)
    await context.store.grade(context.asker.id, after, str(context.today))
    return Reply(await _next(context, Button(context.texts("button-ungrade"), Ungrade(action.key, after.count))))


async def _ungrade(context: Context, action: Ungrade) -> Reply:
    """Take back a grade, if it is still the latest of its phrase, and ask what is next."""
    review = await _review(context, action.key)
    if review.count and review.count == action.count and (review.previous or review.count == 1):
        await context.store.ungrade(context.asker.id, learning.ungraded(review))
    return await _repeat(context)


async def _show_plan(context: Context, _: ShowPlan | None = None) -> Reply:
    """Show how many new idioms a day there are, and let the person pause, export or begin anew."""
    texts, user = context.texts, context.user
    paces = tuple(choice(str(pace), pace == user.pace, SetPace(pace)) for pace in PACES)
    pause = Button(texts("button-resume" if user.paused else "button-pause"), Pause(1 - user.paused))
    reset = Button(texts("button-reset"), Erase("learning"))
    go_on = Button(texts("button-learn"), Repeat())
    return Reply(screen(texts("learn-plan", pace=user.pace), paces, (pause, reset), (go_on,)))


async def _set_pace(context: Context, action: SetPace) -> Reply:
    """Choose a pace; one that is not offered changes nothing."""
    return await _show_plan(await context.set(pace=action.pace) if action.pace in PACES else context)


async def _pause(context: Context, action: Pause) -> Reply:
    return await _show_plan(await context.set(paused=action.paused))


async def waiting(context: Context) -> str:
    """Return what the daily message says of what waits to be repeated; "" for who repeats nothing."""
    keys = await _saved(context)
    days = learning.streak(await context.store.learned(context.asker.id), context.today) if keys else 0
    count = (await _plan(context, keys)).count if keys and not context.user.paused else 0
    told = context.texts("learn-waiting", count=count) if count else ""
    return "\n".join(filter(None, [told, context.texts("learn-streak", days=days) if days and count else ""]))


async def _saved(context: Context) -> list[str]:
    """The keys of the saved phrases that the collection has, the first saved first."""
    keys = await context.store.saved(context.asker.id)
    return [phrase.key for key in reversed(keys) if (phrase := context.engine.phrase(key))]


async def _plan(context: Context, keys: Sequence[str]) -> Plan:
    reviews = await context.store.reviews(context.asker.id)
    return learning.plan(keys, reviews, context.user.pace, context.store.now(), context.today)


async def _review(context: Context, key: str) -> Review:
    reviews = await context.store.reviews(context.asker.id)
    return next((review for review in reviews if review.key == key), Review(key))


def _span(texts: Texts, seconds: float, how: Literal["short", "long"] = "short") -> str:
    """A span of time in a few letters or, "long", when it will have passed: "in 2 days"."""
    span, later = timedelta(seconds=max(60.0, seconds)), how == "long"
    told = format_timedelta(
        span, granularity="minute", threshold=1.0, add_direction=later, format=how, locale=texts.language
    )
    return str(told).replace(" ", "\N{NO-BREAK SPACE}")


ACTIONS: Actions = {
    Repeat: _repeat,
    Reveal: _reveal,
    GradeIt: _grade,
    Ungrade: _ungrade,
    ShowPlan: _show_plan,
    SetPace: _set_pace,
    Pause: _pause,
}
COMMANDS: Commands = {"learn": _repeat}

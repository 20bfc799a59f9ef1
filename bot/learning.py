"""What is repeated and when, by the algorithm FSRS of the package of that name; and sentences with a gap."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal, get_args

from fsrs import Card, Rating, Scheduler

from bot.search.forms import roots
from bot.search.text import words
from bot.store.protocol import Review

Grade = Literal["again", "hard", "good", "easy"]
GRADES: tuple[Grade, ...] = get_args(Grade)
GAP = "____"
_RATINGS = dict(zip(GRADES, Rating, strict=True))
_SOON = (timedelta(minutes=10),)
"""After how long something is asked again that is new, or was forgotten; FSRS counts what comes later."""
# Without chance, so that a button keeps what it says.
_SCHEDULER = Scheduler(learning_steps=_SOON, relearning_steps=_SOON, enable_fuzzing=False)
_WORD = re.compile(r"\w+")
_TELLING, _ROOT = 4, 3
"""Letters from which a word of an idiom may be a gap, and that its forms share at least."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a person may be asked now."""

    due: tuple[Review, ...]
    """What is to be repeated, the longest due first."""
    new: tuple[Review, ...]
    """What they may begin today, the first saved first."""
    next: float | None
    """When something is due again, in seconds since 1970, if anything is not due yet."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.due) + len(self.new)

    @property
    def first(self) -> Review | None:
        """The one to ask now."""
        return next(iter((*self.due, *self.new)), None)


def plan(saved: Sequence[str], reviews: Sequence[Review], pace: int, now: float, today: date) -> Plan:
    """Return what may be asked of the phrases with these keys, the first to ask first; `pace` new ones a day."""
    known = {review.key: review for review in reviews}
    begun = [known[key] for key in known if key in set(saved)]
    room = max(0, pace - sum(review.since == str(today) for review in reviews))
    return Plan(
        tuple(review for review in begun if review.due <= now),
        tuple(Review(key) for key in saved if key not in known)[:room],
        min((review.due for review in begun if review.due > now), default=None),
    )


def graded(review: Review, grade: Grade, now: float, today: date) -> Review:
    """Return a phrase as it is after a person graded how well they knew it."""
    card = Card.from_json(review.card) if review.card else Card(card_id=0)
    card, _ = _SCHEDULER.review_card(card, _RATINGS[grade], datetime.fromtimestamp(now, UTC))
    return replace(
        review,
        count=review.count + 1,
        card=card.to_json(),
        due=card.due.timestamp(),
        previous=review.card,
        since=review.since or str(today),
    )


def ungraded(review: Review) -> Review:
    """Return a phrase as it was before its latest grade."""
    due = datetime.fromisoformat(json.loads(review.previous)["due"]).timestamp() if review.previous else 0.0
    return replace(review, count=review.count - 1, card=review.previous, due=due, previous="")


def intervals(review: Review, now: float, today: date) -> dict[Grade, timedelta]:
    """Return after how long a phrase would be asked again, by the grade that it may get."""
    return {grade: timedelta(seconds=graded(review, grade, now, today).due - now) for grade in GRADES}


def streak(days: Sequence[str], today: date) -> int:
    """Return for how many days in a row there was something, up to today or yesterday; days are ISO dates."""
    had = set(days)
    last = today if str(today) in had else today - timedelta(days=1)
    length = 0
    while str(last - timedelta(days=length)) in had:
        length += 1
    return length


def with_gaps(sentence: str, idiom: str) -> str:
    """Return a sentence with a gap for each word of an idiom, in whatever form; "" if a telling one is missing."""
    own = words(idiom)
    telling = [{word, *roots(word)} for word in own if len(word) >= _TELLING]
    matches = list(_WORD.finditer(sentence))
    found = [_is_one_of(match[0], telling) for match in matches]
    if not telling or sum(found) < len(telling):
        return ""
    # A little word beside a gap would give the idiom away.
    for places in (range(1, len(matches)), range(len(matches) - 2, -1, -1)):
        step = places.step
        for place in places:
            found[place] |= found[place - step] and words(matches[place][0])[0] in own
    gaps = [match for match, is_gap in zip(matches, found, strict=True) if is_gap]
    ends = [0, *(match.end() for match in gaps)]
    kept = [sentence[end : match.start()] for end, match in zip(ends, gaps, strict=False)]
    return GAP.join([*kept, sentence[ends[-1] :]])


def _is_one_of(word: str, telling: Sequence[set[str]]) -> bool:
    """Whether a word is one of those with these roots; what has hardly a letter in common is none of its forms."""
    of = {form for folded in words(word) for form in (folded, *roots(folded)) if len(form) >= _ROOT}
    return any(of & forms for forms in telling)

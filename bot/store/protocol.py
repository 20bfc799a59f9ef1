"""What must outlive a restart, as plain values, and the interface of whatever keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

OWNED = {
    "users": "id",
    "saved": "user",
    "reviews": "user",
    "learned": "user",
    "votes": "user",
    "reports": "user",
    "answers": "user",
    "history": "user",
}
"""The tables that hold data about a person, and the column with the person's Telegram number."""

REPORTS_A_DAY = 20
"""How often a person can say in a day that something is wrong."""

LEASE = 15.0
"""Seconds without a word from a process after which the others take it for dead."""

KEPT_DAYS = {"history": 180, "polls": 30, "updates": 2, "bodies": 2, "pictures": 90}
"""Days after which the rows of a table are deleted; what people saved, voted and scored stays until they erase it."""


class StateError(Exception):
    """The state cannot be opened; the message is one sentence that says why and what to do."""


class StateUnavailable(Exception):
    """The state cannot be read or written just now: the disk is full, another program locks it, the server is away."""


@dataclass(frozen=True, slots=True)
class User:
    """The settings of a person."""

    id: int
    language: str = ""
    """The interface language that they chose; empty: the language of their Telegram."""
    spoken: str = ""
    """The interface language in which they subscribed to the idiom of the day."""
    scope: str = ""
    """The language of the idioms that they search; empty: all."""
    zone: str = ""
    """Their time zone, by its IANA name; empty: unknown."""
    hour: str = ""
    """The hour of their idiom of the day; empty: not subscribed."""
    due: float | None = None
    """When their next idiom of the day is due, in seconds since 1970; None: not subscribed."""
    day: str = ""
    """The day of their last query, as an ISO date."""
    asked: int = 0
    """How many queries they asked on `day`."""
    pace: int = 10
    """How many saved idioms a day they begin to repeat."""
    paused: int = 0
    """Whether (1) they want nothing to be repeated for now."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A screen that a person was shown. Its parent is the screen before it, so "back" follows parents."""

    id: int
    """The number that buttons carry; `Store.add` sets it, and never gives a number twice."""
    user: int
    chat_key: str
    """The chat or inline message where the screen is shown; it cannot be read from any other."""
    kind: str
    """What is shown: the answers to a "query", or "card", "similar", "random", "history", "saved"."""
    text: str
    """The query, or the key of the phrase."""
    parent: int = 0
    """The `id` of the screen before this one; 0: there is none."""
    page: int = 0
    """The page of the parent from which this screen was opened."""
    at: float = 0.0
    """When it was shown, in seconds since 1970; `Store.add` sets it."""
    filter: str = ""
    """What a random draw was narrowed to."""
    exact: bool = False
    """Whether the query was searched as typed, without repair."""
    nearest: bool = False
    """Whether the nearest idioms were asked for although none is close."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a person says is wrong with a phrase."""

    id: int
    user: int
    key: str
    """Of the phrase."""
    kind: str
    """What is wrong: "translation", "spelling", "meaning", "origin", "other"."""
    comment: str = ""
    at: float = 0.0
    """When it was said, in seconds since 1970."""
    answer: str = ""
    """What the admins did: "fixed", "kept"; empty: nothing yet."""


@dataclass(frozen=True, slots=True)
class Review:
    """How well a person knows a saved idiom."""

    key: str
    """Of the phrase."""
    count: int = 0
    """How often the person graded it; 0: it is new to them."""
    card: str = ""
    """What the scheduler remembers of it, as JSON; empty: nothing yet."""
    due: float = 0.0
    """When to ask it again, in seconds since 1970."""
    previous: str = ""
    """`card` before the latest grade, so that it can be taken back."""
    since: str = ""
    """The day of the first grade, as an ISO date."""


class Store(Protocol):
    """Keeps what must outlive a restart. A write survives a kill once it was awaited; `bot.store.opening` opens one.

    All but `forget` and `prune`, which delete little by little, write in one transaction.

    Every method raises StateUnavailable when the state cannot be had just now.
    """

    now: Callable[[], float]
    """The clock, in seconds since 1970; also called outside the event loop's thread."""

    async def user(self, user: int) -> User:
        """Return the settings of a person; for an unknown person, the defaults."""

    async def set(self, user: int, **values: str | float | None) -> None:
        """Change settings of a person; the keywords are fields of User."""

    async def keep_updates(self, updates: Sequence[tuple[int, str]]) -> list[int]:
        """Remember updates, pairs of number and JSON text, and return the numbers of those that are new.

        A new one is this process's to answer, and stays remembered, after a kill too, until `finish_updates`. One that
        is known is being answered by some process, or was.
        """

    async def finish_updates(self, numbers: Sequence[int]) -> None:
        """Forget the texts of answered updates; their numbers are remembered as long as KEPT_DAYS says."""

    async def take_over(self) -> list[tuple[int, str, int]]:
        """Return unfinished updates of processes that are gone; they are this process's from now on.

        Each is a triple (number, JSON text, how often it was taken over, now included), sorted by number.

        Also says that this process lives: to be called at the start, and then every LEASE / 3 seconds.
        """

    async def leads(self) -> bool:
        """Return whether this process, of all that share the state, does the work that goes by the clock."""

    async def count_query(self, user: int, day: str, update: int = 0) -> int:
        """Count one more query of a person, and return how many they asked on this day (an ISO date).

        The same `update` in a row is counted once.
        """

    async def due(self) -> list[User]:
        """Return the people whose idiom of the day is due, or due so late that the clock must have been wrong."""

    async def reschedule(self, user: User, due: float) -> bool:
        """Set when the next idiom of the day is due, and return True.

        Return False, and change nothing, for a person who chose another hour, unsubscribed or was forgotten since
        `user` was read.
        """

    async def add(self, entry: HistoryEntry, update: int = 0) -> HistoryEntry:
        """Keep a screen, and return it with its `id` and `at` set.

        An `update` other than 0 keeps one screen of each kind: when it comes again, the screen kept first is returned.
        """

    async def entry(self, number: int, chat_key: str) -> HistoryEntry | None:
        """Return the screen with this `id`, or None unless it was shown in this chat."""

    async def past(self, number: int, user: int) -> HistoryEntry | None:
        """Return the screen with this `id`, or None unless it was shown to this person."""

    async def history(self, user: int, first: int, count: int) -> list[HistoryEntry]:
        """Return what a person asked and opened, newest first, each once: `count` entries after `first` newer ones.

        Exact and repaired searches for one text are two entries; searches for the nearest are not listed.
        """

    async def recent_keys(self, user: int, count: int = 200) -> frozenset[str]:
        """Return the keys of the last `count` phrases that a person opened."""

    async def saved(self, user: int) -> list[str]:
        """Return the keys of the phrases that a person saved, newest first."""

    async def set_saved(self, user: int, key: str, saved: bool) -> None:
        """Save a phrase, or stop saving it; what is so already stays as it is."""

    async def toggle_saved(self, user: int, key: str, update: int = 0) -> bool:
        """Save a phrase, or stop saving it, and return whether it is saved now.

        The `update` that asks for it is finished with it, so that none toggles back when it is answered again.
        """

    async def reviews(self, user: int) -> list[Review]:
        """Return what a person began to repeat, the earliest due first, whether it is still saved or not."""

    async def grade(self, user: int, review: Review, day: str) -> bool:
        """Keep a phrase as graded once more on this day (an ISO date), and return True.

        Return False, and change nothing, when it was graded since: the count kept must be one less than that of
        `review`.
        """

    async def ungrade(self, user: int, review: Review) -> bool:
        """Put a phrase back as it was before its latest grade, and return whether that was still the latest.

        The count kept must be one more than that of `review`; one with count 0 is forgotten.
        """

    async def learned(self, user: int) -> list[str]:
        """Return the days, as ISO dates, on which a person graded anything, latest first."""

    async def vote(self, user: int, query: str, key: str, vote: str) -> bool:
        """Keep a person's judgement of a phrase as an answer to a query, and return whether it is new.

        A new one replaces the old; "" takes it back.
        """

    async def voted(self, user: int, query: str, key: str) -> str:
        """Return a person's judgement of a phrase as an answer to a query, "up" or "down"; "" where there is none."""

    async def report(self, user: int, key: str, kind: str) -> int:
        """Keep that a person finds a phrase wrong, and return the number of the report.

        The same said again is the same report, and waits for an answer again. More than REPORTS_A_DAY are not kept;
        then the number is 0.
        """

    async def comment(self, user: int, number: int, text: str) -> Report | None:
        """Set what a person has to say on a report of theirs, and return it; None when there is none."""

    async def reports(self) -> list[Report]:
        """Return all reports, those of one phrase together, the phrase with the latest one first."""

    async def answer_reports(self, key: str, answer: str) -> list[Report]:
        """Set what was done about a phrase, and return the reports that had waited for it."""

    async def add_poll(self, poll: str, correct: int) -> None:
        """Keep the number of the correct option of a quiz poll."""

    async def add_answer(self, user: int, poll: str, option: int) -> None:
        """Count a person's answer to a quiz poll, once; answers to unknown polls are ignored."""

    async def score(self, user: int, since: float = 0.0, until: float | None = None) -> tuple[int, int]:
        """Return how many quiz questions a person answered correctly, and how many in all, between two moments."""

    async def pictures(self, pictures: Sequence[str]) -> dict[str, str]:
        """Return under which names Telegram keeps these pictures; of those that it was never sent, none."""

    async def add_picture(self, picture: str, file_id: str) -> None:
        """Remember the name under which Telegram keeps a picture."""

    async def trending(self, days: float, count: int, people: int = 5) -> list[tuple[str, int]]:
        """Return up to `count` pairs (key, people) of the phrases that most people opened in the last days.

        Phrases that fewer than `people` opened are left out.
        """

    async def clicks(self) -> dict[str, int]:
        """Return how many people chose each phrase: opened it as an answer, sent or saved it, or voted for it."""

    async def people(self, days: float) -> int:
        """Return how many people used the bot in the last days."""

    async def activity(self, days: float) -> list[tuple[str, int, int]]:
        """Return triples (ISO date by UTC, queries, people), oldest first, of the last days that had any."""

    async def export(self, user: int, take: Callable[[str, list[dict[str, Any]]], bool | None]) -> None:
        """Read everything that is kept about a person, a part at a time: however much it is, it takes little memory.

        Calls `take`, outside the event loop's thread, with a table of OWNED and some of its rows, the newest first;
        True ends the reading of that table.
        """

    async def forget(self, user: int, tables: Iterable[str]) -> None:
        """Delete what these tables of OWNED hold about a person: on a full disk too, and from the bytes of the file."""

    async def prune(self) -> None:
        """Delete rows older than KEPT_DAYS. To be called every minute, so that there are few at a time."""

    async def close(self) -> None:
        """Wait for what is under way, and close."""

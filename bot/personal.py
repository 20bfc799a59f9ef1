"""What belongs to one person: language, idiom of the day, quiz score, and their data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from bot import clock, quiz, screens_personal
from bot.actions import Ask, Erase, Export, Set
from bot.replies import File, Person, Reply
from bot.screens import Screen
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.store.sqlite import OWNED, User, UserStore
from bot.texts import texts_in

ERASED = {"history": ("steps",), "saved": ("saved",), "all": OWNED, "nothing": ()}
"""The tables that are emptied of a person."""

PersonalAction = Set | Ask | Erase | Export


class Personal:
    """Answers what concerns the person alone."""

    def __init__(self, engine: SearchEngine, store: UserStore) -> None:
        """Ask from `engine`, remember in `store`."""
        self.engine = engine
        self.store = store

    def press(self, person: Person, action: PersonalAction) -> Reply:
        """The answer to a button."""
        match action:
            case Set(what, value):
                return Reply(self._set(person, what, value))
            case Ask("quiz"):
                return self.quiz(person)
            case Ask("score"):
                correct, asked = self.store.score(person.id)
                return Reply(notice=person.texts("quiz-score", correct=correct, asked=asked))
            case Ask("zones"):
                return Reply(screens_personal.zones(person.texts, self.store.now()))
            case Ask():
                return Reply(self.ask_daily(person, ()))
            case Erase(data, sure=0) if data != "nothing":
                return Reply(screens_personal.sure(person.texts, data))
            case Erase(data):
                self.store.forget(person.id, ERASED[data])
                return Reply(Screen(person.texts(f"erased-{data}")))
            case Export(data):
                return Reply(file=self.saved_file(person) if data == "saved" else self.export(person))

    def _set(self, person: Person, what: str, value: str) -> Screen:
        """Change a setting; a value that it cannot have changes nothing."""
        match what, value:
            case "hour", value if not value or clock.known_hour(value):
                return self.daily(person, clock.known_hour(value), self.zone(person))
            case "zone", value if zone := clock.known_zone(value):
                return self.daily(person, self.store.user(person.id).hour, zone)
            case (("language" | "scope"), ("" | "ru" | "en")):
                self.store.set(person.id, **{what: value})
        if what == "language":
            person = replace(person, texts=texts_in(self.store.user(person.id).language or person.own_language))
        return self.ask_daily(person, ()) if what in ("hour", "zone") else self.preferences(person)

    def quiz(self, person: Person) -> Reply:
        """A question of the quiz."""
        question = quiz.ask(self.engine, person.texts, self.languages(person))
        return Reply(question=question) if question else Reply(notice=person.texts("quiz-impossible"))

    def languages(self, person: Person) -> tuple[str, ...] | None:
        """The languages of the idioms that a person searches; None is all."""
        scope = self.store.user(person.id).scope
        return (scope,) if scope else None

    def zone(self, person: Person) -> str:
        """The time zone in which a person lives, or is guessed to live."""
        return clock.zone_or_guess(self.store.user(person.id).zone, person.texts.language)

    def today(self, person: Person) -> date:
        """The date where a person lives."""
        return clock.local_day(self.store.now(), self.zone(person))

    def preferences(self, person: Person) -> Screen:
        """The languages to choose from."""
        user = self.store.user(person.id)
        return screens_personal.preferences(person.texts, user.language, user.scope)

    def ask_daily(self, person: Person, words: Sequence[str]) -> Screen:
        """/daily, where hour and zone may be written after it."""
        hour = next(filter(None, map(clock.known_hour, words)), self.store.user(person.id).hour)
        zone = next(filter(None, map(clock.known_zone, words)), self.zone(person))
        if words:
            return self.daily(person, hour, zone)
        return screens_personal.daily(person.texts, hour, zone, self.store.now())

    def daily(self, person: Person, hour: str, zone: str) -> Screen:
        """Send the idiom of the day from now on at this hour, or never."""
        due = clock.next_time(self.store.now(), int(hour), zone) if hour else None
        self.store.set(person.id, hour=hour, zone=zone, due=due, spoken=person.texts.language)
        return screens_personal.daily(person.texts, hour, zone, self.store.now())

    def schedule(self, user: User) -> None:
        """Set when the next idiom of the day is due."""
        hour, zone = int(user.hour), clock.zone_or_guess(user.zone, user.language or user.spoken or "en")
        self.store.set(user.id, due=clock.next_time(self.store.now(), hour, zone))

    def unsubscribe(self, user: int) -> None:
        """Send no more idioms of the day: the person stopped the bot."""
        self.store.set(user, hour="", due=None)

    def saved_phrases(self, person: Person) -> list[Phrase]:
        """The idioms that a person saved and that are still in the collection."""
        return [phrase for key in self.store.saved(person.id) if (phrase := self.engine.phrase(key))]

    def saved_file(self, person: Person) -> File:
        """The saved idioms, one to a line with its meaning."""
        lines = [f"{phrase.text} — {'; '.join(phrase.meanings)}" for phrase in self.saved_phrases(person)]
        return File("idioms.txt", ("\n".join(lines) + "\n").encode())

    def export(self, person: Person) -> File:
        """Everything that is kept about a person."""
        return File("idiomatika.json", json.dumps(self.store.export(person.id), ensure_ascii=False, indent=1).encode())

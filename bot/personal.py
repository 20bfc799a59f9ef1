"""What belongs to one person: language, idiom of the day, quiz score, and their data."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot import clock, quiz, screens_personal
from bot.actions import Daily, Erase, Export, Quiz, Scope, Score, Speak, Zone, Zones
from bot.replies import File, Person, Reply
from bot.screens import Screen
from bot.search import Phrase, SearchEngine
from bot.texts import texts_in
from bot.users import User, UserStore

PersonalAction = Quiz | Score | Speak | Scope | Daily | Zones | Zone | Erase | Export


class Personal:
    """Answers what concerns the person alone."""

    def __init__(self, engine: SearchEngine, store: UserStore) -> None:
        """Ask from `engine`, remember in `store`."""
        self.engine = engine
        self.store = store

    def press(self, person: Person, action: PersonalAction) -> Reply:
        """The answer to a button."""
        match action:
            case Quiz():
                return self.quiz(person)
            case Score():
                correct, asked = self.store.score(person.id)
                return Reply(notice=person.texts("quiz-score", correct=correct, asked=asked))
            case Speak(language):
                self.store.set(person.id, language=language)
                spoken = Person(person.id, person.place, texts_in(language or person.own_language), person.own_language)
                return Reply(self.preferences(spoken))
            case Scope(language):
                self.store.set(person.id, scope=language)
                return Reply(self.preferences(person))
            case Daily(hour):
                return Reply(self.daily(person, hour, self.zone(person)))
            case Zones():
                return Reply(screens_personal.zones(person.texts, self.store.now()))
            case Zone(zone):
                return Reply(
                    self.daily(person, self.store.user(person.id).hour, clock.known_zone(zone) or self.zone(person))
                )
            case Erase(what, sure):
                return Reply(
                    self._erase(person, what)
                    if sure or what == "nothing"
                    else screens_personal.sure(person.texts, what)
                )
            case Export(what):
                return Reply(file=self.saved_file(person) if what == "saved" else self.export(person))

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

    def preferences(self, person: Person) -> Screen:
        """The languages to choose from."""
        user = self.store.user(person.id)
        return screens_personal.preferences(person.texts, user.language, user.scope)

    def ask_daily(self, person: Person, words: Sequence[str]) -> Screen:
        """/daily, where hour and zone may be written after it."""
        hours = [word.removesuffix(":00") for word in words if word.removesuffix(":00").isdecimal()]
        hour = next(
            (str(int(word)) for word in hours if len(word) < 3 and int(word) < 24), self.store.user(person.id).hour
        )
        zones = [zone for word in words if (zone := clock.known_zone(word))]
        if words:
            return self.daily(person, hour, zones[0] if zones else self.zone(person))
        return screens_personal.daily(person.texts, hour, self.zone(person), self.store.now())

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

    def _erase(self, person: Person, what: str) -> Screen:
        if what == "history":
            self.store.forget(person.id, ("steps",))
        elif what == "all":
            self.store.forget(person.id)
        return Screen(person.texts(f"erased-{what}"))

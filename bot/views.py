"""Views: from a step that a person made to the screen that shows it, now or again."""

from __future__ import annotations

from bot import clock, screens, screens_personal
from bot.actions import Show
from bot.personal import Personal
from bot.replies import Person
from bot.screens import PAGE, Frame, Screen
from bot.screens_personal import Past
from bot.search import Phrase, SearchEngine
from bot.users import Step, UserStore


class Views:
    """Shows steps. Nothing is remembered but the step, so each is shown as things are now."""

    def __init__(self, engine: SearchEngine, store: UserStore, personal: Personal) -> None:
        """Look up phrases in `engine`, steps in `store` and preferences in `personal`."""
        self.engine = engine
        self.store = store
        self.personal = personal

    def show(self, person: Person, step: Step, page: int = 0) -> Screen | None:
        """The screen of a step; None when its phrase is no longer in the collection."""
        if step.kind == "query":
            return self.results(person, step, page)
        if step.kind in ("history", "saved"):
            return self.listed(person, step, page)
        phrase = self.engine.phrase(step.text)
        return self._about(person, step, phrase) if phrase else None

    def results(self, person: Person, step: Step, page: int) -> Screen:
        """A page of the answers to a query."""
        first = page * PAGE
        scope = self.store.user(person.id).scope
        matches = self.engine.search(step.text, first + PAGE + 1, (scope,) if scope else None)[first:]
        if not matches and page:
            return self.results(person, step, 0)
        if not matches:
            return screens.nothing_found(person.texts, step.text, step.id, scope)
        return screens.results(person.texts, step.text, matches[:PAGE], step.id, page, len(matches) > PAGE, scope)

    def listed(self, person: Person, step: Step, page: int) -> Screen:
        """A page of the history or of the saved idioms."""
        if step.kind == "saved":
            return screens_personal.saved(person.texts, self.personal.saved_phrases(person), step.id, page)
        pasts = [self._past(person, past) for past in self.store.history(person.id, page * PAGE, PAGE + 1)]
        if not pasts and page:
            return self.listed(person, step, 0)
        return screens_personal.history(person.texts, pasts, step.id, page)

    def query_of(self, person: Person, number: int) -> str:
        """The query that led to a step; "" when none did."""
        step = self.store.step(number, person.place)
        parent = self.store.step(step.parent, person.place) if step else None
        return parent.text if parent and parent.kind == "query" else ""

    def _past(self, person: Person, past: Step) -> Past:
        when = clock.moment(past.at, self.personal.zone(person), person.texts.language)
        if past.kind == "query":
            return Past(past.id, "🔎", past.text, when)
        phrase = self.engine.phrase(past.text)
        return Past(past.id, "📖", phrase.text if phrase else "…", when)

    def _about(self, person: Person, step: Step, phrase: Phrase) -> Screen:
        frame = Frame(
            step.id,
            Show(step.parent, step.page) if step.parent else None,
            bool(self.query_of(person, step.id)),
            phrase.key in self.store.saved(person.id),
            step.among,
        )
        show = screens.similar if step.kind == "similar" else screens.card
        return show(person.texts, phrase, self.engine.similar(phrase.key, PAGE), frame)

"""The conversation: from what a person asks or presses to the screen that answers it."""

from __future__ import annotations

from dataclasses import dataclass

from bot import screens
from bot.actions import Action, Open, Random, Show, Similar
from bot.screens import INLINE_PAGE, PAGE, InlineCard, Screen
from bot.search import Phrase, SearchEngine
from bot.texts import Texts
from bot.users import Step, UserStore

LONGEST_QUERY = 1000
"""Characters of a message that are searched and remembered."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: their number, the chat or inline message in which they do, and the texts that they read."""

    id: int
    place: str
    texts: Texts


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a press: a new screen for the message, or a notice, or both."""

    screen: Screen | None = None
    notice: str = ""


@dataclass(frozen=True, slots=True)
class InlinePage:
    """Cards for inline mode, and the number of the card that follows them, if any."""

    cards: tuple[InlineCard, ...]
    next: int | None


class Conversation:
    """Answers people. All that it remembers is in the store, so it may be restarted between any two presses."""

    def __init__(self, engine: SearchEngine, store: UserStore) -> None:
        """Answer from `engine`, remember in `store`."""
        self.engine = engine
        self.store = store

    def ask(self, person: Person, query: str) -> Screen:
        """The idioms for a query in a person's own words."""
        return self._view(person, self._step(person, "query", query[:LONGEST_QUERY])) or self._empty(person)

    def inline(self, person: Person, query: str, first: int) -> InlinePage:
        """The idioms for a query typed in another chat, from the `first` on."""
        matches = self.engine.search(query, count=first + INLINE_PAGE + 1)[first:]
        cards = [screens.inline_card(person.texts, match.phrase) for match in matches[:INLINE_PAGE]]
        return InlinePage(tuple(cards), first + INLINE_PAGE if len(matches) > INLINE_PAGE else None)

    def random(self, person: Person) -> Screen:
        """An idiom drawn by lot, none of those that the person saw lately."""
        return self._random(person, 0) or self._empty(person)

    def open(self, person: Person, key: str) -> Reply:
        """The card of a phrase, as somebody's link names it."""
        return self.press(person, Open(key))

    def press(self, person: Person, action: Action) -> Reply:
        """The answer to a button."""
        match action:
            case Open(key) | Similar(key) if not self.engine.phrase(key):
                return Reply(notice=person.texts("notice-phrase-gone"))
            case Open(key, parent, page):
                return self._reply(person, self._step(person, "card", key, parent, page))
            case Similar(key, card):
                root = self.store.step(card, person.place) or self._step(person, "card", key)
                return self._reply(person, self._step(person, "similar", key, root.id))
            case Show(number, page):
                step = self.store.step(number, person.place)
                return self._reply(person, step, page) if step else Reply(notice=person.texts("notice-step-gone"))
            case Random(parent):
                return Reply(self._random(person, parent) or self._empty(person))

    def _random(self, person: Person, parent: int) -> Screen | None:
        seen = self.store.recent_keys(person.id)
        phrase = self.engine.random(exclude=seen) or self.engine.random()
        return self._view(person, self._step(person, "random", phrase.key, parent)) if phrase else None

    def _step(self, person: Person, kind: str, text: str, parent: int = 0, page: int = 0) -> Step:
        known = self.store.step(parent, person.place) if parent else None
        return self.store.add_step(person.id, person.place, kind, text, known.id if known else 0, page)

    def _reply(self, person: Person, step: Step, page: int = 0) -> Reply:
        screen = self._view(person, step, page)
        return Reply(screen) if screen else Reply(notice=person.texts("notice-phrase-gone"))

    def _view(self, person: Person, step: Step, page: int = 0) -> Screen | None:
        """The screen of a step; None when its phrase is no longer in the collection."""
        if step.kind == "query":
            return self._results(person, step, page)
        phrase = self.engine.phrase(step.text)
        return self._about(person, step, phrase) if phrase else None

    def _results(self, person: Person, step: Step, page: int) -> Screen:
        first = page * PAGE
        matches = self.engine.search(step.text, count=first + PAGE + 1)[first:]
        if not matches and page:
            return self._results(person, step, 0)
        if not matches:
            return screens.nothing_found(person.texts, step.text)
        return screens.results(person.texts, step.text, matches[:PAGE], step.id, page, more=len(matches) > PAGE)

    def _about(self, person: Person, step: Step, phrase: Phrase) -> Screen:
        near = self.engine.similar(phrase.key, count=PAGE)
        show = screens.similar if step.kind == "similar" else screens.card
        return show(person.texts, phrase, near, step.id, Show(step.parent, step.page) if step.parent else None)

    def _empty(self, person: Person) -> Screen:
        return Screen(person.texts("notice-phrase-gone"))

"""The conversation: from what a person asks or presses to the screen that answers it."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from bot import links, screens_card
from bot.actions import Action, Again, Open, Random, Save, Search, Set, Show, Similar, Vote, Why
from bot.personal import Personal
from bot.replies import InlinePage, Person, Reply
from bot.screens import INLINE_PAGE, Screen
from bot.screens_card import InlineCard
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from bot.settings import Settings
from bot.store.sqlite import Step, User, UserStore
from bot.texts import shorten, texts_in
from bot.topics import Topics
from bot.views import Views

LONGEST_QUERY = 1000
"""Characters of a message that are searched and remembered."""
LEFT_WORTH_TELLING = 3
TRENDING_DAYS = 7
OFFERS_SECONDS = 60
"""How long Telegram may show the same offers: what is trending changes."""


class Conversation:
    """Answers people. All that it remembers is in the store, so it may be restarted between any two presses."""

    def __init__(self, engine: SearchEngine, store: UserStore, settings: Settings | None = None) -> None:
        """Answer from `engine`, remember in `store`."""
        self.engine = engine
        self.store = store
        self.settings = settings or Settings()
        self.personal = Personal(engine, store)
        self.views = Views(engine, store, self.personal)
        self.topics = Topics(engine.phrases)
        self.seconds: deque[float] = deque(maxlen=1000)
        """How long the latest queries took."""

    def ask(self, person: Person, query: str) -> Screen:
        """The idioms for a query in a person's own words."""
        left = self._queries_left(person)
        if left < 0:
            return Screen(person.texts("limit-reached", limit=self.settings.daily_limit))
        started = time.perf_counter()
        screen = self.views.results(person, self._step(person, "query", query[:LONGEST_QUERY]), 0)
        self.seconds.append(time.perf_counter() - started)
        if left > LEFT_WORTH_TELLING:
            return screen
        return replace(screen, text=f"{screen.text}\n\n{person.texts('limit-near', left=left)}")

    def start(self, person: Person, payload: str) -> Screen:
        """/start, with what a deep link may carry: the key of an idiom or a query."""
        match links.read(payload):
            case "idiom", key:
                reply = self.press(person, Open(key))
                return reply.screen or Screen(reply.notice)
            case "query", query if query.strip():
                return self.ask(person, query)
        return Screen(person.texts("start"))

    def random(self, person: Person, words: Sequence[str] = ()) -> Screen:
        """An idiom drawn by lot, of the language and topic that a person may have named."""
        among = self.topics.read(words)
        if among is None:
            return Screen(person.texts.html("topics", topics=", ".join(self.topics.names(person.texts))))
        return self._random(person, 0, among)

    def listed(self, person: Person, kind: str) -> Screen:
        """The "history" or the "saved" idioms of a person."""
        return self.views.listed(person, self._step(person, kind, ""), 0)

    def sent(self, person: Person, key: str) -> None:
        """A person sent an idiom to a chat by inline mode: this counts as opening it."""
        self._step(person, "card", key)

    def inline(self, person: Person, query: str, first: int) -> InlinePage:
        """The idioms for what is typed in another chat, from the `first` on."""
        if not query.strip():
            return InlinePage(self._cards(person, self._offers(person)), None, OFFERS_SECONDS)
        answer = self.engine.answer(query, first + INLINE_PAGE + 1, self.personal.languages(person))
        phrases = [match.phrase for match in answer.matches[first:]]
        label = "" if phrases or first else person.texts("button-ask")
        if phrases and answer.repaired:
            label = person.texts("button-repaired", searched=shorten(answer.searched, 40))
        following = first + INLINE_PAGE if len(phrases) > INLINE_PAGE else None
        return InlinePage(self._cards(person, phrases[:INLINE_PAGE]), following, label=label, ask=links.to_query(query))

    def of_the_day(self, day: date, scope: str) -> Phrase | None:
        """The idiom of a day, the same for all who search the same languages."""
        fitting = [p for p in self.engine.phrases if p.example and p.register != "vulgar" and scope in ("", p.language)]
        return random.Random(f"{day} {scope}").choice(fitting) if fitting else None

    def press(self, person: Person, action: Action) -> Reply:
        """The answer to a button."""
        match action:
            case Open(key) | Similar(key) | Save(key) | Vote(_, key) if not self.engine.phrase(key):
                return Reply(notice=person.texts("notice-phrase-gone"))
            case Open(key, parent, page):
                return self._reply(person, self._step(person, "card", key, parent, page))
            case Similar(key, card):
                root = self.store.step(card, person.place) or self._step(person, "card", key)
                return self._reply(person, self._step(person, "similar", key, root.id))
            case Show(number, page):
                return self._reply(person, self.store.step(number, person.place), page)
            case Search(how, number):
                asked = self.views.asked(person, number)
                return self._reply(person, asked and self._step(person, how, asked.text, asked.id))
            case Why(number, page):
                asked = self.views.asked(person, number)
                return Reply(self.views.results(person, asked, page, True)) if asked else self._reply(person, None)
            case Again(past, parent, page):
                step = self.store.past(past, person.id)
                return self._reply(person, step and self._step(person, step.kind, step.text, parent, page))
            case Set("scope", ("" | "ru" | "en") as scope, number) if step := self.store.step(number, person.place):
                self.store.set(person.id, scope=scope)
                return self._reply(person, step)
            case Random(parent, among):
                return Reply(self._random(person, parent, among))
            case Save(key, number):
                notice = "notice-saved" if self.store.toggle_saved(person.id, key) else "notice-unsaved"
                step = self.store.step(number, person.place)
                return Reply(self.views.show(person, step) if step else None, person.texts(notice))
            case Vote(vote, key, number):
                step = self.store.step(number, person.place)
                asked = self.views.asked(person, step.parent) if step else None
                return self._vote(person, vote, key, asked.text if asked else "")
            case _:
                return self.personal.press(person, action)

    def daily_card(self, user: User, bot: str) -> Screen | None:
        """The idiom of the day for a subscriber; `bot` is the name of the bot that sends it."""
        person = Person(user.id, str(user.id), texts_in(user.language or user.spoken or "en"), bot=bot)
        phrase = self.of_the_day(self.personal.today(person), user.scope)
        screen = phrase and self.views.show(person, self._step(person, "random", phrase.key))
        return replace(screen, text=f"{person.texts('daily-title')}\n\n{screen.text}") if screen else None

    def _queries_left(self, person: Person) -> int:
        """How many more queries the person may ask today after this one; negative when not even this one."""
        limit = self.settings.daily_limit
        if not limit or person.id in self.settings.admins:
            return LEFT_WORTH_TELLING + 1
        return limit - self.store.count_query(person.id, str(self.personal.today(person)))

    def _random(self, person: Person, parent: int, among: str) -> Screen:
        language, _, topic = among.partition(".")
        languages = (language,) if language else self.personal.languages(person)
        seen = self.store.recent_keys(person.id)
        phrase = self.engine.random(languages, topic or None, seen) or self.engine.random(languages, topic or None)
        step = phrase and self._step(person, "random", phrase.key, parent, among=among)
        return (step and self.views.show(person, step)) or Screen(person.texts("random-empty"))

    def _offers(self, person: Person) -> list[Phrase]:
        """What inline mode offers before anything is typed: the idiom of the day, and what many open."""
        todays = self.of_the_day(self.personal.today(person), self.store.user(person.id).scope)
        trending = [self.engine.phrase(key) for key, _ in self.store.trending(TRENDING_DAYS, INLINE_PAGE)]
        offers = [todays, *trending]
        return list({phrase.key: phrase for phrase in offers if phrase}.values())[:INLINE_PAGE]

    def _cards(self, person: Person, phrases: Sequence[Phrase]) -> tuple[InlineCard, ...]:
        return tuple(
            screens_card.inline_card(person.texts, phrase, self.views.about(person, phrase)) for phrase in phrases
        )

    def _step(self, person: Person, kind: str, text: str, parent: int = 0, page: int = 0, among: str = "") -> Step:
        known = self.store.step(parent, person.place) if parent else None
        return self.store.add_step(
            Step(0, person.id, person.place, kind, text, known.id if known else 0, page, 0, among)
        )

    def _reply(self, person: Person, step: Step | None, page: int = 0) -> Reply:
        if step is None:
            return Reply(notice=person.texts("notice-step-gone"))
        screen = self.views.show(person, step, page)
        return Reply(screen) if screen else Reply(notice=person.texts("notice-phrase-gone"))

    def _vote(self, person: Person, vote: str, key: str, query: str) -> Reply:
        self.store.vote(person.id, "" if vote == "wrong" else query, key, vote)
        phrase = self.engine.phrase(key)
        report = None
        if phrase and vote == "wrong":
            report = screens_card.report(person.texts, phrase, self.views.about(person, phrase), person.id)
        return Reply(notice=person.texts(f"notice-vote-{vote}"), alert=vote == "wrong", to_admins=report)

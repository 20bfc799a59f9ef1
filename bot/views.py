"""Views: from a step that a person made to the screen that shows it, now or again."""

from __future__ import annotations

from dataclasses import replace

from bot import clock, links, screens_card, screens_personal, screens_search
from bot.actions import Show
from bot.personal import Personal
from bot.replies import Person
from bot.screens import PAGE, Screen
from bot.screens_card import Equivalent, Frame
from bot.screens_personal import Past
from bot.screens_search import Found
from bot.search.engine import Match, SearchEngine
from bot.search.phrases import Phrase
from bot.store.sqlite import Step, UserStore
from bot.texts import Texts, shorten

MOST_JUDGED = 4
"""Equivalents on a card that somebody judged; the search finds a few more."""


class Views:
    """Shows steps. Nothing is remembered but the step, so each is shown as things are now."""

    def __init__(self, engine: SearchEngine, store: UserStore, personal: Personal) -> None:
        """Look up phrases in `engine`, steps in `store` and preferences in `personal`."""
        self.engine = engine
        self.store = store
        self.personal = personal

    def show(self, person: Person, step: Step, page: int = 0) -> Screen | None:
        """The screen of a step; None when its phrase is no longer in the collection."""
        if step.asks:
            return self.results(person, step, page)
        if step.kind in ("history", "saved"):
            return self.listed(person, step, page)
        phrase = self.engine.phrase(step.text)
        return self._of_phrase(person, step, phrase) if phrase else None

    def results(self, person: Person, step: Step, page: int, why: bool = False) -> Screen:
        """A page of the answers to a query, perhaps with what led to each."""
        found = self._found(person, step, page)
        if not found.matches and page:
            return self.results(person, step, 0)
        if not found.close and not step.nearest:
            return screens_search.nothing_found(person.texts, found)
        whys = [self._why(person.texts, found, match) for match in found.matches] if why else []
        return screens_search.results(person.texts, replace(found, whys=whys))

    def about(self, person: Person, phrase: Phrase) -> str:
        """What is known about a phrase, as HTML."""
        return self._write_about(person.texts, phrase, person.bot)

    def listed(self, person: Person, step: Step, page: int) -> Screen:
        """A page of the history or of the saved idioms."""
        if step.kind == "saved":
            return screens_personal.saved(person.texts, self.personal.saved_phrases(person), step.id, page)
        pasts = [self._past(person, past) for past in self.store.history(person.id, page * PAGE, PAGE + 1)]
        if not pasts and page:
            return self.listed(person, step, 0)
        return screens_personal.history(person.texts, pasts, step.id, page)

    def asked(self, person: Person, number: int) -> Step | None:
        """The step of this number, if it shows the answers to a query."""
        step = self.store.step(number, person.place)
        return step if step and step.asks else None

    def _found(self, person: Person, step: Step, page: int) -> Found:
        """A page of the answers to a query; of the nearest when nothing is close."""
        scope = self.store.user(person.id).scope
        languages = (scope,) if scope else None
        first, last = page * PAGE, (page + 1) * PAGE
        answer = self.engine.answer(step.text, last + 1, languages, step.exact, anyway=True)
        return Found(
            query=step.text,
            matches=answer.matches[first:last],
            step=step.id,
            page=page,
            more=len(answer.matches) > last,
            scope=scope,
            back=_back(step),
            repaired=answer.searched if answer.repaired else "",
            exact=step.exact,
            close=answer.close,
        )

    def _why(self, texts: Texts, found: Found, match: Match) -> str:
        if match.reason == "wording":
            return texts("why-wording")
        analysis = self.engine.analyse(found.repaired or found.query, exact=True)
        return screens_search.why(texts, self.engine.explain(analysis, match.phrase.key))

    def _why_opened(self, person: Person, step: Step, phrase: Phrase) -> str:
        """What in the query led to the phrase of a step; "" when no query did."""
        asked = self.asked(person, step.parent)
        if not asked:
            return ""
        found = self._found(person, asked, step.page)
        # The person may search other idioms by now.
        match = next((match for match in found.matches if match.phrase == phrase), Match(phrase, 0.0, "meaning"))
        return self._why(person.texts, found, match)

    def _past(self, person: Person, past: Step) -> Past:
        when = clock.moment(past.at, self.personal.zone(person), person.texts.language)
        if past.exact:
            return Past(past.id, "🔎", person.texts("history-exact", query=shorten(past.text, 80)), when)
        if past.asks:
            meant = self.engine.analyse(past.text).searched
            label = past.text if meant == past.text else f"{shorten(past.text, 40)} → {meant}"
            return Past(past.id, "🔎", label, when)
        phrase = self.engine.phrase(past.text)
        return Past(past.id, "📖", phrase.text if phrase else "…", when)

    def _of_phrase(self, person: Person, step: Step, phrase: Phrase) -> Screen:
        frame = Frame(step.id, _back(step), among=step.among)
        matches = self.engine.similar(phrase.key, PAGE, (phrase.language,))
        if step.kind == "similar":
            return screens_card.similar(person.texts, phrase, matches, frame)
        saved = phrase.key in self.store.saved(person.id)
        frame = replace(frame, why=self._why_opened(person, step, phrase), saved=saved)
        return screens_card.card(person.texts, phrase, self.about(person, phrase), matches, frame)

    def _write_about(self, texts: Texts, phrase: Phrase, bot: str) -> str:
        return screens_card.about(texts, phrase, self._equivalents(phrase, bot))

    def _equivalents(self, phrase: Phrase, bot: str) -> list[Equivalent]:
        """First those that somebody judged, then others that the search finds."""
        known = self.engine.equivalents(phrase.key)
        shown = [*[one for one in known if one.curated][:MOST_JUDGED], *(one for one in known if not one.curated)]
        return [Equivalent(one.text, _address(bot, one.key), not one.curated) for one in shown]


def _address(bot: str, key: str) -> str:
    """Where a phrase can be read about: a link to the bot whose name is `bot`."""
    return links.to_bot(bot, links.to_idiom(key)) if bot and key else ""


def _back(step: Step) -> Show | None:
    return Show(step.parent, step.page) if step.parent else None

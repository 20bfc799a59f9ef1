"""Search: the idioms for a query in a person's own words, and what in the query led to each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from bot.actions import Number, Page, SetScope, Show
from bot.features.context import Actions, Context, Screens
from bot.search.engine import Answer, Match
from bot.search.phrases import Phrase
from bot.store.protocol import HistoryEntry
from bot.texts import Texts, shorten
from bot.ui import PAGE, Button, Reply, Row, Screen, listing, screen, turns, ways_on

LONGEST_QUERY = 1000
"""Characters of a message that are searched and remembered."""
LEFT_WORTH_TELLING = 3
MOST_WORDS = 3
"""Words of a query that are named as what led to an idiom."""


@dataclass(frozen=True, slots=True)
class Why:
    """Show a page of the answers to a query, and what in the query led to each."""

    code: ClassVar[str] = "y"
    entry: Number
    page: Page = 0


@dataclass(frozen=True, slots=True)
class Search:
    """Search a query again: "exact", as it was typed; "nearest", though nothing is close; or both."""

    code: ClassVar[str] = "f"
    how: Literal["exact", "nearest", "exact-nearest"]
    entry: Number


async def ask(context: Context, query: str) -> Reply:
    """Answer a query in the asker's own words, unless they asked too many today."""
    left = await _queries_left(context)
    if left < 0:
        return Reply(Screen(context.texts("limit-reached", limit=context.settings.daily_limit)))
    started = time.perf_counter()
    answered = _results(context, await context.add("query", query[:LONGEST_QUERY]), 0)
    context.seconds.append(time.perf_counter() - started)
    if left <= LEFT_WORTH_TELLING:
        answered = replace(answered, text=f"{answered.text}\n\n{context.texts('limit-near', left=left)}")
    return Reply(answered)


async def show(context: Context, entry: HistoryEntry, page: int = 0) -> Reply:
    """Show a page of the answers to a query."""
    return Reply(_results(context, entry, page))


async def explain(context: Context, action: Why) -> Reply:
    """Show a page of the answers, each with the reason for it."""
    asked = await query_of(context, action.entry)
    return Reply(_results(context, asked, action.page, explained=True)) if asked else context.gone("step")


async def search_again(context: Context, action: Search) -> Reply:
    """Search a query in another way."""
    asked = await query_of(context, action.entry)
    if not asked:
        return context.gone("step")
    ways = action.how.split("-")
    entry = await context.add("query", asked.text, asked.id, exact="exact" in ways, nearest="nearest" in ways)
    return await show(context, entry)


async def query_of(context: Context, number: int) -> HistoryEntry | None:
    """Return the history entry with this number, if it shows the answers to a query."""
    entry = await context.entry(number)
    return entry if entry and entry.kind == "query" else None


def reason_of(context: Context, asked: HistoryEntry, page: int, phrase: Phrase) -> str:
    """Return what in a query led to a phrase that was opened from a page of its answers."""
    answer = _answer(context, asked, page)
    shown = answer.matches[page * PAGE : (page + 1) * PAGE]
    # By now the asker may search the idioms of another language.
    match = next((match for match in shown if match.phrase == phrase), Match(phrase, 0.0, "meaning"))
    return _reason(context, answer, match)


def _results(context: Context, entry: HistoryEntry, page: int, explained: bool = False) -> Screen:
    """A page of the answers to a query, or the first where there is no such page any more."""
    answer = _answer(context, entry, page)
    page = page if len(answer.matches) > page * PAGE else 0
    if not answer.close and not entry.nearest:
        return _nothing_close(context, entry, answer)
    matches = answer.matches[page * PAGE : (page + 1) * PAGE]
    reasons = [_reason(context, answer, match) for match in matches] if explained else []
    title = "\n".join(_title(context.texts, entry, answer))
    text, opens = listing(context.texts, title, [match.phrase for match in matches], entry.id, page, reasons)
    more = len(answer.matches) > (page + 1) * PAGE
    turn, other, label = (Why, Show, "button-why-not") if explained else (Show, Why, "button-why")
    ways = (*turns(context.texts, entry.id, page, more, turn), Button(context.texts(label), other(entry.id, page)))
    return screen(text, *opens, ways, _exactly(context.texts, entry, answer), () if page else _ways(context, entry))


def _answer(context: Context, entry: HistoryEntry, page: int) -> Answer:
    """What the search finds for a query, as far as this page and one more; the nearest when nothing is close."""
    count = (page + 1) * PAGE + 1
    return context.engine.answer(entry.text, count, context.languages, entry.exact, anyway=True)


def _nothing_close(context: Context, entry: HistoryEntry, answer: Answer) -> Screen:
    """The honest answer when no idiom is close; the nearest, if there are any, are a button away."""
    texts = context.texts
    lines = [texts.html("nothing-found", query=shorten(entry.text, 100)), *_remarks(texts, entry, answer)]
    nearest = Search("exact-nearest" if entry.exact else "nearest", entry.id)
    offer = (Button(texts("button-nearest"), nearest),) if answer.matches else ()
    text = "\n".join([*lines, "", texts("nothing-found-advice")])
    return screen(text, offer, _exactly(texts, entry, answer), _ways(context, entry))


def _title(texts: Texts, entry: HistoryEntry, answer: Answer) -> list[str]:
    title = [texts.html("results-title", query=shorten(entry.text, 100)), *_remarks(texts, entry, answer)]
    return title if answer.close else [*title, texts("results-nearest")]


def _remarks(texts: Texts, entry: HistoryEntry, answer: Answer) -> list[str]:
    """What was searched, where that is not plainly what was typed."""
    if answer.repaired:
        return [texts.html("results-repaired", searched=shorten(answer.searched, 100))]
    return [texts("results-exact")] if entry.exact else []


def _exactly(texts: Texts, entry: HistoryEntry, answer: Answer) -> Row:
    label = texts("button-exact", query=shorten(entry.text, 30))
    return (Button(label, Search("exact", entry.id)),) if answer.repaired else ()


def _ways(context: Context, entry: HistoryEntry) -> Row:
    """Where to go instead; the last button names the idioms that are searched, and chooses the next language's."""
    scopes, scope = ("", *context.engine.languages), context.user.scope
    following = scopes[(scopes.index(scope) + 1) % len(scopes)] if scope in scopes else ""
    label = f"🌐 {scope_name(context.texts, scope)}"
    return (*ways_on(context.texts, entry), Button(label, SetScope(following, entry.id)))


def scope_name(texts: Texts, scope: str) -> str:
    """Return the name of the idioms of a language, or of all ("")."""
    return texts.get(f"scope-{scope or 'all'}", scope)


def _reason(context: Context, answer: Answer, match: Match) -> str:
    if match.reason == "wording":
        return context.texts("why-wording")
    return why(context.texts, context.engine.explain(answer.analysis, match.phrase.key))


def why(texts: Texts, shares: Sequence[tuple[str, float]]) -> str:
    """Return the words of a query that speak most for a phrase, with their shares of all that speaks for it."""
    best = sorted(((round(100 * share), word) for word, share in shares), key=lambda part: -part[0])[:MOST_WORDS]
    named = [texts("why-word", word=shorten(word, 24), share=share) for share, word in best if share > 0]
    return texts("why", words=", ".join(named)) if named else texts("why-unknown")


async def _queries_left(context: Context) -> int:
    """How many more queries the asker may ask today after this one; negative when not even this one."""
    limit = context.settings.daily_limit
    if not limit or context.is_admin:
        return LEFT_WORTH_TELLING + 1
    return limit - await context.store.count_query(context.asker.id, str(context.today))


ACTIONS: Actions = {Why: explain, Search: search_again}
SCREENS: Screens = {"query": show}

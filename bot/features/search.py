"""Search: the idioms for a query in a person's own words, and what in the query led to each."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from bot.actions import Number, Page, SetScope, Show, Value
from bot.features import guide, kindness
from bot.features.context import Actions, Context, Screens
from bot.features.lists import listing
from bot.search.engine import Answer, Match
from bot.search.phrases import Phrase
from bot.store.protocol import HistoryEntry
from bot.texts import Texts, escape, is_empty, shorten
from bot.ui import PAGE, Button, Reply, Row, Screen, brief, screen, turns, ways_on

LONGEST_QUERY = 1000
"""Characters of a message that are searched and remembered."""
LAST_PAGE = 99
"""Further nobody turns, and forged presses could make the search rank the whole collection, which takes long."""
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


@dataclass(frozen=True, slots=True)
class ShowIn:
    """Show the answers to a query among the idioms of another language, this time only."""

    code: ClassVar[str] = "l"
    language: Value
    entry: Number


async def ask(context: Context, query: str) -> Reply:
    """Answer a query in the asker's own words, unless they asked too many today; greet who greets."""
    query, started = query[:LONGEST_QUERY], time.perf_counter()
    if is_empty(query):
        return Reply(Screen(context.texts("notice-not-text")))
    if kindness.is_despair(query):
        return await _comfort(context, query)
    answer = _answer(context, HistoryEntry(0, 0, "", "query", query))
    context.seconds.append(time.perf_counter() - started)
    if answer.repaired and kindness.is_despair(answer.searched):
        return await _comfort(context, query)
    if answer.analysis.intent == "help":
        return await guide.show(context)
    if answer.analysis.small_talk:
        return Reply(Screen(context.texts(f"talk-{answer.analysis.intent}")))
    texts, limit, left = context.texts, context.settings.daily_limit, LEFT_WORTH_TELLING + 1
    if limit and context.asker.id not in context.settings.admins:
        counting = context.store.count_query(context.asker.id, str(context.today), context.update)
        left = limit - await context.or_else(counting, 0)
    if left < 0:
        return Reply(Screen(texts("limit-reached", limit=limit)))
    entry = await context.add("query", query)
    answered = _results(context, entry, answer)
    if left <= LEFT_WORTH_TELLING:
        answered = replace(answered, text=f"{answered.text}\n\n{texts('limit-near', left=left)}")
    return Reply(answered)


async def _comfort(context: Context, query: str) -> Reply:
    """Say a warm word and where to find help; a button searches after all, for those who only looked for an idiom."""
    entry = await context.add("query", query)
    search_all_the_same = Button(context.texts("button-idiom-after-all"), Show(entry.id))
    return Reply(screen(kindness.answer(context.texts), (search_all_the_same,) if entry.id else ()))


async def show(context: Context, entry: HistoryEntry, page: int = 0) -> Reply:
    """Show a page of the answers to a query."""
    return Reply(_results(context, entry, _answer(context, entry, page), page))


async def _explain(context: Context, action: Why) -> Reply:
    asked = await query_of(context, action.entry)
    if not asked:
        return context.gone("step")
    answer = _answer(context, asked, action.page)
    return Reply(_results(context, asked, answer, action.page, explained=True))


async def _search_again(context: Context, action: Search) -> Reply:
    asked = await query_of(context, action.entry)
    if not asked:
        return context.gone("step")
    ways = action.how.split("-")
    flags = {"exact": "exact" in ways, "nearest": "nearest" in ways}
    return await show(context, await context.add("query", asked.text, asked.id, filter=asked.filter, **flags))


async def _show_in(context: Context, action: ShowIn) -> Reply:
    asked = await query_of(context, action.entry)
    return await among(context, asked, action.language) if asked else context.gone("step")


async def among(context: Context, asked: HistoryEntry, language: str) -> Reply:
    """Show the answers to a query among the idioms of one language, or of those that the asker searches ("")."""
    if language in ("", *context.engine.languages) and language != asked.filter:
        flags = {"exact": asked.exact, "nearest": asked.nearest}
        asked = await context.add("query", asked.text, asked.id, filter=language, **flags)
    return await show(context, asked)


async def query_of(context: Context, number: int) -> HistoryEntry | None:
    """Return the history entry with this number, if it shows the answers to a query."""
    entry = await context.entry(number)
    return entry if entry and entry.kind == "query" else None


async def why_opened(context: Context, card: HistoryEntry, phrase: Phrase) -> str:
    """Return what in a query led to a phrase that was opened from its answers; "" when no query did."""
    asked = await query_of(context, card.parent)
    if not asked:
        return ""
    answer = _answer(context, asked, card.page)
    # By now the asker may search the idioms of another language.
    match = next((match for match in answer.matches if match.phrase == phrase), Match(phrase, 0.0, "meaning"))
    return _why(context, answer, match)


def _answer(context: Context, asked: HistoryEntry, page: int = 0) -> Answer:
    """What the search finds for a query, to the end of this page and one more; the nearest when nothing is close."""
    languages = (asked.filter,) if asked.filter in context.engine.languages else context.languages
    count = (min(page, LAST_PAGE) + 1) * PAGE + 1
    return context.engine.answer(asked.text, count, languages, asked.exact, anyway=True, own=True)


def _results(context: Context, entry: HistoryEntry, answer: Answer, page: int = 0, explained: bool = False) -> Screen:
    """A page of the answers to a query, or the first where there is no such page any more."""
    texts = context.texts
    exactly = Button(texts("button-exact", query=shorten(entry.text, 30)), Search("exact", entry.id))
    elsewhere = (exactly,) if answer.repaired else ()
    if not answer.close and not entry.nearest:
        nearest = Button(texts("button-nearest"), Search("exact-nearest" if entry.exact else "nearest", entry.id))
        text = f"{_title(context, 'nothing-found', entry, answer)}\n\n{texts('nothing-found-advice')}"
        rows = (nearest,) if answer.matches else (), elsewhere, ways_on(context.texts, entry)
        return screen(text, *rows, *_other_languages(context, entry, answer))
    page = page if len(answer.matches) > page * PAGE else 0
    matches = answer.matches[page * PAGE : (page + 1) * PAGE]
    whys = [_why(context, answer, match) for match in matches] if explained else []
    title, asked = _title(context, "results-title", entry, answer), "" if page else _asked_of_name(texts, answer)
    text, opens = listing(context, title, [match.phrase for match in matches], entry.id, page, whys)
    turn, other, label = (Why, Show, "button-why-not") if explained else (Show, Why, "button-why")
    turning = turns(texts, entry.id, page, len(answer.matches) > (page + 1) * PAGE, turn)
    hint = Button(texts(label), other(entry.id, page))
    # An idiom drawn by lot is not what was asked for, and a row of buttons would push the best out of sight.
    ways = () if page or not entry.parent else ways_on(texts, entry)
    others = () if page else _other_languages(context, entry, answer)
    return screen(f"{text}\n\n{asked}".rstrip(), *opens, (*turning, hint), elsewhere, *others, ways)


def _asked_of_name(texts: Texts, answer: Answer) -> str:
    """What a question about the meaning or the origin of an idiom asks for, whole; last, where it is seen at once."""
    first, intent = answer.matches[0], answer.analysis.intent
    if intent not in ("explain", "origin") or first.reason != "wording":
        return ""
    if intent == "explain":
        return f"<b>{escape(shorten(first.phrase.text, 120))}</b>\n{escape(brief(texts, first.phrase, 400))}"
    key = "card-origin" if first.phrase.etymology else "origin-unknown"
    return texts.html(key, value=shorten(first.phrase.etymology, 400), phrase=shorten(first.phrase.text, 120))


def _title(context: Context, key: str, entry: HistoryEntry, answer: Answer) -> str:
    """The query, and what was searched where that is not plainly what was typed."""
    lines = [context.texts.html(key, query=shorten(entry.text, 100))]
    if answer.repaired:
        lines.append(context.texts.html("results-repaired", searched=shorten(answer.searched, 100)))
    elif entry.exact:
        lines.append(context.texts("results-exact"))
    if answer.analysis.unknown_name:
        lines.append(context.texts("results-unknown-name"))
    if entry.nearest and not answer.close:
        lines.append(context.texts("results-nearest"))
    elif answer.close and not answer.sure:
        lines.append(context.texts("results-perhaps"))
    return "\n".join(lines)


def _other_languages(context: Context, entry: HistoryEntry, answer: Answer) -> Iterator[Row]:
    """Buttons that show other idioms for this query and, once they are shown, that make them those always searched."""
    if answer.analysis.languages:
        return
    texts, scope = context.texts, context.user.scope
    shown = entry.filter or scope or answer.language
    for code in context.engine.languages:
        if code != shown:
            yield (Button(texts.get(f"button-show-{code}", f"🌐 {code}"), ShowIn(code, entry.id)),)
    if not context.asker.in_private:
        return
    if entry.filter and entry.filter != scope:
        yield (Button(texts.get(f"button-always-{shown}", f"📌 {shown}"), SetScope(shown, entry.id)),)
    elif scope:
        yield (Button(texts("button-always-own"), SetScope("", entry.id)),)


def scope_name(texts: Texts, scope: str) -> str:
    """Return the name of the idioms of a language, or of all ("")."""
    return texts.get(f"scope-{scope or 'all'}", scope)


def _why(context: Context, answer: Answer, match: Match) -> str:
    """The words of a query that speak most for a phrase, with their shares of all that speaks for it."""
    if match.reason != "meaning":
        return context.texts(f"why-{match.reason}")
    shares = [(round(100 * share), word) for word, share in context.engine.explain(answer.analysis, match.phrase.key)]
    best = sorted(shares, key=lambda part: -part[0])[:MOST_WORDS]
    texts = context.texts
    words = [
        texts("why-word", word=shorten(word, 24), share=share) if word else texts("why-sentence", share=share)
        for share, word in best
        if share > 0
    ]
    return context.texts("why", words=", ".join(words)) if words else context.texts("why-unknown")


ACTIONS: Actions = {Why: _explain, Search: _search_again, ShowIn: _show_in}
SCREENS: Screens = {"query": show}

"""Screens of a search: the answers to a query, and what led to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Random, Search, Set, Show, Why
from bot.screens import SCOPES, Button, Screen, listing, screen, turns
from bot.search.engine import Match
from bot.texts import Texts, shorten

MOST_WORDS = 3
"""Words of a query that are named as what led to an idiom."""


@dataclass(frozen=True, slots=True)
class Found:
    """A page of what a search found."""

    query: str
    """As it was typed."""
    matches: Sequence[Match]
    step: int
    page: int = 0
    more: bool = False
    scope: str = ""
    """The language of the idioms that were searched; empty: all."""
    back: Show | None = None
    repaired: str = ""
    """What was searched instead of the query, if anything."""
    exact: bool = False
    """Whether the person asked that nothing be repaired."""
    close: bool = True
    """Whether these are answers, and not only the nearest that there are."""
    whys: Sequence[str] = ()
    """What led to each, when that is asked for."""


def results(texts: Texts, found: Found) -> Screen:
    """One page of the answers to a query, or of the nearest where nothing is close."""
    title = [texts.html("results-title", query=shorten(found.query, 100)), *_remarks(texts, found)]
    if not found.close:
        title.append(texts("results-nearest"))
    phrases = [match.phrase for match in found.matches]
    text, opens = listing(texts, "\n".join(title), phrases, found.step, found.page, found.whys)
    here = found.step, found.page
    if found.whys:
        ways = (*turns(texts, *here, found.more, Why), Button(texts("button-why-not"), Show(*here)))
    else:
        ways = (*turns(texts, *here, found.more), Button(texts("button-why"), Why(*here)))
    return screen(text, *opens, ways, _exactly(texts, found), _other_ways(texts, found))


def nothing_found(texts: Texts, found: Found) -> Screen:
    """The honest answer when no idiom is close; the nearest, if there are any in `found`, are a button away."""
    lines = [texts.html("nothing-found", query=shorten(found.query, 100)), *_remarks(texts, found)]
    how = "exact-nearest" if found.exact else "nearest"
    nearest = (Button(texts("button-nearest"), Search(how, found.step)),) if found.matches else ()
    text = "\n".join([*lines, "", texts("nothing-found-advice")])
    return screen(text, nearest, _exactly(texts, found), _other_ways(texts, found))


def why(texts: Texts, shares: Sequence[tuple[str, float]]) -> str:
    """The words of a query that speak most for a phrase, with their shares of all that speaks for it."""
    best = sorted(((round(100 * share), word) for word, share in shares), key=lambda part: -part[0])[:MOST_WORDS]
    named = [texts("why-word", word=shorten(word, 24), share=share) for share, word in best if share > 0]
    return texts("why", words=", ".join(named)) if named else texts("why-unknown")


def _remarks(texts: Texts, found: Found) -> list[str]:
    """What was searched, where that is not plainly what was typed."""
    if found.repaired:
        return [texts.html("results-repaired", searched=shorten(found.repaired, 100))]
    return [texts("results-exact")] if found.exact else []


def _exactly(texts: Texts, found: Found) -> tuple[Button, ...]:
    label = texts("button-exact", query=shorten(found.query, 30))
    return (Button(label, Search("exact", found.step)),) if found.repaired else ()


def _other_ways(texts: Texts, found: Found) -> tuple[Button, ...]:
    """On the first page, where to go instead; the last button names the idioms searched, and chooses the next."""
    if found.page:
        return ()
    following = SCOPES[(SCOPES.index(found.scope) + 1) % len(SCOPES)]
    searched = Button("🌐 " + texts(f"scope-{found.scope or 'all'}"), Set("scope", following, found.step))
    back = (Button(texts("button-back"), found.back),) if found.back else ()
    return (*back, Button(texts("button-random"), Random(found.step)), searched)

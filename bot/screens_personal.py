"""Screens of what belongs to a person: history, saved idioms, preferences, the quiz and their data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from bot.actions import Again, Ask, Erase, Export, Set
from bot.clock import ZONES, city, moment
from bot.screens import PAGE, SCOPES, Button, Screen, listing, screen, turns
from bot.search.phrases import Phrase
from bot.texts import Texts, escape, shorten

HOURS = ("7", "8", "9", "10", "12", "15", "18", "20", "21", "22")


@dataclass(frozen=True, slots=True)
class Past:
    """A line of the history: what was asked or opened, and when."""

    step: int
    icon: str
    text: str
    when: str


def history(texts: Texts, pasts: Sequence[Past], step: int, page: int) -> Screen:
    """What a person asked and opened; `pasts` has one more than a page when there are more."""
    numbered = list(enumerate(pasts[:PAGE], page * PAGE + 1))
    lines = [f"{n}. {past.icon} {escape(shorten(past.text, 100))} <i>({past.when})</i>" for n, past in numbered]
    opens = tuple(Button(str(n), Again(past.step, step, page)) for n, past in numbered)
    erase = (Button(texts("button-erase"), Erase("history")),) if lines else ()
    text = "\n".join([texts("history-title"), "", *lines]) if lines else texts("history-empty")
    return screen(text, opens[:5], opens[5:], turns(texts, step, page, len(pasts) > PAGE), erase)


def saved(texts: Texts, phrases: Sequence[Phrase], step: int, page: int) -> Screen:
    """A page of the idioms that a person saved; `phrases` are all of them."""
    if not phrases:
        return Screen(texts("saved-empty"))
    page = min(page, (len(phrases) - 1) // PAGE)
    first = page * PAGE
    text, opens = listing(texts, texts("saved-title", count=len(phrases)), phrases[first : first + PAGE], step, page)
    ways = turns(texts, step, page, len(phrases) > first + PAGE)
    whole = (Button(texts("button-export"), Export("saved")), Button(texts("button-erase"), Erase("saved")))
    return screen(text, *opens, ways, whole)


def preferences(texts: Texts, language: str, scope: str) -> Screen:
    """The language of the bot, and of the idioms that it searches."""
    speak = [
        Button(_marked(texts(f"language-{code}"), code == language), Set("language", code)) for code in ("ru", "en")
    ]
    follow = Button(_marked(texts("language-auto"), not language), Set("language"))
    scopes = [Button(_marked(texts(f"scope-{code or 'all'}"), code == scope), Set("scope", code)) for code in SCOPES]
    return screen(texts("preferences"), (*speak, follow), tuple(scopes))


def daily(texts: Texts, hour: str, zone: str, now: float) -> Screen:
    """The idiom of the day: when it comes, and the hours to choose from."""
    place = f"{city(zone, texts.language)}, {moment(now, zone, texts.language, 'HH:mm')}"
    state = texts.html("daily-on", hour=hour) if hour else texts("daily-off")
    hours = [Button(_marked(f"{choice}:00", choice == hour), Set("hour", choice)) for choice in HOURS]
    stop = (Button(texts("button-daily-stop"), Set("hour")),) if hour else ()
    text = f"{state}\n\n{texts.html('daily-zone', place=place)}"
    return screen(text, tuple(hours[:5]), tuple(hours[5:]), (Button(texts("button-zone"), Ask("zones")), *stop))


def zones(texts: Texts, now: float) -> Screen:
    """The time zones to choose from, each with its time, which is what people know."""
    names = [f"{city(zone, texts.language)} {moment(now, zone, texts.language, 'HH:mm')}" for zone in ZONES]
    buttons = iter([Button(name, Set("zone", zone)) for name, zone in zip(names, ZONES, strict=True)])
    rows = iter(lambda: tuple(islice(buttons, 3)), ())
    return screen(texts("zones-title"), *rows, (Button(texts("button-back"), Ask("daily")),))


def sure(texts: Texts, what: str) -> Screen:
    """Ask before something is erased."""
    yes, no = Button(texts("button-sure"), Erase(what, 1)), Button(texts("button-not-sure"), Erase("nothing"))
    return screen(texts(f"sure-{what}"), (yes, no))


def privacy(texts: Texts) -> Screen:
    """What is kept, and how to get or erase it."""
    return screen(
        texts("privacy"), (Button(texts("button-export"), Export("all")), Button(texts("button-forget"), Erase("all")))
    )


def _marked(label: str, chosen: bool) -> str:
    return f"• {label}" if chosen else label

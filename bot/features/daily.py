"""The idiom of the day: the same for all who search the same idioms, sent at the hour that a person chooses."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from bot import clock
from bot.actions import Number, Value
from bot.features import card, learn
from bot.features.context import Actions, Commands, Context
from bot.search.phrases import Phrase
from bot.store.protocol import Store
from bot.ui import Button, Reply, choice, pairs, screen

STOP = re.compile(
    "стоп|выкл|отключи|отмен|отпис|не (?:надо|присыла)|off|stop|never|none|cancel|unsubscribe|aus$|nie$|nicht"
)
"""How what is written after /daily begins that wants no idioms any more."""
HOURS = ("7", "8", "9", "10", "12", "15", "18", "20", "21", "22")


@dataclass(frozen=True, slots=True)
class SetHour:
    """Send the idiom of the day at this hour, or never (""). Buttons carry an `entry` that has no use."""

    code: ClassVar[str] = "c:hour"
    hour: Value = ""
    entry: Number = 0


@dataclass(frozen=True, slots=True)
class SetZone:
    """Count the hours of a time zone, by its IANA name. Buttons carry an `entry` that has no use."""

    code: ClassVar[str] = "c:zone"
    zone: Value = ""
    entry: Number = 0


@dataclass(frozen=True, slots=True)
class ChooseHour:
    """Show the hours to choose from."""

    code: ClassVar[str] = "q:daily"


@dataclass(frozen=True, slots=True)
class ChooseZone:
    """Show the time zones to choose from."""

    code: ClassVar[str] = "q:zones"


async def _command(context: Context, words: Sequence[str]) -> Reply:
    """Answer /daily, after which time and zone may be written; what is neither is answered with what can be."""
    zone = next(filter(None, map(clock.known_zone, words)), "")
    time = clock.time_in(" ".join(word for word in words if not clock.known_zone(word)))
    if STOP.match(" ".join(words).casefold()):
        return await _subscribe(context, "", context.zone)
    if time or zone:
        return await _subscribe(context, time or context.user.hour, zone or context.zone)
    shown = (await _choose_hour(context)).screen
    told = context.texts("daily-what") if words else ""
    return Reply(shown and replace(shown, text="\n\n".join(filter(None, [told, shown.text]))))


async def _set_hour(context: Context, action: SetHour) -> Reply:
    """Subscribe or unsubscribe; an hour that no clock shows changes nothing."""
    hour = clock.time_in(action.hour)
    return await (_choose_hour(context) if action.hour and not hour else _subscribe(context, hour, context.zone))


async def _set_zone(context: Context, action: SetZone) -> Reply:
    """Move to a time zone; an unknown one changes nothing."""
    zone = clock.known_zone(action.zone)
    return await (_subscribe(context, context.user.hour, zone) if zone else _choose_hour(context))


async def _subscribe(context: Context, hour: str, zone: str) -> Reply:
    """Send the idiom of the day from now on at this hour, or never."""
    due = clock.next_time(context.store.now(), hour, zone) if hour else None
    return await _choose_hour(await context.set(hour=hour, zone=zone, due=due, spoken=context.texts.language))


async def _choose_hour(context: Context, _: ChooseHour | None = None) -> Reply:
    texts, hour = context.texts, context.user.hour
    state = texts.html("daily-on", time=clock.shown(hour)) if hour else texts("daily-off")
    place = texts.html("daily-zone", place=_place(context, context.zone, ", "))
    hours = [choice(f"{each}:00", each == hour, SetHour(each)) for each in HOURS]
    ways = [Button(texts("button-zone"), ChooseZone())]
    if hour:
        ways.append(Button(texts("button-daily-stop"), SetHour()))
    return Reply(screen(f"{state}\n\n{place}", tuple(hours[:5]), tuple(hours[5:]), tuple(ways)))


async def _choose_zone(context: Context, _: ChooseZone) -> Reply:
    zones = [Button(_place(context, zone), SetZone(zone)) for zone in clock.ZONES]
    return Reply(
        screen(context.texts("zones-title"), *pairs(zones), (Button(context.texts("button-back"), ChooseHour()),))
    )


def told(context: Context) -> str:
    """Return when the idiom of the day comes."""
    hour = context.user.hour
    return (
        f"{clock.shown(hour)}, {clock.city(context.zone, context.texts.language)}"
        if hour
        else context.texts("daily-never")
    )


def _place(context: Context, zone: str, by: str = " ") -> str:
    """A zone's city and its time."""
    language = context.texts.language
    return f"{clock.city(zone, language)}{by}{clock.moment(context.store.now(), zone, language, 'H:mm')}"


async def unsubscribe(store: Store, user: int) -> None:
    """Send no more idioms of the day to somebody who stopped the bot."""
    await store.set(user, hour="", due=None)


async def schedule(context: Context) -> bool:
    """Set when a subscriber's next idiom of the day is due; False for one who chose otherwise in the meantime."""
    due = clock.next_time(context.store.now(), context.user.hour, context.zone)
    return await context.store.reschedule(context.user, due)


async def todays_card(context: Context) -> Reply:
    """Return the idiom of the day as it is sent to a subscriber."""
    phrase = of_the_day(context)
    shown = (await card.show(context, await context.add("random", phrase.key))).screen if phrase else None
    if not shown:
        return Reply()
    told = filter(None, [context.texts("daily-title"), shown.text, await learn.waiting(context)])
    return Reply(replace(shown, text="\n\n".join(told)))


def of_the_day(context: Context) -> Phrase | None:
    """Return the idiom of the day where the asker lives; None when the collection has none for all eyes."""
    rng = random.Random(f"{context.today} {context.user.scope}")
    return context.engine.random(context.languages, rng=rng)


ACTIONS: Actions = {SetHour: _set_hour, SetZone: _set_zone, ChooseHour: _choose_hour, ChooseZone: _choose_zone}
COMMANDS: Commands = {"daily": _command}

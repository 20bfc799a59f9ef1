"""Times of day where people live."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel.dates import format_datetime, get_timezone_location

from bot.search.text import fold

ZONES = (
    "Europe/Moscow", "Europe/Kaliningrad", "Europe/Minsk", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Omsk",
    "Asia/Novosibirsk", "Asia/Irkutsk", "Asia/Yakutsk", "Asia/Vladivostok", "Asia/Magadan", "Asia/Kamchatka",
    "Asia/Almaty", "Asia/Tbilisi", "Asia/Jerusalem",
    "Europe/London", "Europe/Berlin", "Europe/Istanbul", "Asia/Dubai", "Asia/Singapore", "Asia/Tokyo",
    "Australia/Sydney", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
    "America/Sao_Paulo",
)  # fmt: skip
"""Those offered as buttons; any other can be written after /daily."""

HOURS_OF_DAY, MINUTES_OF_HOUR, _NOON = 24, 60, 12
WEEK = 7 * 86_400.0
_NAMED = [
    (r"\bполдень|\bполудн|\bnoon\b|\bmidday\b|\bmittag", "12"),
    (r"\bполночь|\bполуноч|\bmidnight\b|\bmitternacht", "0"),
]
_SPOKEN = [
    re.compile(rf"\b(?:{words})\b")
    for words in (
        "час(?= дня| ночи)|one|eins", "два|two|zwei", "три|three|drei", "четыре|four|vier", "пять|five|fünf",
        "шесть|six|sechs", "семь|seven|sieben", "восемь|eight|acht", "девять|nine|neun", "десять|ten|zehn",
        "одиннадцать|eleven|elf", "двенадцать|twelve|zwölf",
    )
]  # fmt: skip
"""The hours in words, from one to twelve."""
_ORDINALS = (
    "перв", "втор", "трет", "четверт", "пят", "шест", "седьм", "восьм", "девят", "десят", "одиннадцат", "двенадцат",
)  # fmt: skip
_HALF = re.compile(rf"\bпол(?:овин[аеуы])? ?({'|'.join(_ORDINALS)})\w*|\bhalf past (\d+)\b|\bhalb (\d+)\b")
_TIME = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})(?:[:.-](?P<minute>\d\d))?(?![\d:.]*\d)"
    r"(?:\s*(?:часов|часа|час|ч|uhr|h)\b\.?)?(?:\s+(?P<after>\d\d)\b)?"
    r"\s*(?P<half>утра|дня|вечера|ночи|[ap]\.?m\b|morgens|abends|nachmittags|nachts)?"
)
_LATE, _EARLY = ("дня", "вечера", "p", "abends", "nachmittags"), ("утра", "ночи", "a", "morgens", "nachts")


def known_zone(text: str) -> str:
    """The IANA name of a zone, whatever its letter case; "" for none."""
    return _zones().get(text.lower(), "")


@cache
def _zones() -> dict[str, str]:
    return {zone.lower(): zone for zone in available_timezones()}


def time_in(text: str) -> str:
    """The time of day that somebody writes, as "8" or "8:30"; "" for none.

    "8:30", "08.30", "8 утра", "в 9 вечера", "8am", "noon", "полночь", "8 Uhr 30", "в восемь утра", "полдевятого",
    "half past eight" and "halb neun" are times.
    """
    folded = fold(text)
    if named := next((time for words, time in _NAMED if re.search(words, folded)), ""):
        return named
    for number, spoken in enumerate(_SPOKEN, 1):
        folded = spoken.sub(str(number), folded)
    found = _TIME.search(_HALF.sub(_half, folded))
    if not found:
        return ""
    hour, minute = int(found["hour"]), int(found["minute"] or found["after"] or 0)
    half = found["half"] or ""
    if half.startswith(_LATE) and hour < _NOON:
        hour += _NOON
    elif half.startswith(_EARLY) and hour == _NOON:
        hour = 0
    if hour >= HOURS_OF_DAY or minute >= MINUTES_OF_HOUR:
        return ""
    return f"{hour}:{minute:02}" if minute else str(hour)


def _half(found: re.Match[str]) -> str:
    """The time that half an hour makes of an hour: half past it, or half of the way to it."""
    ordinal, past, to = found.groups()
    if past:
        return f"{past}:30"
    hour = _ORDINALS.index(ordinal) if ordinal else int(to) - 1
    return f"{hour % _NOON or _NOON}:30"


def shown(time: str) -> str:
    """A time of day as it is shown: "8" is "8:00"."""
    return time if ":" in time else f"{time}:00"


def next_time(now: float, time: str, zone: str) -> float:
    """When the clocks of a zone will next show a time of day, such as "8" or "8:30"."""
    hour, _, minute = time.partition(":")
    local = datetime.fromtimestamp(now, ZoneInfo(zone))
    then = local.replace(hour=int(hour), minute=int(minute or 0), second=0, microsecond=0)
    return (then if then > local else then + timedelta(days=1)).timestamp()


def week_begins(now: float, zone: str) -> float:
    """When this week's Monday began in a zone; where clocks were changed since then, perhaps an hour off."""
    local = datetime.fromtimestamp(now, ZoneInfo(zone))
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - timedelta(days=local.weekday())).timestamp()


def local_day(now: float, zone: str) -> date:
    """The date in a zone."""
    return datetime.fromtimestamp(now, ZoneInfo(zone)).date()


def moment(then: float, zone: str, language: str, pattern: str = "d MMM, HH:mm") -> str:
    """A time in a zone as people write it."""
    return format_datetime(datetime.fromtimestamp(then, ZoneInfo(zone)), pattern, locale=language)


def city(zone: str, language: str) -> str:
    """The name of a zone's city."""
    return get_timezone_location(ZoneInfo(zone), locale=language, return_city=True)

"""Times of day where people live."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel.dates import format_datetime, get_timezone_location

ZONES = (
    "Europe/Moscow", "Europe/Kaliningrad", "Europe/Minsk", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Omsk",
    "Asia/Novosibirsk", "Asia/Irkutsk", "Asia/Yakutsk", "Asia/Vladivostok", "Asia/Magadan", "Asia/Kamchatka",
    "Asia/Almaty", "Asia/Tbilisi", "Asia/Jerusalem",
    "Europe/London", "Europe/Berlin", "Europe/Istanbul", "Asia/Dubai", "Asia/Singapore", "Asia/Tokyo",
    "Australia/Sydney", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
    "America/Sao_Paulo",
)  # fmt: skip
"""Those offered as buttons; any other can be written after /daily."""

HOURS_OF_DAY = 24
WEEK = 7 * 86_400.0


def known_zone(text: str) -> str:
    """The IANA name of a zone, whatever its letter case; "" for none."""
    return _zones().get(text.lower(), "")


@cache
def _zones() -> dict[str, str]:
    return {zone.lower(): zone for zone in available_timezones()}


def known_hour(text: str) -> str:
    """The hour that is written, 7, 07 or 7:00, without zeros; "" for none."""
    hour = text.removesuffix(":00")
    return str(int(hour)) if re.fullmatch("[0-9]{1,2}", hour) and int(hour) < HOURS_OF_DAY else ""


def next_time(now: float, hour: int, zone: str) -> float:
    """When the clocks of a zone will next show `hour`."""
    local = datetime.fromtimestamp(now, ZoneInfo(zone))
    then = local.replace(hour=hour, minute=0, second=0, microsecond=0)
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

"""Russian in Latin letters: the words that a run of letters may stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, product

WRITTEN_IN = "en"
"""The language whose letters are used."""

_SPELLINGS = """
    a:а b:б d:д f:ф g:г k:к l:л m:м n:н o:о p:п r:р s:с t:т v:в z:з e:е,э,ъе i:и,й,ы u:у,ю y:ы,й,ый,ий,ь j:й,ж,ь,жь
    h:х,г x:х,кс c:ц,к,с q:к,я w:в,ш,щ ':ь,ъ, `:ь,ъ, 4:ч 6:ш,шь shch:щ sch:щ,сч shh:щ sh:ш,щ,шь,сх tsh:тш ch:ч,чь
    zh:ж,жь kh:х ts:ц,тс,тьс tz:ц eh:э,ех tsya:тся,ться,ця tsja:тся,ться,ця tsia:тся,циа,ция,ться yo:ё,йо,ьё,ьо
    jo:ё,йо,ьё,ьо,жо io:ио,ё,ьё ya:я,ья,ъя ja:я,ья,ъя,жа ia:ия,я,иа,ья yu:ю,ью,ыу ju:ю,ью,жу iu:ию,ю,ью
    ye:ые,е,ье,ъе je:е,же,ье,ъе,йе ie:ие,ье iya:ия,ья ija:ия,ья iyu:ию,ью iju:ию,ью iye:ие,ье ije:ие,ье,иже iy:ий
    ij:ий,иж ii:ии,ий yj:ый yi:ый,ыи,ьи yy:ый ji:йи,жи,ьи
"""
_SIGNS = {
    letters: readings.split(",") for letters, readings in (spelling.split(":") for spelling in _SPELLINGS.split())
}
"""What Latin letters stand for, the usual first."""
_SOFT = frozenset("bdlmnprstvz")
"""Consonants after which a soft sign may have been left out, at the end or before another consonant."""
_VOWELS, _SOFTENING = frozenset("aeiouy"), frozenset("aeiouyj'`")
_UNIT = re.compile("|".join(sorted(map(re.escape, _SIGNS), key=len, reverse=True)) + "|.", re.DOTALL)


def russian_readings(word: str, unusual: int) -> Iterator[str]:
    """The Russian words that a lower-case word of Latin letters may stand for, with so many unusual choices."""
    units = _UNIT.findall(word)
    choices = [_choices(*around) for around in zip(units, ["", *units], [*units[1:], ""], strict=False)]
    open_places = [place for place, choice in enumerate(choices) if len(choice) > 1]
    for chosen in combinations(open_places, unusual):
        letters = [choice[1:] if place in chosen else choice[:1] for place, choice in enumerate(choices)]
        yield from map("".join, product(*letters))


def _choices(unit: str, before: str, after: str) -> list[str]:
    choices = _SIGNS.get(unit, [unit])
    if unit in ("i", "j", "y") and before[-1:] in _VOWELS:
        return ["й", *(choice for choice in choices if choice != "й")]
    if unit in _SOFT and (not after or after[0] not in _SOFTENING):
        return [*choices, f"{choices[0]}ь"]
    return choices

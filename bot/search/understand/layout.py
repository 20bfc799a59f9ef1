"""What was meant by the keys that were pressed: the other keyboard layout, Latin letters for Russian, look-alikes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

_ENGLISH = "`qwertyuiop[]asdfghjkl;'zxcvbnm,./" + '~QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?' + "@#$^&"
_RUSSIAN = "ёйцукенгшщзхъфывапролджэячсмитьбю." + "ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ," + '"№;:?'
TO_RUSSIAN, TO_ENGLISH = str.maketrans(_ENGLISH, _RUSSIAN), str.maketrans(_RUSSIAN, _ENGLISH)
_EDGES = re.compile(r"""([("']*)(.*?)([.,:;!?)"']*)""", re.DOTALL)


def other_layout(token: str) -> list[str]:
    """What the keys of a token write on the other layout: all of them, or with punctuation around it as it stands."""
    table = TO_RUSSIAN if re.search("[A-Za-z]", token) else TO_ENGLISH
    parts = _EDGES.fullmatch(token)
    before, core, after = parts.groups() if parts else ("", token, "")
    core = core.translate(table)
    readings = [token.translate(table), before.translate(table) + core + after, before + core + after]
    return list(dict.fromkeys(readings))


# Latin letters for Russian

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
_VOWELS, _SOFTENED = frozenset("aeiouy"), "aeiouyj'`"
_UNIT = re.compile("|".join(sorted(map(re.escape, _SIGNS), key=len, reverse=True)) + "|.", re.DOTALL)


def russian_readings(word: str, oddities: int) -> Iterator[str]:
    """The Russian words that a lower-case word of Latin letters may stand for, with exactly so many odd choices."""
    units = _UNIT.findall(word)
    choices = [_choices(*neighbours) for neighbours in zip(units, ["", *units], [*units[1:], ""], strict=False)]
    usual = [choice[0] for choice in choices]
    for places in combinations([place for place, choice in enumerate(choices) if len(choice) > 1], oddities):
        yield from _changed(usual, choices, places)


def _changed(usual: list[str], choices: list[list[str]], places: tuple[int, ...]) -> Iterator[str]:
    if not places:
        yield "".join(usual)
        return
    first, *rest = places
    for other in choices[first][1:]:
        yield from _changed([*usual[:first], other, *usual[first + 1 :]], choices, tuple(rest))


def _choices(unit: str, before: str, after: str) -> list[str]:
    choices = _SIGNS.get(unit, [unit])
    if unit in ("i", "j", "y") and before[-1:] in _VOWELS:
        return ["й", *(choice for choice in choices if choice != "й")]
    if unit in _SOFT and (not after or after[0] not in _SOFTENED):
        return [*choices, f"{choices[0]}ь"]
    return choices


# Look-alikes

_LATIN, _CYRILLIC = "aceopxykABCEHKMOPTXYë", "асеорхукАВСЕНКМОРТХУё"
_TO_CYRILLIC, _TO_LATIN = str.maketrans(_LATIN, _CYRILLIC), str.maketrans(_CYRILLIC, _LATIN)
_LOOKS_LATIN, _LOOKS_CYRILLIC = f"[a-zA-Z{_CYRILLIC}]+", f"[а-яА-ЯёЁ{_LATIN}]+"
_MIXED = re.compile(
    r"\b\w*(?:[a-zA-Zë][а-яА-ЯёЁ]|[а-яА-ЯёЁ][a-zA-Zë])\w*\b|(?<![a-zA-Z] )\b[acoykACOYK]\b(?! [a-zA-Z])"
)


def unmixed(text: str) -> str:
    """The text with each word's look-alikes in the script of the word's other letters, and words of both left alone."""
    if text.isascii() or not re.search("[a-zA-Zë]", text):
        return text
    return _MIXED.sub(lambda found: _unmixed(found[0]), text) if re.search("[а-яё]", text.lower()) else text


def _unmixed(word: str) -> str:
    if re.fullmatch(_LOOKS_CYRILLIC, word):
        return word.translate(_TO_CYRILLIC)
    return word.translate(_TO_LATIN) if re.fullmatch(_LOOKS_LATIN, word) else word

"""Letters and keyboards, and what was meant by the wrong ones: the other keyboard layout, letters that look alike."""

from __future__ import annotations

import re
from itertools import permutations

ALPHABETS = {"ru": "абвгдежзийклмнопрстуфхцчшщъыьэюя", "en": "abcdefghijklmnopqrstuvwxyz"}
"""The letters of folded words by language; no two languages share one."""
KEY_ROWS = {"ru": ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"), "en": ("qwertyuiop", "asdfghjkl", "zxcvbnm")}
"""The letters of a keyboard whose keys stand side by side, by language."""

_KEYS = {
    "ru": "ёйцукенгшщзхъфывапролджэячсмитьбю." + "ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ," + '"№;:?',
    "en": "`qwertyuiop[]asdfghjkl;'zxcvbnm,./" + '~QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?' + "@#$^&",
}
"""What the same keys write on the layout of each language."""
LAYOUTS = {(one, other): str.maketrans(_KEYS[one], _KEYS[other]) for one, other in permutations(_KEYS, 2)}
"""Tables for `str.translate` from what was typed on a language's layout to what the keys write on another's."""
_EDGES = re.compile(r"""([("']*)(.*?)([.,:;!?)"']*)\Z""", re.DOTALL)

_LOOK_ALIKES = {"ru": "асеорхукАВСЕНКМОРТХУё", "en": "aceopxykABCEHKMOPTXYë"}
_TO_RUSSIAN = str.maketrans(_LOOK_ALIKES["en"], _LOOK_ALIKES["ru"])
_TO_ENGLISH = str.maketrans(_LOOK_ALIKES["ru"], _LOOK_ALIKES["en"])
_LOOKS_RUSSIAN, _LOOKS_ENGLISH = f"[а-яА-ЯёЁ{_LOOK_ALIKES['en']}]+", f"[a-zA-Z{_LOOK_ALIKES['ru']}]+"
_MIXED = re.compile(
    r"\b\w*(?:[a-zA-Zë][а-яА-ЯёЁ]|[а-яА-ЯёЁ][a-zA-Zë])\w*\b|(?<![a-zA-Z] )\b[acoykACOYK]\b(?! [a-zA-Z])"
)


def other_layouts(token: str, language: str) -> list[str]:
    """What the keys of a token typed on a language's layout write on the others, with and without its punctuation."""
    before, core, after = _EDGES.findall(token)[0]
    readings = []
    for table in (table for (typed, _), table in LAYOUTS.items() if typed == language):
        meant = core.translate(table) + after
        readings += [token.translate(table), before.translate(table) + meant, before + meant]
    return list(dict.fromkeys(readings))


def without_look_alikes(text: str) -> str:
    """The text with each word's look-alike letters in the script of its other letters; a word of both stays."""
    if text.isascii() or not re.search("[a-zA-Zë]", text) or not re.search("[а-яёА-ЯЁ]", text):
        return text
    return _MIXED.sub(lambda word: _in_one_script(word[0]), text)


def _in_one_script(word: str) -> str:
    if re.fullmatch(_LOOKS_RUSSIAN, word):
        return word.translate(_TO_RUSSIAN)
    return word.translate(_TO_ENGLISH) if re.fullmatch(_LOOKS_ENGLISH, word) else word

"""Texts as people mistype and misremember them, to measure that they are understood all the same."""

from __future__ import annotations

import random
import re

from bot.search.phrases import Phrase
from bot.search.text import words
from bot.search.understand.layout import KEY_ROWS, LAYOUTS

_VOWELS = dict(zip("оаеияыei", "аоиееиie", strict=True))
_NEIGHBOURS = {
    letter: [row[other] for other in (place - 1, place + 1) if 0 <= other < len(row)]
    for rows in KEY_ROWS.values()
    for row in rows
    for place, letter in enumerate(row)
}
_TYPOS_PER_WORD = 0.4
_WORD, _LONG_WORD = re.compile(r"[^\W\d_]{2,}"), re.compile(r"[^\W\d_]{4,}")


def typo(text: str, rng: random.Random) -> str:
    """The text with a typo in two of five words of four letters or more, at most one in a word and one at least."""
    places = [found.span() for found in _LONG_WORD.finditer(text)]
    chosen = [span for span in places if rng.random() < _TYPOS_PER_WORD] or places[:1]
    for span in reversed(chosen):
        text = _mistyped(text, span, rng)
    return text


def one_typo(text: str, rng: random.Random) -> str:
    """The text with a typo in one of its words of two letters or more."""
    return _mistyped(text, rng.choice([found.span() for found in _WORD.finditer(text)]), rng)


def _mistyped(text: str, span: tuple[int, int], rng: random.Random) -> str:
    """One letter of a word dropped, doubled, swapped with the next, of a neighbouring key or a wrong vowel."""
    start, end = span
    while True:
        place = rng.randrange(start + 1, end)
        before, letter, after = text[:place], text[place], text[place + 1 :]
        near = rng.choice(_NEIGHBOURS.get(letter.lower(), [letter]))
        kinds = [before + after, before + letter * 2 + after, before[:-1] + letter + before[-1:] + after]
        kinds += [before + near + after, before + _VOWELS.get(letter, near) + after]
        if (changed := rng.choice(kinds)) != text:
            return changed


def layout(text: str) -> str:
    """The same keys on the other keyboard layout: the English one for a text with Russian letters."""
    russian = re.search("[а-яё]", text.lower())
    return text.translate(LAYOUTS["ru", "en"] if russian else LAYOUTS["en", "ru"])


_SPELLINGS = """
    а:a б:b в:v г:g д:d е:e ё:yo,jo,e ж:zh,j з:z и:i й:y,j,i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h,kh,x ц:ts,c
    ч:ch,4 ш:sh,6 щ:shch,sch,w ъ:,' ы:y ь:,' э:e ю:yu,ju я:ya,ja
"""
_SIGNS = {spelling[0]: spelling[2:].split(",") for spelling in _SPELLINGS.split()}


def translit(text: str, rng: random.Random) -> str:
    """A Russian text in Latin letters, by a scheme of its own for each text."""
    scheme = {ord(letter): rng.choice(signs) for letter, signs in _SIGNS.items()}
    scheme |= {ord(chr(letter).upper()): signs.capitalize() for letter, signs in scheme.items()}
    return text.translate(scheme)


# Letters that the words of a language end with, and endings that its forms have.
_ENDINGS = {"ru": ("аеёиоуыэюяйь", ("а", "у", "ом", "е", "ы", "ами")), "en": ("esd", ("s", "ed", "ing"))}


def other_ending(phrase: Phrase, rng: random.Random) -> str:
    """The text of a phrase, its longest word with an ending that another form of it might have."""
    parts = phrase.text.split()
    place = max(range(len(parts)), key=lambda place: len(parts[place]))
    letters, endings = _ENDINGS.get(phrase.language, ("", ("",)))
    parts[place] = (parts[place].rstrip(letters) or parts[place]) + rng.choice(endings)
    return " ".join(parts)


def part(text: str, rng: random.Random) -> str:
    """Two long words in a row with what stands between them; "" when a text has fewer than three."""
    found = words(text)
    long = [place for place, word in enumerate(found) if _LONG_WORD.match(word)]
    start = rng.randrange(len(long) - 1) if len(long) > 2 else 0
    return " ".join(found[long[start] : long[start + 1] + 1]) if len(long) > 2 else ""


def other_order(text: str, rng: random.Random) -> str:
    """The words shuffled."""
    return " ".join(rng.sample(text.split(), len(text.split())))

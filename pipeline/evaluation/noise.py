"""Queries as people mistype them, to measure that they are understood all the same."""

from __future__ import annotations

import random
import re

from bot.search.understand.layout import KEY_ROWS, LAYOUTS

_VOWELS = dict(zip("оаеияыei", "аоиееиie", strict=True))
_NEIGHBOURS = {
    letter: [row[other] for other in (place - 1, place + 1) if 0 <= other < len(row)]
    for rows in KEY_ROWS.values()
    for row in rows
    for place, letter in enumerate(row)
}
_TYPOS_PER_WORD = 0.4
_WORD = re.compile(r"[^\W\d_]{4,}")


def typo(text: str, dice: random.Random) -> str:
    """The text with a typo in two of five words of four letters or more, at most one in a word and one at least."""
    places = [found.span() for found in _WORD.finditer(text)]
    chosen = [span for span in places if dice.random() < _TYPOS_PER_WORD] or places[:1]
    for start, end in reversed(chosen):
        text = text[:start] + _mistyped(text[start:end], dice) + text[end:]
    return text


def _mistyped(word: str, dice: random.Random) -> str:
    """The word with one letter dropped, doubled, swapped with the next, of a neighbouring key or a wrong vowel."""
    while True:
        place = dice.randrange(1, len(word))
        before, letter, after = word[:place], word[place], word[place + 1 :]
        near = dice.choice(_NEIGHBOURS.get(letter.lower(), [letter]))
        kinds = [before + after, before + letter * 2 + after, before[:-1] + letter + before[-1:] + after]
        kinds += [before + near + after, before + _VOWELS.get(letter, near) + after]
        if (changed := dice.choice(kinds)) != word:
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


def translit(text: str, dice: random.Random) -> str:
    """A Russian text in Latin letters, by a scheme of its own for each text."""
    scheme = {letter: dice.choice(signs) for letter, signs in _SIGNS.items()}
    return "".join(_cased(scheme.get(letter.lower(), letter), letter) for letter in text)


def _cased(letters: str, like: str) -> str:
    return letters.capitalize() if like.isupper() else letters

"""Words one slip of the finger or of the ear away from a word (Norvig 2007, "How to write a spelling corrector").

The numbers of all words at Damerau-Levenshtein distance 1 are computed by arrays and looked up at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from bot.search.understand.vocabulary import PRIME, Numbers, Vocabulary

_ALPHABETS = ["абвгдежзийклмнопрстуфхцчшщъыьэюя", "abcdefghijklmnopqrstuvwxyz"]
ROWS = ["йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю", "qwertyuiop", "asdfghjkl", "zxcvbnm"]
_SOUNDS = "оа еи яе яи ыи эе зс дт гк бп вф жш шщ чщ ьъ ei ea ao sc sz ck iy".split()
_SWAPPED, _DOUBLED, _SOUND, _KEY, _MISSING, _EXTRA, _OTHER, _FIRST = 5, 10, 15, 12, 10, 60, 80, 15
"""Costs of an edit in levels of frequency: letters swapped, one doubled or not, one that sounds alike, a neighbouring
key, a letter too few or too many, any other letter, and what comes on top at the word's beginning."""
_LONGEST = 40
ENDING = 3
"""Letters at the end of a word that inflection changes at most."""
_UNSTRESSED = {"о": "оа", "а": "ао", "е": "еи", "и": "ие"}

Neighbour = tuple[str, int, int]
"""A known word, its frequency, and what it costs to take another word for it."""

_POWERS: Numbers = np.array([pow(1 << 16, power, PRIME) for power in range(_LONGEST + 2)], np.uint64)
_CODES: dict[str, Numbers] = {
    letters: np.array([ord(letter) for letter in letters], np.uint64) for letters in _ALPHABETS
}
_NEAR = {frozenset(pair) for pair in _SOUNDS}
_KEYS = {frozenset(row[place : place + 2]) for row in ROWS for place in range(len(row) - 1)}


def neighbours(word: str, vocabulary: Vocabulary) -> Iterator[Neighbour]:
    """The known words at distance 1 of a folded word of one script and at most 40 letters."""
    letters = _ALPHABETS[word[0] < "а"]
    levels = vocabulary.levels(_edit_numbers(word, _CODES[letters]))
    for edit in np.flatnonzero(levels).tolist():
        other, cost = _edited(word, edit, letters)
        yield other, int(levels[edit]), cost


def _edited(word: str, edit: int, letters: str) -> tuple[str, int]:
    """The word after the edit of this number in `_edit_numbers`, and the edit's cost."""
    size = len(word)
    if edit < size:
        return word[:edit] + word[edit + 1 :], _length(word, edit, _EXTRA)
    if edit < 2 * size - 1:
        place = edit - size
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :], _SWAPPED + _at(place)
    place, letter = divmod(edit - 2 * size + 1, len(letters))
    if place < size:
        other = word[:place] + letters[letter] + word[place + 1 :]
        return other, _replaced(word[place], letters[letter]) + _at(place)
    place -= size
    other = word[:place] + letters[letter] + word[place:]
    return other, _length(other, place, _MISSING)


def _edit_numbers(word: str, alphabet: Numbers) -> Numbers:
    """Numbers of all deletions, swaps, replacements and insertions, in this order."""
    size = len(word)
    codes = np.array([ord(letter) for letter in word], np.uint64)
    here = codes * _POWERS[:size] % PRIME
    later = codes * _POWERS[1 : size + 1] % PRIME
    earlier = codes[1:] * _POWERS[: size - 1] % PRIME
    before = np.concatenate(([np.uint64(0)], np.cumsum(here)))
    after, after_gap, after_drop = (_suffix_sums(terms) for terms in (here, later, earlier))
    swapped = before[:-2] + codes[1:] * _POWERS[: size - 1] + codes[:-1] * _POWERS[1:size] + after[2:]
    new = alphabet * _POWERS[: size + 1, None] % PRIME
    replaced = (before[:-1] + after[1:])[:, None] + new[:-1]
    inserted = (before + after_gap)[:, None] + new
    return np.concatenate((before[:-1] + after_drop, swapped, replaced.ravel(), inserted.ravel())) % PRIME


def _suffix_sums(terms: Numbers) -> Numbers:
    """Sum of `terms[i:]` for each i up to and including their count."""
    return np.concatenate((np.cumsum(terms[::-1])[::-1], [np.uint64(0)]))


def _at(place: int) -> int:
    return 0 if place else _FIRST


def _length(longer: str, place: int, cost: int) -> int:
    """Cost of one letter more or less: of a pair, or of a sign that is not heard, it is small."""
    letter = longer[place]
    beside = longer[max(0, place - 1) : place] + longer[place + 1 : place + 2]
    return (_DOUBLED if letter in beside or letter in "ьъ" else cost) + _at(place)


def _replaced(letter: str, other: str) -> int:
    pair = frozenset((letter, other))
    return _SOUND if pair in _NEAR else _KEY if pair in _KEYS else _OTHER


def misheard(word: str, vocabulary: Vocabulary) -> Iterator[Neighbour]:
    """The known words that differ only in vowels which sound alike when unstressed: "аткозался" for "отказался"."""
    choices = [_UNSTRESSED.get(letter, letter) for letter in word]
    if 2 <= sum(len(choice) > 1 for choice in choices) <= 6:
        spellings = ["".join(letters) for letters in product(*choices)]
        for other, level in zip(spellings, vocabulary.frequencies(spellings).tolist(), strict=True):
            if level:
                yield other, level, _SOUND * sum(map(str.__ne__, word, other))


def inflection(known: str, unknown: str) -> str:
    """How the vocabulary names a change of one word's form into another's: the ends from the third last letter on."""
    stem = max(len(known), len(unknown)) - ENDING
    return f"{known[stem:]}>{unknown[stem:]}"

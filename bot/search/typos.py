"""Words one slip of the finger or of the ear away from a word (Norvig 2007, "How to write a spelling corrector").

The numbers of all words at Damerau-Levenshtein distance 1 are computed by arrays and looked up at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from bot.search.vocabulary import PRIME, Numbers, Vocabulary

_ALPHABETS = ["абвгдежзийклмнопрстуфхцчшщъыьэюя", "abcdefghijklmnopqrstuvwxyz"]
_ROWS = ["йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю", "qwertyuiop", "asdfghjkl", "zxcvbnm"]
_SOUNDS = [
    "оа",
    "еи",
    "яе",
    "яи",
    "ыи",
    "эе",
    "зс",
    "дт",
    "гк",
    "бп",
    "вф",
    "жш",
    "шщ",
    "чщ",
    "ьъ",
    "ei",
    "ea",
    "ao",
    "sc",
    "sz",
    "ck",
    "iy",
]
_SWAPPED, _DOUBLED, _SOUND, _KEY, _MISSING, _EXTRA, _OTHER, _FIRST = 10, 10, 10, 20, 15, 35, 45, 25
"""Costs of an edit in levels of frequency: letters swapped, one doubled or not, one that sounds alike, a neighbouring
key, a letter too few or too many, any other letter, and what comes on top at the word's beginning."""
_LONGEST = 40
ENDING = 3
"""Letters at the end of a word that inflection changes at most."""
_UNSTRESSED = {"о": "оа", "а": "ао", "е": "еи", "и": "ие"}

_POWERS: Numbers = np.array([pow(1 << 16, power, PRIME) for power in range(_LONGEST + 2)], np.uint64)
_CODES: list[Numbers] = [np.array([ord(letter) for letter in letters], np.uint64) for letters in _ALPHABETS]
_NEAR = {frozenset(pair) for pair in _SOUNDS}
_KEYS = {frozenset(row[place : place + 2]) for row in _ROWS for place in range(len(row) - 1)}


def neighbours(word: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int, int]]:
    """The known words at distance 1 of a folded word of one script, each with its frequency and the edit's cost."""
    script = int(word[0] < "а")
    letters = _ALPHABETS[script]
    if len(word) > _LONGEST:
        return
    levels = vocabulary.levels(_edit_numbers(word, _CODES[script]))
    size, count = len(word), len(letters)
    for place in np.flatnonzero(levels).tolist():
        edit, level = place, int(levels[place])
        if edit < size:
            yield word[:edit] + word[edit + 1 :], level, _length(word, edit, _EXTRA)
            continue
        edit -= size
        if edit < size - 1:
            yield word[:edit] + word[edit + 1] + word[edit] + word[edit + 2 :], level, _SWAPPED + _at(edit)
            continue
        edit, letter = divmod(edit - size + 1, count)
        if edit < size:
            other = word[:edit] + letters[letter] + word[edit + 1 :]
            yield other, level, _replaced(word[edit], letters[letter]) + _at(edit)
        else:
            edit -= size
            other = word[:edit] + letters[letter] + word[edit:]
            yield other, level, _length(other, edit, _MISSING)


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


def misheard(word: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int, int]]:
    """The known words that differ only in vowels which sound alike when unstressed: "аткозался" for "отказался"."""
    choices = [_UNSTRESSED.get(letter, letter) for letter in word]
    if 2 <= sum(len(choice) > 1 for choice in choices) <= 6:
        spellings = ["".join(letters) for letters in product(*choices)]
        for other, level in zip(spellings, vocabulary.frequencies(spellings).tolist(), strict=True):
            if level:
                yield other, level, _SOUND * sum(map(str.__ne__, word, other))


def inflection(known: str, unknown: str) -> str:
    """How the vocabulary names a change of one word's form into another's: the ends from the third letter on."""
    stem = max(len(known), len(unknown)) - ENDING
    return f"{known[stem:]}>{unknown[stem:]}"

"""Words one slip of the finger or of the ear away from a word, and how likely each slip is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product, zip_longest

from bot.search.understand.layout import ALPHABETS, KEY_ROWS
from bot.search.understand.vocabulary import Vocabulary

# Costs of an edit in steps of log frequency (see vocabulary).
_SWAPPED = 5  # Two letters in the wrong order.
_DOUBLED = 10  # One letter of a pair too few or too many, or a sign that is not heard.
_MISSING, _EXTRA = 10, 60  # Another letter too few or too many.
_SOUND, _KEY, _OTHER = 15, 12, 80  # For a letter one that sounds alike, one of a neighbouring key, any other.
_FIRST = 15  # What comes on top at the word's beginning.

_SILENT = "ьъ"
_ALIKE = {frozenset(pair) for pair in "оа еи яе яи ыи эе зс дт гк бп вф жш шщ чщ ьъ ei ea ao sc sz ck iy".split()}
_BESIDE = {frozenset(pair) for rows in KEY_ROWS.values() for row in rows for pair in pairwise(row)}
_UNSTRESSED = {"о": "оа", "а": "ао", "е": "еи", "и": "ие"}
"""Vowels that sound like others where the stress is elsewhere."""


def neighbours(word: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int]]:
    """The known words at Damerau-Levenshtein distance 1 of a folded word of one script, and what each costs.

    Norvig 2007, "How to write a spelling corrector".
    """
    alphabet = next(letters for letters in ALPHABETS.values() if word[0] in letters)
    for other in vocabulary.known(_edits(word, alphabet)):
        if other != word:
            yield other, _cost(word, other)


def one_slip_apart(one: str, other: str) -> bool:
    """Whether two texts are the same up to one letter or space removed, replaced or inserted, or two swapped."""
    differing = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    same = next(differing, min(len(one), len(other)))
    left, right = one[same:], other[same:]
    swapped = left[1:2] + left[:1] + left[2:]
    return left[1:] in (right, right[1:]) or right[1:] == left or (swapped == right and len(left) == len(right))


def misheard(word: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int]]:
    """The known words that differ only in vowels which sound alike when unstressed, and what each costs.

    "отказался" for "аткозался".
    """
    choices = [_UNSTRESSED.get(letter, letter) for letter in word]
    if 2 <= sum(len(choice) > 1 for choice in choices) <= 6:
        for other in vocabulary.known(map("".join, product(*choices))):
            yield other, _SOUND * sum(map(str.__ne__, word, other))


def _edits(word: str, alphabet: str) -> list[str]:
    """Every text that differs from a word by one letter removed, replaced or inserted, or by two swapped."""
    splits = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    removed = [before + after[1:] for before, after in splits[:-1]]
    swapped = [before + after[1] + after[0] + after[2:] for before, after in splits[:-2]]
    replaced = [before + letter + after[1:] for before, after in splits[:-1] for letter in alphabet]
    inserted = [before + letter + after for before, after in splits for letter in alphabet]
    return [*removed, *swapped, *replaced, *inserted]


def _cost(word: str, other: str) -> int:
    """The cost of the edit that makes `other` of `word`."""
    place = next(place for place, (one, two) in enumerate(zip_longest(word, other)) if one != two)
    at_first = 0 if place else _FIRST
    if len(word) != len(other):
        longer, cost = (word, _EXTRA) if len(word) > len(other) else (other, _MISSING)
        beside = longer[max(0, place - 1) : place] + longer[place + 1 : place + 2]
        return at_first + (_DOUBLED if longer[place] in beside + _SILENT else cost)
    if word[place + 1 :] != other[place + 1 :]:
        return at_first + _SWAPPED
    pair = frozenset((word[place], other[place]))
    return at_first + (_SOUND if pair in _ALIKE else _KEY if pair in _BESIDE else _OTHER)

"""Which words are known and how frequent they are, with a number in place of each word.

A word's number is its UTF-16 form read as one integer modulo a prime (Karp and Rabin 1987, "Efficient randomized
pattern-matching algorithms"). One of 40,000,000 unknown words shares the number of a known one, and the numbers of all
words one edit away follow from the number of a word by arithmetic on arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint64]
Levels = npt.NDArray[np.uint8]

PRIME = 14_142_135_623_743  # Below 2**44, so that a number times a 16-bit letter fits 64 bits; far from a power of two.
LEVELS_PER_DOUBLING = 9
"""How many levels a word is above one that is half as frequent; 2**28, the count of "you", still fits a byte."""

_REMEMBERED = 4096  # Words, half a megabyte.


def number(word: str) -> int:
    """The number of a word: letter i counts 2**(16 i)."""
    return int.from_bytes(word.encode("utf-16-le", "surrogatepass"), "little") % PRIME


class Vocabulary:
    """Frequencies of folded words, 9 bytes a word."""

    def __init__(self, numbers: Numbers, levels: Levels) -> None:
        """Words in the order of their numbers, and the level of each."""
        self._numbers, self._levels = numbers, levels
        self._seen: dict[str, int] = {}

    @classmethod
    def build(cls, counts: Mapping[str, float]) -> Vocabulary:
        """Know these folded words; a count below 1 counts as 1."""
        numbers = np.array([number(word) for word in counts], np.uint64)
        doublings = np.log2(np.maximum(1, np.fromiter(counts.values(), float, len(counts))))
        levels = np.minimum(255, 1 + np.rint(LEVELS_PER_DOUBLING * doublings)).astype(np.uint8)
        return cls(*_each_once(numbers, levels))

    def merged(self, other: Vocabulary) -> Vocabulary:
        """The words of both, each as frequent as in the one where it is more frequent."""
        numbers, levels = np.concatenate((self._numbers, other._numbers)), np.concatenate((self._levels, other._levels))
        return Vocabulary(*_each_once(numbers, levels))

    def __len__(self) -> int:
        return len(self._numbers)

    def frequencies(self, words: Sequence[str]) -> Levels:
        """How frequent each folded word is, shape (words,): 0 unknown, 1 once, then 9 more for each doubling."""
        return self.levels(np.array([number(word) for word in words], np.uint64))

    def known(self, words: Sequence[str]) -> list[int]:
        """The same as a list, faster for words that were asked for lately, as most words of queries were."""
        seen = self._seen
        if any(word not in seen for word in words):
            if len(seen) > _REMEMBERED:
                seen = self._seen = {}
            seen.update(zip(words, self.frequencies(words).tolist(), strict=True))
        return [seen[word] for word in words]

    def levels(self, numbers: Numbers) -> Levels:
        """The frequencies of the words with these numbers, in the shape of `numbers`."""
        if not len(self):
            return np.zeros(numbers.shape, np.uint8)
        places = np.minimum(np.searchsorted(self._numbers, numbers), len(self) - 1)
        return np.where(self._numbers[places] == numbers, self._levels[places], np.uint8(0))

    def save(self, path: Path) -> None:
        """Write one npz file; the gaps between numbers take half the room of the numbers."""
        np.savez_compressed(
            path, gaps=np.diff(self._numbers, prepend=np.uint64(0)).astype(np.uint64), levels=self._levels
        )

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read what `save` wrote; raises ValueError when the two arrays are not of one length."""
        with np.load(path) as file:
            numbers, levels = np.cumsum(file["gaps"], dtype=np.uint64), file["levels"]
        if len(numbers) != len(levels):
            raise ValueError(f"{len(levels)} frequencies for {len(numbers)} words")
        return cls(numbers, levels)


def _each_once(numbers: Numbers, levels: Levels) -> tuple[Numbers, Levels]:
    """In the order of their numbers, the greatest level of each."""
    order = np.lexsort((-levels.astype(int), numbers))
    numbers, first = np.unique(numbers[order], return_index=True)
    return numbers, levels[order][first]

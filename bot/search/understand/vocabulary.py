"""Which words are known, how frequent they are, and how their endings change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import log2
from pathlib import Path

import numpy as np
from marisa_trie import Trie

from bot.search.files import load_arrays

_STEPS = 9  # Of log frequency, between a word and one half as frequent; 2**28, the count of "you", fits a byte.
_MOST = 255  # Log frequency.
_EVERYWHERE = 190  # Log frequency of words that tell nothing, such as "he" and "и".
ENDING = 3
"""Letters at the end of a word that inflection changes at most."""
UNSEEN = 1
"""Log frequency of a form that a known word has, though nobody was seen to use it."""


class Vocabulary:
    """Log frequencies of folded words, about 4 bytes a word."""

    def __init__(self, words: Trie, log_frequencies: bytes, endings: Trie) -> None:
        """The words, the log frequency of each by its number in `words`, and changes of endings like "ова>ово"."""
        self._words, self._log_frequencies, self._endings = words, log_frequencies, endings

    @classmethod
    def build(cls, counts: Mapping[str, float], endings: Iterable[str] = ()) -> Vocabulary:
        """Know these folded words, of which a count below 1 counts as 1, and changes of endings like "ова>ово"."""
        levels = {word: min(_MOST, 1 + round(_STEPS * log2(max(1, count)))) for word, count in counts.items()}
        return cls._of(levels, endings)

    @classmethod
    def _of(cls, log_frequencies: Mapping[str, int], endings: Iterable[str]) -> Vocabulary:
        words = Trie(log_frequencies)
        return cls(words, bytes(log_frequencies[words.restore_key(n)] for n in range(len(words))), Trie(endings))

    def merged(self, other: Vocabulary) -> Vocabulary:
        """The words of both, each as frequent as in the one where it is more frequent."""
        every = {*self, *other}
        both = {word: max(self.log_frequency(word), other.log_frequency(word)) for word in every}
        return self._of(both, {*self._endings, *other._endings})

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def log_frequency(self, word: str) -> int:
        """How frequent a folded word is: 0 unknown, 1 once, then 9 more for each doubling, at most 255."""
        number = self._words.get(word)
        return 0 if number is None else self._log_frequencies[number]

    def information(self, words: Iterable[str]) -> dict[str, int]:
        """What each of the folded words tells: more, the rarer it is."""
        return {word: max(1, _EVERYWHERE - self.log_frequency(word)) ** 2 for word in words}

    def known(self, words: Iterable[str]) -> list[str]:
        """Those of the folded words that are known, in their order."""
        return [word for word in words if word in self._words]

    def is_inflection(self, known: str, unknown: str) -> bool:
        """Whether the ends of two words, from the third last letter of the longer one on, are a change of endings."""
        stem = max(len(known), len(unknown)) - ENDING
        return f"{known[stem:]}>{unknown[stem:]}" in self._endings

    def save(self, path: Path) -> None:
        """Write one npz file."""
        parts = (self._words.tobytes(), self._log_frequencies, self._endings.tobytes())
        words, log_frequencies, endings = (np.frombuffer(part, np.uint8) for part in parts)
        np.savez_compressed(path, words=words, log_frequencies=log_frequencies, endings=endings)

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read what `save` wrote. Raises OSError or ValueError for anything else."""
        arrays = load_arrays(path, dict.fromkeys(("words", "endings", "log_frequencies"), "i1"))
        try:
            words, endings = (Trie().frombytes(arrays[name].tobytes()) for name in ("words", "endings"))
        except RuntimeError as error:
            raise ValueError(f"{path.name}: no words ({error})") from error
        log_frequencies = arrays["log_frequencies"].astype(np.uint8).tobytes()
        if len(words) != len(log_frequencies):
            raise ValueError(f"{len(log_frequencies)} frequencies for {len(words)} words")
        return cls(words, log_frequencies, endings)

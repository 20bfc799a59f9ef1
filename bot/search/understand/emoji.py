"""Emoji as words: each one in a text becomes its name and a few telling keywords."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_RUN = re.compile("[←-⇿⌀-⏿■-➿⤀-⥿⬀-⯿〰〽㊗㊙\U0001f000-\U0001faff\u200d]+")
# What changes the looks and not the thing: the style, the colour of the skin, a sex, a colour of hair, where it faces.
_LOOKS = re.compile("[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\u200d[♀♂➡\U0001f9b0-\U0001f9b3]")
_CYRILLIC, _LATIN = re.compile("[а-яё]", re.IGNORECASE), re.compile("[a-z]", re.IGNORECASE)


@dataclass(frozen=True)
class EmojiNames:
    """What emoji are called in Russian and in English."""

    names: Mapping[str, tuple[str, str]]
    """The Russian and the English words of an emoji, or of several that are joined into one."""

    _longest: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_longest", max(map(len, self.names), default=1))

    def replaced(self, text: str) -> str:
        """The text with words instead of emoji: each kind once, in the language of the rest.

        A text of emoji alone gets the words of both languages; an emoji without a name vanishes.
        """
        if not _RUN.search(text):
            return text
        plain = _LOOKS.sub("", text)
        spoken = _languages(plain)
        named: set[str] = set()

        def words(run: re.Match[str]) -> str:
            fresh = [emoji for emoji in dict.fromkeys(self._parts(run[0])) if emoji not in named]
            named.update(fresh)
            return "".join(f" {self.names[emoji][language]}" for emoji in fresh for language in spoken) + " "

        return " ".join(_RUN.sub(words, plain).split())

    def _parts(self, run: str) -> list[str]:
        """The known emoji of a run: the longest first, so that joined ones are looked up whole."""
        parts, start = [], 0
        while start < len(run):
            ends = range(min(start + self._longest, len(run)), start, -1)
            known = next((run[start:end] for end in ends if run[start:end] in self.names), "")
            parts += [known] if known else []
            start += len(known) or 1
        return parts

    def save(self, path: Path) -> None:
        """Write a line per emoji, compressed; equal names give equal bytes."""
        lines = "".join(f"{emoji}\t{russian}\t{english}\n" for emoji, (russian, english) in self.names.items())
        path.write_bytes(gzip.compress(lines.encode(), mtime=0))

    @classmethod
    def load(cls, path: Path) -> EmojiNames:
        """Read what `save` wrote; raises ValueError for anything else."""
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        rows = [line.split("\t") for line in lines]
        return cls({emoji: (russian, english) for emoji, russian, english in rows})


def _languages(text: str) -> Sequence[int]:
    """Which of the names to use: 0 the Russian ones, 1 the English."""
    if _CYRILLIC.search(text):
        return (0,)
    return (1,) if _LATIN.search(text) else (0, 1)

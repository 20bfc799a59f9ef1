"""Emoji as words: each one in a text becomes its name and a few telling keywords, unless there is nothing else."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.search.files import gzip_lines
from bot.search.understand.layout import ALPHABETS

_SYMBOL = "[←-⇿⌀-⏿■-➿⤀-⥿⬀-⯿〰〽㊗㊙\U0001f000-\U0001faff]"
_EMOJI = re.compile(f"{_SYMBOL}(?:\u200d{_SYMBOL})*|\u200d")
# What changes the looks and not the thing: the style, the colour of the skin, a sex, a colour of hair, where it faces.
_LOOKS = re.compile("[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\u200d[♀♂➡\U0001f9b0-\U0001f9b3]")

_KEYCAP = r"(?<!\d)\d(?!\d)"
_PICTURE = re.compile(f"[🇦-🇿]{{2}}|{_KEYCAP}|{_EMOJI.pattern}")


def rebus(text: str) -> tuple[str, ...]:
    """The emoji of a text that has no words, without their looks, and keycaps as digits; none for any other text.

    Two of a kind beside others stand also for their number: 🐇🐇🔫 for "two hares".
    """
    plain = _LOOKS.sub("", text)
    if not _EMOJI.search(plain) or re.search(r"\w", _PICTURE.sub("", plain)):
        return ()
    found = Counter(_PICTURE.findall(plain))
    return (*found, "2") if len(found) > 1 and 2 in found.values() else tuple(found)


@dataclass(frozen=True)
class EmojiNames:
    """What emoji are called."""

    names: Mapping[str, tuple[str, ...]]
    """The words of an emoji, or of several that are joined into one, in each language of `ALPHABETS`."""

    def replaced(self, text: str) -> str:
        """The text with words instead of emoji: each kind once, in the language of the rest.

        A text of emoji alone gets the words of all languages; an emoji without a name vanishes.
        """
        if not _EMOJI.search(text):
            return text
        plain = _LOOKS.sub("", text)
        spoken = _languages(plain)
        named: set[str] = set()

        def words(found: re.Match[str]) -> str:
            parts = [found[0]] if found[0] in self.names else dict.fromkeys(found[0])
            fresh = [emoji for emoji in parts if emoji in self.names and emoji not in named]
            named.update(fresh)
            return " ".join(["", *(self.names[emoji][language] for emoji in fresh for language in spoken), ""])

        return " ".join(_EMOJI.sub(words, plain).split())

    def save(self, path: Path) -> None:
        """Write a line per emoji, compressed; equal names give equal bytes."""
        lines = "".join("\t".join((emoji, *names)) + "\n" for emoji, names in self.names.items())
        path.write_bytes(gzip.compress(lines.encode(), mtime=0))

    @classmethod
    def load(cls, path: Path) -> EmojiNames:
        """Read what `save` wrote. Raises OSError or ValueError for anything else."""
        rows = [line.decode().rstrip("\n").split("\t") for line in gzip_lines(path)]
        for row in rows:
            if len(row) != 1 + len(ALPHABETS):
                raise ValueError(f"not an emoji and its names in {len(ALPHABETS)} languages: {row}")
        return cls({emoji: tuple(names) for emoji, *names in rows})


def _languages(text: str) -> list[int]:
    """The numbers of the languages whose words to use: of the first that the text has letters of, else of all."""
    letters = set(text.lower())
    written = [number for number, own in enumerate(ALPHABETS.values()) if not letters.isdisjoint(own)]
    return written[:1] or list(range(len(ALPHABETS)))

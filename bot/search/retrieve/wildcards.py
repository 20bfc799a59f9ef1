"""Lookup of quoted words and of words with `*`: the phrases that have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.search.text import words

_WORD, _STARS = re.compile(r"\w+"), re.compile(r"\*+")


class Wildcards:
    """The wordings of phrases, in which what queries quote and describe is looked up."""

    def __init__(self, wordings: Iterable[Iterable[str]]) -> None:
        """Know the wordings of each phrase: its text and its variants."""
        self._wordings = ["\n".join(f" {' '.join(words(text))} " for text in texts) for texts in wordings]

    def rows(self, quoted: Sequence[str], pattern: Sequence[str]) -> list[int]:
        """The numbers of the phrases that fit the pattern or, without one, have all quoted words; none without either.

        Both are folded. In a pattern the word `*` stands for any words or none, a star in a word for any letters.
        """
        if not pattern:
            return self._having([f" {' '.join(_WORD.findall(part))} " for part in quoted]) if quoted else []
        runs = _runs(pattern)
        rows = self._having([letters for word in pattern for letters in f" {word} ".split("*")])
        return [row for row in rows if any(_fits(line, runs) for line in self._wordings[row].split("\n"))]

    def _having(self, parts: Iterable[str]) -> list[int]:
        rows = list(range(len(self._wordings)))
        for part in sorted(parts, key=len, reverse=True):
            rows = [row for row in rows if part in self._wordings[row]]
        return rows


def _runs(pattern: Sequence[str]) -> list[re.Pattern[str]]:
    """Expressions of the words that stand side by side, between the stars for any words."""
    runs = groupby(pattern, key=lambda word: not word.strip("*"))
    return [re.compile(" " + _STARS.sub(r"\\w*", " ".join(run)) + "(?= )") for any_words, run in runs if not any_words]


def _fits(line: str, runs: Sequence[re.Pattern[str]]) -> bool:
    """Whether the runs follow each other in a line: where one fits first is as good as any place behind it."""
    end = 0
    for run in runs:
        found = run.search(line, end)
        if not found:
            return False
        end = found.end()
    return True

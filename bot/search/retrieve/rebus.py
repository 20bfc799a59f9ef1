"""Rebuses: emoji that picture the words of a phrase, such as 🐷✈️ for "when pigs fly"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.files import check_starts, check_within, load_arrays

Scores = npt.NDArray[np.float32]
Rows = npt.NDArray[np.uint16] | npt.NDArray[np.uint32] | npt.NDArray[np.int64]

# How much it counts that most emoji picture a word of a phrase, and that most of its words are pictured: so little that
# half solved is still worth a look on the scale on which likeness of letters counts.
_SOLVED, _COVERED = 0.33, 0.1
_FORMS = {
    "items": "i0",
    "emoji": "U0",
    "shares": "f1",
    "weights": "f1",
    **dict.fromkeys(("owners", "texts", "bounds", "pictured", "strengths"), "i1"),
}


@dataclass(frozen=True)
class Rebuses:
    """Which emoji picture which words of the texts of a collection.

    Every item (a phrase, say) has one text or more; only words that some emoji pictures are kept of a text.
    """

    items: int
    owners: Rows
    """The item of each text, shape (texts,)."""
    texts: Rows
    """The text that each word is of, shape (words,)."""
    shares: Scores
    """What each word is of its text, shape (words,): the rarer, the more; of a whole text at most 1."""
    emoji: Sequence[str]
    weights: Scores
    """How much each emoji tells, shape (emoji,): the fewer texts it pictures a word of, the more."""
    bounds: Rows
    """Emoji i pictures the words `pictured[bounds[i]:bounds[i + 1]]`."""
    pictured: Rows
    strengths: npt.NDArray[np.uint8]
    """How surely, up to 255, of the shape of `pictured`."""

    def scores(self, emoji: Sequence[str]) -> Scores:
        """How well different emoji picture each item, from 0 to 1, shape (items,); unknown ones are passed over.

        On the scale on which likeness of letters counts: see Fusion.
        """
        known = (part for one in emoji for part in ([one] if one in self._rows else one.split("\u200d")))
        rows = [self._rows[one] for one in dict.fromkeys(known) if one in self._rows]
        surest, solved = np.zeros_like(self.shares), np.zeros(len(self.owners), np.float32)
        for row in rows:
            span = slice(*self.bounds[row : row + 2])
            words, strengths = self.pictured[span], self.strengths[span] / np.float32(255)
            surest[words] = np.maximum(surest[words], strengths)
            best = np.zeros_like(solved)
            np.maximum.at(best, self.texts[words], strengths)
            solved += best * (self.weights[row] / self.weights[rows].sum())
        seen, near = np.flatnonzero(surest), np.flatnonzero(solved)
        covered = np.bincount(self.texts[seen], surest[seen] * self.shares[seen], len(solved))
        scores = np.zeros(self.items, np.float32)
        np.maximum.at(scores, self.owners[near], solved[near] ** _SOLVED * covered[near] ** _COVERED)
        return scores

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return {emoji: row for row, emoji in enumerate(self.emoji)}

    def save(self, path: Path) -> None:
        """Write one npz file."""
        np.savez_compressed(
            path,
            items=self.items,
            owners=self.owners,
            texts=self.texts,
            shares=self.shares.astype(np.float16),
            emoji=np.array(" ".join(self.emoji)),
            weights=self.weights,
            bounds=self.bounds,
            pictured=self.pictured,
            strengths=self.strengths,
        )

    @classmethod
    def load(cls, path: Path) -> Rebuses:
        """Read what `save` wrote. Raises OSError or ValueError for anything else."""
        arrays = load_arrays(path, _FORMS)
        items, emoji = int(arrays.pop("items")), str(arrays.pop("emoji")).split()
        shares = arrays.pop("shares").astype(np.float32)
        rebuses = cls(items=items, emoji=emoji, shares=shares, **arrays)
        rebuses._check(path.name)
        return rebuses

    def _check(self, name: str) -> None:
        """Raise ValueError, which names the file `name`, when the arrays do not fit together."""
        if not len(self.emoji) == len(self.weights) or len(self.texts) != len(self.shares):
            raise ValueError(f"{name}: weights or shares are not one for each")
        if len(self.pictured) != len(self.strengths) or (self.weights <= 0).any() or (self.shares < 0).any():
            raise ValueError(f"{name}: strengths are not one for each, or weights not above 0")
        check_starts(self.bounds, len(self.emoji), len(self.pictured), f"{name}: bounds")
        check_within(self.owners, 0, self.items, f"{name}: owners")
        check_within(self.texts, 0, len(self.owners), f"{name}: texts")
        check_within(self.pictured, 0, len(self.texts), f"{name}: pictured")
        check_within(self.strengths, 0, 256, f"{name}: strengths")

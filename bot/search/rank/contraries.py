"""Two phrases that say the contrary: which of them a query means is for the reader to tell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.search.rank.best import best_rows

Scores = npt.NDArray[np.float32]

_LOOKED_AT = 30  # Best rows, among which a contrary would be read.


def decided(scores: Scores, reading: Scores, opposites: npt.NDArray[np.int32]) -> Scores:
    """The scores, with those of two contraries exchanged where the reader finds the lower one nearer.

    `scores` and the reader's cosines have the shape (phrases,); `opposites` are rows of those that say the contrary of
    each, shape (phrases, the most that one has), negative where there is none. What two contraries have in common is
    all that words and their sum see of them: a query for the one scores high for the other, and only the sentence as a
    whole tells them apart.
    """
    rows = best_rows(scores, _LOOKED_AT)
    others = opposites[rows]
    nearer = (others >= 0) & (reading[others] > reading[rows, None]) & (scores[others] < scores[rows, None])
    if nearer.any():
        scores = scores.copy()
        for place, column in np.argwhere(nearer).tolist():
            pair = [rows[place], others[place, column]]
            if scores[pair[0]] > scores[pair[1]]:  # an exchange before may have put them in order
                scores[pair] = scores[pair[::-1]]
    return scores

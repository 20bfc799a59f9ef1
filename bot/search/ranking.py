"""How likeness of meaning and likeness of wording become one score; every number is tuned on the dev queries."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The weights of a fused score."""

    gloss: float = 1.0
    """What the wording of meanings and example adds to the cosine of meanings."""
    wording_from: float = 0.4
    """Likeness to the phrase's own words up to which they count nothing: any two phrases share some letters."""
    wording_to: float = 0.6
    """Likeness from which they count in full: one typo in a short phrase leaves about as much."""
    choices: float = 0.004
    """What a phrase gains when people choose it e times as often; 0 leaves their choices out."""

    def fuse(self, meaning: Scores, wording: Scores, gloss: Scores) -> Scores:
        """Scores up to 1, all arrays of one shape: a phrase fits when its meaning or its wording does."""
        fused = np.asarray((meaning + np.float32(self.gloss) * gloss) / np.float32(1 + self.gloss), np.float32)
        worded = np.flatnonzero(wording > self.wording_from)
        fused[worded] = 1 - (1 - np.maximum(fused[worded], 0)) * (1 - self.worded(wording[worded]))
        return fused

    def worded(self, wording: Scores) -> Scores:
        """How much a likeness to phrases' own words counts, 0 to 1, rising smoothly between the two bounds."""
        own = np.minimum(wording, 1)
        share = np.clip((own - self.wording_from) / (self.wording_to - self.wording_from), 0, 1)
        return np.asarray(own * share * share * (3 - 2 * share), np.float32)

    def popularity(self, choices: npt.NDArray[np.int64]) -> Scores:
        """What each phrase gains by having been chosen so many times, an array of the same shape."""
        return np.asarray(self.choices * np.log1p(choices), np.float32)

    def as_dict(self) -> dict[str, float]:
        """For the manifest."""
        return asdict(self)

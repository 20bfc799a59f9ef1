"""How likeness of meaning and likeness of wording become one score; every number is tuned on the dev queries."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The weights of a fused score."""

    gloss: float = 0.5
    """What the wording of a meaning or an example adds to the cosine of meanings."""
    wording_power: float = 3.0
    """Sharpens likeness to the phrase itself, so that a word in common counts little and a typo hardly hurts."""
    threshold: float = 0.3
    """Matches with a lower score are nothing close."""

    def fuse(self, meaning: Scores, wording: Scores, gloss: Scores) -> Scores:
        """Scores up to 1, all arrays of one shape: a phrase fits when its meaning or its wording does."""
        likeness = np.clip((meaning + self.gloss * gloss) / (1 + self.gloss), 0, 1)
        fused: Scores = 1 - (1 - likeness) * (1 - np.clip(wording, 0, 1) ** self.wording_power)
        return fused

    def as_dict(self) -> dict[str, float]:
        """For the manifest."""
        return asdict(self)

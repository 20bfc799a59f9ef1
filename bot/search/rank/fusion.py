"""How likeness of meaning and lexical likeness become one score; the reader's weight is fitted by the build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.search.rank.weights import GREATEST, as_mapping, as_weight

Scores = npt.NDArray[np.float32]

_LEAST_RANGE = 1e-3  # Between the bounds of likeness of letters.

READING = {"ru": 1.0, "en": 3.0}


@dataclass(frozen=True, slots=True)
class Fusion:
    """The weights of a fused score."""

    gloss: float = 0.8
    """What the wording of meanings, examples and scenes adds to the cosine of meanings."""
    reading: Mapping[str, float] = field(default_factory=lambda: READING)
    """What the reader's cosine adds, by the language of the query."""
    lexical_threshold: float = 0.4
    """Likeness to a phrase's own words up to which they count nothing: any two phrases share some letters."""
    lexical_saturation: float = 1.0
    """Likeness from which they count in full; between the two they count ever more."""
    prior: float = 0.01
    """What a phrase gains at a score of a half for each step that it is more common than usual; 0 leaves that out."""
    clicks: float = 0.004
    """What it gains there when people choose it e times as often; 0 leaves clicks out."""

    def score(
        self,
        meaning: Scores,
        wording: Scores,
        gloss: Scores,
        popularity: Scores,
        reading: Scores | None = None,
        language: str = "",
    ) -> Scores:
        """Scores up to 1, all arrays of one shape: a phrase fits when its meaning or its wording does.

        `reading` are the reader's cosines where there is one; `language` is that of the query. Popularity counts most
        at a score of a half, and nothing where a phrase surely fits or has nothing in common.
        """
        weight = self.reading.get(language, 1.0) if reading is not None else 0.0
        whole = 1 + self.gloss + weight
        fused = meaning * np.float32(1 / whole)
        fused += gloss * np.float32(self.gloss / whole)
        if reading is not None:
            fused += reading * np.float32(weight / whole)
        worded = np.flatnonzero(wording > self.lexical_threshold)
        if len(worded):
            fused[worded] = 1 - (1 - np.maximum(fused[worded], 0)) * (1 - self.lexical(wording[worded]))
        gain = 1 - fused
        gain *= fused
        gain *= popularity
        fused += gain
        return fused

    def lexical(self, wording: Scores) -> Scores:
        """How much a likeness to phrases' own words counts, 0 to 1, rising smoothly between the two bounds."""
        own = np.minimum(wording, np.float32(1))
        share = (own - np.float32(self.lexical_threshold)) / np.float32(
            self.lexical_saturation - self.lexical_threshold
        )
        share = np.minimum(np.maximum(share, 0), 1)
        return np.asarray(own * share * share * (3 - 2 * share), np.float32)

    def popularity(self, steps: npt.NDArray[np.int8], clicks: npt.NDArray[np.int64]) -> Scores:
        """Four times what phrases gain at a score of a half, all arrays of one shape.

        `steps` are those by which they are more common than usual; `clicks` are counts.
        """
        return np.asarray(4 * (self.prior * steps + self.clicks * np.log1p(clicks)), np.float32)

    def as_dict(self) -> dict[str, Any]:
        """The weights by name, for the manifest."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: object) -> Fusion:
        """Read what `as_dict` gave. Raises TypeError or ValueError for anything else."""
        numbers = dict(as_mapping(values, "fusion"))
        reading = as_mapping(numbers.pop("reading", READING), "reading")
        weights = {name: as_weight(value, name, 0 if name == "gloss" else -GREATEST) for name, value in numbers.items()}
        fusion = cls(reading={name: as_weight(value, name, 0) for name, value in reading.items()}, **weights)
        if fusion.lexical_saturation - fusion.lexical_threshold < _LEAST_RANGE:
            raise ValueError("lexical_saturation is not above lexical_threshold")
        return fusion

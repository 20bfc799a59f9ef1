"""What the build found out about every phrase and the others, so that no search has to find it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.phrases import Phrase, texts_of

Rows = npt.NDArray[np.int32]
NONE = -1
"""Stands for no row."""


@dataclass(frozen=True, slots=True)
class Equivalent:
    """What another language says instead of a phrase."""

    text: str
    language: str
    key: str = ""
    """Of its entry; empty when the collection lacks it."""
    curated: bool = True
    """Whether a person judged that it means the same; otherwise it was found by meaning."""


def keys_of(phrases: Sequence[Phrase]) -> npt.NDArray[np.str_]:
    """The keys of phrases, shape (phrases,)."""
    return np.array([phrase.key for phrase in phrases])


@dataclass
class Relations:
    """Facts about phrases, by their rows."""

    keys: npt.NDArray[np.str_]
    """`Phrase.key` of each, shape (phrases,)."""
    log_frequency: npt.NDArray[np.float32]
    """How frequent a phrase's words are on average, 0 to 1, shape (phrases,)."""
    near_duplicates: Rows
    """Phrases that say the same in nearly the same words, shape (pairs, 2), each pair both ways round."""
    curated: Rows
    """The entries of a phrase's curated equivalents, in the order of its texts; NONE where the collection lacks one.

    Shape (phrases, the most that one has); NONE fills the rest.
    """
    close: Rows
    """Phrases of other languages that are close in meaning, best first, shape (phrases, 3); NONE fills the rest."""

    @classmethod
    def none(cls, phrases: Sequence[Phrase], log_frequency: npt.NDArray[np.float32]) -> Relations:
        """Of phrases that have nothing to do with each other."""
        empty = np.empty((len(phrases), 0), np.int32)
        return cls(keys_of(phrases), log_frequency, np.empty((0, 2), np.int32), empty, empty)

    def __len__(self) -> int:
        return len(self.log_frequency)

    def equivalents(self, phrases: Sequence[Phrase], row: int) -> list[Equivalent]:
        """What other languages say instead of a phrase: curated ones first, then others that are close in meaning."""
        entries = self.curated[row].tolist()
        texts = [text for text in texts_of(phrases[row]) if text.role == "equivalent"]
        curated = [
            Equivalent(text.text, text.language, "" if entry == NONE else phrases[entry].key)
            for text, entry in zip(texts, entries, strict=False)
        ]
        others = [phrases[entry] for entry in self.close[row].tolist() if entry != NONE and entry not in entries]
        return [*curated, *(Equivalent(other.text, other.language, other.key, curated=False) for other in others)]

    def save(self, path: Path) -> None:
        """Write one npz file."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        np.savez_compressed(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> Relations:
        """Read what `save` wrote. Raises OSError, ValueError or TypeError for anything else."""
        with np.load(path) as file:
            return cls(**{name: file[name] for name in file.files})

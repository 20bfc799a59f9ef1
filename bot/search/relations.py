"""What the build found out about every phrase and the others, so that no search has to find it again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.files import check_within, load_arrays
from bot.search.phrases import Phrase, phrase_key, texts_of

Rows = npt.NDArray[np.int32]
NONE = -1
"""Stands for no row."""

_FORMS = {
    **dict.fromkeys(("keys", "former", "languages", "kinds", "topics"), "U1"),
    **dict.fromkeys(("former_rows", "common"), "i1"),
    **dict.fromkeys(("near_duplicates", "curated", "opposites", "close"), "i2"),
    "offered": "b1",
    "about": "b2",
}
_CODE = re.compile("[a-z]{2}")


@dataclass(frozen=True, slots=True)
class Equivalent:
    """What another language says instead of a phrase."""

    text: str
    language: str
    key: str = ""
    """Of its entry; empty when the collection lacks it."""
    curated: bool = True
    """Whether a person judged that it means the same; otherwise it was found by meaning."""


@dataclass
class Relations:
    """Facts about phrases, by their rows."""

    keys: npt.NDArray[np.str_]
    """`Phrase.key` of each, shape (phrases,)."""
    former: npt.NDArray[np.str_]
    """The keys that variants would have, shape (variants,): many were entries, and people saved them."""
    former_rows: Rows
    """The phrase that each of them belongs to, shape (variants,)."""
    languages: npt.NDArray[np.str_]
    """`Phrase.language` of each, shape (phrases,)."""
    kinds: npt.NDArray[np.str_]
    """`Phrase.kind` of each, shape (phrases,)."""
    common: npt.NDArray[np.int8]
    """`Phrase.common` of each, shape (phrases,)."""
    offered: npt.NDArray[np.bool_]
    """`Phrase.offered` of each, shape (phrases,)."""
    topics: npt.NDArray[np.str_]
    """The topics of the collection in alphabetical order, shape (topics,)."""
    about: npt.NDArray[np.bool_]
    """Whether a phrase is about a topic, shape (phrases, topics)."""
    near_duplicates: Rows
    """Phrases that say the same in nearly the same words, shape (pairs, 2), each pair both ways round."""
    curated: Rows
    """The entries that a person judged to mean the same: those of a phrase's equivalents in the order of its texts,
    NONE where the collection lacks one, then those that name the phrase.

    Shape (phrases, the most that one has); NONE fills the rest.
    """
    opposites: Rows
    """Phrases of the same language that say the contrary, laid out as `curated` is."""
    close: Rows
    """Phrases of other languages that are close in meaning, best first, shape (phrases, 3); NONE fills the rest."""

    @classmethod
    def of(cls, phrases: Sequence[Phrase]) -> Relations:
        """The facts about each phrase alone, as if none had anything to do with another."""
        topics = sorted({topic for phrase in phrases for topic in phrase.topics})
        variants = [(row, phrase_key(one.language, text)) for row, one in enumerate(phrases) for text in one.variants]
        empty = np.empty((len(phrases), 0), np.int32)
        return cls(
            keys=np.array([phrase.key for phrase in phrases]),
            former=np.array([key for _, key in variants], np.str_),
            former_rows=np.array([row for row, _ in variants], np.int32),
            languages=np.array([phrase.language for phrase in phrases]),
            kinds=np.array([phrase.kind for phrase in phrases]),
            common=np.array([phrase.common for phrase in phrases], np.int8),
            offered=np.array([phrase.offered for phrase in phrases]),
            topics=np.array(topics, np.str_),
            about=np.array([[topic in phrase.topics for topic in topics] for phrase in phrases], np.bool_),
            near_duplicates=np.empty((0, 2), np.int32),
            curated=empty,
            opposites=empty,
            close=empty,
        )

    def __len__(self) -> int:
        return len(self.keys)

    def equivalents(self, phrases: Sequence[Phrase], row: int) -> list[Equivalent]:
        """What other languages say instead of a phrase: curated ones first, then others that are close in meaning."""
        texts = [text for text in texts_of(phrases[row]) if text.role == "equivalent"]
        entries = self.curated[row].tolist()
        curated: dict[str, Equivalent] = {}
        for text, entry in zip(texts, entries, strict=False):
            key = "" if entry == NONE else str(self.keys[entry])
            curated.setdefault(key or text.text, Equivalent(text.text, text.language, key))
        named, close = entries[len(texts) :], self.close[row].tolist()
        for entry in (*named, *close):
            if entry != NONE:
                other = phrases[entry]
                found = Equivalent(other.text, other.language, other.key, curated=entry in named)
                curated.setdefault(other.key, found)
        return list(curated.values())

    def save(self, path: Path) -> None:
        """Write one npz file."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        np.savez_compressed(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> Relations:
        """Read what `save` wrote. Raises OSError or ValueError for anything else."""
        relations = cls(**load_arrays(path, _FORMS))
        relations._check(path.name)
        return relations

    def _check(self, name: str) -> None:
        """Raise ValueError, which names the file `name`, when the facts do not fit together."""
        count = len(self)
        facts = (self.languages, self.kinds, self.common, self.offered, self.about, self.curated, self.opposites)
        if {*map(len, facts), len(self.close)} != {count} or len(self.former) != len(self.former_rows):
            raise ValueError(f"{name}: not as many of each fact as there are phrases")
        if self.about.shape[1] != len(self.topics) or self.near_duplicates.shape[1] != 2:
            raise ValueError(f"{name}: topics or near-duplicates have another shape")
        if not all(map(_CODE.fullmatch, {*self.languages.tolist()})):
            raise ValueError(f"{name}: languages that are no codes of two letters")
        check_within(self.common, 1, 6, f"{name}: common")
        for rows in (self.former_rows, self.near_duplicates):
            check_within(rows, 0, count, f"{name}: rows")
        for rows in (self.curated, self.opposites, self.close):
            check_within(rows, NONE, count, f"{name}: rows")


class RowsByKey(Mapping[str, int]):
    """The rows of phrases by their keys, and by those that their variants would have.

    Sorted arrays, because a dictionary of so many strings would take ten times the memory.
    """

    def __init__(self, relations: Relations) -> None:
        """Where a variant has the key of a phrase, the phrase is meant."""
        keys = np.concatenate([relations.former, relations.keys]).astype(np.bytes_)
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._rows = np.concatenate([relations.former_rows, np.arange(len(relations), dtype=np.int32)])[order]

    def __getitem__(self, key: str) -> int:
        sought = key.encode(errors="replace")
        # A longer one would make numpy copy them all.
        at = int(np.searchsorted(self._keys, sought, side="right")) - 1 if len(sought) <= self._keys.itemsize else -1
        if at < 0 or self._keys[at] != sought:
            raise KeyError(key)
        return int(self._rows[at])

    def __iter__(self) -> Iterator[str]:
        return (key.decode() for key in self._keys.tolist())

    def __len__(self) -> int:
        return len(self._keys)

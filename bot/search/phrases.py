"""A phrase: an idiom, proverb or quotation with all that is known about it."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from sys import intern
from typing import Any

from bot.search.text import words

_REPEATED = {"language", "kind", "register", "source"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One entry of the collection. Texts are plain: whoever shows them escapes them."""

    text: str
    language: str
    """ISO 639-1 code of the language that the phrase is written in."""
    meanings: tuple[str, ...]
    """The senses, in the phrase's own language; at least one."""
    meaning_en: str = ""
    meaning_ru: str = ""
    equivalents: tuple[str, ...] = ()
    """Idioms of the other language that a person judged to mean the same."""
    variants: tuple[str, ...] = ()
    """Other wordings of the same idiom; found by wording, never answered on their own."""
    topics: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()
    """What people write who look for it, in any language. A build learns from them; they are not served."""
    kind: str = "idiom"
    register: str = "neutral"
    example: str = ""
    etymology: str = ""
    source: str = ""

    @property
    def key(self) -> str:
        """Twelve hexadecimal digits made of language and text alone, so they survive every rebuild."""
        return phrase_key(self.language, self.text)

    def meaning_in(self, language: str) -> str:
        """The meaning in `language`, or "" when nobody wrote one."""
        if language == self.language:
            return self.meanings[0]
        return {"en": self.meaning_en, "ru": self.meaning_ru}.get(language, "")

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Phrase:
        """Rebuild a phrase from what `asdict` gave; unknown fields raise TypeError."""
        values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in record.items()}
        for name in _REPEATED & values.keys():  # one copy of each for thousands of phrases
            values[name] = intern(values[name])
        return cls(**values)


def phrase_key(language: str, text: str) -> str:
    """Stable key of a text: letter case, punctuation, ё and stress marks make no difference."""
    return hashlib.blake2s(f"{language}\0{' '.join(words(text))}".encode(), digest_size=6).hexdigest()


def save_phrases(phrases: Iterable[Phrase], path: Path) -> None:
    """Write one JSON object per line, compressed, without scenes and empty fields; equal phrases give equal bytes."""
    served = (asdict(phrase) | {"scenes": ()} for phrase in phrases)
    records = ({name: value for name, value in phrase.items() if value} for phrase in served)
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def load_phrases(path: Path) -> list[Phrase]:
    """Read what `save_phrases` wrote."""
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")
    return [Phrase.from_record(json.loads(line)) for line in lines if line]

"""A phrase: an idiom, proverb or quotation with all that is known about it, and the list of its texts."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from sys import intern
from typing import Any, Literal, NamedTuple

from bot.search.text import words

DEFAULT = "en"
"""The language of a text whose script says nothing else."""

Role = Literal["phrase", "variant", "meaning", "translation", "equivalent", "example", "scene"]

_NOTHING: Mapping[str, Any] = {}
_SCRIPTS = {"ru": re.compile("[а-яё]", re.IGNORECASE)}


class PhraseText(NamedTuple):
    """One of the texts that a phrase has."""

    role: Role
    language: str
    """ISO 639-1 code of the language that the text is written in."""
    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """One entry of the collection. Texts are plain: whatever shows them escapes them."""

    text: str
    language: str
    """ISO 639-1 code of the language that the phrase is written in."""
    meanings: tuple[str, ...]
    """The senses, in the phrase's own language; at least one."""
    translations: Mapping[str, str] = field(default_factory=dict)
    """The meaning in other languages, by their codes."""
    equivalents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Idioms of other languages that a person judged to mean the same, by the codes of those languages."""
    variants: tuple[str, ...] = ()
    """Other wordings of the same idiom; found by wording, never answered on their own."""
    topics: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()
    """Example queries, in any language: lines that people write who look for this idiom."""
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
        """The first meaning in `language`, or "" when nobody wrote one."""
        return self.meanings[0] if language == self.language else self.translations.get(language, "")

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Phrase:
        """Rebuild a phrase from what `asdict` gave, empty fields left out. Raises KeyError when one is missing.

        Texts that thousands of phrases repeat are kept once.
        """
        equivalents = record.get("equivalents")
        return cls(
            text=record["text"],
            language=intern(record["language"]),
            meanings=tuple(record["meanings"]),
            translations=record.get("translations", _NOTHING),
            equivalents={code: tuple(texts) for code, texts in equivalents.items()} if equivalents else _NOTHING,
            variants=tuple(record.get("variants", ())),
            topics=tuple(map(intern, record.get("topics", ()))),
            scenes=tuple(record.get("scenes", ())),
            kind=intern(record["kind"]),
            register=intern(record["register"]),
            example=record.get("example", ""),
            etymology=record.get("etymology", ""),
            source=intern(record.get("source", "")),
        )


def texts_of(phrase: Phrase) -> list[PhraseText]:
    """Every text of a phrase with its role and its language, in a fixed order."""
    own = phrase.language
    return [
        PhraseText("phrase", own, phrase.text),
        *(PhraseText("variant", own, text) for text in phrase.variants),
        *(PhraseText("meaning", own, text) for text in phrase.meanings),
        *(PhraseText("translation", language, text) for language, text in phrase.translations.items()),
        *(PhraseText("equivalent", language, text) for language, of in phrase.equivalents.items() for text in of),
        *([PhraseText("example", own, phrase.example)] if phrase.example else []),
        *(PhraseText("scene", script_language(text), text) for text in phrase.scenes),
    ]


def script_language(text: str) -> str:
    """The language whose script a text has a letter of; DEFAULT where there is none."""
    return next((language for language, letters in _SCRIPTS.items() if letters.search(text)), DEFAULT)


def phrase_key(language: str, text: str) -> str:
    """Stable key of a text: letter case, punctuation, ё and stress marks make no difference."""
    return hashlib.blake2s(f"{language}\0{' '.join(words(text))}".encode(), digest_size=6).hexdigest()


def save_phrases(phrases: Iterable[Phrase], path: Path, scenes: Path) -> None:
    """Write one JSON object per line, compressed, without empty fields; equal phrases give equal bytes.

    Scenes have a file of their own, because only a build and an evaluation read them.
    """
    records = [{name: value for name, value in asdict(phrase).items() if value} for phrase in phrases]
    _write_lines(scenes, [record.pop("scenes", ()) for record in records])
    _write_lines(path, records)


def load_phrases(path: Path, scenes: Path | None = None) -> list[Phrase]:
    """Read what `save_phrases` wrote, the scenes only where their file is given.

    Raises OSError, ValueError, KeyError or TypeError for anything else.
    """
    phrases = [Phrase.from_record(record) for record in _read_lines(path)]
    if scenes is None:
        return phrases
    return [replace(one, scenes=tuple(of)) for one, of in zip(phrases, _read_lines(scenes), strict=True)]


def _write_lines(path: Path, values: Iterable[object]) -> None:
    lines = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def _read_lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)

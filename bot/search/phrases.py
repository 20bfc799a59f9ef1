"""A phrase: an idiom, proverb or quotation with all that is known about it, and the list of its texts."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, NamedTuple, overload
from weakref import finalize

from bot.search.files import gzip_lines, open_plain
from bot.search.text import words

DEFAULT = "en"
"""The language of a text whose script says nothing else."""
USUAL = 3
"""How common a phrase is of which nobody said it."""

Role = Literal["phrase", "variant", "meaning", "translation", "equivalent", "opposite", "example", "scene"]

_KEPT = 500  # Phrases kept in memory once they were read: what people open is much the same.
_LISTED = ("equivalents", "renderings", "example_translations")
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
    renderings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Other ways to say it in other languages, by their codes, that are no entries of the collection."""
    variants: tuple[str, ...] = ()
    """Other wordings of the same idiom; found by wording, never answered on their own."""
    topics: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()
    """Example queries, in any language: lines that people write who look for this idiom."""
    kind: str = "idiom"
    register: str = "neutral"
    common: int = USUAL
    """How many people use it, from 1, hardly anybody, to 5, everybody all the time."""
    examples: tuple[str, ...] = ()
    """Sentences that use it."""
    example_translations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The examples in other languages, by their codes, each in the order of the examples."""
    opposites: tuple[str, ...] = ()
    """Phrases of the same language that say the contrary."""
    stressed: str = ""
    """The phrase with stress marks, for learners."""
    literal: Mapping[str, str] = field(default_factory=dict)
    """The phrase word for word in other languages, by their codes."""
    usage: Mapping[str, str] = field(default_factory=dict)
    """Notes on usage for learners, by the codes of the languages that the notes are written in."""
    etymology: str = ""
    source: str = ""

    @property
    def key(self) -> str:
        """Twelve hexadecimal digits made of language and text alone, so they survive every rebuild."""
        return phrase_key(self.language, self.text)

    @property
    def names(self) -> tuple[str, ...]:
        """Its text, then its variants."""
        return (self.text, *self.variants)

    def has(self, text: str) -> bool:
        """Whether one of its names has the folded words of a text in a row."""
        return any(f" {text} " in f" {' '.join(words(name))} " for name in self.names)

    @property
    def offered(self) -> bool:
        """Whether it may be shown to people who did not ask for it: it is in use, and not vulgar."""
        return self.common >= USUAL and self.register != "vulgar"

    def meaning_in(self, language: str) -> str:
        """The first meaning in `language`, or "" when nobody wrote one."""
        return self.meanings[0] if language == self.language else self.translations.get(language, "")

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Phrase:
        """Rebuild a phrase from what `asdict` gave, empty fields left out. Raises TypeError when one is missing."""
        tuples = {name: tuple(value) for name, value in record.items() if isinstance(value, list)}
        by_language = {
            name: {code: tuple(texts) for code, texts in record[name].items()} for name in _LISTED if name in record
        }
        return cls(**{**record, **tuples, **by_language})


def texts_of(phrase: Phrase) -> list[PhraseText]:
    """Every text of a phrase with its role and its language, in a fixed order."""
    own = phrase.language
    return [
        PhraseText("phrase", own, phrase.text),
        *(PhraseText("variant", own, text) for text in phrase.variants),
        *(PhraseText("meaning", own, text) for text in phrase.meanings),
        *(PhraseText("translation", language, text) for language, text in phrase.translations.items()),
        *(PhraseText("equivalent", language, text) for language, of in phrase.equivalents.items() for text in of),
        *(PhraseText("opposite", own, text) for text in phrase.opposites),
        *(PhraseText("example", own, text) for text in phrase.examples),
        *(PhraseText("scene", script_language(text), text) for text in phrase.scenes),
    ]


def script_language(text: str) -> str:
    """The language whose script a text has a letter of; DEFAULT where there is none."""
    return next((language for language, letters in _SCRIPTS.items() if letters.search(text)), DEFAULT)


def phrase_key(language: str, text: str) -> str:
    """Stable key of a text: letter case, punctuation, ё and stress marks make no difference."""
    return key_of_words(language, words(text))


def key_of_words(language: str, folded: Sequence[str]) -> str:
    """The key of the text that folded words make."""
    return hashlib.blake2s(f"{language}\0{' '.join(folded)}".encode(), digest_size=6).hexdigest()


def _list_of(form: str, brackets: str = "[]") -> str:
    """An expression of what JSON writes between brackets: nothing, or one or more of a form."""
    return rf"\{brackets[0]}(?:{form}(?:, {form})*+)?+\{brackets[1]}"


# What `save_phrases` writes, as expressions: to compare every line with them takes a fifth of the time of reading it.
_TEXT = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\bfnrt]|u00[01][0-9a-f]))*+"'
_TEXTS = _list_of(_TEXT)
_FORMS = {
    "str": _TEXT,
    "int": "[1-5]",
    "tuple[str, ...]": _TEXTS,
    "Mapping[str, str]": _list_of(f'"[a-z]{{2}}": {_TEXT}', "{}"),
    "Mapping[str, tuple[str, ...]]": _list_of(f'"[a-z]{{2}}": {_TEXTS}', "{}"),
}
_FIELDS = "|".join(f'"{one.name}": {_FORMS[str(one.type)]}' for one in fields(Phrase) if one.name != "scenes")
_RECORD = re.compile(
    rf'{{"text": {_TEXT}, "language": "[a-z]{{2}}", "meanings": \[{_TEXT}(?:, {_TEXT})*+\](?:, (?:{_FIELDS}))*+}}\n'
)
_SCENES = re.compile(rf"{_TEXTS}\n")


class PhraseFile(Sequence[Phrase]):
    """The phrases of a file that `save_phrases` wrote, without scenes.

    Each is read when it is wanted, so that a collection takes hardly any memory and no time to load.
    """

    def __init__(self, path: Path) -> None:
        """Open the file. Raises OSError or ValueError when it cannot be read."""
        with open_plain(path) as file:
            self._ends = list(accumulate(_sizes(file, path.name)))
            if not self._ends:
                raise ValueError(f"{path.name} has no phrases")
            self._file = os.dup(file.fileno())
        finalize(self, os.close, self._file)
        # Of these two and not of the sequence: an object in a reference cycle is not freed.
        self._phrase = lru_cache(_KEPT)(partial(_read, self._file, self._ends))

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, row: int) -> Phrase: ...
    @overload
    def __getitem__(self, row: slice) -> list[Phrase]: ...
    def __getitem__(self, row: int | slice) -> Phrase | list[Phrase]:
        if isinstance(row, slice):
            return [self._phrase(one) for one in range(len(self))[row]]
        return self._phrase(range(len(self))[row])


def _read(file: int, ends: Sequence[int], row: int) -> Phrase:
    start = ends[row - 1] if row else 0
    # It needs no place in the file, so threads may share it; a mapped file would count as the bot's memory.
    return Phrase.from_record(json.loads(os.pread(file, ends[row] - start, start)))


def _sizes(lines: Iterable[bytes], name: str) -> Iterator[int]:
    """Bytes of each line. Raises ValueError for one that is not as `save_phrases` writes it."""
    for number, line in enumerate(lines, 1):
        if not _RECORD.fullmatch(line.decode()):
            raise ValueError(f"{name}:{number} is no phrase")
        yield len(line)


def save_phrases(phrases: Iterable[Phrase], path: Path, scenes: Path) -> None:
    """Write one JSON object per line without empty fields; equal phrases give equal bytes.

    Scenes have a compressed file of their own, because only a build and an evaluation read them.
    """
    records = [{name: value for name, value in asdict(phrase).items() if value} for phrase in phrases]
    scenes.write_bytes(gzip.compress(_lines([record.pop("scenes", ()) for record in records]), mtime=0))
    path.write_bytes(_lines(records))


def load_phrases(path: Path, scenes: Path) -> list[Phrase]:
    """Read what `save_phrases` wrote, scenes and all. Raises OSError or ValueError for anything else."""
    pairs = zip(PhraseFile(path), gzip_lines(scenes), strict=True)
    return [replace(phrase, scenes=_scenes(line.decode(), scenes.name)) for phrase, line in pairs]


def _scenes(line: str, name: str) -> tuple[str, ...]:
    """The scenes of a line. Raises ValueError for anything else."""
    if not _SCENES.fullmatch(line):
        raise ValueError(f"{name}: not a list of scenes for each phrase")
    return tuple(json.loads(line))


def _lines(values: Iterable[object]) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()

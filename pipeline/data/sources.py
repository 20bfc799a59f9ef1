"""Training and test sets: where each one's file is, and how it is read into a plain list.

`data/sources.toml` describes every set. A file that is missing or damaged raises `SourceError`, which says what to do.
"""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

from pydantic import Field, TypeAdapter

from bot.search.text import words
from pipeline.data.tables import SourceError, by_tabs, damaged, read_lines, read_rows

__all__ = ["DATA", "Contrast", "DataFolder", "Download", "Source", "SourceError", "folded", "load_sources"]

DATA = Path(__file__).resolve().parents[2] / "data"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Download:
    """One original file; without a checksum it is a living export, or its publisher never gave one."""

    url: str
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One table of `data/sources.toml`, where each field is explained."""

    name: str
    file: str
    reader: str
    languages: tuple[str, ...]
    use: str
    licence: str
    origin: str
    rows: int
    sha256: str
    columns: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    ships: bool = False
    convert: str = ""
    note: str = ""
    downloads: tuple[Download, ...] = ()


def load_sources(path: Path) -> dict[str, Source]:
    """Every set that a `sources.toml` describes, by name, in the order of the file."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    named = {name: {"name": name, **table} for name, table in tables.items()}
    return TypeAdapter(dict[str, Source]).validate_python(named)


def folded(text: str) -> str:
    """The form in which texts are compared: letter case, punctuation, ё and stress marks make no difference."""
    return " ".join(words(text))


class Contrast(NamedTuple):
    """Two phrases of a language that say the contrary of each other, and a sentence that asks for each."""

    language: str
    phrases: tuple[str, str]
    texts: tuple[str, str]


class DataFolder:
    """The sets on this machine: in data/, in a folder that the user names, and in data/downloads/."""

    def __init__(self, root: Path = DATA, extra: Path | None = None) -> None:
        """Raise `SourceError` when `extra`, the user's own folder, is not a folder."""
        if extra is not None and not extra.is_dir():
            raise SourceError(f"there is no folder {extra}: give --data the folder that holds the training sets")
        self.sources = load_sources(root / "sources.toml")
        # A folder that the user names wins over what was downloaded earlier.
        self.folders = [root, *([extra] if extra else []), root / "downloads"]

    def source(self, name: str) -> Source:
        """The description of a set; an unknown name raises `SourceError`."""
        if name not in self.sources:
            raise SourceError(f"there is no set called {name}: the sets are {', '.join(self.sources)}")
        return self.sources[name]

    def path(self, name: str) -> Path:
        """Where the set's file is; `SourceError` says how to get a missing one."""
        source = self.source(name)
        if path := self._find(source):
            return path
        what = f"{'test' if source.use == 'test' else 'training'} set {name} is missing"
        if source.ships:
            raise SourceError(f"{what}: restore {self.folders[0] / source.file}, which belongs to the repository")
        ways = f"run python -m pipeline.fetch {name}, or give a folder that holds {source.file} with --data DIR"
        raise SourceError(f"{what}: {ways}")

    def has(self, name: str) -> bool:
        """Whether the set's file is on this machine."""
        return self._find(self.source(name)) is not None

    def _find(self, source: Source) -> Path | None:
        paths = (folder / source.file for folder in self.folders)
        return next((path for path in paths if path.is_file()), None)

    # Readers: each raises `SourceError` for a set that is missing, damaged or made for another reader

    def pairs(self, name: str) -> list[tuple[str, str]]:
        """Texts that mean the same, as (English, Russian)."""
        tags = self.source(name).tags
        rows = self._rows(name, "pairs", tuple[str, ...])
        return [(row[0], row[1]) for row in rows if not tags or row[2].startswith(tags)]

    def texts(self, name: str) -> list[str]:
        """Sentences, one per line."""
        return [text.strip() for _, text in read_lines(self._open(name, "texts"))]

    def frequencies(self, name: str) -> list[tuple[str, int]]:
        """Words and how often each occurs."""
        return self._rows(name, "frequencies", tuple[str, int], split=str.split)

    def glosses(self, name: str) -> list[tuple[str, str]]:
        """Words with one meaning, joined by commas, and its definition, in one language."""
        rows = self._rows(name, "glosses", tuple[str, str])
        return [(synonyms.replace("|", ", "), gloss) for synonyms, gloss in rows]

    def wordnet_ru(self) -> list[tuple[str, str, str]]:
        """A Russian lemma, its English synonyms joined by commas, and their English definition."""
        rows = self._rows("wordnet_ru", "wordnet_ru", tuple[str, str, str])
        return [(lemma, synonyms.replace("|", ", "), gloss) for lemma, synonyms, gloss in rows]

    def sts(self, language: str, split: str) -> list[tuple[str, str, float]]:
        """Two sentences and how similar people judged them, 0 to 5; the splits are train, dev and test."""
        return self._rows(f"sts_{language}_{split}", "sts", tuple[str, str, float], split=_by_commas)

    def judged_pairs(self, name: str) -> list[tuple[str, str, int]]:
        """Two texts and a judgement: 1 the same meaning, 0 not (ParaPhraser: nearly), -1 not at all."""
        return self._rows(name, "judged_pairs", tuple[str, str, Annotated[int, Field(ge=-1, le=1)]])

    def contrasts(self) -> list[Contrast]:
        """Pairs of sentences that differ in little and ask for two phrases that say the contrary of each other."""
        rows = self._rows("contrasts", "contrasts", tuple[str, str, str, str, str])
        return [Contrast(language, (one, other), (asks, denies)) for language, one, other, asks, denies in rows]

    def reverse_dictionary(self, name: str) -> list[tuple[str, str]]:
        """A word and a person's description of it."""
        path = self._open(name, "reverse_dictionary")
        if path.suffix == ".json":
            return _described(path)
        targets = [text.strip() for _, text in read_lines(path)]
        descriptions = self.texts(f"{name}_descriptions")
        if len(targets) != len(descriptions):
            damaged(path, len(targets), f"{len(targets)} words have {len(descriptions)} descriptions")
        return list(zip(targets, descriptions, strict=True))

    def bitext_test(self) -> list[tuple[str, str]]:
        """Pairs (English, Russian) in which each side must find the other."""
        return self._rows("tatoeba_test", "bitext_test", tuple[str, str])

    def held_out(self) -> frozenset[str]:
        """What no training text may equal: the folded texts of the translation test and the STS dev and test splits."""
        splits = [self.sts(language, split) for language in ("en", "ru") for split in ("test", "dev")]
        judged = [(one, other) for rows in splits for one, other, _ in rows]
        return frozenset(folded(text) for pair in judged + self.bitext_test() for text in pair)

    def _open(self, name: str, reader: str) -> Path:
        source = self.source(name)
        if source.reader != reader:
            raise SourceError(f"set {name} is read as {source.reader}, not as {reader}: name another set")
        return self.path(name)

    def _rows(self, name: str, reader: str, row: type[T], split: Callable[[str], list[str]] = by_tabs) -> list[T]:
        return list(read_rows(self._open(name, reader), row, self.source(name).columns, split))


def _by_commas(line: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line]))]


def _described(path: Path) -> list[tuple[str, str]]:
    try:
        entries = json.loads("\n".join(line for _, line in read_lines(path)))
        return [(entry["word"], entry["definitions"]) for entry in entries]
    except json.JSONDecodeError as error:
        damaged(path, error.lineno, error.msg)
    except (KeyError, TypeError):
        damaged(path, 1, "not a list of entries with word and definitions")

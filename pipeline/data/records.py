"""Files of entries, read into records: the place "file:line" where each begins, and its values by column."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from reprlib import repr as quoted
from typing import Any, NoReturn, TypeAlias

from babel import Locale

from bot.search.files import read_plain

MAX_FILE_BYTES = 200_000_000
MAX_LINE = 20_000

TEXT_COLUMNS = (
    *("phrase", "language", "meaning", "kind", "register", "common"),
    *("example", "stressed", "literal", "usage", "etymology", "source"),
)
LIST_COLUMNS = (
    *("meanings", "equivalents", "renderings", "opposites"),
    *("variants", "topics", "scenes", "examples"),
)
BY_LANGUAGE = ("meaning", "equivalents", "renderings", "examples", "literal", "usage")
"""Columns that may end in a language: meaning_en."""

# ISO 639-1, so that `id.tsv` is Indonesian but `my_list.tsv` and `db.csv` say nothing about their language.
LANGUAGES = frozenset(code for code in map(str, Locale("en").languages) if len(code) == 2)

_SAMPLE = '{"phrase": ..., "meaning": ...}'

Records: TypeAlias = Iterator[tuple[str, dict[str, Any]]]


class CorpusError(Exception):
    """A fault of a phrase file: "file:line: why, and what to do"."""


def fail(where: str, reason: str) -> NoReturn:
    """Raise `CorpusError`; `where` is "file:line", or the file for a fault of the whole."""
    raise CorpusError(f"{where}: {reason}")


def split_column(name: str) -> tuple[str, str]:
    """The column and the language of a name such as meaning_en; the language of any other column is empty."""
    column, _, language = name.partition("_")
    return (column, language) if column in BY_LANGUAGE and language in LANGUAGES else (name, "")


def check_columns(names: Sequence[str], where: str) -> None:
    """Refuse a column that is not known, or there twice: its texts would be lost silently."""
    for name in names:
        if split_column(name)[0] not in TEXT_COLUMNS + LIST_COLUMNS:
            known = ", ".join((*TEXT_COLUMNS, *LIST_COLUMNS, *(f"{column}_en" for column in BY_LANGUAGE)))
            fail(where, f"unknown column {quoted(name)}: rename or remove it; known are {known} and other languages")
        if names.count(name) > 1:
            fail(where, f"the column {name} is named twice: remove one")


def read_records(path: Path) -> Records:
    """Yield the place and the values of each entry; raises `CorpusError` at the first that cannot be read."""
    formats = {".jsonl": _json_records, ".csv": _table_records, ".tsv": _table_records, ".txt": _table_records}
    if path.suffix.lower() not in formats:
        known = ", ".join(formats)
        fail(str(path), f"the extension {quoted(path.suffix)} is not known: name a file with one of {known}")
    return formats[path.suffix.lower()](path)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The place and the text of each line, line ends kept."""
    for number, line in enumerate(StringIO(_content(path), newline="\n"), 1):
        where = f"{path}:{number}"
        if len(line) > MAX_LINE:
            fail(where, f"the line has more than {MAX_LINE:,} characters: break the file into one entry per line")
        if "\0" in line:
            fail(where, "a NUL byte, so the file is binary or UTF-16: name a text file saved as UTF-8")
        yield where, line


def _content(path: Path) -> str:
    try:
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            fail(str(path), f"has {size:,} bytes, more than {MAX_FILE_BYTES:,}: split it into files")
        return read_plain(path, MAX_FILE_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, byte = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        fail(f"{path}:{line}", f"byte {byte} of the line is not UTF-8: save the file as UTF-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", error)
        fail(str(path), f"cannot be read ({reason}): check the path and its permissions")


def _json_records(path: Path) -> Records:
    for where, line in _lines(path):
        if not line.strip():
            continue
        try:
            record = json.loads(line, object_pairs_hook=_object)
        except (RecursionError, ValueError) as error:
            fail(where, f"not valid JSON ({error}): write one flat object per line, like {_SAMPLE}")
        if not isinstance(record, dict):
            fail(where, f"the line is not a JSON object: write one object per line, like {_SAMPLE}")
        check_columns(list(record), where)
        yield where, record


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(record := dict(pairs)) < len(pairs):
        raise ValueError("a name is given twice")
    return record


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each row that is not empty."""
    lines = [line for _, line in _lines(path)]
    reader = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    if path.suffix.lower() == ".csv":
        # Spreadsheets of countries with a decimal comma, Russia among them, write semicolons.
        header = lines[0] if lines else ""
        reader = csv.reader(lines, delimiter=";" if header.count(";") > header.count(",") else ",", strict=True)
    where = f"{path}:1"
    try:
        for row in reader:
            if any(map(str.strip, row)):
                yield where, row
            where = f"{path}:{reader.line_num + 1}"
    except csv.Error as error:
        fail(where, f"not valid {path.suffix[1:].upper()} ({error}): check the quotes and the line ends of this row")


def _table_records(path: Path) -> Records:
    """Name the cells of each row by the header; a file with tabs may do without, and has phrases and meanings."""
    names: list[str] = []
    for where, row in _rows(path):
        if not names:
            names = [cell.strip().lower() for cell in row]
            if "phrase" in names:
                check_columns(names, where)
                continue
            if path.suffix.lower() == ".csv":
                fail(where, "the first line names no column phrase: begin with a header such as phrase,meaning")
            names = ["phrase", "meaning"]
        if len(row) != len(names):
            fail(where, f"{len(row)} columns instead of {len(names)} ({', '.join(names)}): separate exactly these")
        cells = zip(names, row, strict=True)
        yield where, {name: cell.split("|") if split_column(name)[0] in LIST_COLUMNS else cell for name, cell in cells}

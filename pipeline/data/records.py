"""Files of entries, read into records: a mapping of column to value, and the line where each entry begins."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

MAX_FILE_BYTES = 200_000_000
MAX_LINE = 20_000
MAX_LINE_BYTES = 4 * MAX_LINE  # a character of UTF-8 has at most four bytes
MAX_QUOTED = 60

TEXT_COLUMNS = (
    *("phrase", "language", "meaning", "meaning_en", "meaning_ru"),
    *("kind", "register", "example", "etymology", "source"),
)
LIST_COLUMNS = ("meanings", "equivalents", "equivalents_en", "equivalents_ru", "variants", "topics", "scenes")
COLUMNS = TEXT_COLUMNS + LIST_COLUMNS

_SAMPLE = '{"phrase": ..., "meaning": ...}'

Record = Mapping[str, Any]


class CorpusError(Exception):
    """A fault of a phrase file: "file:line: why, and what to do"."""


def fail(where: str, reason: str) -> NoReturn:
    """Raise `CorpusError`; `where` is "file:line"."""
    raise CorpusError(f"{where}: {reason}")


def quoted(text: str) -> str:
    """The text as an error message shows it: in quotes, escaped, not too long."""
    return repr(text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…")


def check_columns(names: Collection[str], where: str) -> None:
    """Refuse a column that is not known, or there twice: its texts would be lost silently."""
    if unknown := [name for name in names if name not in COLUMNS]:
        fail(where, f"unknown column {quoted(unknown[0])}: rename or remove it; known are {', '.join(COLUMNS)}")
    if twice := [name for name, count in Counter(iter(names)).items() if count > 1]:
        fail(where, f"the column {twice[0]} is named twice: remove one")


def read_records(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield each entry with the number of the line where it begins."""
    formats = {".jsonl": _json_records, ".csv": _table_records, ".tsv": _table_records, ".txt": _table_records}
    if (read := formats.get(path.suffix.lower())) is None:
        known = ", ".join(formats)
        raise CorpusError(f"{path}: the extension {quoted(path.suffix)} is not known: name a file with one of {known}")
    return read(path)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, decoded, line ends kept; refuse what is not text in UTF-8."""
    try:
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            raise CorpusError(f"{path}: has {size:,} bytes, more than {MAX_FILE_BYTES:,}: split it into files")
        with path.open("rb") as file:
            for number, raw in enumerate(iter(partial(file.readline, MAX_LINE_BYTES + 1), b""), 1):
                yield number, _decoded(raw, number == 1, f"{path}:{number}")
    except FileNotFoundError:
        raise CorpusError(f"{path}: no such file: check the path") from None
    except IsADirectoryError:
        raise CorpusError(f"{path}: is a folder: name the files in it") from None
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path}: cannot be read ({error}): check the path and its permissions") from error


def _decoded(raw: bytes, is_first: bool, where: str) -> str:
    if is_first and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        fail(where, "the file is UTF-16: save it as UTF-8")
    if b"\0" in raw:
        fail(where, "a NUL byte, so the file is binary or UTF-16: name a text file saved as UTF-8")
    too_long = f"the line has more than {MAX_LINE:,} characters: break the file into one entry per line"
    if len(raw) > MAX_LINE_BYTES:
        fail(where, too_long)
    try:
        line = raw.decode("utf-8-sig" if is_first else "utf-8")
    except UnicodeDecodeError as error:
        fail(where, f"byte {error.start + 1} of the line is not UTF-8: save the file as UTF-8")
    if len(line) > MAX_LINE:
        fail(where, too_long)
    return line


def _json_records(path: Path) -> Iterator[tuple[int, Record]]:
    for number, line in _lines(path):
        if line.strip():
            yield number, _json_object(line, f"{path}:{number}")


def _json_object(line: str, where: str) -> Record:
    try:
        record = json.loads(line, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except RecursionError:
        fail(where, "the JSON is nested too deeply: write one flat object per line")
    except ValueError as error:
        fail(where, f"not valid JSON ({error}): write one object per line, like {_SAMPLE}")
    if not isinstance(record, dict):
        fail(where, f"the line is not a JSON object: write one object per line, like {_SAMPLE}")
    return record


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(record := dict(pairs)) < len(pairs):
        raise ValueError("a name is given twice")
    return record


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() == ".csv"


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row with the number of the line where it begins."""
    lines = (line for _, line in _lines(path))
    first = next(lines, "")
    reader = csv.reader(chain([first], lines), delimiter="\t", quoting=csv.QUOTE_NONE)
    if _is_csv(path):
        # Spreadsheets of countries with a decimal comma, Russia among them, write semicolons.
        comma = ";" if first.count(";") > first.count(",") else ","
        reader = csv.reader(chain([first], lines), delimiter=comma, strict=True)
    start = 1
    try:
        for row in reader:
            yield start, row
            start = reader.line_num + 1
    except csv.Error as error:
        fail(
            f"{path}:{start}",
            f"not valid {path.suffix[1:].upper()} ({error}): check the quotes and the line ends of this row",
        )


def _table_records(path: Path) -> Iterator[tuple[int, Record]]:
    """Name the cells of each row by the header; a file with tabs may do without, and has phrases and meanings."""
    names: list[str] = []
    for number, row in _rows(path):
        where = f"{path}:{number}"
        if not any(cell.strip() for cell in row):
            continue
        if not names:
            names = [cell.strip().lower() for cell in row]
            if "phrase" in names:
                check_columns(names, where)
                continue
            if _is_csv(path):
                fail(where, "the first line names no column phrase: begin with a header such as phrase,meaning")
            names = ["phrase", "meaning"]
        if len(row) != len(names):
            fail(where, f"{len(row)} columns instead of {len(names)} ({', '.join(names)}): separate exactly these")
        cells = zip(names, row, strict=True)
        yield number, {name: cell.split("|") if name in LIST_COLUMNS else cell for name, cell in cells}

"""Files of texts, plain or compressed: lines, and tables whose first line names the columns."""

from __future__ import annotations

import bz2
import gzip
import reprlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import BinaryIO, NoReturn, TypeVar

from pydantic import TypeAdapter, ValidationError

from bot.search.files import bounded_lines, most_unpacked, open_plain

T = TypeVar("T")


class SourceError(Exception):
    """A set that is missing, damaged or unknown; the message says what to do."""


def damaged(path: Path, line: int, what: str) -> NoReturn:
    """Raise the `SourceError` of a file whose content is not what it should be."""
    raise SourceError(f"{path}:{line}: {what}: the file is damaged, replace it by a fresh copy")


def by_tabs(line: str) -> list[str]:
    """The cells of a line between tabs."""
    return [cell.strip() for cell in line.split("\t")]


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number (from 1) and text of each line of a plain, .gz or .bz2 file in UTF-8.

    Only a line feed ends a line, because texts hold other separators. Raises `SourceError` for a file that is empty,
    cut short, not UTF-8, unpacks to far more than texts do, or cannot be read.
    """
    number = 0
    try:
        with open_plain(path) as packed, _unpacked(path, packed) as file:
            lines = file if file is packed else bounded_lines(file, most_unpacked(path))
            for number, line in enumerate(lines, 1):
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        damaged(path, number, "not UTF-8 text")
    except (EOFError, OSError, ValueError, zlib.error) as error:
        if reason := getattr(error, "strerror", None):
            raise SourceError(f"{path}: cannot be read: {reason}") from error
        damaged(path, number + 1, str(error))  # gzip and bz2 raise an OSError without strerror for foreign bytes
    if not number:
        damaged(path, 1, "it is empty")


def _unpacked(path: Path, packed: BufferedReader) -> BufferedIOBase:
    if path.suffix == ".gz":
        return gzip.open(packed)
    return bz2.open(packed) if path.suffix == ".bz2" else packed


def read_table(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Line number and the named columns of every row of a tab-separated file whose first line names its columns.

    Raises `SourceError` for a column that is missing and for a row of another length.
    """
    lines = read_lines(path)
    header = next(lines, (1, ""))[1].split("\t")
    for column in columns:
        if column not in header:
            damaged(path, 1, f"the first line names no column {column}")
    places = [header.index(column) for column in columns]
    for number, line in lines:
        cells = line.split("\t")
        if len(cells) != len(header):
            damaged(path, number, f"{len(cells)} columns instead of {len(header)}")
        yield number, [cells[place].strip() for place in places]


def read_rows(
    path: Path, row: type[T], columns: Sequence[str] = (), split: Callable[[str], list[str]] = by_tabs
) -> Iterator[T]:
    """Every row as the tuple type `row`: the named columns, or what `split` makes of each line of a file without names.

    Raises `SourceError` for a cell that is missing or not of its type.
    """
    lines = ((number, split(line)) for number, line in read_lines(path))
    check = TypeAdapter(row).validate_python
    for number, cells in read_table(path, columns) if columns else lines:
        try:
            yield check(cells)
        except ValidationError as error:
            fault = error.errors()[0]
            damaged(path, number, f"{fault['msg']} ({reprlib.repr(fault['input'])})")


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a gzip file whose bytes depend on the lines alone; it appears whole or not at all."""
    with whole(path) as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.writelines(f"{line}\n".encode() for line in lines)


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write that becomes `path` at the end of the block, or vanishes when the block raises."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)

"""Files of texts, plain or compressed: lines, and tables whose first line names the columns."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO, NoReturn


class SourceError(Exception):
    """A set that is missing, damaged or asked for by a wrong name; the message says what to do."""


def damaged(path: Path, line: int, what: str) -> NoReturn:
    """Raise the `SourceError` of a file that is not what it should be."""
    raise SourceError(f"{path}:{line}: {what}: the file is damaged, replace it by a fresh copy")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of each line, from 1 on. Only a line feed ends a line: texts hold other separators."""
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        damaged(path, number, "not UTF-8 text")
    except (EOFError, zlib.error) as error:
        damaged(path, number + 1, str(error))
    except OSError as error:
        if error.errno is None:  # gzip and bz2 say so that the bytes are not theirs
            damaged(path, number + 1, str(error))
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from error
    if not number:
        damaged(path, 1, "it is empty")


def _open(path: Path) -> BufferedIOBase:
    if path.suffix == ".gz":
        return gzip.open(path)
    return bz2.open(path) if path.suffix == ".bz2" else path.open("rb")


def read_table(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Line number and the named columns of every row; the file's first line names its columns."""
    lines = read_lines(path)
    header = next(lines, (1, ""))[1].split("\t")
    for column in columns:
        if column not in header:
            damaged(path, 1, f"the first line names no column {column}")
    places = [header.index(column) for column in columns]
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != len(header):
            damaged(path, number, f"{len(fields)} columns instead of {len(header)}")
        yield number, [fields[place].strip() for place in places]


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

"""Files of others, read with care: a pipe would wait, a device would never end, a bomb would fill the memory.

What cannot be read raises OSError or ValueError, each with the reason in a few words.
"""

from __future__ import annotations

import errno
import gzip
import os
import zlib
from collections.abc import Iterator, Mapping
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any

import numpy as np
import numpy.typing as npt

_UNPACKED, _TIMES = 128_000_000, 20
"""Bytes, or times its size, that a compressed file may unpack to; ours unpack to ten times theirs at most."""

Array = npt.NDArray[Any]


def open_plain(path: Path) -> BufferedReader:
    """Open a file that is neither a folder nor a pipe, a socket or a device."""
    mode = path.stat().st_mode
    if not S_ISREG(mode) and not S_ISDIR(mode):
        raise OSError(errno.EINVAL, "a pipe, a socket or a device instead of a file", str(path))
    # If it has become a pipe since then, opening it does not wait for who writes into it.
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))


def read_plain(path: Path, most: int) -> bytes:
    """The content of a file of at most `most` bytes."""
    with open_plain(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"more than {most:,} bytes", str(path))
    return content


def most_unpacked(path: Path) -> int:
    """Bytes that a compressed file may unpack to."""
    return max(_UNPACKED, _TIMES * path.stat().st_size)


def bounded_lines(file: BufferedIOBase, most: int) -> Iterator[bytes]:
    """The lines of an open file that has at most `most` bytes."""
    read = 0
    while line := file.readline(most - read + 1):
        read += len(line)
        if read > most:
            raise ValueError(f"unpacks to more than {most:,} bytes")
        yield line


def gzip_lines(path: Path) -> Iterator[bytes]:
    """The lines of a gzip file."""
    try:
        with open_plain(path) as packed, gzip.open(packed) as file:
            yield from bounded_lines(file, most_unpacked(path))
    except (EOFError, zlib.error) as error:
        raise ValueError(f"not a whole gzip file ({error})") from error


def load_arrays(path: Path, forms: Mapping[str, str]) -> dict[str, Array]:
    """The arrays of an npz file that has exactly those of `forms`: of each its kind and number of dimensions, as "f1".

    Kinds are b for truth values, U for texts, i for whole numbers and f for finite numbers of at most 32 bits.
    """
    with open_plain(path) as packed:
        file = np.load(packed, allow_pickle=False)
        if not isinstance(file, np.lib.npyio.NpzFile) or not file.zip:
            raise ValueError(f"{path.name} is no npz file")
        if sum(part.file_size for part in file.zip.infolist()) > most_unpacked(path):
            raise ValueError(f"{path.name} unpacks to more than {most_unpacked(path):,} bytes")
        if {*file.files} != {*forms}:
            raise ValueError(f"{path.name} has the arrays {', '.join(file.files)} instead of {', '.join(forms)}")
        arrays = {name: file[name] for name in forms}
    for name, form in forms.items():
        if _form(arrays[name]) != form:
            raise ValueError(f"{path.name}: {name} is an array of form {_form(arrays[name])} instead of {form}")
        if form.startswith("f") and not np.isfinite(arrays[name]).all():
            raise ValueError(f"{path.name}: {name} has numbers that are not finite")
    return arrays


def _form(array: Array) -> str:
    """The kind and the number of dimensions of an array; the name of its type where it is of none of our kinds."""
    kind = array.dtype
    whole, short = np.can_cast(kind, np.int64) and kind.kind in "iu", kind.kind == "f" and kind.itemsize <= 4
    known = kind.isnative and (whole or short or kind.kind in "bU")
    return f"{kind.kind.replace('u', 'i') if known else kind}{array.ndim}"


def check_within(numbers: Array, least: int, end: int, what: str) -> None:
    """Raise ValueError unless all whole numbers are from `least` to below `end`."""
    if numbers.size and not (numbers.min() >= least and numbers.max() < end):
        raise ValueError(f"{what} from {numbers.min()} to {numbers.max()} instead of from {least} to below {end}")


def check_starts(starts: Array, count: int, end: int, what: str) -> None:
    """Raise ValueError unless `starts` cut `end` places into `count` spans."""
    if len(starts) != count + 1 or starts[0] != 0 or starts[-1] != end or (starts[1:] < starts[:-1]).any():
        raise ValueError(f"{what} do not cut {end} places into {count}")

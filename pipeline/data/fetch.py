"""Download the training and test sets that do not ship with the repository.

`python -m pipeline.fetch` gets all of them, and with names only those. Each file appears whole or not at all.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tqdm import tqdm

from pipeline.data.convert import CONVERTERS
from pipeline.data.sources import DATA, DataFolder, Download, Source, SourceError
from pipeline.data.tables import whole, write_lines

TIMEOUT = 60
"""Seconds without a byte after which a download is given up."""
CHUNK = 1 << 16


class UnreachableError(Exception):
    """A server that does not answer: most likely this machine has no connection."""


def main(arguments: Sequence[str] | None = None, root: Path = DATA) -> int:
    """Do what the command line says and return the exit status; `root` is the repository's data folder."""
    options = _parser().parse_args(arguments)
    target = options.data or root / "downloads"
    try:
        if not options.list and not options.check:
            target.mkdir(parents=True, exist_ok=True)
        folder = DataFolder(root, options.data)
        sources = [folder.source(name) for name in options.names] or list(folder.sources.values())
        if options.list:
            return _list(sources, folder)
        return _check(sources, folder) if options.check else _fetch_all(sources, folder, target)
    except (SourceError, UnreachableError) as error:
        return _say(error)
    except OSError as error:
        return _say(f"cannot write {error.filename or target}: {error.strerror}")
    except KeyboardInterrupt:
        return _say("stopped; what is complete stays")


def _say(fault: object) -> int:
    print(f"pipeline.fetch: {fault}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipeline.fetch", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a set of data/sources.toml (default: all)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where the files go (default: data/downloads)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="show what is there and what is missing")
    what.add_argument("--check", action="store_true", help="compare what is there with the checksums")
    return parser


def _fetch_all(sources: Iterable[Source], folder: DataFolder, target: Path) -> int:
    """Go on after a set that cannot be had, but not when nothing answers; 1 when a set is missing at the end."""
    status = 0
    for source in sources:
        try:
            _fetch(source, folder, target)
        except SourceError as error:
            status = _say(error)
    return status


def _fetch(source: Source, folder: DataFolder, target: Path) -> None:
    if source.ships or folder.has(source.name):
        print(f"{source.name}: there, {folder.path(source.name)}")
        return
    path = target / source.file
    if source.convert:
        originals = [_original(wanted, source, target / "originals") for wanted in source.downloads]
        write_lines(path, CONVERTERS[source.convert](originals, source, folder))
        print(f"{source.name}: made {path}")
    else:
        download(source.downloads[0], path, source.origin)
        print(f"{source.name}: downloaded {path}")


def _original(wanted: Download, source: Source, folder: Path) -> Path:
    """The file as its publisher gives it; one that an earlier run left is used again."""
    path = folder / Path(wanted.url).name
    if path.is_file() and wanted.sha256 in ("", sha256(path)):
        print(f"{source.name}: from {path}; delete it to download it anew")
        return path
    download(wanted, path, source.origin)
    if not wanted.sha256:
        print(f"{source.name}: {path.name} changes weekly or was published without a checksum, not checked")
    return path


def download(wanted: Download, path: Path, origin: str) -> None:
    """Download to `path`, whole and with the right checksum or not at all; `SourceError` otherwise."""
    digest = hashlib.sha256()
    with whole(path) as file:
        for chunk in _chunks(wanted.url):
            digest.update(chunk)
            file.write(chunk)
        if wanted.sha256 not in ("", digest.hexdigest()):
            raise SourceError(f"{wanted.url} has another checksum than the file that we used: see {origin}")


def _chunks(url: str) -> Iterator[bytes]:
    """What the address serves, with a progress bar."""
    request = Request(url, headers={"User-Agent": "idiomatika"})  # noqa: S310 - the addresses are in sources.toml
    received = length = 0
    try:
        with urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
            length = int(response.headers.get("Content-Length") or 0)
            with tqdm(desc=Path(url).name, total=length or None, unit="B", unit_scale=True, disable=None) as bar:
                while chunk := response.read(CHUNK):
                    received += len(chunk)
                    bar.update(len(chunk))
                    yield chunk
    except HTTPError as error:
        raise SourceError(f"{url} could not be downloaded ({error.code} {error.reason}): try again later") from error
    except (HTTPException, OSError) as error:
        cause = getattr(error, "reason", error)
        reason = getattr(cause, "strerror", None) or cause
        raise UnreachableError(f"{url} could not be reached ({reason}): check the connection and try again") from error
    if received < length:
        raise SourceError(f"{url} broke off after {received:,} of {length:,} bytes: try again")


def sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _list(sources: Iterable[Source], folder: DataFolder) -> int:
    for source in sources:
        where = folder.path(source.name) if folder.has(source.name) else "missing"
        print(f"{source.name:26} {source.use:6} {source.rows:>8,}  {where}  ({source.licence})")
    return 0


def _check(sources: Iterable[Source], folder: DataFolder) -> int:
    """Print how each file compares with the one that was used; 1 when a file that never changes differs."""
    status = 0
    for source in sources:
        if not folder.has(source.name):
            print(f"{source.name:26} missing")
        elif sha256(folder.path(source.name)) == source.sha256:
            print(f"{source.name:26} the file that the published artifacts come from")
        elif source.convert:
            print(f"{source.name:26} made from its originals, not the file that the published artifacts come from")
        else:
            status = _say(f"{folder.path(source.name)} is damaged or was changed: replace it by a fresh copy")
    return status


if __name__ == "__main__":
    sys.exit(main())

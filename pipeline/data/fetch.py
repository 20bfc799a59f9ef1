"""Download a set that does not ship with the repository; each file appears whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import httpx
from tqdm import tqdm

from pipeline.data.convert import CONVERTERS
from pipeline.data.sources import DataFolder, Download, Source, SourceError
from pipeline.data.tables import whole, write_lines

TIMEOUT = 60  # seconds without a byte after which a download is given up
MEGABYTE = 1 << 20


class UnreachableError(Exception):
    """A server that does not answer: most likely this machine has no connection."""


def fetch(source: Source, folder: DataFolder, target: Path) -> Iterator[str]:
    """Put the file of a set into the folder `target` unless `folder` has it; yields what was done, in words.

    Raises `SourceError` when this set cannot be had, `UnreachableError` when a server does not answer.
    """
    if source.ships or folder.has(source.name):
        yield f"there, {folder.path(source.name)}"
        return
    path = target / source.file
    originals = [target / "originals" / Path(wanted.url).name for wanted in source.downloads]
    places = originals if source.convert else [path]
    for wanted, place in zip(source.downloads, places, strict=True):
        if place.is_file() and wanted.sha256 in ("", sha256(place)):
            yield f"from {place}; delete it to download it anew"
            continue
        download(wanted, place, source.origin)
        unchecked = "" if wanted.sha256 else ", not checked: it changes weekly or was published without a checksum"
        yield f"downloaded {place} ({source.licence}){unchecked}"
    if source.convert:
        write_lines(path, CONVERTERS[source.convert](originals, source, folder))
        yield f"made {path}"


def download(wanted: Download, path: Path, origin: str) -> None:
    """Download to `path`, whole and with the right checksum or not at all; raises as `fetch` does."""
    url, digest = wanted.url, hashlib.sha256()
    request = httpx.stream("GET", url, headers={"User-Agent": "idiomatika"}, timeout=TIMEOUT, follow_redirects=True)
    try:
        with whole(path) as file, request as response:
            size = int(response.raise_for_status().headers.get("Content-Length", 0))
            for chunk in tqdm(response.iter_bytes(MEGABYTE), path.name, size // MEGABYTE, unit="MB", disable=None):
                digest.update(chunk)
                file.write(chunk)
            if wanted.sha256 not in ("", digest.hexdigest()):
                raise SourceError(f"{url} has another checksum than the file that we used: see {origin}")
    except httpx.HTTPStatusError as error:
        status = f"{error.response.status_code} {error.response.reason_phrase}"
        raise SourceError(f"{url} could not be downloaded ({status}): try again later") from error
    except httpx.RemoteProtocolError as error:
        raise SourceError(f"{url} broke off ({error}): try again") from error
    except httpx.HTTPError as error:
        raise UnreachableError(f"{url} could not be reached ({error}): check the connection and try again") from error


def sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""Download the training and test sets that do not ship with the repository.

`python -m pipeline.fetch` gets all of them, and with names only those.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from pipeline.data.fetch import UnreachableError, fetch, sha256
from pipeline.data.sources import DATA, DataFolder, Source, SourceError


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
            for done in fetch(source, folder, target):
                print(f"{source.name}: {done}")
        except SourceError as error:
            status = _say(error)
    return status


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

"""Serve the build before the last one again: `python -m pipeline.rollback`; once more, and the last one is back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.search.artifacts import Artifacts, ArtifactsError
from bot.search.folder import exchange_with_previous, previous_of, restore

ROOT = Path(__file__).resolve().parents[1]


def roll_back(folder: Path) -> Artifacts:
    """Exchange the artifacts of a folder with those that it had before; returns what it has now.

    Raises ArtifactsError when those are not there, or not to be served; the folder is then as it was.
    """
    try:
        folder = folder.resolve()
        previous = previous_of(folder)
        if restore(folder):
            return Artifacts.load(folder)
        if not previous.exists():
            raise ArtifactsError(
                f"{folder}: no earlier build is kept beside it (as {previous.name}), so nothing changed"
            )
        earlier = Artifacts.load(previous)
        exchange_with_previous(folder)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ArtifactsError(f"{folder}: could not be exchanged ({reason}); nothing changed") from error
    return earlier


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.rollback", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "artifacts", metavar="DIR", help="the folder that is served")
    options = parser.parse_args(arguments)
    try:
        served = roll_back(options.out)
    except ArtifactsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    date = served.manifest.get("date", "an unknown date")
    print(f"{options.out}: now the build of {date} with {len(served.phrases):,} phrases; run this again to go back")
    return 0


if __name__ == "__main__":
    sys.exit(main())

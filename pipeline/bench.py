"""Print what the engine costs in time, memory and size: `python -m pipeline.bench`, or `make bench`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.search.artifacts import Artifacts, ArtifactsError
from pipeline.data.sources import DATA, DataFolder
from pipeline.evaluation.context import EvaluationContext
from pipeline.evaluation.timings import timing_table, timings


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.bench", description=__doc__)
    parser.add_argument("--artifacts", type=Path, default=DATA.parent / "artifacts", metavar="DIR")
    folder = parser.parse_args(arguments).artifacts
    try:
        context = EvaluationContext(Artifacts.load(folder, scenes=True), DataFolder())
        print(timing_table(timings(context, folder)))
    except ArtifactsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

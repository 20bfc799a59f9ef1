"""What the bot costs: `python -m pipeline.evaluation.footprint MODULE ARTIFACTS` with queries on stdin, one per line.

Imports MODULE, the bot's program, answers 1,000 queries, and prints as JSON the seconds until the first answer and the
megabytes of memory at the end; READER=0 leaves the reader out. Run as a process of its own: only a fresh interpreter
shows either.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path


def main(program: str, artifacts: str) -> None:
    """Measure and print."""
    started = time.perf_counter()
    import_module(program)
    from bot.search.engine import SearchEngine  # importing it is part of the start

    engine = SearchEngine.load(artifacts, os.environ.get("READER") != "0")
    queries = sys.stdin.read().splitlines()
    engine.search(queries[0])
    seconds = time.perf_counter() - started
    for query in islice(cycle(queries), 1000):
        engine.search(query)
    # Resident pages: the peak that getrusage gives begins with the parent's.
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    print(json.dumps([seconds, pages * os.sysconf("SC_PAGE_SIZE") / 1e6]))


if __name__ == "__main__":
    main(*sys.argv[1:])

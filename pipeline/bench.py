"""Time and memory of what is served, each beside its alternative in the same run: `make bench`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np

from bot.search import ArtifactsError, SearchEngine
from bot.search.approximator import Approximator
from bot.search.text import fold
from pipeline.evaluate import QUERIES
from pipeline.sources import DATA

T = TypeVar("T")

ROOT = DATA.parent

_BOT = """
import json, os, sys, time
started = time.perf_counter()
from bot import app, conversation, users  # what the bot imports is part of its memory
from bot.search import SearchEngine
engine = SearchEngine.load(sys.argv[1])
queries = json.loads(sys.stdin.read())
engine.search(queries[0])
first = time.perf_counter() - started
for number in range(1000):
    engine.search(queries[number % len(queries)])
pages = int(open("/proc/self/statm").read().split()[1])  # resident; the peak of getrusage begins with the parent's
print(json.dumps([first, pages * os.sysconf("SC_PAGE_SIZE") / 1e6]))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.bench", description=__doc__)
    parser.add_argument("--artifacts", type=Path, default=ROOT / "artifacts", metavar="DIR")
    options = parser.parse_args(arguments)
    try:
        engine = SearchEngine.load(options.artifacts)
    except ArtifactsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    asked = [json.loads(line) for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    queries = [query[language] for query in asked for language in ("ru", "en")]
    print(f"{len(engine.phrases):,} phrases, {engine.approximator.dimensions} dimensions, {len(queries)} dev queries")
    print("| what | median | beside | median | ratio |\n|---|---|---|---|---|")
    for row in (_encoding(engine, queries), _index(engine, queries)):
        print(row)
    print(f"| search, meaning and wording, all phrases | {_microseconds(engine.search, queries):.0f} us | | | |")
    print(_process(options.artifacts, queries))
    return 0


def _encoding(engine: SearchEngine, queries: Sequence[str]) -> str:
    """The folded table beside what it was folded from: tokenizer, TF-IDF, matrix product and norm."""
    ten_words = [" ".join((text.split() * 10)[:10]) for text in queries]
    chain = unfolded_chain(engine.approximator)
    folded, unfolded = _paired(engine.approximator.encode, chain, ten_words)
    return _row("encode ten words", folded, "tokenizers and the unfolded chain in numpy", unfolded)


def unfolded_chain(approximator: Approximator, components: int = 384) -> Callable[[str], object]:
    """The approximator before folding, with the same arithmetic: TF-IDF, regression, components, dimensions, norm."""
    tokenizer, scale = approximator.tokenizer, approximator.scale
    regression = np.zeros((len(scale), components), np.float32)
    regression[:, : approximator.dimensions] = approximator.table * scale[:, None]
    dimensions = np.eye(components, approximator.dimensions, dtype=np.float32)
    idf = np.ones(len(scale), np.float32)

    def encode(text: str) -> object:
        pieces, counts = np.unique(tokenizer.encode(fold(text)).ids, return_counts=True)
        tfidf = counts * idf[pieces]
        vector = (tfidf / np.linalg.norm(tfidf)).astype(np.float32) @ regression[pieces] @ dimensions
        return vector / np.linalg.norm(vector)

    return encode


def _index(engine: SearchEngine, queries: Sequence[str]) -> str:
    index = engine.artifacts.index
    vectors = [vector for vector in map(engine.approximator.encode, queries) if vector is not None]
    exact, annoy = _paired(lambda vector: index.exact(vector, 10), lambda vector: index.nearest(vector, 10), vectors)
    return _row("ten nearest by looking at every vector", exact, f"Annoy, search_k {index.search_k}", annoy)


def _process(artifacts: Path, queries: Sequence[str]) -> str:
    runtime = ROOT / ".venv/bin/python"  # where `make run` runs the bot
    command = [str(runtime) if runtime.exists() else sys.executable, "-c", _BOT, str(artifacts)]
    runs = [
        json.loads(
            subprocess.run(
                command, input=json.dumps(queries), capture_output=True, check=True, text=True, cwd=ROOT
            ).stdout
        )
        for _ in range(5)
    ]
    seconds, megabytes = (median(run[place] for run in runs) for place in (0, 1))
    return (
        f"| from start to the first answer, without Telegram | {seconds:.2f} s | | | |\n"
        f"| memory of the bot after 1,000 queries | {megabytes:.0f} MB | | | |"
    )


def _row(what: str, one: float, beside: str, other: float) -> str:
    return f"| {what} | {one:.1f} us | {beside} | {other:.1f} us | {one / other:.2f} |"


def _microseconds(call: Callable[[T], object], arguments: Sequence[T]) -> float:
    return _paired(call, call, arguments)[0]


def _paired(one: Callable[[T], object], other: Callable[[T], object], arguments: Sequence[T]) -> tuple[float, float]:
    """Median microseconds of two functions, called in turn so that both meet the machine's good and bad moments."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(5):
        for argument in arguments:
            for call, spent in zip((one, other), times, strict=True):
                started = time.perf_counter()
                call(argument)
                spent.append(time.perf_counter() - started)
    return median(times[0]) * 1e6, median(times[1]) * 1e6


if __name__ == "__main__":
    sys.exit(main())

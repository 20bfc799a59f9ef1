"""Time, memory and size of what is served, each beside its alternative in the same run: `make bench`."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

from bot.search.artifacts import Artifacts, ArtifactsError
from bot.search.engine import SearchEngine
from bot.search.retrieve.approximator import Approximator
from bot.search.text import fold
from pipeline.data.sources import DATA, DataFolder, SourceError
from pipeline.evaluation import noise
from pipeline.evaluation.context import Subject
from pipeline.evaluation.retrieval import read_queries
from pipeline.train.teacher import TeacherError, teacher_folder

T = TypeVar("T")

ROOT = DATA.parent

_BOT = """
import json, os, sys, time
started = time.perf_counter()
from bot import app, conversation
from bot.store import sqlite as users  # what the bot imports is part of its memory
from bot.search.engine import SearchEngine
engine = SearchEngine.load(sys.argv[1])
queries = json.loads(sys.stdin.read())
engine.search(queries[0])
first = time.perf_counter() - started
for number in range(1000):
    engine.search(queries[number % len(queries)])
pages = int(open("/proc/self/statm").read().split()[1])  # resident; the peak of getrusage begins with the parent's
print(json.dumps([first, pages * os.sysconf("SC_PAGE_SIZE") / 1e6]))
"""


@dataclass(frozen=True, slots=True)
class Timing:
    """Something that was timed or weighed, and what it stands beside."""

    what: str
    value: float
    unit: str
    beside: str = ""
    other: float | None = None

    def cells(self) -> list[str]:
        """For a table: how many times as much the other takes is the ratio."""
        if self.other is None:
            return [self.what, f"{_digits(self.value)} {self.unit}", "", "", ""]
        other, ratio = f"{_digits(self.other)} {self.unit}", _digits(self.other / self.value)
        return [self.what, f"{_digits(self.value)} {self.unit}", self.beside, other, ratio]


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def timings(subject: Subject, folder: Path) -> Iterator[Timing]:
    """Every row; those of the teacher only where it is at hand. `folder` is where the artifacts were loaded from."""
    engine = subject.engine
    queries = [text for query in read_queries() for text in query.texts.values()]
    with threadpool_limits(1, user_api="blas"):  # as the bot sets it
        yield _encoding(engine, queries)
        yield _index(engine, queries)
        yield from _search(engine, queries)
    yield from _teacher(subject, queries, folder)
    yield from _process(folder, queries)


def _encoding(engine: SearchEngine, queries: Sequence[str]) -> Timing:
    """The folded table beside what it was folded from: tokenizer, TF-IDF, matrix product and norm."""
    ten_words = [" ".join((text.split() * 10)[:10]) for text in queries]
    folded, unfolded = _paired(
        engine.artifacts.approximator.encode, unfolded_chain(engine.artifacts.approximator), ten_words
    )
    return Timing("encode ten words", folded, "us", "tokenizers and the unfolded chain in numpy", unfolded)


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


def _teacher(subject: Subject, queries: Sequence[str], folder: Path) -> Iterator[Timing]:
    """Ten queries in turn, one at a time, by us and by the teacher; and its weights beside all artifacts."""
    try:
        teacher = subject.teacher
    except TeacherError as error:
        print(f"left out: {error}", file=sys.stderr)
        return
    encode = subject.engine.artifacts.approximator.encode
    tens = [queries[start : start + 10] for start in range(0, 200, 10)]
    ours, theirs = _paired(
        lambda ten: list(map(encode, ten)), lambda ten: [teacher.embed([text]) for text in ten], tens, rounds=2
    )
    yield Timing("encode a query", ours / 10, "us", f"the teacher, {teacher.name}", theirs / 10)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) / 1e6
    weights = Path(teacher_folder(teacher.name)) / "model.safetensors"
    heavy = weights.stat().st_size / 1e6 if weights.exists() else None
    yield Timing("artifacts, with the phrases and their index", size, "MB", "the teacher's weights", heavy)


def _index(engine: SearchEngine, queries: Sequence[str]) -> Timing:
    index = engine.artifacts.index
    vectors = [vector for vector in map(engine.artifacts.approximator.encode, queries) if vector is not None]
    annoy, exact = _paired(lambda vector: index.nearest(vector, 10), lambda vector: index.exact(vector, 10), vectors)
    return Timing(f"ten nearest by Annoy, search_k {index.search_k}", annoy, "us", "by looking at every vector", exact)


def _search(engine: SearchEngine, queries: Sequence[str]) -> Iterator[Timing]:
    dice = random.Random(2021)
    mistyped = [mistype(text) for text in queries for mistype in (lambda one: noise.typo(one, dice), noise.layout)]
    mistyped += [noise.translit(text, dice) for text in queries if not text.isascii()]
    repaired = [text for text in mistyped if engine.answer(text, 1).repaired]
    clean = [queries[number % len(queries)] for number in range(max(1, len(repaired)))]
    both = list(zip(clean, repaired, strict=False))
    if not both:
        yield Timing("search of a clean query", _paired(engine.search, engine.search, queries)[0], "us")
        return
    one, other = _paired(lambda pair: engine.search(pair[0]), lambda pair: engine.search(pair[1]), both)
    yield Timing("search of a clean query", one, "us", "of one that is repaired", other)


def _process(folder: Path, queries: Sequence[str]) -> Iterator[Timing]:
    runtime = ROOT / ".venv/bin/python"  # where `make run` runs the bot
    command = [str(runtime) if runtime.exists() else sys.executable, "-c", _BOT, str(folder.absolute())]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    runs = [
        json.loads(
            subprocess.run(
                command, input=json.dumps(queries), capture_output=True, check=True, text=True, cwd=ROOT, env=one_thread
            ).stdout
        )
        for _ in range(5)
    ]
    seconds, megabytes = (median(run[place] for run in runs) for place in (0, 1))
    yield Timing("from start to the first answer, without Telegram", seconds, "s")
    yield Timing("memory of the bot after 1,000 queries", megabytes, "MB")


def _paired(
    one: Callable[[T], object], other: Callable[[T], object], arguments: Sequence[T], rounds: int = 5
) -> tuple[float, float]:
    """Median microseconds of two functions, called in turn so that both meet the machine's good and bad moments."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for argument in arguments:
            for call, spent in zip((one, other), times, strict=True):
                started = time.perf_counter()
                call(argument)
                spent.append(time.perf_counter() - started)
    return median(times[0]) * 1e6, median(times[1]) * 1e6


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.bench", description=__doc__)
    parser.add_argument("--artifacts", type=Path, default=ROOT / "artifacts", metavar="DIR")
    options = parser.parse_args(arguments)
    print("| what | value | beside | value | ratio |\n|---|---|---|---|---|")
    try:
        for row in timings(Subject(Artifacts.load(options.artifacts, scenes=True), DataFolder()), options.artifacts):
            print(f"| {' | '.join(row.cells())} |", flush=True)
    except (ArtifactsError, SourceError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

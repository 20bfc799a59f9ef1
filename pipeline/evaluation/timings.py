"""Time, memory and size of what is served, each beside its alternative in the same run."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from timeit import timeit
from typing import NamedTuple, TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

from bot.search.artifacts import READ
from bot.search.engine import SearchEngine
from pipeline.data.sources import DATA
from pipeline.evaluation import noise
from pipeline.evaluation.context import SEED, WORDS, EvaluationContext
from pipeline.evaluation.report import as_table
from pipeline.evaluation.retrieval import read_queries
from pipeline.train.teacher import TeacherError, teacher_folder

T = TypeVar("T")

_BOT = "bot.__main__"  # What it imports is part of its memory.
_STARTS = 5


class Timing(NamedTuple):
    """Something that was timed or weighed, and what it stands beside."""

    id: str
    what: str
    value: float
    unit: str
    baseline: str = ""
    baseline_value: float = 0.0


def timing_table(timings: Iterable[Timing]) -> str:
    """In Markdown; the ratio says how many times as much the baseline takes."""
    return as_table(["what", "value", "baseline", "value", "ratio"], map(_cells, timings))


def _cells(row: Timing) -> list[str]:
    if not row.baseline:
        return [row.what, amount(row.value, row.unit), "", "", ""]
    ratio = _digits(row.baseline_value / row.value)
    return [row.what, amount(row.value, row.unit), row.baseline, amount(row.baseline_value, row.unit), ratio]


def amount(value: float, unit: str) -> str:
    """A value as people read it: "324 µs", "5.6 ms", "26 MB"."""
    return f"{_digits(value / 1000)} ms" if unit == "µs" and value >= 1000 else f"{_digits(value)} {unit}"


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def timings(context: EvaluationContext, folder: Path) -> Iterator[Timing]:
    """Every row; those of the teacher only where it is at hand. `folder` is where the artifacts were loaded from."""
    queries = [text for query in read_queries() for text in query.texts.values()]
    with threadpool_limits(1):  # as the bot sets it, and the teacher on one core too
        yield _index(context, queries)
        yield _search(context.engines.get(WORDS, context.engine), queries)
        if context.artifacts.reader:
            yield from _read(context, queries, folder)
        try:
            yield from _teacher(context, queries, folder)
        except TeacherError as error:
            print(f"left out: {error}", file=sys.stderr)
    yield from _process(folder, queries)


def _index(context: EvaluationContext, queries: Sequence[str]) -> Timing:
    index = context.index
    annoy, scan = paired(lambda vector: index.nearest(vector, 10), index.scan, list(context.encode(queries)))
    return Timing("speed/annoy", f"ten nearest by Annoy, search_k {index.search_k}", annoy, "µs", "a scan of all", scan)


def _read(context: EvaluationContext, queries: Sequence[str], folder: Path) -> Iterator[Timing]:
    """A search with the reader beside one without, and what the reader takes on the disk."""
    both, words = context.engine, context.engines[WORDS]
    assert both.artifacts.reader
    forget = both.artifacts.reader.encode.cache_clear

    def read(text: str) -> None:
        forget()
        both.search(text)

    one, other = paired(read, words.search, queries)
    yield Timing("speed/read", "search with the reader", one, "µs", "without", other)
    size = sum((folder / name).stat().st_size for name in READ) / 1e6
    yield Timing("size/reader", "the reader, with what it made of the phrases", size, "MB")


def _search(engine: SearchEngine, queries: Sequence[str]) -> Timing:
    """Clean queries beside mistyped ones that are repaired, as many of either."""
    rng = random.Random(SEED)
    mistyped = [change for text in queries for change in (noise.typo(text, rng), noise.layout(text))]
    mistyped += [noise.translit(text, rng) for text in queries if not text.isascii()]
    repaired = [text for text in mistyped if engine.analyse(text).repaired] or queries[:1]
    pairs = [(queries[number % len(queries)], text) for number, text in enumerate(repaired)]
    one, other = paired(lambda pair: engine.search(pair[0]), lambda pair: engine.search(pair[1]), pairs)
    return Timing("speed/search", "search of a clean query", one, "µs", "of one that is repaired", other)


def _teacher(context: EvaluationContext, queries: Sequence[str], folder: Path) -> Iterator[Timing]:
    """Ten queries by the engine and by the teacher in turn, and the teacher's weights beside all artifacts."""
    teacher, encode = context.teacher, context.artifacts.approximator.encode
    tens = [queries[start : start + 10] for start in range(0, 200, 10)]
    ours, theirs = paired(
        lambda ten: [encode(text) for text in ten], lambda ten: [teacher.embed([text]) for text in ten], tens, rounds=2
    )
    name = Path(teacher.name).name
    yield Timing("speed/encode", "encode a query", ours / 10, "µs", f"the teacher, {name}", theirs / 10)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) / 1e6
    weights = Path(teacher_folder(teacher.name)) / "model.safetensors"
    beside = ("the teacher's weights", weights.stat().st_size / 1e6) if weights.exists() else ()
    yield Timing("size/artifacts", "artifacts, with the phrases and their index", size, "MB", *beside)


def _process(folder: Path, queries: Sequence[str]) -> Iterator[Timing]:
    """The bot in processes of its own, in the environment of `make run` where there is one."""
    runtime = DATA.parent / ".venv/bin/python"
    python = runtime if runtime.exists() else sys.executable
    command = [python, "-m", "pipeline.evaluation.footprint", _BOT, folder.absolute()]
    start = partial(subprocess.run, command, input="\n".join(queries), capture_output=True, check=True, text=True)
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    medians = []
    for reader in ("1", "0"):
        runs = [json.loads(start(cwd=DATA.parent, env={**alone, "READER": reader}).stdout) for _ in range(_STARTS)]
        medians.append(np.median(runs, axis=0).tolist())
    (seconds, megabytes), (faster, smaller) = medians
    beside = "without the reader"
    yield Timing("speed/start", "from start to the first answer, without Telegram", seconds, "s", beside, faster)
    yield Timing("size/memory", "memory of the bot after 1,000 queries", megabytes, "MB", beside, smaller)


def paired(
    one: Callable[[T], object], other: Callable[[T], object], arguments: Sequence[T], rounds: int = 5
) -> tuple[float, float]:
    """Median microseconds of two functions, called in turn so that both meet the machine's good and bad moments."""
    spent = [[timeit(partial(call, argument), number=1) for call in (one, other)] for argument in [*arguments] * rounds]
    first, second = np.median(spent, axis=0) * 1e6
    return float(first), float(second)

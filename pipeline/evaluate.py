"""Measure the served engine on data that it was not trained on: `python -m pipeline.evaluate`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tqdm import tqdm

from bot.search.artifacts import REPORT, Artifacts, ArtifactsError
from pipeline.data.sources import DATA, DataFolder, SourceError
from pipeline.evaluation import rejection, report, retrieval
from pipeline.evaluation.context import EvaluationContext
from pipeline.evaluation.examples import example_table, examples
from pipeline.evaluation.report import ReportError
from pipeline.evaluation.tasks import MORE, QUICK, run
from pipeline.evaluation.timings import Timing, timing_table, timings


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    folder = options.out or options.artifacts / REPORT
    try:
        artifacts, data = Artifacts.load(options.artifacts, scenes=True), DataFolder(extra=options.data)
        context = EvaluationContext(artifacts, data, options.teacher, alone=options.quick)
        votes = [partial(retrieval.votes, state=options.state)] if options.state else []
        own = [partial(retrieval.own_queries, path=path) for path in options.queries]
        measured = run(context, [*QUICK, *([] if options.quick else MORE), *own, *votes])
        if not options.force:
            report.keep_fuller(measured, context.left_out, folder)
        texts = {"about": _about(artifacts), "left out": "\n".join(f"- {reason}" for reason in context.left_out)}
        if not options.quick:
            folder.mkdir(parents=True, exist_ok=True)
            texts |= _illustrated(context, folder)
            texts |= earlier_timings(folder) if options.keep_timings else _timed(context, options.artifacts, folder)
        report.write_report(measured, folder, texts)
    except (ArtifactsError, SourceError, ReportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{len(measured)} figures: {folder / report.TEXT}")
    return 0


def _about(artifacts: Artifacts) -> str:
    teacher = artifacts.manifest.get("teacher", {}).get("name", "an unknown teacher")
    date = artifacts.manifest.get("date", "some day")[:10]
    return (
        f"Measured by `python -m pipeline.evaluate` on the engine that the bot serves: {len(artifacts.phrases):,} "
        f"phrases, {artifacts.approximator.dimensions} dimensions of {teacher}, built {date}. Commit {report.commit()}."
    )


def _timed(context: EvaluationContext, artifacts: Path, folder: Path) -> dict[str, str]:
    """Save the timings into `folder`; returns their table."""
    timed = list(tqdm(timings(context, artifacts), desc="speed", unit=" rows"))
    report.write_json((row._asdict() for row in timed), folder / report.TIMINGS)
    return {"timings": timing_table(timed)}


def earlier_timings(folder: Path) -> dict[str, str]:
    """The table of the timings that are in the folder of a report. Raises ReportError when there are none."""
    try:
        timed = [Timing(**row) for row in report.read_json(folder / report.TIMINGS)]
    except FileNotFoundError:
        raise ReportError(f"{folder / report.TIMINGS}: not there; measure once without --keep-timings") from None
    return {"timings": f"{timing_table(timed)}\n\nThese were measured in an earlier run."}


def _illustrated(context: EvaluationContext, folder: Path) -> dict[str, str]:
    """Draw the pictures into `folder`; returns the tables of examples."""
    from pipeline.evaluation import pictures  # matplotlib takes a second that a build does not have to spend

    texts = {}
    pictures.phrase_map(context.engine.phrases, context.artifacts.index.vectors, folder / pictures.MAP)
    try:
        best, worst = examples(context)
        texts = {"good": example_table(best), "bad": example_table(worst)}
        pictures.calibration(*rejection.confidences(context)[:2], folder / pictures.CALIBRATION)
    except SourceError:  # another collection: what the queries lack was said above
        pass
    return texts


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipeline.evaluate", description=__doc__)
    parser.add_argument("--artifacts", type=Path, default=DATA.parent / "artifacts", metavar="DIR")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder that holds the evaluation sets")
    where = "the encoder that the artifacts learned from, when it is neither where they say nor in .cache"
    parser.add_argument("--teacher", metavar="ID_OR_DIR", help=where)
    parser.add_argument("--state", type=Path, metavar="FILE", help="the bot's state file, for people's votes")
    lines = "queries of your own: JSON lines with query, and gold, the phrase that answers it"
    parser.add_argument("--queries", nargs="+", type=Path, default=[], metavar="FILE", help=lines)
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write, instead of report/ in the artifacts")
    parser.add_argument("--quick", action="store_true", help="the engine alone, as every build measures it")
    kept = "show the timings of an earlier run, because this machine is busy or slow"
    parser.add_argument("--keep-timings", action="store_true", help=kept)
    parser.add_argument("--force", action="store_true", help="replace a report that has more figures")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""Measure the served engine on data that it was not trained on: `python -m pipeline.evaluate`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from bot.search.artifacts import REPORT, Artifacts, ArtifactsError
from pipeline.data.sources import DATA, DataFolder, SourceError
from pipeline.evaluation import rejection as honesty
from pipeline.evaluation import retrieval
from pipeline.evaluation.context import Subject
from pipeline.evaluation.examples import examples
from pipeline.evaluation.metrics import Measurement
from pipeline.evaluation.report import TEXT, Report, ReportError, keep_fuller
from pipeline.evaluation.sections import SECTIONS, Part, Section
from pipeline.evaluation.timings import timings
from pipeline.train.teacher import TeacherError


def measure(artifacts: Artifacts, data: DataFolder) -> list[Measurement]:
    """What every build measures: the engine alone, on the sets that this machine has."""
    return run(Subject(artifacts, data, alone=True), [(section, section.parts) for section in SECTIONS])[0]


def run(subject: Subject, sections: Sequence[tuple[Section, Sequence[Part]]]) -> tuple[list[Measurement], list[str]]:
    """All figures, and why parts were left out: a set or the teacher is missing, which stderr says too."""
    measured: list[Measurement] = []
    left_out: list[str] = []
    parts = [(section.title, part) for section, some in sections for part in some]
    for title, part in tqdm(parts, desc="evaluate", unit=" parts"):
        try:
            measured += [replace(row, section=title) for row in part(subject)]
        except (SourceError, TeacherError) as error:
            left_out.append(f"{title}: {error}")
            print(f"left out: {error}", file=sys.stderr)
    return measured, left_out


def write_report(measured: Sequence[Measurement], folder: Path) -> None:
    """Save what a build measured."""
    Report(measured, "What the build measured; `python -m pipeline.evaluate` measures more.", _notes()).write(folder)


def _notes() -> dict[str, str]:
    return {section.title: section.note for section in SECTIONS}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    folder = options.out or options.artifacts / REPORT
    try:
        artifacts, data = Artifacts.load(options.artifacts, scenes=True), DataFolder(extra=options.data)
        subject = Subject(artifacts, data, options.teacher, alone=options.quick)
        measured, left_out = run(subject, _chosen(options.quick, options.state))
        if not options.force:
            keep_fuller(measured, left_out, folder)
        report = Report(measured, _about(subject), _notes(), left_out=left_out)
        if not options.quick:
            _illustrate(report, subject, options.artifacts, folder)
        report.write(folder)
    except (ArtifactsError, SourceError, ReportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{len(measured)} figures: {folder / TEXT}")
    return 0


def _chosen(quick: bool, state: Path | None) -> list[tuple[Section, Sequence[Part]]]:
    chosen: list[tuple[Section, Sequence[Part]]] = [
        (section, section.parts if quick else section.parts + section.more) for section in SECTIONS
    ]
    if state:
        voted = Section("Votes", "What people of a running bot voted for and against.", ())
        chosen.append((voted, [lambda subject: retrieval.votes(subject, state)]))
    return chosen


def _about(subject: Subject) -> str:
    manifest, engine = subject.artifacts.manifest, subject.engine
    teacher, date = manifest.get("teacher", {}).get("name", "an unknown teacher"), manifest.get("date", "some day")
    return (
        f"Measured by `python -m pipeline.evaluate` on the engine that the bot serves: {len(engine.phrases):,} "
        f"phrases, {engine.artifacts.approximator.dimensions} dimensions of {teacher}, built {date[:10]}."
    )


def _illustrate(report: Report, subject: Subject, artifacts: Path, folder: Path) -> None:
    """Add timings and examples, and draw the pictures."""
    from pipeline.evaluation import pictures  # matplotlib takes a second that a build does not have to spend

    folder.mkdir(parents=True, exist_ok=True)
    report.timings = list(tqdm(timings(subject, artifacts), desc="speed", unit=" rows"))
    pictures.speed(report.timings, folder / pictures.SPEED)
    pictures.phrase_map(subject.engine.phrases, subject.artifacts.index.vectors, folder / pictures.MAP)
    try:
        report.best, report.worst = examples(subject)
        pictures.calibration(honesty.confidences(subject), folder / pictures.CALIBRATION)
        pictures.quality(report.measured, folder / pictures.QUALITY)
    except SourceError:  # another collection: what the queries lack was said above
        return


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipeline.evaluate", description=__doc__)
    parser.add_argument("--artifacts", type=Path, default=DATA.parent / "artifacts", metavar="DIR")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder that holds the evaluation sets")
    where = "the encoder that the artifacts learned from, when it is not where they say"
    parser.add_argument("--teacher", metavar="ID_OR_DIR", help=where)
    parser.add_argument("--state", type=Path, metavar="FILE", help="the bot's state file, for people's votes")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write, instead of report/ in the artifacts")
    parser.add_argument("--quick", action="store_true", help="the engine alone, as every build measures it")
    parser.add_argument("--force", action="store_true", help="replace a report that has more figures")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""How the figures are shown: `evaluation.json` for programs, `evaluation.md` for people."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pipeline.data.sources import DATA
from pipeline.evaluation.examples import RULE, Example
from pipeline.evaluation.metrics import DEPTH, Measurement
from pipeline.evaluation.timings import Timing

EVALUATION, TEXT, TIMINGS, ABLATION = "evaluation.json", "evaluation.md", "timings.json", "ablation.json"

GLOSSARY = f"""\
- **R@k**: share of the queries that have a right answer among the first k, which is recall, as one right answer is
  enough. The reference bot calls it P@k; for k = 1 both are the same.
- **P@k**: share of the first k answers that are right. Most queries have one right answer, so P@10 cannot be much
  above 0.1; where every query has just one, it is left out, and MAP, which is then MRR, too.
- **MRR**: mean of 1 / place of the first right answer, 0 below place {DEPTH}. **MAP**: mean average precision.
  **NDCG@10**: discounted gain of the first ten, relative to the best order.
- Small figures below a value are its 95 % bootstrap interval: 1,000 resamples of the rows, with a fixed seed.
- Splits: **test** was neither trained nor tuned on; by **dev** numbers of the search were chosen, so its figures
  flatter; every other split says what it is."""


PICTURES = {
    "quality.png": "The engine beside others",
    "selection.png": "Spearman by the number of dimensions, on the training pairs that they were chosen by",
    "calibration.png": "How sure the engine is, and how often there is an idiom",
    "speed.png": "Speed, on a logarithmic scale",
    "map.png": "The idioms, like beside like; in colour the ten frequent topics that lie closest together",
}
"""Shown when they are there."""


class ReportError(Exception):
    """A report that must not be written; the message says what to do."""


@dataclass
class Report:
    """All that is shown."""

    measured: Sequence[Measurement]
    about: str
    """What was measured: one sentence."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What each section is, in the order of the sections."""
    left_out: Sequence[str] = ()
    timings: Sequence[Timing] = ()
    best: Sequence[Example] = ()
    worst: Sequence[Example] = ()

    def write(self, folder: Path) -> None:
        """Save the figures, the timings apart, because only they differ from run to run, and the text with both."""
        folder.mkdir(parents=True, exist_ok=True)
        _write_json([_row(row) for row in self.measured], folder / EVALUATION)
        if self.timings:
            _write_json([asdict(row) for row in self.timings], folder / TIMINGS)
        (folder / TEXT).write_text("\n".join(self._lines(folder)) + "\n", encoding="utf-8")

    def _lines(self, folder: Path) -> Iterator[str]:
        commit = commit_of(DATA.parent)
        yield from ("# How good it is", "", f"{self.about} Commit {commit}.", "", GLOSSARY)
        for title in dict.fromkeys([*self.notes, *(row.section for row in self.measured)]):
            rows = [row for row in self.measured if row.section == title]
            if rows:
                yield from ("", f"## {title}", "", self.notes.get(title, ""))
                yield from _tables(rows, commit)
        for name, title in PICTURES.items():
            if (folder / name).exists():
                yield from ("", f"## {title}", "", f"![{title}]({name})")
        yield from _examples(self.best, self.worst)
        yield from _timings(self.timings, commit)
        yield from _ablation(folder / ABLATION)
        if self.left_out:
            yield from ("", "## Left out", "", *(f"- {reason}" for reason in self.left_out))


def keep_fuller(measured: Sequence[Measurement], left_out: Sequence[str], folder: Path) -> None:
    """Raise ReportError when the report in `folder` has more figures than were measured now."""
    path = folder / EVALUATION
    known = len(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else 0
    if known > len(measured):
        raise ReportError(
            f"{path} has {known} figures and this run {len(measured)} ({len(left_out)} parts were left out), so it is "
            "kept: write this one elsewhere with --out DIR, or over it with --force"
        )


def commit_of(root: Path) -> str:
    """The commit of the code, with a + when it was changed since; "unknown" where there is no git."""
    git = shutil.which("git")
    if not git or not (root / ".git").exists():
        return "unknown"

    def said(*arguments: str) -> str:
        return subprocess.run([git, *arguments], cwd=root, capture_output=True, text=True, check=False).stdout.strip()

    changed = said("status", "--porcelain", "--", "bot", "pipeline", "data")
    return (said("rev-parse", "--short=10", "HEAD") or "unknown") + ("+" if changed else "")


def as_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    return [_line(header), "|" + "---|" * len(header), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _row(row: Measurement) -> dict[str, Any]:
    """Rounded, because the last digits of a sum depend on how many cores made it."""
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in asdict(row).items()}


def _write_json(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _tables(rows: Sequence[Measurement], commit: str) -> Iterator[str]:
    """A table for each set of data, with a line for each system and a column for each figure."""
    for data, split in dict.fromkeys((row.data, row.split) for row in rows):
        some = [row for row in rows if (row.data, row.split) == (data, split)]
        counts = " to ".join(f"{count:,}" for count in sorted({row.rows for row in some}))
        yield from ("", f"**{data}** (split: {split}; {counts} rows; commit {commit})", "")
        systems, figures = (
            list(dict.fromkeys(row.system for row in some)),
            list(dict.fromkeys(row.figure for row in some)),
        )
        cells = {(row.system, row.figure): _cell(row) for row in some}
        if len(systems) == 1:
            yield from as_table(["figure", "value"], ([name, cells[systems[0], name]] for name in figures))
        else:
            lines = ([system, *(cells.get((system, name), "") for name in figures)] for system in systems)
            yield from as_table(["system", *figures], lines)


def _cell(row: Measurement) -> str:
    interval = "" if row.low is None or row.high is None else f"<br><sub>{row.low:.3f}–{row.high:.3f}</sub>"
    return f"{row.value:.3f}{interval}"


def _examples(best: Sequence[Example], worst: Sequence[Example]) -> Iterator[str]:
    if best or worst:
        yield from ("", "## Nearest neighbours, good and bad", "", RULE)
    for title, some in (("Good", best), ("Bad", worst)):
        if some:
            yield from ("", f"**{title}**", "")
            places = {example: f"{example.rank + 1}" if example.rank < DEPTH else f"below {DEPTH}" for example in some}
            lines = (
                [example.query, "; ".join(example.right), places[example], "; ".join(example.found)] for example in some
            )
            yield from as_table(["query", "right answers", "place of the first", "the first three"], lines)


def _timings(timings: Sequence[Timing], commit: str) -> Iterator[str]:
    if timings:
        yield from ("", "## Speed, memory and size", "", "These differ from run to run and from machine to machine;")
        yield f"what stands side by side was measured in turn in the same run, so that ratios hold (commit {commit})."
        yield from ("", *as_table(["what", "value", "beside", "value", "ratio"], (row.cells() for row in timings)))


def _ablation(path: Path) -> Iterator[str]:
    """Rows {variant, change, figures: {name: value}}, written by whoever built the variants."""
    if not path.exists():
        return
    rows = json.loads(path.read_text(encoding="utf-8"))
    names = list(dict.fromkeys(name for row in rows for name in row["figures"]))
    yield from ("", "## What each part is worth", "", "Each variant was built anew with one change.", "")
    yield from as_table(
        ["variant", "change", *names],
        (
            [
                row["variant"],
                row["change"],
                *(f"{row['figures'][name]:.3f}" if name in row["figures"] else "" for name in names),
            ]
            for row in rows
        ),
    )

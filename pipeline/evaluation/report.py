"""How the figures are shown: `evaluation.json` for programs, `evaluation.md` for people, after `report.md`.

In that template a name in braces stands for a table, a picture or a text; `*` and `?` in it stand for any letters.
"""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.data.sources import DATA
from pipeline.evaluation.metrics import Measurement

EVALUATION, TEXT, TIMINGS, ABLATION = "evaluation.json", "evaluation.md", "timings.json", "ablation.json"

_TEMPLATE = Path(__file__).with_name("report.md")
_PLACE = re.compile(r"^\{(.+)\}$", re.MULTILINE)


class ReportError(Exception):
    """A report that must not be written; the message says what to do."""


def write_report(measured: Sequence[Measurement], folder: Path, texts: Mapping[str, str]) -> None:
    """Save the figures, and the text with them, with other `texts` by name, and with what `folder` has already."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json([asdict(row) for row in measured], folder / EVALUATION)
    blocks = {**_tables(measured), **texts, "ablation": _ablation(folder / ABLATION)}
    blocks |= {path.name: f"![{path.stem}]({path.name})" for path in folder.glob("*.png")}
    (folder / TEXT).write_text(filled(_TEMPLATE.read_text(encoding="utf-8"), blocks), encoding="utf-8")


def filled(template: str, blocks: Mapping[str, str]) -> str:
    """The template with the blocks in their places, without sections that have places only for what is lacking."""
    known = {name: block for name, block in blocks.items() if block}
    sections = []
    for section in template.split("\n## "):
        filling = [[known[name] for name in fnmatch.filter(known, place)] for place in _PLACE.findall(section)]
        if any(filling) or not filling:
            parts = _PLACE.split(section)
            parts[1::2] = ["\n\n".join(found) for found in filling]
            sections.append("".join(parts))
    return re.sub("\n{3,}", "\n\n", "\n## ".join(sections)).rstrip() + "\n"


def keep_fuller(measured: Sequence[Measurement], left_out: Iterable[str], folder: Path) -> None:
    """Raise ReportError when the report in `folder` has more figures than were measured now."""
    path = folder / EVALUATION
    known = len(read_json(path)) if path.exists() else 0
    if known > len(measured):
        raise ReportError(
            f"{path} has {known} figures and this run {len(measured)} (left out: {'; '.join(left_out) or 'nothing'}), "
            "so it is kept: write this one elsewhere with --out DIR, or over it with --force"
        )


def commit() -> str:
    """The commit of the code, with a + when it was changed since; "unknown" where there is no git."""
    git = shutil.which("git")
    if not git or not (DATA.parent / ".git").exists():
        return "unknown"

    def said(*arguments: str) -> str:
        done = subprocess.run([git, *arguments], cwd=DATA.parent, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = said("status", "--porcelain", "--", "bot", "pipeline", "data")
    return (said("rev-parse", "--short=10", "HEAD") or "unknown") + ("+" if changed else "")


def as_table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown; empty without rows."""
    lines = [f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |" for cells in (header, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(list(header)), *lines[1:]]) if lines[1:] else ""


def write_json(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Save rows, rounded, because the last digits of a sum depend on how many cores made it."""
    rounded = [
        {name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()} for row in rows
    ]
    path.write_text(json.dumps(rounded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_json(path: Path) -> list[dict[str, Any]]:
    """Read what `write_json` wrote."""
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def _tables(measured: Sequence[Measurement]) -> dict[str, str]:
    """A table for each set of data, by its id: a line for each system and a column for each figure."""
    sets: dict[str, list[Measurement]] = {}
    for row in measured:
        sets.setdefault(row.id.partition("/")[0], []).append(row)
    return {name: _table(rows) for name, rows in sets.items()}


def _table(rows: Sequence[Measurement]) -> str:
    counts = " to ".join(f"{count:,}" for count in sorted({row.rows for row in rows}))
    systems, figures = dict.fromkeys(row.system for row in rows), dict.fromkeys(row.figure for row in rows)
    cells = {(row.system, row.figure): f"{row.value:.3f}<br><sub>{row.low:.3f}–{row.high:.3f}</sub>" for row in rows}
    if len(systems) == 1:
        table = as_table(["figure", "value"], ([figure, cell] for (_, figure), cell in cells.items()))
    else:
        lines = ([system, *(cells.get((system, name), "") for name in figures)] for system in systems)
        table = as_table(["system", *figures], lines)
    return f"**{rows[0].data}** (split: {rows[0].split}; {counts} rows)\n\n{table}"


def _ablation(path: Path) -> str:
    """Rows {variant, change, figures: {name: value}}, written by pipeline.ablate."""
    rows = read_json(path) if path.exists() else []
    names = dict.fromkeys(name for row in rows for name in row["figures"])
    values = ([f"{row['figures'][name]:.3f}" if name in row["figures"] else "" for name in names] for row in rows)
    lines = [[row["variant"], row["change"], *some] for row, some in zip(rows, values, strict=True)]
    return as_table(["variant", "change", *names], lines)

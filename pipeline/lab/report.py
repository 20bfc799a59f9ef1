"""The lab's report: `lab.json` keeps what each experiment found, `lab.md` shows it beside what was known."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from pipeline.data.tables import whole
from pipeline.evaluation.metrics import Data, Rows, measured
from pipeline.evaluation.report import as_table, commit, filled
from pipeline.lab.setting import Lab
from pipeline.lab.training import peak

REPORT, TEXT = "lab.json", "lab.md"

_TINY = "\n\nThis was a tiny run: its figures mean nothing."
_TEMPLATE = Path(__file__).with_name("report.md")
_KNOWN: dict[str, dict[str, list[float | str]]] = tomllib.loads(
    Path(__file__).with_name("known.toml").read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class Finding:
    """One cell of a table."""

    table: str
    system: str
    figure: str
    value: float | str
    low: float = 0
    """Of the 95 % interval, with `high`; both are 0 where there is none."""
    high: float = 0
    seeds: list[float] = field(default_factory=list)
    """The value of each repetition, where there are several."""


@dataclass
class Findings:
    """What an experiment found, in the order of its tables."""

    lab: Lab
    experiment: str
    cells: list[Finding] = field(default_factory=list)

    def add(self, table: str, system: str, figure: str, value: float | str) -> None:
        """A figure without an interval."""
        self.cells.append(Finding(f"{self.experiment}/{table}", system, figure, value))

    def mean(self, table: str, system: str, figure: str, values: npt.ArrayLike) -> None:
        """The mean over rows, shape (rows,) or (seeds, rows)."""
        self.metric(table, system, figure, lambda column: float(column.mean()), np.atleast_2d(values))

    def metric(self, table: str, system: str, figure: str, metric: Any, *columns: npt.NDArray[Any]) -> None:
        """A metric of columns; the last one, predictions, has shape (seeds, rows), the others (rows,)."""
        *true, predicted = columns

        def of_seeds(rows: Rows) -> list[float]:
            return [float(metric(*(column[rows] for column in true), seed[rows])) for seed in predicted]

        data, resamples = Data(self.experiment, table, "test"), 20 if self.lab.tiny else 1000
        found = measured(
            figure, lambda rows: float(np.mean(of_seeds(rows))), predicted.shape[1], data, resamples=resamples
        )
        seeds = of_seeds(np.arange(predicted.shape[1])) if len(predicted) > 1 else []
        cell = Finding(f"{self.experiment}/{table}", system, figure, found.value, found.low, found.high, seeds)
        self.cells.append(cell)

    def _trainings(self) -> None:
        """How the trainings went."""
        device, precision = self.lab.device, self.lab.precision
        for name, done in self.lab.done.items():
            best = min(done.history, key=lambda look: look[2])
            for figure, value in (
                ("steps", f"{done.step:,}"),
                ("best at", f"{best[0]:,}"),
                ("loss, first and last", f"{done.history[0][1]:.4f}, {done.history[-1][1]:.4f}"),
                ("minutes", f"{done.seconds / 60:.1f}"),
                ("rows a second", f"{done.rate:.1f}"),
                ("share of what the device could do", f"{done.flops * done.rate / peak(device, precision):.1%}"),
            ):
                self.cells.append(Finding(f"trainings/{self.experiment}", name, figure, value))

    def picture(self, figure: Figure, name: str = "") -> None:
        """Save a picture under the experiment's name."""
        self.lab.out.mkdir(parents=True, exist_ok=True)
        figure.savefig(self.lab.out / f"lab-{self.experiment}{name}.png", dpi=110)

    def write(self) -> Path:
        """Put the findings beside those of other experiments; returns the text's path."""
        self.lab.out.mkdir(parents=True, exist_ok=True)
        self._trainings()
        path = self.lab.out / REPORT
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        about = {"commit": commit(), "bases": self.lab.bases, "device": self.lab.device, "seeds": self.lab.seeds}
        kept[self.experiment] = {**about, "tiny": self.lab.tiny, "findings": [_rounded(cell) for cell in self.cells]}
        with whole(path) as file:  # a run that is killed here must not cost the figures of others
            file.write((json.dumps(kept, ensure_ascii=False, indent=1) + "\n").encode())
        show(self.lab.out)
        return self.lab.out / TEXT


def show(folder: Path) -> None:
    """Write as text what the experiments have found: `lab.md`, of `lab.json` and the pictures in the folder."""
    kept: dict[str, Any] = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    tables: dict[str, list[Finding]] = {}
    tiny = {cell["table"] for found in kept.values() if found["tiny"] for cell in found["findings"]}
    for cell in (Finding(**cell) for found in kept.values() for cell in found["findings"]):
        tables.setdefault(cell.table, []).append(cell)
    blocks = {name: _table(name, cells) + _TINY * (name in tiny) for name, cells in tables.items()}
    blocks |= {f"about/{name}": _about(found) for name, found in kept.items()}
    blocks |= {one.name: f"![{one.stem}]({one.name})" for one in sorted(folder.glob("lab-*.png"))}
    text = filled(_TEMPLATE.read_text(encoding="utf-8"), blocks)
    (folder / TEXT).write_text(text, encoding="utf-8")


def _about(found: dict[str, Any]) -> str:
    """What an experiment was run with."""
    device = "a GPU" if found["device"] == "cuda" else "a CPU"
    seeds = f"{found['seeds']} seeds" if found["seeds"] > 1 else "one seed"
    return (
        f"Run with {', '.join(Path(base).name for base in found['bases'])} on {device}, {seeds}, at {found['commit']}."
    )


def _rounded(cell: Finding) -> dict[str, Any]:
    values = asdict(cell)
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in values.items()}


def _table(name: str, cells: Sequence[Finding]) -> str:
    """A line for each system and a column for each figure, and what was known below the system of that name."""
    figures = list(dict.fromkeys(cell.figure for cell in cells))
    known = dict(_KNOWN.get(name, {}))
    columns = known.pop("figures", [])
    figures += [str(figure) for figure in columns if figure not in figures]
    shown = {(cell.system, cell.figure): _shown(cell) for cell in cells}
    rows = []
    for system in dict.fromkeys([*(cell.system for cell in cells), *known]):
        if any((system, figure) in shown for figure in figures):
            rows.append([system, *(shown.get((system, figure), "") for figure in figures)])
        if system in known:
            values = dict(zip(columns, known[system], strict=True))
            said = (values.get(figure, "") for figure in figures)
            rows.append([f"*known: {system}*", *(f"*{one}*" if one != "" else "" for one in said)])
    return f"**{name}**\n\n{as_table(['system', *figures], rows)}"


def _shown(cell: Finding) -> str:
    if isinstance(cell.value, str):
        return cell.value
    value = f"{cell.value:.3f}" if abs(cell.value) < 100 else f"{cell.value:,.0f}"
    spread = f" ({min(cell.seeds):.3f} to {max(cell.seeds):.3f})" if cell.seeds else ""
    interval = f"<br><sub>{cell.low:.3f}–{cell.high:.3f}</sub>" if (cell.low, cell.high) != (0, 0) else ""
    return value + spread + interval

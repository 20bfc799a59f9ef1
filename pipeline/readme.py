"""Fill the tables of the READMEs with what was measured: `python -m pipeline.readme`.

A README holds the template of its table in a comment, above the table that is made of it:

    <!-- figures
    | queries as people write them, in Russian: R@10 | {dev-ru/R@10} ({dev-ru/R@10:interval}) |
    -->
    <!-- /figures -->

Braces hold the id of a figure of evaluation.json, alone or with ":interval" for its 95 % interval, ":%" for per cent,
":%interval" for both; or the id of a timing of timings.json, with "/baseline" for what it is compared with.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from bot.search.artifacts import REPORT
from pipeline.data.sources import DATA
from pipeline.evaluation.report import EVALUATION, TIMINGS, read_json
from pipeline.evaluation.timings import amount

READMES = [DATA.parent / "README.md", DATA.parent / "README.ru.md"]
FOLDER = DATA.parent / "artifacts" / REPORT

_TABLE = re.compile(r"(<!-- figures\n(.*?)-->\n).*?(<!-- /figures -->)", re.DOTALL)


class ReadmeError(Exception):
    """A table that cannot be made; the message says what is lacking and what to do."""


def read_figures(folder: Path = FOLDER) -> dict[str, str]:
    """What may stand in the braces of a template, and what a report says there."""
    shown: dict[str, str] = {}
    for row in read_json(folder / EVALUATION):
        name, value, low, high = row["id"], row["value"], row["low"], row["high"]
        shown |= {name: f"{value:.3f}", f"{name}:interval": f"{low:.2f}–{high:.2f}"}
        shown |= {f"{name}:%": f"{100 * value:.3g} %", f"{name}:%interval": f"{100 * low:.3g}–{100 * high:.3g}"}
    for row in read_json(folder / TIMINGS) if (folder / TIMINGS).exists() else ():
        shown[row["id"]] = amount(row["value"], row["unit"])
        if row["baseline"]:
            shown[f"{row['id']}/baseline"] = amount(row["baseline_value"], row["unit"])
    return shown


def filled(readme: str, shown: Mapping[str, str]) -> str:
    """The README's text with its table made anew. Raises ReadmeError where it has no table or no such figure."""
    if not _TABLE.search(readme):
        raise ReadmeError("the README has no place for the table: see the first lines of pipeline/readme.py")
    try:
        return _TABLE.sub(
            lambda table: table[1] + re.sub("{(.*?)}", lambda id_: shown[id_[1]], table[2]) + table[3], readme
        )
    except KeyError as error:
        raise ReadmeError(
            f"the report has no figure {error}: run python -m pipeline.evaluate, with the sets and the teacher at hand"
        ) from None


def main() -> int:
    """Bring every README up to date; returns the exit status."""
    try:
        shown = read_figures()
        for path in READMES:
            path.write_text(filled(path.read_text(encoding="utf-8"), shown), encoding="utf-8")
    except (ReadmeError, FileNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The main table of README.md, made from the report's figures: `python -m pipeline.readme`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.search.artifacts import REPORT
from pipeline.data.sources import DATA
from pipeline.evaluation.metrics import SERVED, Measurement
from pipeline.evaluation.report import EVALUATION, TIMINGS, as_table
from pipeline.evaluation.timings import Timing

README, FOLDER = DATA.parent / "README.md", DATA.parent / "artifacts" / REPORT

_START, _END = "<!-- figures -->\n", "<!-- /figures -->"
_NGRAMS, _TEACHER = "character n-grams", "teacher"
_OTHERS = (_NGRAMS, "BM25", "mean of word vectors")
_SHOWN = {
    "mean of word vectors": "word vectors",
    _TEACHER: "our teacher, a transformer,",
    "teacher, meanings alone": "our teacher",
}


class ReadmeError(Exception):
    """A table that cannot be made; the message says what is lacking and what to do."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: some figures of the engine, and the same ones of others."""

    what: str
    section: str
    """Of the report."""
    figures: Sequence[tuple[str, str]]
    """What each is measured on, or how that begins; and its name."""
    others: Sequence[str] = ()
    """Systems of the report."""
    known: str = ""
    """Figures of systems that are not measured here."""
    shares: bool = False
    """Whether the values are told in per cent."""

    def cells(self, measured: Sequence[Measurement]) -> list[str]:
        """What it is, the engine's figures with their intervals, and the others'."""
        ours = self._of(measured, SERVED)
        bold = " / ".join(f"**{self._value(row.value)}**" for row in ours)
        intervals = " / ".join(self._interval(row) for row in ours)
        beside = [f"{_SHOWN.get(name, name)} {self._values(self._of(measured, name))}" for name in self.others]
        return [self.what, f"{bold}<br><sub>{intervals}</sub>", "; ".join(filter(None, [*beside, self.known]))]

    def _of(self, measured: Sequence[Measurement], system: str) -> list[Measurement]:
        return [self._row(measured, system, *figure) for figure in self.figures]

    def _row(self, measured: Sequence[Measurement], system: str, data: str, figure: str) -> Measurement:
        wanted = (self.section, system, figure)
        for row in measured:
            if (row.section, row.system, row.figure) == wanted and row.data.startswith(data):
                return row
        raise ReadmeError(
            f"{EVALUATION} has no “{figure}” of “{system}” on “{data} ...” in “{self.section}”: "
            "run python -m pipeline.evaluate, with the sets and the teacher at hand"
        )

    def _values(self, rows: Sequence[Measurement]) -> str:
        return " / ".join(self._value(row.value) for row in rows)

    def _value(self, value: float) -> str:
        return f"{100 * value:.3g} %" if self.shares else f"{value:.3f}"

    def _interval(self, row: Measurement) -> str:
        if row.low is None or row.high is None:
            return "–"
        low, high = (f"{100 * end:.3g}" if self.shares else f"{end:.2f}" for end in (row.low, row.high))
        return f"{low}–{high}"


_PAIR = "STS-B ru, pairs scored >= 4"
_MISTYPED = [("ru", "typos"), ("en", "typos"), ("ru", "wrong layout"), ("en", "wrong layout"), ("ru", "Latin letters")]
_OWN = [
    "own text finds it first",
    *(f"with {slip}, in the top 3" for slip in ("one typo", "another order of words", "another ending of a word")),
]

LINES = [
    Line(
        "likeness as people judge it, STS-B Russian test: Spearman",
        "Likeness of sentences",
        [("STS-B ru", "Spearman")],
        _OTHERS,
        "reference bot 0.609; LaBSE-en-ru, a transformer, 0.754",
    ),
    Line("the same, English test", "Likeness of sentences", [("STS-B en", "Spearman")], (*_OTHERS, _TEACHER)),
    Line(
        "finding the paraphrase, STS-B Russian test: among the first 1 / 3 / 5 / 10",
        "The other half of a pair",
        [(_PAIR, "P@1"), *((_PAIR, f"R@{count}") for count in (3, 5, 10))],
        (_NGRAMS,),
        "reference bot 0.704 / 0.820 / 0.879 / 0.938",
    ),
    Line(
        "queries as people write them, in Russian, over the Russian idioms: R@10 / MRR",
        "Queries as people write them",
        [("dev queries, ru", "R@10"), ("dev queries, ru", "MRR")],
        _OTHERS,
    ),
    Line(
        "the same, asked in English",
        "Queries as people write them",
        [("dev queries, en", "R@10"), ("dev queries, en", "MRR")],
        (*_OTHERS, "teacher, meanings alone"),
    ),
    Line(
        "the same over the idioms of both languages, asked in Russian / English: R@10",
        "The same over Russian and English idioms together",
        [("dev queries, ru", "R@10"), ("dev queries, en", "R@10")],
    ),
    Line(
        "R@10 that mistyped queries keep: typos ru / en; wrong layout ru / en; Russian in Latin letters",
        "Mistyped queries",
        [(f"dev queries, {language}, mistyped", f"share kept, {name}") for language, name in _MISTYPED],
        shares=True,
    ),
    Line(
        "correct sentences that repair changes, Russian / English",
        "Repair of what is correct",
        [(f"everyday sentences, {language}", "repaired though correct") for language in ("ru", "en")],
        shares=True,
    ),
    Line(
        "“nothing close”: to lines that no idiom fits / to real queries, by mistake",
        "Nothing close",
        [("off-topic lines", "refused"), ("dev queries, ru and en", "refused though real")],
        known="reference bot answers everything",
        shares=True,
    ),
    Line(
        "an idiom's own text finds it first; in the first three with a typo / in another order / with another ending",
        "The idiom's own text",
        [("all phrases", figure) for figure in _OWN],
        known="reference bot 7 % first",
        shares=True,
    ),
    Line(
        "a word from a person's description, two English test sets (Hill 2016 / Thorat 2016): R@10",
        "Reverse dictionary",
        [("human descriptions of Hill", "R@10"), ("human descriptions of Thorat", "R@10")],
    ),
    Line(
        "finding the translation, Tatoeba test, Russian → English / back: P@1",
        "Translations",
        [("Tatoeba, ru -> en", "P@1"), ("Tatoeba, en -> ru", "P@1")],
        ("mean of word vectors",),
    ),
]

COSTS = {
    "a whole search, on one core of the machine that measured all this": "search of a clean query",
    "of it, the query's vector": "encode a query",
    "all that is loaded, phrases and index included": "artifacts",
    "memory of the bot": "memory of the bot",
}
"""How rows of the timings are called in the table."""


def table(measured: Sequence[Measurement], timings: Sequence[Timing]) -> str:
    """The table in Markdown; raises ReadmeError for the first figure that is lacking."""
    rows = [line.cells(measured) for line in LINES]
    return "\n".join(as_table(["what", "ours", "beside"], [*rows, *costs(timings)])) + "\n"


def costs(timings: Sequence[Timing]) -> Iterator[list[str]]:
    """What the search takes, if that was measured."""
    for shown, what in COSTS.items() if timings else ():
        row = next((row for row in timings if row.what.startswith(what)), None)
        if row is None:
            raise ReadmeError(f"{TIMINGS} has no “{what}”: run python -m pipeline.evaluate, with the teacher at hand")
        beside = f"{row.beside} {_amount(row.other, row.unit)}" if row.other is not None else ""
        yield [shown, f"**{_amount(row.value, row.unit)}**", beside]


def _amount(value: float, unit: str) -> str:
    if unit == "us":
        return f"{value / 1000:.3g} ms" if value >= 1000 else f"{value:.0f} µs"
    return f"{value:.0f} {unit}"


def filled(readme: str, block: str) -> str:
    """The README's text with this table in its place; raises ReadmeError where it has none."""
    before, start, rest = readme.partition(_START)
    _, end, after = rest.partition(_END)
    if not start or not end:
        raise ReadmeError(f"the README has no place for the table: put the lines {_START.strip()} and {_END} into it")
    return f"{before}{start}{block}{end}{after}"


def read_table(folder: Path = FOLDER) -> str:
    """The table of a report."""
    timings = _read(folder / TIMINGS) if (folder / TIMINGS).exists() else []
    return table([Measurement(**row) for row in _read(folder / EVALUATION)], [Timing(**row) for row in timings])


def _read(path: Path) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def main() -> int:
    """Bring README.md up to date; returns the exit status."""
    try:
        README.write_text(filled(README.read_text(encoding="utf-8"), read_table()), encoding="utf-8")
    except (ReadmeError, FileNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

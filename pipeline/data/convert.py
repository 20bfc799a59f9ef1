"""Turn the originals of a set, as its publisher gives them, into the form that `DataFolder` reads.

Every converter takes the original files in the order of the set's downloads and yields the lines of our file.
"""

from __future__ import annotations

import csv
import heapq
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2s
from pathlib import Path

from pipeline.data.sources import DataFolder, Source, folded
from pipeline.data.tables import damaged, read_lines, read_rows, read_table


def tatoeba_sentences(originals: Sequence[Path], source: Source, _: DataFolder) -> Iterator[str]:
    """An even sample of the sentences, as large as the one that we used."""
    yield from _sample(set(_sentences(originals[0]).values()), source.rows)


def tatoeba_links(originals: Sequence[Path], source: Source, folder: DataFolder) -> Iterator[str]:
    """An even sample of the direct translations that share no side with a test set."""
    english, russian = _sentences(originals[0]), _sentences(originals[1])
    links = read_rows(originals[2], tuple[int, int])
    pairs = {(english[one], russian[other]) for one, other in links if one in english and other in russian}
    held_out = folder.held_out()
    trained = (pair for pair in pairs if all(pair) and held_out.isdisjoint(map(folded, pair)))
    yield "en\tru\tsource"
    yield from _sample((f"{one}\t{other}\ttatoeba_direct" for one, other in trained if one != other), source.rows)


def laser_test(originals: Sequence[Path], _: Source, __: DataFolder) -> Iterator[str]:
    """The two line-aligned files side by side."""
    english, russian = ([text for _, text in read_lines(path)] for path in originals)
    if len(english) != len(russian):
        damaged(originals[1], len(russian), f"{len(russian)} lines for the {len(english)} of the other language")
    yield "en\tru"
    yield from map("\t".join, zip(english, russian, strict=True))


def axolotl_glosses(originals: Sequence[Path], _: Source, __: DataFolder) -> Iterator[str]:
    """Each word with each of its definitions once."""
    rows = (row for path in originals for _, row in read_table(path, ("word", "gloss", "period")))
    yield "word\tgloss\tperiod"
    yield from dict.fromkeys("\t".join(row) for row in rows if row[1])


def axolotl_examples(originals: Sequence[Path], _: Source, __: DataFolder) -> Iterator[str]:
    """Each example once."""
    examples = {row[0] for path in originals for _, row in read_table(path, ("example",))}
    yield from sorted(examples - {""})


def quora(originals: Sequence[Path], source: Source, _: DataFolder) -> Iterator[str]:
    """An even sample of the questions that were judged duplicates."""
    records = csv.DictReader((text for _, text in read_lines(originals[0])), delimiter="\t")
    yield "q1\tq2\tis_duplicate\tsplit"
    try:
        pairs = [(row["question1"], row["question2"]) for row in records if row["is_duplicate"] == "1"]
    except (csv.Error, KeyError):
        damaged(originals[0], records.line_num, "no columns question1, question2 and is_duplicate")
    yield from _sample({f"{_spaced(one)}\t{_spaced(other)}\t1\tquora" for one, other in pairs}, source.rows)


CONVERTERS = {
    function.__name__: function
    for function in (tatoeba_sentences, tatoeba_links, laser_test, axolotl_glosses, axolotl_examples, quora)
}


def _sentences(path: Path) -> dict[int, str]:
    """Tatoeba's sentences by their number: the columns are number, language, text."""
    return {number: _spaced(text) for number, _, text in read_rows(path, tuple[int, str, str])}


def _spaced(text: str) -> str:
    """The text without tabs, which separate columns."""
    return " ".join(text.split())


def _sample(rows: Iterable[str], count: int) -> list[str]:
    """At most `count` rows in sorted order; a row's hash decides, so next week's sample is nearly this week's."""
    return sorted(heapq.nsmallest(count, rows, key=lambda row: blake2s(row.encode(), digest_size=8).digest()))

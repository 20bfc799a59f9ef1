"""Turn the originals of a set, as its publisher gives them, into the form that `DataFolder` reads.

Every function takes the original files in the order of the set's downloads and yields the lines of our file.
"""

from __future__ import annotations

import csv
import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import blake2s
from itertools import combinations
from pathlib import Path

from pipeline.data.sources import DataFolder, Source, folded
from pipeline.data.tables import damaged, read_lines, read_table

_MAX_SHARING = 4
"""How many sentences of one translation become paraphrases: some have dozens, which would drown all others."""


def tatoeba_sentences(originals: Sequence[Path], source: Source, _: DataFolder) -> Iterator[str]:
    """An even sample of the sentences, as large as the one that we used."""
    yield from _sample(set(_sentences(originals[0]).values()), source.rows)


def tatoeba_links(originals: Sequence[Path], source: Source, folder: DataFolder) -> Iterator[str]:
    """An even sample of the direct translations that share no side with a test set."""
    english, russian = _sentences(originals[0]), _sentences(originals[1])
    pairs = ((english.get(one, ""), russian.get(other, "")) for one, other in _links(originals[2]))
    held_out = folder.held_out()
    rows = {f"{one}\t{other}\ttatoeba_direct" for one, other in pairs if _usable(one, other, held_out)}
    yield "en\tru\tsource"
    yield from _sample(rows, source.rows)


def tatoeba_paraphrases(originals: Sequence[Path], source: Source, folder: DataFolder) -> Iterator[str]:
    """An even sample of the pairs of sentences that share a translation, and the number of translations shared."""
    sentences = _sentences(originals[0])
    sharing: dict[int, list[str]] = defaultdict(list)
    for one, other in _links(originals[1]):
        if one in sentences and len(sharing[other]) < _MAX_SHARING:
            sharing[other].append(sentences[one])
    shared: dict[tuple[str, str], int] = defaultdict(int)
    for texts in sharing.values():
        for pair in combinations(sorted(texts), 2):
            shared[pair] += 1
    held_out = folder.held_out()
    rows = {f"{one}\t{other}\t{count}" for (one, other), count in shared.items() if _usable(one, other, held_out)}
    yield "s1\ts2\tpivots"
    yield from _sample(rows, source.rows)


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
    try:
        duplicates = [record for record in records if record["is_duplicate"] == "1"]
        rows = {f"{_spaced(record['question1'])}\t{_spaced(record['question2'])}\t1\tquora" for record in duplicates}
    except (csv.Error, KeyError):
        damaged(originals[0], records.line_num, "no columns question1, question2 and is_duplicate")
    yield "q1\tq2\tis_duplicate\tsplit"
    yield from _sample(rows, source.rows)


CONVERTERS: dict[str, Callable[[Sequence[Path], Source, DataFolder], Iterator[str]]] = {
    function.__name__: function
    for function in (
        *(tatoeba_sentences, tatoeba_links, tatoeba_paraphrases, laser_test),
        *(axolotl_glosses, axolotl_examples, quora),
    )
}


def _sentences(path: Path) -> dict[int, str]:
    """Tatoeba's sentences by their number: the columns are number, language, text."""
    return {int(number): _spaced(text) for number, _, text in _rows(path, columns=3, numbers=1)}


def _links(path: Path) -> Iterator[tuple[int, int]]:
    """Numbers of a sentence and of its translation."""
    return ((int(one), int(other)) for one, other in _rows(path, columns=2, numbers=2))


def _rows(path: Path, columns: int, numbers: int) -> Iterator[list[str]]:
    """The columns of a file without a header, of which the first `numbers` are numbers."""
    for line, text in read_lines(path):
        row = text.split("\t")
        if len(row) != columns or not all(cell.isdecimal() for cell in row[:numbers]):
            damaged(path, line, f"not {columns} columns that begin with a sentence's number")
        yield row


def _spaced(text: str) -> str:
    """The text without tabs, which separate columns."""
    return " ".join(text.split())


def _usable(one: str, other: str, held_out: Collection[str]) -> bool:
    return bool(one and other and one != other) and folded(one) not in held_out and folded(other) not in held_out


def _sample(rows: Iterable[str], count: int) -> list[str]:
    """At most `count` rows in sorted order; a row's hash decides, so next week's sample is nearly this week's."""
    return sorted(heapq.nsmallest(count, rows, key=lambda row: blake2s(row.encode(), digest_size=8).digest()))

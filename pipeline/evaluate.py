"""Measure the served engine on data that it was not trained on: `python -m pipeline.evaluate`."""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from bot.search import Artifacts, ArtifactsError, SearchEngine
from bot.search.artifacts import REPORT
from bot.search.text import fold
from pipeline.approximate import encode_all
from pipeline.baselines import CharacterNgrams
from pipeline.select import cosine_spearman
from pipeline.sources import DATA, DataFolder, SourceError

Ranks = npt.NDArray[np.int64]

QUERIES = DATA / "queries/dev_queries.jsonl"
_DEPTH = 100  # Results that a query's gold phrase is looked for in; below that its reciprocal rank counts as 0.


@dataclass(frozen=True, slots=True)
class Measurement:
    """One row of the table."""

    figure: str
    value: float
    data: str
    """What it was measured on, with the split."""
    rows: int


def measure(artifacts: Artifacts, data: DataFolder, state: Path | None = None) -> list[Measurement]:
    """Every figure whose data this machine has; a missing set is named on stderr and its rows are left out."""
    engine = SearchEngine(artifacts)
    parts: list[Callable[[], Iterator[Measurement]]] = [
        lambda: similarity(engine, data),
        lambda: bitext(engine, data),
        lambda: queries(engine, QUERIES),
        lambda: own_words(engine),
        lambda: index_recall(engine),
    ]
    if state:
        parts.append(lambda: votes(engine, state))
    measured: list[Measurement] = []
    for part in tqdm(parts, desc="evaluate", unit=" parts"):
        try:
            measured += part()
        except SourceError as error:
            print(f"left out: {error}", file=sys.stderr)
    return measured


def similarity(engine: SearchEngine, data: DataFolder) -> Iterator[Measurement]:
    """Cosines of sentence pairs against people's judgements, and finding the other half of a pair judged alike."""
    for language in ("ru", "en"):
        rows = data.sts(language, "test")
        first = encode_all(engine.approximator, [row[0] for row in rows])
        second = encode_all(engine.approximator, [row[1] for row in rows])
        scores = np.array([row[2] for row in rows])
        source = f"STS-B {language}, test"
        yield Measurement("Spearman", cosine_spearman(first, second, scores), source, len(rows))
        alike = scores >= 4
        found = _ranks(first[alike] @ second[alike].T)
        for count in (1, 3, 5, 10):
            yield Measurement(f"P@{count}", _within(found, count), f"{source}, pairs scored >= 4", len(found))


def bitext(engine: SearchEngine, data: DataFolder) -> Iterator[Measurement]:
    """Finding a sentence's translation among all."""
    pairs = data.bitext_test()
    english, russian = (encode_all(engine.approximator, [pair[side] for pair in pairs]) for side in (0, 1))
    yield Measurement("P@1, ru -> en", _within(_ranks(russian @ english.T), 1), "Tatoeba, test", len(pairs))
    yield Measurement("P@1, en -> ru", _within(_ranks(english @ russian.T), 1), "Tatoeba, test", len(pairs))


def queries(engine: SearchEngine, path: Path) -> Iterator[Measurement]:
    """Queries as people write them, over the Russian idioms, beside TF-IDF over character n-grams of the meanings."""
    asked = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    russian = [phrase for phrase in engine.phrases if phrase.language == "ru"]
    gold = [{fold(text) for text in (query["gold"], *query["also_ok"])} for query in asked]
    if not any(fold(phrase.text) in texts for texts in gold for phrase in russian):
        return
    baseline = CharacterNgrams([" ".join(phrase.meanings) for phrase in russian])
    for language in ("ru", "en"):
        source = f"dev queries, {language}, over {len(russian):,} Russian idioms"
        answers = [[match.phrase.text for match in engine.search(query[language], _DEPTH, ("ru",))] for query in asked]
        yield from _retrieval("", answers, gold, source)
        nearest = [[russian[row].text for row in baseline.nearest(query[language], _DEPTH)] for query in asked]
        yield from _retrieval(", character n-gram TF-IDF", nearest, gold, source)


def _retrieval(
    of: str, answers: Sequence[Sequence[str]], gold: Sequence[set[str]], source: str
) -> Iterator[Measurement]:
    ranks = [
        next((rank for rank, text in enumerate(texts) if fold(text) in wanted), None)
        for texts, wanted in zip(answers, gold, strict=True)
    ]
    recall = sum(rank is not None and rank < 10 for rank in ranks) / len(ranks)
    reciprocal = sum(1 / (rank + 1) for rank in ranks if rank is not None) / len(ranks)
    yield Measurement(f"R@10{of}", recall, source, len(ranks))
    yield Measurement(f"MRR{of}", reciprocal, source, len(ranks))


def own_words(engine: SearchEngine, seed: int = 1) -> Iterator[Measurement]:
    """Whether an idiom's own text finds it, as it stands and with one typo."""
    dice = random.Random(seed)
    phrases = list(engine.phrases)
    exact = [_found(engine, phrase.text, phrase.key, 1) for phrase in phrases]
    typos = [_found(engine, with_typo(phrase.text, dice), phrase.key, 3) for phrase in phrases]
    yield Measurement("own text finds it first", sum(exact) / len(exact), "all phrases", len(exact))
    yield Measurement("with one typo in the top 3", sum(typos) / len(typos), "all phrases", len(typos))


def _found(engine: SearchEngine, text: str, key: str, count: int) -> bool:
    return any(match.phrase.key == key for match in engine.search(text, count))


def with_typo(text: str, dice: random.Random) -> str:
    """One letter dropped, doubled, replaced by another of the text, or swapped with the next."""
    places = [place for place, letter in enumerate(text) if letter.isalpha()]
    place = dice.choice(places)
    before, letter, after = text[:place], text[place], text[place + 1 :]
    other = text[dice.choice(places)]
    spellings = ["", letter * 2, other, after[:1] + letter]
    kind = dice.randrange(len(spellings))
    return before + spellings[kind] + (after[1:] if kind == 3 else after)


def votes(engine: SearchEngine, state: Path) -> Iterator[Measurement]:
    """Where the engine ranks what people of a running bot found fitting and not, from the bot's state file."""
    try:
        with closing(sqlite3.connect(f"{state.absolute().as_uri()}?mode=ro", uri=True)) as file:
            rows = file.execute("SELECT query, key, vote FROM votes WHERE query != ''").fetchall()
    except sqlite3.Error as error:
        raise SourceError(f"{state}: not the bot's state file ({error}): name the file that STATE names") from error
    for vote, figure in (("up", "fitting ones in the top 10"), ("down", "unfitting ones in the top 10")):
        asked = [(query, key) for query, key, given in rows if given == vote]
        if asked:
            found = [_found(engine, query, key, 10) for query, key in asked]
            yield Measurement(figure, sum(found) / len(found), f"votes in {state.name}", len(found))


def index_recall(engine: SearchEngine) -> Iterator[Measurement]:
    """What Annoy finds of the exact ten nearest."""
    vectors = engine.artifacts.index.vectors
    asked = vectors[:: max(1, len(vectors) // 1000)]
    yield Measurement("recall@10 of the index", engine.artifacts.index.recall(asked), "phrases as queries", len(asked))


def _ranks(similarities: npt.NDArray[np.float32]) -> Ranks:
    """How many columns come before the diagonal's in each row; rounding errors are no difference."""
    ranks: Ranks = (similarities > similarities.diagonal()[:, None] + 1e-5).sum(axis=1)
    return ranks


def _within(ranks: Ranks, count: int) -> float:
    return float((ranks < count).mean())


def as_markdown(measured: Sequence[Measurement]) -> str:
    """A table that people read."""
    lines = ["| figure | value | measured on | rows |", "|---|---|---|---|"]
    lines += [f"| {row.figure} | {row.value:.3f} | {row.data} | {row.rows:,} |" for row in measured]
    return "\n".join(lines) + "\n"


def write_report(measured: Sequence[Measurement], folder: Path) -> None:
    """Save the table as JSON and Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [asdict(row) for row in measured]
    (folder / "evaluation.json").write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / "evaluation.md").write_text(as_markdown(measured), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.evaluate", description=__doc__)
    parser.add_argument("--artifacts", type=Path, default=DATA.parent / "artifacts", metavar="DIR")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder that holds the evaluation sets")
    parser.add_argument("--state", type=Path, metavar="FILE", help="the bot's state file, for people's votes")
    options = parser.parse_args(arguments)
    try:
        measured = measure(Artifacts.load(options.artifacts), DataFolder(extra=options.data), options.state)
    except (ArtifactsError, SourceError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    write_report(measured, options.artifacts / REPORT)
    print(as_markdown(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())

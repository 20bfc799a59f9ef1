"""Finding the idiom: by queries as people write them, by a dictionary's definitions, and by what people voted for."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.search.phrases import Phrase, phrase_key
from pipeline.data.sources import DATA, SourceError
from pipeline.evaluation.baselines import nearest
from pipeline.evaluation.context import Scorer, Subject
from pipeline.evaluation.metrics import DEPTH, SERVED, Data, Measurement, mean_of, retrieval

QUERIES = DATA / "queries/dev_queries.jsonl"
DEV = "dev queries"

Search = Callable[[str], Sequence[str]]
"""Keys of the phrases that answer a text, best first."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a person asked for in two languages, and the Russian idioms that answer it."""

    number: int
    texts: dict[str, str]
    right: frozenset[str]
    """Keys of phrases."""


def read_queries(path: Path = QUERIES) -> list[Query]:
    """The tuning queries."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Query(
            row.get("id", number),
            {language: row[language] for language in ("ru", "en")},
            frozenset(phrase_key("ru", text) for text in (row["gold"], *row["also_ok"])),
        )
        for number, row in enumerate(rows, 1)
    ]


def dev_queries(subject: Subject, path: Path = QUERIES) -> list[Query]:
    """Those queries; SourceError when the collection has none of the idioms that they ask for."""
    queries = read_queries(path)
    if not any(subject.engine.phrase(key) for query in queries for key in query.right):
        raise SourceError(f"{path.name}: this collection has none of the idioms that these queries ask for")
    return queries


def served(subject: Subject, languages: Sequence[str] | None = None) -> Search:
    """The engine as the bot uses it: a query that it refuses has no answers."""
    return lambda text: [match.phrase.key for match in subject.engine.search(text, DEPTH, languages)]


def queries(subject: Subject, path: Path = QUERIES) -> Iterator[Measurement]:
    """Over the Russian idioms, beside searches over all that the collection says of them."""
    asked = dev_queries(subject, path)
    rows, phrases = _of_language(subject, "ru")
    vectors = subject.artifacts.index.vectors[rows]
    meaning = _scored(phrases, lambda text: vectors @ subject.encode([text])[0])
    systems = {SERVED: served(subject, ("ru",)), "Idiomatika, meanings alone": meaning}
    systems |= {name: _scored(phrases, scorer) for name, scorer in subject.baselines(subject.texts(phrases)).items()}
    for language in ("ru", "en"):
        data = Data(f"{DEV}, {language}, over {len(phrases):,} Russian idioms", "dev")
        for system, search in systems.items():
            yield from _answered(subject, search, asked, language, data, system)


def teacher_queries(subject: Subject) -> Iterator[Measurement]:
    """The teacher in the approximator's place, in the languages that it reads."""
    asked = dev_queries(subject)
    rows, phrases = _of_language(subject, "ru")
    vectors = subject.artifacts.index.vectors[rows]
    every = subject.taught(query.texts[language] for query in asked for language in subject.recipe.judged_languages)
    taught = every.reduced(subject.teacher.dimensions, subject.selected)
    search = _scored(phrases, lambda text: vectors @ taught[[text]][0])
    for language in subject.recipe.judged_languages:
        data = Data(f"{DEV}, {language}, over {len(phrases):,} Russian idioms", "dev")
        yield from _answered(subject, search, asked, language, data, "teacher, meanings alone")


def both_languages(subject: Subject) -> Iterator[Measurement]:
    """Over all idioms together: an idiom of another language that a person called equivalent is right too."""
    asked = dev_queries(subject)
    known = equivalents(subject.engine.phrases)
    right = [query.right.union(*(known[key] for key in query.right)) for query in asked]
    search = served(subject)
    for language in ("ru", "en"):
        data = Data(f"{DEV}, {language}, over all {len(subject.engine.phrases):,} idioms", "dev")
        answers = [search(query.texts[language]) for query in asked]
        yield from figures(subject, answers, right, data, SERVED)
        russian = [np.mean([_language(subject, key) == "ru" for key in keys[:10]]) for keys in answers if keys]
        yield mean_of("Russian ones in the top 10", russian, data)


def equivalents(phrases: Iterable[Phrase]) -> dict[str, set[str]]:
    """Keys of the other language's phrases that a phrase names, or that name it."""
    pairs: dict[str, set[str]] = defaultdict(set)
    for phrase in phrases:
        for key in (phrase_key(code, text) for code, texts in phrase.equivalents.items() for text in texts):
            pairs[phrase.key].add(key)
            pairs[key].add(phrase.key)
    return pairs


def _language(subject: Subject, key: str) -> str:
    phrase = subject.engine.phrase(key)
    return phrase.language if phrase else ""


def _of_language(subject: Subject, language: str) -> tuple[list[int], list[Phrase]]:
    rows = [row for row, phrase in enumerate(subject.engine.phrases) if phrase.language == language]
    return rows, [subject.engine.phrases[row] for row in rows]


def _scored(phrases: Sequence[Phrase], scorer: Scorer) -> Search:
    return lambda text: [phrases[row].key for row in nearest(scorer(text), DEPTH)]


def _answered(
    subject: Subject, search: Search, asked: Sequence[Query], language: str, data: Data, system: str
) -> Iterator[Measurement]:
    answers = [search(query.texts[language]) for query in asked]
    yield from figures(subject, answers, [query.right for query in asked], data, system)


def figures(
    subject: Subject, answers: Sequence[Sequence[str]], right: Sequence[frozenset[str]], data: Data, system: str
) -> Iterator[Measurement]:
    """Every figure of retrieval for answers (keys, best first) of which those in `right` are right."""
    hits = [[key in keys for key in found] for found, keys in zip(answers, right, strict=True)]
    known = [max(1, sum(subject.engine.phrase(key) is not None for key in keys)) for keys in right]
    for figure, values in retrieval(hits, known if max(known) > 1 else None).items():
        yield mean_of(figure, values, data, system)


def definitions(subject: Subject) -> Iterator[Measurement]:
    """English idioms by what WordNet says of them, which is not what the collection says."""
    phrases = {phrase.key: phrase for phrase in subject.engine.phrases if phrase.language == "en"}
    asked = [
        (gloss, frozenset([key]))
        for members, gloss in subject.data.glosses("oewn_glosses")
        for key in (phrase_key("en", member) for member in members.split(", "))
        if key in phrases and gloss not in phrases[key].meanings
    ]
    yield from _defined(
        subject, asked, "en", Data(f"WordNet's definitions, over {len(phrases):,} English idioms", "not in the index")
    )


def own_definitions(subject: Subject) -> Iterator[Measurement]:
    """A check of the index, no test: each idiom by the first of the meanings that its vector is made of."""
    for language in ("ru", "en"):
        _, phrases = _of_language(subject, language)
        asked = [(phrase.meanings[0], frozenset([phrase.key])) for phrase in phrases]
        yield from _defined(
            subject, asked, language, Data(f"own definitions, {language}, over {len(phrases):,} idioms", "in the index")
        )


def _defined(
    subject: Subject, asked: Sequence[tuple[str, frozenset[str]]], language: str, data: Data
) -> Iterator[Measurement]:
    search = served(subject, (language,))
    if asked:
        texts, right = zip(*asked, strict=True)
        yield from figures(subject, [search(text) for text in texts], right, data, SERVED)


def votes(subject: Subject, state: Path) -> Iterator[Measurement]:
    """Where the engine ranks what people of a running bot found fitting and not, from the bot's state file."""
    try:
        with closing(sqlite3.connect(f"{state.absolute().as_uri()}?mode=ro", uri=True)) as file:
            rows = file.execute("SELECT query, key, vote FROM votes WHERE query != ''").fetchall()
    except sqlite3.Error as error:
        raise SourceError(f"{state}: not the bot's state file ({error}): name the file that STATE names") from error
    search = served(subject)
    for vote, figure in (("up", "fitting ones in the top 10"), ("down", "unfitting ones in the top 10")):
        found = [key in search(query)[:10] for query, key, given in rows if given == vote]
        if found:
            yield mean_of(figure, found, Data(f"votes in {state.name}", "users"))

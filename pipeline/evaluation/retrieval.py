"""Finding the idiom: by queries as people write them, by a dictionary's definitions, and by what people voted for."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase, phrase_key
from pipeline.data.queries import ASKED_FOR
from pipeline.data.queries import own_queries as read_own_queries
from pipeline.data.sources import DATA, SourceError
from pipeline.evaluation.baselines import Cosine, System, nearest
from pipeline.evaluation.context import READER, EvaluationContext, Vectors, searched_texts
from pipeline.evaluation.metrics import DEPTH, SYSTEM, Data, Figures, mean_of, retrieval_figures
from pipeline.train.texts import teacher_texts, weighted_sums

QUERIES = DATA / "queries/dev_queries.jsonl"
DEV = "dev queries"

Search = Callable[[str], Sequence[str]]  # keys of the phrases that answer a text, best first


class Query(NamedTuple):
    """What a person asked for in several languages, and the idioms that answer it."""

    number: int
    texts: Mapping[str, str]  # by language
    right: frozenset[str]  # keys of phrases


def read_queries(path: Path = QUERIES) -> list[Query]:
    """The dev queries: a line has `gold`, `also_ok` and a column for each language."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Query(
            row.get("id", number),
            {column: text for column, text in row.items() if column not in ("id", "gold", "also_ok")},
            frozenset(phrase_key(ASKED_FOR, text) for text in (row["gold"], *row["also_ok"])),
        )
        for number, row in enumerate(rows, 1)
    ]


def dev_queries(context: EvaluationContext, path: Path = QUERIES) -> list[Query]:
    """The dev queries. Raises SourceError when the collection has none of the idioms that they ask for."""
    queries = read_queries(path)
    if not any(context.engine.phrase(key) for query in queries for key in query.right):
        raise SourceError(f"{path.name}: this collection has none of the idioms that these queries ask for")
    return queries


def searches_of(context: EvaluationContext, language: str) -> dict[str, Search]:
    """The engine over the phrases of a language, the same without its reader, and the reader alone."""
    searches = {name: searching(engine, language) for name, engine in context.engines.items()}
    if readings := context.artifacts.readings:
        rows, phrases = context.phrases_in(language)
        searches[READER] = over(phrases, Cosine(context.read, readings.vectors[rows]))
    return searches


def served(context: EvaluationContext, *languages: str) -> Search:
    """The engine as the bot uses it: a query that it refuses has no answers."""
    return searching(context.engine, *languages)


def searching(engine: SearchEngine, *languages: str) -> Search:
    """Keys of what an engine finds among the phrases of some languages, or of all."""
    return lambda text: [match.phrase.key for match in engine.search(text, DEPTH, languages or None)]


def queries(context: EvaluationContext, path: Path = QUERIES) -> Figures:
    """Over the idioms of one language, beside searches over all that the collection says of them.

    The teacher stands in the approximator's place, in the languages that it reads.
    """
    asked = dev_queries(context, path)
    rows, phrases = context.phrases_in(ASKED_FOR)
    vectors = context.artifacts.index.vectors[rows]
    systems: dict[str, System] = {f"{SYSTEM}, meanings alone": Cosine(context.encode, vectors)}
    systems |= context.baselines(searched_texts(phrases))
    for language in asked[0].texts:
        texts, some = [query.texts[language] for query in asked], dict(systems)
        if context.teacher_reads(language):
            taught = _by_teacher(context, phrases)
            some["teacher, meanings alone"] = Cosine(context.served_embeddings(texts).__getitem__, taught)
        searches = searches_of(context, ASKED_FOR) | {name: over(phrases, one) for name, one in some.items()}
        data = Data(f"dev-{language}", f"{DEV}, {language}, over {len(phrases):,} Russian idioms", "dev")
        for name, search in searches.items():
            yield from figures(context, search, texts, [query.right for query in asked], data, name)


def _by_teacher(context: EvaluationContext, phrases: Sequence[Phrase]) -> Vectors:
    """Unit vectors, shape (len(phrases), dimensions), of what the teacher sees in the texts that it reads."""
    lists = [teacher_texts(phrase, context.recipe) for phrase in phrases]
    embeddings = context.served_embeddings(text for texts in lists for text, _ in texts)
    sums = weighted_sums(lists, embeddings.__getitem__)
    return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9))


def over(phrases: Sequence[Phrase], system: System) -> Search:
    """A system as a search for phrases, whose texts are its collection."""
    return lambda text: [phrases[row].key for row in nearest(system.scores(text), DEPTH)]


def figures(
    context: EvaluationContext,
    search: Search,
    texts: Sequence[str],
    right: Sequence[frozenset[str]],
    data: Data,
    system: str = SYSTEM,
) -> Figures:
    """Every figure of retrieval for texts whose right answers have the keys `right`."""
    rankings = [[key in keys for key in search(text)] for text, keys in zip(texts, right, strict=True)]
    known = [max(1, sum(context.engine.phrase(key) is not None for key in keys)) for keys in right]
    yield from retrieval_figures(rankings, data, system, known if max(known) > 1 else None)


def both_languages(context: EvaluationContext) -> Figures:
    """Over all idioms together: an idiom of another language that a person called equivalent is right too."""
    asked, known = dev_queries(context), equivalents(context.engine.phrases)
    right = [query.right.union(*(known[key] for key in query.right)) for query in asked]
    russian = {phrase.key for phrase in context.phrases_in(ASKED_FOR)[1]}
    search = served(context)
    for language in asked[0].texts:
        texts = [query.texts[language] for query in asked]
        name = f"{DEV}, {language}, over all {len(context.engine.phrases):,} idioms"
        data = Data(f"dev-{language}-all", name, "dev")
        yield from figures(context, search, texts, right, data)
        shares = [np.mean([key in russian for key in keys[:10]]) for keys in map(search, texts) if keys]
        yield mean_of("Russian ones in the top 10", shares, data)


def equivalents(phrases: Iterable[Phrase]) -> dict[str, set[str]]:
    """Keys of the other languages' phrases that a phrase names, or that name it."""
    pairs: dict[str, set[str]] = defaultdict(set)
    for phrase in phrases:
        for key in (phrase_key(code, text) for code, texts in phrase.equivalents.items() for text in texts):
            pairs[phrase.key].add(key)
            pairs[key].add(phrase.key)
    return pairs


def definitions(context: EvaluationContext) -> Figures:
    """English idioms by what WordNet says of them, which is not what the collection says."""
    phrases = {phrase.key: phrase for phrase in context.phrases_in("en")[1]}
    asked = [
        (gloss, key)
        for members, gloss in context.data.glosses("oewn_glosses")
        for key in (phrase_key("en", member) for member in members.split(", "))
        if key in phrases and gloss not in phrases[key].meanings
    ]
    name = f"WordNet's definitions, over {len(phrases):,} English idioms"
    yield from _defined(context, asked, "en", Data("wordnet", name, "not in the index"))


def own_definitions(context: EvaluationContext) -> Figures:
    """A check of the index, no test: each idiom by the first of the meanings that its vector is made of."""
    for language in context.engine.languages:
        asked = [(phrase.meanings[0], phrase.key) for phrase in context.phrases_in(language)[1]]
        name = f"own definitions, {language}, over {len(asked):,} idioms"
        yield from _defined(context, asked, language, Data(f"own-definitions-{language}", name, "in the index"))


def _defined(context: EvaluationContext, asked: Sequence[tuple[str, str]], language: str, data: Data) -> Figures:
    if asked:
        texts, keys = zip(*asked, strict=True)
        for system, search in searches_of(context, language).items():
            yield from figures(context, search, texts, [frozenset([key]) for key in keys], data, system)


def own_queries(context: EvaluationContext, path: Path) -> Figures:
    """Queries of a file of one's own, each searched over the phrases of its gold's language. Raises SourceError."""
    asked: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for text, right, language in read_own_queries(path, context.engine.phrases):
        asked[language].append((text, next(iter(right))))
    for language, rows in asked.items():
        name = f"{path.name}, over {len(context.phrases_in(language)[1]):,} {language} idioms"
        yield from _defined(context, rows, language, Data(f"queries-{path.stem}-{language}", name, "own queries"))


def votes(context: EvaluationContext, state: Path) -> Figures:
    """Where the engine ranks what people of a running bot found fitting and not, from the bot's state file."""
    try:
        with closing(sqlite3.connect(f"{state.absolute().as_uri()}?mode=ro", uri=True)) as file:
            rows = file.execute("SELECT query, key, vote FROM votes WHERE query != ''").fetchall()
    except sqlite3.Error as error:
        raise SourceError(f"{state}: not the bot's state file ({error}): name the file that STATE names") from error
    search = served(context)
    for vote, figure in (("up", "fitting ones in the top 10"), ("down", "unfitting ones in the top 10")):
        if found := [key in search(query)[:10] for query, key, given in rows if given == vote]:
            yield mean_of(figure, found, Data("votes", f"votes in {state.name}", "users"))


def index_recall(context: EvaluationContext) -> Figures:
    """What Annoy finds of the exact ten nearest."""
    vectors = context.index.vectors[:: max(1, len(context.index) // 1000)]
    data = Data("index", "phrases as queries", "in the index")
    yield mean_of("recall@10 of the index", context.index.recall(vectors), data)

"""What people type beside meanings: idioms themselves, parts of them, their opposites, emoji."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key, script_language
from bot.search.relations import NONE
from bot.search.text import words
from pipeline.data.sources import DATA
from pipeline.evaluation.context import SEED, EvaluationContext
from pipeline.evaluation.metrics import Data, Figures, mean_of

POLARITY, REBUSES = DATA / "queries/polarity.jsonl", DATA / "queries/rebuses.jsonl"

_RUNS = 1000
_CONTENT = 4  # Letters from which a word of an idiom counts as telling something.
_ALL = 100_000  # More matches than a collection has.


def counterparts(context: EvaluationContext) -> Figures:
    """Idioms typed as they stand: whether one that the collection calls equivalent is among the first three."""
    engine = context.engine
    curated = engine.artifacts.relations.curated
    found: dict[str, list[bool]] = defaultdict(list)
    for row, phrase in enumerate(engine.phrases):
        keys = {engine.phrases[entry].key for entry in curated[row].tolist() if entry != NONE}
        others = [code for code in engine.languages if code != phrase.language]
        for scope, languages in (("all languages", None), ("the other language", others)) if keys else ():
            shown = engine.search(phrase.text, 3, languages)
            found[scope].append(any(match.phrase.key in keys for match in shown))
    for scope, flags in found.items():
        data = Data(f"named-{scope.split()[0]}", f"idioms with an equivalent, asked among {scope}", "in the index")
        yield mean_of("an equivalent in the top 3", flags, data)


def runs(context: EvaluationContext) -> Figures:
    """Two content words in a row of an idiom: any idiom that has them in a row is right."""
    holders: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for phrase in context.engine.phrases:
        for text in (phrase.text, *phrase.variants):
            for run in _content_runs(text):
                holders[run].add(phrase.key)
    long = [phrase for phrase in context.engine.phrases if len(_content_runs(phrase.text)) > 1]
    rng = random.Random(SEED)
    drawn = [rng.choice(_content_runs(phrase.text)) for phrase in rng.sample(long, min(_RUNS, len(long)))]
    found = [
        any(match.phrase.key in holders[run] for match in context.engine.search(" ".join(run), 5)) for run in drawn
    ]
    if found:
        yield mean_of("its idiom in the top 5", found, Data("runs", "two words of an idiom", "in the index"))


def _content_runs(text: str) -> list[tuple[str, ...]]:
    """The parts of a text from a content word to the next one."""
    tokens = words(text)
    places = [place for place, word in enumerate(tokens) if len(word) >= _CONTENT]
    return [tuple(tokens[one : other + 1]) for one, other in pairwise(places)]


def polarity(context: EvaluationContext, path: Path = POLARITY) -> Figures:
    """Whether the right idiom stands before the one that says the contrary."""
    engine = context.engine
    for split in ("tuning", "report"):
        pairs: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for row in _rows(path, split):
            language = script_language(row["gold"])
            keys = phrase_key(language, row["gold"]), phrase_key(language, row["opposite"])
            if all(map(engine.phrase, keys)):
                pairs[script_language(row["query"])].append((row["query"], *keys))
        for language, asked in pairs.items():
            data = Data(f"polarity-{language}-{split}", f"minimal pairs, {language}, {split}", split)
            for system, one in context.engines.items():
                yield mean_of("right before opposite", [_before(one, *pair) for pair in asked], data, system)


def _before(engine: SearchEngine, query: str, right: str, opposite: str) -> bool:
    phrase = engine.phrase(right)
    matches = engine.answer(query, _ALL, [phrase.language] if phrase else None, anyway=True).matches
    places = {match.phrase.key: place for place, match in enumerate(matches)}
    return places.get(right, _ALL) < places.get(opposite, _ALL)


def rebuses(context: EvaluationContext, path: Path = REBUSES) -> Figures:
    """Idioms written in emoji: over the whole collection."""
    for split in ("tuning", "report"):
        found = []
        for row in _rows(path, split):
            right = {phrase_key(script_language(text), text) for text in (row["gold"], *row.get("also", ()))}
            found.append(any(match.phrase.key in right for match in context.engine.search(row["query"], 10)))
        if found:
            yield mean_of("R@10", found, Data(f"rebuses-{split}", f"emoji rebuses, {split}", split))


def _rows(path: Path, split: str) -> Iterator[Mapping[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if (row := json.loads(line))["split"] == split:
            yield row

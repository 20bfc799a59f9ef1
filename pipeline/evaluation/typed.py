"""What people type that a bag of words mistakes: the contrary, and riddles of emoji."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key, script_language
from pipeline.data.sources import DATA
from pipeline.evaluation.context import EvaluationContext
from pipeline.evaluation.metrics import Data, Figures, mean_of

POLARITY, REBUSES = DATA / "queries/polarity.jsonl", DATA / "queries/rebuses.jsonl"

_DEEP = 1000  # Matches that are looked at; to read all phrases for each query takes minutes.


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
    matches = engine.answer(query, _DEEP, [phrase.language] if phrase else None, anyway=True).matches
    places = {match.phrase.key: place for place, match in enumerate(matches)}
    return places.get(right, _DEEP) < places.get(opposite, _DEEP)


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

"""The weights of the fused score, fitted to queries whose right answers are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bot.search.artifacts import Artifacts
from bot.search.engine import SearchEngine
from bot.search.phrases import script_language
from bot.search.rank.fusion import Fusion
from pipeline.data.queries import Asked

_WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0)  # of the reader, beside 1 of the table
_DEPTH = 10  # Answers that are looked at.
_FEWEST = 50  # Queries of a language; with fewer its weight stays as it is.


def fitted_fusion(artifacts: Artifacts, queries: Sequence[Asked]) -> Fusion:
    """The fusion with the reader's weight, for each language of queries, that has the best mean reciprocal rank."""
    fusion, known = artifacts.fusion, {phrase.key for phrase in artifacts.phrases}
    queries = [query for query in queries if not known.isdisjoint(query[1])]
    spoken = {script_language(text) for text, _, _ in queries}
    engines = [
        SearchEngine(replace(artifacts, fusion=replace(fusion, reading=dict.fromkeys(spoken, weight))))
        for weight in _WEIGHTS
    ]
    ranks: dict[str, list[list[float]]] = defaultdict(list)
    for text, right, language in queries:
        answers = (engine.answer(text, _DEPTH, [language], anyway=True).matches for engine in engines)
        found = ([match.phrase.key in right for match in matches] for matches in answers)
        ranks[script_language(text)].append([1 / (hits.index(True) + 1) if any(hits) else 0.0 for hits in found])
    best = {code: _WEIGHTS[int(np.mean(rows, axis=0).argmax())] for code, rows in ranks.items() if len(rows) >= _FEWEST}
    return replace(fusion, reading={**fusion.reading, **best})

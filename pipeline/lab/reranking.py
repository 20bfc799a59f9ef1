"""What a cross-encoder is worth to the bot: behind its engine, and to editors who link idioms of two languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from sklearn.metrics import roc_auc_score
from tqdm import tqdm

from bot.search.artifacts import Artifacts
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase, script_language
from pipeline.data.queries import Asked, own_queries, tuning_queries
from pipeline.data.sources import DATA, folded
from pipeline.evaluation.metrics import Values, retrieval
from pipeline.evaluation.sentences import components
from pipeline.index.relations import named
from pipeline.lab.measuring import labels
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab
from pipeline.lab.splits import Pair, Several, mined, sampled, texts_of
from pipeline.train.regression import encode_all

DEEP = 50
"""Phrases of an answer that are read; those below stay where they are."""
SCENES, QUERIES, LINKED = 6_000, 100, 1_000
"""Scenes that are trained on, each with rivals; queries of a set that are measured; pairs of equivalents, too."""
_HELD_OUT = 12
_RIVALS = slice(1, 12)  # places of the engine's answer to a scene from which wrong ones are taken
_SMOOTHING = 60  # of reciprocal ranks, as their inventors took it

Score = Callable[[Sequence[Pair]], Values]


def asked(lab: Lab, phrases: Sequence[Phrase]) -> dict[str, list[Asked]]:
    """Queries of the repository, and those of strangers where the folders of data have them."""
    queries = {"dev": tuning_queries(DATA / "queries/dev_queries.jsonl")}
    paths = [folder / "strangers/en_definitions.jsonl" for folder in lab.data.folders]
    for path in [path for path in paths if path.is_file()][:1]:  # a folder that the user names wins
        queries["strangers'"] = own_queries(path, phrases)
    return queries


def scenes(lab: Lab, engine: SearchEngine, phrases: Sequence[Phrase]) -> tuple[list[Several], list[Several]]:
    """English scenes beside the meaning of their phrase, and beside those of others that the engine finds near.

    The second list is held out: phrases with all their scenes.
    """
    told = [Pair(scene, phrase.key, 1) for phrase in phrases for scene in phrase.scenes if _is_read(phrase, scene)]
    told = sampled(told, lab.rows(SCENES))
    keys = list(dict.fromkeys(key for _, key, _ in told))
    held_out = set(keys[: max(1, len(keys) // _HELD_OUT)])
    parts: tuple[list[Several], list[Several]] = ([], [])
    for scene, key, _ in told:
        right, near = engine.phrase(key), [match.phrase for match in engine.answer(scene, 12, anyway=True).matches]
        rivals = [one.meaning_in("en") for one in near[_RIVALS] if one.key != key and one.meaning_in("en")]
        if right and rivals:
            parts[key in held_out].append(Several(scene, right.meaning_in("en"), rivals))
    return parts


def _is_read(phrase: Phrase, scene: str) -> bool:
    return bool(phrase.meaning_in("en")) and script_language(scene) == "en"


def rerank(
    findings: Findings, engine: SearchEngine, sets: Mapping[str, Sequence[Asked]], readers: Sequence[Score]
) -> None:
    """Measure the engine's order, the readers' (one of each seed), and both by the sum of reciprocal ranks.

    The sum is that of Cormack, Clarke and Buettcher (2009), "Reciprocal rank fusion".
    """
    for name, queries in sets.items():
        found, right = answered(engine, queries, DEEP)
        before = retrieval(right)
        systems: dict[str, list[dict[str, Values]]] = {"engine": [before], "cross-encoder": [], "both": []}
        for read in readers:
            pairs = zip(tqdm(queries, desc=name, unit=" queries"), found, strict=True)
            orders = [_orders(read, text, answer) for (text, *_), answer in pairs]
            for system, column in (("cross-encoder", 0), ("both", 1)):
                sorted_ = [[row[place] for place in order[column]] for row, order in zip(right, orders, strict=True)]
                systems[system].append(retrieval(sorted_))
        for system, seeds in systems.items():
            for figure in ("P@1", "R@10", "MRR"):
                findings.mean(name, system, figure, np.array([one[figure] for one in seeds]))
            if system != "engine":
                gained = np.array([one["MRR"] - before["MRR"] for one in seeds])
                findings.mean(name, f"{system} minus engine", "MRR", gained)


def answered(engine: SearchEngine, queries: Sequence[Asked], count: int) -> tuple[list[list[Phrase]], list[list[bool]]]:
    """The phrases that an engine finds for each query, at most `count`, best first, and which of them are right."""
    found = [
        [match.phrase for match in engine.answer(text, count, (language,), anyway=True).matches]
        for text, _, language in queries
    ]
    right = [[one.key in keys for one in answer] for answer, (_, keys, _) in zip(found, queries, strict=True)]
    return found, right


def _orders(read: Score, text: str, found: Sequence[Phrase]) -> tuple[list[int], list[int]]:
    """Places of the engine's answer in the order of a reader, and in that of both."""
    if not found:
        return [], []
    scores = read([Pair(text, phrase.meaning_in("en") or phrase.meanings[0], 0) for phrase in found])
    order = np.argsort(-scores, kind="stable")
    places = np.argsort(order, kind="stable")
    both = 1 / (_SMOOTHING + np.arange(len(found))) + 1 / (_SMOOTHING + places)
    return order.tolist(), np.argsort(-both, kind="stable").tolist()


def linked(lab: Lab, artifacts: Artifacts) -> list[Pair]:
    """English meanings of idioms that a person called equivalents, and of others that the bot's table finds near.

    Of the latter, each meaning has the nearest one whose idiom is not linked with its own, even by way of others.
    """
    phrases = artifacts.phrases
    ends = [(row, other) for row, of in enumerate(named(phrases, "equivalent").tolist()) for other in of if other > row]
    pairs = [Pair(phrases[row].meaning_in("en"), phrases[other].meaning_in("en"), 1.0) for row, other in ends]
    pairs = [pair for pair in pairs if all(pair.texts) and folded(pair.first) != folded(pair.second)]
    group_of: dict[str, int] = {}
    for group, pair in zip(components([(*pair.texts, 1) for pair in pairs]).tolist(), pairs, strict=True):
        group_of |= dict.fromkeys(pair.texts, group)
    pairs = sampled(pairs, lab.rows(LINKED))
    near = mined(pairs, encode_all(artifacts.approximator, texts_of(pairs)), 1, 1.0, group_of)
    return [*pairs, *(Pair(pair.first, some[0], 0.0) for pair, some in zip(pairs, near, strict=True) if some)]


def tell_apart(findings: Findings, pairs: Sequence[Pair], systems: Mapping[str, Sequence[Values]]) -> None:
    """Measure how well the scores of systems, those of each seed, tell equivalents from others that are near."""
    true = labels(pairs)
    for system, scores in systems.items():
        findings.metric("equivalents", system, "area under the ROC curve", roc_auc_score, true, np.array(scores))

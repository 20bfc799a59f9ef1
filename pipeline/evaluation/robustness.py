"""What mistyping costs, and whether correct texts are left alone."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from itertools import groupby, islice

import numpy as np

from bot.search.phrases import Phrase
from pipeline.data.queries import ASKED_FOR
from pipeline.data.sources import DATA
from pipeline.evaluation import noise
from pipeline.evaluation.context import SEED, EvaluationContext
from pipeline.evaluation.metrics import Data, Figures, Flags, Measurement, mean_of, metric_of
from pipeline.evaluation.retrieval import DEV, dev_queries, served
from pipeline.index.vocabulary import kept_apart

NOISY = DATA / "queries/dev_noisy.jsonl"

Pair = tuple[str, str, frozenset[str]]  # a query, the same mistyped, and the keys of its right answers

_SENTENCES = {"ru": "tatoeba_rus", "en": "tatoeba_eng"}  # sets of everyday sentences by language
_MOST_SENTENCES = 5000


def mistyped(context: EvaluationContext) -> Figures:
    """The dev queries mistyped by a program: what is found, and how much that is of what the clean ones find."""
    asked, rng = dev_queries(context), random.Random(SEED)
    changes: dict[str, Callable[[str], str]] = {
        "typos": lambda text: noise.typo(text, rng),
        "wrong layout": noise.layout,
        "Latin letters": lambda text: noise.translit(text, rng),
    }
    for name, change in changes.items():
        for language in ("ru",) if name == "Latin letters" else asked[0].texts:
            pairs = [(query.texts[language], change(query.texts[language]), query.right) for query in asked]
            data = Data(f"dev-{language}-mistyped", f"{DEV}, {language}, mistyped", "dev")
            yield from _kept(context, pairs, name, data)


def mistyped_by_people(context: EvaluationContext) -> Figures:
    """Noisy versions of some Russian dev queries, written by hand."""
    asked = {query.number: query for query in dev_queries(context)}
    rows = [json.loads(line) for line in NOISY.read_text(encoding="utf-8").splitlines()]
    for name, group in groupby(rows, lambda row: row["type"]):
        pairs = [(asked[row["id"]].texts["ru"], row["query"], asked[row["id"]].right) for row in group]
        yield from _kept(context, pairs, name, Data("dev-ru-noisy", "noisy queries by hand, ru", "dev"))


def _kept(context: EvaluationContext, pairs: Sequence[Pair], name: str, data: Data) -> Figures:
    search = served(context, ASKED_FOR)
    clean = np.array([not right.isdisjoint(search(text)[:10]) for text, _, right in pairs])
    noisy = np.array([not right.isdisjoint(search(text)[:10]) for _, text, right in pairs])
    yield mean_of(f"R@10, {name}", noisy, data)
    if clean.any():
        yield metric_of(f"share kept, {name}", _ratio, clean, noisy, data)


def _ratio(clean: Flags, noisy: Flags) -> float:
    return float(noisy.sum() / max(1, clean.sum()))


def own_text(context: EvaluationContext) -> Figures:
    """Whether an idiom's own text finds it, as it stands and with one typo."""
    rng = random.Random(SEED)
    yield _finds(context, "own text finds it first", lambda phrase: phrase.text, 1)
    yield _finds(context, "with one typo, in the top 3", lambda phrase: noise.one_typo(phrase.text, rng))


def misremembered(context: EvaluationContext) -> Figures:
    """Whether a changed text finds its idiom among the first three."""
    rng = random.Random(SEED)
    order, ending = "with another order of words, in the top 3", "with another ending of a word, in the top 3"
    yield _finds(context, order, lambda phrase: noise.other_order(phrase.text, rng))
    yield _finds(context, "with capital letters, in the top 3", lambda phrase: phrase.text.upper())
    yield _finds(context, ending, lambda phrase: noise.other_ending(phrase, rng))


def counterparts(context: EvaluationContext) -> Figures:
    """Whether an idiom's own text also finds what a person judged to be said in another language instead."""
    engine = context.engine
    asked = [
        (phrase, {one.key for one in engine.equivalents(phrase.key) if one.curated and one.key})
        for phrase in engine.phrases
    ]
    data = Data("own-text-counterparts", "phrases with a counterpart", "in the index")
    for name, others in {"": False, ", other languages searched": True}.items():
        found = [
            not keys.isdisjoint(
                match.phrase.key
                for match in engine.search(phrase.text, 3, {*engine.languages} - {phrase.language} if others else None)
            )
            for phrase, keys in asked
            if keys
        ]
        yield mean_of(f"a counterpart in the top 3{name}", found, data)


def parts(context: EvaluationContext) -> Figures:
    """Whether two words in a row find, among the first five, an idiom that has them."""
    rng = random.Random(SEED)
    asked = [part for phrase in context.engine.phrases if (part := noise.part(phrase.text, rng))]
    found = [any(match.phrase.has(part) for match in context.engine.search(part, 5)) for part in asked]
    yield mean_of("a part of it, in the top 5", found, Data("parts", "phrases of three long words", "in the index"))


def _finds(context: EvaluationContext, figure: str, change: Callable[[Phrase], str], count: int = 3) -> Measurement:
    found = [
        any(match.phrase.key == phrase.key for match in context.engine.search(change(phrase), count))
        for phrase in context.engine.phrases
    ]
    return mean_of(figure, found, Data("own-text", "all phrases", "in the index"))


def false_corrections(context: EvaluationContext) -> Figures:
    """Correct texts that are changed before the search: none should be."""
    asked = dev_queries(context)
    for language in asked[0].texts:
        sentences = (text for text in context.data.texts(_SENTENCES[language]) if kept_apart(text))
        everyday = Data(f"correct-everyday-{language}", f"everyday sentences, {language}", "held out")
        dev = Data(f"correct-dev-{language}", f"{DEV}, {language}", "dev")
        for data, texts in ((dev, (query.texts[language] for query in asked)), (everyday, sentences)):
            repaired = [context.engine.analyse(text).repaired for text in islice(texts, _MOST_SENTENCES)]
            yield mean_of("repaired though correct", repaired, data)

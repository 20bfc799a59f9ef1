"""The reverse dictionary: words that people described, found by the engine as if they were idioms of a collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase, phrase_key
from bot.search.relations import Relations
from bot.search.retrieve.ann import AnnIndex
from bot.search.retrieve.lexical import gloss_index, wording_index
from bot.search.retrieve.parts import parts_index
from pipeline.data.sources import DataFolder, folded
from pipeline.evaluation.baselines import Cosine
from pipeline.evaluation.context import EvaluationContext, Vectors
from pipeline.evaluation.metrics import DEPTH, SYSTEM, Data, Figures
from pipeline.evaluation.retrieval import Search, figures, over
from pipeline.index.vectors import phrase_vectors

_SETS = {"hill": ("reverse_hill", "Hill and others 2016"), "thorat": ("reverse_rd16", "Thorat and Choudhari 2016")}
_ENDINGS = [("ies", "y"), ("es", "e"), ("es", ""), ("s", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")]
_ENDINGS += [("er", ""), ("er", "e"), ("est", ""), ("est", "e"), ("ally", "al"), ("ly", "")]


def reverse_dictionary(context: EvaluationContext) -> Figures:
    """A person's description must find its word among the words of its set, known by their WordNet definitions.

    The words become a collection of phrases: the same sum of the approximator's vectors, the same search
    by wording, no number of them chosen on these sets.
    """
    glosses = _glosses(context.data)
    for short, (name, authors) in _SETS.items():
        words, texts = zip(*context.data.reverse_dictionary(name), strict=True)
        phrases = [entry(word, glosses) for word in dict.fromkeys(map(str.lower, words))]
        vectors = phrase_vectors(phrases, context.artifacts.approximator, context.recipe)
        title = f"human descriptions of {authors}, over the set's own {len(phrases)} words"
        data = Data(f"reverse-{short}", title, "test")
        right = [frozenset([phrase_key("en", word)]) for word in words]
        searches = {SYSTEM: _served(context, phrases, vectors)}
        searches[f"{SYSTEM}, meanings alone"] = over(phrases, Cosine(context.encode, vectors))
        for system, search in searches.items():
            yield from figures(context, search, texts, right, data, system)


def _glosses(data: DataFolder) -> dict[str, list[str]]:
    """Definitions by folded word."""
    found: dict[str, list[str]] = {}
    for members, gloss in data.glosses("oewn_glosses"):
        for member in members.split(", "):
            found.setdefault(folded(member), []).append(gloss)
    return found


def entry(word: str, glosses: Mapping[str, Sequence[str]]) -> Phrase:
    """A word with its definitions; an inflected one has those of the word that it is a form of.

    The endings are those of WordNet's Morphy (Fellbaum 1998), and two that make adverbs.
    """
    forms = [word, *(word.removesuffix(old) + new for old, new in _ENDINGS if word.endswith(old))]
    known = next((form for form in forms if form in glosses), word)
    return Phrase(word, "en", tuple(glosses.get(known, (word,))))


def _served(context: EvaluationContext, phrases: Sequence[Phrase], vectors: Vectors) -> Search:
    """The engine with these phrases for its collection, by words alone; it refuses nothing."""
    artifacts = replace(
        context.artifacts,
        phrases=phrases,
        index=AnnIndex.build(vectors, context.recipe.trees, context.recipe.search_k, context.recipe.seed),
        wording=wording_index(phrases),
        parts=parts_index(phrases),
        glosses=gloss_index(phrases),
        relations=Relations.of(phrases),
        reader=None,
        readings=None,
    )
    engine = SearchEngine(artifacts)
    return lambda text: [match.phrase.key for match in engine.answer(text, DEPTH, anyway=True).matches]

"""Parts of idioms: the phrases that have every word of a query, each in any of its forms."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search.phrases import Phrase
from bot.search.retrieve.lexical import LexicalIndex, Places
from bot.search.text import words

_TABLE = tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8")).values()
_ENDINGS = {ending for language in _TABLE for ending in language["endings"].split()}
_GROUPS = [group.split() for language in _TABLE for group in language["irregular"]]
_IRREGULAR = {form: group[:1] for group in _GROUPS for form in group}
_LONGEST = max(map(len, _ENDINGS))
_KEPT = 20_000  # Words whose roots are kept in memory.
_STEM = 2  # Letters that a word keeps at least.
_NO_WORD = 40  # Letters beyond which a word is nonsense.
_MAY_LACK = 0.07  # Share of a query's weight.
_TELLS = 0.1  # Share of it from which a word tells much.
_NOWHERE: Places = np.zeros(0, np.int64)


@lru_cache(_KEPT)
def roots(word: str) -> frozenset[str]:
    """What the forms of a folded word have in common: all that may be left of it without its endings."""
    if len(word) > _NO_WORD:
        return frozenset([word])
    sizes = range(1, min(_LONGEST, len(word) - _STEM) + 1)
    shorter = [word[:-size] for size in sizes if word[-size:] in _ENDINGS]
    return frozenset(chain(_IRREGULAR.get(word, ()), *map(roots, shorter))) or frozenset([word])


def parts_index(phrases: Sequence[Phrase]) -> LexicalIndex:
    """The roots of the words of phrases, and of their variants as alternatives."""
    variants = [(row, _terms(variant)) for row, phrase in enumerate(phrases) for variant in phrase.variants]
    return LexicalIndex.build([_terms(phrase.text) for phrase in phrases], variants, common=1)


def covering(parts: LexicalIndex, weights: Mapping[str, float]) -> Places:
    """The rows of the phrases that have all of two or more words, or two that tell much and all but little of the rest.

    `weights` says how much each folded word of a query tells.
    """
    whole = sum(weights.values())
    places, held, telling, lacking = _NOWHERE, 0, 0, 0.0
    for word, weight in sorted(weights.items(), key=itemgetter(1), reverse=True):
        spans = [parts.postings(root) for root in roots(word)]
        having = np.concatenate([places[_held(span, places)] for span in spans] if held else spans)
        if len(having):
            places, held, telling = having, held + 1, telling + (weight > _TELLS * whole)
        else:
            lacking += weight
        if lacking > _MAY_LACK * whole:
            return _NOWHERE
    return parts.items_at(places) if telling > 1 or (held > 1 and not lacking) else _NOWHERE


def _held(span: Places, places: Places) -> npt.NDArray[np.bool_]:
    """Which of some places a rising span has."""
    if not len(span):
        return np.zeros(len(places), np.bool_)
    return np.asarray(span[np.minimum(np.searchsorted(span, places), len(span) - 1)] == places)


def _terms(text: str) -> list[str]:
    return [root for word in words(text) for root in sorted(roots(word))]

"""Parts of idioms: the phrases that have every word of a query, each in any of its forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from bot.search.forms import roots
from bot.search.phrases import Phrase
from bot.search.retrieve.lexical import LexicalIndex, Places
from bot.search.text import words

_MAY_LACK = 0.07  # Share of a query's weight.
_TELLS = 0.1  # Share of it from which a word tells much.
_NOWHERE: Places = np.zeros(0, np.int64)


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

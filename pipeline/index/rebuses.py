"""Which emoji picture which words of the phrases: by dictionary forms, so that 🐷 pictures "pigs"."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import log

import numpy as np

from bot.search.phrases import Phrase
from bot.search.retrieve.rebus import Rebuses
from bot.search.text import words
from pipeline.data.emoji import Pictures
from pipeline.index.lemmas import Lemmas

_PART = 3  # Letters of a part of a compound at least.

Forms = list[tuple[str, ...]]  # The dictionary forms that each word of a text may be of.
Strengths = Mapping[str, float]  # Emoji that picture a word, and how surely.


def rebuses(phrases: Sequence[Phrase], pictures: Pictures, lemmas: Mapping[str, Lemmas]) -> Rebuses:
    """Index what emoji picture in the phrases and their variants."""
    picturing = _picturing(pictures, lemmas)
    texts = [*_texts(phrases, picturing, lemmas)]
    rarity = _rarity(forms for _, _, forms in texts)
    owners: list[int] = []
    places: list[int] = []
    shares: list[float] = []
    found: dict[str, dict[int, float]] = defaultdict(dict)
    telling: Counter[str] = Counter()  # The texts that an emoji pictures a word of.
    for row, language, forms in texts:
        pictured = [_surest(picturing[language].get(form, {}) for form in word) for word in forms]
        whole, seen = sum(rarity[word[0]] for word in forms), set(chain.from_iterable(pictured))
        telling.update(seen)
        for word, strengths in zip(forms, pictured, strict=True):
            for emoji, strength in strengths.items():
                found[emoji][len(shares)] = strength
            if strengths:
                places.append(len(owners))
                shares.append(rarity[word[0]] / whole)
        owners += [row] if seen else []
    known = sorted(found)
    return Rebuses(
        items=len(phrases),
        owners=np.array(owners, np.min_scalar_type(len(phrases))),
        texts=np.array(places, np.min_scalar_type(len(owners))),
        shares=np.array(shares, np.float32),
        emoji=known,
        weights=np.array([log(1 + len(texts) / telling[one]) for one in known], np.float32),
        bounds=np.cumsum([0, *(len(found[one]) for one in known)]),
        pictured=np.array([place for one in known for place in found[one]], np.min_scalar_type(len(shares))),
        strengths=np.array([round(255 * sure) for one in known for sure in found[one].values()], np.uint8),
    )


def _picturing(pictures: Pictures, lemmas: Mapping[str, Lemmas]) -> dict[str, dict[str, Strengths]]:
    """By language and dictionary form."""
    having: dict[str, dict[str, list[Strengths]]] = {language: defaultdict(list) for language in lemmas}
    for emoji, described in pictures.items():
        for language in having.keys() & described.keys():
            for word, strength in described[language].items():
                for form in lemmas[language](word):
                    having[language][form].append({emoji: strength})
    return {language: {form: _surest(of) for form, of in forms.items()} for language, forms in having.items()}


def _surest(several: Iterable[Strengths]) -> Strengths:
    surest: dict[str, float] = {}
    for strengths in several:
        for emoji, strength in strengths.items():
            surest[emoji] = max(strength, surest.get(emoji, 0.0))
    return surest


def _texts(
    phrases: Sequence[Phrase], picturing: Mapping[str, Mapping[str, Strengths]], lemmas: Mapping[str, Lemmas]
) -> Iterator[tuple[int, str, Forms]]:
    """The row, the language and the words of each wording of a phrase, then of it with compounds in their parts."""
    for row, phrase in enumerate(phrases):
        language = phrase.language
        for text in phrase.names if language in lemmas else ():
            forms = [lemmas[language](word) for word in words(text)]
            yield row, language, forms
            parted = [*chain.from_iterable(_parts(word, picturing[language]) for word in forms)]
            if len(parted) > len(forms):
                yield row, language, parted


def _parts(word: tuple[str, ...], known: Mapping[str, Strengths]) -> Forms:
    """A compound of two known words as these, "nut" and "shell"; any other word alone."""
    cuts = ((form[:place], form[place:]) for form in word for place in range(_PART, len(form) - _PART + 1))
    return next(([(one,), (other,)] for one, other in cuts if one in known and other in known), [word])


def _rarity(texts: Iterable[Forms]) -> dict[str, float]:
    """The inverse document frequency of the likeliest form of each word."""
    first = [{word[0] for word in forms} for forms in texts]
    return {form: log(1 + len(first) / count) for form, count in Counter(chain.from_iterable(first)).items()}

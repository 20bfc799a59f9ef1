"""The vocabulary by which queries are corrected: every word that there is to read, and how often."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2s
from itertools import chain, permutations

from bot.search.phrases import Phrase, texts_of
from bot.search.text import fold, words
from bot.search.understand.layout import ALPHABETS, other_layouts
from bot.search.understand.transliteration import russian_readings
from bot.search.understand.vocabulary import ENDING, Vocabulary
from pipeline.data.sources import DataFolder, folded
from pipeline.index.lemmas import forms

_TEXT_WEIGHT = 20  # What a word of a text counts, where one of the subtitles counts 1: they are fifty times as many.
_ONE_SCRIPT = re.compile("|".join(f"[{letters}]+" for letters in ALPHABETS.values()))
_STEM = 3  # Letters that a word keeps at least when it is inflected.
# A word of the English lists is a mistake when its Russian reading is so many times as frequent ("ns" for "ты"), and
# proves nothing when it is that short and that rare.
_MISTYPED, _ABBREVIATED = 300, 200
# A change of ending is inflection when at least this share of the words and this many words have both forms.
_USUAL, _SEEN = 0.02, 5


def kept_apart(text: str) -> bool:
    """Whether a text, one of 25, stays out of the vocabulary to measure that correct texts are not changed."""
    return blake2s(folded(text).encode(), digest_size=1).digest()[0] < 10


def vocabulary(texts: Iterable[str], phrases: Sequence[Phrase], data: DataFolder) -> Vocabulary:
    """The words of the frequency lists, of the phrases and of all texts that are not kept apart."""
    read = (text for text in chain(texts, _more_texts(data)) if not kept_apart(text))
    listed = chain.from_iterable(data.frequencies(f"frequency_{language}") for language in ALPHABETS)
    known = _counted(chain(read, _texts(phrases)), listed)
    meant = {word: count for word, count in known.items() if not word.isascii() or _is_english(word, known)}
    return Vocabulary.build(meant, inflections(meant))


def inflected(known: Vocabulary, data: DataFolder) -> Vocabulary:
    """The vocabulary with the forms of its words that no text had: they are rare, but no typos."""
    return known.merged(Vocabulary.build(dict.fromkeys(forms(known, data), 1.0)))


def phrase_vocabulary(phrases: Sequence[Phrase]) -> Vocabulary:
    """The words of the phrases alone."""
    return Vocabulary.build(_counted(_texts(phrases)))


def inflections(known: Iterable[str]) -> dict[str, int]:
    """How many of the words have both endings of each usual change, such as "ами>ам"."""
    endings: dict[str, list[str]] = defaultdict(list)
    for word in known:
        for size in (ENDING - 1, ENDING):
            if len(word) - size >= _STEM:
                endings[word[:-size]].append(word[-size:])
    having = Counter(chain.from_iterable(endings.values()))
    changes = Counter(chain.from_iterable(permutations(forms, 2) for forms in endings.values()))
    return {
        f"{one}>{other}": count
        for (one, other), count in changes.items()
        if ENDING in (len(one), len(other)) and count >= max(_SEEN, _USUAL * having[one])
    }


def _is_english(word: str, known: Mapping[str, int]) -> bool:
    """Whether a word of Latin letters is neither a rare abbreviation nor Russian on the wrong layout or in Latin."""
    if len(word) < 4 and known[word] < _ABBREVIATED:
        return False
    readings = [*other_layouts(word, "en"), *russian_readings(word, 0)]
    return _MISTYPED * known[word] > max(known.get(fold(reading), 0) for reading in readings)


def _counted(texts: Iterable[str], listed: Iterable[tuple[str, int]] = ()) -> dict[str, int]:
    """How often each word of one script occurs in the texts, times their weight, and in counted lists."""
    counts: Counter[str] = Counter()
    for text, count in chain(((text, _TEXT_WEIGHT) for text in texts), listed):
        for word in words(text):
            counts[word] += count
    return {word: count for word, count in counts.items() if _ONE_SCRIPT.fullmatch(word)}


def _texts(phrases: Sequence[Phrase]) -> Iterator[str]:
    return (text.text for phrase in phrases for text in texts_of(phrase))


def _more_texts(data: DataFolder) -> Iterator[str]:
    """Russian texts that train nothing, those that this machine has: an English teacher cannot use them."""
    for one, other, _ in data.judged_pairs("ru_paraphraser"):
        yield from (one, other)
    for name in ("tatoeba_rus", "axolotl_examples"):
        if data.has(name):
            yield from data.texts(name)
    if data.has("axolotl_glosses"):
        yield from chain.from_iterable(data.glosses("axolotl_glosses"))

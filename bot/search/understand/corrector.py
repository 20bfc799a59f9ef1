"""Correction of queries: the other keyboard layout, Russian in Latin letters, repeated letters, typos.

A query of known words is left as it is. Otherwise the words of each script are read in every way that the keys allow,
the reading with the most frequent words wins, and a word that is still unknown becomes its likeliest neighbour.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest
from operator import attrgetter
from typing import NamedTuple

from bot.search.text import fold
from bot.search.understand.edits import misheard, neighbours
from bot.search.understand.layout import ALPHABETS, other_layouts
from bot.search.understand.transliteration import WRITTEN_IN, russian_readings
from bot.search.understand.vocabulary import UNSEEN, Vocabulary

# Scores are log frequencies (see vocabulary) less costs in the same steps. They were tuned on the development queries
# and on sentences that are correct.
_UNKNOWN, _NONSENSE = -60, -200  # Of an unknown word, and of what is no word at all.
_LETTER = 15  # What each letter of a known word proves at most.
_SWITCH, _STAY = 45, 45  # What it costs to read a script's words otherwise, and to leave one of them as typed then.
_UNUSUAL = 30  # What each unusual choice of a transliteration costs.
_MOST_READINGS = 100  # Transliterations of a word with two unusual choices that are tried.
_LIKELY = {4: 75, 5: 62, 6: 45, 7: 30}  # Score from which a neighbour is meant, by the letters of the word;
_LIKELY_LONG = 15  # of a longer one.
_LONGEST = 24  # Letters; nobody mistypes a longer word into one that is known.
_COMMON = 80  # Log frequency from which all forms of a word are known, so that an unknown one is a typo.
_REPEATED, _GLUED = 5, 75  # What it costs to take repeated letters for one or two, and to part "не" from a word.

_LEFT_ALONE = r"""«[^»]*»|“[^”]*”|"\w[^"]*\w"|(?<!\S)\S*?(?:[0-35789]|@\w|://)\S*"""
_BETWEEN = re.compile(rf"({_LEFT_ALONE}|\s+)")
_WORD_LIKE = re.compile(r"\W*\w+(?:['-]\w+)*\W*")
_TRANSLITERATED = re.compile(r"[A-Za-z46'`]+")
_SPELLABLE = re.compile("|".join(f"[{letters}]{{4,{_LONGEST}}}" for letters in ALPHABETS.values()))
_REPEATED_LETTER = re.compile(r"(.)\1{2,}")
_WORD = re.compile(r"\w+")


class Reading(NamedTuple):
    """One way to read what was typed, and how likely it is."""

    score: int
    text: str


_BY_SCORE = attrgetter("score")


class Corrector:
    """Corrects queries by a vocabulary. Reading only, so threads may share it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def correct(self, text: str, tokens: Sequence[str]) -> str:
        """The text that was most likely meant; `text` itself when its words are known or nothing better is.

        `tokens` are the folded words of the text.
        """
        if self._score(tokens) > 0 and any(len(token) > 3 for token in tokens):
            return text
        composed = unicodedata.normalize("NFC", text).strip()
        parts = _BETWEEN.split(composed)
        words, between = self._likeliest(parts[::2]), parts[1::2]
        correct = [
            word if score > 0 else self._spelled(word, names=place > 0) for place, (score, word) in enumerate(words)
        ]
        corrected = "".join(word + space for word, space in zip_longest(correct, between, fillvalue=""))
        return text if corrected == composed else corrected

    def _score(self, tokens: Sequence[str]) -> int:
        """How frequent the rarest of some folded words is."""
        letters = [token for token in tokens if token.isalpha()]
        known = (min(self._vocabulary.log_frequency(token), _LETTER * len(token)) for token in letters)
        return min((score or _UNKNOWN for score in known), default=_UNKNOWN)

    def _readings(self, texts: Sequence[str]) -> list[Reading]:
        """The texts, none of which has a line break, with their scores; folded at once, which is fastest."""
        folded = fold("\n".join(texts)).split("\n")
        return [Reading(self._score(_WORD.findall(one)), text) for one, text in zip(folded, texts, strict=False)]

    # Words of one script together

    def _likeliest(self, texts: Sequence[str]) -> list[Reading]:
        """The texts as they were typed or as they are read best, all of one script in the same way."""
        read = dict(enumerate(self._readings(texts)))
        languages = [_language(text) for text in texts]
        for language in ALPHABETS.keys() & languages:
            places = [place for place, own in enumerate(languages) if own == language]
            read |= zip(places, self._likeliest_of([read[place] for place in places], language), strict=True)
        return list(read.values())

    def _likeliest_of(self, typed: list[Reading], language: str) -> list[Reading]:
        """What was typed in the letters of one language, as it stands or as it is read best."""
        texts = [text for _, text in typed]
        unknown = sum(score < 0 for score, _ in typed)
        if not unknown and any(len(text) > 3 for text in texts):
            return typed
        best, worth = typed, sum(score for score, _ in typed)
        switched = self._on_other_layout(texts, language)
        if _worth(switched, typed) > worth:
            best, worth = switched, _worth(switched, typed)
        understood = best is switched and 2 * _known(switched) >= len(typed)
        if language == WRITTEN_IN and not understood and 4 * unknown >= len(typed):
            russian = [self._as_russian(text) for text in texts]
            if _known(russian) < len(typed):  # Then typos may be likelier.
                spelled = self._readings([self._spelled(text, names=False) for text in texts])
                worth = max(worth, sum(score for score, _ in spelled))
            if _worth(russian, typed) > worth:
                best = russian
        return [new if new.score > old.score - _STAY else old for new, old in zip(best, typed, strict=True)]

    def _on_other_layout(self, texts: Sequence[str], language: str) -> list[Reading]:
        """The likeliest of what the keys of each text write on another layout."""
        meant = [[one for one in other_layouts(text, language) if _WORD_LIKE.fullmatch(one)] for text in texts]
        read = {reading.text: reading for reading in self._readings([*chain.from_iterable(meant)])}
        nonsense = Reading(_NONSENSE, "")
        return [max((read[one] for one in of_text), default=nonsense, key=_BY_SCORE) for of_text in meant]

    def _as_russian(self, text: str) -> Reading:
        """The text with each run of Latin letters as the Russian word that it stands for."""
        runs = _TRANSLITERATED.findall(text)
        read = [self._russian_word(run.lower()) for run in runs]
        words = iter([_cased(reading.text, run) for reading, run in zip(read, runs, strict=True)])
        return Reading(min(score for score, _ in read), _TRANSLITERATED.sub(lambda _: next(words), text))

    def _russian_word(self, run: str) -> Reading:
        """The likeliest Russian word; two unusual choices are tried only when nothing else is known."""
        for choices in ([0, 1], [2]) if len(run) <= _LONGEST else ():
            readings = [
                Reading(frequency - _UNUSUAL * unusual, word)
                for unusual in choices
                for word in islice(russian_readings(run, unusual), _MOST_READINGS)
                if (frequency := self._vocabulary.log_frequency(word.replace("ё", "е")))
            ]
            if readings:
                score, word = max(readings, key=_BY_SCORE)
                return Reading(max(1, min(score, _LETTER * len(word))), word)
        return Reading(_UNKNOWN, next(russian_readings(run, 0)))

    # Single words

    def _spelled(self, text: str, names: bool) -> str:
        """The text without typos; with `names` a capital begins a name, which is left alone."""
        return _WORD.sub(lambda word: word[0] if names and word[0][0].isupper() else self._word(word[0]), text)

    def _word(self, word: str) -> str:
        """What an unknown word was meant to be, when that is likely."""
        folded = word.lower().replace("ё", "е")
        if not _SPELLABLE.fullmatch(folded) or self._vocabulary.log_frequency(folded):
            return word
        meant = max(self._meant(folded), default=Reading(0, word), key=_BY_SCORE)
        return _cased(meant.text, word) if meant.score >= _LIKELY.get(len(folded), _LIKELY_LONG) else word

    def _meant(self, word: str) -> Iterator[Reading]:
        """The known words that an unknown one may be, none when it seems to be another form of one of them."""
        near = list(neighbours(word, self._vocabulary))
        rare = [other for other, _ in near if UNSEEN < self._vocabulary.log_frequency(other) < _COMMON]
        if any(self._vocabulary.is_inflection(other, word) for other in rare):
            return
        for other, cost in (*near, *misheard(word, self._vocabulary)):
            yield Reading(self._vocabulary.log_frequency(other) - cost, other)
        if word.startswith("не"):
            yield Reading(self._vocabulary.log_frequency(word[2:]) - _GLUED, f"не {word[2:]}")
        if _REPEATED_LETTER.search(word):
            for kept in (r"\1", r"\1\1"):
                shorter = _REPEATED_LETTER.sub(kept, word)
                yield Reading(self._vocabulary.log_frequency(shorter) - _REPEATED, shorter)


def _language(text: str) -> str | None:
    """The language whose letters alone a text has."""
    letters = {letter.lower().replace("ё", "е") for letter in text if letter.isalpha()}
    return next((language for language, own in ALPHABETS.items() if letters and letters <= set(own)), None)


def _known(readings: Sequence[Reading]) -> int:
    return sum(score > 0 for score, _ in readings)


def _worth(readings: Sequence[Reading], typed: Sequence[Reading]) -> int:
    """What it is worth to read typed texts in another way, but for those that are better left as they are."""
    return sum(max(new.score, old.score - _STAY) for new, old in zip(readings, typed, strict=True)) - _SWITCH


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word

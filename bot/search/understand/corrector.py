"""Repair of queries: the other keyboard layout, Russian in Latin letters, repeated letters, typos.

A query of known words is left as it is. Otherwise the words of each script are read in every way that the keys allow,
the reading with the most frequent words wins, and a word that is still unknown becomes its likeliest neighbour.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from bot.search.text import fold, words
from bot.search.understand.edits import inflection, misheard, neighbours
from bot.search.understand.layout import other_layout, russian_readings, unmixed
from bot.search.understand.vocabulary import Vocabulary

__all__ = ["Repairer", "unmixed"]

# Scores are levels of frequency (see vocabulary); they were tuned on the development queries and on
# sentences that are correct.
_UNKNOWN, _NONSENSE = -60, -200  # Of an unknown word, and of what is no word at all.
_LETTER = 15  # What each letter of a known word proves at most.
_SWITCH, _STAY = 45, 45  # What it costs to read a script's words otherwise, and to leave one of them as typed then.
_ODD = 30  # What each odd choice of a transliteration costs.
_MOST_ODD, _MOST_READINGS = 2, 100
_LIKELY = {4: 75, 5: 62, 6: 45, 7: 30}  # Level less cost from which a neighbour is meant, by the letters of the word;
_LIKELY_LONG = 15  # of a longer one.
_LONGEST = 24  # Letters; nobody mistypes a longer word into one that is known.
_COMMON = 80  # From here on all forms of a word are known, so an unknown one is a typo.
_REPEATED, _GLUED = 5, 75  # What it costs to take repeated letters for one or two, and to part "не" from a word.

_LEFT_ALONE = r"""«[^»]*»|“[^”]*”|"\w[^"]*\w"|(?<!\S)\S*?(?:[0-35789]|@\w|://)\S*"""
_PARTS = re.compile(rf"({_LEFT_ALONE}|\s+)")
_SCRIPTS = re.compile("[A-Za-z]+"), re.compile("[А-Яа-яЁё]+")
_WORD_LIKE = re.compile(r"\W*\w+(?:['-]\w+)*\W*")
_TRANSLITERATED = re.compile(r"[A-Za-z46'`]+")
_SPELLABLE = re.compile(rf"[а-я]{{4,{_LONGEST}}}|[a-z]{{4,{_LONGEST}}}")

Reading = tuple[int, str]
"""A score and what was read."""


class Repairer:
    """Repairs queries by a vocabulary. Reading only, so threads may share it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def repair(self, text: str) -> str:
        """The text that was most likely meant; `text` itself when its words are known or nothing better is."""
        if self._score(text) > 0 and re.search(r"\w{4}", text):
            return text
        composed = unicodedata.normalize("NFC", text)
        parts = _PARTS.split(composed)  # What is left alone and spaces at the odd places.
        letters = [re.sub(r"[\W\d_]", "", part) for part in parts]
        latin, cyrillic = (
            [place for place in range(0, len(parts), 2) if script.fullmatch(letters[place])] for script in _SCRIPTS
        )
        self._retype(parts, latin, [self._on_other_layout, self._as_russian])
        self._retype(parts, cyrillic, [self._on_other_layout])
        first = next((place for place, part in enumerate(parts) if part.strip()), 0)
        parts[::2] = [self._spelled(part, names=place > first) for place, part in enumerate(parts)][::2]
        repaired = "".join(parts)
        return text if repaired == composed else repaired

    def _score(self, text: str) -> int:
        """How frequent the text's rarest word is."""
        found = [word for word in words(text) if word.isalpha()]
        levels = self._vocabulary.known(found)
        scores = (min(level, _LETTER * len(word)) or _UNKNOWN for word, level in zip(found, levels, strict=True))
        return min(scores, default=_UNKNOWN)

    # Words of one script together

    def _retype(self, parts: list[str], places: Sequence[int], ways: Sequence[Callable[[str], Reading]]) -> None:
        """Replace the parts at these places, all of one script, by how they are read best."""
        typed = [self._score(parts[place]) for place in places]
        unknown = sum(score < 0 for score in typed)
        if not unknown and any(len(parts[place]) > 3 for place in places):
            return
        best, chosen = sum(typed), list[Reading]()
        for read in ways:
            readings = [read(parts[place]) for place in places]
            total = sum(max(new, old - _STAY) for (new, _), old in zip(readings, typed, strict=True)) - _SWITCH
            if total > best and (read != self._as_russian or total > self._corrected(parts, places, readings)):
                best, chosen = total, readings
            if 2 * sum(score > 0 for score, _ in chosen) >= len(places) or unknown < len(places) / 4:
                break
        for place, (score, text), old in zip(places, chosen, typed, strict=False):
            if score > old - _STAY:
                parts[place] = text

    def _corrected(self, parts: list[str], places: Sequence[int], readings: Sequence[Reading]) -> int:
        """How frequent the words are without typos, where reading them otherwise leaves some unknown."""
        if all(score > 0 for score, _ in readings):
            return _NONSENSE * len(places)
        return sum(self._score(self._spelled(parts[place], names=False)) for place in places)

    def _on_other_layout(self, token: str) -> Reading:
        """The likeliest of what the token's keys write on the other layout."""
        readings = [(self._score(text), text) for text in other_layout(token)]
        return max(readings, key=_score_of) if _WORD_LIKE.fullmatch(readings[0][1]) else (_NONSENSE, token)

    def _as_russian(self, token: str) -> Reading:
        """The token with each run of Latin letters as the Russian word that it stands for."""
        scores: list[int] = []

        def read(run: re.Match[str]) -> str:
            score, text = self._russian_word(run[0].lower())
            scores.append(score)
            return _cased(text, run[0])

        text = _TRANSLITERATED.sub(read, token)
        return min(scores), text

    def _russian_word(self, run: str) -> Reading:
        """The likeliest Russian word; more than one odd choice is tried only when nothing else is known."""
        usual = next(russian_readings(run, 0))
        if len(run) > _LONGEST:
            return _UNKNOWN, usual
        readings = [(usual, 0), *((text, 1) for text in russian_readings(run, 1))]
        for odd in range(2, _MOST_ODD + 2):
            levels = self._vocabulary.frequencies([text.replace("ё", "е") for text, _ in readings]).tolist()
            known = [(level - _ODD * way, text) for level, (text, way) in zip(levels, readings, strict=True) if level]
            if known:
                score, text = max(known, key=_score_of)
                return max(1, min(score, _LETTER * len(text))), text
            readings = [(text, odd) for text in islice(russian_readings(run, odd), _MOST_READINGS)]
        return _UNKNOWN, usual

    # Single words

    def _spelled(self, part: str, names: bool) -> str:
        """The part without typos; with `names` a capital begins a name, which is left alone."""
        return re.sub(r"\w+", lambda word: word[0] if names and word[0][0].isupper() else self._word(word[0]), part)

    def _word(self, word: str) -> str:
        """What an unknown word was meant to be, when that is likely."""
        folded = fold(word)
        if not _SPELLABLE.fullmatch(folded) or self._vocabulary.frequencies([folded])[0]:
            return word
        score, meant = max(self._meant(folded), default=(0, word), key=_score_of)
        return _cased(meant, word) if score >= _LIKELY.get(len(folded), _LIKELY_LONG) else word

    def _meant(self, word: str) -> Iterator[Reading]:
        """The known words that an unknown one may be, none when it seems to be another form of one of them."""
        near = list(neighbours(word, self._vocabulary))
        usual = self._vocabulary.frequencies([inflection(other, word) for other, _, _ in near]).tolist()
        if any(form and level < _COMMON for form, (_, level, _) in zip(usual, near, strict=True)):
            return
        for other, level, cost in (*near, *misheard(word, self._vocabulary)):
            yield level - cost, other
        if word.startswith("не"):
            yield int(self._vocabulary.frequencies([word[2:]])[0]) - _GLUED, f"не {word[2:]}"
        if (once := re.sub(r"(.)\1{2,}", r"\1", word)) != word:
            shorter = [once, re.sub(r"(.)\1{2,}", r"\1\1", word)]
            for other, level in zip(shorter, self._vocabulary.frequencies(shorter).tolist(), strict=True):
                yield level - _REPEATED, other


def _score_of(reading: Reading) -> int:
    return reading[0]


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word

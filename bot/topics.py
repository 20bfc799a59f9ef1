"""What a random draw may be narrowed to: languages and topics, as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.screens import topic_name
from bot.search.phrases import Phrase
from bot.texts import LANGUAGES, Texts, texts_in

_LANGUAGE_WORDS = {"en": ("en", "eng", "english", "английск"), "ru": ("ru", "rus", "russian", "русск")}


class Topics:
    """The topics of a collection."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        """Collect the topics of the phrases."""
        self._keys = sorted({topic for phrase in phrases for topic in phrase.topics})
        self._words = {
            key: [key, *(word for language in LANGUAGES for word in topic_name(texts_in(language), key).split())]
            for key in self._keys
        }

    def read(self, words: Sequence[str]) -> str | None:
        """What is written, as "language.topic" with either part possibly empty; None when no such topic is known."""
        folded = [word.casefold() for word in words]
        language = _language(folded[0]) if folded else ""
        wanted = folded[1:] if language else folded
        topics = [key for key in self._keys if all(_begins(self._words[key], word) for word in wanted)]
        if wanted and not topics:
            return None
        return f"{language}.{topics[0] if wanted else ''}" if folded else ""

    def names(self, texts: Texts) -> list[str]:
        """The names of all topics, in a language."""
        return sorted(topic_name(texts, key) for key in self._keys)


def _language(word: str) -> str:
    for language, (code, *beginnings) in _LANGUAGE_WORDS.items():
        if word == code or word.startswith(tuple(beginnings)):
            return language
    return ""


def _begins(names: Iterable[str], word: str) -> bool:
    # One letter less, because a word may stand in another number or case: чувство, чувства.
    stem = word[:-1] if len(word) > len("слово") else word
    return any(name.startswith(stem) for name in names)

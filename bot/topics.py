"""What a random draw may be narrowed to: languages and topics, as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.screens import topic_name
from bot.search import Phrase
from bot.texts import LANGUAGES, Texts, texts_in

_LANGUAGE_BEGINS = {"en": "en", "ан": "en", "ru": "ru", "ру": "ru"}


class Topics:
    """The topics of a collection."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        """Collect the topics of the phrases."""
        keys = sorted({topic for phrase in phrases for topic in phrase.topics})
        self._names = {key: [key, *(topic_name(texts_in(language), key) for language in LANGUAGES)] for key in keys}

    def read(self, words: Sequence[str]) -> str | None:
        """What is written, as "language.topic" with either part possibly empty; None when no such topic is known."""
        folded = [word.casefold() for word in words]
        languages = [_LANGUAGE_BEGINS[word[:2]] for word in folded[:1] if word[:2] in _LANGUAGE_BEGINS]
        wanted = " ".join(folded[len(languages) :])
        if not wanted:
            return f"{languages[0]}." if languages else ""
        topic = next((key for key, names in self._names.items() if any(n.startswith(wanted) for n in names)), None)
        return topic and f"{languages[0] if languages else ''}.{topic}"

    def names(self, texts: Texts) -> list[str]:
        """The names of all topics, in a language."""
        return sorted(topic_name(texts, key) for key in self._names)

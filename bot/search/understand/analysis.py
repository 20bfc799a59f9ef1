"""What is understood of a query: what was meant to be typed, what it asks for, and in which words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.search.text import fold
from bot.search.understand.corrector import Corrector
from bot.search.understand.emoji import EmojiNames, rebus
from bot.search.understand.layout import without_look_alikes
from bot.search.understand.questions import Intent, Kind, small_talk, understood
from bot.search.understand.quotes import pattern_of, quoted_parts, unquoted
from bot.search.understand.vocabulary import Vocabulary

_LONGEST = 2000  # Characters of a query that are read; nobody describes an idiom in more.
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is understood of a query, found once and passed on."""

    typed: str
    """As it was typed, with look-alike letters put right, at most 2,000 characters."""
    searched: str
    """After correction."""
    meaning: str
    """The folded text whose meaning is searched: without the question around it and quotation marks, with words for
    emoji."""
    tokens: tuple[str, ...]
    """Its words."""
    quoted: tuple[str, ...]
    """The folded parts in quotation marks: words that a phrase must have."""
    pattern: tuple[str, ...]
    """The folded words and stars of a text with `*`: a star stands for letters, alone for words."""
    rebus: tuple[str, ...] = ()
    """The emoji of a text that is nothing else, which may picture the words of a phrase."""
    intent: Intent = "meaning"
    """What is asked about the words; a greeting, thanks and "who are you" are about nothing."""
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes of the languages that are asked for."""
    kind: Kind = ""
    """The kind of phrases that is asked for; "" is any."""
    naming: bool = False
    """Whether the intent counts only if the words name an idiom."""
    unknown_name: bool = False
    """Whether an idiom was asked about that the collection lacks, so that its words are searched as a meaning."""

    @property
    def asks_for_words(self) -> bool:
        """Whether a phrase must have certain words."""
        return bool(self.quoted or self.pattern)

    @property
    def small_talk(self) -> bool:
        """Whether it is about nothing that can be searched."""
        return self.intent in ("greeting", "thanks", "who", "help")

    @property
    def repaired(self) -> bool:
        """Whether something else is searched than what was typed."""
        return self.searched != self.typed


class Analyser:
    """Understands queries. Reading only, so threads may share it."""

    def __init__(self, vocabulary: Vocabulary, emoji: EmojiNames) -> None:
        self._corrector, self._emoji = Corrector(vocabulary), emoji

    def analyse(self, text: str, exact: bool = False, naming: bool = True) -> Analysis:
        """What a text as it was typed asks for; with `exact` nothing is corrected.

        Without `naming` no question counts that must name an idiom.
        """
        typed = searched = without_look_alikes(text[:_LONGEST])
        folded = fold(typed)
        talk = small_talk(folded)
        if not (exact or talk):
            searched = self._corrector.correct(typed, _WORD.findall(folded))
        if searched != typed:
            folded = fold(searched)
            talk = small_talk(folded)
        riddle, folded = rebus(folded), self._emoji.replaced(folded)
        asked = understood(folded, naming)
        # Who asks about an idiom quotes it, but does not want others that have its words.
        quoted = quoted_parts(folded) if asked.intent == "meaning" else ()
        starred = next((part for part in quoted if "*" in part), asked.meaning)
        return Analysis(
            *(typed, searched, unquoted(asked.meaning), tuple(_WORD.findall(asked.meaning)), quoted),
            pattern_of(starred),
            *(riddle, talk or asked.intent, asked.languages, asked.kind, asked.named),
        )

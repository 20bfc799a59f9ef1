"""Normal forms of text that phrases, queries and training sentences share."""

from __future__ import annotations

import re
import unicodedata

# Acute and grave accents mark stress in Russian; Latin letters carrying one stand for the Cyrillic look-alike.
_STRESS = dict.fromkeys(map(ord, "\u0300\u0301"))
_WORD = re.compile(r"\w+")


def fold(text: str) -> str:
    """The form in which two spellings of one text are equal: NFC, lower case, ё as е, no stress marks."""
    decomposed = unicodedata.normalize("NFD", text.lower()).translate(_STRESS)
    return unicodedata.normalize("NFC", decomposed).replace("ё", "е")


def words(text: str) -> list[str]:
    """The folded words of a text in their order, without punctuation; an apostrophe or a hyphen parts words."""
    return _WORD.findall(fold(text))

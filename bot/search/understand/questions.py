"""Reading a query: what a person means by it, apart from how they ask.

People ask in sentences ("как сказать, когда ...", "what's the idiom for ..."), quote words that they remember and put
`*` for those that they forgot.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from bot.search.text import fold, words

_QUOTED = re.compile('[«"“„”]([^«»"“„”]+)[»"“”]')
_CHUNK = re.compile(r"[\w*]+")
_ANY_WORDS, _ANY_LETTERS = re.compile(r"(?: \*+)+(?= |$)"), re.compile(r"\*+(?:(\w+)(?=\*))?")
_UNWRITTEN = {"a", "an", "the", "to"}  # What people say before an English idiom, and its usual form lacks.
_MOST_CHUNKS, _MOST_STARS = 12, 6  # Of a pattern: people remember fewer words, and emphasis is full of stars.
_TAIL = 90  # Characters at the end of a text in which a question may stand.

# The question around a meaning, over folded text: what follows a lead, and what stands before a trail, is the meaning.
# A lead ends where a link begins, so that "как сказать" and "word for word" stay what they are.
_ABOUT = (
    r"(?:про|обо?|о|для|насчет|на тему|со значением|в значении|означающ\w+|котор\w+ (?:значит|означает)|когда|если|"
    r"for|about|meaning|describing|to (?:describe|say)|(?:that|which) (?:means|describes)|when)\b"
)
_LINK = rf"(?:{_ABOUT}|(?:что|чтобы|то|случа\w+|ситуаци\w+|that|if)\b)"
_KIND = (
    r"(?:(?:крылат|устойчив|образн|русск)\w+ )?"
    r"(?:идиом\w{1,2}|фразеологизм\w?|поговорк\w|пословиц\w|афоризм\w?|выражени\w|фраз\w|"
    r"idiom|saying|proverb|expression|phrase|figure of speech)"
)
_WHAT_IS = r"(?:what(?: is|s|['’]s)|is there) (?:an?|the|another)(?: (?:good|common|english|russian))?"
_PLEASE = (
    r"(?:привет\w*|здравствуйте|добр\w+ (?:день|вечер|утро)|пожалуйста|мне|кто знает|знаете|есть|ли|так\w+|какая|какое|"
    r"(?:подскажи|скажи|помоги|посоветуй|напомни|найди|дай)(?:те)?|найти|вспомнить|подобрать|ищу|нуж\w+|"
    r"hi|hello|hey|please|help me|can you|could you|tell me|give me|find|remember|do you know|"
    r"i need|i['’]?m|i am|looking for|an?|the|another)[\s,.!:?—–-]+"
)
_LEADS = (
    rf"как (?:[\w-]+ )?(?:сказать|говорят)(?=:|,? {_LINK})",
    r"что (?:говорят|сказать)(?=,? (?:когда|если)\b)",
    r"(?:как(?:им)?|одним) (?:(?:это|еще|можно|иначе|одним|словом) )*(?:называется|назвать|называют)(?=:|,? \w)",
    rf"(?:{_WHAT_IS} )?{_KIND}(?:\W+(?:или |or )?{_KIND}\)?)?(?=:|,? {_ABOUT})",
    rf"слово (?:для|про|означающее)\b|word meaning\b|{_WHAT_IS} (?:word|term) for\b",
    r"word for(?= (?:when|some\w*|an?|the|people)\b)",
    r"how (?:(?:do|would|can) (?:you|i|we|one)|to) say(?: it)?(?= (?:that|when|if) (?!in\b))",
    r"(?:what|how) (?:do|would) (?:you|we) call(?= \w)|what(?: is|['’]?s) it called(?= (?:when|if)\b)",
)
_TRAILS = (
    r"как (?:(?:это|такое|такого|такую|таких|его|ее|их|еще|можно) )+(?:\w+ )?(?:называется|назвать|называют|сказать)",
    rf"(?:что это за|какая это|какой это|есть (?:ли )?так\w+) {_KIND}|идиома|фразеологизм|поговорка|пословица|idiom",
    rf"{_WHAT_IS} (?:{_KIND}|word|term)(?: for (?:it|this|that))?|what is (?:it|this|that) called",
    r"(?:what|how) do (?:you|we) (?:call|say) (?:it|this|that)",
)
_LEAD = re.compile(rf"\W*(?:{_PLEASE})*+(?:{'|'.join(_LEADS)})(?:[\s,:]+{_LINK})*+[\s,:—–-]*")
_TRAIL = re.compile(rf"[\s,.;:?!—–-]+(?:{'|'.join(_TRAILS)})(?:[\s,.!]+(?:пожалуйста|спасибо|please|thanks))?\W*$")


@dataclass(frozen=True, slots=True)
class Query:
    """A text as it is searched."""

    meaning: str
    """The folded text without the question around it."""
    quoted: tuple[str, ...] = ()
    """The parts in quotation marks: words that the phrase must have."""
    pattern: re.Pattern[str] | None = None
    """The words and stars of a text with `*`, to be given to `Wildcards.rows`."""


def read_query(text: str) -> Query:
    """What a text asks for. Its meaning is never empty when the text has a word."""
    folded = fold(text)
    meaning = _unframed(folded)
    quoted = tuple(part.strip() for part in _QUOTED.findall(folded) if words(part))
    starred = next((part for part in quoted if "*" in part), meaning) if "*" in folded else ""
    return Query(meaning, quoted, _pattern(starred) if starred else None)


def _unframed(folded: str) -> str:
    lead = _LEAD.match(folded)
    rest = folded[lead.end() :] if lead else folded
    head, tail = rest[:-_TAIL], rest[-_TAIL:]
    trail = _TRAIL.search(tail)
    meaning = head + tail[: trail.start()] if trail else rest
    return next((part for part in (meaning, rest) if words(part)), folded)


def _pattern(text: str) -> re.Pattern[str] | None:
    r"""Words and stars over lines of " word word \n"; None when there is too little or too much to look for.

    After a star the nearest place that fits is as good as any later one (as in the usual matching of file names), so
    that atomic groups lose nothing and no text can make the search slow.
    """
    chunks = _CHUNK.findall(text)
    if len(chunks) > _MOST_CHUNKS or not 0 < text.count("*") <= _MOST_STARS:
        return None
    if chunks[0] in _UNWRITTEN:
        del chunks[0]
    runs = [run for run in _ANY_WORDS.split("".join(f" {chunk}" for chunk in chunks)) if run]
    if not runs:
        return None
    if runs[0].startswith(" *"):  # An ending may begin in the midst of a word.
        runs[0] = runs[0].lstrip(" *")
    first, *others = map(_letters, runs)
    return re.compile(first + "".join(rf"(?>(?: \w+)*?{run}(?= ))" for run in others) + r"(?= )[^\n]*")


def _letters(run: str) -> str:
    """The expression of words in which a star stands for letters."""
    return _ANY_LETTERS.sub(lambda star: rf"(?>\w*?{star[1]})" if star[1] else r"\w*", run)


class Wildcards:
    """Texts in which the patterns of queries are looked up."""

    def __init__(self, texts: Sequence[str]) -> None:
        lines = [f" {' '.join(words(text))} \n" for text in texts]
        self._lines = "".join(lines)
        self._starts = list(accumulate(map(len, lines), initial=0))

    def rows(self, pattern: re.Pattern[str]) -> list[int]:
        """The numbers of the texts that hold what a query's pattern describes, in order."""
        return [bisect_right(self._starts, match.start()) - 1 for match in pattern.finditer(self._lines)]

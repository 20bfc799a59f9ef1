"""Queries whose right answers are known: the repository's, and files of one's own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from bot.search.phrases import Phrase, key_of_words, phrase_key, script_language
from bot.search.text import words
from bot.search.understand.quotes import UNWRITTEN
from pipeline.data.sources import DATA, SourceError
from pipeline.data.tables import read_lines

TUNING = DATA / "queries/tuning_queries.jsonl"
ASKED_FOR = "ru"
"""The language of the idioms that the repository's queries, whatever theirs, ask for."""

Asked = tuple[str, frozenset[str], str]
"""A query, the keys of the phrases that answer it, and the language of those phrases."""


def tuning_queries(path: Path = TUNING) -> list[Asked]:
    """The queries that numbers are tuned on, in every language that they are written in."""
    asked: list[Asked] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        right = frozenset(phrase_key(ASKED_FOR, text) for text in (row.pop("gold"), *row.pop("also_ok")))
        asked += [(text, right, ASKED_FOR) for column, text in row.items() if column != "id"]
    return asked


def own_queries(path: Path, phrases: Sequence[Phrase]) -> list[Asked]:
    """JSON lines with `query` and `gold`, the phrase or variant that answers it.

    An article or "to" before it makes no difference. Raises SourceError, which names file and line.
    """
    wordings = [(phrase, text) for phrase in phrases for text in phrase.names]
    keys = {phrase_key(phrase.language, text): phrase.key for phrase, text in wordings}
    keys = {_bare_key(phrase.language, text): phrase.key for phrase, text in wordings} | keys
    asked: list[Asked] = []
    for number, line in read_lines(path):
        try:
            row = json.loads(line)
            language = script_language(row["gold"])
            key = phrase_key(language, row["gold"])
            named = keys.get(key) or keys.get(_bare_key(language, row["gold"]), key)
            asked.append((str(row["query"]), frozenset([named]), language))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(f'{path}:{number}: not like {{"query": ..., "gold": ...}} ({error!r})') from error
    return asked


def _bare_key(language: str, text: str) -> str:
    """The key of a text without an article or "to" before it, which lists of idioms have or leave out."""
    folded = words(text)
    return key_of_words(language, folded[1:] if len(folded) > 1 and folded[0] in UNWRITTEN else folded)

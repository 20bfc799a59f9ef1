"""Read files of phrases: JSON lines, CSV or TSV, any number of them, in any language.

The columns are described in data/README.md. Reading stops at the first fault with a `CorpusError` that names file and
line, because a phrase that is silently skipped or half read is noticed only when nobody can find it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from reprlib import repr as quoted
from typing import Any

from bot.search.phrases import USUAL, Phrase, phrase_key, script_language
from bot.search.text import words
from pipeline.data.records import LANGUAGES, LIST_COLUMNS, CorpusError, fail, read_records, split_column

__all__ = ["CorpusError", "read_corpus"]

MAX_PHRASE, MAX_TOPIC = 300, 100

_COMMON = ("1", "2", "3", "4", "5")

# Byte order mark, zero-width space, word joiner, soft hyphen: nobody sees them, yet they cut words in two.
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u2060\u00ad"))
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def read_corpus(paths: Sequence[Path]) -> list[Phrase]:
    """Read the phrases of all files, in their order; raise `CorpusError` at the first fault."""
    if not paths:
        raise CorpusError("no corpus file was given: name at least one .jsonl, .csv or .tsv file")
    phrases: list[Phrase] = []
    entries: dict[str, str] = {}
    variants: dict[str, str] = {}
    for path in paths:
        before = len(phrases)
        for where, record in read_records(path):
            phrase = _phrase(record, path, where)
            _check_new(phrase, entries, variants, where)
            phrases.append(phrase)
        if len(phrases) == before:
            fail(str(path), "holds no entries: write at least one phrase with its meaning")
    return phrases


def _check_new(phrase: Phrase, entries: dict[str, str], variants: dict[str, str], where: str) -> None:
    """Refuse what is already there; both maps lead from a phrase's key to the place of its entry."""
    if first := entries.get(phrase.key):
        fail(where, f"{quoted(phrase.text)} is already at {first}: remove one of the two")
    if first := variants.get(phrase.key):
        fail(where, f"{quoted(phrase.text)} is already a variant at {first}: remove one of the two")
    entries[phrase.key] = where
    for variant in phrase.variants:
        key = phrase_key(phrase.language, variant)
        if (first := entries.get(key)) and key != phrase.key:
            fail(where, f"variant {quoted(variant)} is already an entry at {first}: remove one of the two")
        variants.setdefault(key, where)


# From a record to a phrase


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))


def _text(value: object, name: str, where: str) -> str:
    """The text in NFC with single spaces."""
    if name == "common" and type(value) is int:
        value = str(value)
    if not isinstance(value, str):
        fail(where, f"{name} must be a text in quotes, not {quoted(value)}")
    text = " ".join(value.translate(_INVISIBLE).split())
    if found := _CONTROL.search(text):
        fail(where, f"{name} holds the control character U+{ord(found[0]):04X}: remove it")
    return unicodedata.normalize("NFC", text)


def _list(value: object, name: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        fail(where, f"{name} must be a list of texts, not {quoted(value)}")
    return _unique(_text(item, name, where) for item in value if item is not None)


def _values(record: Mapping[str, Any], where: str) -> dict[str, Any]:
    """What the columns hold that are not empty."""
    readers = {name: _list if split_column(name)[0] in LIST_COLUMNS else _text for name in record}
    values = {name: readers[name](value, name, where) for name, value in record.items() if value is not None}
    return {name: value for name, value in values.items() if value}


def _phrase(record: Mapping[str, Any], path: Path, where: str) -> Phrase:
    values = _values(record, where)
    text = _phrase_text(values.pop("phrase", ""), where)
    _check_topics(values.get("topics", ()), where)
    language = _language(values.pop("language", ""), path, text, where)
    return Phrase(
        text,
        language,
        **_meanings(values, language, text, where),
        **_examples(values, language, where),
        equivalents=_equivalents(values, language, where),
        renderings=_told_in(values, "renderings", where),
        common=_common(values.pop("common", str(USUAL)), where),
        literal=_told_in(values, "literal", where),
        usage=_told_in(values, "usage", where),
        **values,
    )


def _check_topics(topics: Sequence[str], where: str) -> None:
    for topic in topics:
        if len(topic) > MAX_TOPIC:
            fail(where, f"the topic {quoted(topic)} has {len(topic)} characters, more than {MAX_TOPIC}: shorten it")


def _meanings(values: dict[str, Any], language: str, text: str, where: str) -> dict[str, Any]:
    translations = _by_language(values, "meaning")
    senses = (translations.pop(language, ""), translations.pop("", ""), *values.pop("meanings", ()))
    meanings = _unique(senses) or tuple(translations.values())[:1]
    if not meanings:
        fail(where, f"{quoted(text)} has no meaning: fill in the column meaning")
    return {"meanings": meanings, "translations": translations}


def _examples(values: dict[str, Any], language: str, where: str) -> dict[str, Any]:
    translations = _by_language(values, "examples")
    examples = _unique((values.pop("example", ""), *translations.pop("", ()), *translations.pop(language, ())))
    for code, texts in translations.items():
        if len(texts) != len(examples):
            fail(where, f"examples_{code} are {len(texts)} and the examples {len(examples)}: translate each of them")
    return {"examples": examples, "example_translations": translations}


def _equivalents(values: dict[str, Any], language: str, where: str) -> dict[str, tuple[str, ...]]:
    equivalents = _by_language(values, "equivalents")
    if language in equivalents:
        fail(where, f"equivalents_{language} in an entry of that language: put other wordings into variants")
    for equivalent in reversed(equivalents.pop("", ())):
        code = script_language(equivalent)
        equivalents[code] = _unique((equivalent, *equivalents.get(code, ())))
    return equivalents


def _common(value: str, where: str) -> int:
    if value not in _COMMON:
        fail(where, f"common is {quoted(value)}: write a number from 1 (rare) to 5 (everybody says it all the time)")
    return int(value)


def _told_in(values: dict[str, Any], column: str, where: str) -> dict[str, Any]:
    texts = _by_language(values, column)
    if "" in texts:
        fail(where, f"{column} is in no known language: name the column {column}_en, or after another language")
    return texts


def _by_language(values: dict[str, Any], column: str) -> dict[str, Any]:
    """Take the columns such as meaning_en out of the values, by language; the language of meaning is empty."""
    names = [name for name in values if split_column(name)[0] == column]
    return {split_column(name)[1]: values.pop(name) for name in names}


def _phrase_text(text: str, where: str) -> str:
    if not text:
        fail(where, "the phrase is missing: fill in the column phrase")
    if len(text) > MAX_PHRASE:
        fail(where, f"the phrase has {len(text)} characters, more than {MAX_PHRASE}: shorten it")
    if not words(text):
        fail(where, f"the phrase {quoted(text)} has no letter or digit: write it in words")
    return text


def _language(given: str, path: Path, text: str, where: str) -> str:
    """What the entry says, else the file's name (ru.jsonl, phrases.ru.tsv), else what the script suggests."""
    if given and given not in LANGUAGES:
        fail(where, f"language {quoted(given)} is not a two-letter ISO 639-1 code such as ru or en: correct it")
    named = path.stem.lower().rpartition(".")[2]
    return given or (named if named in LANGUAGES else script_language(text))

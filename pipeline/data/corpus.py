"""Read files of phrases: JSON lines, CSV or TSV, any number of them, in any language.

The columns are described in data/README.md. Reading stops at the first fault with a `CorpusError` that names file and
line, because a phrase that is silently skipped or half read is noticed only when nobody can find it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from bot.search.phrases import Phrase, phrase_key, script_language
from bot.search.text import words
from pipeline.data.records import (
    LIST_COLUMNS,
    TEXT_COLUMNS,
    CorpusError,
    Record,
    check_columns,
    fail,
    quoted,
    read_records,
)

__all__ = ["CorpusError", "read_corpus"]

MAX_PHRASE = 300

# Byte order mark, zero-width space, word joiner, soft hyphen: nobody sees them, yet they cut words in two.
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u2060\u00ad"))

# ISO 639-1, so that `id.tsv` is Indonesian but `my_list.tsv` and `db.csv` say nothing about their language.
LANGUAGES = frozenset(
    """aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
    eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv
    ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne
    ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st
    su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu""".split()
)


def read_corpus(paths: Sequence[Path]) -> list[Phrase]:
    """Read the phrases of all files, in their order; raise `CorpusError` at the first fault."""
    if not paths:
        raise CorpusError("no corpus file was given: name at least one .jsonl, .csv or .tsv file")
    phrases: list[Phrase] = []
    entries: dict[str, str] = {}
    variants: dict[str, str] = {}
    for path in paths:
        before = len(phrases)
        for line, record in read_records(path):
            where = f"{path}:{line}"
            phrase = _phrase(record, path, where)
            _check_new(phrase, entries, variants, where)
            phrases.append(phrase)
        if len(phrases) == before:
            raise CorpusError(f"{path}: holds no entries: write at least one phrase with its meaning")
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


def _phrase(record: Record, path: Path, where: str) -> Phrase:
    check_columns(record, where)
    texts = {name: _text(record.get(name), name, where) for name in TEXT_COLUMNS}
    lists = {name: _list(record.get(name), name, where) for name in LIST_COLUMNS}
    text = _phrase_text(texts["phrase"], where)
    language = _language(texts["language"], path, text, where)
    own = texts.pop(f"meaning_{language}", "")
    meanings = _unique([own, texts["meaning"], *lists["meanings"]])
    meanings = meanings or _unique([texts.get("meaning_en", ""), texts.get("meaning_ru", "")])[:1]
    if not meanings:
        fail(where, f"{quoted(text)} has no meaning: fill in the column meaning")
    if lists.pop(f"equivalents_{language}", ()):
        fail(where, f"equivalents_{language} in an entry of that language: put other wordings into variants")
    return Phrase(
        text=text,
        language=language,
        meanings=meanings,
        translations={code: meaning for code in ("en", "ru") if (meaning := texts.get(f"meaning_{code}", ""))},
        equivalents=_equivalents(lists),
        variants=lists["variants"],
        topics=lists["topics"],
        scenes=lists["scenes"],
        kind=texts["kind"] or "idiom",
        register=texts["register"] or "neutral",
        example=texts["example"],
        etymology=texts["etymology"],
        source=texts["source"],
    )


def _equivalents(lists: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name in (name for name in lists if name.startswith("equivalents")):
        for text in lists[name]:
            code = name.removeprefix("equivalents").removeprefix("_") or script_language(text)
            found[code] = _unique((*found.get(code, ()), text))
    return found


def _text(value: object, name: str, where: str) -> str:
    """The text in NFC with single spaces; null counts as empty."""
    if value is None:
        return ""
    if not isinstance(value, str):
        fail(where, f"{name} must be a text in quotes, not {type(value).__name__}")
    text = " ".join(value.translate(_INVISIBLE).split())
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs"):
            fail(where, f"{name} holds the control character U+{ord(character):04X}: remove it")
    return unicodedata.normalize("NFC", text)


def _list(value: object, name: str, where: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        fail(where, f"{name} must be a list of texts, not {type(value).__name__}")
    return _unique(_text(item, name, where) for item in value)


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))


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
    if given:
        if given not in LANGUAGES:
            fail(where, f"language {quoted(given)} is not a two-letter ISO 639-1 code such as ru or en: correct it")
        return given
    named = path.stem.lower().rpartition(".")[2]
    return named if named in LANGUAGES else "ru" if re.search("[а-яё]", text.lower()) else "en"

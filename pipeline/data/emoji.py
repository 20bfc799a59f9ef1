"""The words for emoji: from CLDR's annotations to the names that the bot serves, and to what emoji picture in a rebus.

`python -m pipeline.data.emoji FOLDER` makes data/emoji/annotations.tsv.gz of the folder `annotations` of the package
cldr-annotations-full; it is needed only when a new version of CLDR adds emoji.
"""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from math import log
from pathlib import Path

from bot.search.files import read_plain
from bot.search.retrieve.approximator import Approximator
from bot.search.text import words
from bot.search.understand.emoji import EmojiNames
from bot.search.understand.layout import ALPHABETS
from pipeline.data.sources import DATA
from pipeline.data.tables import SourceError, read_table, write_lines

ANNOTATIONS, PICTURES = DATA / "emoji" / "annotations.tsv.gz", DATA / "emoji" / "pictures.tsv"
COLUMNS = ("emoji", *(f"{what}_{language}" for language in ALPHABETS for what in ("name", "keywords")))
KEYWORDS = 3
"""Keywords beside the name, as many for each emoji so that none drowns the others; tuned on the dev queries."""
_MOST_BYTES = 100_000_000  # Of a file of CLDR's, which has less than one million.
_KEYWORD = 0.5  # How surely an emoji pictures a keyword, where its name counts 1.

Pictures = dict[str, dict[str, dict[str, float]]]
"""Of each emoji the words of each language that it pictures, and how surely, up to 1."""

# How people use them, where CLDR describes how they look.
_NOT = dict.fromkeys("❌⛔❎✖", ("не", "нет", "not", "no"))
_SILENT = set("❓❔❗❕🟰♂♀⚧⬅⬆⬇↗↘↙↖➡⤴⤵")


def emoji_names(approximator: Approximator, path: Path = ANNOTATIONS, keywords: int = KEYWORDS) -> EmojiNames:
    """The name of each emoji and the words among its keywords that come nearest to the name in meaning."""

    def telling(name: str, described: str) -> str:
        named, vector = words(name), approximator.encode(name)
        others = dict.fromkeys(word for word in words(described) if word not in named)
        nearness = {word: approximator.explain([word], vector)[0][1] if vector is not None else 0.0 for word in others}
        return " ".join([*dict.fromkeys(named), *sorted(others, key=lambda word: -nearness[word])[:keywords]])

    rows = (row for _, row in read_table(path, COLUMNS))
    return EmojiNames({emoji: tuple(map(telling, texts[::2], texts[1::2])) for emoji, *texts in rows})


def pictures(path: Path = ANNOTATIONS, meant: Path = PICTURES) -> Pictures:
    """What emoji picture: what people mean by them, and CLDR's words, which tell the less the more emoji have them."""
    rows = [row for _, row in read_table(path, COLUMNS)]
    found: Pictures = defaultdict(lambda: {language: {} for language in ALPHABETS})
    for place, language in enumerate(ALPHABETS):
        described = [(emoji, words(texts[2 * place]), words(texts[2 * place + 1])) for emoji, *texts in rows]
        shared = Counter(chain.from_iterable({*name, *keywords} for _, name, keywords in described))
        for emoji, name, keywords in described:
            telling = {word: 1 - log(shared[word]) / log(1 + len(rows)) for word in (*name, *keywords)}
            found[emoji][language] = {word: part if word in name else _KEYWORD * part for word, part in telling.items()}
    for _, (emoji, *texts) in read_table(meant, ("emoji", *ALPHABETS)):
        for language, text in zip(ALPHABETS, texts, strict=True):
            found[emoji][language] |= dict.fromkeys(words(text), 1.0)
    return found


def table(folder: Path) -> Iterator[str]:
    """The lines of the table made of CLDR's files. Raises SourceError when one is not there."""
    languages = [_annotations(folder / language / "annotations.json") for language in ALPHABETS]
    yield "\t".join(COLUMNS)
    for emoji in filter(_is_wanted, languages[0]):
        described = _NOT.get(emoji) or [text for language in languages for text in _described(language[emoji])]
        yield "\t".join((emoji, *described))


def _annotations(path: Path) -> dict[str, dict[str, list[str]]]:
    try:
        found: dict[str, dict[str, list[str]]] = json.loads(read_plain(path, _MOST_BYTES))["annotations"]["annotations"]
    except (OSError, ValueError, LookupError, TypeError):
        raise SourceError(f"{path} is not there or not CLDR's: give the folder that holds ru/ and en/") from None
    return found


def _is_wanted(symbol: str) -> bool:
    """Whether it is an emoji with a meaning of its own, no punctuation, arrow, shape, component or one sex's form."""
    kind = unicodedata.category(symbol[0])
    shape = symbol < "⌚" or "■" <= symbol < "☀" or "⬀" <= symbol < "⭐"
    return kind in ("So", "Cn") and not shape and not set(symbol) & _SILENT and not "🦰" <= symbol <= "🦳"


def _described(annotation: dict[str, list[str]]) -> tuple[str, str]:
    return annotation["tts"][0], ", ".join(word for word in annotation["default"] if word not in annotation["tts"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the table; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.data.emoji", description="Names of emoji from CLDR.")
    parser.add_argument("folder", type=Path, help="annotations/ of the package cldr-annotations-full")
    parser.add_argument("--out", type=Path, default=ANNOTATIONS, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        write_lines(options.out, table(options.folder))
    except SourceError as error:
        print(f"pipeline.data.emoji: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

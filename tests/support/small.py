"""Small real artifacts: a handful of idioms, a tokenizer of their words, and a table with a row per piece."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bot.search.artifacts import Artifacts
from bot.search.phrases import Phrase
from bot.search.rank.confidence import Confidence
from bot.search.rank.fusion import Fusion
from bot.search.rank.reader import Reader
from bot.search.relations import Relations
from bot.search.retrieve.ann import AnnIndex
from bot.search.retrieve.approximator import UNKNOWN, WordFeatures, WordPieces
from bot.search.retrieve.lexical import gloss_index, wording_index
from bot.search.retrieve.parts import parts_index
from bot.search.text import words
from bot.search.understand.emoji import EmojiNames
from pipeline.index.rebuses import rebuses
from pipeline.index.vocabulary import phrase_vocabulary
from pipeline.train.regression import encode_all, quantise

PHRASES = [
    Phrase(
        "бить баклуши", "ru", ("бездельничать, ничего не делать",), {"en": "to do nothing, to idle"}, topics=("work",)
    ),
    Phrase("лить как из ведра", "ru", ("о сильном дожде",), {"en": "of heavy rain"}, topics=("weather",)),
    Phrase("делать из мухи слона", "ru", ("сильно преувеличивать",), {"en": "to exaggerate"}, topics=("animals",)),
    Phrase(
        "rain cats and dogs", "en", ("to rain very hard",), translations={"ru": "о сильном дожде"}, topics=("weather",)
    ),
    Phrase("twiddle one's thumbs", "en", ("to do nothing, to idle",), variants=("twiddle your thumbs",)),
]

PICTURES = {
    "🌧": {"ru": {"дождь": 1.0}, "en": {"rain": 1.0}},
    "🐱": {"ru": {"кошка": 1.0}, "en": {"cat": 1.0}},
    "🐶": {"ru": {"собака": 1.0}, "en": {"dog": 1.0}},
    "🐘": {"ru": {"слона": 1.0}, "en": {"elephant": 1.0}},
}


class Told(Reader):
    """A reader that knows a few texts, each of which is like one phrase alone."""

    def __init__(self, texts: list[str]) -> None:
        rows = dict(zip(texts, np.eye(len(texts), dtype=np.float32), strict=True))
        self.encode = lru_cache(rows.__getitem__)


def small_artifacts(phrases: list[Phrase] | None = None, seed: int = 0) -> Artifacts:
    """Artifacts whose words have random directions: texts are alike as far as they share words."""
    phrases = PHRASES if phrases is None else phrases
    meanings = [" ".join((*phrase.meanings, *phrase.translations.values())) for phrase in phrases]
    own = [text for phrase in phrases for text in phrase.names]
    pieces = _pieces(sorted({word for text in (*meanings, *own) for word in words(text)}))
    stems = ["преу", "безде"]
    features = WordFeatures(pieces, stems)
    table = np.random.default_rng(seed).normal(size=(features.count, 32)).astype(np.float32)
    approximator = quantise(table, features)
    index = AnnIndex.build(encode_all(approximator, meanings), trees=5, search_k=500, seed=1)
    return Artifacts(
        phrases=phrases,
        approximator=approximator,
        index=index,
        wording=wording_index(phrases),
        parts=parts_index(phrases),
        glosses=gloss_index(phrases),
        relations=Relations.of(phrases),
        vocabulary=phrase_vocabulary(phrases),
        emoji=EmojiNames({"🌧": ("дождь", "rain")}),
        rebuses=rebuses(phrases, PICTURES, {"ru": lambda word: (word,), "en": lambda word: (word.rstrip("s"),)}),
        fusion=Fusion(),
        confidence=Confidence(),
        manifest={"recipe": {"name": "small"}},
    )


def _pieces(known: list[str]) -> WordPieces:
    """Whole words and single letters: the library's trainer breaks ties at random, and tests must not."""
    letters = sorted(set("".join(known)))
    return WordPieces([*dict.fromkeys([UNKNOWN, *letters, *(f"##{letter}" for letter in letters), *known])])

"""Fitting the reader's weight to queries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.search.phrases import Phrase
from bot.search.rank.fusion import READING
from bot.search.retrieve.ann import AnnIndex
from pipeline.data.queries import Asked, own_queries, tuning_queries
from pipeline.data.sources import SourceError
from pipeline.index.fitting import fitted_fusion
from support.small import Told, small_artifacts
from support.teaching import SENTENCES


def test_the_reader_weighs_as_much_as_it_helps() -> None:
    texts = [english.lower() for english, _ in SENTENCES]
    phrases = [Phrase(f"the {number}", "en", (text,)) for number, text in enumerate(texts)]
    read = replace(
        small_artifacts(phrases), reader=Told(texts), readings=AnnIndex.scanned(np.eye(len(texts), dtype=np.float32))
    )
    # What a text says is its own phrase; the reader is right to say so, or wrong where it is turned round.
    right: list[Asked] = [(text, frozenset([phrase.key]), "en") for text, phrase in zip(texts, phrases, strict=True)]
    turned = replace(read, readings=AnnIndex.scanned(np.eye(len(texts), dtype=np.float32)[::-1]))
    others = zip(texts, phrases[::-1], strict=True)
    wanted: list[Asked] = [(text, frozenset([phrase.key]), "en") for text, phrase in others]
    assert fitted_fusion(turned, right).reading["en"] < 1
    assert fitted_fusion(turned, wanted).reading["en"] > 1
    assert fitted_fusion(turned, wanted[:5]).reading == READING  # too few
    absent: list[Asked] = [(text, frozenset(["absent"]), "en") for text in texts]
    assert fitted_fusion(read, absent).reading == READING


def test_queries_are_read_with_the_keys_of_their_answers(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text('{"query": "to idle", "gold": "twiddle your thumbs"}\n', encoding="utf-8")
    phrase = Phrase("twiddle one's thumbs", "en", ("to idle",), variants=("twiddle your thumbs",))
    assert own_queries(path, [phrase]) == [("to idle", frozenset([phrase.key]), "en")]
    dime = Phrase("a dime a dozen", "en", ("very common",))
    path.write_text('{"query": "common", "gold": "dime a dozen"}\n{"query": "?", "gold": ""}\n', encoding="utf-8")
    assert own_queries(path, [phrase, dime])[0] == ("common", frozenset([dime.key]), "en")
    path.write_text('{"query": "to idle"}\n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"own\.jsonl:1: not like"):
        own_queries(path, [phrase])
    with pytest.raises(SourceError, match=r"absent\.jsonl"):
        own_queries(tmp_path / "absent.jsonl", [phrase])
    assert len(tuning_queries()) > 600

"""Phrases on disk, and how an engine answers for phrases whose wording has changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.search.artifacts import Artifacts
from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase, PhraseFile, load_phrases, phrase_key, save_phrases
from bot.search.relations import NONE
from support.small import PHRASES, small_artifacts

WHOLE = Phrase(
    "бить баклуши",
    "ru",
    ("бездельничать", "лениться"),
    {"en": "to idle"},
    {"en": ("twiddle one's thumbs",)},
    {"en": ("laze about",)},
    ("баклуши бить",),
    ("idleness",),
    ("весь день ничего не делал",),
    common=4,
    examples=("Хватит бить баклуши!",),
    example_translations={"en": ("Stop idling!",)},
    opposites=("работать не покладая рук",),
    stressed="бить баклу́ши",
    literal={"en": "to beat blocks of wood"},
    usage={"en": "Imperfective only."},
)


def test_phrases_are_read_from_their_file_one_by_one(tmp_path: Path) -> None:
    phrases = [WHOLE, *PHRASES]
    path, scenes = tmp_path / "phrases.jsonl", tmp_path / "scenes.jsonl.gz"
    save_phrases(phrases, path, scenes)
    assert load_phrases(path, scenes) == phrases
    file = PhraseFile(path)
    bare = [replace(phrase, scenes=()) for phrase in phrases]
    assert len(file) == len(phrases)
    assert [file[row] for row in range(len(file))] == list(file) == file[:] == bare
    assert (file[-1], file[1:3], file[::-2]) == (bare[-1], bare[1:3], bare[::-2])
    with pytest.raises(IndexError):
        file[len(file)]


def test_an_empty_or_missing_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "missing"):
        with pytest.raises((OSError, ValueError)):
            PhraseFile(tmp_path / name)


def test_the_key_of_a_variant_leads_to_its_entry(tmp_path: Path) -> None:
    """What people saved before two entries became one is not lost."""
    artifacts = small_artifacts([replace(PHRASES[0], variants=("была записью",)), *PHRASES[1:]])
    artifacts.save(tmp_path / "artifacts")
    engine = SearchEngine(Artifacts.load(tmp_path / "artifacts"))
    assert engine.phrase(phrase_key("ru", "была записью")) == engine.phrase(PHRASES[0].key)


def test_what_is_rare_or_vulgar_is_not_offered() -> None:
    artifacts = small_artifacts([replace(PHRASES[0], common=2), replace(PHRASES[1], register="vulgar"), *PHRASES[2:]])
    engine = SearchEngine(artifacts)
    drawn = {phrase.key for _ in range(100) if (phrase := engine.random())}
    assert drawn == {phrase.key for phrase in PHRASES[2:]}


def test_an_opposite_is_told_and_not_called_similar() -> None:
    engine = SearchEngine(small_artifacts())
    first, nearest = engine.phrases[0], engine.similar(PHRASES[0].key, 1)[0].phrase
    opposites = np.full((len(PHRASES), 1), NONE, np.int32)
    opposites[0] = [phrase.key for phrase in PHRASES].index(nearest.key)
    engine.artifacts.relations.opposites = opposites
    assert engine.opposites(first.key) == [nearest]
    assert nearest not in [match.phrase for match in engine.similar(first.key, len(PHRASES))]
    assert engine.opposites("no such key") == []


def test_what_is_common_comes_before_what_is_rare() -> None:
    twins = [Phrase(text, "ru", ("о чём-то",), common=common) for text, common in (("раз", 1), ("два", 5))]
    engine = SearchEngine(small_artifacts([*twins, *PHRASES]))
    found = [match.phrase.text for match in engine.answer("о чём-то", anyway=True).matches]
    assert found.index("два") < found.index("раз")

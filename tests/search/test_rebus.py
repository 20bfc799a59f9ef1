"""Rebuses: which phrases emoji picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.search.engine import SearchEngine
from bot.search.retrieve.rebus import Rebuses
from support.small import small_artifacts


@pytest.fixture(scope="module")
def engine() -> SearchEngine:
    return SearchEngine.load(Path(__file__).parents[2] / "artifacts")


@pytest.fixture(scope="module")
def small() -> Rebuses:
    return small_artifacts().rebuses


def test_a_phrase_is_the_likelier_the_more_emoji_picture_it_and_the_more_of_it_they_picture(small: Rebuses) -> None:
    cats = 3
    all_three, two, strange = (small.scores(emoji)[cats] for emoji in (["🌧", "🐱", "🐶"], ["🌧", "🐶"], ["🐘", "🐶"]))
    assert 1 > all_three > two > strange > 0
    assert small.scores(["🐱", "🫨"]).tolist() == small.scores(["🐱"]).tolist()
    assert [row for row, score in enumerate(small.scores(["🐘"])) if score] == [2]
    assert not small.scores(["🫨"]).any()


def test_emoji_that_are_joined_picture_what_each_of_them_does(small: Rebuses) -> None:
    assert small.scores(["🐱\u200d🐶"]).tolist() == small.scores(["🐱", "🐶"]).tolist()


def test_saved_and_loaded(small: Rebuses, tmp_path: Path) -> None:
    small.save(tmp_path / "rebuses.npz")
    loaded = Rebuses.load(tmp_path / "rebuses.npz")
    assert loaded.scores(["🌧", "🐱"]) == pytest.approx(small.scores(["🌧", "🐱"]), abs=0.01)


@pytest.mark.parametrize(
    ("emoji", "phrases"),
    [
        ("🐷✈️", {"when pigs fly"}),
        ("☁️9️⃣", {"on cloud nine"}),
        ("🦢🎵", {"swan song", "лебединая песня"}),
        ("🥜🐚", {"in a nutshell"}),
        ("🐘🏠", {"слон в комнате", "elephant in the room"}),
        ("❄️🧠", {"с холодной головой", "как снег на голову"}),
    ],
)
def test_examples(engine: SearchEngine, emoji: str, phrases: set[str]) -> None:
    answer = engine.answer(emoji, len(phrases))
    assert answer.close
    assert {(match.phrase.text, match.reason) for match in answer.matches} == {(text, "wording") for text in phrases}


def test_emoji_among_words_are_searched_by_their_meaning(engine: SearchEngine) -> None:
    assert engine.analyse("🐷✈️ никогда").rebus == ()

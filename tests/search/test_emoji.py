"""Emoji as words: what ships, what a build takes from it, and what a text with emoji becomes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.search.artifacts import Artifacts
from bot.search.retrieve.approximator import Approximator
from bot.search.text import words
from bot.search.understand.emoji import EmojiNames, rebus
from pipeline.data.emoji import ANNOTATIONS, COLUMNS, PICTURES, emoji_names, main, pictures
from pipeline.data.tables import read_lines, read_table

NAMES = EmojiNames(
    {
        "🏃": ("бежит", "running"),
        "❤": ("сердце", "heart"),
        "❤\u200d🩹": ("заживающее сердце", "mending heart"),
        "🩹": ("пластырь", "bandage"),
        "👩": ("женщина", "woman"),
    }
)


@pytest.fixture(scope="module")
def approximator() -> Approximator:
    return Artifacts.load(Path(__file__).parents[2] / "artifacts").approximator


@pytest.fixture(scope="module")
def names(approximator: Approximator) -> EmojiNames:
    return emoji_names(approximator)


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("кручусь целый день", "кручусь целый день"),
        ("  два  пробела  ", "  два  пробела  "),
        ("🏃 целый день", "бежит целый день"),
        ("целый день🏃", "целый день бежит"),
        ("🏃 all day", "running all day"),
        ("🏃 all весь day", "бежит all весь day"),
        ("🏃", "бежит running"),
        ("🏃🏃 5 🏃", "бежит running 5"),
        ("🏃🏽\u200d♀\ufe0f\u200d➡\ufe0f да", "бежит да"),
        ("👩\u200d🦰 да", "женщина да"),
        ("❤\ufe0f\u200d🩹 да", "заживающее сердце да"),
        ("❤\ufe0f🩹 да", "сердце пластырь да"),
        ("👩\u200d❤\ufe0f\u200d💋\u200d👩 да", "женщина сердце да"),
        ("➡\ufe0f да 🇷🇺 🫨", "да"),
        ("🫨", ""),
    ],
)
def test_emoji_become_words_of_the_language_around_them(text: str, replaced: str) -> None:
    assert NAMES.replaced(text) == replaced


@given(st.text(st.one_of(st.characters(), st.sampled_from("🏃❤🩹👩\u200d\ufe0f🏽♀ "))))
def test_any_text_keeps_its_words_and_loses_its_emoji(text: str) -> None:
    replaced = NAMES.replaced(text)
    assert not set(replaced) & set("🏃❤🩹👩")
    assert NAMES.replaced(replaced) == replaced
    plain = NAMES.replaced("".join(" " if symbol in "🏃❤🩹👩" else symbol for symbol in text))
    assert set(words(plain)) <= set(words(replaced))


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    NAMES.save(tmp_path / "emoji.tsv.gz")
    assert EmojiNames.load(tmp_path / "emoji.tsv.gz") == NAMES
    (tmp_path / "emoji.tsv.gz").write_bytes(gzip.compress("🏃\tбежит\n".encode()))
    with pytest.raises(ValueError, match="not an emoji and its names"):
        EmojiNames.load(tmp_path / "emoji.tsv.gz")


@pytest.mark.parametrize(
    ("text", "emoji"),
    [
        ("🐷✈\ufe0f", ("🐷", "✈")),
        ("☁\ufe0f 9\ufe0f\u20e3!", ("☁", "9")),
        ("👋🏽🇫🇷❤\ufe0f\u200d🩹", ("👋", "🇫🇷", "❤\u200d🩹")),
        ("🐇🐇🔫", ("🐇", "🔫", "2")),
        ("😂😂", ("😂",)),
        *((text, ()) for text in ("", "9", "?!", "🏃 весь день", "12:30 ⏰")),
    ],
)
def test_emoji_alone_are_a_rebus(text: str, emoji: tuple[str, ...]) -> None:
    assert rebus(text) == emoji


# What ships


def test_every_emoji_that_ships_has_a_name_in_both_languages() -> None:
    rows = [row for _, row in read_table(ANNOTATIONS, COLUMNS)]
    assert len(rows) == len({row[0] for row in rows}) > 1400
    assert all(row[1] and row[3] for row in rows)
    assert not [row[0] for row in rows if set(row[0]) & set("\ufe0f♀♂➡🏽🦰") or row[0].isascii()]


def test_an_emoji_is_named_by_its_name_and_its_nearest_keywords(names: EmojiNames) -> None:
    assert names.names["🐊"] == ("крокодил аллигатор зеленый", "crocodile animal zoo")
    assert names.names["🎁"][1].split()[:2] == ["wrapped", "gift"]
    assert names.names["❌"] == ("не нет", "not no")
    assert max(len(english.split()) for _, english in names.names.values()) <= 15


def test_the_names_are_small(names: EmojiNames, tmp_path: Path) -> None:
    names.save(tmp_path / "emoji.tsv.gz")
    assert (tmp_path / "emoji.tsv.gz").stat().st_size < 60_000


def test_without_keywords_the_name_stands_alone(approximator: Approximator) -> None:
    assert emoji_names(approximator, keywords=0).names["🎁"] == ("подарок", "wrapped gift")


def test_the_table_is_made_of_cldr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "annotations.tsv.gz"
    assert main([str(tmp_path), "--out", str(out)]) == 1
    assert capsys.readouterr().err == (
        f"pipeline.data.emoji: {tmp_path}/ru/annotations.json is not there or not CLDR's: "
        "give the folder that holds ru/ and en/\n"
    )
    assert not out.exists()
    described = {
        "ru": {"🎁": ("подарок", ["бант", "подарок"]), "❌": ("крестик", ["крестик"]), "➡": ("вправо", ["восток"])},
        "en": {"🎁": ("wrapped gift", ["bow", "box"]), "❌": ("cross mark", ["x"]), "➡": ("right arrow", ["east"])},
    }
    for language, entries in described.items():
        (tmp_path / language).mkdir()
        found = {emoji: {"default": keywords, "tts": [name]} for emoji, (name, keywords) in entries.items()}
        document = {"annotations": {"annotations": {"!": {"default": ["x"], "tts": ["y"]}, **found}}}
        (tmp_path / language / "annotations.json").write_text(json.dumps(document), encoding="utf-8")
    assert main([str(tmp_path), "--out", str(out)]) == 0
    assert [line for _, line in read_lines(out)] == [
        "emoji\tname_ru\tkeywords_ru\tname_en\tkeywords_en",
        "🎁\tподарок\tбант\twrapped gift\tbow, box",
        "❌\tне\tнет\tnot\tno",
    ]


def test_what_people_mean_is_surer_than_a_name_and_a_name_than_a_keyword() -> None:
    ladybird = pictures()["🐞"]["en"]
    assert ladybird["bug"] == 1 > ladybird["beetle"] > ladybird["insect"] > 0
    assert pictures()["9"]["ru"] == {"девять": 1, "девятый": 1}


def test_what_people_mean_by_an_emoji_is_listed_once_and_in_both_languages() -> None:
    rows = [row for _, row in read_table(PICTURES, ("emoji", "ru", "en"))]
    assert len(rows) == len({row[0] for row in rows}) > 800
    assert [row for row in rows if not all(row)] == []
    assert [emoji for emoji, *_ in rows if not (rebus(emoji) == (emoji,) or emoji.isdigit())] == []

"""Searching from the command line, over the real artifacts."""

from __future__ import annotations

import json

import pytest

from bot.search.__main__ import main


def test_it_says_what_was_searched_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-n", "1", "--why", "bezdelnichat", "celymi", "dnyami"]) == 0
    searched, found, why = capsys.readouterr().out.splitlines()
    assert searched == "searched for: бездельничать целыми днями"
    assert " — " in found and "бездельничать" in why and "%" in why


def test_exactly_what_was_typed_is_searched_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-n", "1", "--exact", "bezdelnichat"]) == 0
    assert "searched for" not in capsys.readouterr().out


def test_the_nearest_are_told_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["курс доллара на завтра"]) == 0
    assert capsys.readouterr().out == "nothing close\n"
    assert main(["-n", "3", "--no-threshold", "курс доллара на завтра"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_programs_get_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-n", "1", "--json", "--why", "ochen ustat"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["searched"] == "очень устать"
    assert set(" ".join(words for words, _ in record["why"]).split()) == {"очень", "устать"}
    assert sum(share for _, share in record["why"] if share > 0) == pytest.approx(1)

"""Words of despair get a kind word and help before anything else; what only looks like them is searched as ever."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest

from bot.features import kindness
from bot.features.kindness import is_despair
from bot.search.engine import SearchEngine
from pipeline.data.queries import tuning_queries
from support.talking import EN, RU, Talk, labels, numbered, pressed

HERE = Path(__file__).parent
MEANT = "не хочу больше жить"


def lines(name: str) -> list[str]:
    return [line for line in (HERE / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("line", lines("despair.txt"))
def test_despair_is_understood(line: str) -> None:
    assert is_despair(line) and is_despair(f"{line.upper()}...") and is_despair(f"«{line}»")


@pytest.mark.parametrize("line", lines("no_despair.txt"))
def test_what_is_no_despair_is_left_alone(line: str) -> None:
    assert not is_despair(line)


def test_hardly_a_query_for_an_idiom_is_taken_for_despair() -> None:
    taken = [query for query, *_ in tuning_queries() if is_despair(query)]
    assert len(taken) <= 1, taken


@pytest.mark.parametrize(("language", "texts"), [("ru", RU), ("en", EN)])
async def test_a_kind_word_comes_before_anything_else(engine: SearchEngine, language: str, texts: object) -> None:
    assert callable(texts)
    async with Talk(engine, language, daily_limit=1) as talk:
        for _ in range(3):
            (answer,) = await talk.say(MEANT)
            assert answer["text"].startswith(texts("despair").split("<")[0])
            assert "findahelpline.com" in answer["text"] and "112" in answer["text"]
            own = [line for line in kindness.LINES if line.language == language]
            assert own and all(line.number in answer["text"] for line in own)
            assert numbered(answer) == [] and labels(answer) == [texts("button-idiom-after-all")]
        results = await pressed(talk, answer, texts("button-idiom-after-all"))
        assert numbered(results), "who only looked for an idiom gets it"
        inline = (await talk.inline(MEANT)).answer or {}
        assert inline["results"] == [] and inline["button"]["text"] == texts("button-ask-despair")
        (opened,) = await talk.say(f"/start {inline['button']['start_parameter']}")
        assert opened["text"] == answer["text"]


async def test_despair_with_typos_is_understood_too(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for query in ("я хочу умиреть", "ne hochu zhit", "z [jxe evthtnm"):
            (answer,) = await talk.say(query)
            assert "findahelpline.com" in answer["text"], query


async def test_who_asks_what_the_bot_can_do_gets_the_help(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (helped,) = await talk.say("/help")
        for question in ("что ты умеешь?", "what can you do", "как тобой пользоваться"):
            (answer,) = await talk.say(question)
            assert answer["text"] == helped["text"] and labels(answer) == labels(helped)


def test_every_helpline_names_its_source_and_when_it_was_read() -> None:
    listed = tomllib.loads((HERE.parents[1] / "bot/features/helplines.toml").read_text(encoding="utf-8"))["lines"]
    assert len(listed) == len(kindness.LINES)
    for line in listed:
        assert line["source"].startswith("https://") and isinstance(line["date"], date) and line["number"]

"""The queries whose answers are recorded: every kind of text that people send."""

from __future__ import annotations

import json
from pathlib import Path

QUERIES = Path(__file__).resolve().parents[2] / "data/queries"


def golden_queries() -> list[str]:
    """About 600: all dev and mistyped ones, every third tuning pair, off-topic lines, idioms by name, odd forms."""
    dev = [query[language] for query in _rows("dev_queries") for language in ("ru", "en")]
    tuning = [query[language] for query in _rows("tuning_queries")[::6] for language in ("ru", "en")]
    noisy = [query["query"] for query in _rows("dev_noisy")]
    named = [query["gold"] for query in _rows("dev_queries")[::8]]
    offtopic = _lines("dev_offtopic") + _lines("tuning_offtopic")[::20]
    return list(dict.fromkeys([*dev, *tuning, *noisy, *named, *offtopic, *ODD]))


ODD = [
    *("", "   ", "?!?!", "😱", "🐷✈️", "🌧️🐱🐶", "ку", "hi", "труп", "zzzz", "a", "*", "* *"),
    *("* в мешке", "кот * мешке", "piece of *", '"piece of cake"', "«ни рыба ни мясо»", "once in a blue", "бить б*"),
    *("как сказать, что человек ничего не делает", "what's the idiom for being very happy", "идиома про жадность"),
    *("ochen ustat", "bezdelnichat celymi dnyami", ",tpltkmybxfnm", "рфззн", "бездельничать", "бездельничаать"),
    *("to reveal a secret", "reveal  a   SECRET!", "раскрыть тайну", "Раскрыть Тайну", "злой как собака"),
    *("собаку съел", "бить баклуши", "баклуши бить", "бить баклушы", "kick the bucket", "kicked the bucket"),
    *("raining cats and dogs", "rain cats and dogs", "скатертью дорога", "скатертю дорога", "c*т наплакал"),
    *("у него денег куры не клюют", "он не умеет хранить секреты", "she never keeps her promises", "дождь 🌧"),
    *("сильный дождь", "heavy rain", "что-то очень лёгкое", "something very easy", "пoтерять голову", "ёжик"),
]


def _rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in _lines(name, "jsonl")]


def _lines(name: str, kind: str = "txt") -> list[str]:
    return [line for line in (QUERIES / f"{name}.{kind}").read_text(encoding="utf-8").split("\n") if line.strip()]

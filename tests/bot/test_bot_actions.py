"""Actions fit a button and survive the way there and back; what older versions wrote still means what it meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actions import Action, Open, Random, SetScope, Show, from_data, to_data
from bot.features.card import Judge, Save, Similar, Toggle, Vote
from bot.features.daily import ChooseHour, ChooseZone, SetHour, SetZone
from bot.features.dictionary import ShowTopic, ShowTopics
from bot.features.feedback import AnswerReports, ExportReports, Inaccurate, Say, ShowReports
from bot.features.history import Again
from bot.features.learn import GradeIt, Pause, Repeat, Reveal, SetPace, ShowPlan, Ungrade
from bot.features.picture import Picture
from bot.features.privacy import Erase, Export
from bot.features.quiz import AskQuestion, OpenBelow, ShowScore
from bot.features.routes import ACTIONS
from bot.features.saved import ExportCards, ExportSaved
from bot.features.search import Search, ShowIn, Why
from bot.features.settings import SetLanguage
from bot.features.start import Try
from support.strategies import actions, strategies

KEY = "00ff00ff00ff"
# What stands in messages that people keep: never change a line of these.
OLD = {
    "1o:00ff00ff00ff:7:2": Open(KEY, 7, 2),
    "1s:00ff00ff00ff:7": Similar(KEY, 7),
    "1y:7:2": Why(7, 2),
    "1f:exact:7": Search("exact", 7),
    "1f:nearest:7": Search("nearest", 7),
    "1f:exact-nearest:7": Search("exact-nearest", 7),
    "1l:en:7": ShowIn("en", 7),
    "1k:00ff00ff00ff:7": Toggle(KEY, 7),
    "1ks:00ff00ff00ff:1:7": Save(KEY, 1, 7),
    "1j:up:00ff00ff00ff:7": Vote("up", KEY, 7),
    "1j:down:00ff00ff00ff:7": Vote("down", KEY, 7),
    "1j:wrong:00ff00ff00ff:7": Vote("wrong", KEY, 7),
    "1jv:up:1:00ff00ff00ff:7": Judge("up", 1, KEY, 7),
    "1jw:00ff00ff00ff:7": Inaccurate(KEY, 7),
    "1jf:spelling:00ff00ff00ff:7": Say("spelling", KEY, 7),
    "1jr:2": ShowReports(2),
    "1ja:fixed:00ff00ff00ff:2": AnswerReports("fixed", KEY, 2),
    "1t:2": Try(2),
    "1td:1": ShowTopics(1),
    "1tt:7": ShowTopic(7),
    "1x:reports": ExportReports(),
    "1v:7:2": Show(7, 2),
    "1a:3:7:2": Again(3, 7, 2),
    "1r:0:": Random(),
    "1r:7:ru.animals": Random(7, "ru.animals"),
    "1c:language:ru:0": SetLanguage("ru"),
    "1c:language::0": SetLanguage(),
    "1c:scope:en:7": SetScope("en", 7),
    "1c:scope::0": SetScope(),
    "1c:hour:9:0": SetHour("9"),
    "1c:hour::0": SetHour(),
    "1c:zone:America/New_York:0": SetZone("America/New_York"),
    "1q:quiz": AskQuestion(),
    "1q:score": ShowScore(),
    "1qo:00ff00ff00ff": OpenBelow(KEY),
    "1q:daily": ChooseHour(),
    "1q:zones": ChooseZone(),
    "1e:history:0": Erase("history"),
    "1e:saved:1": Erase("saved", 1),
    "1e:all:1": Erase("all", 1),
    "1e:nothing:0": Erase("nothing"),
    "1x:saved": ExportSaved(),
    "1x:all": Export(),
    "1x:cards:anki": ExportCards("anki"),
    "1x:cards:csv": ExportCards("csv"),
    "1e:learning:1": Erase("learning", 1),
    "1n": Repeat(),
    "1nr:00ff00ff00ff:3": Reveal(KEY, 3),
    "1ng:good:00ff00ff00ff:3": GradeIt("good", KEY, 3),
    "1nu:00ff00ff00ff:3": Ungrade(KEY, 3),
    "1q:learn": ShowPlan(),
    "1np:5": SetPace(5),
    "1nz:1": Pause(1),
    "1pic:00ff00ff00ff": Picture(KEY),
}


def test_every_action_is_tested() -> None:
    assert set(strategies) == set(ACTIONS) == {type(action) for action in OLD.values()}


def test_no_code_begins_another() -> None:
    codes = [f"{kind.code}:" for kind in ACTIONS]
    assert [(one, other) for one in codes for other in codes if one is not other and one.startswith(other)] == []


@pytest.mark.parametrize(("data", "action"), OLD.items())
def test_buttons_in_old_messages_mean_what_they_meant(data: str, action: Action) -> None:
    assert from_data(data, ACTIONS) == action
    assert to_data(action) == data


@given(actions)
def test_round_trip_within_64_bytes(action: Action) -> None:
    data = to_data(action)
    assert from_data(data, ACTIONS) == action
    assert 1 <= len(data.encode()) <= 64


@given(st.text())
def test_any_data_is_read_or_refused(data: str) -> None:
    action = from_data(data, ACTIONS)
    assert action is None or to_data(action).split(":")[0] == data.split(":")[0]


@pytest.mark.parametrize(
    "data",
    ["", "1", "o:00ff00ff00ff:7:2", "2o:00ff00ff00ff:7:2", "1o:00FF00FF00FF:7:2", "1o:00ff00ff00ff:-7:2",
     "1o:00ff00ff00ff:7", "1o:00ff00ff00ff:7:2:1", "1v:1:1000", "1v:" + "9" * 19 + ":0", "1r:٣:", "1c:zone:a b:0",
     "1w:00ff00ff00ff:7", "1f:all:7", "1c:colour:red:0", "1q", "1q:", "1q:quiz:", "1x:history"],
)  # fmt: skip
def test_foreign_data_is_refused(data: str) -> None:
    assert from_data(data, ACTIONS) is None

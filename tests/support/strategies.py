"""Strategies of hypothesis for whatever a button may carry."""

from __future__ import annotations

from zoneinfo import available_timezones

from hypothesis import strategies as st

from bot.actions import Action, Open, Random, SetScope, Show
from bot.features.card import Judge, Save, Similar, Toggle, Vote
from bot.features.daily import ChooseHour, ChooseZone, SetHour, SetZone
from bot.features.dictionary import ShowTopic, ShowTopics
from bot.features.feedback import AnswerReports, ExportReports, Inaccurate, Say, ShowReports
from bot.features.history import Again
from bot.features.learn import GradeIt, Pause, Repeat, Reveal, SetPace, ShowPlan, Ungrade
from bot.features.picture import Picture
from bot.features.privacy import Erase, Export
from bot.features.quiz import AskQuestion, OpenBelow, ShowScore
from bot.features.saved import ExportCards, ExportSaved
from bot.features.search import Search, ShowIn, Why
from bot.features.settings import SetLanguage
from bot.features.start import Try
from bot.learning import GRADES

keys = st.text("0123456789abcdef", min_size=12, max_size=12)
numbers = st.integers(0, 10**18 - 1)
pages = st.integers(0, 999)
filters = st.text("abcdefghijklmnopqrstuvwxyz.", max_size=30)
values = st.sampled_from(["", "ru", "en", "24", *map(str, range(24)), "Mars", *sorted(available_timezones())])
strategies: dict[type[Action], st.SearchStrategy[Action]] = {
    Open: st.builds(Open, keys, numbers, pages),
    Similar: st.builds(Similar, keys, numbers),
    Why: st.builds(Why, numbers, pages),
    Search: st.builds(Search, st.sampled_from(["exact", "nearest", "exact-nearest"]), numbers),
    ShowIn: st.builds(ShowIn, values, numbers),
    Save: st.builds(Save, keys, st.integers(0, 1), numbers),
    Toggle: st.builds(Toggle, keys, numbers),
    Vote: st.builds(Vote, st.sampled_from(["up", "down", "wrong"]), keys, numbers),
    Judge: st.builds(Judge, st.sampled_from(["up", "down"]), st.integers(0, 1), keys, numbers),
    Inaccurate: st.builds(Inaccurate, keys, numbers),
    Say: st.builds(Say, st.sampled_from(["translation", "spelling", "meaning", "origin", "other"]), keys, numbers),
    ShowReports: st.builds(ShowReports, pages),
    AnswerReports: st.builds(AnswerReports, st.sampled_from(["fixed", "kept"]), keys, pages),
    Try: st.builds(Try, numbers),
    ShowTopics: st.builds(ShowTopics, pages),
    ShowTopic: st.builds(ShowTopic, pages),
    ExportReports: st.just(ExportReports()),
    Show: st.builds(Show, numbers, pages),
    Again: st.builds(Again, numbers, numbers, pages),
    Random: st.builds(Random, numbers, filters),
    SetLanguage: st.builds(SetLanguage, values, numbers),
    SetScope: st.builds(SetScope, values, numbers),
    SetHour: st.builds(SetHour, values, numbers),
    SetZone: st.builds(SetZone, values, numbers),
    AskQuestion: st.just(AskQuestion()),
    OpenBelow: st.builds(OpenBelow, keys),
    ShowScore: st.just(ShowScore()),
    ChooseHour: st.just(ChooseHour()),
    ChooseZone: st.just(ChooseZone()),
    Erase: st.builds(Erase, st.sampled_from(["history", "saved", "learning", "all", "nothing"]), st.integers(0, 1)),
    Export: st.just(Export()),
    ExportSaved: st.just(ExportSaved()),
    ExportCards: st.builds(ExportCards, st.sampled_from(["anki", "csv"])),
    Repeat: st.just(Repeat()),
    Reveal: st.builds(Reveal, keys, numbers),
    GradeIt: st.builds(GradeIt, st.sampled_from(GRADES), keys, numbers),
    Ungrade: st.builds(Ungrade, keys, numbers),
    ShowPlan: st.just(ShowPlan()),
    SetPace: st.builds(SetPace, numbers),
    Pause: st.builds(Pause, st.integers(0, 1)),
    Picture: st.builds(Picture, keys),
}
actions: st.SearchStrategy[Action] = st.one_of(*strategies.values())

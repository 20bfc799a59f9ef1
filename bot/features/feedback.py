"""What people find wrong with an idiom: they say what, the admins answer with a tap, editors get it as a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar, Literal, get_args

from bot import clock
from bot.actions import Key, Number, Open, Page, Show
from bot.features.about import about, joined
from bot.features.context import Actions, Commands, Context
from bot.store.protocol import HistoryEntry, Report
from bot.texts import Texts, escape, shorten, texts_in
from bot.ui import Button, File, Reply, Row, Screen, pairs, screen, table

Fault = Literal["translation", "spelling", "meaning", "origin", "other"]
Done = Literal["fixed", "kept"]
LONGEST_COMMENT = 1000
MOST_SHOWN = 10
"""Reports of one idiom in a message."""
_NUMBER = re.compile(r"#(\d{1,13})\s*$")
"""Of a report, at the end of the message that asks for a comment on it."""


@dataclass(frozen=True, slots=True)
class Inaccurate:
    """Ask what is wrong with the phrase of a card."""

    code: ClassVar[str] = "jw"
    key: Key
    card: Number = 0


@dataclass(frozen=True, slots=True)
class Say:
    """Say what is wrong with a phrase, and be asked for a comment."""

    code: ClassVar[str] = "jf"
    fault: Fault
    key: Key
    card: Number = 0


@dataclass(frozen=True, slots=True)
class ShowReports:
    """Show an admin what is said of one idiom; the pages are the idioms."""

    code: ClassVar[str] = "jr"
    page: Page = 0


@dataclass(frozen=True, slots=True)
class AnswerReports:
    """Tell all who reported a phrase what was done about it."""

    code: ClassVar[str] = "ja"
    done: Done
    key: Key
    page: Page = 0


@dataclass(frozen=True, slots=True)
class ExportReports:
    """Send an admin all reports as a file."""

    code: ClassVar[str] = "x:reports"


def button(texts: Texts, key: str, card: HistoryEntry) -> Button:
    """Return the button of a card that asks what is wrong."""
    return Button(texts("button-wrong"), Inaccurate(key, card.id))


async def ask(context: Context, action: Inaccurate) -> Reply:
    """Ask what is wrong; where others read along, the card that they see stays."""
    texts, phrase = context.texts, context.engine.phrase(action.key)
    if not phrase:
        return context.gone("phrase")
    if not context.asker.in_private:
        return await _say(context, Say("other", action.key))
    faults = [Button(texts(f"fault-{fault}"), Say(fault, action.key, action.card)) for fault in get_args(Fault)]
    back = (Button(texts("button-back"), Show(action.card)),) if action.card else ()
    return Reply(screen(texts.html("report-ask", phrase=shorten(phrase.text, 100)), *pairs(faults), back))


async def _say(context: Context, action: Say) -> Reply:
    """Keep what is wrong, tell the admins, and ask for a comment."""
    texts, phrase = context.texts, context.engine.phrase(action.key)
    if not phrase:
        return context.gone("phrase")
    number = await context.store.report(context.asker.id, action.key, action.fault)
    if not number:
        return Reply(toast=texts("notice-reports-many"), alert=True)
    told = texts.html("report", fault=texts(f"fault-{action.fault}"), user=str(context.asker.id))
    to_admins = screen(joined([told, about(context, phrase)]), *_answers(texts, action.key))
    if not context.asker.in_private:
        return Reply(toast=texts("notice-reported"), alert=True, to_admins=to_admins)
    back = (Button(texts("button-back"), Show(action.card)),) if action.card else ()
    asks = Screen(f"{texts('report-comment')} #{number}", placeholder=texts("report-placeholder"))
    return Reply(screen(texts("notice-reported"), back), below=asks, to_admins=to_admins)


async def commented(context: Context, text: str, replied: str) -> Reply | None:
    """Keep a text as a comment, if it is the reply to a message that asked for one; else return None."""
    found = _NUMBER.search(replied)
    if not (found and context.asker.in_private):
        return None
    report = await context.store.comment(context.asker.id, int(found[1]), text[:LONGEST_COMMENT])
    phrase = context.engine.phrase(report.key) if report else None
    if not (report and phrase):
        return None
    told = context.texts.html("report-commented", phrase=phrase.text, comment=shorten(text, LONGEST_COMMENT))
    answers = _answers(context.texts, report.key)
    return Reply(Screen(context.texts("report-thanks")), to_admins=screen(told, *answers))


def _answers(texts: Texts, key: str, page: int = 0) -> tuple[Row, ...]:
    fixed = Button(texts("button-fixed"), AnswerReports("fixed", key, page))
    kept = Button(texts("button-kept"), AnswerReports("kept", key, page))
    return (fixed, kept), (Button(texts("button-open"), Open(key)),)


async def _show_reports(context: Context, action: ShowReports | Sequence[str] = ()) -> Reply:
    """Show what waits for an answer, an idiom a page."""
    if not _is_admin(context):
        return Reply(toast=context.texts("notice-unknown-command"))
    texts, page = context.texts, action.page if isinstance(action, ShowReports) else 0
    waiting = [report for report in await context.store.reports() if not report.answer]
    idioms = [(key, list(reports)) for key, reports in groupby(waiting, key=lambda report: report.key)]
    export = (Button(texts("button-export"), ExportReports()),)
    if not idioms:
        return Reply(screen(texts("reports-none"), export))
    page = min(page, len(idioms) - 1)
    key, reports = idioms[page]
    title = texts.html("reports-title", phrase=_named(context, key), page=page + 1, pages=len(idioms))
    lines = [_line(context, report) for report in reports[:MOST_SHOWN]]
    earlier = (Button(texts("button-earlier"), ShowReports(page - 1)),) if page else ()
    later = (Button(texts("button-more"), ShowReports(page + 1)),) if page + 1 < len(idioms) else ()
    return Reply(screen("\n".join([title, "", *lines]), *_answers(texts, key, page), (*earlier, *later), export))


def _line(context: Context, report: Report) -> str:
    when = clock.moment(report.at, context.zone, context.texts.language)
    comment = f": {escape(shorten(report.comment, 300))}" if report.comment else ""
    return f"• {context.texts(f'fault-{report.kind}')}{comment} <i>({when})</i>"


def _named(context: Context, key: str) -> str:
    phrase = context.engine.phrase(key)
    return shorten(phrase.text, 100) if phrase else "…"


async def _answer_reports(context: Context, action: AnswerReports) -> Reply:
    """Mark what was done, and tell those who had reported it, each in their language."""
    if not _is_admin(context):
        return Reply(toast=context.texts("notice-only-admins"))
    reports = await context.store.answer_reports(action.key, action.done)
    told: dict[int, Screen] = {}
    for report in reports:
        user = await context.store.user(report.user)
        texts = texts_in(user.language or user.spoken or context.asker.own_language)
        told[report.user] = Screen(texts.html(f"report-{action.done}", phrase=_named(context, action.key)))
    reply = await _show_reports(context, ShowReports(action.page))
    return replace(reply, toast=context.texts("notice-answered", count=len(told)), to_people=tuple(told.items()))


async def _export(context: Context, _: ExportReports) -> Reply:
    """Send all reports as CSV, without who made them."""
    if not _is_admin(context):
        return Reply(toast=context.texts("notice-only-admins"))
    rows = [
        (
            report.key,
            _named(context, report.key),
            report.kind,
            report.comment,
            clock.moment(report.at, "UTC", "en", "yyyy-MM-dd"),
            report.answer,
        )
        for report in await context.store.reports()
    ]
    return Reply(file=File("reports.csv", table(("key", "idiom", "fault", "comment", "day", "answer"), rows)))


def _is_admin(context: Context) -> bool:
    return context.asker.in_private and context.asker.id in context.settings.admins


ACTIONS: Actions = {
    Inaccurate: ask,
    Say: _say,
    ShowReports: _show_reports,
    AnswerReports: _answer_reports,
    ExportReports: _export,
}
COMMANDS: Commands = {"reports": _show_reports}

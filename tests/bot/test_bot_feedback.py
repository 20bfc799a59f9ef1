"""What people find wrong: they say what and why, admins answer with a tap, editors get a file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from bot import links
from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key
from bot.store.protocol import REPORTS_A_DAY
from support.states import exported
from support.talking import ANNA, EN, RU, Message, Talk, data, labels, pressed

ADMIN = 1
KEY, OTHER = phrase_key("ru", "бить баклуши"), phrase_key("ru", "кот наплакал")


def plain(text: str) -> str:
    return text.replace("<b>", "").replace("</b>", "")


async def card_of(talk: Talk, key: str = KEY) -> Message:
    """The card of a phrase."""
    (card,) = await talk.say(f"/start {links.to_idiom(key)}")
    return card


async def admin_in(talk: Talk) -> dict[int, Message]:
    """The messages of an admin who has written to the bot."""
    admin = talk.telegram.add_user("Админ", "ru", id=ADMIN)
    chat = talk.telegram.private(admin)
    await talk.say("/start", chat, admin)
    return chat.messages


async def test_who_says_that_something_is_wrong_says_what_and_why(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db", admins=frozenset({ADMIN})) as talk:
        told = await admin_in(talk)
        card = await card_of(talk)
        asked = await pressed(talk, card, RU("button-wrong"))
        assert asked["text"] == plain(RU("report-ask", phrase="бить баклуши"))
        number = asked["message_id"]
        (prompt,) = await talk.answers(
            talk.chat,
            lambda chat: talk.telegram.press(talk.user, chat, number, data(asked, RU("fault-translation"))),
        )
        assert talk.chat.messages[number]["text"] == RU("notice-reported")
        assert prompt["force_reply"] == RU("report-placeholder") and prompt["text"].startswith(RU("report-comment"))
        assert "бить баклуши" in told[max(told)]["text"] and RU("fault-translation") in told[max(told)]["text"]
        await talk.restart()
        (thanks,) = await talk.say("не idle, а loaf", reply_to=prompt["message_id"])
        assert thanks["text"] == RU("report-thanks")
        (report,) = await talk.store.reports()
        assert (report.kind, report.comment) == ("translation", "не idle, а loaf")
        assert "не idle, а loaf" in told[max(told)]["text"]
        (answer,) = await talk.say("бездельничать", reply_to=number)
        assert "1. " in answer["text"], "a reply to anything else is a query"
        back = await pressed(talk, talk.chat.messages[number], RU("button-back"))
        assert back["text"] == card["text"]
        (kept,) = (await exported(talk.store, ANNA))["reports"]
        assert kept["comment"] == "не idle, а loaf"


async def test_admins_answer_with_a_tap_and_everybody_who_said_it_hears(engine: SearchEngine) -> None:
    async with Talk(engine, admins=frozenset({ADMIN})) as talk:
        await admin_in(talk)
        bob = talk.telegram.add_user("Bob", "en")
        chat = talk.telegram.private(bob)
        await talk.say("/start", chat, bob)
        await talk.say("/start")
        await talk.store.set(bob.id, language="en")
        await talk.store.report(ANNA, OTHER, "other")
        talk.time += 1
        for user, kind in ((ANNA, "spelling"), (bob.id, "spelling"), (bob.id, "origin")):
            await talk.store.report(user, KEY, kind)
        admin, person = talk.telegram.chats[ADMIN], talk.telegram.users[ADMIN]
        (listed,) = await talk.say("/reports", admin, person)
        assert listed["text"].splitlines()[0] == plain(RU("reports-title", phrase="бить баклуши", page="1", pages="2"))
        assert listed["text"].count("•") == 3
        assert [len(row) for row in listed["reply_markup"]["inline_keyboard"]][:2] == [2, 1], "a phone has no room"
        after, toast = await talk.press(listed, RU("button-fixed"), person)
        assert toast == RU("notice-answered", count=2)
        assert talk.chat.messages[max(talk.chat.messages)]["text"] == plain(RU("report-fixed", phrase="бить баклуши"))
        assert chat.messages[max(chat.messages)]["text"] == plain(EN("report-fixed", phrase="бить баклуши"))
        none, _ = await talk.press(after, RU("button-kept"), person)
        assert none["text"] == RU("reports-none")
        (file,) = await talk.answers(
            admin,
            lambda chat: talk.telegram.press(person, chat, none["message_id"], data(none, RU("button-export"))),
        )
        content = talk.telegram.files[file["document"]["file_id"]].data
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
        assert sorted((row["idiom"], row["fault"], row["answer"]) for row in rows) == [
            ("бить баклуши", "origin", "fixed"),
            ("бить баклуши", "spelling", "fixed"),
            ("бить баклуши", "spelling", "fixed"),
            ("кот наплакал", "other", "kept"),
        ]
        assert str(ANNA) not in content.decode()


async def test_only_admins_see_and_answer_what_was_said(engine: SearchEngine) -> None:
    async with Talk(engine, admins=frozenset({ADMIN})) as talk:
        await talk.store.report(ANNA, KEY, "other")
        (answer,) = await talk.say("/reports")
        assert answer["text"] == RU("notice-unknown-command")
        for forged in ("1jr:0", f"1ja:fixed:{KEY}:0", "1x:reports"):
            shown, toast = await talk.press_data(answer, forged)
            assert shown["text"] == answer["text"] and toast
        assert [report.answer for report in await talk.store.reports()] == [""]


async def test_nobody_floods_the_admins(engine: SearchEngine) -> None:
    async with Talk(engine, admins=frozenset({ADMIN})) as talk:
        told = await admin_in(talk)
        for number in range(REPORTS_A_DAY):
            await talk.store.report(ANNA, str(number), "other")
        card, before = await card_of(talk), len(told)
        asked = await pressed(talk, card, RU("button-wrong"))
        _, toast = await talk.press(asked, RU("fault-other"))
        assert (toast, len(told)) == (RU("notice-reports-many"), before)


async def test_in_a_group_a_report_changes_nothing_for_the_others(engine: SearchEngine) -> None:
    async with Talk(engine, admins=frozenset({ADMIN})) as talk:
        await admin_in(talk)
        group = talk.telegram.add_group("Друзья", [talk.user])
        (results,) = await talk.say("@idiomatika_bot бить баклуши", group)
        card = await pressed(talk, results, "1")
        shown, toast = await talk.press(card, RU("button-wrong"))
        assert (shown["text"], toast, labels(shown)) == (card["text"], RU("notice-reported"), labels(card))
        assert [report.kind for report in await talk.store.reports()] == ["other"]

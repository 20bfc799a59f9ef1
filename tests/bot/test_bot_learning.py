"""Repetition: what is asked when, how it is graded, and what is exported for other programs."""

from __future__ import annotations

import csv
import io
import sqlite3
import zipfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import learning
from bot.learning import GAP, GRADES, graded, plan, streak, ungraded, with_gaps
from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key
from bot.store.protocol import Review
from bot.ui import table
from support.talking import ANNA, EN, NOON, RU, Message, Talk, data, labels, pressed

IDIOMS = ["бить баклуши", "кот наплакал", "piece of cake"]
KEYS = [phrase_key("ru" if number < 2 else "en", idiom) for number, idiom in enumerate(IDIOMS)]
HOUR, DAY = 3600.0, 86400.0
TODAY = date(2026, 3, 10)


async def saved(talk: Talk, keys: list[str] = KEYS) -> None:
    """Let Anna have saved idioms, one after another."""
    talk.time = NOON
    for key in keys:
        talk.time += 1
        await talk.store.set_saved(ANNA, key, True)


async def grade(talk: Talk, message: Message, how: str) -> Message:
    """Look at the answer, and grade."""
    message = await pressed(talk, message, RU("button-reveal"))
    return await pressed(talk, message, RU(f"grade-{how}"))


async def test_what_is_saved_is_asked_at_growing_intervals(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (empty,) = await talk.say("/learn")
        assert empty["text"] == RU("learn-empty")
        await saved(talk)
        (question,) = await talk.say("/learn")
        assert question["text"] == f"{RU('learn-left', count=3)}\n\n{IDIOMS[0]}\n\nЧто это значит?"
        answer = await pressed(talk, question, RU("button-reveal"))
        assert answer["text"].startswith(IDIOMS[0]) and "праздно проводить время" in answer["text"]
        spans = [label.split(" · ")[1].replace("\N{NO-BREAK SPACE}", " ") for label in labels(answer)]
        assert spans == ["10 мин", "15 мин", "2 дн.", "1 нед."]
        await talk.restart()
        second = await pressed(talk, answer, RU("grade-good"))
        assert IDIOMS[1] in second["text"]
        third = await grade(talk, second, "again")
        done = await grade(talk, third, "easy")
        soon = RU("learn-next", span="через\N{NO-BREAK SPACE}10\N{NO-BREAK SPACE}минут")
        assert done["text"] == f"{RU('learn-done')}\n{soon}\n🔥 Без пропусков: 1 день"
        talk.time += HOUR
        (again,) = await talk.say("/learn")
        assert IDIOMS[1] not in again["text"], "the second time it is asked the other way round"
        assert "Как это сказать русской идиомой?" in again["text"]
        await grade(talk, again, "good")
        talk.time += 2 * DAY
        (later,) = await talk.say("/learn")
        assert RU("learn-left", count=2) in later["text"] and f"{GAP} {GAP}." in later["text"]
        done = await grade(talk, await grade(talk, later, "good"), "good")
        assert "🔥 Без пропусков: 1 день" in done["text"], "a day was left out"


async def test_the_third_time_there_is_a_gap(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        await saved(talk, KEYS[2:])
        (message,) = await talk.say("/learn")
        for _ in range(2):
            done = await grade(talk, message, "good")
            talk.time += 400 * DAY
            (message,) = await talk.say("/learn")
        assert GAP in message["text"] and "piece of" not in message["text"]
        assert done["text"].startswith(RU("learn-done"))


async def test_a_grade_counts_once_and_can_be_changed(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        await saved(talk, KEYS[:2])
        (question,) = await talk.say("/learn")
        answer = await pressed(talk, question, RU("button-reveal"))
        easy = data(answer, RU("grade-easy"))
        following = await pressed(talk, answer, RU("grade-again"))
        (review,) = await talk.store.reviews(ANNA)
        await talk.press_data(following, easy)
        assert await talk.store.reviews(ANNA) == [review], "that question was graded already"
        undo = data(following, RU("button-ungrade"))
        asked = await pressed(talk, following, RU("button-ungrade"))
        assert (asked["text"], await talk.store.reviews(ANNA)) == (question["text"], [])
        await talk.press_data(asked, undo)
        assert await talk.store.reviews(ANNA) == []
        await grade(talk, asked, "easy")
        (review,) = await talk.store.reviews(ANNA)
        assert review.due - talk.time == 8 * DAY
        await talk.press_data(asked, f"1nr:{KEYS[0]}:0")
        for forged in (f"1ng:good:{'0' * 12}:0", f"1nr:{'0' * 12}:0", f"1nu:{'0' * 12}:0", "1np:7"):
            await talk.press_data(asked, forged)
        assert (await talk.store.reviews(ANNA), (await talk.store.user(ANNA)).pace) == ([review], 10)


async def test_new_ones_come_little_by_little_and_everything_can_pause(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        idioms = [phrase.key for phrase in engine.phrases[:40]][:12]
        await saved(talk, idioms)
        (settings,) = await talk.say("/settings")
        await pressed(talk, settings, RU("button-learn"), "5")
        (message,) = await talk.say("/learn")
        assert RU("learn-left", count=5) in message["text"]
        for _ in range(5):
            message = await grade(talk, message, "easy")
        assert message["text"].startswith(RU("learn-done"))
        shown = await pressed(talk, message, RU("button-plan"), RU("button-pause"))
        assert RU("button-resume") in labels(shown)
        talk.time += DAY
        (paused,) = await talk.say("/learn")
        assert paused["text"] == RU("learn-paused")
        await pressed(talk, paused, RU("button-resume"))
        (message,) = await talk.say("/learn")
        assert RU("learn-left", count=5) in message["text"]
        asked = await pressed(talk, shown, RU("button-reset"))
        assert asked["text"] == RU("sure-learning")
        await pressed(talk, asked, RU("button-sure"))
        assert (await talk.store.reviews(ANNA), await talk.store.learned(ANNA)) == ([], [])
        assert len(await talk.store.saved(ANNA)) == 12
        await talk.store.set_saved(ANNA, idioms[0], False)
        (message,) = await talk.say("/learn")
        assert engine.phrase(idioms[1]).text in message["text"]  # type: ignore[union-attr]


async def test_the_daily_message_says_what_waits(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        await saved(talk)
        await talk.say("/daily 13")
        await grade(talk, (await talk.say("/learn"))[0], "easy")
        talk.time = NOON + HOUR + 1
        (sent,) = await talk.tick()
        assert sent["text"].endswith(f"{RU('learn-waiting', count=2)}\n🔥 Без пропусков: 1 день")
        await talk.press_data((await talk.say("/learn"))[0], "1nz:1")
        talk.time += DAY
        (sent,) = await talk.tick()
        assert "🧠" not in sent["text"] and "🔥" not in sent["text"]


async def test_a_group_is_shown_nothing_of_what_somebody_learns(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        await saved(talk)
        group = talk.telegram.add_group("Друзья", [talk.user])
        (answer,) = await talk.say("/learn@idiomatika_bot", group)
        assert answer["text"] == RU("notice-only-private")
        for forged in ("1n", f"1nr:{KEYS[0]}:0", f"1ng:good:{KEYS[0]}:0", "1q:learn", "1x:cards:anki"):
            shown, toast = await talk.press_data(answer, forged)
            assert (shown["text"], toast) == (answer["text"], RU("notice-only-private"))
        assert await talk.store.reviews(ANNA) == []


async def file_after(talk: Talk, message: Message, label: str) -> tuple[str, bytes]:
    """The name and the bytes of the file that a button sends."""
    (sent,) = await talk.answers(
        talk.chat,
        lambda chat: talk.telegram.press(talk.user, chat, message["message_id"], data(message, label)),
    )
    return sent["document"]["file_name"], talk.telegram.files[sent["document"]["file_id"]].data


async def test_a_deck_for_anki_asks_both_ways_and_stays_the_same_deck(engine: SearchEngine, tmp_path: Path) -> None:
    decks = []
    async with Talk(engine, "en") as talk:
        await saved(talk)
        (listed,) = await talk.say("/saved")
        for number in range(2):
            name, content = await file_after(talk, listed, "Anki")
            assert name == "idioms.apkg"
            file = tmp_path / f"{number}.db"
            file.write_bytes(zipfile.ZipFile(io.BytesIO(content)).read("collection.anki2"))
            decks.append(sqlite3.connect(file))
    notes = [deck.execute("SELECT guid, flds FROM notes ORDER BY guid").fetchall() for deck in decks]
    assert notes[0] == notes[1]
    assert [deck.execute("SELECT count(*) FROM cards").fetchone() for deck in decks] == [(6,), (6,)]
    fields = next(fields.split("\x1f") for _, fields in notes[0] if KEYS[1] in fields)
    assert fields[1:3] == ["кот напла́кал", "a very small amount, hardly any"]
    assert fields[3].startswith("next to nothing") and "the cat has wept" in fields[4] and "<br>" in fields[5]
    for deck in decks:
        deck.close()


async def test_a_table_opens_in_programs_for_tables(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        await saved(talk)
        (listed,) = await talk.say("/saved")
        name, content = await file_after(talk, listed, "CSV")
        assert name == "idioms.csv" and content.startswith(b"\xef\xbb\xbf")
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
        assert [row["idiom"] for row in rows] == IDIOMS[::-1]
        assert all(row["meaning"] and row["examples"] for row in rows)


def test_no_cell_is_a_formula() -> None:
    cells = table(["a"], [["=1+1", "-x", "+y", "@z", "ok\n=2"]]).decode("utf-8-sig").splitlines()[1]
    assert cells.startswith("'=1+1,'-x,'+y,'@z,")


@given(st.lists(st.sampled_from(GRADES), max_size=12))
def test_whatever_the_grades_it_comes_again_later_and_a_grade_can_be_taken_back(grades: list[learning.Grade]) -> None:
    review, now = Review("k"), NOON
    for each in grades:
        after = graded(review, each, now, TODAY)
        assert after.due > now and after.count == review.count + 1
        assert ungraded(after).card == review.card
        assert ungraded(after).due == pytest.approx(review.due)
        spans = list(learning.intervals(review, now, TODAY).values())
        assert spans == sorted(spans), "the better it is known the later it comes"
        review, now = after, after.due


def test_what_is_asked_first() -> None:
    due = [Review("a", 1, "{}", 5.0, since="2026-03-01"), Review("b", 2, "{}", 15.0, since="2026-03-10")]
    asked = plan(["b", "a", "c", "d", "e"], due, 3, 10.0, TODAY)
    assert ([one.key for one in asked.due], [one.key for one in asked.new]) == (["a"], ["c", "d"])
    assert (asked.next, asked.count, asked.first) == (15.0, 3, due[0])
    assert plan([], due, 3, 10.0, TODAY).first is None


@pytest.mark.parametrize(
    ("days", "length"),
    [
        ([], 0),
        (["2026-03-10"], 1),
        (["2026-03-09", "2026-03-08"], 2),
        (["2026-03-10", "2026-03-08"], 1),
        (["2026-03-08"], 0),
        (["2026-03-01", "2026-02-28", "2026-03-02"], 0),
    ],
)
def test_a_streak_goes_up_to_today_or_yesterday(days: list[str], length: int) -> None:
    assert streak(days, TODAY) == length


@pytest.mark.parametrize(
    ("sentence", "idiom", "gaps"),
    [
        ("Хватит бить баклуши, иди помоги.", "бить баклуши", "Хватит ____ ____, иди помоги."),
        ("Реализм он считал столбовой дорогой.", "столбовая дорога", "Реализм он считал ____ ____."),
        ("Ложись, утро вечера мудренее!", "у́тро ве́чера мудрене́е", "Ложись, ____ ____ ____!"),
        ("It was music to their ears.", "music to someone's ears", ""),
        ("Nothing of the kind.", "piece of cake", ""),
        ("Да", "да", ""),
    ],
)
def test_the_words_of_an_idiom_are_left_out(sentence: str, idiom: str, gaps: str) -> None:
    assert with_gaps(sentence, idiom) == gaps


def test_most_idioms_have_an_example_with_a_gap(engine: SearchEngine) -> None:
    asked = engine.phrases[::50]
    gaps = [phrase for phrase in asked if any(with_gaps(example, phrase.text) for example in phrase.examples)]
    assert len(gaps) > 0.9 * len(asked)


async def test_in_english_too(engine: SearchEngine) -> None:
    async with Talk(engine, "en") as talk:
        await saved(talk, KEYS[1:2])
        (question,) = await talk.say("/learn")
        assert question["text"] == f"{EN('learn-left', count=1)}\n\nкот напла́кал\n\nWhat does it mean?"

"""The quiz."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.clock import WEEK
from bot.search.engine import SearchEngine
from support.small import small_artifacts
from support.talking import NOON, RU, Message, Talk, data, labels


async def following(talk: Talk, message: Message, label: str) -> Message:
    """The message that comes after a button of another one was pressed."""
    (new,) = await talk.answers(
        talk.chat, lambda chat: talk.telegram.press(talk.user, chat, message["message_id"], data(message, label))
    )
    return new


def scores(this: str, last: str, ever: str) -> str:
    return RU("quiz-scores", this=this, last=last, ever=ever)


async def test_the_quiz_keeps_score_by_week(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        talk.time = NOON
        (poll,) = await talk.say("/quiz")
        assert poll["poll"]["type"] == "quiz"
        options = [option["text"] for option in poll["poll"]["options"]]
        assert len(set(options)) == 4
        _, toast = await talk.press(poll, RU("button-score"))
        assert toast == scores("—", "—", "—")
        await talk.restart()
        for number in range(2):
            correct = poll["poll"]["correct_option_ids"][0]
            talk.telegram.vote(talk.user, poll["poll"]["id"], [(correct + number) % 4])
            await talk.work()
            poll = await following(talk, poll, RU("button-quiz"))
        _, toast = await talk.press(poll, RU("button-score"))
        assert toast == scores("1 из 2", "—", "1 из 2")
        monday = datetime(2026, 3, 16, tzinfo=ZoneInfo("Europe/Moscow")).timestamp()
        for talk.time, expected in (
            (monday - 1, scores("1 из 2", "—", "1 из 2")),
            (monday, scores("—", "1 из 2", "1 из 2")),
            (monday + WEEK, scores("—", "—", "1 из 2")),
        ):
            _, toast = await talk.press(poll, RU("button-score"))
            assert toast == expected and len(toast) <= 200


async def test_the_idiom_that_was_asked_about_opens_below_the_question(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for _ in range(12):
            (poll,) = await talk.say("/quiz")
            card = await following(talk, poll, RU("button-quiz-open"))
            assert RU("button-save") in labels(card) and "poll" in poll
            right = poll["poll"]["options"][poll["poll"]["correct_option_ids"][0]]["text"]
            name = card["text"].split("\n")[0]
            phrase = next(phrase for phrase in engine.phrases if phrase.text == name)
            assert right in (phrase.text, phrase.meaning_in("ru"))
        _, toast = await talk.press_data(poll, f"1qo:{'0' * 12}")
        assert toast == RU("notice-phrase-gone")


async def test_a_collection_may_be_too_small_for_a_quiz() -> None:
    async with Talk(SearchEngine(small_artifacts())) as talk:
        (answer,) = await talk.say("/quiz")
        assert answer["text"] == RU("quiz-impossible")

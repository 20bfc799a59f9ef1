"""The quiz."""

from __future__ import annotations

from pathlib import Path

from bot.search.engine import SearchEngine
from support.talking import RU, Talk, data


async def test_the_quiz_keeps_score(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (poll,) = await talk.say("/quiz")
        assert poll["poll"]["type"] == "quiz"
        options = [option["text"] for option in poll["poll"]["options"]]
        assert len(set(options)) == 4
        _, toast = await talk.press(poll, RU("button-score"))
        assert toast == RU("quiz-score", correct=0, asked=0)
        await talk.restart()
        for number in range(2):
            correct = poll["poll"]["correct_option_ids"][0]
            talk.telegram.vote(talk.user, poll["poll"]["id"], [(correct + number) % 4])
            await talk.work()
            (poll,) = await talk.answers(
                talk.chat,
                lambda chat, old=poll: talk.telegram.press(
                    talk.user, chat, old["message_id"], data(old, RU("button-quiz"))
                ),
            )
        _, toast = await talk.press(poll, RU("button-score"))
        assert toast == RU("quiz-score", correct=1, asked=2)


async def test_the_correct_answer_of_the_quiz_is_the_meaning(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for _ in range(20):
            (message,) = await talk.say("/quiz")
            poll = message["poll"]
            name = poll["question"].split("«", 1)[1].rsplit("»", 1)[0]
            right = poll["options"][poll["correct_option_ids"][0]]["text"]
            phrase = next(phrase for phrase in engine.phrases if phrase.text == name)
            assert phrase.meaning_in("ru") == right

"""Saved idioms."""

from __future__ import annotations

from bot.search.engine import SearchEngine
from support.talking import QUERY, RU, Talk, data, file_of, labels, pressed


async def test_idioms_are_saved_listed_removed_and_exported(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (empty,) = await talk.say("/saved")
        assert empty["text"] == RU("saved-empty")
        (results,) = await talk.say(QUERY)
        names = [match.phrase.text for match in engine.search(QUERY, 2)]
        for label in ("1", "2"):
            card, toast = await talk.press(await pressed(talk, results, label), RU("button-save"))
            assert toast == RU("notice-saved")
            assert RU("button-saved") in labels(card)
            await talk.press(card, RU("button-back"))
            talk.time += 1
        (saved,) = await talk.say("/saved")
        assert "2 сохранённые идиомы" in saved["text"]
        assert [f"{n}. {name}" in saved["text"] for n, name in enumerate(reversed(names), 1)] == [True, True]
        (file,) = await talk.answers(
            talk.chat,
            lambda chat: talk.telegram.press(talk.user, chat, saved["message_id"], data(saved, RU("button-export"))),
        )
        told = file_of(talk, file).split("\n\n")
        assert [idiom.split(" — ")[0] for idiom in told] == names[::-1]
        assert all(example in told[0] for example in engine.search(QUERY, 2)[1].phrase.examples)
        card = await pressed(talk, saved, "1")
        card, toast = await talk.press(card, RU("button-saved"))
        assert toast == RU("notice-unsaved")
        saved, _ = await talk.press(card, RU("button-back"))
        assert "1 сохранённая идиома" in saved["text"]
        question, _ = await talk.press(saved, RU("button-erase"))
        await talk.press(question, RU("button-sure"))
        (saved,) = await talk.say("/saved")
        assert saved["text"] == RU("saved-empty")

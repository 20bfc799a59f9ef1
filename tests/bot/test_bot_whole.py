"""The whole conversation over real HTTP, in both languages: every command, every button, every path of inline mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.actions import Action, from_data
from bot.features.routes import ACTIONS, COMMANDS
from bot.search.engine import SearchEngine
from support.talking import ANNA, FAR, LAYOUT, Message, Talk, buttons, labels

QUERIES = {"ru": "ничего не делать, бездельничать", "en": "to be very happy"}
DEPTH = 8


async def press_everything(talk: Talk, message: Message, pressed: set[str], depth: int = DEPTH) -> None:
    """Press each kind of button once, on this message and on those that come of it."""
    for button in buttons(message):
        action = from_data(button.get("callback_data", ""), ACTIONS)
        if action and (kind := name_of(action)) not in pressed:
            pressed.add(kind)
            before = set(talk.chat.messages)
            shown, _ = await talk.press_data(message, button["callback_data"])
            for new in [shown, *(talk.chat.messages[number] for number in set(talk.chat.messages) - before)]:
                if depth:
                    await press_everything(talk, new, pressed, depth - 1)


def name_of(action: Action) -> str:
    """What makes two buttons different in kind: the action and its words, not its numbers and keys."""
    words = [getattr(action, name) for name in ("what", "how", "form") if hasattr(action, name)]
    return " ".join([type(action).__name__, *words, str(getattr(action, "sure", ""))]).strip()


EVERY_BUTTON = {
    "Open", "Similar", "Why", "Search nearest", "Search exact", "Search exact-nearest",
    "Save", "Judge", "Inaccurate", "Say", "ShowReports", "AnswerReports", "ExportReports",
    "Try", "ShowTopics", "ShowTopic",
    "Show", "Again", "Random", "Picture",
    "SetLanguage", "SetScope", "ShowIn", "SetHour", "SetZone", "AskQuestion", "OpenBelow", "ShowScore",
    "ChooseZone", "ChooseHour",
    "Erase history 0", "Erase history 1", "Erase saved 0", "Erase saved 1", "Erase all 0", "Erase all 1",
    "Erase nothing 0", "ExportSaved", "Export", "ExportCards anki", "ExportCards csv",
    "Erase learning 0", "Erase learning 1", "Repeat", "Reveal", "GradeIt", "Ungrade", "ShowPlan", "SetPace", "Pause",
}  # fmt: skip


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_everything_that_a_person_can_do(engine: SearchEngine, tmp_path: Path, language: str) -> None:
    async with Talk(engine, language, tmp_path / "state.db", True, admins=frozenset({ANNA})) as talk:
        pressed: set[str] = set()
        for phrase in engine.phrases[:2]:
            await talk.store.report(ANNA, phrase.key, "other")
        for _ in range(2):
            for query in (QUERIES[language], FAR, LAYOUT):
                (answer,) = await talk.say(query)
                await press_everything(talk, answer, pressed)
            for command in COMMANDS:
                (answer,) = await talk.say(f"/{command}")
                await press_everything(talk, answer, pressed)
            await talk.restart()
        assert pressed == EVERY_BUTTON


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_every_path_of_inline_mode(engine: SearchEngine, language: str) -> None:
    async with Talk(engine, language, over_http=True) as talk:
        friend = talk.telegram.add_user("Боб", language)
        chat = talk.telegram.add_friends(talk.user, friend)
        for words in ("", QUERIES[language], "???", "a"):
            query = await talk.inline(words)
            for card in (query.answer or {})["results"][:2]:
                message = talk.telegram.choose(query, card["id"], chat)
                await talk.work()
                for label in ("≈", "1", "←"):
                    # Few idioms have none that are like them.
                    if label != "1" or label in labels(message):
                        message, _ = await talk.press(message, label, friend)
        assert len(await talk.store.history(ANNA, 0, 9)) >= 2


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_a_group_with_many_people(engine: SearchEngine, language: str) -> None:
    async with Talk(engine, language, over_http=True) as talk:
        others = [talk.telegram.add_user(name, code) for name, code in (("Боб", "en"), ("Вера", "ru"))]
        group = talk.telegram.add_group("Друзья", [talk.user, *others])
        (message,) = await talk.say(f"@idiomatika_bot {QUERIES[language]}", group)
        for number, label in enumerate(("2", "1", "🎲", "←", "←", "←", "→")):
            message, toast = await talk.press(message, label, others[number % 2])
            assert toast == ""
        (poll,) = await talk.say("/quiz@idiomatika_bot", group)
        for person in (talk.user, *others):
            talk.telegram.vote(person, poll["poll"]["id"], [0])
        await talk.work()
        assert {(await talk.store.score(person.id))[1] for person in (talk.user, *others)} == {1}

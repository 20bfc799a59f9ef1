"""History, saved idioms, preferences, the idiom of the day, the quiz, and one's own data."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.search.engine import SearchEngine
from bot.texts import texts_in
from support.talking import ANNA, Message, Talk, buttons, data, labels

QUERY = "ничего не делать, бездельничать"
RU, EN = texts_in("ru"), texts_in("en")
NOON = datetime(2026, 3, 10, 12, 0, tzinfo=ZoneInfo("Europe/Moscow")).timestamp()


def file_of(talk: Talk, message: Message) -> str:
    return talk.telegram.files[message["document"]["file_id"]].data.decode()


async def test_history_lists_queries_and_idioms_and_repeats_them(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        talk.time = NOON
        (results,) = await talk.say(QUERY)
        opened, _ = await talk.press(results, "2")
        await talk.say(QUERY)
        await talk.restart()
        (history,) = await talk.say("/history")
        name = engine.search(QUERY, 2)[1].phrase.text
        assert f"1. 🔎 {QUERY} (10 мар., 12:00)\n2. 📖 {name} (10 мар., 12:00)" in history["text"]
        again, _ = await talk.press(history, "1")
        assert again["text"] == results["text"]
        back, _ = await talk.press(await opened_by(talk, again, "2"), RU("button-back"))
        assert back["text"] == results["text"]
        assert back["message_id"] != opened["message_id"]


async def opened_by(talk: Talk, message: Message, label: str) -> Message:
    return (await talk.press(message, label))[0]


async def test_history_turns_pages_and_comes_back_to_the_page(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for number in range(25):
            await talk.say(f"делать {number}")
        (history,) = await talk.say("/history")
        second, _ = await talk.press(history, RU("button-more"))
        assert "11. 🔎 делать 14 " in second["text"]
        results, _ = await talk.press(second, "11")
        assert "делать 14" in results["text"]
        last, _ = await talk.press(second, RU("button-more"))
        assert labels(last)[:5] == ["21", "22", "23", "24", "25"]
        assert RU("button-more") not in labels(last)


async def test_history_is_cleared_after_a_question(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        card, _ = await talk.press(results, "1")
        (history,) = await talk.say("/history")
        question, _ = await talk.press(history, RU("button-erase"))
        kept, _ = await talk.press(question, RU("button-not-sure"))
        assert kept["text"] == RU("erased-nothing")
        (history,) = await talk.say("/history")
        question, _ = await talk.press(history, RU("button-erase"))
        done, _ = await talk.press(question, RU("button-sure"))
        assert done["text"] == RU("erased-history")
        _, notice = await talk.press(card, RU("button-back"))
        assert notice == RU("notice-step-gone")
        (history,) = await talk.say("/history")
        assert history["text"] == RU("history-empty")


async def test_idioms_are_saved_listed_removed_and_exported(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (empty,) = await talk.say("/saved")
        assert empty["text"] == RU("saved-empty")
        (results,) = await talk.say(QUERY)
        names = [match.phrase.text for match in engine.search(QUERY, 2)]
        for label in ("1", "2"):
            card, notice = await talk.press(await opened_by(talk, results, label), RU("button-save"))
            assert notice == RU("notice-saved")
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
        assert [line.split(" — ")[0] for line in file_of(talk, file).splitlines()] == names[::-1]
        card = await opened_by(talk, saved, "1")
        card, notice = await talk.press(card, RU("button-saved"))
        assert notice == RU("notice-unsaved")
        saved, _ = await talk.press(card, RU("button-back"))
        assert "1 сохранённая идиома" in saved["text"]
        question, _ = await talk.press(saved, RU("button-erase"))
        await talk.press(question, RU("button-sure"))
        (saved,) = await talk.say("/saved")
        assert saved["text"] == RU("saved-empty")


async def test_a_card_is_copied_and_shared(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        card = await opened_by(talk, results, "1")
        text = engine.search(QUERY, 1)[0].phrase.text
        actions = {button["text"]: button for button in buttons(card)}
        assert actions[RU("button-copy")]["copy_text"] == {"text": text}
        assert actions[RU("button-share")]["switch_inline_query_chosen_chat"]["query"] == text
        shared = (await talk.inline(text)).answer or {}
        assert shared["results"][0]["title"] == text


async def test_votes_are_kept_with_their_query_and_mistakes_reach_the_admins(engine: SearchEngine) -> None:
    async with Talk(engine, admins=frozenset({1})) as talk:
        admin = talk.telegram.add_user("Админ", "ru", id=1)
        await talk.say("/start", talk.telegram.private(admin), admin)
        (results,) = await talk.say(QUERY)
        card = await opened_by(talk, results, "1")
        for label in ("👍", "👎"):
            await talk.press(card, label)
        await talk.press(card, RU("button-wrong"))
        key = engine.search(QUERY, 1)[0].phrase.key
        votes = {(row["query"], row["key"], row["vote"]) for row in talk.store.export(ANNA)["votes"]}
        assert votes == {(QUERY, key, "down"), ("", key, "wrong")}
        report = talk.telegram.private(admin).messages[3]
        assert str(ANNA) in report["text"]
        assert engine.search(QUERY, 1)[0].phrase.text in report["text"]


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_the_language_can_be_chosen(engine: SearchEngine, tmp_path: Path, language: str) -> None:
    own, other = (RU, EN) if language == "ru" else (EN, RU)
    async with Talk(engine, language, tmp_path / "state.db") as talk:
        (screen,) = await talk.say("/lang")
        screen, _ = await talk.press(screen, own(f"language-{other.language}"))
        assert f"• {other(f'language-{other.language}')}" in labels(screen)
        await talk.restart()
        (answer,) = await talk.say("/start")
        assert answer["text"].split(".")[0] == other("start").split(".")[0]
        screen, _ = await talk.press(screen, other("language-auto"))
        assert f"• {own('language-auto')}" in labels(screen)


async def test_the_button_under_the_answers_goes_through_the_languages(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (message,) = await talk.say(QUERY)
        for scope in ("ru", "en", ""):
            message, _ = await talk.press(message, "🌐")
            found = engine.search(QUERY, 10, (scope,) if scope else None)
            assert [f"{n}. {match.phrase.text}\n" in message["text"] for n, match in enumerate(found, 1)] == [
                True
            ] * len(found)
            assert talk.store.user(ANNA).scope == scope


async def test_only_the_chosen_idioms_are_searched(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (screen,) = await talk.say("/lang")
        await talk.press(screen, RU("scope-en"))
        (answer,) = await talk.say("to do nothing")
        assert [
            f"{n}. {m.phrase.text}\n" in answer["text"]
            for n, m in enumerate(engine.search("to do nothing", 10, ("en",)), 1)
        ] == [True] * 10
        (card,) = await talk.say("/random")
        assert engine.phrase(talk.store.history(ANNA, 0, 1)[0].text).language == "en"  # type: ignore[union-attr]
        assert card["text"]


@pytest.mark.parametrize("words", ["животные", "animals", "Животн", "животных", "ru animals", "русские животные"])
async def test_a_random_idiom_of_a_topic(engine: SearchEngine, words: str) -> None:
    async with Talk(engine) as talk:
        (card,) = await talk.say(f"/random {words}")
        for _ in range(3):
            phrase = engine.phrase(talk.store.history(ANNA, 0, 1)[0].text)
            assert phrase
            assert "animals" in phrase.topics
            assert phrase.language == "ru" or not words.startswith(("ru", "рус"))
            card, _ = await talk.press(card, RU("button-random"))


async def test_an_unknown_topic_names_the_known_ones(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("/random <шкафы>")
        assert RU("topic-animals") in answer["text"]


async def test_the_idiom_of_the_day_comes_at_its_hour_every_day(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        talk.time = NOON
        (screen,) = await talk.say("/daily")
        assert "Москва, 12:00" in screen["text"]
        screen, _ = await talk.press(screen, "15:00")
        assert "15:00" in screen["text"]
        assert await talk.tick() == []
        talk.time = NOON + 3 * 3600 + 30
        (card,) = await talk.tick()
        assert card["text"].startswith("🌅")
        assert await talk.tick() == []
        await talk.restart()
        assert await talk.tick() == []
        talk.time += 24 * 3600
        (next_card,) = await talk.tick()
        assert next_card["text"] != card["text"]
        opened, _ = await talk.press(next_card, "1")
        back, _ = await talk.press(opened, RU("button-back"))
        assert back["text"] in next_card["text"]


async def test_missed_days_are_not_sent_in_a_flood(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        await talk.say("/daily 15")
        talk.time = NOON + 5 * 24 * 3600
        assert await talk.tick() == []
        talk.time += 3 * 3600 + 30
        assert len(await talk.tick()) == 1


async def test_another_zone_is_chosen_or_written(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        (screen,) = await talk.say("/daily 9")
        zones, _ = await talk.press(screen, RU("button-zone"))
        screen, _ = await talk.press(zones, "Владивосток")
        assert "9:00" in screen["text"]
        assert "Владивосток, 19:00" in screen["text"]
        assert talk.store.user(ANNA).due == NOON + 14 * 3600
        (screen,) = await talk.say("/daily 21:00 asia/tbilisi")
        assert "Тбилиси, 13:00" in screen["text"]
        assert talk.store.user(ANNA).due == NOON + 8 * 3600
        screen, _ = await talk.press(screen, RU("button-daily-stop"))
        assert talk.store.user(ANNA).due is None
        (screen,) = await talk.say("/daily 25 Nowhere/Land")
        assert talk.store.user(ANNA).due is None


async def test_who_blocks_the_bot_is_unsubscribed(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        await talk.say("/daily 15")
        talk.telegram.block(talk.user)
        await talk.work()
        assert talk.store.user(ANNA).due is None
        talk.telegram.block(talk.user, False)
        await talk.say("/daily 15")
        talk.user.blocked = True
        talk.time = NOON + 3 * 3600
        assert await talk.tick() == []
        assert talk.store.user(ANNA).due is None
        talk.telegram.journal.clear()


async def test_the_quiz_keeps_score(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        (poll,) = await talk.say("/quiz")
        assert poll["poll"]["type"] == "quiz"
        options = [option["text"] for option in poll["poll"]["options"]]
        assert len(set(options)) == 4
        _, notice = await talk.press(poll, RU("button-score"))
        assert notice == RU("quiz-score", correct=0, asked=0)
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
        _, notice = await talk.press(poll, RU("button-score"))
        assert notice == RU("quiz-score", correct=1, asked=2)


async def test_the_correct_answer_of_the_quiz_is_the_meaning(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        for _ in range(20):
            (message,) = await talk.say("/quiz")
            poll = message["poll"]
            name = poll["question"].split("«", 1)[1].rsplit("»", 1)[0]
            right = poll["options"][poll["correct_option_ids"][0]]["text"]
            phrase = next(phrase for phrase in engine.phrases if phrase.text == name)
            assert phrase.meaning_in("ru") == right


async def test_one_can_see_take_and_erase_all_that_is_kept(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        await talk.press(await opened_by(talk, results, "1"), RU("button-save"))
        (privacy,) = await talk.say("/privacy")
        assert RU("button-forget") in labels(privacy)
        (file,) = await talk.say("/export")
        kept = json.loads(file_of(talk, file))
        assert kept["steps"][0]["text"] == QUERY
        assert len(kept["saved"]) == 1
        (question,) = await talk.say("/forget")
        done, _ = await talk.press(question, RU("button-sure"))
        assert done["text"] == RU("erased-all")
        assert not any(talk.store.export(ANNA).values())


async def test_a_daily_limit_is_announced_kept_and_ends_at_midnight(engine: SearchEngine) -> None:
    async with Talk(engine, daily_limit=5, admins=frozenset({1})) as talk:
        talk.time = NOON
        answers = [(await talk.say(QUERY))[0]["text"] for _ in range(6)]
        assert [answer.rsplit("\n\n")[-1] for answer in answers[1:4]] == [
            "На сегодня осталось 3 запроса.", "На сегодня осталось 2 запроса.", "На сегодня остался 1 запрос."
        ]  # fmt: skip
        assert "последний" in answers[4]
        assert answers[5] == RU("limit-reached", limit=5)
        talk.time = NOON + 12 * 3600 + 1
        (answer,) = await talk.say(QUERY)
        assert "1. " in answer["text"]
        admin = talk.telegram.add_user("Админ", "ru", id=1)
        for _ in range(7):
            (answer,) = await talk.say(QUERY, talk.telegram.private(admin), admin)
            assert "1. " in answer["text"]


async def test_figures_with_a_picture_for_admins_alone(engine: SearchEngine) -> None:
    async with Talk(engine, admins=frozenset({ANNA})) as talk:
        for _ in range(3):
            await talk.say(QUERY)
        (answer,) = await talk.say("/stats")
        assert "Запросов: 3, сегодня 3" in answer["caption"]
        assert answer["photo"][-1]["width"] == 800
        other = talk.telegram.add_user("Боб", "ru")
        (answer,) = await talk.say("/stats", talk.telegram.private(other), other)
        assert answer["text"] == RU("notice-unknown-command")

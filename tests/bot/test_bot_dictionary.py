"""Questions to a dictionary as commands, examples that search at once, and times as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import next_time, shown, time_in
from bot.features.dictionary import QUESTIONS, TOPICS
from bot.search.engine import SearchEngine
from bot.texts import Texts, texts_in
from support.talking import ANNA, NOON, RU, Talk, buttons, data, labels, numbered, pressed

LANGUAGES = ("ru", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_is_understood_by_its_name(engine: SearchEngine, language: str) -> None:
    texts = texts_in(language)
    for topic in engine.topics:
        answer = engine.answer(texts("ask-topic", words=texts(f"topic-{topic}")), 5, own=True)
        assert {match.reason for match in answer.matches} == {"topic"}, topic


@pytest.mark.parametrize("language", LANGUAGES)
async def test_topics_are_chosen_by_buttons(engine: SearchEngine, language: str) -> None:
    texts = texts_in(language)
    async with Talk(engine, language) as talk:
        (topics,) = await talk.say("/topic")
        assert topics["text"] == texts("topics-title") and len(labels(topics)) == TOPICS + 1
        seen = labels(topics)[:TOPICS]
        while texts("button-more") in labels(topics):
            topics = await pressed(talk, topics, texts("button-more"))
            seen += [label for label in labels(topics) if label[-1] != "→" and label[0] != "←"]
        assert [name.lower() for name in seen] == [texts(f"topic-{topic}").lower() for topic in engine.topics]
        number = engine.topics.index("work")
        found, _ = await talk.press_data(topics, f"1tt:{number}")
        assert numbered(found) and texts("topic-work") in found["text"]
        (named,) = await talk.say(f"/topic {texts('topic-work')}")
        assert numbered(named) == numbered(found)
        for other in ("Arbeit", "работа", "WORK"):
            assert numbered((await talk.say(f"/topic {other}"))[0]) == numbered(found)
        again, _ = await talk.press_data(topics, "1tt:999")
        assert again["text"] == texts("topics-title")


FOUND = {"ru": {"word": "золотые руки", "meaning": "собаку съесть", "en": "break a leg", "ru": "ни пуха ни пера"}}
FOUND["en"] = {"word": "a cat has nine lives", "meaning": "break a leg", "en": "break a leg", "ru": "ни пуха ни пера"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", QUESTIONS)
async def test_a_command_asks_what_it_says(engine: SearchEngine, language: str, what: str) -> None:
    texts: Texts = texts_in(language)
    async with Talk(engine, language) as talk:
        (how,) = await talk.say(f"/{what}")
        assert (await talk.say(f'/{what} * "'))[0]["text"] == how["text"], "there are no words"
        example = texts(f"ask-{what}-example")
        assert f"/{what} {example}" in how["text"]
        (answer,) = await talk.say(f"/{what} {example}")
        assert numbered(answer) == numbered((await talk.say(texts(f"ask-{what}", words=example)))[0])
        assert numbered(answer)[0] == FOUND[language].get(what, numbered(answer)[0])
        explained = await pressed(talk, answer, texts("button-why"))
        assert texts("why-unknown") not in explained["text"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_greeting_has_examples_that_search_at_once(engine: SearchEngine, language: str) -> None:
    texts = texts_in(language)
    async with Talk(engine, language) as talk:
        (hello,) = await talk.say("/start")
        examples = texts("start-examples").split("; ")
        assert labels(hello) == [*examples, texts("button-try-inline")]
        assert buttons(hello)[-1]["switch_inline_query_chosen_chat"]["query"] == texts("example")
        for example in examples:
            (found,) = await talk.answers(
                talk.chat,
                lambda chat, label=example: talk.telegram.press(
                    talk.user, chat, hello["message_id"], data(hello, label)
                ),
            )
            assert example in found["text"] and len(numbered(found)) == 5
        assert talk.chat.messages[hello["message_id"]] == hello, "the greeting stays"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("8:30", "8:30"), ("8.30", "8:30"), ("08:05", "8:05"), ("7-30", "7:30"), ("7", "7"), ("07:00", "7"),
        ("8 утра", "8"), ("в 9 вечера", "21"), ("3 дня", "15"), ("12 ночи", "0"), ("9 часов", "9"), ("полдень", "12"),
        ("в полночь", "0"), ("8am", "8"), ("8:15 p.m.", "20:15"), ("12 am", "0"), ("12 pm", "12"), ("at 9", "9"),
        ("noon", "12"), ("midnight", "0"), ("8 Uhr", "8"), ("8 Uhr 30", "8:30"), ("9 Uhr abends", "21"),
        ("в восемь утра", "8"), ("пять вечера", "17"), ("в час дня", "13"), ("полдевятого", "8:30"), ("seven", "7"),
        ("в половине девятого вечера", "20:30"), ("полпервого", "12:30"), ("half past eight pm", "20:30"),
        ("halb neun", "8:30"), ("halb 9 abends", "20:30"), ("acht Uhr", "8"), ("halb 0", "11:30"),
        ("через час", ""), ("каждое утро", ""), ("someone", ""), ("half past 25", ""),
        ("завтра", ""), ("tomorrow", ""), ("25", ""), ("8:75", ""), ("1000", ""), ("", ""),
    ],
)  # fmt: skip
def test_times_as_people_write_them(text: str, time: str) -> None:
    assert time_in(text) == time


@given(st.text(max_size=40) | st.from_regex(r"\d{1,3}[:. ]?\d{0,3} ?(утра|pm|Uhr)?", fullmatch=True))
def test_whatever_is_written_is_a_time_or_none(text: str) -> None:
    time = time_in(text)
    if time:
        assert time_in(time) == time and time_in(shown(time)) == time
        assert 0 < next_time(NOON, time, "Europe/Moscow") - NOON <= 86_400


async def test_the_idiom_of_the_day_comes_at_the_minute(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        talk.time = NOON
        (chosen,) = await talk.say("/daily 8:30 вечера")
        assert "20:30" in chosen["text"]
        talk.time = NOON + 8.5 * 3600 - 60
        assert await talk.tick() == []
        talk.time += 60
        assert len(await talk.tick()) == 1
        for answered in ("завтра", "когда-нибудь", "25:00"):
            (told,) = await talk.say(f"/daily {answered}")
            assert told["text"].startswith(RU("daily-what").split("<")[0])
            assert (await talk.store.user(ANNA)).hour == "20:30", "nothing was changed"


@pytest.mark.parametrize("words", ["стоп", "Не надо", "off", "stop sending", "aus"])
async def test_the_idiom_of_the_day_is_stopped_in_words(engine: SearchEngine, words: str) -> None:
    async with Talk(engine) as talk:
        await talk.say("/daily 8:30")
        (told,) = await talk.say(f"/daily {words}")
        assert told["text"].startswith(RU("daily-off")) and (await talk.store.user(ANNA)).hour == ""


@pytest.mark.parametrize(
    ("command", "asks"),
    [
        ("/topic еда", "идиомы на тему «еда»"), ("/proverbs про труд", "пословицы про труд"),
        ("/proverbs о дружбе", "пословицы о дружбе"), ("/topic на тему денег", "идиомы на тему денег"),
        ("/synonyms «бить баклуши»", "синонимы к «бить баклуши»"), ("/word рука", "фразеологизмы со словом «рука»"),
    ],
)  # fmt: skip
async def test_a_command_asks_as_one_would_say_it(engine: SearchEngine, command: str, asks: str) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say(command)
        assert answer["text"].splitlines()[0] == f"🔎 {asks}" and len(numbered(answer)) == 5


@pytest.mark.parametrize("language", LANGUAGES)
async def test_choosing_idioms_for_good_is_told_in_a_sentence(engine: SearchEngine, language: str) -> None:
    texts = texts_in(language)
    async with Talk(engine, language) as talk:
        (answer,) = await talk.say("to do nothing")
        answer = await pressed(talk, answer, texts("button-show-ru"))
        _, toast = await talk.press(answer, texts("button-always-ru"))
        assert toast == texts("notice-scope-ru") and "/settings" in toast

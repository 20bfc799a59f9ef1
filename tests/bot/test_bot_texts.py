"""All languages say the same things, and everything they say is used."""

import ast
import re
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message, VariableReference
from fluent.syntax.visitor import Visitor
from hypothesis import example, given
from hypothesis import strategies as st

import bot
from bot.features.routes import MENU
from bot.search.engine import SearchEngine
from bot.texts import DEFAULT, LANGUAGES, LOCALES, interface_language, is_empty, shorten, texts_in
from support.talking import Talk, labels

CODE = Path(bot.__file__).parent


class Variables(Visitor):
    """Collects the values that a text needs."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802 (the library calls it so)
        self.names.add(node.id.name)


def messages(language: str) -> dict[str, Message]:
    entries = FluentParser().parse((LOCALES / f"{language}.ftl").read_text(encoding="utf-8")).body
    assert not [entry.content for entry in entries if isinstance(entry, Junk)]
    return {entry.id.name: entry for entry in entries if isinstance(entry, Message)}


def variables(message: Message) -> set[str]:
    visitor = Variables()
    visitor.visit(message)
    return visitor.names


def strings_in_code() -> tuple[set[str], set[str]]:
    """Every string of the bot's code, and every beginning of a formatted one."""
    nodes = [node for path in CODE.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    whole = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    formatted = [node.values[0] for node in nodes if isinstance(node, ast.JoinedStr) and node.values]
    return whole, {str(first.value) for first in formatted if isinstance(first, ast.Constant)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_keys_in_the_same_order(language: str) -> None:
    assert list(messages(language)) == list(messages(DEFAULT))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_need_the_same_values(language: str) -> None:
    needed = {key: variables(message) for key, message in messages(DEFAULT).items()}
    assert {key: variables(message) for key, message in messages(language).items()} == needed


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_name_of_its_own(language: str) -> None:
    assert [other for other in LANGUAGES if texts_in(other)("language") == texts_in(language)("language")] == [language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_telegram_limits_is_short_enough(language: str) -> None:
    texts = texts_in(language)
    limits = {"description": 512, "description-short": 120, **{f"command-{name}": 256 for name in MENU}}
    assert [key for key, limit in limits.items() if len(texts(key)) > limit] == []


def test_every_text_is_used() -> None:
    whole, beginnings = strings_in_code()
    prefixes = tuple(text for text in beginnings if re.fullmatch(r"[a-z-]+-", text))
    assert [key for key in messages(DEFAULT) if key not in whole and not key.startswith(prefixes)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_formatted(language: str) -> None:
    for key, message in messages(language).items():
        values: dict[str, str | int] = dict.fromkeys(variables(message), 5)
        assert texts_in(language).html(key, **values).strip()


def test_values_are_escaped_in_messages_and_plain_in_toasts() -> None:
    texts = texts_in("en")
    assert texts.html("results-title", query="<b> & 'x'") == "🔎 <b>&lt;b&gt; &amp; 'x'</b>"
    assert "<b> & 'x'" in texts("results-title", query="<b> & 'x'")


def test_values_may_be_long_and_contain_anything() -> None:
    query = "\ue000{ $x }" * 500
    assert query in texts_in("en")("results-title", query=query)


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(ValueError, match="results-title"):
        texts_in("ru")("results-title")


@pytest.mark.parametrize(
    ("code", "message", "language"),
    [("ru-RU", "hello", "ru"), ("fr", "привет", "en"), (None, "привет", "ru"), (None, "hello", "en"), (None, "", "en")],
)
def test_interface_language(code: str | None, message: str, language: str) -> None:
    assert interface_language(code, message) == language


@given(st.text(), st.integers(10, 50))
@example("\u200b", 10)
def test_shortened_texts_keep_the_limit(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    seen = "".join(mark for mark in text if mark.isspace() or not is_empty(mark))
    assert short == " ".join(seen.split()) or short.endswith("…")


def test_texts_are_cut_between_words() -> None:
    assert shorten("to let the cat out of the bag", 20) == "to let the cat out…"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_untranslated(language: str) -> None:
    own = {key: value for key in messages(language) if (value := _plain(language, key)) and len(value) > 12}
    same = {key for other in LANGUAGES if other != language for key in own if _plain(other, key) == own[key]}
    asked = {key for key in own if key.startswith(("ask-", "start-examples", "example"))}
    assert same - asked == {"home-zone"} & same, "questions are asked in a language that the search reads"


def _plain(language: str, key: str) -> str:
    """The words of a text, without what is filled in."""
    pattern = (LOCALES / f"{language}.ftl").read_text(encoding="utf-8")
    found = re.search(rf"^{key} =(.*?)(?=^\S|\Z)", pattern, re.MULTILINE | re.DOTALL)
    return " ".join(re.findall(r"[^\W\d_]{3,}", re.sub(r"\{.*?\}|<.*?>", " ", found[1]))) if found else ""


QUOTES = {"ru": "«»", "en": "“”", "de": "„“"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotation_marks_are_those_of_the_language(language: str) -> None:
    foreign = set("«»“”„") - set(QUOTES[language])
    for key in messages(language):
        if not key.startswith(("ask-", "start-examples", "talk-who")):
            text = (LOCALES / f"{language}.ftl").read_text(encoding="utf-8").split(f"\n{key} =")[1].split("\n\n")[0]
            assert foreign.isdisjoint(text.split("\n")[0]), key


async def test_a_german_reads_german_and_idioms_in_english(engine: SearchEngine) -> None:
    german = texts_in("de")
    async with Talk(engine, "de") as talk:
        (hello,) = await talk.say("/start")
        assert hello["text"].startswith("Hallo!")
        (answer,) = await talk.say("кот наплакал")
        assert "a very small amount" in answer["text"] and german("button-show-en") in labels(answer)
        card, _ = await talk.press(answer, "1")
        assert card["text"].startswith("кот напла́кал\nRedewendung · umgangssprachlich\nWörtlich: the cat has wept")
        (topics,) = await talk.say("/topic")
        found, _ = await talk.press_data(topics, f"1tt:{engine.topics.index('work')}")
        assert "1. " in found["text"]
        (daily,) = await talk.say("/daily 8 Uhr 30")
        assert "8:30" in daily["text"] and "Berlin" in daily["text"]

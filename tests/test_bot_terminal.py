"""The chat in the terminal: the same conversation, by numbers and letters."""

from bot.conversation import Conversation
from bot.search import SearchEngine
from bot.terminal import chat
from bot.texts import texts_in
from bot.users import UserStore

QUERY = "ничего не делать, бездельничать"
RU = texts_in("ru")


def talk(engine: SearchEngine, *lines: str) -> list[str]:
    """Every screen of a chat in which these lines are typed."""
    typed, screens = iter(lines), list[str]()

    def read(_: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    chat(Conversation(engine, UserStore(":memory:")), RU, read, screens.append)
    return screens


def test_a_number_opens_an_idiom_and_a_letter_goes_back(engine: SearchEngine) -> None:
    hello, results, card, again = talk(engine, QUERY, "2", "f")
    second = engine.search(QUERY, 2)[1].phrase
    assert RU("terminal-hint") in hello
    assert f"2. {second.text}\n{second.meanings[0]}" in results
    assert card.startswith(second.text)
    assert f"[f] {RU('button-back')}" in card
    assert again == results


def test_an_empty_line_leaves(engine: SearchEngine) -> None:
    assert len(talk(engine, "", QUERY)) == 1


def test_no_mark_up_is_shown(engine: SearchEngine) -> None:
    assert "<b>&" in talk(engine, "<b>&")[1]
    assert not any("</" in screen for screen in talk(engine, QUERY, "1", "a"))

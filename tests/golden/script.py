"""A conversation that touches every screen; what the bot showed is recorded beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

STEPS: dict[str, list[tuple[str, str]]] = {
    # What a person does, in order. "press" presses a button of the latest message, by the order of its row and place.
    "ru": [
        ("say", "/start"), ("say", "/help"), ("say", "ничего не делать, бездельничать"),
        ("press", "1"), ("press", "2"), ("press", "← Назад"), ("press", "← Назад"),
        ("press", "Ещё →"), ("press", "6"), ("press", "☆"), ("press", "👍"), ("press", "👍 ✓"), ("press", "⚠️"),
        ("press", "Перевод"), ("press", "← Назад"), ("press", "≈"),
        ("press", "← Назад"), ("press", "← Назад"), ("press", "← Раньше"), ("press", "💡"), ("press", "Ещё →"),
        ("press", "💡"), ("press", "8"), ("press", "← Назад"), ("press", "← Раньше"), ("press", "🌐"), ("press", "📌"),
        ("press", "📌"),
        ("say", "ochen ustat"), ("press", "Искать"), ("press", "ближайшие"), ("press", "1"),
        ("press", "← Назад"),
        ("say", "fdsgfdsgfd"), ("say", "рецепт борща с пампушками 2 литра"), ("press", "ближайшие"), ("press", "1"),
        ("say", "😱"), ("say", "* в мешке"), ("say", "ни рыба ни мясо"), ("press", "1"),
        ("say", "/history"), ("press", "2"), ("press", "← Назад"),
        ("say", "/saved"), ("press", "1"), ("press", "★"), ("say", "/saved"),
        ("say", "/lang"), ("press", "English"), ("press", "Russian"), ("press", "As in Telegram"),
        ("press", "На языке запроса"),
        ("say", "/daily"), ("press", "9:00"), ("press", "🌍"), ("press", "Берлин"), ("press", "🔕"),
        ("say", "/daily 7 Asia/Tbilisi"), ("say", "/privacy"), ("press", "⬇"), ("press", "🗑"), ("press", "Оставить"),
        ("say", "/random космос"), ("say", "/nosuch"), ("say", "/export"), ("say", "/forget"), ("press", "Да"),
        ("say", "/history"), ("inline", "сильный дождь"), ("inline", "ochen ustat"), ("inline", ""),
        ("inline", "рецепт борща с пампушками"),
    ],
    "en": [
        ("say", "/start"), ("say", "/help"), ("say", "to reveal a secret by accident"), ("press", "1"), ("press", "1"),
        ("press", "← Back"), ("press", "≈"), ("press", "← Back"), ("press", "← Back"), ("press", "💡"),
        ("say", "/start q_dG8gYmUgdmVyeSBoYXBweQ"), ("say", "/start nonsense"), ("say", "what is the capital of Peru"),
        ("say", "piece of cake"), ("press", "1"), ("press", "☆"), ("press", "👎"), ("say", "/saved"), ("press", "⬇"),
        ("press", "🗑"), ("press", "Yes"), ("say", "рфззн"), ("press", "Search exactly"), ("say", "/history"),
        ("say", "/lang"), ("say", "/daily"), ("say", "/privacy"), ("say", "/random zzz"), ("inline", "to be happy"),
    ],
}  # fmt: skip


async def play(talk_in: Callable[[str], Any]) -> list[dict[str, Any]]:
    """Every step with what the bot showed after it: messages, notices, inline cards."""
    shown: list[dict[str, Any]] = []
    for language, steps in STEPS.items():
        async with talk_in(language) as talk:
            talk.time = 1_790_000_000.0
            latest: dict[str, Any] = {}
            for kind, what in steps:
                step: dict[str, Any] = {"language": language, "do": kind, "what": what}
                if kind == "say":
                    answers = await talk.say(what)
                    step["messages"] = [_plain(message) for message in answers]
                    latest = answers[-1] if answers else latest
                elif kind == "press":
                    before = set(talk.chat.messages)
                    latest, step["notice"] = await talk.press(latest, _label(latest, what))
                    sent = [message for number, message in talk.chat.messages.items() if number not in before]
                    step["messages"] = [_plain(message) for message in (latest, *sent)]
                else:
                    query = await talk.inline(what)
                    step["cards"] = [_card(card) for card in query.answer["results"]]
                    step |= {name: query.answer[name] for name in ("next_offset", "button") if name in query.answer}
                shown.append(step)
                talk.time += 60
    return shown


def _label(message: dict[str, Any], what: str) -> str:
    labels = [str(button["text"]) for row in _rows(message) for button in row]
    (label,) = [label for label in labels if label == what] or [label for label in labels if what in label][:1]
    return label


def _rows(message: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return list(message.get("reply_markup", {}).get("inline_keyboard", []))


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """What a person sees of a message, and what its buttons carry."""
    text = message.get("text") or message.get("caption") or message.get("document", {}).get("file_name", "")
    marks = [f"{entity['type']} {entity['offset']}+{entity['length']}" for entity in message.get("entities", ())]
    return {
        "text": text.split("\n"),
        "marks": marks,
        "buttons": [[_button(one) for one in row] for row in _rows(message)],
    }


def _button(button: dict[str, Any]) -> str:
    does = button.get("callback_data") or button.get("url") or str(button.get("copy_text", ""))
    return f"{button['text']} [{does}]"


def _card(card: dict[str, Any]) -> dict[str, Any]:
    message = card.get("message", card)
    return {"id": card["id"], "title": card["title"], "description": card.get("description", "")} | _plain(message)

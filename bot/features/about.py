"""What is known about an idiom, as the text of a message."""

from __future__ import annotations

from collections.abc import Iterable

from bot import links
from bot.features.context import Context
from bot.search.engine import Equivalent
from bot.search.phrases import Phrase
from bot.texts import Texts, escape, shorten

MOST_MEANINGS = 5
MOST_CURATED, MOST_FOUND = 4, 3
"""Equivalents in one language that a person judged, and that were found by meaning."""
LONGEST_ADDRESS = 300


def about(context: Context, phrase: Phrase) -> str:
    """Return what is known about a phrase as HTML; a card with it stays under Telegram's 4,096 characters."""
    texts = context.texts
    nature = " · ".join(texts(key) for key in (f"kind-{phrase.kind}", f"register-{phrase.register}") if texts.has(key))
    topics = ", ".join(texts.get(f"topic-{topic}", topic) for topic in phrase.topics)
    parts = [
        f"<b>{escape(shorten(phrase.text, 200))}</b>\n<i>{escape(nature)}</i>",
        _meanings(texts, phrase),
        *_equivalents(context, phrase),
        _labelled(texts, "card-variants", "; ".join(phrase.variants), 250),
        _labelled(texts, "card-example", phrase.example, 300),
        _labelled(texts, "card-origin", phrase.etymology, 600),
        _joined([_labelled(texts, "card-topics", topics, 200), _source(texts, phrase.source)]),
    ]
    return _joined(parts, "\n\n")


def _meanings(texts: Texts, phrase: Phrase) -> str:
    own = [escape(shorten(meaning, 200)) for meaning in phrase.meanings[:MOST_MEANINGS]]
    lines = own if len(own) == 1 else [f"{number}) {meaning}" for number, meaning in enumerate(own, 1)]
    for language, meaning in phrase.translations.items():
        if texts.has(f"card-meaning-{language}"):
            lines.append(texts.html(f"card-meaning-{language}", meaning=shorten(meaning, 200)))
    return "\n".join(lines)


def _equivalents(context: Context, phrase: Phrase) -> list[str]:
    """What other languages say instead, a paragraph for each language."""
    equivalents = context.engine.equivalents(phrase.key)
    languages = dict.fromkeys(equivalent.language for equivalent in equivalents)
    return [_spoken(context, language, [e for e in equivalents if e.language == language]) for language in languages]


def _spoken(context: Context, language: str, equivalents: list[Equivalent]) -> str:
    bot, texts = context.asker.bot, context.texts
    curated = [_linked(bot, equivalent) for equivalent in equivalents if equivalent.curated][:MOST_CURATED]
    found = "; ".join([_linked(bot, equivalent) for equivalent in equivalents if not equivalent.curated][:MOST_FOUND])
    title = texts.get(f"card-equivalents-{language}", language)
    return _joined([title, "; ".join(curated), found and texts("card-found", value=found)])


def _linked(bot: str, equivalent: Equivalent) -> str:
    text = escape(shorten(equivalent.text, 60))
    return f'<a href="{links.to_bot(bot, links.to_idiom(equivalent.key))}">{text}</a>' if equivalent.key else text


def _labelled(texts: Texts, key: str, value: str, limit: int) -> str:
    return texts.html(key, value=shorten(value, limit)) if value else ""


def _source(texts: Texts, source: str) -> str:
    address = source.partition(" ")[0]
    if not address.startswith("https://") or len(address) > LONGEST_ADDRESS:
        return ""
    # A quotation mark would end the attribute that the address stands in.
    return texts.html("card-source", address=address.replace('"', "%22"))


def _joined(parts: Iterable[str], by: str = "\n") -> str:
    return by.join(filter(None, parts))

"""What is known about a phrase, as a reader of some language wants to be told."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from bot import links
from bot.features.context import Context
from bot.search.phrases import Phrase
from bot.texts import Texts, escape, shorten

MOST_MEANINGS = 5
MOST_EXAMPLES = 2
MOST_OPPOSITES = 3
MOST_CURATED, MOST_FOUND = 4, 3
"""Equivalents in one language that a person judged, and that were found by meaning."""
LONGEST_ADDRESS = 300


def about(context: Context, phrase: Phrase) -> str:
    """Return what is known about a phrase as HTML; a card with it stays under Telegram's 4,096 characters.

    A reader whose language is not the phrase's is taken for a learner, and also gets stress marks, the phrase word for
    word, translated examples and notes on usage.
    """
    texts = context.texts
    topics = ", ".join(texts.get(f"topic-{topic}", topic) for topic in phrase.topics)
    opposites = [_link(context, one.text, one.key) for one in context.engine.opposites(phrase.key)[:MOST_OPPOSITES]]
    return joined(
        [
            _title(texts, phrase),
            _meanings(texts, phrase),
            *_equivalents(context, phrase),
            texts("card-opposites", value="; ".join(opposites)) if opposites else "",
            _labelled(texts, "card-variants", "; ".join(phrase.variants), 160),
            _examples(texts, phrase),
            _labelled(texts, "card-usage", phrase.usage.get(texts.reads, ""), 250),
            _labelled(texts, "card-origin", phrase.etymology, 400),
            joined([_labelled(texts, "card-topics", topics, 100), _source(texts, phrase.source)], "\n"),
        ]
    )


def name_of(texts: Texts, phrase: Phrase) -> str:
    """Return the phrase, with stress marks for those whose language is another one."""
    return phrase.stressed if phrase.stressed and texts.reads != phrase.language else phrase.text


def _title(texts: Texts, phrase: Phrase) -> str:
    title = name_of(texts, phrase)
    nature = " · ".join(texts(key) for key in (f"kind-{phrase.kind}", f"register-{phrase.register}") if texts.has(key))
    literal = _labelled(texts, "card-literal", phrase.literal.get(texts.reads, ""), 150)
    return joined([f"<b>{escape(shorten(title, 200))}</b>", f"<i>{escape(nature)}</i>", literal], "\n")


def _meanings(texts: Texts, phrase: Phrase) -> str:
    """The senses, and what they are in other languages: the reader's own language comes first."""
    own = [escape(shorten(meaning, 150)) for meaning in phrase.meanings[:MOST_MEANINGS]]
    senses = own if len(own) == 1 else [f"{number}) {meaning}" for number, meaning in enumerate(own, 1)]
    read = phrase.translations.get(texts.reads, "")
    others = {code: text for code, text in phrase.translations.items() if code != texts.reads}
    if read:
        senses = [escape(shorten(read, 200)), _told(texts, phrase.language, "; ".join(own))]
    return "\n".join([*senses, *(_told(texts, code, escape(shorten(text, 200))) for code, text in others.items())])


def _told(texts: Texts, language: str, meaning: str) -> str:
    """A meaning as HTML, and the language that it is in."""
    key = f"card-meaning-{language}"
    return texts(key, meaning=meaning) if texts.has(key) else f"<i>{language}:</i> {meaning}"


def _examples(texts: Texts, phrase: Phrase) -> str:
    translations = phrase.example_translations.get(texts.reads, ())
    pairs = zip_longest(phrase.examples[:MOST_EXAMPLES], translations[:MOST_EXAMPLES], fillvalue="")
    lines = [
        joined([f"<i>{escape(shorten(example, 200))}</i>", escape(shorten(translated, 200))], " — ")
        for example, translated in pairs
    ]
    if not lines:
        return ""
    listed = lines[0] if len(lines) == 1 else "\n".join(f"• {line}" for line in lines)
    return texts("card-examples", count=len(lines), value=listed)


def _equivalents(context: Context, phrase: Phrase) -> Iterable[str]:
    """What other languages say instead, a paragraph for each language."""
    equivalents, texts = context.engine.equivalents(phrase.key), context.texts
    for language in dict.fromkeys([*(equivalent.language for equivalent in equivalents), *phrase.renderings]):
        spoken = [equivalent for equivalent in equivalents if equivalent.language == language]
        curated = [_link(context, one.text, one.key) for one in spoken if one.curated]
        curated = [*curated, *(_link(context, text, "") for text in phrase.renderings.get(language, ()))][:MOST_CURATED]
        found = [_link(context, one.text, one.key) for one in spoken if not one.curated][:MOST_FOUND]
        by_meaning = texts("card-found", value="; ".join(found)) if found else ""
        title = texts.get(f"card-equivalents-{language}", language)
        yield joined([title, "; ".join(curated), by_meaning], "\n")


def _link(context: Context, text: str, key: str) -> str:
    text = escape(shorten(text, 60))
    address = links.to_bot(context.asker.bot, links.to_idiom(key))
    return f'<a href="{address}">{text}</a>' if key else text


def _labelled(texts: Texts, key: str, value: str, limit: int) -> str:
    return texts.html(key, value=shorten(value, limit)) if value else ""


def _source(texts: Texts, source: str) -> str:
    address = source.partition(" ")[0]
    if not address.startswith("https://") or len(address) > LONGEST_ADDRESS:
        return ""
    # A quotation mark would end the attribute that the address stands in.
    return texts.html("card-source", address=address.replace('"', "%22"))


def joined(parts: Iterable[str], by: str = "\n\n") -> str:
    """Return those parts that say anything, with a blank line between them, or something else."""
    return by.join(filter(None, parts))

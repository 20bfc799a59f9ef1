"""The card of an idiom: all that is known about it, what is similar, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import ClassVar, Literal

from bot import links
from bot.actions import Flag, Key, Number, Open
from bot.features import picture, search
from bot.features.context import Actions, Context, Screens
from bot.features.lists import listing
from bot.search.phrases import Phrase
from bot.store.protocol import HistoryEntry
from bot.texts import Texts, escape, shorten
from bot.ui import Button, Copy, Reply, Row, Share, brief, screen, ways_on

SIMILAR, SIMILAR_ON_CARD = 10, 5
MOST_MEANINGS = 5
MOST_EXAMPLES = 2
MOST_OPPOSITES = 3
MOST_CURATED, MOST_FOUND = 4, 3
"""Equivalents in one language that a person judged, and that were found by meaning."""
LONGEST_ADDRESS = 300
LONGEST_COPY = 256
"""Telegram's limit for what a button copies."""


@dataclass(frozen=True, slots=True)
class Similar:
    """List what is similar to a phrase; `card` is the card that the button stands on."""

    code: ClassVar[str] = "s"
    key: Key
    card: Number = 0


@dataclass(frozen=True, slots=True)
class Save:
    """Save the phrase of a card (1), or stop saving it (0): pressed twice, it does the same."""

    code: ClassVar[str] = "ks"
    key: Key
    saved: Flag
    card: Number = 0


@dataclass(frozen=True, slots=True)
class Toggle:
    """Save the phrase of a card unless it is saved: what the buttons of versions before 0.6 do."""

    code: ClassVar[str] = "k"
    key: Key
    card: Number = 0


@dataclass(frozen=True, slots=True)
class Vote:
    """Judge the phrase of a card: "up" and "down" as an answer to its query, "wrong" as an entry."""

    code: ClassVar[str] = "j"
    vote: Literal["up", "down", "wrong"]
    key: Key
    card: Number = 0


async def open_card(context: Context, action: Open) -> Reply:
    """Open the card of a phrase."""
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    return await show(context, await context.add("card", action.key, action.parent, action.page))


async def show(context: Context, entry: HistoryEntry, _: int = 0) -> Reply:
    """Show the card of a history entry, as things are now."""
    texts, key, phrase = context.texts, entry.text, context.engine.phrase(entry.text)
    if not phrase:
        return context.gone("phrase")
    why = await search.why_opened(context, entry, phrase)
    near = context.engine.similar(key, SIMILAR, (phrase.language,))
    numbered = list(enumerate((match.phrase for match in near[:SIMILAR_ON_CARD]), 1))
    names = [f"{number}. {escape(shorten(one.text, 80))}" for number, one in numbered]
    similar = "\n".join([texts("card-similar"), *names]) if near else ""
    opens = tuple(Button(str(number), Open(one.key, entry.id)) for number, one in numbered)
    more = (Button(texts("button-more-similar"), Similar(key, entry.id)),) if len(near) > SIMILAR_ON_CARD else ()
    # In a group all would see what one of them saved.
    keeps = await context.or_else(context.store.saved(context.asker.id), []) if context.asker.in_private else []
    star = Button(texts("button-saved" if key in keeps else "button-save"), Save(key, int(key not in keeps), entry.id))
    keep = (star, share(texts, phrase))
    wrong = Button(texts("button-wrong"), Vote("wrong", key, entry.id))
    votes = (Button("👍", Vote("up", key, entry.id)), Button("👎", Vote("down", key, entry.id))) if why else ()
    send = (picture.button(texts, key), wrong)
    rows = opens, more, keep, _copies(texts, phrase), send, votes, ways_on(texts, entry)
    return Reply(screen(_joined([about(context, phrase), escape(why), similar]), *rows))


async def _open_similar(context: Context, action: Similar) -> Reply:
    """List what is similar; "back" leads to the card, which is not in the history if inline mode sent it."""
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    card = await context.entry(action.card) or await context.add("card", action.key)
    return await _show_similar(context, await context.add("similar", action.key, card.id))


async def _show_similar(context: Context, entry: HistoryEntry, _: int = 0) -> Reply:
    phrase = context.engine.phrase(entry.text)
    if not phrase:
        return context.gone("phrase")
    near = context.engine.similar(entry.text, SIMILAR, (phrase.language,))
    title = context.texts.html("similar-title" if near else "similar-none", phrase=shorten(phrase.text, 100))
    text, opens = listing(context, title, [match.phrase for match in near], entry.id, 0)
    return Reply(screen(text, *opens, ways_on(context.texts, entry)))


async def _save(context: Context, action: Save) -> Reply:
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    await context.store.set_saved(context.asker.id, action.key, bool(action.saved))
    return await _kept(context, action, bool(action.saved))


async def _toggle(context: Context, action: Toggle) -> Reply:
    if not context.engine.phrase(action.key):
        return context.gone("phrase")
    return await _kept(context, action, await context.store.toggle_saved(context.asker.id, action.key, context.update))


async def _kept(context: Context, action: Save | Toggle, saved: bool) -> Reply:
    """The card as it is now, and a word about what was done."""
    entry = await context.or_else(context.entry(action.card), None)
    reply = await show(context, entry) if entry and entry.text == action.key else Reply()
    return replace(reply, toast=context.texts("notice-saved" if saved else "notice-unsaved"))


async def _vote(context: Context, action: Vote) -> Reply:
    texts, user, phrase = context.texts, context.asker.id, context.engine.phrase(action.key)
    if not phrase:
        return context.gone("phrase")
    if action.vote != "wrong":
        card = await context.entry(action.card)
        asked = await search.query_of(context, card.parent) if card else None
        await context.store.vote(user, asked.text if asked else "", action.key, action.vote)
        return Reply(toast=texts(f"notice-vote-{action.vote}"))
    if not await context.store.vote(user, "", action.key, "wrong"):
        return Reply(toast=texts("notice-vote-wrong"), alert=True)
    text = _joined([texts.html("report", user=str(user)), about(context, phrase)])
    report = screen(text, (Button(texts("button-open"), Open(action.key)),))
    return Reply(toast=texts("notice-vote-wrong"), alert=True, to_admins=report)


def _copies(texts: Texts, phrase: Phrase) -> Row:
    """Buttons that copy the phrase, alone and with what it means."""
    meaning = shorten(f"{shorten(phrase.text, 120)} — {brief(texts, phrase)}", LONGEST_COPY)
    alone = Button(texts("button-copy"), Copy(shorten(phrase.text, LONGEST_COPY)))
    return alone, Button(texts("button-copy-meaning"), Copy(meaning))


def share(texts: Texts, phrase: Phrase) -> Button:
    """Return the button that sends a phrase to another chat."""
    return Button(texts("button-share"), Share(shorten(phrase.text, 200)))


def about(context: Context, phrase: Phrase) -> str:
    """Return what is known about a phrase as HTML; a card with it stays under Telegram's 4,096 characters.

    A reader whose language is not the phrase's is taken for a learner, and also gets stress marks, the phrase word for
    word, translated examples and notes on usage.
    """
    texts = context.texts
    topics = ", ".join(texts.get(f"topic-{topic}", topic) for topic in phrase.topics)
    opposites = [_link(context, one.text, one.key) for one in context.engine.opposites(phrase.key)[:MOST_OPPOSITES]]
    return _joined(
        [
            _title(texts, phrase),
            _meanings(texts, phrase),
            *_equivalents(context, phrase),
            texts("card-opposites", value="; ".join(opposites)) if opposites else "",
            _labelled(texts, "card-variants", "; ".join(phrase.variants), 160),
            _examples(texts, phrase),
            _labelled(texts, "card-usage", phrase.usage.get(texts.language, ""), 250),
            _labelled(texts, "card-origin", phrase.etymology, 400),
            _joined([_labelled(texts, "card-topics", topics, 100), _source(texts, phrase.source)], "\n"),
        ]
    )


def name_of(texts: Texts, phrase: Phrase) -> str:
    """Return the phrase, with stress marks for those whose language is another one."""
    return phrase.stressed if phrase.stressed and texts.language != phrase.language else phrase.text


def _title(texts: Texts, phrase: Phrase) -> str:
    title = name_of(texts, phrase)
    nature = " · ".join(texts(key) for key in (f"kind-{phrase.kind}", f"register-{phrase.register}") if texts.has(key))
    literal = _labelled(texts, "card-literal", phrase.literal.get(texts.language, ""), 150)
    return _joined([f"<b>{escape(shorten(title, 200))}</b>", f"<i>{escape(nature)}</i>", literal], "\n")


def _meanings(texts: Texts, phrase: Phrase) -> str:
    """The senses, and what they are in other languages: the reader's own language comes first."""
    own = [escape(shorten(meaning, 150)) for meaning in phrase.meanings[:MOST_MEANINGS]]
    senses = own if len(own) == 1 else [f"{number}) {meaning}" for number, meaning in enumerate(own, 1)]
    read = phrase.translations.get(texts.language, "")
    others = {code: text for code, text in phrase.translations.items() if code != texts.language}
    if read:
        senses = [escape(shorten(read, 200)), _told(texts, phrase.language, "; ".join(own))]
    return "\n".join([*senses, *(_told(texts, code, escape(shorten(text, 200))) for code, text in others.items())])


def _told(texts: Texts, language: str, meaning: str) -> str:
    """A meaning as HTML, and the language that it is in."""
    key = f"card-meaning-{language}"
    return texts(key, meaning=meaning) if texts.has(key) else f"<i>{language}:</i> {meaning}"


def _examples(texts: Texts, phrase: Phrase) -> str:
    translations = phrase.example_translations.get(texts.language, ())
    pairs = zip_longest(phrase.examples[:MOST_EXAMPLES], translations[:MOST_EXAMPLES], fillvalue="")
    lines = [
        _joined([f"<i>{escape(shorten(example, 200))}</i>", escape(shorten(translated, 200))], " — ")
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
        yield _joined([title, "; ".join(curated), by_meaning], "\n")


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


def _joined(parts: Iterable[str], by: str = "\n\n") -> str:
    return by.join(filter(None, parts))


ACTIONS: Actions = {Open: open_card, Similar: _open_similar, Save: _save, Toggle: _toggle, Vote: _vote}
SCREENS: Screens = {"card": show, "random": show, "similar": _show_similar}

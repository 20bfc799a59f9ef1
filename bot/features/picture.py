"""A picture of an idiom to share: the idiom, what it means, and what other languages say instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot import links
from bot.actions import Key
from bot.features.context import Actions, Context
from bot.search.phrases import Phrase
from bot.texts import Texts, escape, shorten
from bot.ui import Button, InlinePage, InlinePhoto, Photo, Poster, Reply, Share, Start

MARK = "🖼"
"""What an inline query for pictures begins with."""
INLINE = 5
"""Pictures that inline mode offers at once."""
SECONDS = 30
"""How long Telegram may offer the same: the picture that was just made is to be found."""
MOST_COUNTERPARTS = 2


@dataclass(frozen=True, slots=True)
class Picture:
    """Send the picture of a phrase."""

    code: ClassVar[str] = "pic"
    key: Key


def button(texts: Texts, key: str) -> Button:
    """Return the button of a card that sends the picture of its phrase."""
    return Button(texts("button-picture"), Picture(key))


def inline_button(texts: Texts, key: str) -> Button:
    """Return the button for a card in a chat where the bot may send nothing: it opens the bot, which sends it."""
    return Button(texts("button-picture"), Start(links.to_picture(key)))


async def send(context: Context, action: Picture) -> Reply:
    """Send the picture of a phrase to the chat that asks."""
    phrase = context.engine.phrase(action.key)
    return Reply(photo=photo(context, phrase)) if phrase else context.gone("phrase")


def photo(context: Context, phrase: Phrase) -> Photo:
    """Return the picture of a phrase with its caption, which says the same to who cannot see it."""
    poster, address = poster_of(context, phrase), links.to_bot(context.asker.bot, links.to_idiom(phrase.key))
    told = f"<b>{escape(shorten(poster.title, 200))}</b>\n{escape(shorten(poster.meaning, 400))}"
    share = Button(context.texts("button-share"), Share(f"{MARK} {shorten(phrase.text, 200)}"))
    opens = Button(context.texts("button-start"), Start(links.to_idiom(phrase.key)))
    row = (share,) if context.asker.in_private else (share, opens)
    return Photo(poster, f'{told}\n\n<a href="{address}">{poster.signature}</a>', (row,))


def poster_of(context: Context, phrase: Phrase) -> Poster:
    """Return what the picture says, in the reader's language; an idiom of another language has its stress marks."""
    texts = context.texts
    title = phrase.stressed if phrase.stressed and texts.reads != phrase.language else phrase.text
    language, counterpart = _counterpart(context, phrase)
    label = texts.get(f"picture-in-{language}", language) if counterpart else ""
    meaning = phrase.meaning_in(texts.reads) or phrase.meanings[0]
    return Poster(title, meaning, label, counterpart, f"@{context.asker.bot}")


def _counterpart(context: Context, phrase: Phrase) -> tuple[str, str]:
    """What another language says instead, as people judged it: the reader's language rather than any other."""
    spoken: dict[str, list[str]] = {}
    for one in context.engine.equivalents(phrase.key):
        if one.curated:
            spoken.setdefault(one.language, []).append(one.text)
    for code, texts in phrase.renderings.items():
        spoken.setdefault(code, []).extend(texts)
    languages = sorted(spoken, key=lambda code: (code != context.texts.reads, code))
    return next(((code, "; ".join(spoken[code][:MOST_COUNTERPARTS])) for code in languages if spoken[code]), ("", ""))


async def answer_inline(context: Context, query: str) -> InlinePage | None:
    """Return the pictures that an inline query with MARK before it asks for; None for any other query.

    Inline mode sends only pictures that Telegram keeps already. Where it lacks the first, a button opens the bot, which
    makes it.
    """
    words = query.removeprefix(MARK).removeprefix("\ufe0f").strip()
    if not query.startswith(MARK) or not words:
        return None
    phrases = [match.phrase for match in context.engine.answer(words, INLINE, context.languages).matches]
    named = {phrase.key: poster_of(context, phrase).digest for phrase in phrases}
    known = await context.or_else(context.store.pictures(list(named.values())), {})
    cards = [_card(context, phrase, known[named[phrase.key]]) for phrase in phrases if named[phrase.key] in known]
    if not phrases or named[phrases[0].key] in known:
        return InlinePage(tuple(cards), cache_seconds=SECONDS)
    label, start = context.texts("button-picture"), links.to_picture(phrases[0].key)
    return InlinePage(tuple(cards), cache_seconds=SECONDS, label=label, start=start)


def _card(context: Context, phrase: Phrase, file_id: str) -> InlinePhoto:
    return InlinePhoto(phrase.key, shorten(phrase.text, 120), file_id, photo(context, phrase))


ACTIONS: Actions = {Picture: send}

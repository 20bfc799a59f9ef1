"""The idioms that a person saved: a list, and a file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from itertools import zip_longest
from typing import ClassVar, Literal

from bot import anki
from bot.anki import Note
from bot.features.about import name_of
from bot.features.context import Actions, Commands, Context, Screens
from bot.features.learn import Repeat
from bot.features.lists import listing
from bot.features.privacy import Erase
from bot.search.phrases import Phrase
from bot.store.protocol import HistoryEntry
from bot.texts import Texts
from bot.ui import PAGE, Button, File, Reply, Screen, screen, table, turns


@dataclass(frozen=True, slots=True)
class ExportSaved:
    """Send the saved idioms as a file."""

    code: ClassVar[str] = "x:saved"


@dataclass(frozen=True, slots=True)
class ExportCards:
    """Send the saved idioms as a deck for Anki, or as a table."""

    code: ClassVar[str] = "x:cards"
    form: Literal["anki", "csv"]


async def _command(context: Context, _: Sequence[str]) -> Reply:
    return await _show(context, await context.add("saved", ""))


async def _show(context: Context, entry: HistoryEntry, page: int = 0) -> Reply:
    """Show a page of the list, or the last page where the list has become shorter."""
    texts, phrases = context.texts, await _phrases(context)
    if not phrases:
        return Reply(Screen(texts("saved-empty")))
    page = min(page, (len(phrases) - 1) // PAGE)
    first, last = page * PAGE, (page + 1) * PAGE
    text, opens = listing(context, texts("saved-title", count=len(phrases)), phrases[first:last], entry.id, page)
    learning = (Button(texts("button-learn"), Repeat()),)
    files = Button("Anki", ExportCards("anki")), Button("CSV", ExportCards("csv"))
    whole = Button(texts("button-export"), ExportSaved()), Button(texts("button-erase"), Erase("saved"))
    return Reply(screen(text, *opens, turns(texts, entry.id, page, len(phrases) > last), learning, files, whole))


async def _export(context: Context, _: ExportSaved) -> Reply:
    """Send the saved idioms, each with what a learner needs below it."""
    told = [_told(context.texts, phrase) for phrase in await _phrases(context)]
    return Reply(file=File("idioms.txt", "\n\n".join(told).encode() or b"\n"))


def _told(texts: Texts, phrase: Phrase) -> str:
    """The phrase with its meaning, and its literal sense and its examples indented below."""
    title, meaning, literal = phrase.text, "; ".join(phrase.meanings), ""
    if texts.reads != phrase.language:
        title, meaning = phrase.stressed or title, phrase.meaning_in(texts.reads) or meaning
        literal = phrase.literal.get(texts.reads, "")
    translations = phrase.example_translations.get(texts.reads, ())
    examples = [" — ".join(filter(None, pair)) for pair in zip_longest(phrase.examples, translations, fillvalue="")]
    return "\n    ".join([f"{title} — {meaning}", *([f"“{literal}”"] if literal else []), *examples])


async def _export_cards(context: Context, action: ExportCards) -> Reply:
    """Send the saved idioms for other programs to repeat."""
    notes = [_note(context, phrase) for phrase in await _phrases(context)]
    if action.form == "csv":
        rows = [astuple(note)[1:] for note in notes]
        return Reply(file=File("idioms.csv", table([field.name for field in fields(Note)[1:]], rows)))
    deck = await asyncio.to_thread(anki.package, context.texts("anki-deck"), notes)
    return Reply(file=File("idioms.apkg", deck))


def _note(context: Context, phrase: Phrase) -> Note:
    texts, language = context.texts, context.texts.reads
    translations = phrase.example_translations.get(language, ())
    examples = [" — ".join(filter(None, pair)) for pair in zip_longest(phrase.examples, translations, fillvalue="")]
    return Note(
        phrase.key,
        name_of(texts, phrase),
        phrase.meaning_in(language) or phrase.meanings[0],
        "; ".join(one.text for one in context.engine.equivalents(phrase.key) if one.curated),
        phrase.literal.get(language, ""),
        "\n".join(examples),
        phrase.usage.get(language, ""),
    )


async def _phrases(context: Context) -> list[Phrase]:
    """The saved phrases that are still in the collection, the latest first."""
    keys = await context.store.saved(context.asker.id)
    return [phrase for key in keys if (phrase := context.engine.phrase(key))]


ACTIONS: Actions = {ExportSaved: _export, ExportCards: _export_cards}
COMMANDS: Commands = {"saved": _command}
SCREENS: Screens = {"saved": _show}

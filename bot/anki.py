"""Notes for Anki, a program that repeats what one learns: `https://apps.ankiweb.net`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from html import escape

# Whoever imports a newer deck over an older one keeps what they have learned, because these stay the same.
_DECK, _MODEL = 1_728_406_151, 1_406_728_153
_STYLE = """
.card { font: 22px/1.5 sans-serif; text-align: center; padding: 1em; }
.small { font-size: 17px; opacity: .8; }
"""
_ANSWER = (
    "{{FrontSide}}<hr id=answer>%s{{#counterparts}}<p>↔ {{counterparts}}</p>{{/counterparts}}"
    "<p class=small>{{literal}}</p><p class=small>{{examples}}</p><p class=small>{{usage}}</p>"
)


@dataclass(frozen=True, slots=True)
class Note:
    """What Anki is to ask both ways; plain texts."""

    key: str
    """Which idiom it is, whatever else changes."""
    idiom: str
    meaning: str
    counterparts: str = ""
    literal: str = ""
    examples: str = ""
    """A line for each."""
    usage: str = ""


def package(title: str, notes: Sequence[Note]) -> bytes:
    """Return the notes as an .apkg file with one deck."""
    import genanki  # Takes a twelfth of a second, which the start has no use for.

    model = genanki.Model(
        _MODEL,
        "Idiomatika",
        fields=[{"name": field.name} for field in fields(Note)],
        templates=[
            {"name": "idiom", "qfmt": "<b>{{idiom}}</b>", "afmt": _ANSWER % "<p>{{meaning}}</p>"},
            {"name": "meaning", "qfmt": "{{meaning}}", "afmt": _ANSWER % "<p><b>{{idiom}}</b></p>"},
        ],
        css=_STYLE,
    )
    deck = genanki.Deck(_DECK, title)
    for note in notes:
        values = [escape(value).replace("\n", "<br>") for value in astuple(note)]
        deck.add_note(genanki.Note(model=model, fields=values, guid=genanki.guid_for(note.key)))
    file = io.BytesIO()
    genanki.Package(deck).write_to_file(file)
    return file.getvalue()

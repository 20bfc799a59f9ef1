"""Interface texts in the languages of the bot, from locales/*.ftl (Project Fluent)."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fluent.runtime import FluentBundle
from fluent.syntax import FluentParser

from bot.search.phrases import script_language

LOCALES = Path(__file__).parent / "locales"
LANGUAGES = tuple(sorted(path.stem for path in LOCALES.glob("*.ftl")))
"""The interface languages: those that have a file."""
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
DEFAULT = "en"
"""The interface language for people whose own has no file."""


class Texts:
    """The texts of one language: `texts("key", count=3)` for labels and toasts, `texts.html(...)` for messages."""

    def __init__(self, language: str) -> None:
        """Read the texts of `language`, one of LANGUAGES."""
        self.language = language
        self._bundle = FluentBundle([language], use_isolating=False)
        # Where each text stands in its file is of no use here, and half of what they take.
        parser = FluentParser(with_spans=False)
        self._bundle.add_resource(parser.parse((LOCALES / f"{language}.ftl").read_text(encoding="utf-8")))
        # Most texts have no values, and are the same each time.
        self._constant: dict[str, str] = {}

    @property
    def reads(self) -> str:
        """The language in which readers are told what idioms mean: their own, if the collection has it."""
        return self("reads")

    def __call__(self, key: str, **values: str | float) -> str:
        """The plain text of a key. Raises KeyError for an unknown key, ValueError for a missing value."""
        if values:
            return self._format(key, values)
        if key not in self._constant:
            self._constant[key] = self._format(key, {})
        return self._constant[key]

    def _format(self, key: str, values: Mapping[str, str | float]) -> str:
        pattern = self._bundle.get_message(key).value
        # Fluent refuses long values, so it places private characters, and the values replace them.
        marks = {chr(0xE000 + number): name for number, name in enumerate(values)}
        placed = {name: mark if isinstance(values[name], str) else values[name] for mark, name in marks.items()}
        text, errors = self._bundle.format_pattern(pattern, placed) if pattern else ("", [key])
        if errors:
            raise ValueError(f"text {key!r} ({self.language}): {errors[0]}")
        return re.sub("[\ue000-\ue0ff]", lambda found: str(values[marks[found[0]]]), str(text))

    def html(self, key: str, **values: str | float) -> str:
        """The text of a key as HTML: its values are escaped, its own mark-up stays."""
        return self(key, **{name: escape(v) if isinstance(v, str) else v for name, v in values.items()})

    def has(self, key: str) -> bool:
        """Whether the key has a text: names of topics and languages come with the data, which may have more of them."""
        return self._bundle.has_message(key)

    def get(self, key: str, default: str) -> str:
        """Return the plain text of a key, or the default if there is none."""
        return self(key) if self.has(key) else default


@cache
def texts_in(language: str) -> Texts:
    """The texts of a language, read once."""
    return Texts(language)


def interface_language(code: str | None, message: str = "") -> str:
    """Return the language to speak where none was chosen: that of the person's Telegram, else that of the message."""
    language = code.partition("-")[0].lower() if code else script_language(message)
    return language if language in LANGUAGES else DEFAULT


def escape(text: str) -> str:
    """Text as it must stand in HTML for Telegram, which knows `&lt;`, `&gt;`, `&amp;` and no apostrophe entity."""
    return html.escape(text, quote=False)


def is_empty(text: str) -> bool:
    """Whether nothing of a text is seen."""
    return not _UNSEEN.sub("", text).strip()


def shorten(text: str, limit: int) -> str:
    """The text in at most `limit` UTF-16 units, as Telegram counts, cut between words where possible.

    Without marks that would turn the line, or that nobody sees.
    """
    text = " ".join(_UNSEEN.sub("", text).split())
    units = text.encode("utf-16-le")
    if len(units) <= 2 * limit:
        return text
    cut = units[: 2 * (limit - 1)].decode("utf-16-le", errors="ignore")
    return (cut.rsplit(" ", 1)[0] if " " in cut[len(cut) // 2 :] else cut).rstrip(" ,;:.") + "…"

"""What people call the topics of a collection."""

from __future__ import annotations

import tomllib
from os.path import commonprefix
from pathlib import Path

from bot.search.forms import roots

NAMES = tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8"))
"""The names of each topic, by language."""


def topics_called(word: str) -> set[str]:
    """The topics of which a folded word is a name in any form: of several, those whose name begins most like it."""
    named = [(topic, name) for topics in NAMES.values() for topic, names in topics.items() for name in names]
    alike = [
        (len(commonprefix((word, name))), topic)  # noqa: RUF071 (letters are meant)
        for topic, name in named
        if roots(word) & roots(name)
    ]
    longest = max(alike, default=(0, ""))[0]
    return {topic for length, topic in alike if length == longest}

"""What people call the topics of a collection."""

from __future__ import annotations

import tomllib
from itertools import chain
from pathlib import Path

from bot.search.forms import roots

NAMES = tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8"))
"""The names of each topic, by language."""


def topics_called(word: str) -> set[str]:
    """The topics of which a folded word is a name in any form."""
    named = chain.from_iterable(topics.items() for topics in NAMES.values())
    return {
        topic for topic, names in named if not _tellings(word).isdisjoint(chain.from_iterable(map(_tellings, names)))
    }


def _tellings(word: str) -> set[str]:
    """The roots of a word that tell it from most others: "де" may be of money and of children."""
    return {root for root in roots(word) if len(root) > 2}

"""An idiom drawn by lot, perhaps of a language and a topic that the asker names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from bot.actions import Random
from bot.features import card
from bot.features.context import Actions, Commands, Context
from bot.texts import LANGUAGES, shorten, texts_in
from bot.ui import Reply, Screen

_STEM = 5
"""Letters at least that the forms of a word share: чувство, чувства."""
LONGEST_LIST = 3000
"""Characters of the topics that are named; a message has 4,096."""
_FITS, _LETTERS = re.compile("[a-z]{1,27}"), str.maketrans("0123456789", "ghijklmnop")


async def _command(context: Context, words: Sequence[str]) -> Reply:
    """Answer /random, after which a language and a topic may be named."""
    words = [word.casefold() for word in words]
    language = _language(context, words[0]) if words else ""
    wanted = words[1:] if language else words
    topics = context.engine.topics if wanted else []
    fitting = [topic for topic in topics if all(_is_topic(topic, word) for word in wanted)]
    if wanted and not fitting:
        names = sorted(context.texts.get(f"topic-{topic}", topic) for topic in topics)
        return Reply(Screen(context.texts.html("topics", topics=shorten(", ".join(names), LONGEST_LIST))))
    return await _draw(context, Random(0, f"{language}.{_code(fitting[0]) if fitting else ''}" if words else ""))


async def _draw(context: Context, action: Random) -> Reply:
    """Show the card of an idiom drawn by lot, if possible of one that the asker did not open lately."""
    engine, (language, _, code) = context.engine, action.filter.partition(".")
    languages = (language,) if language else context.languages
    # One that the collection no longer has fits no idiom.
    topic = next((topic for topic in engine.topics if _code(topic) == code), code) if code else None
    seen = await context.or_else(context.store.recent_keys(context.asker.id), frozenset())
    phrase = engine.random(languages, topic, seen) or engine.random(languages, topic)
    if not phrase:
        return Reply(Screen(context.texts("random-empty")))
    return await card.show(context, await context.add("random", phrase.key, action.parent, filter=action.filter))


def _language(context: Context, word: str) -> str:
    """The language of the collection that a word names by its code or, in any interface language, by its name."""
    for code in context.engine.languages:
        names = " ".join(texts_in(language).get(f"scope-{code}", "") for language in LANGUAGES).casefold().split()
        # An adjective may stand in any gender, number and case; "eng" and "rus" are short names.
        if word in (code, *(name[:3] for name in names)) or word.startswith(tuple(name[:-2] for name in names)):
            return code
    return ""


def _code(topic: str) -> str:
    """What stands for a topic in a button: itself or, where it would not fit, letters made of it."""
    if _FITS.fullmatch(topic):
        return topic
    return hashlib.blake2s(topic.encode(), digest_size=8).hexdigest().translate(_LETTERS)


def _is_topic(topic: str, word: str) -> bool:
    """Whether a word begins the key of a topic, or a word of its name in any interface language."""
    stem = word[:-1] if len(word) > _STEM else word
    names = " ".join([topic, *(texts_in(language).get(f"topic-{topic}", "") for language in LANGUAGES)])
    return any(name.startswith(stem) for name in names.casefold().split())


ACTIONS: Actions = {Random: _draw}
COMMANDS: Commands = {"random": _command}

"""Settings of a person: the language of the bot, and the language of the idioms that it searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.actions import Number, SetScope, Value
from bot.features import search
from bot.features.context import Actions, Commands, Context
from bot.texts import LANGUAGES, texts_in
from bot.ui import Reply, choice, screen


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Choose the language of the bot; "" follows Telegram. Buttons carry an `entry` that has no use."""

    code: ClassVar[str] = "c:language"
    language: Value = ""
    entry: Number = 0


async def _command(context: Context, _: Sequence[str] = ()) -> Reply:
    """Answer /lang: the languages to choose from, those of the bot in the same order as those of the idioms."""
    texts, user = context.texts, context.user
    scopes = ("", *context.engine.languages)
    languages = dict.fromkeys(language for language in (*scopes, *LANGUAGES) if language in LANGUAGES)
    speak = [choice(texts(f"language-{code}"), code == user.language, SetLanguage(code)) for code in languages]
    follow = choice(texts("language-auto"), not user.language, SetLanguage())
    search_in = [choice(search.scope_name(texts, code), code == user.scope, SetScope(code)) for code in scopes]
    return Reply(screen(texts("preferences"), (*speak, follow), tuple(search_in)))


async def _set_language(context: Context, action: SetLanguage) -> Reply:
    """Speak another language; one that the bot does not speak changes nothing."""
    if action.language in ("", *LANGUAGES):
        asker = replace(context.asker, texts=texts_in(action.language or context.asker.own_language))
        context = replace(await context.set(language=action.language), asker=asker)
    return await _command(context)


async def _set_scope(context: Context, action: SetScope) -> Reply:
    """Search other idioms; under the answers to a query, search it again."""
    if action.scope in ("", *context.engine.languages):
        context = await context.set(scope=action.scope)
    entry = await search.query_of(context, action.entry)
    return await search.show(context, entry) if entry else await _command(context)


ACTIONS: Actions = {SetLanguage: _set_language, SetScope: _set_scope}
COMMANDS: Commands = {"lang": _command}

"""Settings of a person: the language of the bot, the idioms that it searches, and what it sends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.actions import Number, SetScope, Value
from bot.features import daily, learn, search
from bot.features.context import Actions, Commands, Context
from bot.texts import LANGUAGES, texts_in
from bot.ui import Button, Reply, choice, pairs, screen


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Choose the language of the bot; "" follows Telegram. Buttons carry an `entry` that has no use."""

    code: ClassVar[str] = "c:language"
    language: Value = ""
    entry: Number = 0


async def _command(context: Context, _: Sequence[str] = ()) -> Reply:
    """Answer /settings: everything that can be chosen, as it is and to be changed at once."""
    texts, user = context.texts, context.user
    if not context.asker.in_private:
        return Reply(toast=texts("notice-only-private"))
    languages = dict.fromkeys(code for code in (*context.engine.languages, *LANGUAGES) if code in LANGUAGES)
    speak = [choice(texts_in(code)("language"), code == user.language, SetLanguage(code), "🗣") for code in languages]
    follow = choice(texts("language-auto"), not user.language, SetLanguage(), "🗣")
    everywhere = choice(search.scope_name(texts, ""), not user.scope, SetScope(), "🔎")
    scopes = context.engine.languages
    search_in = [choice(search.scope_name(texts, code), code == user.scope, SetScope(code), "🔎") for code in scopes]
    times = Button(texts("button-daily"), daily.ChooseHour()), Button(texts("button-zone"), daily.ChooseZone())
    learning = (Button(texts("button-learn"), learn.ShowPlan()),)
    return Reply(screen(_told(context), *pairs(speak), (follow,), (everywhere,), *pairs(search_in), times, learning))


def _told(context: Context) -> str:
    """What is chosen."""
    texts, user = context.texts, context.user
    return texts.html(
        "settings",
        language=texts("language") if user.language else texts("language-auto"),
        idioms=search.scope_name(texts, user.scope),
        daily=daily.told(context),
    )


async def _set_language(context: Context, action: SetLanguage) -> Reply:
    """Speak another language; one that the bot does not speak changes nothing."""
    if action.language in ("", *LANGUAGES):
        asker = replace(context.asker, texts=texts_in(action.language or context.asker.own_language))
        context = replace(await context.set(language=action.language), asker=asker)
    return await _command(context)


async def _set_scope(context: Context, action: SetScope) -> Reply:
    """Search other idioms; under the answers to a query, search it again. An unknown language changes nothing."""
    entry, known = await search.query_of(context, action.entry), action.scope in ("", *context.engine.languages)
    if known:
        context = await context.set(scope=action.scope)
    if not entry:
        return await _command(context)
    reply = await search.among(context, entry, action.scope if entry.filter else "")
    return replace(reply, toast=context.texts.get(f"notice-scope-{action.scope or 'own'}", "") if known else "")


ACTIONS: Actions = {SetLanguage: _set_language, SetScope: _set_scope}
COMMANDS: Commands = {"settings": _command, "lang": _command}
"""The second is what the first was called before 0.7."""

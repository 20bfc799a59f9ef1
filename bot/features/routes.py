"""The table of contents: which features there are, and which of them answers a button, a command or a history entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.actions import Show, from_data
from bot.features import (
    card,
    daily,
    dictionary,
    feedback,
    history,
    learn,
    picture,
    privacy,
    quiz,
    random,
    saved,
    search,
    settings,
    start,
    stats,
)
from bot.features.context import Actions, Commands, Context, Screens
from bot.ui import Reply, Screen

SCREENS: Screens = {**search.SCREENS, **card.SCREENS, **history.SCREENS, **saved.SCREENS}

COMMANDS: Commands = {
    **start.COMMANDS,
    **random.COMMANDS,
    **quiz.COMMANDS,
    **daily.COMMANDS,
    **saved.COMMANDS,
    **learn.COMMANDS,
    **history.COMMANDS,
    **settings.COMMANDS,
    **privacy.COMMANDS,
    **stats.COMMANDS,
    **dictionary.COMMANDS,
    **feedback.COMMANDS,
}
MENU = ("random", "topic", "quiz", "daily", "saved", "learn", "history", "settings", "privacy", "help")
"""The commands that Telegram's menu offers; the others are named where they are needed."""
IN_GROUPS = ("random", "topic", "quiz", "help")
"""Those that it offers in groups, where nothing personal is shown."""

PERSONAL: tuple[type[Any], ...] = (
    settings.SetLanguage,
    *history.ACTIONS,
    *saved.ACTIONS,
    *learn.ACTIONS,
    *daily.ACTIONS,
    *privacy.ACTIONS,
)
"""Actions whose buttons only private chats have; in a group, where only a forged press can ask, they do nothing."""


async def press(context: Context, data: str) -> Reply:
    """Answer a button by its callback data."""
    action = from_data(data, ACTIONS)
    if action is None:
        return Reply(toast=context.texts("notice-old-button"))
    if isinstance(action, PERSONAL) and not context.asker.in_private:
        return Reply(toast=context.texts("notice-only-private"))
    return await ACTIONS[type(action)](context, action)


async def said(context: Context, text: str, replied: str = "") -> Reply:
    """Answer what a person writes, perhaps as a reply to a text of ours."""
    return await feedback.commented(context, text, replied) or await search.ask(context, text)


async def show(context: Context, action: Show) -> Reply:
    """Show a page of an earlier screen, as things are now."""
    entry = await context.entry(action.entry)
    return await SCREENS[entry.kind](context, entry, action.page) if entry else context.gone("step")


async def command(context: Context, name: str, words: Sequence[str]) -> Reply:
    """Answer a command; in a group, one that this bot lacks may be for another bot and gets no answer."""
    private = context.asker.in_private
    for_admins = name in ("stats", "reports") and not (private and context.asker.id in context.settings.admins)
    if name not in COMMANDS or for_admins:
        return Reply(Screen(context.texts("notice-unknown-command")) if private else None)
    if not private and name not in ("start", *IN_GROUPS, *dictionary.COMMANDS):
        return Reply(Screen(context.texts("notice-only-private")))
    return await COMMANDS[name](context, words)


ACTIONS: Actions = {
    Show: show,
    **search.ACTIONS,
    **start.ACTIONS,
    **dictionary.ACTIONS,
    **card.ACTIONS,
    **feedback.ACTIONS,
    **picture.ACTIONS,
    **random.ACTIONS,
    **history.ACTIONS,
    **saved.ACTIONS,
    **learn.ACTIONS,
    **quiz.ACTIONS,
    **daily.ACTIONS,
    **settings.ACTIONS,
    **privacy.ACTIONS,
}

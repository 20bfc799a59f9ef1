"""`python -m bot`: the Telegram bot when TELEGRAM_TOKEN is set, otherwise a chat in the terminal."""

from __future__ import annotations

import logging
import os
import sys

from telegram.error import InvalidToken

from bot import app, terminal
from bot.conversation import Conversation
from bot.search import ArtifactsError, SearchEngine
from bot.settings import Settings, SettingsError
from bot.texts import interface_language, texts_in
from bot.users import StateError, UserStore


def main() -> None:
    """Compose and run; what only a person can put right ends in one sentence."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    # At INFO httpx writes every address, and the token is part of the address.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        settings = Settings.from_environment(os.environ)
        conversation = Conversation(SearchEngine.load(settings.artifacts), UserStore(settings.state), settings)
        serve(settings, conversation)
    except (SettingsError, ArtifactsError, StateError) as error:
        sys.exit(str(error))
    except InvalidToken:
        sys.exit("Telegram refused TELEGRAM_TOKEN: copy it from @BotFather again.")


def serve(settings: Settings, conversation: Conversation) -> None:
    """Run the bot that the settings ask for until it is interrupted."""
    if settings.token:
        app.run(settings, conversation)
    else:
        texts = texts_in(interface_language(code=os.environ.get("LANG")))
        terminal.chat(conversation, texts, input, print)


if __name__ == "__main__":
    main()

"""Between Telegram and the features: with bot.app and bot.serving the only importers of python-telegram-bot."""

import os

# The library measures Telegram's waits in timedeltas, and warns of every one until it is asked to.
os.environ.setdefault("PTB_TIMEDELTA", "1")

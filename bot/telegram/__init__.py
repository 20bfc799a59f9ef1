"""Between Telegram and the features: with bot.app the only importers of python-telegram-bot."""

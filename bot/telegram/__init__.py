"""Between Telegram and the features: with bot.app and bot.serving the only importers of python-telegram-bot."""

"""A Telegram of one's own, in memory: to try the bot in a browser, and to test it strictly."""

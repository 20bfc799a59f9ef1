"""`python -m bot.store.move FROM TO`: carry the state over from an SQLite file to an empty PostgreSQL database."""

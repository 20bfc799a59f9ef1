"""Search: from a person's words to the phrases that mean them.

The public side is `bot.search.engine` (SearchEngine, Match, Answer), `bot.search.phrases` (Phrase) and
`bot.search.artifacts` (Artifacts, ArtifactsError).
"""

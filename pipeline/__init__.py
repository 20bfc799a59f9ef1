"""The pipeline: turns a file of phrases into the artifacts that the bot serves."""

"""The bot: answers from the artifacts that the pipeline built."""

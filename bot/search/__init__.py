"""Search: from a person's words to the phrases that mean them."""

from bot.search.artifacts import Artifacts, ArtifactsError
from bot.search.engine import Answer, Match, SearchEngine
from bot.search.phrases import Phrase

__all__ = ["Answer", "Artifacts", "ArtifactsError", "Match", "Phrase", "SearchEngine"]

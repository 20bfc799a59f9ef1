"""What the bot did, counted for those who watch it."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector, generate_latest

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets of response times."""


class Metrics:
    """Counts since the start of the process, each kept by one method named for what happened."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._artifacts = Info("idiomatika_artifacts", "The artifacts that are served.", registry=registry)
        self._updates = Counter("idiomatika_updates", "Updates that came, by kind.", ["kind"], registry=registry)
        self._seconds = Histogram(
            "idiomatika_answer_seconds",
            "Seconds from the arrival of an update to its answer.",
            buckets=SECONDS,
            registry=registry,
        )
        self._errors = Counter("idiomatika_errors", "Updates that ended in an error.", registry=registry)
        self._dropped = Counter("idiomatika_dropped", "Updates that others overtook.", registry=registry)
        self._retries = Counter("idiomatika_retries", "Calls repeated, by reason.", ["reason"], registry=registry)

    def serves(self, built: str, recipe: str) -> None:
        """Tell which artifacts are served: the date of their build, and the name of its recipe."""
        self._artifacts.info({"built": built, "recipe": recipe})

    def update(self, kind: str) -> None:
        """Count an update that came. `kind` is one of a few names, never a person's words: each costs memory."""
        self._updates.labels(kind).inc()

    def answered(self, seconds: float) -> None:
        """Count an answer, and the seconds since its update came."""
        self._seconds.observe(seconds)

    def error(self) -> None:
        """Count an update that ended in an error."""
        self._errors.inc()

    def dropped(self) -> None:
        """Count an update that needs no answer any more, because newer ones overtook it."""
        self._dropped.inc()

    def retried(self, reason: str) -> None:
        """Count a call to Telegram that is made again. `reason` is one of a few names, such as "429" or "network"."""
        self._retries.labels(reason).inc()

    def text(self) -> str:
        """Return everything in Prometheus' text format."""
        return generate_latest(self._registry).decode()

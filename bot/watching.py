"""What an operator's tools ask: `/healthz`, whether the bot is alive, and `/metrics`, what it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from tornado.web import Application, RequestHandler

from bot import listening
from bot.listening import Limits, Server
from bot.metrics import Metrics

LIMITS = Limits(connections=20, body=0)


async def listen(metrics: Metrics, healthy: Callable[[], str | None], host: str, port: int) -> Server:
    """Serve both pages. `healthy` says in one line what is wrong, or returns None.

    Raises SettingsError when the port cannot be had.
    """
    routes: list[Any] = [(r"/healthz", Health, {"healthy": healthy}), (r"/metrics", Counts, {"metrics": metrics})]
    application = Application(routes, log_function=lambda _: None)
    return listening.listen(application, host, port, LIMITS, "METRICS_PORT")


class Health(RequestHandler):
    """200 and "ok", or 503 and what is wrong."""

    def initialize(self, healthy: Callable[[], str | None]) -> None:
        """Get what `listen` was told."""
        self._healthy = healthy

    def get(self) -> None:
        """Ask the bot."""
        trouble = self._healthy()
        self.set_status(503 if trouble else 200)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{trouble or 'ok'}\n")


class Counts(RequestHandler):
    """Everything that was counted, for Prometheus."""

    def initialize(self, metrics: Metrics) -> None:
        """Get what `listen` was told."""
        self._metrics = metrics

    def get(self) -> None:
        """Write it down."""
        self.set_header("Content-Type", CONTENT_TYPE_PLAIN_0_0_4)
        self.finish(self._metrics.text())

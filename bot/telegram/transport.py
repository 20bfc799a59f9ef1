"""HTTP to the Bot API by aiohttp, and what is tried again when the network or Telegram fails."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram.error import NetworkError
from telegram.request import BaseRequest, RequestData

CONNECTIONS = 256
PAUSES = (0.5, 1.0, 2.0)
"""Seconds before a request is tried again."""
CONNECT_SECONDS, READ_SECONDS = 10.0, 20.0
IDLE_SECONDS = 15.0
"""How long an unused connection is kept: shorter than servers keep theirs, so that none is found closed."""
GATEWAY_TIMEOUT = 504

logger = logging.getLogger(__name__)


class Failed(NetworkError):
    """A request without an answer of the Bot API."""

    def __init__(self, message: str, reason: str = "network") -> None:
        """`reason` is "network" or "5xx"."""
        super().__init__(message)
        self.reason = reason


class Undone(Failed):
    """A request that did not reach Telegram, or that Telegram failed to do: trying it again repeats nothing."""


class Lost(Failed):
    """A request whose answer was lost: Telegram may have done what it asks, or not."""


class Transport(BaseRequest):
    """A pool of connections. Everything is tried again but what would be sent twice."""

    def __init__(self, retried: Callable[[str], None], pauses: tuple[float, ...] = PAUSES) -> None:
        """Tell `retried` why a request is tried again: "network" or "5xx"."""
        self._retried, self._pauses = retried, pauses
        self._session: aiohttp.ClientSession | None = None
        self._proxies: dict[tuple[str, str], str | None] = {}

    @property
    def read_timeout(self) -> float:
        """Seconds to wait for an answer."""
        return READ_SECONDS

    async def initialize(self) -> None:
        """Open the pool."""
        if self._session:
            return
        connector = aiohttp.TCPConnector(limit=CONNECTIONS, keepalive_timeout=IDLE_SECONDS)
        # The answers are short: packing them costs more than it spares.
        headers = {"Accept-Encoding": "identity"}
        self._session = aiohttp.ClientSession(connector=connector, headers=headers)

    async def shutdown(self) -> None:
        """Close the pool."""
        if self._session:
            await self._session.close()
        self._session = None

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = None,
        write_timeout: Any = None,  # noqa: ARG002
        connect_timeout: Any = None,  # noqa: ARG002
        pool_timeout: Any = None,  # noqa: ARG002
    ) -> tuple[int, bytes]:
        """Return status and body of the answer. Raises Undone or Lost."""
        name = url.rpartition("/")[2].lower()
        # The next poll asks for the same.
        pauses = () if name == "getupdates" else self._pauses
        seconds = read_timeout if isinstance(read_timeout, int | float) else READ_SECONDS
        for pause in pauses:
            try:
                return await self._request(method, url, request_data, seconds)
            except Failed as error:
                if isinstance(error, Lost) and name.startswith("send"):
                    raise
                logger.info("%s is tried again in %s s: %s", name, pause, error)
                self._retried(error.reason)
                await asyncio.sleep(pause)
        return await self._request(method, url, request_data, seconds)

    async def _request(
        self, method: str, url: str, content: RequestData | None, read_seconds: float
    ) -> tuple[int, bytes]:
        assert self._session
        timeout = aiohttp.ClientTimeout(None, CONNECT_SECONDS, read_seconds, CONNECT_SECONDS)
        try:
            async with self._session.request(
                method, url, timeout=timeout, proxy=self._proxy(url), **_body(content)
            ) as response:
                status, body = response.status, await response.read()
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise Undone(f"Telegram could not be reached ({_reason(error)})") from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise Lost(f"the connection was lost ({_reason(error)})") from error
        if status >= 500:
            raise (Lost if status == GATEWAY_TIMEOUT else Undone)(f"Telegram answered with status {status}", "5xx")
        try:
            json.loads(body)
        except ValueError as error:
            raise Lost(f"the answer was not of the Bot API (status {status})") from error
        return status, body

    def _proxy(self, url: str) -> str | None:
        """The proxy that the environment names for an address: found out once, which takes a tenth of an answer."""
        place = urlsplit(url)
        scheme, host = place.scheme, place.hostname or ""
        if (scheme, host) not in self._proxies:
            self._proxies[scheme, host] = None if proxy_bypass(host) else getproxies().get(scheme)
        return self._proxies[scheme, host]


def _body(content: RequestData | None) -> dict[str, Any]:
    """The arguments of aiohttp that carry the parameters of a request."""
    if content is None:
        return {}
    if not content.contains_files:
        body = json.dumps(content.parameters, ensure_ascii=False).encode()
        return {"data": body, "headers": {"Content-Type": "application/json"}}
    form = aiohttp.FormData(content.json_parameters)
    for name, (filename, data, kind) in content.multipart_data.items():
        # Bytes would be sent all at once, and hold up the event loop.
        file = BytesIO(data) if isinstance(data, bytes) else data
        form.add_field(name, file, filename=filename, content_type=kind)
    return {"data": form}


def _reason(error: Exception) -> str:
    """What happened, without the address, which has the token in it."""
    system = getattr(error, "os_error", error)
    return getattr(system, "strerror", None) or type(error).__name__

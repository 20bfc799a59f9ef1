"""A server that the world may reach: slow, large and too many requests cost it little."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from tornado.http1connection import HTTP1Connection
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.web import Application, RequestHandler

from bot.settings import SettingsError

PATIENCE = 5.0
"""Seconds that a stop waits for requests that are being answered."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may ask of the server."""

    seconds: float = 10.0
    """How long the headers of a request may take, and its body; also how long a connection may be idle."""
    connections: int = 200
    body: int = 1024 * 1024
    """Bytes of a request's body."""
    headers: int = 16 * 1024
    """Bytes of a request's headers."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    port: int
    _http: Bounded

    async def stop(self) -> None:
        """Free the port, wait a little for what is being answered, and close every connection."""
        self._http.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self._http.busy:
                    await asyncio.sleep(0.01)
        await self._http.close_all_connections()


class Bounded(HTTPServer):
    """Has so many connections and no more: a new one takes the place of the one that has been idle longest."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.most = Limits().connections
        self._idle: dict[IOStream, None] = {}
        self._busy: dict[IOStream, None] = {}

    @property
    def busy(self) -> bool:
        """Whether a request is being answered."""
        self._forget_closed()
        return bool(self._busy)

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Take a connection."""
        self._forget_closed()
        if len(self._idle) + len(self._busy) >= self.most:
            longest = next(iter(self._idle), stream)
            self._idle.pop(longest, None)
            longest.close()
        if not stream.closed():
            self._idle[stream] = None
            super().handle_stream(stream, address)

    def hold(self, handler: RequestHandler) -> None:
        """Keep the connection of a request until `release`, whoever else comes."""
        stream = _stream(handler)
        self._idle.pop(stream, None)
        self._busy[stream] = None

    def release(self, handler: RequestHandler) -> None:
        """Count the connection of a request as idle from now on."""
        stream = _stream(handler)
        self._busy.pop(stream, None)
        self._idle[stream] = None

    def _forget_closed(self) -> None:
        self._idle = {stream: None for stream in self._idle if not stream.closed()}
        self._busy = {stream: None for stream in self._busy if not stream.closed()}


def listen(application: Application, host: str, port: int, limits: Limits, setting: str = "PORT") -> Server:
    """Serve at an address of this machine, in the running event loop; port 0 takes any free one.

    Raises SettingsError, which names `setting`, when the address or the port cannot be had.
    """
    sockets = bind(host, port, setting)
    http = Bounded(
        application,
        idle_connection_timeout=limits.seconds,
        body_timeout=limits.seconds,
        max_body_size=limits.body,
        max_header_size=limits.headers,
    )
    http.most = limits.connections
    application.settings["server"] = http
    http.add_sockets(sockets)
    return Server(sockets[0].getsockname()[1], http)


def bind(host: str, port: int, setting: str = "PORT") -> Sequence[socket.socket]:
    """Open a listening socket. A name that stands for addresses of both kinds is taken for the one of IPv4."""
    try:
        family, _, _, _, address = min(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        listening = socket.create_server(address[:2], family=family)
    except OSError as error:
        raise SettingsError(f"The bot cannot listen on {host}, port {port}: {_advice(error, setting)}") from error
    listening.setblocking(False)
    return [listening]


def _advice(error: OSError, setting: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"stop the program that uses the port, or choose another {setting}."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"ordinary users may not have this port, so choose a {setting} above 1023."
    # The text of create_server repeats the address; that of a name that is not found is in the error alone.
    known = os.strerror(error.errno or 0) if error.errno in errno.errorcode else error.strerror
    return f"HOST must be an address or a name of this machine ({known})."


def _stream(handler: RequestHandler) -> IOStream:
    return cast(HTTP1Connection, handler.request.connection).stream

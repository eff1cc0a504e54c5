"""Connections that cannot hold the server up: deadlines, and a bound on the connections that say nothing.

A connection without a whole request, new or kept alive, has a deadline. Only so many of them may be open: when one more
comes, the oldest is cut, first of those that have never sent a request. Half-open connections so push each other out,
and a client that sends its request at once is never in their way. An answer that the client does not read is cut off
too, and a connection that sends requests before it has its answers gets one answer only.

:class:`GuardedProtocol` stands between the socket and uvicorn's protocol. It relies on what ``asyncio.Protocol``
promises and on nothing else of uvicorn. :class:`Attendance`, the outermost layer of the application, tells it when a
request begins and when its answer ends.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_SILENT = 200
PATIENCE_SECONDS = 0.5
"""How long a connection may be silent before it can be cut to make room for another."""
SILENT_SECONDS = 10.0
"""How long a connection may go without a request."""
REQUEST_SECONDS = 7.0
"""How long a request may take to arrive, from its first byte; a little more than bodies have, which get an answer."""
STALLED_SECONDS = 10.0
"""How long an answer may wait to be read."""

Address = tuple[str, int]


class GuardedProtocol(asyncio.Protocol):
    """One connection, which passes everything on to uvicorn's protocol for HTTP/1.1."""

    connections: ClassVar[dict[Address, GuardedProtocol]] = {}
    """The open connections of this process by the client's address and port."""
    strangers: ClassVar[dict[GuardedProtocol, float]] = {}
    """Connections that have never sent a request, each with the time since when it is silent, the oldest first."""
    guests: ClassVar[dict[GuardedProtocol, float]] = {}
    """Connections that have sent a request before and are silent now."""

    transport: asyncio.Transport
    _address: Address | None = None
    _clock: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _request_has_begun = False
    _has_had_request = False
    _is_answering = False
    _has_new_data = False
    """Whether anything has arrived since the last answer ended."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        from uvicorn.protocols.http.h11_impl import H11Protocol  # other servers run the application without uvicorn

        self.http: asyncio.Protocol = H11Protocol(*args, **kwargs)
        self.loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple):
            self._address = str(peer[0]), int(peer[1])
            self.connections[self._address] = self
        self.http.connection_made(transport)
        self._fall_silent()

    def data_received(self, data: bytes) -> None:
        self._has_new_data = True
        if not self._request_has_begun:
            self._request_has_begun = True
            self._restart(REQUEST_SECONDS)
        self.http.data_received(data)

    def eof_received(self) -> bool | None:
        return self.http.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_silence()
        self._end_stall()
        if self._address is not None and self.connections.get(self._address) is self:
            del self.connections[self._address]
        self.http.connection_lost(exc)

    def pause_writing(self) -> None:
        self.http.pause_writing()
        self._end_stall()
        self._stall = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self.http.resume_writing()
        self._end_stall()

    # ------------------------------------------------------------------ what the application tells

    def begin_request(self) -> bool:
        """Whether a request that begins now may be answered: its bytes came after the answer before it."""
        self._is_answering = False
        return self._has_new_data

    def begin_answer(self) -> None:
        """The whole request is here, or its answer has begun."""
        if self._is_answering:
            return
        self._is_answering = self._has_had_request = True
        self._end_silence()

    def end_answer(self) -> None:
        """The answer has been handed over; a client that does not read it is cut off."""
        self._is_answering = self._has_new_data = False
        if self.transport.is_closing():
            self._restart(STALLED_SECONDS)
        else:
            self._fall_silent()

    # ------------------------------------------------------------------ silence

    def _fall_silent(self) -> None:
        self._request_has_begun = False
        self._end_silence()
        self._restart(SILENT_SECONDS)
        (self.guests if self._has_had_request else self.strangers)[self] = self.loop.time()
        self._thin_out()

    def _thin_out(self) -> None:
        """Cut the oldest of too many, but none that had no time to speak yet: several hundred may come at once."""
        while len(self.strangers) + len(self.guests) > MOST_SILENT:
            oldest, since = next(iter((self.strangers or self.guests).items()))
            if self.loop.time() < since + PATIENCE_SECONDS:
                self.loop.call_at(since + PATIENCE_SECONDS, self._thin_out)
                return
            oldest.cut()

    def _end_silence(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
        self._clock = None
        self.strangers.pop(self, None)
        self.guests.pop(self, None)

    def _restart(self, seconds: float) -> None:
        if self._clock is not None:
            self._clock.cancel()
        self._clock = self.loop.call_later(seconds, self.cut)

    def _end_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
        self._stall = None

    def cut(self) -> None:
        """End a connection that has had its time."""
        self._end_silence()
        self.transport.abort()


class Attendance:
    """The outermost layer of the application, which tells each connection when it is being answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client") if scope["type"] == "http" else None
        connection = GuardedProtocol.connections.get((client[0], client[1])) if client else None
        if connection is None:  # another server than ours, or not a request
            await self.app(scope, receive, send)
        elif connection.begin_request():
            await self._attend(connection, scope, receive, send)
        else:  # it came before the answer to the last one was read, which no browser does
            connection.transport.close()
            while (await receive())["type"] != "http.disconnect":
                pass

    async def _attend(self, connection: GuardedProtocol, scope: Scope, receive: Receive, send: Send) -> None:
        has_ended = False

        async def received() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                connection.begin_answer()
            return message

        async def sent(message: Message) -> None:
            nonlocal has_ended
            connection.begin_answer()
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                has_ended = True
                connection.end_answer()

        if not {b"content-length", b"transfer-encoding"}.intersection(name for name, _ in scope["headers"]):
            connection.begin_answer()
        try:
            await self.app(scope, received, sent)
        finally:
            if not has_ended:  # an error, which the server answers itself
                connection.end_answer()

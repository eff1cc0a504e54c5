"""Connections that cannot hold the server up: uvicorn's protocol with deadlines and a bound on those that say nothing.

A connection without a whole request, new or kept alive, has a deadline. There may be only so many of them: when one
too many comes, the oldest goes, first of those that have never asked anything. Half-open connections so push each other
out, while somebody who asks at once is never in their way. An answer that nobody takes is cut off too, and a connection
that sends requests before it has its answers gets one answer only.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_SILENT = 200
PATIENCE_SECONDS = 0.5
"""How long nobody is cut, however many there are."""
SILENT_SECONDS = 10.0
"""How long a connection may go without a request."""
REQUEST_SECONDS = 7.0
"""How long a request may take to arrive, from its first byte; a little more than bodies have, which get an answer."""
STALLED_SECONDS = 10.0
"""How long an answer may wait to be taken."""


class GuardedProtocol(H11Protocol):
    """One connection."""

    strangers: ClassVar[dict[GuardedProtocol, float]] = {}
    """Connections that have not asked anything yet and since when, the oldest first."""
    guests: ClassVar[dict[GuardedProtocol, float]] = {}
    """Connections that have asked before and are silent now."""

    _clock: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _has_begun = False
    _has_asked = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._fall_silent()

    def data_received(self, data: bytes) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._restart(REQUEST_SECONDS)
        super().data_received(data)
        if self._is_asking():
            self._has_asked = True
            self._end_silence()
            if self.conn.trailing_data[0]:  # the next request before this one is answered: no browser does that
                self.cycle.keep_alive = False

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and not self._is_asking():
            self._fall_silent()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_silence()
        self._end_stall()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._end_stall()
        self._stall = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._end_stall()

    # ------------------------------------------------------------------ silence

    def _is_asking(self) -> bool:
        """Whether a whole request is here and being answered."""
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete and not cycle.more_body

    def _fall_silent(self) -> None:
        self._has_begun = False
        self._restart(SILENT_SECONDS)
        (self.guests if self._has_asked else self.strangers)[self] = self.loop.time()
        self._thin_out()

    def _thin_out(self) -> None:
        """Cut the oldest of too many, but nobody who had no time to speak yet: several hundred may come at once."""
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

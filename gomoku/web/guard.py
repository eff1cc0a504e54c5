"""What every request passes before it is answered: where it comes from, what it is, and how many there are."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

try:
    from starlette.responses import JSONResponse, Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
except ImportError as error:
    raise ImportError("gomoku.web.guard needs starlette: pip install 'gomoku-patterns[web]'") from error

MOMENT = 0.3
"""Seconds before a client is told to try again."""
RETRY_AFTER = {"Retry-After": "1"}
LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",
}


CODES = {
    400: "bad-json",
    403: "foreign-page",
    404: "no-such-address",
    405: "wrong-method",
    408: "too-slow",
    413: "too-long",
    415: "bad-json",
    421: "foreign-host",
    503: "busy",
}
"""The codes of errors that a status says all about."""


def failure(status: int, reason: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """An error as clients get it: the reason for people, and a code for programs."""
    told = {"error": reason, "code": CODES.get(status, "refused")}
    return JSONResponse(told, status_code=status, headers=headers)


def refusal(told: Mapping[str, Any]) -> JSONResponse:
    """The response for what :func:`gomoku.web.schema.error_json` told."""
    status = told["status"]
    return JSONResponse(dict(told), status_code=status, headers=RETRY_AFTER if status == 503 else None)


class SecurityHeaders:
    """Puts the security headers on every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"] += [
                    (name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in present
                ]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class Crowd:
    """Refuses requests while too many others are being answered: of all clients, or half as many of the same one.

    Who is told to try again is told so after a moment, so that trying again and again costs the server little.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app, self.most = app, most
        self.present: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = (scope.get("client") or ("",))[0]
        if self.present.total() >= self.most or self.present[client] >= self.most // 2:
            await failure(503, "too many requests at the same time; try again", RETRY_AFTER)(scope, receive, send)
            return
        self.present[client] += 1
        try:
            await self.app(scope, receive, _delaying_503(send))
        finally:
            self.present[client] -= 1
            if not self.present[client]:
                del self.present[client]


def _delaying_503(send: Send) -> Send:
    async def delaying(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 503:
            await asyncio.sleep(MOMENT)
        await send(message)

    return delaying


class OwnPageOnly:
    """No web page but the server's own may drive it.

    While it is bound to loopback, foreign host names are refused, and so is an origin that is not the host that was
    asked: another port of this machine is another site. Wherever it is bound, a browser that says that a request comes
    from another site is believed, and a POST has to say that it is JSON, which no foreign page can without asking.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self.names = {*LOOPBACK, host} if host in LOOPBACK else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self.refusal(scope["method"], dict(scope["headers"])) if scope["type"] == "http" else None
        await (refused or self.app)(scope, receive, send)

    def refusal(self, method: str, raw: dict[bytes, bytes]) -> Response | None:
        headers = {name.decode("latin-1"): value.decode("latin-1").lower() for name, value in raw.items()}
        host, origin = headers.get("host", ""), headers.get("origin")
        if self.names is not None and re.sub(r":\d+\Z", "", host) not in self.names:
            return failure(421, f"this server answers to loopback names only, not to {host!r:.80}")
        if self.names is not None and origin is not None and origin.partition("://")[2] != host:
            return failure(403, f"this server answers its own page only, not one of {origin!r:.80}")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and _is_from_script(headers):
            return failure(403, "this server answers its own page only, not one of another site")
        if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return failure(415, "send JSON with the header Content-Type: application/json")
        return None


def _is_from_script(headers: dict[str, str]) -> bool:
    """Whether a browser's request is something else than a link that somebody followed."""
    return headers.get("sec-fetch-mode") != "navigate"

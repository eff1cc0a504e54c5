"""The Starlette application: routes, limits, headers; stateless, so that any worker can answer any request."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gomoku.web.bounds import ServerBounds
from gomoku.web.endpoints import HEALTH, LISTS, QUICK, STOP, Endpoint, check_search, searches
from gomoku.web.openapi import document
from gomoku.web.pool import PoolBusyError, SearchDiedError, SearchPool
from gomoku.web.schema import RequestError, check
from gomoku_patterns.errors import GomokuError

Json = dict[str, Any]
STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/play", "/play/{opponent}", "/puzzles", "/puzzles/{number}", "/analysis")
"""Where the page lives: every mode, opponent and level has an address. What is on the board follows the ``#``."""
TOKEN = re.compile(r"[0-9A-Za-z-]{16,64}\Z")
STOP_POLL_SECONDS = 0.05
RETRY_AFTER = {"Retry-After": "1"}

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


class LocalHostOnly:
    """Refuses foreign host names and origins while bound to loopback: no web page elsewhere may drive this server."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self.names = (
            {"localhost", "127.0.0.1", "[::1]", "::1", host} if host in ("127.0.0.1", "localhost", "::1") else None
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self.refusal(dict(scope["headers"])) if scope["type"] == "http" else None
        await (refused or self.app)(scope, receive, send)

    def refusal(self, headers: dict[bytes, bytes]) -> Response | None:
        if self.names is None:
            return None
        named = headers.get(b"host", b"").decode("latin-1").lower()
        if _without_port(named) not in self.names:
            return failure(421, f"expected a loopback host name, found {named!r:.80}")
        origin = headers.get(b"origin", f"http://{named}".encode("latin-1")).decode("latin-1").lower()
        if _without_port(origin.partition("://")[2]) not in self.names:
            return failure(403, f"expected a request of this server's own page, found one of {origin!r:.80}")
        return None


def _without_port(host: str) -> str:
    return re.sub(r":\d+\Z", "", host)


def failure(status: int, reason: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """An error as clients get it: ``{"error": reason}``."""
    return JSONResponse({"error": reason}, status_code=status, headers=headers)


async def read_json(request: Request, bounds: ServerBounds, most: int) -> Json:
    """The request's JSON object, bounded in size and in the time it may take to arrive."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or len(declared) > 15 or int(declared) > most:
        raise HTTPException(413, f"expected a body of at most {most} bytes, found {declared[:20]}")
    body = bytearray()
    try:
        async with asyncio.timeout(bounds.body_seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise HTTPException(413, f"expected a body of at most {most} bytes, found more")
    except TimeoutError:
        raise HTTPException(408, f"expected the body within {bounds.body_seconds:g} s") from None
    try:
        value = json.loads(bytes(body), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"expected JSON, found {error or 'nesting too deep'}"[:200]) from None
    if not isinstance(value, dict):
        raise HTTPException(400, f"expected a JSON object, found {value!r:.60}")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"the constant {name}")


def checked_token(token: str | None) -> str | None:
    """The token, which becomes a part of a file's name."""
    if token is not None and not TOKEN.match(token):
        raise RequestError(f"expected 'token' to be 16 to 64 letters, digits and dashes, found {token!r}")
    return token


Handler = Callable[[Request], Awaitable[Response]]


class Api:
    """The handlers of one application and what they share."""

    def __init__(self, bounds: ServerBounds) -> None:
        self.bounds = bounds
        self.signs = Path(bounds.stop_folder)
        self.pool = SearchPool(bounds.searches, bounds.queue)
        self.searches = searches(bounds)

    def list_handler(self, endpoint: Endpoint) -> Handler:
        async def handle(_request: Request) -> Response:
            return JSONResponse(await run_in_threadpool(_answer, endpoint, {}))

        return handle

    def quick_handler(self, endpoint: Endpoint) -> Handler:
        most = self.bounds.max_proof if endpoint.large else self.bounds.max_body

        async def handle(request: Request) -> Response:
            body = await read_json(request, self.bounds, most)
            return JSONResponse(await run_in_threadpool(_answer, endpoint, body))

        return handle

    def search_handler(self, endpoint: Endpoint) -> Handler:
        async def handle(request: Request) -> Response:
            body = check(endpoint.fields, await read_json(request, self.bounds, self.bounds.max_body))
            token, stream = checked_token(body.pop("token")), body.pop("stream")
            await run_in_threadpool(check_search, endpoint.name, body)
            job = {"kind": endpoint.name, **body}
            events = self.events(job, token)
            if not stream:
                return await self.last_event(request, events)
            first = await anext(events)
            return StreamingResponse(_lines(first, events), media_type="application/x-ndjson")

        return handle

    async def events(self, job: Json, token: str | None) -> AsyncGenerator[Json, None]:
        """The events of a job; progress begins with an empty one, sent once a process has taken the job."""
        stop = asyncio.Event()
        if token is not None:
            self.sign(token).touch()
        watcher = asyncio.create_task(self.watch_for_stop(token, stop))
        events = self.pool.run(job, job["seconds"], stop)
        try:
            async with contextlib.aclosing(events):
                async for event in events:
                    yield event
        finally:
            watcher.cancel()
            self.sign(token).unlink(missing_ok=True)

    async def last_event(self, request: Request, events: AsyncGenerator[Json, None]) -> Response:
        async with contextlib.aclosing(events):
            async for event in events:
                if await request.is_disconnected():
                    break
                if "result" in event:
                    return JSONResponse(event["result"])
                if "error" in event:
                    return failure(422, event["error"])
        return failure(499, "the client went away")

    async def watch_for_stop(self, token: str | None, stop: asyncio.Event) -> None:
        while token is not None:
            if not self.sign(token).exists():
                stop.set()
                return
            await asyncio.sleep(STOP_POLL_SECONDS)

    def sign(self, token: str | None) -> Path:
        """Workers share nothing but a folder: a search goes on while its file is there, and any of them may take it."""
        return self.signs / f"search-{token}"

    async def stop(self, request: Request) -> Response:
        body = await read_json(request, self.bounds, self.bounds.max_body)
        self.sign(checked_token(check(STOP.fields, body)["token"])).unlink(missing_ok=True)
        return JSONResponse({"stopping": True})

    async def health(self, _request: Request) -> Response:
        return JSONResponse(
            {
                "status": "ok",
                "searching": self.pool.busy,
                "processes": self.pool.size,
                "max_seconds": self.bounds.max_seconds,
            }
        )

    async def openapi(self, _request: Request) -> Response:
        return JSONResponse(document([HEALTH, *LISTS.values()], [*QUICK.values(), STOP], [*self.searches.values()]))

    def routes(self) -> list[Route | Mount]:
        return [
            *(Route(path, _index) for path in PAGES),
            Route("/api/openapi.json", self.openapi),
            Route("/api/health", self.health),
            Route("/api/stop", self.stop, methods=["POST"]),
            *(Route(f"/api/{name}", self.list_handler(endpoint)) for name, endpoint in LISTS.items()),
            *(
                Route(f"/api/{name}", self.quick_handler(endpoint), methods=["POST"])
                for name, endpoint in QUICK.items()
            ),
            *(
                Route(f"/api/{name}", self.search_handler(endpoint), methods=["POST"])
                for name, endpoint in self.searches.items()
            ),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]


def _answer(endpoint: Endpoint, body: Json) -> Mapping[str, Any]:
    if endpoint.answer is None:
        raise HTTPException(405, f"expected an endpoint that answers at once, found {endpoint.name!r}")
    return endpoint.answer(check(endpoint.fields, body))


async def _index(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html", media_type="text/html; charset=utf-8")


async def _lines(first: Json, rest: AsyncGenerator[Json, None]) -> AsyncIterator[bytes]:
    """A line of JSON an event; an error after the first line can only be told as one more line."""
    async with contextlib.aclosing(rest):
        yield json.dumps(first).encode() + b"\n"
        try:
            async for event in rest:
                yield json.dumps(event).encode() + b"\n"
        except GomokuError as error:
            yield json.dumps({"error": str(error), "status": _status(error)}).encode() + b"\n"


async def _on_http_error(_request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    return failure(status, str(getattr(error, "detail", error)), getattr(error, "headers", None))


async def _on_gomoku_error(_request: Request, error: Exception) -> Response:
    status = _status(error)
    return failure(status, str(error), RETRY_AFTER if status == 503 else None)


def _status(error: Exception) -> int:
    """503 says that the same request may do better later."""
    return 503 if isinstance(error, PoolBusyError | SearchDiedError) else 422


async def _on_disconnect(_request: Request, _error: Exception) -> Response:
    return failure(400, "the client went away")


def create_app(bounds: ServerBounds | None = None) -> Starlette:
    """The application; without bounds, those the starting process left in the environment."""
    chosen = bounds or ServerBounds.from_environment()
    api = Api(chosen)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        with tempfile.TemporaryDirectory(prefix="gomoku-serve-") as own_folder:
            api.signs = Path(chosen.stop_folder or own_folder)
            await api.pool.start()
            try:
                yield
            finally:
                await api.pool.close()

    app = Starlette(
        routes=api.routes(),
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _on_http_error,
            GomokuError: _on_gomoku_error,
            ClientDisconnect: _on_disconnect,
        },
    )
    app.add_middleware(LocalHostOnly, host=chosen.host)
    app.add_middleware(SecurityHeaders)
    return app

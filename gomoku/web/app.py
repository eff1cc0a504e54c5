"""The Starlette application: routes, bounds, errors; stateless, so that any worker can answer any request."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import re
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

try:
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import (
        FileResponse,
        HTMLResponse,
        JSONResponse,
        RedirectResponse,
        Response,
        StreamingResponse,
    )
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles
except ImportError as error:
    raise ImportError("gomoku.web.app needs starlette: pip install 'gomoku-patterns[web]'") from error

from gomoku.web.api_page import api_page
from gomoku.web.bounds import ServerBounds
from gomoku.web.connections import Attendance
from gomoku.web.ending import end_within
from gomoku.web.endpoints import HEALTH, LISTS, QUICK, STOP, Endpoint, check_search, searches
from gomoku.web.guard import RETRY_AFTER, Crowd, OwnPageOnly, SecurityHeaders, failure, refusal
from gomoku.web.missing_page import missing_page
from gomoku.web.openapi import document
from gomoku.web.pool import RESULT, Job, Pool
from gomoku.web.schema import RequestError, check, error_json, parse_request
from gomoku_patterns.errors import GomokuError

Json = dict[str, Any]
Value = TypeVar("Value")
STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/play", "/play/{opponent}", "/puzzles", "/puzzles/{number}", "/puzzles/{suite}/{number}", "/analysis")
"""Where the page lives: every mode, opponent and level has an address. What is on the board follows the ``#``."""
HOST = re.compile(r"(?:[0-9A-Za-z.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?\Z")
TOKEN = re.compile(r"[0-9A-Za-z-]{16,64}\Z")
STOP_POLL_SECONDS = 0.05
LATE_SECONDS = 3.0
"""How much later than its limit a search may answer before its process is killed."""
ENDING_SECONDS = 1.2
"""How long a server process may take to end."""


def checked_token(token: str | None) -> str | None:
    """The token, which becomes a part of a file's name."""
    if token is not None and not TOKEN.match(token):
        raise RequestError(f"'token' has to be 16 to 64 letters, digits and dashes, not {token!r}")
    return token


async def while_connected(request: Request, work: Coroutine[Any, Any, Value]) -> Value:
    """The outcome of some work, which is given up when the client goes away."""
    task, gone = asyncio.create_task(work), asyncio.create_task(_disconnection(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        gone.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


async def _disconnection(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


Handler = Callable[[Request], Awaitable[Response]]


class Api:
    """The handlers of one application and what they share."""

    def __init__(self, bounds: ServerBounds) -> None:
        self.bounds = bounds
        self.signs = Path(bounds.stop_folder)
        self.pool = Pool(bounds.searches, bounds.queue)
        self.checks = Pool(bounds.checks, bounds.check_queue)
        self.searches = searches(bounds)
        self.held = 0
        """Bytes of bodies that are being received or worked on."""

    # ------------------------------------------------------------------ bodies

    @contextlib.asynccontextmanager
    async def body(self, request: Request, most: int) -> AsyncIterator[bytes]:
        """The request's body, bounded in size, alone and together with all others, and in the time it may take."""
        declared = request.headers.get("content-length", "0")
        if not declared.isdecimal() or len(declared) > 15 or int(declared) > most:
            raise HTTPException(413, f"the body may have {most} bytes, not {declared[:20]}")
        body = bytearray()
        try:
            await self._receive(request, body, most)
            yield bytes(body)
        finally:
            self.held -= len(body)

    async def _receive(self, request: Request, body: bytearray, most: int) -> None:
        try:
            async with asyncio.timeout(self.bounds.body_seconds):
                async for chunk in request.stream():
                    body += chunk
                    self.held += len(chunk)
                    self._check_sizes(len(body), most)
        except TimeoutError:
            raise HTTPException(408, f"the body did not arrive within {self.bounds.body_seconds:g} s") from None

    def _check_sizes(self, size: int, most: int) -> None:
        if size > most:
            raise HTTPException(413, f"the body may have {most} bytes, not more")
        if self.held > self.bounds.max_bodies:
            raise HTTPException(503, "too many large requests at the same time; try again", RETRY_AFTER)

    async def request(self, request: Request) -> Json:
        """The JSON object of a small request."""
        async with self.body(request, self.bounds.max_body) as body:
            return parse_request(body)

    # ------------------------------------------------------------------ handlers

    def list_handler(self, endpoint: Endpoint) -> Handler:
        """Lists do not change while the server runs: each is made once, and packed for those who can unpack it."""
        kept: dict[str, tuple[bytes, bytes]] = {}

        async def handle(request: Request) -> Response:
            asked = check(endpoint.fields, dict(request.query_params))
            key = json.dumps(asked)
            if key not in kept:
                body = json.dumps(await run_in_threadpool(_answer, endpoint, asked)).encode()
                kept[key] = body, await run_in_threadpool(gzip.compress, body, mtime=0)
            plain, packed = kept[key]
            headers = {"Vary": "Accept-Encoding"}
            if "gzip" not in request.headers.get("accept-encoding", ""):
                return Response(plain, media_type="application/json", headers=headers)
            headers["Content-Encoding"] = "gzip"
            return Response(packed, media_type="application/json", headers=headers)

        return handle

    def quick_handler(self, endpoint: Endpoint) -> Handler:
        async def handle(request: Request) -> Response:
            return JSONResponse(await run_in_threadpool(_answer, endpoint, await self.request(request)))

        return handle

    def check_handler(self, endpoint: Endpoint) -> Handler:
        """What takes longer than a moment: its body goes to a process as it came."""
        seconds = self.bounds.check_seconds
        overdue = (
            f"this takes longer than the {seconds:g} s that a request may take; the command line has no such haste"
        )

        async def handle(request: Request) -> Response:
            async with self.body(request, self.bounds.max_proof) as body:
                job = Job({"endpoint": endpoint.name}, seconds, _client(request), body, overdue)
                line = await while_connected(request, _last(self.checks.run(job)))
            if line.startswith(RESULT):
                return Response(line.removeprefix(RESULT)[:-2], media_type="application/json")
            return refusal(json.loads(line))

        return handle

    def search_handler(self, endpoint: Endpoint) -> Handler:
        async def handle(request: Request) -> Response:
            body = check(endpoint.fields, await self.request(request))
            token, stream = checked_token(body.pop("token")), body.pop("stream")
            await run_in_threadpool(check_search, endpoint.name, body)
            job = Job({"kind": endpoint.name, **body}, body["seconds"] + LATE_SECONDS, _client(request))
            lines = self.search(job, token)
            if stream:
                first = await while_connected(request, anext(lines))
                return StreamingResponse(_told(first, lines), media_type="application/x-ndjson")
            told = json.loads(await while_connected(request, _last(lines)))
            return JSONResponse(told["result"]) if "result" in told else refusal(told)

        return handle

    async def search(self, job: Job, token: str | None) -> AsyncGenerator[bytes, None]:
        """The lines of a search; progress begins with an empty one, sent once a process has taken the job."""
        stop = asyncio.Event()
        if token is not None:
            self.sign(token).touch()
        watcher = asyncio.create_task(self.watch_for_stop(token, stop))
        try:
            async with contextlib.aclosing(self.pool.run(job, stop)) as lines:
                async for line in lines:
                    yield line
        finally:
            watcher.cancel()
            self.sign(token).unlink(missing_ok=True)

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
        sign = self.sign(checked_token(check(STOP.fields, await self.request(request))["token"]))
        try:
            sign.unlink()
        except FileNotFoundError:
            return JSONResponse({"stopping": False})
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

    def end(self) -> None:
        """Give up what is being searched and checked; those who wait for it are told."""
        self.pool.end()
        self.checks.end()

    # ------------------------------------------------------------------ documents and routes

    def document(self) -> Json:
        return document([HEALTH, *LISTS.values()], [*QUICK.values(), STOP], [*self.searches.values()])

    async def openapi(self, _request: Request) -> Response:
        return JSONResponse(self.document())

    async def page(self, request: Request) -> Response:
        return HTMLResponse(api_page(self.document(), self.address(request)))

    def address(self, request: Request) -> str:
        """Where the client has found this server, or where it listens if what the client says is no plain address."""
        host = request.headers.get("host", "")
        return f"http://{host}" if HOST.match(host) else f"http://localhost:{self.bounds.port}"

    def routes(self) -> list[Route | Mount]:
        posted = {
            **{
                name: self.check_handler(each) if each.heavy else self.quick_handler(each)
                for name, each in QUICK.items()
            },
            **{name: self.search_handler(endpoint) for name, endpoint in self.searches.items()},
            "stop": self.stop,
        }
        return [
            *(Route(path, _index) for path in PAGES),
            Route("/api/", self.page),
            Route("/service-worker.js", _service_worker),
            Route("/api/openapi.json", self.openapi),
            Route("/api/health", self.health),
            *(Route(f"/api/{name}", self.list_handler(endpoint)) for name, endpoint in LISTS.items()),
            *(Route(f"/api/{name}", handler, methods=["POST"]) for name, handler in posted.items()),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]


def _client(request: Request) -> str:
    """Who asks: an address. More is not known of anybody, and what a request says of itself is easily made up."""
    return request.client.host if request.client else ""


def _answer(endpoint: Endpoint, body: Json) -> Mapping[str, Any]:
    assert endpoint.answer is not None
    return endpoint.answer(check(endpoint.fields, body))


async def _last(lines: AsyncGenerator[bytes, None]) -> bytes:
    async with contextlib.aclosing(lines):
        return [line async for line in lines][-1]


async def _told(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """A line of JSON an event; an error after the first line can only be told as one more line."""
    async with contextlib.aclosing(rest):
        yield first
        try:
            async for line in rest:
                yield line
        except GomokuError as error:
            yield json.dumps(error_json(error)).encode() + b"\n"


async def _index(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html", media_type="text/html; charset=utf-8")


async def _service_worker(_request: Request) -> Response:
    """From the top: a service worker governs nothing above its own folder."""
    return FileResponse(STATIC / "service-worker.js", media_type="text/javascript; charset=utf-8")


async def _on_http_error(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    if status == 404 and request.method in ("GET", "HEAD"):
        path = request.url.path
        place = "/" + path.strip("/")
        if place not in (path, "/") and not path.startswith("/api/"):
            return RedirectResponse(place)  # without the host, which the request may have made up
        if place == "/api":
            return RedirectResponse("/api/")
        if not place.startswith(("/api/", "/static/")):
            return HTMLResponse(missing_page(place), status)
    return failure(status, str(getattr(error, "detail", error)), getattr(error, "headers", None))


async def _on_gomoku_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, GomokuError)
    return refusal(error_json(error))


async def _on_disconnect(_request: Request, _error: Exception) -> Response:
    return failure(400, "the client went away")


def create_app(bounds: ServerBounds | None = None) -> Starlette:
    """The application; without bounds, those the starting process left in the environment."""
    chosen = bounds or ServerBounds.from_environment()
    api = Api(chosen)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        if chosen.stop_folder:  # started by gomoku serve, not by a server of somebody else's
            loop = asyncio.get_running_loop()
            end_within(ENDING_SECONDS, lambda: loop.call_soon_threadsafe(api.end))
        with tempfile.TemporaryDirectory(prefix="gomoku-serve-") as own_folder:
            api.signs = Path(chosen.stop_folder or own_folder)
            await asyncio.gather(api.pool.start(), api.checks.start())
            try:
                yield
            finally:
                await asyncio.gather(api.pool.close(), api.checks.close())

    app = Starlette(
        routes=api.routes(),
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _on_http_error,
            GomokuError: _on_gomoku_error,
            ClientDisconnect: _on_disconnect,
        },
    )
    app.router.redirect_slashes = False
    app.add_middleware(Crowd, most=chosen.requests)
    app.add_middleware(OwnPageOnly, host=chosen.host)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Attendance)
    return app

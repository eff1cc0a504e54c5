"""``gomoku serve``: the web board."""

from __future__ import annotations

import os
import socket
import tempfile
from typing import Any

import click

from gomoku.web.bounds import ServerBounds
from gomoku_patterns.errors import ArenaError

DEFAULTS = ServerBounds()
BACKLOG = 512
"""Connections that may wait to be accepted."""
FILES = 8192
ENDING_SECONDS = 1.5
"""How long the server with all its processes may take to end."""
HEAD_BYTES = 16 * 1024
"""The longest request line with its headers."""
TRUSTING_NOBODY: dict[str, Any] = {
    "proxy_headers": False,
    "ws": "none",
    "loop": "asyncio",
    "interface": "asgi3",
    "lifespan": "on",
    "server_header": False,
    "h11_max_incomplete_event_size": HEAD_BYTES,
}
"""The settings of uvicorn whose defaults depend on the request, the environment or the installed packages.

By default uvicorn believes ``X-Forwarded-For`` from loopback, so that a client could choose its own address; it speaks
WebSocket, around every check of this server, once a library for it is installed; and it takes another event loop, with
another handling of signals, once ``uvloop`` is installed.
"""


@click.command("serve")
@click.option(
    "--host",
    default=DEFAULTS.host,
    show_default=True,
    help="Address to listen on; the default can be reached from this machine only.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULTS.port, show_default=True, help="Port.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Server processes.")
@click.option(
    "--searches",
    type=click.IntRange(1, 256),
    default=DEFAULTS.searches,
    show_default=True,
    help="Searches that a server process runs at the same time.",
)
@click.option(
    "--queue", type=click.IntRange(0, 10_000), default=DEFAULTS.queue, show_default=True, help="Searches that may wait."
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(0.01, 3600),
    default=DEFAULTS.max_seconds,
    show_default=True,
    help="Longest search.",
)
@click.option("--access-log", is_flag=True, help="Log every request.")
def command(
    *, host: str, port: int, workers: int, searches: int, queue: int, max_seconds: float, access_log: bool
) -> int:
    """Serve the web board and its JSON API.

    \b
    gomoku serve --port 8080 --workers 2
    """
    try:
        import starlette as _  # noqa: F401  (the application needs it: better to hear of it now)
        import uvicorn
    except ImportError:
        raise ArenaError("the web board needs starlette and uvicorn: pip install 'gomoku-patterns[web]'") from None
    from gomoku.web.connections import GuardedProtocol
    from gomoku.web.ending import end_within
    from gomoku.web.pool import niceness

    niceness()  # better to hear of a wrong one now than from each process
    _allow_connections()
    listening = _listen(host, port)
    port = int(listening.getsockname()[1])
    with listening, tempfile.TemporaryDirectory(prefix="gomoku-serve-") as stop_folder:
        bounds = ServerBounds(host, port, workers, searches, queue, max_seconds, stop_folder=stop_folder)
        bounds.to_environment()
        if workers > 1:
            end_within(ENDING_SECONDS)
        click.echo(f"gomoku: the board is at http://{_in_url(host)}:{port}/  (Ctrl-C ends it)", err=True)
        uvicorn.run(
            "gomoku.web.app:create_app",
            factory=True,
            **_where(listening, host, port),
            workers=workers,
            log_level="info" if access_log else "warning",
            access_log=access_log,
            http=GuardedProtocol,
            timeout_graceful_shutdown=1,
            **TRUSTING_NOBODY,
        )
    return 0


def _allow_connections() -> None:
    """As many open files as the system lets us have, up to what a crowd of connections needs."""
    try:
        import resource
    except ImportError:  # no such limit on this system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _listen(host: str, port: int) -> socket.socket:
    """The socket, bound before anybody is told the address; 0 becomes a free port.

    Answers are sent at once: held back for more to come, as by default, each would wait for the acknowledgement of the
    one before, which takes forty milliseconds. Connections inherit this from the socket they came in by.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        why = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0].lower()
        raise ArenaError(f"cannot listen on {_in_url(host)}:{port}: {why}") from None
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _where(listening: socket.socket, host: str, port: int) -> dict[str, Any]:
    """What tells uvicorn to use this socket; where sockets have no file descriptors it has to open its own."""
    if os.name == "posix":
        return {"fd": listening.fileno()}
    listening.close()
    return {"host": host, "port": port}


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host

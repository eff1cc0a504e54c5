"""``gomoku serve``: the web board."""

from __future__ import annotations

import socket
import tempfile

import click

from arena.web.settings import Settings
from gomoku_patterns.errors import ArenaError

DEFAULTS = Settings()
MOST_CONNECTIONS = 500
"""Of one worker, whoever holds them open; the next one gets 503."""


@click.command("serve")
@click.option("--host", default=DEFAULTS.host, show_default=True, help="Address to listen on; loopback unless told.")
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULTS.port, show_default=True, help="Port.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Server processes.")
@click.option(
    "--searches",
    type=click.IntRange(1, 256),
    default=DEFAULTS.searches,
    show_default=True,
    help="Searches a worker runs.",
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
        raise ArenaError("expected starlette and uvicorn to be installed: pip install 'gomoku-patterns[web]'") from None
    port = _port_to_have(host, port)
    with tempfile.TemporaryDirectory(prefix="gomoku-serve-") as stop_folder:
        settings = Settings(host, port, workers, searches, queue, max_seconds, stop_folder=stop_folder)
        settings.to_environment()
        click.echo(f"gomoku: the board is at http://{_in_url(host)}:{port}/  (Ctrl-C ends it)", err=True)
        uvicorn.run(
            "arena.web.app:create_app",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            log_level="info" if access_log else "warning",
            access_log=access_log,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=5,
        )
    return 0


def _port_to_have(host: str, port: int) -> int:
    """The port, known to be free, before anybody is told the address; 0 becomes one that is."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family) as probe:
            return int(probe.getsockname()[1])
    except (OSError, UnicodeError) as error:
        why = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0].lower()
        raise ArenaError(f"expected an address to listen on, found {_in_url(host)}:{port}: {why}") from None


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host

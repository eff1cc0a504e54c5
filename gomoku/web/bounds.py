"""What the server allows: every bound in one place, passed to worker processes through the environment."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

VARIABLE = "GOMOKU_SERVE"


@dataclass(frozen=True)
class ServerBounds:
    """The bounds of one server; beyond them a request gets 4xx or 503 with a reason, at once."""

    host: str = "127.0.0.1"
    port: int = 8015
    workers: int = 1
    searches: int = 2
    """Search processes a worker keeps."""
    queue: int = 8
    """Searches that may wait for a process; the next one gets 503."""
    max_seconds: float = 10.0
    max_depth: int = 30
    max_nodes: int = 100_000_000
    checks: int = 2
    """Processes a worker keeps for what takes longer than a moment: verifying, following, explaining, converting."""
    check_queue: int = 32
    check_seconds: float = 5.0
    """How long one of those may take."""
    max_body: int = 64 * 1024
    max_proof: int = 4 * 1024 * 1024
    max_bodies: int = 64 * 1024 * 1024
    """All bodies together that are being received or worked on."""
    body_seconds: float = 5.0
    """How long a client may take to send its request."""
    requests: int = 300
    """Requests that may be answered at the same time."""
    stop_folder: str = ""
    """Where a stop asked of one worker is seen by the others; made by the starting process. Else each has its own."""

    def to_environment(self) -> None:
        """Leave the bounds for worker processes to find."""
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> ServerBounds:
        """The bounds the starting process left, or the defaults."""
        return cls(**json.loads(os.environ.get(VARIABLE, "{}")))

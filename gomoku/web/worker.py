"""A search process: jobs come in on standard input and events go out on standard output, a JSON object a line.

In: ``{"job": {...}}`` and, while it runs, ``{"stop": true}``. Out: ``{"progress": {...}}`` a few times a second, then
``{"result": {...}}`` or ``{"error": "..."}``. It ends with its standard input.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any

from gomoku_patterns.errors import GomokuError
from search import Cancel

Json = dict[str, Any]


def read(jobs: queue.SimpleQueue[Json | None], cancel: Cancel) -> None:
    """Queue the jobs, pass on the stops, and end the process when nobody listens any more."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("stop"):
            cancel.set()
        else:
            cancel.clear()
            jobs.put(message["job"])
    os._exit(0)


def write(event: Json) -> None:
    sys.stdout.buffer.write(json.dumps(event).encode() + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """Answer jobs, one at a time, for ever."""
    from gomoku.web import jobs as work

    jobs: queue.SimpleQueue[Json | None] = queue.SimpleQueue()
    cancel = Cancel()
    threading.Thread(target=read, args=(jobs, cancel), daemon=True).start()
    while (job := jobs.get()) is not None:
        try:
            write({"result": work.run(job, cancel, lambda progress: write({"progress": dict(progress)}))})
        except GomokuError as error:
            write({"error": str(error)})


if __name__ == "__main__":
    main()

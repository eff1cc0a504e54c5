"""A process of the pool: jobs come in on standard input and events go out on standard output, a JSON object a line.

In: ``{"job": {...}, "bytes": 0}``, after which so many bytes of a request's body follow, and while it runs
``{"stop": true}``. Out: ``ready`` once, then for each job ``{"progress": {...}}`` a few times a second and
``{"result": {...}}`` or ``{"error": "...", "code": "...", "status": 422}``. It ends with its standard input, and leaves
the processor to the server whenever that needs it.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Mapping
from typing import Any

from gomoku_patterns.errors import GomokuError
from search import Cancel

Json = dict[str, Any]


def read(jobs: queue.SimpleQueue[tuple[Json, bytes]], cancel: Cancel) -> None:
    """Queue the jobs, pass on the stops, and end the process when nobody listens any more."""
    stream = sys.stdin.buffer
    for line in stream:
        message = json.loads(line)
        if message.get("stop"):
            cancel.set()
        else:
            cancel.clear()
            jobs.put((message["job"], stream.read(message["bytes"])))
    os._exit(0)


def write(event: Json) -> None:
    sys.stdout.buffer.write(json.dumps(event).encode() + b"\n")
    sys.stdout.buffer.flush()


def tell(progress: Mapping[str, object]) -> None:
    write({"progress": dict(progress)})


def main() -> None:
    """Answer jobs, one at a time, for ever."""
    from gomoku.web import jobs as work
    from gomoku.web.schema import error_json

    jobs: queue.SimpleQueue[tuple[Json, bytes]] = queue.SimpleQueue()
    cancel = Cancel()
    threading.Thread(target=read, args=(jobs, cancel), daemon=True).start()
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    while True:
        job, body = jobs.get()
        try:
            answer = work.run(job, body, cancel, tell)
        except GomokuError as error:
            write(error_json(error))
        except RecursionError:
            write(error_json(GomokuError("the request is nested too deep", code="bad-json")))
        else:
            write({"result": answer})

"""Ctrl-C and SIGTERM end the server in time, whatever its threads and processes are at."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def end_within(seconds: float, begin: Callable[[], object] = lambda: None) -> None:
    """From now on the process is gone so many seconds after it was told to end; what it can do until then, it does.

    The interpreter's signal handler writes to a socket even while the main thread is busy; a thread waits for that and
    calls ``begin``. Processes that were started for serving are told at once, and killed with this one. To be called in
    the main thread; elsewhere it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    watched, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(watched, told, seconds, begin), daemon=True).start()


def _wait(watched: socket.socket, _told: socket.socket, seconds: float, begin: Callable[[], object]) -> None:
    while True:
        number = watched.recv(1)[0]
        if number in ENDING_SIGNALS:
            break
    for process in multiprocessing.active_children():
        process.terminate()
    with contextlib.suppress(RuntimeError):  # the loop has come to its end before
        begin()
    time.sleep(seconds)
    for process in multiprocessing.active_children():
        process.kill()
    os._exit(128 + number)

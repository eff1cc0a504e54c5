"""A time limit for each call of an evaluator, so that one that hangs fails a law and does not hang the kit.

On the main thread a signal ends the call, a sleeping one too; on other threads an exception does that is raised between
two steps of Python. Native code that never returns to Python cannot be ended by either.
"""

from __future__ import annotations

import ctypes
import resource
import signal
import threading
from time import perf_counter, process_time
from types import FrameType
from typing import Any

PATIENCE = 12
"""A call that gets little processor time, on a busy machine, is given up to this many times its limit."""

_Handler = Any


class CallTimedOut(BaseException):
    """A call took longer than its limit."""


class CallTimeLimit:
    """A limit of ``seconds`` for each call made inside ``with limit:``; :meth:`restart` begins the next call."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._guard: _SignalGuard | _ThreadGuard | None = None
        self._began = perf_counter()
        self._seen, self._spent, self._preempted = 0.0, 0.0, 0

    def restart(self) -> None:
        """Begin to measure again: a call has come to its end."""
        self._began = perf_counter()

    def remaining(self) -> float:
        """How long to wait before looking again, a quarter of the limit at most; 0 if the call has taken too long."""
        limit = self.seconds or 0.0
        if self._seen != self._began:  # the first look at this call; processor time costs too much to ask at each
            self._seen, self._spent, self._preempted = self._began, process_time(), _preemptions()
        elapsed = perf_counter() - self._began
        if elapsed < limit:
            return min(limit / 4, limit - elapsed)
        spent = process_time() - self._spent
        sleeps = spent < limit / 100 and _preemptions() - self._preempted < 3
        starved = not sleeps and spent < limit / 2
        return limit / 4 if starved and elapsed < PATIENCE * limit else 0.0

    def __enter__(self) -> CallTimeLimit:
        if self.seconds is not None:
            self.restart()
            main = threading.current_thread() is threading.main_thread()
            self._guard = _SignalGuard(self) if main and hasattr(signal, "setitimer") else _ThreadGuard(self)
            self._guard.start()
        return self

    def __exit__(self, *_: object) -> None:
        guard, self._guard = self._guard, None
        if guard is not None:
            guard.stop()


def _preemptions() -> int:
    """How often others took the processor from this process: a call that sleeps does not want it."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


class _SignalGuard:
    """An alarm for the main thread; an alarm that somebody else has set rings afterwards."""

    def __init__(self, limit: CallTimeLimit) -> None:
        self._limit = limit

    def start(self) -> None:
        self._began = perf_counter()
        self._handler: _Handler = signal.signal(signal.SIGALRM, self._ring)
        self._others = signal.setitimer(signal.ITIMER_REAL, self._limit.remaining())

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        remaining = self._limit.remaining()
        if not remaining:
            raise CallTimedOut
        signal.setitimer(signal.ITIMER_REAL, remaining)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._handler)
        delay, interval = self._others
        if delay:
            signal.setitimer(signal.ITIMER_REAL, max(1e-3, delay - (perf_counter() - self._began)), interval)


class _ThreadGuard:
    """A thread that watches another one."""

    def __init__(self, limit: CallTimeLimit) -> None:
        self._limit, self._watched, self._done = limit, threading.get_ident(), threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _watch(self) -> None:
        while remaining := self._limit.remaining():
            if self._done.wait(remaining):
                return
        with self._lock:
            if not self._done.is_set():
                self._raise(ctypes.py_object(CallTimedOut))

    def stop(self) -> None:
        with self._lock:
            self._done.set()
            self._raise(None)  # one that has not arrived yet must not arrive later
        self._thread.join()

    def _raise(self, error: Any) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), error)

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""Clock, limits and cancellation that every native search shares.

A native search makes a ``Control`` of its limit, counts its nodes in it, and calls ``poll()`` every thousand nodes or
so (about 30 ns). ``poll`` answers why to stop, or 0. A few times a second it takes the GIL, so that Ctrl-C is noticed
and a progress callback is told; an exception raised there stops the search and is raised again by ``finish()``.
The node limit is not checked here: a search that promises it exactly compares ``nodes`` itself.
"""

from cpython.exc cimport PyErr_CheckSignals

from gomoku_patterns._basics cimport now

# For Python; see the header.
globals().update(WIN=WIN, SURE=SURE)

cdef double REPORT_EVERY = 0.2

STOP_NAMES = {
    RUNNING: None, STOP_SECONDS: "seconds", STOP_NODES: "nodes", STOP_CANCELLED: "cancelled", STOP_MEMORY: "memory",
    STOP_STUCK: "stuck",
}


cdef class Cancel:
    """Asks running searches to stop, from any thread: pass it to a search, call ``cancel.set()``."""

    def set(self):
        self.flag = 1

    def clear(self):
        self.flag = 0

    def is_set(self):
        return self.flag != 0


cdef class Control:
    """The limits of one search while it runs."""

    def __init__(self, limit, cancel=None, progress=None):
        self.cancel = cancel if cancel is not None else Cancel()
        self.progress = progress
        self.node_limit = limit.nodes if limit.nodes is not None else 0x7FFFFFFFFFFFFFFF
        self.start()
        self.deadline = self.started + limit.seconds if limit.seconds is not None else 1e300

    cdef void start(self) noexcept nogil:
        self.started = now()
        self.next_report = self.started + REPORT_EVERY
        self.stop = RUNNING

    cdef int poll(self) noexcept nogil:
        cdef double moment
        if self.stop:
            return self.stop
        if self.cancel.flag:
            self.stop = STOP_CANCELLED
            return self.stop
        moment = now()
        if moment >= self.deadline:
            self.stop = STOP_SECONDS
        elif moment >= self.next_report:
            self.next_report = moment + REPORT_EVERY
            with gil:
                self._report()
        return self.stop

    cdef void _report(self) noexcept:
        try:
            PyErr_CheckSignals()
            if self.progress is not None:
                self.progress(self._told())
        except BaseException as error:
            self.raised = error
            self.stop = STOP_RAISED

    def _told(self):
        from search.result import Win

        win = Win.of(self.score) if self.tells_wins else None
        return {"nodes": self.nodes, "depth": self.depth, "score": self.score, "win": win, "elapsed": self.elapsed}

    @property
    def elapsed(self):
        return now() - self.started

    @property
    def stopped_by(self):
        """The name of what stopped the search, or None."""
        return STOP_NAMES.get(self.stop)

    def finish(self):
        """Raise what a progress callback or Ctrl-C raised while the search ran."""
        if self.raised is not None:
            error, self.raised = self.raised, None
            raise error

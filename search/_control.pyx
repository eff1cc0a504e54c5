# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""The control of one search: its limit, its cancellation and its progress, for the native searches and those in Python.

A native search counts its nodes in it and calls ``poll()`` every thousand nodes or so (about 30 ns). ``poll`` answers
why to stop, or 0. A few times a second it takes the GIL, so that Ctrl-C is noticed and a progress callback is told; an
exception raised there stops the search and is raised again by ``finish()``. The node limit is not checked in ``poll``:
a native search that promises it exactly compares ``nodes`` itself. A search in Python calls ``visit()`` for every node
and ``check()`` in between, which raise ``Stopped``.
"""

from cpython.exc cimport PyErr_CheckSignals

from gomoku_patterns._basics cimport now

# For Python; see the header.
globals().update(WIN=WIN, SURE=SURE, MOST=0x7FFFFFFFFFFFFFFF)

cdef double REPORT_EVERY = 0.2
# Less than that is no time at all for a step of a search.
cdef double LEAST_SECONDS = 0.0005
cdef long long MOST_NODES = 0x7FFFFFFFFFFFFFFF

STOP_NAMES = {
    RUNNING: None, STOP_SECONDS: "seconds", STOP_NODES: "nodes", STOP_CANCELLED: "cancelled", STOP_MEMORY: "memory",
}


cdef class Cancel:
    """Asks running searches to stop, from any thread: pass it to a search, call ``cancel.set()``."""

    def set(self):
        self.flag = 1

    def clear(self):
        self.flag = 0

    def is_set(self):
        return self.flag != 0


class Stopped(Exception):
    """Unwinds a search in Python whose limit is reached."""


cdef class Control:
    """The limits of one search while it runs."""

    def __init__(self, limit, cancel=None, progress=None):
        self.limit = limit
        self.cancel = cancel if cancel is not None else Cancel()
        self.progress = progress
        self.node_limit = limit.nodes if limit.nodes is not None else MOST_NODES
        self.start()
        self.deadline = self.started + limit.seconds if limit.seconds is not None else 1e300

    def part(self, limit, progress=None):
        """The control of one step of this search, with a limit and a callback of its own."""
        return Control(limit, self.cancel, progress)

    def left(self, double share=1.0):
        """A share of what is left of the limit; None when nothing is."""
        limit = self.limit
        seconds = None if limit.seconds is None else (limit.seconds - self.elapsed) * share
        nodes = None if limit.nodes is None else limit.nodes - self.nodes
        if nodes is not None and share < 1:
            nodes = int(nodes * share)
        if (seconds is not None and seconds < LEAST_SECONDS) or (nodes is not None and nodes < 1) or self.cancel.flag:
            return None
        return type(limit)(depth=limit.depth, nodes=nodes, seconds=seconds)

    def visit(self):
        """Count one node, unless the search has to stop before it."""
        if self.nodes >= self.node_limit:
            self.stop = STOP_NODES
            raise Stopped
        self.check()
        self.nodes += 1

    def check(self):
        """Stop here if time is up or somebody asked for it."""
        if self.poll():
            self.finish()
            raise Stopped

    def note(self, score):
        """Keep the score so far for the progress callback; one that a search cannot hold is cut."""
        self.score = max(-MOST_NODES, min(MOST_NODES, score))

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

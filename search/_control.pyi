from collections.abc import Callable, Mapping

from search.result import Limit

WIN: int
"""How a decided score is coded: a win in n plies is WIN - n."""
SURE: int
"""Scores beyond are wins."""
MOST: int
"""What the kernels can count to."""

class Cancel:
    """Asks running searches to stop, from any thread: pass it to a search, call ``cancel.set()``."""

    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...

class Stopped(Exception):  # noqa: N818 - not an error
    """Unwinds a search in Python whose limit is reached."""

class Control:
    """The limits of one search while it runs.

    >>> from search import Limit
    >>> control = Control(Limit(nodes=2))
    >>> control.visit(), control.visit()
    (None, None)
    >>> control.visit()
    Traceback (most recent call last):
    ...
    search._control.Stopped
    >>> control.nodes, control.stopped_by
    (2, 'nodes')
    """

    limit: Limit
    cancel: Cancel
    progress: Callable[[Mapping[str, object]], object] | None
    nodes: int
    depth: int
    tells_wins: bool
    def __init__(
        self,
        limit: Limit,
        cancel: Cancel | None = None,
        progress: Callable[[Mapping[str, object]], object] | None = None,
    ) -> None: ...
    def part(self, limit: Limit, progress: Callable[[Mapping[str, object]], object] | None = None) -> Control: ...
    def left(self, share: float = 1.0) -> Limit | None: ...
    def visit(self) -> None: ...
    def check(self) -> None: ...
    def note(self, score: int) -> None: ...
    @property
    def elapsed(self) -> float: ...
    @property
    def stopped_by(self) -> str | None: ...
    def finish(self) -> None: ...

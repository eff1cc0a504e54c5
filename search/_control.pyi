from collections.abc import Callable, Mapping

from search.result import Limit

WIN: int
"""How a decided score is coded: a win in n plies is WIN - n."""
SURE: int
"""Scores beyond are wins."""

class Cancel:
    """Asks running searches to stop, from any thread: pass it to a search, call ``cancel.set()``."""

    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...

class Control:
    tells_wins: bool
    def __init__(
        self,
        limit: Limit,
        cancel: Cancel | None = None,
        progress: Callable[[Mapping[str, object]], object] | None = None,
    ) -> None: ...
    @property
    def elapsed(self) -> float: ...
    @property
    def stopped_by(self) -> str | None: ...
    def finish(self) -> None: ...

"""What limits a search, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import LimitError
from search._control import MOST, SURE, WIN

Progress = Callable[[Mapping[str, object]], object]
"""Called a few times a second with ``{"nodes", "depth", "score", "win", "elapsed"}``; what it raises ends the search"""


@dataclass(frozen=True)
class Limit:
    """When a search stops: at least one of depth in plies, nodes, seconds.

    >>> Limit(depth=5)
    Limit(depth=5, nodes=None, seconds=None)
    >>> Limit()
    Traceback (most recent call last):
    ...
    gomoku_patterns.errors.LimitError: a limit needs at least one of depth, nodes and seconds
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.seconds is None:
            raise LimitError("a limit needs at least one of depth, nodes and seconds")
        for name in ("depth", "nodes"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise LimitError(f"{name} must be a whole number from 1, not {value!r:.60}")
            if value is not None and value > MOST:
                raise LimitError(f"{name} must be at most {MOST}, not {value!r:.30}")
        seconds = self.seconds
        if seconds is not None and not (_is_number(seconds) and seconds > 0 and _is_finite(seconds)):
            raise LimitError(f"seconds must be a finite number above 0, not {seconds!r}")


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number that no float can hold
        return False


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@dataclass(frozen=True)
class Win:
    """A decided game: who makes five, and after how many more plies.

    >>> print(Win(BLACK, 7))
    black wins in 7
    """

    colour: Colour
    plies: int

    def __str__(self) -> str:
        return f"{self.colour} wins in {self.plies}"

    @property
    def score(self) -> int:
        """The win as a score, black minus white: beyond every other one, and the sooner the further."""
        return self.colour.sign * (WIN - self.plies)

    @classmethod
    def of(cls, score: int) -> Win | None:
        """The win that a score stands for where decided scores are coded so: in the engine and the solver's players."""
        if abs(score) <= SURE:
            return None
        return cls(BLACK if score > 0 else WHITE, WIN - abs(score))


class _NoScore(int):
    """The 0 of a result whose player gave no score: equal to 0, but no statement that the position is even."""


NO_SCORE = _NoScore(0)
"""The score of a result that has none."""


@dataclass(frozen=True, repr=False)
class SearchResult:
    """What a search found.

    ``score`` is black minus white, in the unit of the evaluator. A player that does not judge positions leaves it out:
    it is 0 then, and ``has_score`` is false. ``win`` says who wins and when, where the search saw the game decided.
    ``move`` is None when no cell can be played. ``stopped_by`` says what ended the search: ``depth``, ``nodes``,
    ``seconds``, ``memory``, ``cancelled``, or ``complete`` when there was nothing more to look at (the only move, a
    proven win, ...).

    >>> SearchResult(Cell(7, 7), win=Win(BLACK, 7), depth=7)
    SearchResult(move=Cell(row=7, col=7), win=Win(colour=BLACK, plies=7), depth=7)
    """

    move: Cell | None
    score: int = NO_SCORE
    depth: int = 0
    nodes: int = 0
    elapsed: float = 0.0
    pv: tuple[Cell, ...] = ()
    stats: Mapping[str, object] = field(default_factory=dict)
    stopped_by: str = "complete"
    win: Win | None = None

    def __post_init__(self) -> None:
        if self.win and not self.score:
            object.__setattr__(self, "score", self.win.score)

    @property
    def has_score(self) -> bool:
        """Whether the player gave a score, or saw the game decided."""
        return not isinstance(self.score, _NoScore)

    def row(self) -> dict[str, object]:
        """The result as a row of a table; the move as its row and column from the top left."""
        return {
            "row": None if self.move is None else self.move.row,
            "col": None if self.move is None else self.move.col,
            "score": self.score,
            "winner": None if self.win is None else str(self.win.colour),
            "plies": None if self.win is None else self.win.plies,
            "depth": self.depth,
            "nodes": self.nodes,
            "elapsed": self.elapsed,
            "stopped_by": self.stopped_by,
        }

    def __repr__(self) -> str:
        return f"SearchResult({', '.join(self._parts())})"

    def _parts(self) -> Iterator[str]:
        """The arguments that differ from their defaults; a score that only codes the win is left out."""
        yield f"move={self.move!r}"
        if not self.win:
            yield f"score={self.score!r}"
        else:
            yield f"win={self.win!r}"
            if self.score != self.win.score:
                yield f"score={self.score!r}"
        for name in ("depth", "nodes", "elapsed", "pv", "stats"):
            if value := getattr(self, name):
                yield f"{name}={_readable(value) if name == 'stats' else value!r}"
        if self.stopped_by != "complete":
            yield f"stopped_by={self.stopped_by!r}"


def score_text(told: SearchResult | Mapping[str, object]) -> str:
    """The score of a result, or of a progress report, as people read it: ``black wins in 7``, or a number.

    >>> score_text(SearchResult(None, 3720)), score_text(SearchResult(None, win=Win(WHITE, 4)))
    ('3,720', 'white wins in 4')
    """
    if isinstance(told, SearchResult):
        return str(told.win) if told.win else f"{told.score:,}"
    return str(told.get("win") or f"{told['score']:,}")


def value_text(result: SearchResult, cell: Cell) -> str:
    """The same for one of the moves in ``stats["values"]``; ``stats["ends_in"]`` says which of them decide the game."""
    value = _readable(result.stats).get("values", {}).get(cell, 0)
    return str(value) if isinstance(value, Win) else f"{value:,}"


def _readable(stats: Mapping[str, Any]) -> dict[str, Any]:
    """The statistics with a win for each value that only codes one."""
    values, ends_in = stats.get("values"), stats.get("ends_in")
    if not (isinstance(values, Mapping) and isinstance(ends_in, Mapping)):
        return dict(stats)
    wins = {cell: Win(BLACK if values[cell] > 0 else WHITE, plies) for cell, plies in ends_in.items() if cell in values}
    return {**stats, "values": {**values, **wins}}

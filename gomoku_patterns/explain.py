"""Why a position scores what it scores: every match with its line, cells, shape, colour and worth.

The worths of an explanation add up exactly to the score of the board or, for a cell, to the gain of a move there.

>>> from gomoku_patterns import Board
>>> board = Board(rows=7, black=["c4", "d4", "e4"], white=["a1"], turn="black")
>>> explanation = explain(board, "outcome")
>>> explanation.total, explanation.items
(0, ())
>>> print(explain(board, "money", "f4"))
money: black on f4 gains +10000
   +10000  live four 活四 (black)  row 4  b4 c4 d4 e4 f4 g4
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cell_reference import Combined, all_combined, facts_of, facts_worth, meeting
from gomoku_patterns.cell_tables import PARTS, cell_weights
from gomoku_patterns.cells import Cell, Colour, cell_name
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator, checked_board, empty_cell, mover_on
from gomoku_patterns.lines import lines, lines_through
from gomoku_patterns.reference import (
    LineMatch,
    LineShape,
    Part,
    best_cell,
    line_matches,
    match_worth,
    part_worth,
    point_parts,
    ring_number,
)
from gomoku_patterns.table import Combination, ShapeName, Table, load_table

if TYPE_CHECKING:
    from gomoku_patterns.evaluator import Evaluator


MANY = 12
"""Readable text shows no more matches that do not count than this."""
SHOWN = 40
"""Of those that count it shows this many, the greatest first, and adds up the rest."""


@dataclass(frozen=True)
class Item:
    """One reason: a match, a combination of lines, or what else a table adds.

    ``worth`` is black-positive; 0 says that the match is there but does not count, as a second one on a line with
    ``count = "once"``. In the explanation of a move ``change`` says whether the match ``"appears"``, ``"disappears"``
    or is ``"revalued"`` because the turn passes or the board fills. ``at`` is the point it belongs to (point tables).
    """

    shape: str
    name: ShapeName
    colour: Colour | None
    line: str
    cells: tuple[Cell, ...]
    worth: int
    text: str = ""
    change: str = ""
    at: Cell | None = None

    def to_json(self, rows: int) -> dict[str, Any]:
        """The item as JSON results give it."""
        result: dict[str, Any] = {
            "shape": self.shape,
            "name": {"en": self.name.en, "zh": self.name.zh},
            "colour": str(self.colour) if self.colour else None,
            "line": self.line,
            "cells": [list(cell) for cell in self.cells],
            "names": [cell_name(cell, rows) for cell in self.cells],
            "worth": self.worth,
        }
        result |= {"text": self.text} if self.text else {}
        result |= {"change": self.change} if self.change else {}
        return result | ({"at": list(self.at), "at_name": cell_name(self.at, rows)} if self.at else {})

    def describe(self, rows: int, *, at: bool = True) -> str:
        """The item on one line of text, without the point it belongs to if that goes without saying."""
        called = self.name.en if self.name.en == self.name.zh else f"{self.name.en} {self.name.zh}"
        owner = f"{called} ({self.colour})" if self.colour else called
        names = " ".join(cell_name(cell, rows) for cell in self.cells)
        point = f"at {cell_name(self.at, rows)}" if at and self.at else ""
        return "  ".join(filter(None, (f"{self.worth:+7d}", self.change, point, owner, self.line, names)))


@dataclass(frozen=True)
class Explanation:
    """All reasons for a score (``cell`` is None) or for the gain of a stone of ``colour`` on a cell."""

    evaluator: str
    turn: Colour
    rows: int
    items: tuple[Item, ...]
    cell: Cell | None = None
    colour: Colour | None = None
    grows: bool = False
    """Whether matches are worth more or less as the board fills."""

    @property
    def total(self) -> int:
        """The score or the gain: the sum of the worths."""
        return sum(item.worth for item in self.items)

    def to_json(self) -> dict[str, Any]:
        """The explanation as ``gomoku explain --json`` prints it."""
        head: dict[str, Any] = {"table": self.evaluator, "to_move": str(self.turn)}
        if self.cell is None:
            head |= {"score": self.total}
        else:
            head |= {"cell": list(self.cell), "name": cell_name(self.cell, self.rows)}
            head |= {"colour": str(self.colour), "gain": self.total}
        return head | {"items": [item.to_json(self.rows) for item in self.items]}

    def __str__(self) -> str:
        """Readable text: what counts most comes first; many items that say little are summed up."""
        revalued = [item for item in self.items if item.change == "revalued"]
        silent = [item for item in self.items if not item.worth]
        hidden = {id(item) for item in (*revalued, *(silent if len(silent) > MANY else ()))}
        shown = sorted((item for item in self.items if id(item) not in hidden), key=lambda item: -abs(item.worth))
        # A cell table's reasons for a move lie on other cells than the move's own.
        at = self.cell is None or any(item.at != self.cell for item in self.items)
        lines = [item.describe(self.rows, at=at) for item in shown[:SHOWN]]
        if shown[SHOWN:]:
            lines.append(f"{sum(item.worth for item in shown[SHOWN:]):+7d}  {len(shown) - SHOWN} more, each less")
        if revalued:
            passing = sum(item.worth for item in revalued)
            why = "the turn passes" + (" and the board fills" if self.grows else "")
            lines.append(f"{passing:+7d}  {len(revalued)} other matches revalued because {why}")
        if len(silent) > MANY:
            lines.append(f"     +0  {len(silent)} more matches that do not count")
        return "\n".join([self._headline(), *(f"  {line}" for line in lines)])

    def _headline(self) -> str:
        if self.cell is None:
            return f"{self.evaluator}: score {self.total:+d}, {self.turn} to move"
        return f"{self.evaluator}: {self.colour} on {cell_name(self.cell, self.rows)} gains {self.total:+d}"


def explain(
    board: Board,
    evaluator: str | Path | Table | Evaluator | EvaluatorBase,
    cell: CellLike | None = None,
    colour: Colour | str | None = None,
) -> Explanation:
    """Why the board scores what it does, or what a stone of a colour (the side to move) on an empty cell would gain.

    An evaluator that is not a table gives its score as the one reason.
    """
    table = _table_of(evaluator)
    name = table.name if table else as_evaluator(evaluator).name
    grows = table is not None and table.scan == "cell" and cell_weights(table).grows
    if cell is None:
        items = _board_items(table, checked_board(board)) if table else [_bare(as_evaluator(evaluator).score(board))]
        return Explanation(name, board.turn, board.rows, tuple(items), grows=grows)
    place, mover = empty_cell(board, cell), mover_on(board, colour)
    if table:
        items = _move_items(table, board, place, mover)
        return Explanation(name, board.turn, board.rows, tuple(items), place, mover, grows)
    gain = _bare(as_evaluator(evaluator).gain(board, place, mover))
    return Explanation(name, board.turn, board.rows, (gain,), place, mover)


def _table_of(evaluator: object) -> Table | None:
    if isinstance(evaluator, EvaluatorBase):
        table = evaluator.table
    else:
        table = load_table(evaluator) if isinstance(evaluator, (str, Path, Table)) else None
    return table if table is None or table.scan != "code" else None


def _bare(worth: int) -> Item:
    return Item("score", ShapeName("score", "分数"), None, "", (), worth)


def _board_items(table: Table, board: Board) -> Iterable[Item]:
    if table.scan == "line":
        return (_match_item(table, board, match, match_worth(table, match, board.turn))
                for match in line_matches(table, board))  # fmt: skip
    if table.scan == "cell":
        return _cell_items(table, board)
    return _best_items(table, board) if table.board == "best" else _sum_items(table, board)


def _move_items(table: Table, board: Board, cell: Cell, mover: Colour) -> Iterable[Item]:
    if table.scan == "line":
        return _changes(table, board, cell, mover)
    if table.scan == "cell":
        return _cell_changes(table, board, cell, mover)
    return _Point(table, board, cell).items(mover, mover.sign)


# ---------------------------------------------------------------------- line tables


def _line_name(board: Board, line: int) -> str:
    indexes = lines(board.rows, board.cols)[line]
    first, last = board.name(board.at(indexes[0])), board.name(board.at(indexes[-1]))
    if line < board.rows:
        return f"row {first[1:]}"
    if line < board.rows + board.cols:
        return f"column {first[0]}"
    return f"diagonal {first}-{last}"


def _match_item(table: Table, board: Board, match: LineMatch, worth: int, change: str = "") -> Item:
    pattern = table.patterns[match.pattern]
    cells = tuple(map(board.at, match.cells))
    name = table.shape_name(pattern.shape)
    return Item(pattern.shape, name, match.colour, _line_name(board, match.line), cells, worth, pattern.text, change)


def _changes(table: Table, board: Board, cell: Cell, mover: Colour) -> Iterator[Item]:
    trial = board.copy(moves=False)
    trial.turn = mover
    before = _worths(table, trial)
    trial.push(cell)
    after = _worths(table, trial)
    for match in dict.fromkeys([*after, *before]):
        worth = after.get(match, 0) - before.get(match, 0)
        if match not in before or match not in after or worth:
            change = "appears" if match not in before else "disappears" if match not in after else "revalued"
            yield _match_item(table, board, match, worth, change)


def _worths(table: Table, board: Board) -> dict[LineMatch, int]:
    """The worth of every match; whether it counted is in the worth, not in the match."""
    worths: dict[LineMatch, int] = {}
    for match in line_matches(table, board):
        key = match._replace(counted=True)
        worths[key] = worths.get(key, 0) + match_worth(table, match, board.turn)
    return worths


# ---------------------------------------------------------------------- point tables

_RING = ShapeName("ring", "圈数")
_OCCUPIED = ShapeName("occupied cells", "已占")


def _best_items(table: Table, board: Board) -> Iterator[Item]:
    cell = best_cell(table, board)
    if cell is not None:
        for colour in (board.turn, board.turn.opponent):
            yield from _Point(table, board, cell).items(colour, board.turn.sign)


def _sum_items(table: Table, board: Board) -> Iterator[Item]:
    for cell in board.empties():
        yield from _Point(table, board, cell).items(board.turn, board.turn.sign)
    taken = tuple(cell for cell in board.cells() if board[cell] is not None)
    if taken and table.occupied:
        yield Item("occupied", _OCCUPIED, None, "", taken, board.turn.sign * table.occupied * len(taken))


@dataclass(frozen=True)
class _Point:
    """The reasons for an empty cell's worth in a point table, each multiplied by a sign."""

    table: Table
    board: Board
    cell: Cell

    def items(self, colour: Colour, sign: int) -> Iterator[Item]:
        own, opposing = point_parts(self.table, self.board, self.cell, colour)
        if own:
            yield from self._part(own, colour, sign * part_worth(own, 0))
        if opposing:
            yield from self._part(opposing, colour.opponent, -sign * part_worth(opposing, 1))
        if self.table.ring and (ring := ring_number(self.board, self.cell)):
            yield Item("ring", _RING, None, "", (self.cell,), sign * ring, at=self.cell)

    def _part(self, part: Part, colour: Colour, worth: int) -> Iterator[Item]:
        through = lines_through(self.board.rows, self.board.cols)[self.board.index(self.cell)]
        for line, shape in zip(through, part.shapes, strict=True):
            if shape is not None:
                yield self._shape(shape, line, colour, worth if shape is part.counts else 0)
        if isinstance(part.counts, Combination):
            yield self._combination(part, part.counts, colour, worth)

    def _shape(self, shape: LineShape, line: int, colour: Colour, worth: int) -> Item:
        key, name, cells = shape.pattern.shape, self.table.shape_name(shape.pattern.shape), self._cells(shape.cells)
        return Item(key, name, colour, _line_name(self.board, line), cells, worth, shape.pattern.text, at=self.cell)

    def _combination(self, part: Part, combination: Combination, colour: Colour, worth: int) -> Item:
        needed = [shape for shape, count in combination.needs for _ in range(count)]
        names = [self.table.shape_name(shape) for shape in needed]
        name = ShapeName(" + ".join(one.en for one in names), " + ".join(one.zh for one in names))
        shown = (shape for shape in part.shapes if shape is not None and shape.pattern.shape in needed)
        cells = self._cells(sorted({index for shape in shown for index in shape.cells}))
        return Item("+".join(needed), name, colour, "", cells, worth, at=self.cell)

    def _cells(self, indexes: Iterable[int]) -> tuple[Cell, ...]:
        return tuple(map(self.board.at, indexes))


# ---------------------------------------------------------------------- cell tables


class _Reason(NamedTuple):
    """A combination on a cell for a colour, what the cell is to both, or the facts of both sides."""

    shape: str
    name: ShapeName
    colour: Colour | None = None
    cells: tuple[Cell, ...] = ()
    at: Cell | None = None


_ROUNDING = _Reason("rounding", ShapeName("rounding", "舍入"))


def _cell_items(table: Table, board: Board) -> Iterator[Item]:
    parts = _reasons(table, board)
    for reason, worth in _in_points(parts, _points(board.turn, parts)).items():
        yield _reason_item(reason, worth)


def _cell_changes(table: Table, board: Board, cell: Cell, mover: Colour) -> Iterator[Item]:
    trial = board.copy(moves=False)
    trial.turn = mover
    before = _reasons(table, trial)
    trial.push(cell)
    after = _reasons(table, trial)
    changed = {one: after.get(one, 0) - before.get(one, 0) for one in dict.fromkeys([*after, *before])}
    total = _points(trial.turn, after) - _points(mover, before)
    for reason, worth in _in_points(changed, total).items():
        change = "appears" if reason not in before else "disappears" if reason not in after else "revalued"
        if worth or change != "revalued":  # a stone more makes each worth a little less or more
            yield _reason_item(reason, worth, "" if reason is _ROUNDING else change)


def _reasons(table: Table, board: Board) -> dict[_Reason, int]:
    """What each cell and the facts are worth, black minus white in parts of a point; they add up to the score."""
    cells = list(all_combined(table, board))
    found = {_combined_reason(table, board, one): board.turn.sign * one.worth for one in cells}
    facts = {colour: facts_of(table, cells, colour) for colour in Colour}
    worth = facts_worth(table, facts[board.turn], facts[board.turn.opponent], len(board))
    spoken = [_spoken(facts[colour]) for colour in Colour]
    name = ShapeName(f"facts: black {spoken[0]}; white {spoken[1]}", f"事实：黑 {spoken[0]}；白 {spoken[1]}")
    for black, white in zip(cells[::2], cells[1::2], strict=True):
        moving, resting = (black, white) if board.turn is Colour.BLACK else (white, black)
        found[_meeting_reason(table, black, white)] = board.turn.sign * meeting(table, moving, resting, len(board))
    return found | {_Reason("facts", name): board.turn.sign * worth}


def _spoken(facts: dict[str, int]) -> str:
    """The facts that hold, and on how many cells where it is more than one."""
    many = [f"{fact} ({count})" if count > 1 else fact for fact, count in facts.items() if count]
    return ", ".join(many).replace("_", " ") or "-"


def _meeting_reason(table: Table, black: Combined, white: Combined) -> _Reason:
    firsts = [min(one.shapes, key=table.shape_order.index, default="") for one in (black, white)]
    names = [table.shape_name(shape) if shape else ShapeName("-", "-") for shape in firsts]
    name = ShapeName(f"both: black {names[0].en}; white {names[1].en}", f"双方：黑 {names[0].zh}；白 {names[1].zh}")
    return _Reason("both", name, at=black.cell)


def _combined_reason(table: Table, board: Board, one: Combined) -> _Reason:
    shapes = sorted(one.shapes, key=table.shape_order.index)
    many = {shape: f" ({shapes.count(shape)})" if shapes.count(shape) > 1 else "" for shape in shapes}
    names = [(table.shape_name(shape), times) for shape, times in many.items()]
    name = ShapeName(" x ".join(each.en + times for each, times in names),
                     " × ".join(each.zh + times for each, times in names))  # fmt: skip
    seen = {board.at(index) for line in one.lines if line is not None for index in line.cells}
    cells = tuple(sorted(cell for cell in seen if cell == one.cell or board[cell] is one.colour))
    return _Reason("+".join(shapes), name, one.colour, cells, one.cell)


def _points(turn: Colour, parts: dict[_Reason, int]) -> int:
    """The score that parts of points add up to: rounded down for the side to move."""
    return turn.sign * (turn.sign * sum(parts.values()) // PARTS)


def _in_points(parts: dict[_Reason, int], total: int) -> dict[_Reason, int]:
    """Those that are not 0 as whole points that add up to a total: what rounding took most from gets what is left."""
    worths = {reason: worth for reason, worth in parts.items() if worth}
    points = {reason: worth // PARTS for reason, worth in worths.items()}
    left = total - sum(points.values())
    for reason in sorted(worths, key=lambda one: -(worths[one] % PARTS))[: max(left, 0)]:
        points[reason] += 1
        left -= 1
    return points | ({_ROUNDING: left} if left else {})


def _reason_item(reason: _Reason, worth: int, change: str = "") -> Item:
    return Item(reason.shape, reason.name, reason.colour, "", reason.cells, worth, change=change, at=reason.at)

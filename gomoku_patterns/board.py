"""The board: stones, whose turn it is, the rule, and the moves that led here.

>>> board = Board()
>>> board.push("h8")
>>> board.push((6, 7))
>>> board.turn, board[7, 7], board["h9"], board["a1"]
(BLACK, BLACK, WHITE, None)
>>> board.pop()
Cell(row=6, col=7)
>>> print(Board(rows=5, cols=6, black=["c3"], white=["d3"]))
 5  .  .  .  .  .  .
 4  .  .  .  .  .  .
 3  .  .  X  O  .  .
 2  .  .  .  .  .  .
 1  .  .  .  .  .  .
    a  b  c  d  e  f
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from gomoku_patterns import rules
from gomoku_patterns.cells import EMPTY, MAX_SIDE, MIN_SIDE, Cell, Colour, cell_name, parse_cell, parse_colour
from gomoku_patterns.errors import BoardError, IllegalMoveError
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gomoku_patterns.draw import Picture

CellLike = Cell | tuple[int, int] | list[int] | str
"""What a user may write for a cell: ``(row, col)`` or a name such as ``"h9"``."""


class Move(NamedTuple):
    """A stone that was played: where, and in which colour."""

    cell: Cell
    colour: Colour


class Board:
    """A Gomoku position of any size from 5x5 to 22x22 that can be played on and taken back.

    Stones given to the constructor are set up, not played: only what was pushed can be popped. Without ``turn`` it is
    white's turn when black has exactly one stone more, and black's otherwise.
    """

    __slots__ = ("_cells", "_moves", "_rule", "_turn", "_turns", "cols", "rows")

    rows: int
    cols: int

    def __init__(
        self,
        rows: int = 15,
        cols: int | None = None,
        *,
        black: Iterable[CellLike] = (),
        white: Iterable[CellLike] = (),
        turn: Colour | str | None = None,
        rule: Rule | str | int = Rule.FREESTYLE,
    ) -> None:
        self.rows = _side(rows, "rows")
        self.cols = _side(rows if cols is None else cols, "cols")
        self._rule = Rule.parse(rule)
        self._cells = bytearray(self.rows * self.cols)
        self._moves: list[Move] = []
        self._turns: list[Colour] = []
        for colour, stones in ((Colour.BLACK, black), (Colour.WHITE, white)):
            for stone in stones:
                index = self.index(stone)
                if self._cells[index]:
                    raise IllegalMoveError(f"two stones on {self.name(stone)!r}", code="cell-taken")
                self._cells[index] = colour
        self._turn = self._natural_turn() if turn is None else parse_colour(turn)

    def _natural_turn(self) -> Colour:
        lead = self._cells.count(Colour.BLACK) - self._cells.count(Colour.WHITE)
        return Colour.WHITE if lead == 1 else Colour.BLACK

    # ------------------------------------------------------------------ cells

    def cell(self, cell: CellLike) -> Cell:
        """The cell a user means, checked to be on this board."""
        if isinstance(cell, str):
            return parse_cell(cell, self.rows, self.cols)
        try:
            row, col = cell
            row, col = row.__index__(), col.__index__()
        except (TypeError, ValueError, AttributeError):
            raise BoardError(
                f"expected a cell as (row, col) or a name such as 'h8', found {cell!r}", code="bad-cell"
            ) from None
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise BoardError(
                f"expected a cell on a {self.rows}x{self.cols} board, found {(row, col)!r}", code="bad-cell"
            )
        return Cell(row, col)

    def index(self, cell: CellLike) -> int:
        """The flat index ``row * cols + col`` of a cell."""
        row, col = self.cell(cell)
        return row * self.cols + col

    def at(self, index: int) -> Cell:
        """The cell with this flat index."""
        try:
            row, col = divmod(index.__index__(), self.cols)
        except AttributeError:
            raise BoardError(f"expected the flat index of a cell, found {index!r}; board[cell] gives a stone") from None
        if not 0 <= row < self.rows:
            raise BoardError(f"expected a flat index below {self.rows * self.cols}, found {index!r}")
        return Cell(row, col)

    def name(self, cell: CellLike) -> str:
        """What people call this cell: ``h8``."""
        return cell_name(self.cell(cell), self.rows)

    def __getitem__(self, cell: CellLike) -> Colour | None:
        return Colour(value) if (value := self._cells[self.index(cell)]) else None

    def cells(self) -> Iterator[Cell]:
        """All cells in row-major order."""
        return iter(_all_cells(self.rows, self.cols))

    def stones(self, colour: Colour | str) -> list[Cell]:
        """The stones of one colour in row-major order."""
        wanted = parse_colour(colour)
        return [cell for cell, value in zip(self.cells(), self._cells, strict=True) if value == wanted]

    def empties(self) -> list[Cell]:
        """The empty cells in row-major order."""
        return [cell for cell, value in zip(self.cells(), self._cells, strict=True) if not value]

    def is_empty(self, cell: CellLike) -> bool:
        return not self._cells[self.index(cell)]

    def is_full(self) -> bool:
        return EMPTY not in self._cells

    @property
    def flat(self) -> bytes:
        """A copy of all cells, row by row: 0 empty, 1 black, 2 white."""
        return bytes(self._cells)

    # ------------------------------------------------------------------ play

    @property
    def turn(self) -> Colour:
        """Whose turn it is; may be set."""
        return self._turn

    @turn.setter
    def turn(self, colour: Colour | str) -> None:
        self._turn = parse_colour(colour)

    @property
    def moves(self) -> tuple[Move, ...]:
        """What was pushed and not popped, oldest first."""
        return tuple(self._moves)

    def push(self, cell: CellLike, colour: Colour | str | None = None) -> None:
        """Put a stone of the side to move (or of ``colour``) on an empty cell; then it is the other side's turn."""
        place = self.cell(cell)
        mover = self._turn if colour is None else parse_colour(colour)
        index = place.row * self.cols + place.col
        if self._cells[index]:
            raise IllegalMoveError(f"there is a {self[place]} stone on {self.name(place)!r} already", code="cell-taken")
        self._moves.append(Move(place, mover))
        self._turns.append(self._turn)
        self._cells[index] = mover
        self._turn = mover.opponent

    def pop(self) -> Cell:
        """Take the last pushed stone back and return its cell."""
        if not self._moves:
            raise IllegalMoveError("no move to take back: nothing was pushed on this board")
        move = self._moves.pop()
        self._cells[move.cell.row * self.cols + move.cell.col] = EMPTY
        self._turn = self._turns.pop()
        return move.cell

    def peek(self) -> Cell:
        """The cell of the last pushed stone."""
        if not self._moves:
            raise IllegalMoveError("no move to look at: nothing was pushed on this board")
        return self._moves[-1].cell

    def copy(self, *, moves: bool = True) -> Board:
        """An independent board with the same position and, unless refused, the same moves to pop."""
        other = Board.__new__(Board)
        other.rows, other.cols, other._rule = self.rows, self.cols, self._rule
        other._cells = bytearray(self._cells)
        other._moves = list(self._moves) if moves else []
        other._turns = list(self._turns) if moves else []
        other._turn = self._turn
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        return self.copy()

    # ------------------------------------------------------------------ rules

    @property
    def rule(self) -> Rule:
        """The rule the game is played under; may be set."""
        return self._rule

    @rule.setter
    def rule(self, rule: Rule | str | int) -> None:
        self._rule = Rule.parse(rule)

    def winner(self) -> Colour | None:
        """Who has won under this board's rule; see :func:`gomoku_patterns.rules.winner`."""
        return rules.winner(self)

    def is_over(self) -> bool:
        """Whether somebody has won, or the side to move has nowhere to play."""
        return rules.is_over(self)

    def forbidden(self) -> list[Cell]:
        """The empty cells black may not play under renju; see :func:`gomoku_patterns.rules.forbidden`."""
        return rules.forbidden(self)

    def legal_moves(self) -> list[Cell]:
        """The cells the side to move may play, in row-major order; none when the game is over."""
        return rules.legal_moves(self)

    # ------------------------------------------------------------------ the eight symmetries, colours, numpy

    def transform(self, symmetry: int) -> Board:
        """The position under one of the eight symmetries, numbered as in :data:`SYMMETRIES`; moves come along."""
        place, turned = _symmetry(symmetry)
        rows, cols = (self.cols, self.rows) if turned else (self.rows, self.cols)
        other = Board(rows, cols, rule=self.rule)
        for index, value in enumerate(self._cells):
            row, col = place(*divmod(index, self.cols), self.rows, self.cols)
            other._cells[row * cols + col] = value
        other._moves = [Move(Cell(*place(*move.cell, self.rows, self.cols)), move.colour) for move in self._moves]
        other._turns, other._turn = list(self._turns), self._turn
        return other

    def transform_cell(self, cell: CellLike, symmetry: int) -> Cell:
        """Where :meth:`transform` puts a cell of this board."""
        return Cell(*_symmetry(symmetry)[0](*self.cell(cell), self.rows, self.cols))

    def swap_colours(self) -> Board:
        """The same position with black and white exchanged, the turn and the moves too."""
        other = self.copy()
        other._cells = self._cells.translate(_SWAPPED)
        other._moves = [Move(move.cell, move.colour.opponent) for move in self._moves]
        other._turns = [colour.opponent for colour in self._turns]
        other._turn = self._turn.opponent
        return other

    def to_array(self) -> npt.NDArray[np.int8]:
        """A new ``(rows, cols)`` array: 0 empty, 1 black, 2 white."""
        import numpy as np

        return np.frombuffer(self.flat, dtype=np.int8).reshape(self.rows, self.cols).copy()

    @classmethod
    def from_array(
        cls, array: npt.ArrayLike, *, turn: Colour | str | None = None, rule: Rule | str | int = Rule.FREESTYLE
    ) -> Board:
        """The board in a two-dimensional integer array: 0 empty, 1 black, 2 or -1 white."""
        import numpy as np

        try:
            stones = np.asarray(array)
        except ValueError as error:
            raise BoardError(f"expected a two-dimensional integer array, found {error}") from None
        if stones.ndim != 2 or (stones.dtype.kind not in "iub"):
            raise BoardError(
                f"expected a two-dimensional integer array, found {stones.ndim} dimensions of {stones.dtype.name}"
            )
        odd = np.argwhere(~np.isin(stones, (0, 1, 2, -1)))
        if len(odd):
            row, col = map(int, odd[0])
            raise BoardError(f"expected 0, 1, 2 or -1 in the array, found {stones[row, col]} at {(row, col)!r}")
        board = cls(*stones.shape, rule=rule)
        board._cells[:] = np.where(stones == -1, 2, stones).astype(np.uint8).tobytes()
        board._turn = board._natural_turn() if turn is None else parse_colour(turn)
        return board

    # ------------------------------------------------------------------ value

    def __eq__(self, other: object) -> bool:
        """Same size, stones, turn and rule; how the position came about does not matter."""
        if not isinstance(other, Board):
            return NotImplemented
        return self._value() == other._value()

    def __hash__(self) -> int:
        """The hash of the position as it stands now; a board used as a key must not be played on."""
        return hash(self._value())

    def _value(self) -> tuple[object, ...]:
        return (self.rows, self.cols, bytes(self._cells), self._turn, self.rule)

    def __len__(self) -> int:
        """How many stones stand on the board."""
        return len(self._cells) - self._cells.count(EMPTY)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        parts = [f"rows={self.rows}, cols={self.cols}"]
        for colour in Colour:
            names = [self.name(stone) for stone in self.stones(colour)]
            parts += [f"{colour}={names!r}"] if names else []
        parts += [f"turn={str(self._turn)!r}"]
        parts += [f"rule={self.rule.value!r}"] if self.rule is not Rule.FREESTYLE else []
        return f"Board({', '.join(parts)})"

    def __str__(self) -> str:
        rows = [
            f"{self.rows - row:2}" + "".join(f"  {'.XO'[value]}" for value in self._row(row))
            for row in range(self.rows)
        ]
        return "\n".join([*rows, "  " + "".join(f"  {chr(ord('a') + col)}" for col in range(self.cols))])

    def _row(self, row: int) -> bytearray:
        return self._cells[row * self.cols : (row + 1) * self.cols]

    def _repr_svg_(self) -> str:
        from gomoku_patterns.draw import board_svg

        return board_svg(self)

    def picture(self, **options: Any) -> Picture:
        """An SVG picture, which a notebook shows; options are those of :func:`gomoku_patterns.draw.board_svg`.

        >>> Board(black=["h8"]).picture(size=200, marks={"h9": "circle"}).startswith("<svg")
        True
        """
        from gomoku_patterns.draw import Picture, board_svg

        return Picture(board_svg(self, **options))


@lru_cache(maxsize=64)
def _all_cells(rows: int, cols: int) -> tuple[Cell, ...]:
    return tuple(Cell(row, col) for row in range(rows) for col in range(cols))


_SWAPPED = bytes([0, 2, 1]) + bytes(range(3, 256))

SYMMETRIES = tuple(range(8))
"""The numbers of the eight symmetries: 0 leaves the board as it is, 1 to 3 turn it clockwise by 90, 180 and 270
degrees, 4 mirrors left and right, 5 mirrors top and bottom, 6 and 7 mirror along the diagonals."""

_Place = Callable[[int, int, int, int], tuple[int, int]]
_PLACES: tuple[tuple[_Place, bool], ...] = (
    (lambda r, c, _rows, _cols: (r, c), False),
    (lambda r, c, rows, _cols: (c, rows - 1 - r), True),
    (lambda r, c, rows, cols: (rows - 1 - r, cols - 1 - c), False),
    (lambda r, c, _rows, cols: (cols - 1 - c, r), True),
    (lambda r, c, _rows, cols: (r, cols - 1 - c), False),
    (lambda r, c, rows, _cols: (rows - 1 - r, c), False),
    (lambda r, c, _rows, _cols: (c, r), True),
    (lambda r, c, rows, cols: (cols - 1 - c, rows - 1 - r), True),
)


def _symmetry(number: int) -> tuple[_Place, bool]:
    try:
        return _PLACES[SYMMETRIES.index(number)]
    except ValueError:
        raise BoardError(f"a symmetry is a number from 0 to 7, not {number!r}") from None


def _side(length: object, what: str) -> int:
    if isinstance(length, bool) or not hasattr(length, "__index__"):
        raise BoardError(f"expected {what} from {MIN_SIDE} to {MAX_SIDE}, found {length!r}", code="bad-size")
    side = int(length.__index__())
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise BoardError(f"expected {what} from {MIN_SIDE} to {MAX_SIDE}, found {side}", code="bad-size")
    return side

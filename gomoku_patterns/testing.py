"""A testing kit for evaluators: Hypothesis strategies, and laws that every evaluator keeps.

Your own class is put through all laws with one call. What it does not claim (``antisymmetric``, ``symmetric``) is not
asked of it; a law that fails shows the smallest board it fails on.

>>> class Centre:
...     "Stones are worth their distance from the edge."
...     name, antisymmetric, symmetric = "centre", True, True
...     def score(self, board):
...         return sum((board[r, c].sign if board[r, c] else 0) * min(r, c, board.rows - 1 - r, board.cols - 1 - c)
...                    for r, c in board.cells())
>>> check_evaluator(Centre(), max_examples=5, max_side=9)

Strategies: :func:`lines`, :func:`boards`, :func:`positions`, :func:`games` and :func:`tables`. They shrink to empty
5x5 boards and reach every size, edges, corners, full lines and full boards in both colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

try:
    from hypothesis import HealthCheck, Phase, assume, given, settings
    from hypothesis import strategies as st
except ImportError as error:  # pragma: no cover
    raise ImportError("gomoku_patterns.testing needs Hypothesis: pip install 'gomoku-patterns[testing]'") from error

from gomoku_patterns import lines as board_lines
from gomoku_patterns.board import SYMMETRIES, Board
from gomoku_patterns.cells import MAX_SIDE, MIN_SIDE, Cell, Colour
from gomoku_patterns.errors import TableError
from gomoku_patterns.evaluator import EvaluatorBase, Tracker, as_evaluator
from gomoku_patterns.rules import Rule, makes_five
from gomoku_patterns.table import Combination, Pattern, Table

# ---------------------------------------------------------------------- strategies


def lines(min_length: int = MIN_SIDE, max_length: int = MAX_SIDE, symbols: str = ".ox") -> st.SearchStrategy[str]:
    """Texts of lines: ``.`` empty, ``o`` own, ``x`` opposing."""
    return st.text(st.sampled_from(symbols), min_size=min_length, max_size=max_length)


def sides(max_side: int = MAX_SIDE) -> st.SearchStrategy[int]:
    """How long the side of a board may be."""
    return st.integers(MIN_SIDE, max_side)


def _sizes(max_side: int) -> st.SearchStrategy[tuple[int, int]]:
    square = sides(max_side).map(lambda side: (side, side))
    return square | st.tuples(sides(max_side), sides(max_side))


@st.composite
def _painted(draw: st.DrawFn, rows: int, cols: int) -> bytes:
    """A few lines of the board painted with texts: runs that touch edges and corners, and full lines."""
    cells = bytearray(rows * cols)
    every = board_lines.lines(rows, cols)
    strokes = st.tuples(st.integers(0, len(every) - 1), st.integers(0, MAX_SIDE - 1), lines(1, MAX_SIDE))
    for number, start, text in draw(st.lists(strokes, max_size=8)):
        line = every[number]
        for index, symbol in zip(line[start % len(line) :], text, strict=False):
            cells[index] = ".ox".index(symbol)
    return bytes(cells)


@st.composite
def _scattered(draw: st.DrawFn, rows: int, cols: int) -> bytes:
    """Stones anywhere, from an empty board to a full one.

    The bytes are those of the largest board, so that the stones stay where they are while the board shrinks; a byte
    shrinks to 0, an empty cell.
    """
    density, values = draw(st.integers(0, 150)), draw(st.binary(min_size=MAX_SIDE**2, max_size=MAX_SIDE**2))
    return bytes(_stone(values[row * MAX_SIDE + col], density) for row in range(rows) for col in range(cols))


def _stone(value: int, density: int) -> int:
    if value == 0:
        return 0
    return 1 if value >= 256 - density else 2 if value >= 256 - 2 * density else 0


@st.composite
def boards(
    draw: st.DrawFn, *, max_side: int = MAX_SIDE, size: tuple[int, int] | None = None, rule: Rule = Rule.FREESTYLE
) -> Board:
    """Any stones on a board of any size, whether play could lead there or not; either side may be to move."""
    rows, cols = size or draw(_sizes(max_side))
    cells = draw(_painted(rows, cols) | _scattered(rows, cols))
    stones = {colour: [divmod(at, cols) for at, value in enumerate(cells) if value == colour] for colour in Colour}
    turn = draw(st.sampled_from(Colour))
    return Board(rows, cols, black=stones[Colour.BLACK], white=stones[Colour.WHITE], turn=turn, rule=rule)


@st.composite
def games(
    draw: st.DrawFn,
    *,
    max_side: int = MAX_SIDE,
    size: tuple[int, int] | None = None,
    rule: Rule = Rule.FREESTYLE,
    max_moves: int = 60,
) -> Board:
    """Boards played from the first move on, up to a five at the latest; every move can be popped."""
    rows, cols = size or draw(_sizes(max_side))
    board = Board(rows, cols, rule=rule)
    count, picks = draw(st.integers(0, max_moves)), st.integers(0, 3) | st.integers(0, 2 * rows * cols)
    for pick in draw(st.lists(picks, min_size=count, max_size=count)):
        cell = _picked(board, pick)
        if cell is None or (rule is Rule.RENJU and cell not in board.legal_moves()):
            continue
        won = makes_five(board, cell, board.turn)
        board.push(cell)
        if won:
            break
    return board


@st.composite
def positions(
    draw: st.DrawFn,
    *,
    max_side: int = MAX_SIDE,
    size: tuple[int, int] | None = None,
    rule: Rule = Rule.FREESTYLE,
    max_moves: int = 60,
) -> Board:
    """Boards that play can lead to, with nobody having won and a cell to play; the moves are forgotten."""
    board = draw(games(max_side=max_side, size=size, rule=rule, max_moves=max_moves))
    while board.is_over():
        board.pop()
    return board.copy(moves=False)


def _picked(board: Board, pick: int) -> Cell | None:
    """The empty cell a number chooses: the smallest make long runs, small ones are near stones, large ones anywhere."""
    near = _near(board) if pick < board.rows * board.cols else []
    choice = near or board.empties()
    return choice[pick % len(choice)] if choice else None


def _near(board: Board) -> list[Cell]:
    """The empty neighbours of stones, those first that make the longest run for the side to move."""
    stones = [cell for cell in board.cells() if board[cell] is not None]
    near = {Cell(row + down, col + right) for row, col in stones for down in (-1, 0, 1) for right in (-1, 0, 1)}
    return sorted(near & set(board.empties()), key=lambda cell: (-_run(board, cell), cell))


def _run(board: Board, cell: Cell) -> int:
    """The longest run of the side to move through a cell it would play."""
    own = set(board.stones(board.turn))
    return max(
        1 + sum(_stretch(own, cell, (way * down, way * right)) for way in (1, -1))
        for down, right in board_lines.DIRECTIONS
    )


def _stretch(own: set[Cell], cell: Cell, step: tuple[int, int]) -> int:
    length = 0
    while Cell(cell.row + (length + 1) * step[0], cell.col + (length + 1) * step[1]) in own:
        length += 1
    return length


# ---------------------------------------------------------------------- tables

_SHAPES = ("five", "live_four", "rush_four", "live_three", "odd")
_WORTH = st.integers(-9, 9) | st.integers(-9999, 9999)
_PAIRS = _WORTH.map(lambda worth: (worth, worth)) | st.tuples(_WORTH, _WORTH)


def _texts(inner: str, longest: int) -> st.SearchStrategy[str]:
    ends = st.sampled_from(("", "|", "~"))
    middle = st.text(st.sampled_from(inner), min_size=1, max_size=longest - 2).filter(lambda text: "o" in text.lower())
    return st.builds("".join, st.tuples(ends, middle, ends)) | middle


def _fields(scan: str) -> st.SearchStrategy[dict[str, Any]]:
    if scan == "line":
        return st.fixed_dictionaries({"count": st.sampled_from(("once", "every"))})
    return st.fixed_dictionaries(
        {
            "reach": st.integers(4, 5), "ring": st.booleans(), "opposing": st.sampled_from(("none", "subtract")),
            "board": st.sampled_from(("best", "sum")), "occupied": st.integers(-2, 2),
        }
    )  # fmt: skip


@st.composite
def tables(draw: st.DrawFn, *, scan: str | None = None, max_patterns: int = 8) -> Table:
    """Random valid tables of either kind, with every symbol and option of the format."""
    kind = scan or draw(st.sampled_from(("line", "point")))
    point = kind == "point"
    texts = _texts("oo.x~O" if point else "oo.x~", 7)
    pattern = st.builds(Pattern, st.sampled_from(_SHAPES), texts, _PAIRS, st.just(False))
    if point:
        pattern |= st.builds(Pattern, st.just("five"), texts, _PAIRS, st.just(True))
    patterns = draw(st.lists(pattern, min_size=1, max_size=max_patterns, unique_by=lambda one: one.text))
    combined = draw(st.lists(_combinations(patterns), max_size=3)) if point else []
    fields = {"mirror": draw(st.booleans()), **draw(_fields(kind))}
    try:
        return Table("random", tuple(patterns), tuple(combined), "point" if point else "line", **fields)
    except TableError:
        assume(False)
        raise


@st.composite
def _combinations(draw: st.DrawFn, patterns: Sequence[Pattern]) -> Combination:
    shapes = st.sampled_from(list(dict.fromkeys(pattern.shape for pattern in patterns)))
    needs = draw(st.dictionaries(shapes, st.integers(1, 2), min_size=1, max_size=2))
    return Combination(tuple(needs.items()), draw(_PAIRS))


# ---------------------------------------------------------------------- laws


Law = Callable[[EvaluatorBase, Board, list[Cell]], None]
"""A law looks at an evaluator, a board, and a few empty cells of it that are to be played or looked at."""


class LawBrokenError(AssertionError):
    """A law does not hold; the message shows the board as a diagram."""

    def __init__(self, law: Law, evaluator: EvaluatorBase, board: Board, problem: str) -> None:
        self.law = law
        title = law.__name__.replace("_", " ")
        super().__init__(
            f"law {title!r} does not hold for {evaluator.name}: {problem}\n\n"
            f"{board}\n    {board.turn} to move\n{board!r}"
        )


class _BrokenError(AssertionError):
    """What is wrong, and on which board if it is not the one the law was given."""

    def __init__(self, problem: str, board: Board | None) -> None:
        self.board = board
        super().__init__(problem)


def _same(what: str, expected: object, found: object, board: Board | None = None) -> None:
    if expected != found:
        raise _BrokenError(f"expected {what} {expected!r}, found {found!r}", board)


def _overrides(evaluator: EvaluatorBase, *methods: str) -> bool:
    """Whether an evaluator has its own way of answering; what follows from its score needs no check against it."""
    own = vars(evaluator)
    return any(name in own or getattr(type(evaluator), name) is not getattr(EvaluatorBase, name) for name in methods)


def the_board_is_left_alone(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Asking changes nothing, and asking again gives the same answer."""
    before = board.copy()
    first = (evaluator.score(board), [evaluator.gain(board, cell) for cell in cells])
    _same("the board", before, board, before)
    _same("the same score and gains", first, (evaluator.score(board), [evaluator.gain(board, cell) for cell in cells]))


def incremental_equals_scratch(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """A tracker that has played knows what the evaluator says of the position from scratch."""
    tracker, played = evaluator.tracker(board), board.copy()
    _compare_tracker(evaluator, tracker, played, cells)
    for number, cell in enumerate(cells):
        tracker.play(cell)
        played.push(cell)
        _compare_tracker(evaluator, tracker, played, cells[number + 1 :])


def _compare_tracker(evaluator: EvaluatorBase, tracker: Tracker, board: Board, cells: list[Cell]) -> None:
    _same("the turn", board.turn, tracker.turn, board)
    _same("the score", evaluator.score(board), tracker.score, board)
    for cell in cells:
        for colour in Colour:
            gain = evaluator.gain(board, cell, colour)
            _same(f"the gain of {colour} on {board.name(cell)}", gain, tracker.gain(cell, colour), board)


def undo_restores(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """After taking back, a tracker says what it said before."""
    tracker = evaluator.tracker(board)
    ranking, told = tracker.ranked(width=5), []
    for number, cell in enumerate(cells):
        told.append((tracker.score, tracker.turn, tracker.gain(cell)))
        tracker.play(cell, Colour(1 + number % 2))
    for cell, before in zip(reversed(cells), reversed(told), strict=True):
        tracker.undo()
        now = (tracker.score, tracker.turn, tracker.gain(cell))
        _same(f"with {board.name(cell)} taken back score, turn and gain", before, now)
    _same("with everything taken back the ranking", ranking, tracker.ranked(width=5))


def gains_change_the_score(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Where scores add up, the score after a move is the score before it plus its gain."""
    for cell in cells if evaluator.additive else ():
        played = board.copy()
        played.push(cell)
        expected = evaluator.score(board) + evaluator.gain(board, cell)
        _same(f"after {board.turn} {board.name(cell)} the score", expected, evaluator.score(played))


def lists_agree(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """``gains``, ``points`` and ``ranked`` say of a cell what ``gain`` says of it."""
    for colour in Colour if _overrides(evaluator, "gains", "points", "ranked") else ():
        gains, points = evaluator.gains(board, colour), evaluator.points(board, colour)
        for cell in cells:
            gain = evaluator.gain(board, cell, colour)
            _same(f"{colour}'s gains at {board.name(cell)}", gain, int(gains[cell]))
            point = gain if evaluator.additive else colour.sign * gain
            _same(f"{colour}'s points at {board.name(cell)}", point, points[cell.row][cell.col])
        order = sorted(board.empties(), key=lambda cell: -colour.sign * int(gains[cell]))
        _same(f"{colour}'s ranking", order, evaluator.ranked(board, colour))
        _same(f"{colour}'s first three", order[:3], evaluator.ranked(board, colour, 3))


def batches_agree(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """``scores`` of many boards are the scores of each."""
    import numpy as np

    played = [board.copy(moves=False)]
    for cell in cells:
        played.append(played[-1].copy())
        played[-1].push(cell)
        played[-1].turn = board.turn
    found = evaluator.scores(np.stack([each.to_array() for each in played]), to_move=board.turn).tolist()
    _same("the scores move by move", [evaluator.score(each) for each in played], found)


def colours_are_alike(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Exchanging the colours negates the score and the gains, for evaluators that claim so."""
    if not evaluator.antisymmetric:
        return
    swapped = board.swap_colours()
    _same("with colours exchanged the score", -evaluator.score(board), evaluator.score(swapped))
    for cell in cells:
        what = f"with colours exchanged the gain on {board.name(cell)}"
        _same(what, -evaluator.gain(board, cell), evaluator.gain(swapped, cell))


def the_eight_symmetries_are_alike(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Turning and mirroring the board leaves scores and gains alone, for evaluators that claim so."""
    score, gains = evaluator.score(board), [evaluator.gain(board, cell) for cell in cells]
    for symmetry in SYMMETRIES if evaluator.symmetric else ():
        turned = board.transform(symmetry)
        _same(f"under symmetry {symmetry} the score", score, evaluator.score(turned))
        found = [evaluator.gain(turned, board.transform_cell(cell, symmetry)) for cell in cells]
        _same(f"under symmetry {symmetry} the gains", gains, found)


def reference_equals_native(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """The native evaluator of a table and the pyahocorasick reference say the same."""
    if evaluator.table is None:
        return
    native, reference = as_evaluator(evaluator.table), as_evaluator(evaluator.table, native=False)
    _same("the score", reference.score(board), native.score(board))
    for cell in cells:
        for colour in Colour:
            gain = reference.gain(board, cell, colour)
            _same(f"the gain of {colour} on {board.name(cell)}", gain, native.gain(board, cell, colour))


def explanations_add_up(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """The score, and a move's gain, is the sum of its explanation."""
    _same("the sum of the explanation", evaluator.score(board), evaluator.explain(board).total)
    for cell in cells[:2]:
        for colour in Colour:
            what = f"the sum of the explanation of {colour} on {board.name(cell)}"
            _same(what, evaluator.gain(board, cell, colour), evaluator.explain(board, cell, colour).total)


LAWS: tuple[Law, ...] = (
    the_board_is_left_alone,
    incremental_equals_scratch,
    undo_restores,
    gains_change_the_score,
    lists_agree,
    batches_agree,
    colours_are_alike,
    the_eight_symmetries_are_alike,
    reference_equals_native,
    explanations_add_up,
)


def check_laws(evaluator: object, board: Board, picks: Iterable[int] = (0, 7, 40), laws: Sequence[Law] = LAWS) -> None:
    """Put one board through the laws; each number picks an empty cell to play and look at."""
    full, cells = as_evaluator(evaluator), _picked_cells(board, picks)
    for law in laws:
        try:
            law(full, board.copy(), cells)
        except _BrokenError as broken:
            raise LawBrokenError(law, full, broken.board or board, str(broken)) from None
        except Exception as error:
            raise LawBrokenError(law, full, board, f"it raised {error!r}") from error


def _picked_cells(board: Board, picks: Iterable[int]) -> list[Cell]:
    free, cells = board.empties(), []
    for pick in picks:
        if free:
            cells.append(free.pop(pick % len(free)))
    return cells


def check_evaluator(
    evaluator: object,
    *,
    boards: st.SearchStrategy[Board] | None = None,
    max_examples: int = 100,
    max_side: int = MAX_SIDE,
    laws: Sequence[Law] = LAWS,
) -> None:
    """Put an evaluator (a table, its name or path, or an object with ``score``) through the laws on many boards.

    Raises :class:`LawBrokenError` for the smallest board found on which a law does not hold.
    """
    full = as_evaluator(evaluator)
    drawn = boards if boards is not None else _default_boards(max_side)
    picks = st.lists(st.integers(0, MAX_SIDE * MAX_SIDE - 1), max_size=5)
    suspects = list(laws)

    @settings(
        max_examples=max_examples,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn, picks)
    def keeps(board: Board, picks: list[int]) -> None:
        try:
            check_laws(full, board, picks, suspects)
        except LawBrokenError as broken:
            # Only the law that failed decides which smaller board still fails: that is what the search should show.
            suspects[:] = [broken.law]
            raise

    keeps()


def _default_boards(max_side: int) -> st.SearchStrategy[Board]:
    return boards(max_side=max_side) | positions(max_side=max_side) | games(max_side=max_side)

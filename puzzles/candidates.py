"""Where puzzles come from: positions in which the side to move may have just been given a win.

A source gives positions, in an order that its random numbers decide; most are no puzzles. Games are played by weak and
by stronger players in turn, with slips; *shapes* are put together from beginnings of fours and threes that cross;
*changes* move, add or take away stones of a puzzle; *earlier* positions are those before the last move of each side.

>>> from random import Random
>>> board = next(played(Random(1), Board(15)))
>>> board.is_over(), len(board.stones("black")) - len(board.stones("white")) in (0, 1)
(False, True)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any, Final

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    from gomoku_patterns.native import NativeEvaluator
    from search.labels import Labeller

WEAK: Final = ("grade_dict", "level", "engine")
"""What weak players judge by."""
WIDTH: Final = 10
"""Moves among which a weak player chooses."""
LONGEST_GAME: Final = 50
STRONG: Final = 5
"""One game in so many is played by a search."""
STRONG_NODES: Final = 800
DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))


# ---------------------------------------------------------------------- games played here


def played(rng: Random, start: Board) -> Iterator[Board]:
    """The positions of a game between two players, weak or strong, from a random opening."""
    board = _opening(rng, start)
    if rng.randrange(STRONG) == 0 and board.rule in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU):
        yield from _strong_game(rng, board)
    else:
        yield from _weak_game(rng, board)


def _opening(rng: Random, start: Board) -> Board:
    """A few stones around the middle, or anywhere on a small board."""
    board = start.copy(moves=False)
    row, col = board.rows // 2, board.cols // 2
    around = [
        Cell(r, c)
        for r in range(max(0, row - 2), min(board.rows, row + 3))
        for c in range(max(0, col - 2), min(board.cols, col + 3))
    ]
    for cell in rng.sample(around, rng.randint(1, 5)):
        if board.is_empty(cell) and (board.rule is not Rule.RENJU or not rules.is_forbidden(board, cell)):
            board.push(cell)
    return board


def _weak_game(rng: Random, board: Board) -> Iterator[Board]:
    """Both sides take one of the moves that a table likes best, the first ones more often."""
    tables = [_evaluator(rng.choice(WEAK)) for _ in range(2)]
    trackers = [table.tracker(board) for table in tables]
    slips = [rng.uniform(0.5, 1.6), rng.uniform(0.5, 1.6)]
    while len(board) < LONGEST_GAME and not board.is_over():
        yield board.copy(moves=False)
        side = board.turn - 1
        cell = _drawn(rng, board, trackers[side].ranked(board.turn, WIDTH), slips[side])
        if cell is None:
            return
        for tracker in trackers:
            tracker.play(cell)
        board.push(cell)


def _drawn(rng: Random, board: Board, ranked: list[Cell], slip: float) -> Cell | None:
    """One of the ranked moves; what is forbidden is left out."""
    if fives := rules.winning_cells(board, board.turn):
        return fives[0]
    if board.rule is Rule.RENJU and board.turn is Colour.BLACK:
        ranked = [cell for cell in ranked if not rules.is_forbidden(board, cell)]
    if not ranked:
        return None
    return ranked[min(len(ranked) - 1, int(rng.expovariate(slip)))]


def _strong_game(rng: Random, board: Board) -> Iterator[Board]:
    """A search of some hundred nodes chooses, and slips now and then."""
    labeller = _labeller(board)
    labeller.new_game()
    while len(board) < LONGEST_GAME and not board.is_over():
        yield board.copy(moves=False)
        cell = _searched(rng, labeller, board)
        if cell is None:
            return
        board.push(cell)


def _searched(rng: Random, labeller: Labeller, board: Board) -> Cell | None:
    if rng.random() < 0.5:
        label = labeller.label(board)
        return label and label.move
    choices = labeller.choices(board, 6)
    if not choices:
        label = labeller.label(board)
        return label and label.move
    best = max(score for _, score in choices)
    weights = [math.exp(max(-50.0, (score - best) / 60)) for _, score in choices]
    return rng.choices(choices, weights)[0][0]


_kept: dict[Any, Any] = {}


def _evaluator(name: str) -> NativeEvaluator:
    from gomoku_patterns.evaluator import as_evaluator

    if name not in _kept:
        _kept[name] = as_evaluator(name)
    found: NativeEvaluator = _kept[name]
    return found


def _labeller(board: Board) -> Labeller:
    from search.labels import Labeller

    key = (board.rows, board.cols, board.rule)
    if key not in _kept:
        _kept[key] = Labeller(Board(board.rows, board.cols, rule=board.rule), nodes=STRONG_NODES)
    found: Labeller = _kept[key]
    return found


# ---------------------------------------------------------------------- shapes


KINDS: Final = (
    # How many crossings, how many lines through each, how many stones on a line, how often an end is stopped.
    ((1, 2, 2, 3), (1, 2, 2, 3), (1, 2, 2, 2, 3), 0.35),
    ((2, 3), (1, 2, 2), (1, 2, 2), 0.4),
    ((2, 3, 4), (2, 2, 3), (1,), 0.3),
)
"""From few strong shapes to many weak ones; the weak ones need longer wins."""


def composed(rng: Random, start: Board) -> Board:
    """Beginnings of fours and threes that cross, with stones of the defender at their ends."""
    rows, cols = start.rows, start.cols
    attacker = rng.choice(list(Colour))
    crossings, lines, stones, stopped = rng.choice(KINDS)
    own: set[Cell] = set()
    other: set[Cell] = set()
    middle = _somewhere(rng, rows, cols)
    for number in range(rng.choice(crossings)):
        crossing = middle if number == 0 else Cell(middle.row + rng.randint(-3, 3), middle.col + rng.randint(-3, 3))
        for direction in rng.sample(DIRECTIONS, rng.choice(lines)):
            inner, ends = _window(rng, crossing, direction)
            own.update(rng.sample(inner, rng.choice(stones)))
            other.update(end for end in ends if rng.random() < stopped)
    own = _inside(own, rows, cols)
    other = _inside(other, rows, cols) - own
    _even_out(rng, start, attacker, own, other)
    sides = {attacker: own, attacker.opponent: other}
    black, white = sorted(sides[Colour.BLACK]), sorted(sides[Colour.WHITE])
    return Board(rows, cols, black=black, white=white, turn=attacker, rule=start.rule)


def _somewhere(rng: Random, rows: int, cols: int) -> Cell:
    """Around the middle, and seldom near an edge."""
    return Cell(*(int(min(max(rng.gauss((side - 1) / 2, side / 7), 0), side - 1)) for side in (rows, cols)))


def _window(rng: Random, crossing: Cell, direction: tuple[int, int]) -> tuple[list[Cell], tuple[Cell, Cell]]:
    """The other cells of a row of five through a crossing, and those beside its ends."""
    shift = rng.randint(-4, 0)
    cells = [
        Cell(crossing.row + step * direction[0], crossing.col + step * direction[1])
        for step in range(shift - 1, shift + 6)
    ]
    return [cell for cell in cells[1:-1] if cell != crossing], (cells[0], cells[-1])


def _inside(cells: set[Cell], rows: int, cols: int) -> set[Cell]:
    return {cell for cell in cells if 0 <= cell.row < rows and 0 <= cell.col < cols}


def _even_out(rng: Random, start: Board, attacker: Colour, own: set[Cell], other: set[Cell]) -> None:
    """Add stones near the others until the counts are those of a game."""
    wanted = len(own) + (attacker is Colour.WHITE)
    near = sorted(
        Cell(cell.row + down, cell.col + right)
        for cell in own | other
        for down in (-2, -1, 0, 1, 2)
        for right in (-2, -1, 0, 1, 2)
    )
    near = [cell for cell in near if 0 <= cell.row < start.rows and 0 <= cell.col < start.cols]
    for _ in range(200):
        if len(other) == wanted or not near:
            return
        cell = rng.choice(near)
        if cell in own or cell in other:
            continue
        if len(other) < wanted:
            other.add(cell)
        else:
            own.add(cell)
            wanted += 1


# ---------------------------------------------------------------------- from a puzzle


def changed(rng: Random, board: Board) -> Board | None:
    """The puzzle with a stone moved, a pair of stones added or taken away, or shifted towards an edge."""
    return rng.choice((_moved, _moved, _with_pair, _without_pair, _shifted))(rng, board)


def earlier(rng: Random, board: Board) -> Board | None:
    """The position before two moves of which a stone of each side is thought to be the last."""
    return _without_pair(rng, board)


def _stones(board: Board) -> dict[Colour, list[Cell]]:
    return {colour: board.stones(colour) for colour in Colour}


def _board(like: Board, stones: dict[Colour, list[Cell]]) -> Board:
    return Board(
        like.rows, like.cols, black=stones[Colour.BLACK], white=stones[Colour.WHITE], turn=like.turn, rule=like.rule
    )


def _near(rng: Random, board: Board, cells: list[Cell]) -> Cell | None:
    """An empty cell near one of these."""
    for _ in range(20):
        from_, down, right = rng.choice(cells), rng.randint(-2, 2), rng.randint(-2, 2)
        row, col = from_.row + down, from_.col + right
        if 0 <= row < board.rows and 0 <= col < board.cols and board.is_empty((row, col)):
            return Cell(row, col)
    return None


def _moved(rng: Random, board: Board) -> Board | None:
    stones = _stones(board)
    colour = rng.choice(list(Colour))
    if not stones[colour]:
        return None
    number = rng.randrange(len(stones[colour]))
    cell = _near(rng, board, [stones[colour][number]])
    if cell is None:
        return None
    stones[colour][number] = cell
    return _board(board, stones)


def _with_pair(rng: Random, board: Board) -> Board | None:
    stones = _stones(board)
    every = [*stones[Colour.BLACK], *stones[Colour.WHITE]]
    for colour in Colour:
        cell = _near(rng, board, every)
        if cell is None or cell in stones[colour.opponent]:
            return None
        stones[colour].append(cell)
    return _board(board, stones)


def _without_pair(rng: Random, board: Board) -> Board | None:
    stones = _stones(board)
    if min(map(len, stones.values())) < 2:
        return None
    for colour in Colour:
        stones[colour].pop(rng.randrange(len(stones[colour])))
    return _board(board, stones)


def _shifted(rng: Random, board: Board) -> Board | None:
    """Right up to an edge, or beside it: there other things win."""
    stones = _stones(board)
    every = [*stones[Colour.BLACK], *stones[Colour.WHITE]]
    rows, cols = [cell.row for cell in every], [cell.col for cell in every]
    gap = rng.choice((0, 0, 1, 2))
    down, right = rng.choice((
        (gap - min(rows), 0), (board.rows - 1 - gap - max(rows), 0),
        (0, gap - min(cols)), (0, board.cols - 1 - gap - max(cols)),
    ))  # fmt: skip
    moved = {colour: [Cell(cell.row + down, cell.col + right) for cell in stones[colour]] for colour in Colour}
    if all(0 <= c.row < board.rows and 0 <= c.col < board.cols for part in moved.values() for c in part):
        return _board(board, moved)
    return None

"""Openings for matches: read from files of any notation, or made at random and balanced.

>>> [str(board.turn) for board in random_openings(2, Board(), seed=1, plies=3)]
['white', 'white']

A random opening keeps its stones together near the centre and breaks no rule. With a judge, the most even of several
candidates is taken and those that the solver proves won are thrown away; no two are the same up to symmetry.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from gomoku_patterns.board import SYMMETRIES, Board
from gomoku_patterns.cells import BLACK, WHITE
from gomoku_patterns.errors import ArenaError, NotationError
from gomoku_patterns.notation import read_positions
from gomoku_patterns.rules import Rule
from search.player_base import Player
from search.players import player
from search.result import Limit

PLIES = 5
CANDIDATES = 6
JUDGE_NODES = 1000

OBLONG_SYMMETRIES = (0, 2, 4, 5)
"""Those that leave a board that is not square as it is."""

_REACH = 2
_PROOF_NODES = 2000
_BARREN = 1000


def read_openings(
    path: str | Path, *, rows: int, cols: int | None = None, rule: Rule = Rule.FREESTYLE, plies: int | None = None
) -> list[Board]:
    """The openings of a file in any notation, in order; of whole games the first ``plies`` moves.

    A file says nothing of the size where its notation does not; where it does, the size has to be the one asked for.
    """
    file = Path(path)
    size = (rows, rows if cols is None else cols)
    try:
        entries = read_positions(file, name=str(path), size=size, rule=rule)
        found = [first_plies(entry.board, plies) for entry in entries]
    except NotationError as error:
        raise error.located(str(path)) if error.source is None else error from None
    for number, board in enumerate(found, 1):
        if board.is_over():
            raise ArenaError(f"{path}: opening {number} is a game that is over")
    return found


def first_plies(board: Board, plies: int | None) -> Board:
    """The position after the first moves of a game; stones that were set up stay."""
    early = board.copy()
    while plies is not None and len(early.moves) > plies:
        early.pop()
    return early


def random_openings(
    count: int,
    start: Board,
    *,
    seed: int = 0,
    plies: int = PLIES,
    judge: Player | None = None,
    limit: Limit | None = None,
) -> list[Board]:
    """``count`` openings of ``plies`` stones from an empty board, or from any position to start with."""
    rng = random.Random(f"openings {seed}")
    seen: set[tuple[bytes, ...]] = set()
    candidates = _fresh(rng, start, plies, seen)
    found: list[Board] = []
    for _ in range(count):
        board = next(candidates, None) if judge is None else _most_even(candidates, judge, limit)
        if board is None:
            raise ArenaError(f"cannot make {count} different openings of {plies} stones: there seem to be {len(found)}")
        found.append(board)
    return found


def even_openings(
    count: int, start: Board, *, seed: int = 0, plies: int = PLIES, judge: str = "engine", nodes: int = JUDGE_NODES
) -> list[Board]:
    """Random openings that a player, at so many nodes each, finds even."""
    return random_openings(count, start, seed=seed, plies=plies, judge=player(judge), limit=Limit(nodes=nodes))


def _fresh(rng: random.Random, start: Board, plies: int, seen: set[tuple[bytes, ...]]) -> Iterator[Board]:
    """Random openings that are not over and not seen yet, until there seem to be no more."""
    fruitless = 0
    while fruitless < _BARREN:
        board = random_opening(rng, start, plies)
        key = canonical(board)
        if board.is_over() or key in seen:
            fruitless += 1
            continue
        fruitless = 0
        seen.add(key)
        yield board


def random_opening(rng: random.Random, start: Board, plies: int) -> Board:
    """So many random moves, each near a stone or the centre."""
    board = start.copy()
    for _ in range(plies):
        # Only renju forbids anything; elsewhere the empty cells need no rules.
        legal = board.legal_moves() if board.rule is Rule.RENJU else board.empties()
        wanted = _near(board)
        near = [cell for cell in legal if cell in wanted]
        if not legal:
            break
        board.push(rng.choice(near or legal))
    return board


def _near(board: Board) -> set[tuple[int, int]]:
    """The cells within two of a stone, or near the centre of an empty board."""
    steps = range(-_REACH, _REACH + 1)
    stones = [*board.stones(BLACK), *board.stones(WHITE)]
    if stones:
        return {(stone.row + down, stone.col + right) for stone in stones for down in steps for right in steps}
    rows, cols = (range((side - 3) // 2, (side + 4) // 2) for side in (board.rows, board.cols))
    return {(row, col) for row in rows for col in cols}


def _most_even(candidates: Iterator[Board], judge: Player, limit: Limit | None) -> Board | None:
    while batch := list(islice(candidates, CANDIDATES)):
        open_ones = [board for board in batch if not _is_decided(board)]
        if open_ones:
            return min(open_ones, key=lambda board: abs(judge.search(board, limit).score))
    return None


def _is_decided(board: Board) -> bool:
    """Whether a win is proven; under caro there are no proofs."""
    from search import solve
    from search.verifier import RULES

    return board.rule in RULES and solve(board, Limit(nodes=_PROOF_NODES)).status.name == "PROVEN"


def canonical(board: Board) -> tuple[bytes, ...]:
    """The same for all symmetric positions, and different for all others."""
    turned = (board.transform(symmetry) for symmetry in SYMMETRIES)
    return min((bytes([other.rows, board.turn]), other.to_array().tobytes()) for other in turned)


def opening_key(opening: Board, game: int) -> tuple[object, ...]:
    """Return what games from the same opening share; a game from the empty board has made its opening itself."""
    return canonical(opening) if len(opening) else (game,)


def lap(board: Board, number: int) -> Board:
    """An opening in the given lap over a book: turned and mirrored, in as many ways as its board allows."""
    symmetries = SYMMETRIES if board.rows == board.cols else OBLONG_SYMMETRIES
    return board.transform(symmetries[number % len(symmetries)])


def different(openings: Sequence[Board], pairs: int) -> int:
    """Return on how many openings so many pairs are played; what symmetries make of an opening is no other."""
    return len({canonical(board) for board in openings[:pairs]})

"""Many like positions on shared tables: each claim is a proof, and a proof holds outside its zone."""

from __future__ import annotations

from random import Random

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Colour
from gomoku_patterns.errors import GomokuError
from search._leaves import LeafSearch
from search._solver import Unsound
from search.proof import Proof
from search.verifier import verify
from tests.search.slow_zone import zone_of

SIZES = ((15, 15), (15, 15), (9, 12))


def position(random: Random, rows: int, cols: int) -> Board:
    """A handful of stones around the centre, black to move."""
    board = Board(rows, cols)
    cells = [cell for cell in board.cells() if abs(cell.row - rows // 2) <= 3 and abs(cell.col - cols // 2) <= 3]
    random.shuffle(cells)
    for number in range(random.randint(7, 13)):
        board.push(cells.pop(), 1 + number % 2)
    board.turn = "black"
    return board.copy(moves=False)


def board_of(cells: bytes, like: Board) -> Board:
    board = Board(like.rows, like.cols)
    for cell, stone in zip(board.cells(), cells, strict=True):
        if stone:
            board.push(cell, stone)
    board.turn = "black"
    return board.copy(moves=False)


@pytest.mark.parametrize("seed", range(6))
def test_zones_are_those_of_the_definition_and_proofs_hold_outside(seed: int) -> None:
    random = Random(seed)
    rows, cols = random.choice(SIZES)
    leaves = LeafSearch(Board(rows, cols), 1)
    shown = 0
    for _ in range(8):
        board = position(random, rows, cols)
        if board.winner() is not None or leaves.attempt(board.flat, 3000) is not True:
            continue
        zones = {extra: leaves.zone(extra) for extra in (0, 1, 2)}
        tree = leaves.proof()
        assert verify(Proof(board, tree), board, thorough=False)
        for extra, zone in zones.items():
            named = {cell for number, cell in enumerate(board.cells()) if zone >> number & 1}
            assert named == zone_of(tree, board, extra)
            outside = [cell for cell in board.empties() if cell not in named]
            if extra and len(outside) >= extra:
                more = board.copy()
                for cell in random.sample(outside, extra):
                    more.push(cell, 2)
                more.turn = "black"
                more = more.copy(moves=False)
                assert more.winner() is not None or verify(Proof(more, tree), more, thorough=False)
        shown += 1
    assert shown or seed


@pytest.mark.parametrize("seed", range(2))
def test_what_twins_and_earlier_searches_teach_is_sound(seed: int) -> None:
    random = Random(seed)
    leaves = LeafSearch(Board(15), 1)
    for _ in range(6):
        board = position(random, 15, 15)
        if board.winner() is not None or leaves.attempt(board.flat, 3000) is not True:
            continue
        first = leaves.first_move
        replies = [cell for cell, stone in enumerate(board.flat) if not stone]
        last = None
        for reply in random.sample(replies, 8):
            after = board.flat[:reply] + b"\2" + board.flat[reply + 1 :]
            there = board_of(after, board)
            if there.winner() is None and leaves.attempt(after, 1000, first, reply) is True:
                assert verify(Proof(there, leaves.proof()), there, thorough=False)
            if last is not None and there.winner() is None and leaves.attempt(after, 1000, first, reply, last) is True:
                assert verify(Proof(there, leaves.proof()), there, thorough=False)
            last = reply


def test_a_denial_that_a_budget_caused_is_not_kept() -> None:
    """Whatever small budgets could not find, a large one finds on the same tables as on new ones."""
    random, warm, cold = Random(5), LeafSearch(Board(15), 1), LeafSearch(Board(15), 1)
    found = 0
    for _ in range(40):
        board = position(random, 15, 15)
        if board.winner() is not None:
            continue
        for nodes in (30, 100, 300):
            warm.attempt(board.flat, nodes)
        cold.forget()
        if cold.attempt(board.flat, 20_000) is True:
            found += 1
            assert warm.attempt(board.flat, 100_000) is True
    assert found > 5


def test_on_empty_tables_everything_is_done_the_same_way() -> None:
    board = Board(black=["g9", "j9", "h8", "i8"], white=["h10", "h9", "i9", "i7"], turn="black")
    leaves, other = LeafSearch(Board(), 1), LeafSearch(Board(), 1)
    assert leaves.attempt(board.flat, 5000) is True
    nodes, proof = leaves.nodes, Proof(board, leaves.proof()).to_json()
    other.attempt(position(Random(1), 15, 15).flat, 3000)
    other.forget()
    assert other.attempt(board.flat, 5000) is True
    assert (other.nodes, Proof(board, other.proof()).to_json()) == (nodes, proof)


def test_full_tables_are_emptied_and_the_search_goes_on() -> None:
    leaves, random = LeafSearch(Board(), 1, 2 << 20), Random(3)
    for _ in range(60):
        leaves.attempt(position(random, 15, 15).flat, 20_000)
    board = Board(black=["c5", "d5", "e5"], turn="black")
    assert leaves.attempt(board.flat, 100) is not False
    assert leaves.attempt(board.flat, 100) is True


def test_a_proof_is_asked_for_while_its_position_stands() -> None:
    leaves, board = LeafSearch(Board(), 1), Board(black=["c5", "d5", "e5"], turn="black")
    assert leaves.attempt(board.flat, 100) is True
    assert leaves.fives(board.flat) == []
    assert leaves.zone()
    leaves.worths(Board().flat)
    with pytest.raises(Unsound):
        leaves.zone()
    assert leaves.attempt(Board().flat, 100) is not True
    with pytest.raises(Unsound):
        leaves.proof()


def test_other_rules_and_sizes_are_refused() -> None:
    with pytest.raises(GomokuError, match="no proofs under caro rules"):
        LeafSearch(Board(15, rule="caro"), 1)
    with pytest.raises(GomokuError, match="225 cells"):
        LeafSearch(Board(15), 1).attempt(Board(9).flat, 100)
    with pytest.raises(GomokuError, match="expected a cell"):
        LeafSearch(Board(15), 1).attempt(Board(15).flat, 100, 225)


def test_the_line_of_a_twin_ends_where_it_wins_on_this_board() -> None:
    """With black's stone on e4 the answer to white's first four is forbidden, and the line is won two moves sooner."""
    black = ["b8", "d8", "a7", "b7", "c7", "f7", "e6", "c5", "i5", "d3", "h3"]
    white = ["c9", "i8", "g7", "b6", "c6", "f6", "b5", "a4", "i2", "a1", "f1"]
    twin = Board(9, rule="renju", black=black, white=white, turn="white")
    board = Board(9, rule="renju", black=[*black, "e4"], white=white, turn="white")
    leaves = LeafSearch(twin, int(Colour.WHITE))
    assert leaves.attempt(twin.flat, 2000)
    assert leaves.attempt(board.flat, 2000, taken=board.index(board.cell("e4")))
    assert verify(Proof(board, leaves.proof()), board)

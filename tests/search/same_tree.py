"""Native and Python searches put side by side."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from gomoku_patterns import Board, Rule

PARTS = ("move", "score", "nodes", "depth", "pv", "stats", "stopped_by")


def assert_same_tree(search, board, limit, **settings):
    """The native search and the one in Python answer alike in every part."""
    python, native = (search(board, limit=limit, native=kind, **settings) for kind in (False, True))
    for part in PARTS:
        assert getattr(native, part) == getattr(python, part), part


@st.composite
def small_boards(draw, most=16, rules=tuple(Rule), sides=(5, 7)):
    """Positions on small boards that are not over, of either side to move."""
    rows, cols = draw(st.integers(*sides)), draw(st.integers(*sides))
    places = [(row, col) for row in range(rows) for col in range(cols)]
    stones = draw(st.lists(st.sampled_from(places), unique=True, max_size=most))
    half = len(stones) // 2
    turn, rule = draw(st.sampled_from(["black", "white"])), draw(st.sampled_from(rules))
    board = Board(rows, cols, black=stones[:half], white=stones[half:], turn=turn, rule=rule)
    assume(not board.is_over())
    return board

"""What the solver claims is true: by the verifier, by exhaustive search, and by the slow definitions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns.board import Board
from gomoku_patterns.cells import WHITE
from gomoku_patterns.notation import parse_json_position
from search.result import Limit
from search.solver import Status, solve
from search.verifier import verify
from tests.long import examples, some
from tests.search.boards import draw, names
from tests.search.exhaustive import can_force_by_fours
from tests.search.soundness import RULES, Claim, claims, quiet_claim, shortest_claim, wrong_claims


@pytest.mark.parametrize("seed", range(0, 200, 25))
def test_random_positions(seed: int) -> None:
    """``.ci/soundness.py`` does the same with ten thousand."""
    numbers = some(range(seed, seed + 25), 12)
    wrong = {number: list(wrong_claims(claim)) for number in numbers for claim in claims(number, 300)}
    assert not any(wrong.values())


def test_wins_by_quiet_moves_on_crowded_boards() -> None:
    """``.ci/soundness.py --quiet`` does the same with twenty thousand."""
    found = [quiet_claim(seed) for seed in range(120)]
    assert [(board, faults) for _, board, faults in found if faults] == []
    assert sum(kind == "quiet win" for kind, _, _ in found) > 10


@settings(max_examples=examples(150, long=400))
@given(st.integers(0, 10**9))
def test_what_is_said_to_be_the_shortest_win_is(seed: int) -> None:
    """``.ci/soundness.py --shortest`` does the same with tens of thousands."""
    _, board, faults = shortest_claim(seed)
    assert not faults, board


@settings(max_examples=60)
@given(st.lists(st.sampled_from("XXO..."), min_size=56, max_size=56), st.sampled_from(RULES), st.sampled_from("XO"))
def test_wins_by_fours_are_found_exactly_where_they_exist(cells: list[str], rule: str, mover: str) -> None:
    board = draw("\n".join("".join(cells[row * 8 : row * 8 + 8]) for row in range(7)), rule=rule)
    board.turn = "black" if mover == "X" else "white"  # type: ignore[assignment]  # the setter takes names too
    if board.winner() is None:
        found = solve(board, Limit(nodes=100_000), mode="vcf").status
        assert found is (Status.PROVEN if can_force_by_fours(board) else Status.DISPROVEN)


REGRESSIONS = [
    # A reply in the middle of a threat line that the reply set of that node had missed.
    (
        "vct",
        {
            "rows": 7,
            "cols": 12,
            "black": ["b5", "c5", "f4", "e3", "f3", "g3", "d2", "e2", "f2", "e1", "g1", "h1"],
            "white": ["d4", "e4", "g4", "a3", "c3", "i3", "g2", "h2", "c1", "d1", "f1"],
            "to_move": "black",
        },
    ),
    # A four whose only answer was thought not to be a reply.
    (
        "vcf",
        {
            "black": ["i11", "d10", "h10", "e9", "g9", "f8", "g8", "i8", "g7", "h7", "f6", "g6", "f5", "k5"],
            "white": ["j12", "c11", "g10", "h9", "j9", "h8", "k8", "e7", "k7", "h6", "k6", "g5", "e4"],
            "to_move": "white",
        },
    ),
]


@pytest.mark.parametrize(("mode", "position"), REGRESSIONS)
def test_what_was_claimed_wrongly_once(mode: str, position: dict[str, Any]) -> None:
    board = parse_json_position(position)
    for nodes in (100, 1000, 10_000):
        claim = Claim("midgame", board, mode, solve(board, Limit(nodes=nodes), mode=mode))
        assert not list(wrong_claims(claim))


# ---------------------------------------------------------------------- positions with a trap


def status(board: Board, mode: str = "vcf") -> str:
    """What is claimed, after every proof was verified."""
    solution = solve(board, Limit(nodes=200_000), mode=mode)
    assert solution.proof is None or verify(solution.proof, board)
    return str(solution.status)


def first(board: Board) -> str:
    """The first move of the win by fours."""
    move = solve(board, Limit(nodes=200_000), mode="vcf").move
    assert move is not None
    return names(board, [move])


ROW = """
    . . . . . . . . .
    . . . . . . . . .
    {row}
    . . . . . . . . .
    . . . . . . . . .
    """


@pytest.mark.parametrize(
    ("row", "freestyle", "standard", "renju"),
    [
        (". . . X X X . . .", True, True, True),  # a straight four either way
        ("X . . X X X . . X", True, False, False),  # both straight fours are overlines at one end
        ("O . X X X . . . .", True, True, True),  # only to the right
        ("O . X X X . O . .", False, False, False),  # no room for five on both sides
        (". X X X . . O . .", True, True, True),  # one cell from the edge: room for five still
        ("X X X . . . . . .", False, False, False),  # on the edge: one answer stops it
        ("X X . X X X . . .", True, False, False),  # six at once; one row is not two fours
        ("X . X X X . X O .", True, True, True),  # the five on the left is there already
        (". X . X . X . . .", False, False, False),
        ("X . X . X . X . .", True, True, False),  # two fours in one row: renju forbids them to black
    ],
)
def test_a_row_alone(row: str, freestyle: bool, standard: bool, renju: bool) -> None:
    for rule, wins in (("freestyle", freestyle), ("standard", standard), ("renju", renju)):
        assert (status(draw(ROW.format(row=row), rule=rule)) == "proven") == wins


def test_white_may_do_under_renju_what_black_may_not() -> None:
    for row in ("O . O . O . O . .", "O O . O O O . . .", "O . . O O O . . O"):
        board = draw(ROW.format(row=row), "white", "renju")
        assert status(board) == "proven"
        assert status(board.swap_colours()) == "disproven"


def test_a_four_that_stops_a_five_comes_first() -> None:
    """White threatens f7; black's only way to win begins there, with a four of his own down the file."""
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        X O O O O . . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . X X X . . . .
        . . . . . . . . .
        """
    board = draw(diagram)
    assert (status(board), first(board)) == ("proven", "f7")
    without = draw(diagram.replace(". . . . . X . . .", ". . . . . . . . .", 1))
    assert status(without) == "disproven"


def test_a_three_is_no_win_while_the_defender_has_a_four() -> None:
    board = draw(
        """
        . . . . . . . . .
        . O O O O X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X X X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    assert status(board) == "disproven"
    board.push("a8")
    board.push("i1")
    assert status(board) == "proven"


def test_an_answer_that_makes_a_four_is_no_way_to_begin() -> None:
    """Black's four at b5 is answered at a5, which is white's own four: black must begin in the g-file."""
    diagram = """
        X . . . . . . . .
        O . . . . . X . .
        O . . . . . X . .
        O . . . . . X . .
        . . X X X O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    board = draw(diagram)
    assert (status(board), first(board)) == ("proven", "g5")
    assert status(draw(diagram.replace(". . . . . X", ". . . . . O", 1))) == "disproven"


def test_white_forces_black_onto_a_forbidden_point() -> None:
    """The answer to white's four would be black's overline: forbidden, and the five follows."""
    diagram = """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        X O O O . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    renju = draw(diagram, "white", "renju")
    assert (status(renju), first(renju)) == ("proven", "f6")
    for rule in ("freestyle", "standard"):
        assert status(draw(diagram, "white", rule)) == "disproven"


def test_black_does_not_win_on_a_forbidden_point() -> None:
    """Two fours at e5: the win in freestyle, a foul under renju."""
    diagram = """
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert first(draw(diagram)) == "e5"
    board = draw(diagram, rule="renju")
    solution = solve(board, Limit(nodes=200_000), mode="vcf")
    assert board.cell("e5") in board.forbidden()
    assert solution.move != board.cell("e5")


@pytest.mark.parametrize("rule", RULES)
def test_a_win_on_the_edge_and_in_the_corner(rule: str) -> None:
    board = draw(
        """
        . . . X X X . . .
        . . . . . . . . .
        . . . . . . . . X
        . . . . . . . . X
        . . . . . . . . X
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        rule=rule,
    )
    for symmetry in range(8):
        assert status(board.transform(symmetry)) == "proven"


def test_stones_far_away_change_nothing() -> None:
    board = Board(22, black=["b2", "b3", "b4"], white=["u21", "u20", "u19", "a3"], turn="black")
    assert status(board) == "proven"
    board.turn = WHITE
    assert status(board) == "proven"

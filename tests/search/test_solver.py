"""The solver: what it finds, what it claims, and that it stops when it is told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from gomoku_patterns.board import SYMMETRIES, Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import BoardError, GomokuError, IllegalMoveError, PlayerError
from gomoku_patterns.rules import winning_cells
from puzzles import load
from search._control import Cancel, Control
from search._solver import ProofSearch, Unsound
from search.denial import Attacks, Denial
from search.proof import Attack, Defence, Proof
from search.result import Limit
from search.solver import DEFAULT_LIMIT, Solution, Solver, Status, memory_for, solve
from search.verifier import verify
from search.within import wins_within
from tests.long import some
from tests.search.boards import draw, names
from tests.search.exhaustive import can_force_five_within, four_works, holds_against_all
from tests.search.soundness import MODES, RULES, endgame
from tests.timing import quickest, slowness

LEVEL_4 = Board(
    black=["f11", "e10", "f10", "e9", "h8", "d7", "f7", "g7", "f6", "g6"],
    white=["e11", "g10", "d9", "f9", "i9", "j9", "e8", "e7", "f5", "g5"],
)
# This opening keeps the solver busy for many seconds.
HARD = Board(
    black=[(4, 10), (6, 8), (7, 7), (9, 9)],
    white=[(5, 6), (5, 8), (7, 8)],
    turn="white",
)

STRAIGHT_FOUR = """
    . . . . . . . . .
    . . . . . . . . .
    . . . X X X . . .
    . . . O O . . . .
    . . . . . . O . .
    """


def proven(solution: Solution) -> tuple[str, int | None, bool]:
    assert solution.proof is not None
    assert verify(solution.proof)
    return str(solution.status), solution.length, solution.minimal


# ---------------------------------------------------------------------- what is found


def test_five_at_once() -> None:
    board = draw("X X X X .\n. . . . .\nO O O O .\n. . . . .\n. . . . .")
    solution = solve(board, shortest=True)
    assert proven(solution) == ("proven", 1, True)
    assert names(board, [solution.move] if solution.move else []) == "e5"


def test_a_straight_four_wins_in_three_plies() -> None:
    assert proven(solve(draw(STRAIGHT_FOUR), shortest=True)) == ("proven", 3, True)


def test_the_defenders_four_must_be_stopped_first() -> None:
    board = draw(
        """
        . . . . . . . . .
        . X O O O O . . .
        . . . . . . . . .
        . . X X X . . . .
        . . . . . . . . .
        """
    )
    assert solve(board).status is Status.DISPROVEN
    board.push("g3", "black")
    board.turn = "black"  # type: ignore[assignment]
    assert solve(board).status is Status.DISPROVEN


def test_stopping_a_four_may_be_a_four_itself() -> None:
    board = draw(
        """
        . . X X X . . . . .
        . O . . . . . . . .
        . O . . . . . . . .
        . O . . . . . . . .
        . O . . . . . . . .
        . X . . . . . . . .
        . . . . . . . . . .
        X . . . . . . . . .
        """
    )
    solution = solve(board)
    assert solution.move == board.cell("b8")
    assert proven(solution)[0] == "proven"


def test_two_fives_of_the_defender_cannot_be_stopped() -> None:
    board = draw(". . . . . . .\n. O O O O . .\n. . . . . . .\n. X X X . . .\n. . . . . . .")
    assert solve(board).status is Status.DISPROVEN


def test_white_forces_black_onto_a_forbidden_point() -> None:
    diagram = """
        . . . . . . . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . X . . .
        X O O O . . . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    board = draw(diagram, turn="white", rule="renju")
    solution = solve(board, shortest=True)
    assert proven(solution)[:2] == ("proven", 3)
    assert solution.move == board.cell("e5")
    assert solve(draw(diagram, turn="white")).status is Status.DISPROVEN, "where six wins there is no trap"


@pytest.mark.parametrize(("symmetry", "swapped"), some(product(SYMMETRIES, (False, True)), 6))
def test_every_view_of_a_level_is_won(symmetry: int, swapped: bool) -> None:
    board = LEVEL_4.transform(symmetry)
    board.turn = "black"  # type: ignore[assignment]
    if swapped:
        board = board.swap_colours()
    assert proven(solve(board, Limit(nodes=200_000)))[0] == "proven"


def test_the_shortest_win_is_found_by_asking_for_it() -> None:
    first, shortest = solve(LEVEL_4, Limit(nodes=200_000)), solve(LEVEL_4, Limit(nodes=200_000), shortest=True)
    assert proven(shortest) == ("proven", 11, False)
    assert shortest.exhausted == Denial(Attacks.THREATS, plies=9)
    assert first.length is not None
    assert first.length >= 11


@pytest.mark.parametrize(
    ("shape", "black", "white", "turn", "mode"),
    [
        ((5, 6), "a5 b5 d5 a4 d4 b3 b2 e2 e1 f1", "e5 f5 e4 f4 a3 e3 f3 a2 f2", "black", "vct"),
        ((6, 5), "d6 e6 a5 d5 e5 a3 a2 a1 d1", "a6 c6 a4 b3 c3 d3 b2 c2 e1", "white", "vcf"),
    ],
)
def test_no_win_is_the_shortest_when_another_mode_finds_a_shorter_one(
    shape: tuple[int, int], black: str, white: str, turn: str, mode: str
) -> None:
    board = Board(*shape, black=black.split(), white=white.split(), turn=turn)
    assert proven(solve(board, mode=mode, shortest=True)) == ("proven", 7, False)
    assert proven(solve(board, shortest=True)) == ("proven", 5, True)


def test_nine_plies_are_known_to_be_the_shortest_when_no_quiet_move_is_quicker() -> None:
    board = Board(
        11,
        black=["e11", "k10", "k9", "d8", "c7", "e7", "b6", "d5", "e5", "f5", "h4", "j4", "b3", "j3", "h2", "g1", "j1"],
        white=["c10", "c8", "g8", "i8", "k8", "g7", "d6", "e6", "a5", "i5", "f4", "g4", "k4", "a3", "d3", "i2", "i1"],
        turn="white",
    )
    assert wins_within(board, 7) is Status.DISPROVEN
    for limit in (Limit(nodes=400_000), Limit(seconds=20), Limit(depth=30)):
        assert proven(solve(board, limit, shortest=True)) == ("proven", 9, True)
    without_time = solve(board, Limit(nodes=solve(board, shortest=True).nodes), shortest=True)
    assert proven(without_time)[:2] == ("proven", 9)
    assert not without_time.minimal


@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_to_be_the_shortest_is(seed: int) -> None:
    random = Random(seed)
    board = endgame(random, random.choice(RULES))
    solution = solve(board, Limit(nodes=20_000), mode=random.choice(MODES), shortest=True)
    if solution.minimal:
        assert solution.length
        assert not can_force_five_within(board.copy(), solution.length - 2)


def test_what_a_mode_exhausts_is_said() -> None:
    empty = Board(9)
    denials = {mode: solve(empty, mode=mode).exhausted for mode in ("vcf", "vct", "full")}
    kinds = {"vcf": Attacks.FOURS, "vct": Attacks.THREES, "full": Attacks.THREATS}
    assert denials == {mode: Denial(attacks) for mode, attacks in kinds.items()}
    assert {mode: str(denial) for mode, denial in denials.items()} == {
        "vcf": "no VCF",
        "vct": "no VCT: no win by fours and live threes",
        "full": "no win by moves that extend a line and threaten continuous fours",
    }


LEVELS = [level.board for level in load()]


@pytest.mark.parametrize("number", [2, 5, 7, 10, 15])
def test_first_moves_can_be_left_out_until_none_wins(number: int) -> None:
    board, found = LEVELS[number - 1], solve(LEVELS[number - 1], shortest=True)
    within = Limit(depth=found.length, nodes=200_000)
    keys: list[Cell] = []
    while (other := solve(board, within, without=keys)).move is not None:
        assert other.move not in keys
        assert other.length == found.length
        assert verify(other.proof)
        keys.append(other.move)
    assert len(keys) == {2: 1, 5: 2, 7: 1, 10: 2, 15: 1}[number]
    assert other.status is Status.DISPROVEN
    assert other.exhausted == Denial(Attacks.THREATS, found.length, tuple(map(board.name, keys)))
    assert str(other.exhausted).endswith(f"without {', '.join(map(board.name, keys))} as the first move")


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_a_four_that_nothing_answers_wins_as_the_only_first_move(rule: str) -> None:
    board = Board(9, rule=rule, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
    for four in ("f5", "b5"):
        found = solve(board, Limit(nodes=1000), without=[cell for cell in board.empties() if board.name(cell) != four])
        assert found.length == 3 and board.name(found.move) == four
        assert verify(found.proof)


@pytest.mark.parametrize("seed", range(80))
def test_fours_without_some_first_moves_are_exhausted(seed: int) -> None:
    random = Random(seed)
    board = endgame(random, "freestyle")
    without = random.sample(board.empties(), 3)
    found = solve(board, mode="vcf", without=without)
    first = [cell for cell in board.empties() if cell not in without]
    fives = winning_cells(board, board.turn)
    won = any(cell in fives or four_works(board.copy(), cell, {}) for cell in first)
    assert found.status is (Status.PROVEN if won else Status.DISPROVEN)
    assert found.move not in without


def test_a_four_that_cannot_be_answered_is_seen_where_first_moves_are_left_out() -> None:
    """Its answer would make the defender fives of his own, too late."""
    board = LEVELS[15].copy()
    for cell in ("h9", "h10", "j9", "g9"):
        board.push(cell)
    board = board.copy(moves=False)
    without = [cell for cell in board.legal_moves() if board.name(cell) != "i10"]
    found = solve(board, without=without)
    assert (found.length, verify(found.proof).accepted) == (3, True)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("rule", RULES)
def test_a_single_first_move_that_wins_in_three_is_seen_by_the_full_search(seed: int, rule: str) -> None:
    random = Random(seed)
    board = endgame(random, rule)
    cell = random.choice(board.legal_moves())
    without = [other for other in board.legal_moves() if other != cell]
    won = cell in winning_cells(board, board.turn) or holds_against_all(
        board.copy(), cell, lambda left: can_force_five_within(left, 1)
    )
    found = solve(board, Limit(depth=3, nodes=10_000), without=without)
    assert (found.status is Status.PROVEN) is won


def test_first_moves_are_left_out_of_some_searches_only() -> None:
    with pytest.raises(PlayerError, match="first moves can be left out in the modes vcf, vct and full"):
        solve(Board(), mode="any", without=["h8"])
    with pytest.raises(PlayerError, match="not with shortest"):
        solve(Board(), shortest=True, without=["h8"])
    with pytest.raises(BoardError, match="expected a cell"):
        solve(Board(), without=["z8"])


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (5, 22), (22, 5), (22, 22), (7, 12)])
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_boards_of_every_size(rows: int, cols: int, rule: str) -> None:
    board = Board(rows, cols, rule=rule, black=[(2, 1), (2, 2), (2, 3)], turn="black")
    assert proven(solve(board, Limit(nodes=10_000)))[0] == "proven" if cols > 5 else True
    assert solve(Board(rows, cols, rule=rule), Limit(nodes=1000)).status is not Status.PROVEN


def test_a_four_whose_answer_is_forbidden_wins_when_no_budget_is_left_to_see_it() -> None:
    """After f5 f6 white plays g5, and black may not stop the five at h5: that is a double three."""
    board = Board(
        rule="renju",
        black=["f7", "h7", "g6", "h6", "c5", "f1"],
        white=["d5", "e5", "f4", "f3", "f2"],
        turn="white",
    )
    search = ProofSearch(board, board.rule, 1 << 24, first_budget=0)
    assert search.solve(board, "vcf", Control(Limit(nodes=10_000)), 10_000, without=[board.cell("a1")]) == 1
    proof = Proof(board, search.proof())
    assert list(map(board.name, proof.main_line())) == ["f5", "f6", "g5", "g4", "h5"]
    assert verify(proof, board)


def test_nothing_to_play_is_nothing_to_win() -> None:
    full = draw("X X O X O\nO O X O X\nX X O X O\nO O X O X\nX X O X O")
    assert solve(full).status is Status.DISPROVEN


def test_a_solver_may_be_asked_again_and_again() -> None:
    solver = Solver(memory=8 << 20)
    assert [str(solver.solve(board).status) for board in (LEVEL_4, Board(9), LEVEL_4)] == [
        "proven", "disproven", "proven",
    ]  # fmt: skip


# ---------------------------------------------------------------------- what is refused


def test_a_game_that_is_won_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="already won"):
        solve(draw("X X X X X\n. . . . .\nO O O O .\n. . . . .\n. . . . ."))


def test_unknown_modes_and_rules_are_refused() -> None:
    with pytest.raises(PlayerError, match="unknown mode 'all'; the modes are vcf, vct, full, book, any"):
        solve(Board(), mode="all")
    with pytest.raises(BoardError, match="found 'caro'"):
        solve(Board(rule="caro"))


# ---------------------------------------------------------------------- limits


@pytest.mark.parametrize("nodes", [1, 2, 100, 12_345])
def test_node_limits_are_exact(nodes: int) -> None:
    solution = solve(HARD, Limit(nodes=nodes))
    assert (solution.status, solution.stopped_by, solution.nodes) == (Status.UNKNOWN, "nodes", nodes)


@pytest.mark.parametrize("beside", [{"nodes": 10**9}, {"seconds": 60}])
def test_a_limit_on_the_depth_counts_beside_others(beside: dict[str, int]) -> None:
    shorter = solve(LEVEL_4, Limit(depth=9, **beside))
    assert shorter.status is Status.DISPROVEN
    assert str(shorter) == "disproven: no win by moves that extend a line and threaten continuous fours within 9 plies"
    assert solve(LEVEL_4, Limit(depth=11, **beside)).length == 11


def test_a_limit_on_the_depth_leaves_longer_wins_out() -> None:
    found = solve(LEVEL_4, Limit(depth=11))
    assert proven(found)[:2] == ("proven", 11)
    shorter = solve(LEVEL_4, Limit(depth=9))
    assert shorter.status is Status.DISPROVEN
    assert shorter.exhausted == Denial(Attacks.THREATS, plies=9)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 6, 8, 10])
def test_no_win_is_longer_than_the_limit_on_the_depth(depth: int) -> None:
    """An even limit leaves the attacker as many moves as the odd one before it."""
    found = [solve(board, Limit(depth=depth, nodes=200_000)) for board in LEVELS]
    odd = [solve(board, Limit(depth=(depth - 1) | 1, nodes=200_000)) for board in LEVELS]
    assert all(one.length is None or one.length <= depth for one in found)
    assert [(one.status, one.move, one.length) for one in found] == [(one.status, one.move, one.length) for one in odd]
    assert depth < 6 or any(one.proof and verify(one.proof) for one in found)


RENJU_IN_SEVEN = Board(
    rule="renju",
    black=["d6", "h5", "d4", "h4", "f3", "h3"],
    white=["e8", "d5", "f5", "g5", "e4"],
    turn="white",
)
"""White wins by e5 c5 e6 e7 e2: black's only answer, e3, is forbidden, and white makes five two plies later."""


@pytest.mark.parametrize("mode", MODES)
def test_a_four_whose_answer_is_forbidden_needs_two_plies_more_for_the_five(mode: str) -> None:
    for depth in (5, 6):
        assert solve(RENJU_IN_SEVEN, Limit(depth=depth, nodes=20_000), mode=mode).status is Status.DISPROVEN
    assert solve(RENJU_IN_SEVEN, Limit(depth=7, nodes=20_000), mode=mode).length == 7
    shortest = solve(RENJU_IN_SEVEN, Limit(nodes=20_000), mode=mode, shortest=True)
    assert (shortest.length, shortest.stopped_by) == (7, "complete")


def test_no_win_in_a_renju_puzzle_is_longer_than_the_limit_on_the_depth() -> None:
    boards = [(level.board, level.length) for level in load("endgames") if level.position.rule.value == "renju"]
    shown = 0  # wins, one for nearly every puzzle
    for board, length in some(boards, 60):
        assert length is not None
        for depth in range(1, length + 1, 2):
            found = solve(board, Limit(depth=depth, nodes=20_000))
            assert found.length is None or found.length <= depth
            assert found.stopped_by != "unsound"
            shown += found.length is not None
    assert shown >= 55


def test_the_same_limit_gives_the_same_answer() -> None:
    answers = {(found.status, found.nodes, found.move) for found in (solve(LEVEL_4) for _ in range(3))}
    assert len(answers) == 1


def test_time_limits_are_kept() -> None:
    found: list[Solution] = []
    bound = 0.2 + 0.15 * slowness()
    assert quickest(lambda: found.append(solve(HARD, Limit(seconds=0.2))), bound) < bound
    assert all(solution.stopped_by == "seconds" and solution.elapsed >= 0.2 for solution in found)


def test_memory_is_a_limit() -> None:
    solution = solve(HARD, Limit(seconds=30), memory=1 << 20)
    assert (solution.status, solution.stopped_by) == (Status.UNKNOWN, "memory")
    assert str(solution) == "unknown, stopped by memory: allow it more (--memory, in Python memory=)"


def test_memory_fits_the_limit_unless_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.solver._machine_memory", lambda: 16 << 30)
    megabytes = [memory_for(Limit(seconds=seconds)) >> 20 for seconds in (0.1, 5, 60, 3600)]
    assert megabytes == [512, 512, 3840, 8192]
    assert memory_for(Limit(depth=9)) == memory_for(DEFAULT_LIMIT)
    assert memory_for(Limit(nodes=10**7)) == memory_for(Limit(nodes=10**7, seconds=3600)) == 1_600_000_000


def test_a_search_of_a_minute_may_fill_more_than_a_short_one() -> None:
    """A search that would run out of the memory for short ones has enough with a higher limit on its nodes."""
    search = ProofSearch(HARD, HARD.rule, 1 << 24)
    assert search.solve(HARD, "full", Control(Limit(nodes=1_500_000)), 1_500_000) == -1
    assert search.stopped_by == "memory"
    search.allow(memory_for(Limit(nodes=1_500_000)))
    search.clear()
    assert search.solve(HARD, "full", Control(Limit(nodes=1_500_000)), 1_500_000) == -1
    assert search.stopped_by == "nodes"


def test_large_tables_are_given_back_after_the_search() -> None:
    search = ProofSearch(HARD, HARD.rule, 1 << 30)
    empty = search.bytes
    search.solve(HARD, "full", Control(Limit(nodes=1_500_000)), 1_500_000)
    assert search.bytes > 20 * empty
    search.clear()
    assert search.bytes <= empty
    solver = Solver()
    solver.solve(HARD, Limit(nodes=1_500_000))
    assert solver._search is not None
    assert solver._search.bytes <= empty


STALLED = [
    (
        Board(
            rule="renju",
            black=["h11", "l11", "j10", "k10", "i9", "g8", "i8", "i7", "k6"],
            white=["k11", "i10", "h9", "j9", "k9", "f8", "k8", "f7", "k7"],
            turn="black",
        ),
        687_000,
    ),
    (
        Board(rule="renju", black=["g10", "f9", "f8", "k7"], white=["e10", "i10", "g9", "i8"], turn="black"),
        534_000,
    ),
]


@pytest.mark.parametrize(("board", "nodes"), STALLED)
def test_the_search_goes_on_where_its_numbers_are_stuck(board: Board, nodes: int) -> None:
    """Sums of proof numbers reach the highest number there is after so many nodes, and thresholds decide nothing."""
    found = solve(board, Limit(nodes=2 * nodes, seconds=120))
    assert found.status is Status.PROVEN or found.nodes == 2 * nodes


def test_tables_grow_to_a_number_of_rows_and_no_further() -> None:
    """Rows have numbers of 32 bits: a table must stop growing before they wrap round, whatever memory is allowed."""
    search = ProofSearch(HARD, HARD.rule, 1 << 40, most_room=1 << 17)
    assert search.solve(HARD, "full", Control(Limit(seconds=60)), None) == -1
    assert search.stopped_by == "memory"
    assert search.bytes < 1 << 25


def test_it_can_be_cancelled_from_another_thread() -> None:
    cancel = Cancel()
    threading.Timer(0.1, cancel.set).start()
    started = time.monotonic()
    assert solve(HARD, Limit(seconds=30), cancel=cancel).stopped_by == "cancelled"
    assert time.monotonic() - started < 5


def test_progress_is_told_and_may_stop_it() -> None:
    told: list[Mapping[str, object]] = []

    def tell(state: Mapping[str, object]) -> None:
        told.append(state)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(HARD, Limit(seconds=30), progress=tell)
    assert told[0]["nodes"]


def test_solvers_in_several_threads_do_not_disturb_each_other() -> None:
    alone = solve(LEVEL_4, Limit(nodes=50_000))
    found: list[Solution] = []
    threads = [
        threading.Thread(target=lambda: found.extend(solve(LEVEL_4, Limit(nodes=50_000)) for _ in range(5)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(one.nodes, one.move) for one in found] == [(alone.nodes, alone.move)] * 20


@pytest.mark.parametrize("memory", [-1, 0, 10**30, 1.5, True, "1"])
def test_memory_that_makes_no_sense_is_refused(memory: Any) -> None:
    with pytest.raises(GomokuError, match="memory must be from"):
        Solver(memory=memory)


def test_a_proof_that_fails_its_own_replay_is_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise Unsound("a threat that does not work")

    board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
    monkeypatch.setattr("search.solver.Proof", broken)
    solution = Solver().solve(board, Limit(nodes=1000))
    assert (solution.status, solution.stopped_by, solution.proof) == (Status.UNKNOWN, "unsound", None)


@pytest.mark.parametrize("options", [{}, {"mode": "vcf"}, {"shortest": True}, {"without": ["b5"]}])
def test_a_win_that_the_verifier_refuses_is_no_claim(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    """The kernel believes its own replay; the verifier in C, which shares nothing with it, has the last word."""
    board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
    wrong = Attack(board.cell("a1"), Defence((board.cell("a2"),), {}))
    assert solve(board, Limit(nodes=1000), **options).status is Status.PROVEN
    monkeypatch.setattr("search.solver.Proof", lambda position, tree: Proof(position, wrong))
    solution = solve(board, Limit(nodes=1000), **options)
    assert (solution.status, solution.stopped_by, solution.proof) == (Status.UNKNOWN, "unsound", None)


def test_a_shorter_win_that_the_verifier_refuses_leaves_the_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    board = LEVELS[11]
    first, made = solve(board, Limit(nodes=200_000)), 0

    def proof(position: Board, tree: Attack) -> Proof:
        nonlocal made
        made += 1
        return Proof(position, tree if made == 1 else Attack(Cell(0, 0)))

    monkeypatch.setattr("search.solver.Proof", proof)
    found = solve(board, Limit(nodes=200_000), shortest=True)
    assert (made, found.stopped_by) == (2, "unsound")
    assert proven(found) == ("proven", first.length, False)

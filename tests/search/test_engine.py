"""The engine: legal under every rule, within every limit, equal to plain search where it should be, and strong."""

from __future__ import annotations

import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

import puzzles
from gomoku_patterns import Board, parse_table, rules
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import GomokuError, IllegalMoveError, PlayerError
from gomoku_patterns.native import NativeEvaluator, native_evaluator, tracker_on
from gomoku_patterns.rules import Rule
from search import Player, player
from search._control import SURE, WIN, Cancel, Control
from search._engine import EngineSearch, Transpositions
from search._threats import ThreatBoard
from search.engine_player import MOST_REFUTED, EnginePlayer
from search.result import Limit, SearchResult
from search.solver import Solution, Status, solve
from tests.learned import TEXT, random_code
from tests.search.boards import draw
from tests.search.exhaustive import can_force_five
from tests.search.plain_negamax import PlainNegamax
from tests.search.soundness import endgame, midgame
from tests.timing import slowness, timing

SIZES = ((5, 5), (5, 22), (22, 5), (7, 12), (15, 15), (22, 22))
LEVELS = list(puzzles.load("huanle"))
QUIET = Board(black=["h8", "g10"], white=["i9", "h6"], turn="black")
# Nobody wins soon: a search goes on for as long as it may.
OPEN = Board(black=["h8"], turn="white")
"""A position in which nobody has a win that is easily found."""


def scattered(random: Random, rule: Rule, rows: int, cols: int) -> Board:
    """A position with any number of empty cells from one on, in which nobody has won."""
    while True:
        board = Board(rows, cols, rule=rule)
        cells = list(board.cells())
        random.shuffle(cells)
        for cell in cells[: random.choice([1, 2, rows * cols // 3, rows * cols * 2 // 3, rows * cols - 1])]:
            board.push(cell)
            if board.winner() is not None:
                board.pop()
                board.turn = board.turn.opponent
        if board.winner() is None:
            return board.copy(moves=False)


def after(board: Board, *cells: Cell) -> Board:
    """The position after some moves."""
    played = board.copy(moves=False)
    for cell in cells:
        played.push(cell)
    return played


def mover(result: SearchResult, board: Board) -> int:
    """The score for the side to move."""
    return board.turn.sign * result.score


# ---------------------------------------------------------------------- legal


@pytest.mark.parametrize("rule", list(Rule))
def test_moves_are_legal_under_every_rule_on_every_size(rule: Rule) -> None:
    engines = [player("engine:hash=1"), player("engine:hash=1,solver=no,table=grade_dict,lines=3")]
    random = Random(f"{rule}")
    for number in range(36):
        board = scattered(random, rule, *SIZES[number % len(SIZES)])
        legal = board.legal_moves()
        for engine in engines:
            result = engine.search(board, Limit(nodes=random.choice([1, 50, 400])))
            assert result.move in legal if legal else result.move is None
            assert_line_is_legal(result, board)


def assert_line_is_legal(result: SearchResult, board: Board) -> None:
    """The principal variation can be played, and begins with the move."""
    assert result.pv[:1] == ((result.move,) if result.move else ())
    after = board.copy()
    for cell in result.pv:
        assert cell in after.legal_moves()
        after.push(cell)


@pytest.mark.parametrize("rule", list(Rule))
def test_whole_games_are_played_from_the_empty_board_to_the_last_cell(rule: Rule) -> None:
    for rows, cols in ((5, 5), (5, 7)):
        board, engine = Board(rows, cols, rule=rule), player("engine:hash=1")
        while board.winner() is None and (legal := board.legal_moves()):
            move = engine.search(board, Limit(nodes=60)).move
            assert move in legal
            board.push(move)
        assert board.winner() is None
        assert len(board.empties()) <= 2  # black may have only forbidden points left


def test_a_game_that_is_won_has_no_move() -> None:
    board = Board(black=["a1", "b1", "c1", "d1", "e1"], white=["a3", "b3", "c3", "d3"])
    with pytest.raises(IllegalMoveError, match="the game is over: black has won"):
        player("engine").search(board)


def test_a_full_board_has_no_move() -> None:
    board = draw("""
        X O X O X
        X O X O X
        O X O X O
        O X O X O
        X O X O X
    """)
    result = player("engine").search(board)
    assert (result.move, result.stopped_by, dict(result.stats)) == (None, "complete", {})


def test_the_last_free_cell_is_played_even_if_it_wins() -> None:
    board = draw("""
        X X X X .
        X O X O X
        O X O X O
        O X O X O
        O O X O X
    """)
    result = player("engine").search(board)
    assert (board.name(result.move), result.score) == ("e5", WIN - 1)


def test_black_keeps_off_forbidden_points_even_where_they_look_best() -> None:
    """The middle would make two live threes, and with the stones below two fours."""
    board = draw(
        """
        . . . . . . . . .
        . . . X . . . . .
        . . . X . . . . .
        . X X . . . . . .
        . . . . . O . . .
        . . . . . O . . .
        . . . . . O . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        rule="renju",
    )
    assert [board.name(cell) for cell in board.forbidden()] == ["d6"]
    for spec in ("engine", "engine:solver=no", "engine:solver=no,lines=30"):
        result = player(spec).search(board, Limit(depth=4))
        assert result.move != board.cell("d6")
        assert board.cell("d6") not in result.stats["values"]
    assert board.cell("d6") not in player("engine").candidates(board, Limit(nodes=3000))


def test_black_plays_far_away_when_everything_near_is_forbidden() -> None:
    """Every cell within two of a stone but e5, which the rule forbids, is taken."""
    board = draw(
        """
        . . . . . . . . . . . .
        . . . . . . . . . . . .
        X O O O X O X O O X O X
        O X X O O X O O X O X O
        X O X X . X X O X O O X
        """,
        rule="renju",
    )
    assert board.is_empty("e1")
    assert player("engine").search(board, Limit(nodes=500)).move in board.legal_moves()


def test_caro_knows_which_fives_win() -> None:
    """A five between two opposing stones wins nothing: black makes the free one, and white need not stop the other."""
    board = draw(
        """
        . . . . . . . . . .
        . . . . . . . . . .
        O X X X X . O . . .
        . . . . . . . . . .
        . X X X X . . . . .
        . . O O O . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        rule="caro",
    )
    result = player("engine").search(board, Limit(nodes=500))
    assert result.score == WIN - 1
    board.push(result.move)
    assert board.winner() is not None


# ---------------------------------------------------------------------- limits


def test_the_nodes_of_search_and_solver_together_keep_the_limit() -> None:
    for nodes in (1, 2, 17, 1000, 30_000):
        for board in (QUIET, LEVELS[11].board, LEVELS[15].board, Board(22, black=["k11"], white=[], turn="white")):
            for threads in (1, 2):
                result = player(f"engine:hash=1,threads={threads}").search(board, Limit(nodes=nodes))
                assert result.nodes <= nodes
                assert result.stopped_by in ("nodes", "complete")


def test_without_the_solver_a_node_limit_is_used_up_to_the_last_node() -> None:
    for nodes in (1, 7, 100, 1025, 20_001):
        result = player("engine:hash=1,solver=no").search(QUIET, Limit(nodes=nodes))
        assert (result.nodes, result.stopped_by) == (nodes, "nodes")


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_depth_is_kept(depth: int) -> None:
    for spec in ("engine:solver=no", f"engine:depth={depth}", f"engine:depth={depth + 1}"):
        result = player(spec).search(QUIET, Limit(depth=depth))
        assert (result.depth, result.stopped_by) == (depth, "depth")


def test_a_depth_beyond_the_last_cell_is_complete() -> None:
    result = player("engine:solver=no").search(Board(5, black=["c3"], white=["c2"]), Limit(depth=1))
    assert result.stopped_by == "depth"
    almost = endgame(Random(5), "freestyle")
    result = player("engine:solver=no").search(almost, Limit(depth=60))
    assert result.stopped_by == "complete"


@timing
@pytest.mark.parametrize("seconds", [0.002, 0.03, 0.1])
def test_the_time_is_kept(seconds: float) -> None:
    """In processor time always; on the clock, which others on the machine disturb, in one search of four at least."""
    engine = player("engine")
    boards = [QUIET, LEVELS[13].board, *games(9), midgame(Random(199), "standard"), midgame(Random(393), "freestyle")]
    late = [overshoot(engine, board, seconds) for board in boards]
    assert sorted(clock for clock, _ in late)[len(late) // 4] < 0.005 * slowness()
    assert max(processor for _, processor in late) < 0.02


def overshoot(engine: Player, board: Board, seconds: float) -> tuple[float, float]:
    """By how much a search is late, on the clock and in processor time."""
    clock, processor = time.perf_counter(), time.process_time()
    engine.search(board, Limit(seconds=seconds))
    return time.perf_counter() - clock - seconds, time.process_time() - processor - seconds


def games(count: int) -> list[Board]:
    return [midgame(Random(seed), "freestyle") for seed in range(count)]


def test_another_thread_can_stop_it() -> None:
    cancel = Cancel()
    threading.Timer(0.05, cancel.set).start()
    began = time.perf_counter()
    result = player("engine:threads=2").search(OPEN, Limit(seconds=20), cancel=cancel)
    assert time.perf_counter() - began < 5
    assert result.move in OPEN.legal_moves()
    assert result.stopped_by == "cancelled"


def test_stopped_before_it_begins_it_still_answers() -> None:
    cancel = Cancel()
    cancel.set()
    result = player("engine").search(QUIET, Limit(seconds=5), cancel=cancel)
    assert (result.move in QUIET.legal_moves(), result.stopped_by, result.nodes) == (True, "cancelled", 0)


def test_progress_is_told_of_the_whole_search() -> None:
    told: list[Mapping[str, object]] = []
    cancel = Cancel()

    def hear(one: Mapping[str, object]) -> None:
        told.append(one)
        if len(told) >= 4 and int(str(one["depth"])) >= 2:
            cancel.set()

    assert player("engine").search(OPEN, Limit(seconds=60), cancel=cancel, progress=hear).stopped_by == "cancelled"
    assert [step["elapsed"] for step in told] == sorted(step["elapsed"] for step in told)
    assert [step["nodes"] for step in told] == sorted(step["nodes"] for step in told)
    assert int(str(told[-1]["depth"])) >= 2


@pytest.mark.parametrize("spec", ["engine", "engine:solver=no", "engine:threads=2"])
def test_what_progress_raises_ends_the_search(spec: str) -> None:
    def angry(told: object) -> None:
        raise ValueError("enough")

    began = time.perf_counter()
    with pytest.raises(ValueError, match="enough"):
        player(spec).search(OPEN, Limit(seconds=20), progress=angry)
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize("spec", ["engine", "engine:solver=no,threads=2"])
def test_ctrl_c_ends_the_search(spec: str) -> None:
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        player(spec).search(OPEN, Limit(seconds=20))
    assert time.perf_counter() - began < 5


# ---------------------------------------------------------------------- the same again


@pytest.mark.parametrize("limit", [Limit(depth=6), Limit(nodes=20_000)])
@pytest.mark.parametrize("table", ["engine", "level"])
def test_the_same_search_twice_is_the_same(limit: Limit, table: str) -> None:
    engine, again = player(f"engine:hash=2,table={table}"), player(f"engine:hash=2,table={table}")
    for board in (QUIET, LEVELS[13].board, midgame(Random(3), "renju")):
        engine.new_game()
        first, second = engine.search(board, limit), again.search(board, limit)
        again.new_game()
        assert (first.move, first.score, first.nodes, first.pv) == (second.move, second.score, second.nodes, second.pv)


# ---------------------------------------------------------------------- the search is right


def searching(
    board: Board, evaluator: NativeEvaluator, *, selective: bool = True, shared: Transpositions | None = None
) -> EngineSearch:
    """A search that is set to a position and may take as long as it likes."""
    tracker = tracker_on(evaluator.core, board.rows, board.cols)
    table = shared or Transpositions(1)
    search = EngineSearch(ThreatBoard(board), tracker, table, selective=selective, shared=shared is not None)
    search.set(board)
    search.prepare()
    search.allow(Control(Limit(depth=60)))
    return search


def test_what_moves_are_remembered_by_stays_small_at_any_depth() -> None:
    """A refutation is worth more the deeper it was searched; without a bound the sum grows until it overflows."""
    board = Board(black=["h8", "i9", "g9", "j8"], white=["h9", "i8", "h7", "g8"], turn="black")
    search = searching(board, native_evaluator("engine"))
    for depth in (*range(1, 6), 200):
        search.allow(Control(Limit(depth=depth)), 60_000)
        search.iterate(depth, 1)
    assert 1000 < search.largest_history <= 4096


DEEP = """
import threading
from gomoku_patterns import Board
from gomoku_patterns.native import native_evaluator
from search import Limit
from search._control import Control
from tests.search.test_engine import searching

board = Board(black=["h8", "i9", "g9", "j8"], white=["h9", "i8", "h7", "g8"], turn="black")
search = searching(board, native_evaluator("engine"))
search.allow(Control(Limit(depth=200)), 20_000)
threading.stack_size(640 << 10)
thread = threading.Thread(target=lambda: print(search.iterate(200, 1), search.stopped_by))
thread.start()
thread.join()
"""


def test_the_deepest_search_fits_on_a_small_stack() -> None:
    """Threads of some systems have a stack of a megabyte or less; the search goes 126 plies deep."""
    found = subprocess.run([sys.executable, "-c", DEEP], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "False nodes\n"), found.stderr


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("table", ["engine", "grade_dict", "level"])
def test_alpha_beta_finds_what_plain_negamax_finds(rule: str, table: str) -> None:
    """With windows, zones and orders, but without reductions, widths and the table's memory."""
    evaluator = native_evaluator(table)
    for seed in range(25):
        board = endgame(Random(seed), rule)
        depth = 3 if len(board.empties()) <= 20 else 2
        if len(board.empties()) > 30 or not board.legal_moves():
            continue
        assert_equal_to_negamax(board, evaluator, depth)


def test_it_finds_the_same_judging_by_a_line_code() -> None:
    """A learned prior changes the order of moves, not what they are worth."""
    evaluator = NativeEvaluator(parse_table(TEXT, weights=random_code(spread=20)))
    for seed in range(12):
        board = endgame(Random(seed), "freestyle")
        if len(board.empties()) <= 25 and board.legal_moves():
            assert_equal_to_negamax(board, evaluator, 2)


def assert_equal_to_negamax(board: Board, evaluator: NativeEvaluator, depth: int) -> None:
    wanted = PlainNegamax(board, evaluator).moves(depth)
    search = searching(board, evaluator, selective=False)
    for ply in range(1, depth + 1):
        search.iterate(ply, 3)
    found = dict(search.values(3))
    assert {cell: wanted[cell] for cell in found} == found, board
    assert list(found.values()) == sorted(wanted.values(), reverse=True)[: len(found)], board


@pytest.mark.parametrize("table", ["engine", "grade_dict"])
def test_threads_that_leave_each_other_work_find_what_one_finds(table: str) -> None:
    """Whatever one puts off because the other is at it, it does in the end."""
    evaluator = native_evaluator(table)
    for seed in range(6):
        board = midgame(Random(seed), "freestyle")
        alone = searching(board, evaluator, selective=False)
        alone.iterate(4, 1)
        common = Transpositions(1)
        both = [searching(board, evaluator, selective=False, shared=common) for _ in range(2)]
        with ThreadPoolExecutor(2) as pool:
            assert all(pool.map(lambda search: search.iterate(4, 1), both))
        assert [search.values(1)[0][1] for search in both] == [alone.values(1)[0][1]] * 2


@timing
def test_threads_divide_the_work() -> None:
    """Together they look at little more than one alone: that is all the help there is.

    Where one of them waits for a processor it does more of the other's work again, so one good try of four is enough.
    """
    evaluator = native_evaluator("engine")

    def deepen(search: EngineSearch) -> int:
        for depth in range(1, 13):
            search.iterate(depth, 1)
        return search.nodes_searched

    def together() -> int:
        common = Transpositions(16)
        both = [searching(QUIET, evaluator, shared=common) for _ in range(2)]
        with ThreadPoolExecutor(2) as pool:
            return sum(pool.map(deepen, both))

    alone = deepen(searching(QUIET, evaluator, shared=Transpositions(16)))
    assert any(together() < 1.7 * alone for _ in range(4))


def test_what_was_found_out_is_still_known_when_more_of_the_table_is_used() -> None:
    evaluator = native_evaluator("engine")

    def nodes_of_two(positions: int | None) -> list[int]:
        """A table of which at first only as much is used as so many positions need, then all of it."""
        table, nodes = Transpositions(16), []
        table.clear()
        search = searching(QUIET, evaluator, shared=table)
        for needed in (positions, None):
            table.next_search(needed)
            search.set(QUIET)
            search.allow(Control(Limit(depth=60)))
            assert search.iterate(8, 1)
            nodes.append(search.nodes_searched)
        return nodes

    first, second = nodes_of_two(50_000)
    assert [first, second] == nodes_of_two(None)
    assert second < first / 2


def test_the_other_lines_are_the_best_moves_when_the_first_may_not_be_played() -> None:
    evaluator = native_evaluator("engine")
    board = endgame(Random(11), "freestyle")
    search = searching(board, evaluator, selective=False)
    search.iterate(2, 4)
    lines = search.values(4)
    for number, (_, score) in enumerate(lines):
        without = searching(board, evaluator, selective=False)
        without.prepare([cell for cell, _ in lines[:number]])
        without.iterate(2, 1)
        assert without.values(1)[0][1] == score


def test_lines_are_in_order_and_each_is_another_move() -> None:
    result = player("engine:solver=no,lines=8").search(QUIET, Limit(depth=6))
    values = result.stats["values"]
    assert isinstance(values, dict)
    assert len(values) == 8
    assert list(values.values()) == sorted(values.values(), reverse=True)
    assert next(iter(values.items())) == (result.move, result.score)


def game(moves: str) -> Board:
    board = Board()
    for name in re.findall(r"[a-o][0-9]+", moves):
        board.push(name)
    return board


CUT = game("h8g7h9e11i9h7i7g9i8i10j8g8g10j7h10k7h11h12i6i5e12f11l8k8k9l10h6g5g6j6f9")
"""White's best move loses in twelve: at 10000 nodes the search is cut between seeing that and seeing another."""
REFUTED = game("h8j6g10f12l7f11h9g11j11i10")
"""More moves lose than are looked at with the opponent's eyes, and others are left."""


@pytest.mark.parametrize("spec", ["engine", "engine:solver=no"])
def test_a_search_that_is_cut_while_its_move_fails_plays_another(spec: str) -> None:
    for nodes in range(9000, 12_000, 250):
        result = player(spec).search(CUT, Limit(nodes=nodes))
        assert result.move != CUT.cell("i12") and abs(result.score) < SURE


def test_with_moves_left_that_were_not_refuted_one_of_them_is_played() -> None:
    result = player("engine:lines=3").search(REFUTED, Limit(depth=2))
    values, lines = result.stats["values"], result.stats["lines"]
    assert isinstance(values, dict) and isinstance(lines, dict)
    assert result.stats["refuted"] == MOST_REFUTED and abs(result.score) < SURE
    assert len(values) == 3 and list(values) == list(lines)
    many = player("engine:lines=100").search(REFUTED, Limit(depth=2)).stats
    assert all(line == (cell,) for cell, line in many["lines"].items() if cell in many["ends_in"])  # type: ignore[attr-defined,operator]  # mappings


def test_what_is_left_of_no_time_is_said() -> None:
    assert player("engine").search(QUIET, Limit(seconds=1e-9)).stopped_by == "seconds"


@pytest.mark.parametrize("seconds", [1e13, 1e308])
def test_there_may_be_all_the_time_in_the_world(seconds: float) -> None:
    assert player("engine").search(QUIET, Limit(seconds=seconds, depth=2)).stopped_by == "depth"


def test_callers_from_several_threads_wait_for_one_another() -> None:
    shared = player("engine")
    boards = [Board(7, black=["c3"]), Board(15, black=["h8"]), Board(7, black=["d4"]), QUIET]

    def ask(number: int) -> bool:
        board = boards[number % len(boards)]
        return shared.search(board, Limit(nodes=3000)).move in board.legal_moves()

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(40)))


@timing
def test_no_search_pays_for_the_age_of_the_table() -> None:
    """The age of what it knows has twelve bits."""

    def timed() -> list[float]:
        chosen, times = player("engine:solver=no,hash=256"), []
        for _ in range(4200):
            started = time.thread_time()
            chosen.search(QUIET, Limit(nodes=1))
            times.append(time.thread_time() - started)
        return times

    both = [
        min(pair) for pair in zip(timed(), timed(), strict=True)
    ]  # what the machine does beside is not twice at one place
    assert max(both) < 100 * statistics.median(both)


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("threads", [1, 2])
def test_lines_can_be_played_and_a_decided_one_ends_with_five_when_it_is_due(rule: str, threads: int) -> None:
    random, whole = Random(7), 0
    for _ in range(12):
        board = midgame(random, rule)
        result = player(f"engine:lines=4,threads={threads}").search(board, Limit(nodes=8000))
        if not board.legal_moves():
            continue
        values, lines, ends_in = (result.stats[name] for name in ("values", "lines", "ends_in"))
        assert isinstance(values, dict) and isinstance(lines, dict) and isinstance(ends_in, dict)
        assert list(values) == list(lines) and lines[result.move] == result.pv
        assert ends_in == {cell: WIN - abs(value) for cell, value in values.items() if abs(value) > SURE}
        for cell, line in lines.items():
            assert line[0] == cell
            played = board.copy()
            for move in line:
                assert move in played.legal_moves()
                played.push(move)
            if played.winner():
                whole += 1
                assert len(line) == ends_in[cell]
                assert played.winner() == (board.turn if board.turn.sign * values[cell] > 0 else board.turn.opponent)
    assert whole


def test_lines_are_told_while_they_are_searched() -> None:
    told: list[dict[str, object]] = []
    cancel = Cancel()

    def hear(one: Mapping[str, object]) -> None:
        told.append(dict(one))
        lines = one["lines"]
        assert isinstance(lines, dict)
        if len(lines) == 3 and max(map(len, lines.values())) > 2:
            cancel.set()

    result = player("engine:solver=no,lines=3").search(OPEN, Limit(seconds=60), cancel=cancel, progress=hear)
    assert result.stopped_by == "cancelled"
    values, lines = told[-1]["values"], told[-1]["lines"]
    assert isinstance(values, dict) and isinstance(lines, dict)
    assert len(values) == len(lines) == 3 and all(line[0] == cell for cell, line in lines.items())
    assert set(values) & set(result.stats["values"])  # type: ignore[call-overload]  # a mapping


def test_beside_a_proven_move_the_other_lines_are_told_too() -> None:
    board = Board(black=["h8", "i8", "j8"], white=["h9", "i9", "c3"])
    result = player("engine:lines=4").search(board, Limit(nodes=20_000))
    values = result.stats["values"]
    assert isinstance(values, dict)
    assert len(values) == 4
    assert next(iter(values.items())) == (result.move, WIN - 3)


@pytest.mark.parametrize("rule", ["caro", "caro-overline"])
def test_under_caro_nothing_is_decided_but_a_five_at_once(rule: str) -> None:
    for seed in range(300):
        board = endgame(Random(seed), rule) if seed % 2 else midgame(Random(seed), rule)
        result = player("engine:lines=3").search(board, Limit(nodes=300))
        if result.move is None:
            continue
        wins = rules.makes_five(board, result.move, board.turn)
        assert (abs(result.score) > SURE) == wins
        assert result.stats["ends_in"] == ({result.move: 1} if wins else {})


def test_under_caro_a_five_that_is_shut_in_is_not_played_for_a_win() -> None:
    """White has a live three, and black a row that could only become a blocked five."""
    stones = {"black": ["c8", "d8", "e8", "f8", "h3"], "white": ["b8", "h8", "l12", "l11", "l10"]}
    board = Board(rule="caro", turn="black", **stones)  # type: ignore[arg-type]  # stones by colour
    result = player("engine").search(board, Limit(depth=4))
    assert result.move in {board.cell(name) for name in ("l13", "l9", "l14", "l8")}


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_what_it_calls_decided_is_decided(rule: str) -> None:
    """Every claim of a win or a loss on a nearly full board is held against exhaustive search."""
    decided = 0
    for seed in range(400):
        board = endgame(Random(seed), rule)
        if len(board.empties()) > 14 or not board.legal_moves():
            continue
        result = player("engine:solver=no,hash=1").search(board, Limit(depth=8))
        if abs(result.score) > SURE:
            decided += 1
            assert is_decided(board, won=mover(result, board) > 0), board
    assert decided > 10


def test_a_stone_of_the_defender_never_gives_the_attacker_continuous_fours() -> None:
    """So the search need not look for them again after a move of the defender."""
    denied = 0
    for seed in range(60):
        random = Random(seed)
        board = midgame(random, "freestyle")
        if not board.empties() or solve(board, Limit(nodes=5000), mode="vcf").status is not Status.DISPROVEN:
            continue
        for cell in random.sample(board.empties(), min(6, len(board.empties()))):
            blocked = board.copy(moves=False)
            blocked.push(cell, board.turn.opponent)
            blocked.turn = board.turn
            if not blocked.is_over():
                denied += 1
                assert solve(blocked, Limit(nodes=5000), mode="vcf").status is not Status.PROVEN, (board, cell)
    assert denied > 100


def is_decided(board: Board, *, won: bool) -> bool:
    if won:
        return can_force_five(board.copy())
    for move in board.legal_moves():
        after = board.copy()
        after.push(move)
        if not can_force_five(after):
            return False
    return True


@pytest.mark.parametrize("spec", ["engine", "engine:solver=no"])
@pytest.mark.parametrize(
    ("black", "white", "turn", "plies"),
    [
        ("h8 i8 j8 k8", "h9 i9 j9 g8", "black", 1),
        ("h8 i8 j8 k8", "h9 i9 j9 c3", "white", -2),
        ("h8 i8 j8", "h9 i9 c3", "black", 3),
        ("h8 i8 j8 k8", "h9 i9 j9 k9", "white", 1),
        ("h8 i8 j8 g9 g10 g11", "k8 g12 c3 i3 l5 c12", "black", 3),
        ("h8 i8 j8 g10 g9", "k8 c3 i3 l5 c12", "black", 5),
    ],
)
def test_a_win_in_so_many_plies_says_so(spec: str, black: str, white: str, turn: str, plies: int) -> None:
    board = Board(black=black.split(), white=white.split(), turn=turn)
    result = player(spec).search(board, Limit(depth=6))
    assert mover(result, board) == (WIN - plies if plies > 0 else -plies - WIN)


@pytest.mark.parametrize("number", [1, 8, 14, 16, 20])
def test_a_win_that_is_announced_is_carried_out(number: int) -> None:
    """Both sides playing by the engine, black goes on seeing its win, and makes five."""
    board, engine = LEVELS[number - 1].board.copy(), player("engine")
    while board.winner() is None:
        result = engine.search(board, Limit(nodes=200_000))
        assert result.score > SURE
        board.push(result.move)
    assert str(board.winner()) == "black"
    assert len(board.moves) < 40


# ---------------------------------------------------------------------- it plays well


@pytest.mark.parametrize("spec", ["engine", "engine:solver=no", "engine:threads=2", "engine:table=level"])
@pytest.mark.parametrize("rule", list(Rule))
def test_it_makes_five_and_stops_five(spec: str, rule: Rule) -> None:
    four = Board(black=["h8", "i8", "j8", "k8"], white=["h9", "i9", "j9", "l8"], rule=rule)
    assert four.name(player(spec).search(four, Limit(nodes=300)).move) == "g8"
    four = Board(black=["h8", "i8", "j8", "k8"], white=["h9", "i9", "l8"], turn="white", rule=rule)
    assert four.name(player(spec).search(four, Limit(nodes=300)).move) == "g8"


def test_a_four_is_stopped_although_a_straight_four_threatens_too() -> None:
    board = Board(
        black=["c3", "d3", "e3", "f3", "k9", "l9", "m9"], white=["b3", "c5", "m2", "i2", "b13", "e13"], turn="white"
    )
    for spec in ("engine", "engine:solver=no"):
        assert board.name(player(spec).search(board, Limit(nodes=2000)).move) == "g3"


@pytest.mark.parametrize("number", range(1, 21))
def test_every_level_is_solved_within_a_second(number: int) -> None:
    board = LEVELS[number - 1].board
    result = player("engine").search(board, Limit(seconds=1))
    assert mover(result, board) > SURE
    assert result.stats["proven"]


@timing
@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 21))
def test_every_level_but_the_longest_is_solved_without_the_solver(number: int) -> None:
    board = LEVELS[number - 1].board
    assert mover(player("engine:solver=no").search(board, Limit(nodes=2_000_000)), board) > SURE


def test_two_threads_answer_like_one() -> None:
    for board in (QUIET, LEVELS[13].board, midgame(Random(8), "renju"), Board(5, 9, black=["c3"], white=["d3"])):
        result = player("engine:threads=2,solver=no").search(board, Limit(depth=5))
        assert result.move in board.legal_moves()
        assert_line_is_legal(result, board)


def test_a_move_that_loses_by_force_is_not_played() -> None:
    """Looking one ply ahead it overlooks how it loses; the solver objects until a move is found that holds."""
    struck = 0
    for seed in (33, 46, 70, 104, 146, 149, 185):
        board = midgame(Random(seed), "freestyle")
        engine = EnginePlayer(depth=1)
        result = engine.search(board, Limit(nodes=20_000))
        struck += int(str(result.stats["refuted"])) > 0
        if result.move and abs(result.score) < SURE:
            assert not engine_proves(after(board, result.move))
    assert struck


def engine_proves(board: Board) -> bool:
    solution = EnginePlayer().solve(board, Limit(nodes=500), Cancel(), None)
    return solution is not None and solution.status is Status.PROVEN


# ---------------------------------------------------------------------- tables and memory


def test_it_judges_by_a_table_of_the_users(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    head = 'name = "mine"\nscan = "line"\ncount = "every"\n'
    path.write_text(head + '[[pattern]]\nshape = "two"\ntext = "oo"\nscore = 7\n', encoding="utf-8")
    result = player(f"engine:table={path},solver=no").search(QUIET, Limit(depth=3))
    assert result.move in QUIET.legal_moves()
    assert EnginePlayer(table=str(path)).search(QUIET, Limit(depth=2)).move in QUIET.legal_moves()


def test_what_is_no_table_is_refused() -> None:
    class Flat:
        name = "flat"

        def score(self, board: Board) -> int:
            return 0

    with pytest.raises(PlayerError, match="the engine judges by a pattern table, not by 'flat'"):
        EnginePlayer(table=Flat())
    with pytest.raises(GomokuError):
        player("engine:table=nonsense")


def test_its_memory_is_what_the_option_says() -> None:
    assert [Transpositions(size).megabytes for size in (1, 2, 3, 64)] == [1, 2, 2, 64]


def test_forgotten_entries_are_not_found_again() -> None:
    """After a new game nothing is left, however often: the search is that of a fresh player."""
    engine = player("engine:hash=1,solver=no")
    fresh = player("engine:hash=1,solver=no").search(QUIET, Limit(nodes=3000))
    for _ in range(5):
        engine.search(LEVELS[3].board, Limit(nodes=3000))
        engine.new_game()
        result = engine.search(QUIET, Limit(nodes=3000))
        assert (result.move, result.score, result.pv) == (fresh.move, fresh.score, fresh.pv)


def test_thoughts_about_candidates_are_for_the_side_to_move() -> None:
    for turn in ("black", "white"):
        board = Board(black=["h8", "i8", "j8", "c3"], white=["h5", "i5", "j5", "c13"], turn=turn)
        thoughts = player("engine").candidates(board, Limit(depth=3))
        assert max(thoughts.values()) > SURE
        assert set(thoughts) <= set(board.legal_moves())


def test_what_was_thought_about_candidates_changes_no_move() -> None:
    asked, unasked = EnginePlayer(), EnginePlayer()
    for engine in (asked, unasked):
        engine.search(QUIET, Limit(nodes=2000))
    asked.candidates(QUIET, Limit(nodes=2000))
    one, other = (engine.search(QUIET, Limit(nodes=4000)) for engine in (asked, unasked))
    assert (one.move, one.score, one.nodes, one.pv) == (other.move, other.score, other.nodes, other.pv)


def test_the_solver_has_its_say_in_the_node_count() -> None:
    solution: Solution | None = EnginePlayer().solve(QUIET, Limit(nodes=500), Cancel(), None)
    assert solution is not None
    assert 0 < solution.nodes <= 500
    assert rules.winner(QUIET) is None


def test_options_change_between_two_moves_without_starting_anew() -> None:
    engine = player("engine:hash=32")
    before = engine.search(QUIET, Limit(depth=4))
    table, solver = engine._table, engine._solver
    engine.change(threads=2, lines=3)
    assert engine.name == "engine:threads=2,hash=32,lines=3"
    assert (engine._table, engine._solver) == (table, solver)
    after = engine.search(QUIET, Limit(nodes=2000))
    assert len(engine._workers) == 2 and len(after.stats["values"]) == 3
    engine.change(threads=1, lines=1, hash=64)
    assert engine._table is not table and engine._solver is solver
    assert engine.search(QUIET, Limit(depth=4)).move == before.move
    with pytest.raises(PlayerError, match="threads must be"):
        engine.change(threads=0)
    assert engine.options.threads == 1


def test_a_prepared_engine_answers_as_one_that_is_not() -> None:
    ready, fresh = player("engine"), player("engine")
    ready.prepare(Board(QUIET.rows, QUIET.cols))
    limit = Limit(nodes=3000)
    one, other = ready.search(QUIET, limit), fresh.search(QUIET, limit)
    assert (one.move, one.score, one.nodes, one.pv) == (other.move, other.score, other.nodes, other.pv)

"""minmax: the source's tree to the node, and what it promises for any board, evaluator and limit."""

from __future__ import annotations

import threading
import tomllib
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, Board, Cell, rules
from gomoku_patterns.errors import GomokuError, IllegalMoveError, PlayerError
from gomoku_patterns.evaluator import as_evaluator
from search import Cancel, Limit, minmax, player
from search._minmax import FIVE
from search.evaluator_player import scores_fives
from search.fives import KnowsFives
from search.minmax_search import all_nodes
from tests.long import LONG
from tests.timing import quickest, slowness, timing

GOLDENS = tomllib.loads((Path(__file__).parent / "data" / "minmax.toml").read_text(encoding="utf-8"))["golden"]


def cells(text):
    return [tuple(map(int, cell.split(","))) for cell in text.split()]


def golden_board(golden):
    return Board(black=cells(golden["black"]), white=cells(golden["white"]), turn="black")


LEVEL_16 = golden_board(GOLDENS[0])


class Stones:
    """A user's evaluator with the one method that is needed: how far in the stones stand."""

    name = "stones"

    def score(self, board):
        return sum(colour.sign * self.worth(board, cell) for colour in (BLACK, BLACK.opponent)
                   for cell in board.stones(colour))  # fmt: skip

    def worth(self, board, cell):
        return min(cell.row, board.rows - 1 - cell.row) * 10 + cell.col * cell.col % 7


@pytest.mark.parametrize("native", [False, True], ids=["python", "native"])
@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden["what"])
def test_the_source_is_reproduced_to_the_node(golden, native):
    if not native and not LONG and golden["nodes"] > 1000:
        pytest.skip("minutes in plain Python: GOMOKU_LONG_TESTS=1 runs it")
    search = {"width": None, **golden["search"]}
    limit = Limit(depth=search.pop("depth"))
    result = minmax(golden_board(golden), "grade_dict", limit, **search, native=native)
    found = {"move": list(result.move), "score": result.score, "nodes": result.nodes, "grade": result.stats["grade"]}
    assert found == {key: golden[key] for key in found}


def test_the_report_of_the_source_comes_along():
    result = minmax(LEVEL_16, limit=Limit(depth=3))
    stats = result.stats
    assert stats["visited"] == result.nodes
    assert stats["all"] == 213 * 212 * 210
    assert stats["pruned"] == pytest.approx(1 - result.nodes / stats["all"])
    assert len(stats["values"]) == 11
    assert stats["values"][result.move] == result.score == max(stats["values"].values())
    assert next(iter(stats["values"])) == (8, 9)


def test_all_nodes_on_a_small_board_never_count_less_than_one():
    assert all_nodes(3, 6) == 3 * 2


# ---------------------------------------------------------------------- the tree against plain minimax


def plain_minimax(board, evaluator, depth, width):
    """Every line to the end, without pruning: the score, the first best move."""
    decided = FIVE // 2 if isinstance(evaluator, KnowsFives) else 35000
    if depth == 0 or abs(evaluator.score(board)) > decided:
        return evaluator.score(board), None
    best = None
    for cell in plain_order(board, evaluator)[:width]:
        board.push(cell)
        value = plain_minimax(board, evaluator, depth - 1, width)[0]
        board.pop()
        if best is None or board.turn.sign * value > board.turn.sign * best[0]:
            best = value, cell
    return best or (evaluator.score(board), None)


def plain_order(board, evaluator):
    def priority(cell):
        own, others = (rules.makes_five(board, cell, colour) for colour in (board.turn, board.turn.opponent))
        if isinstance(evaluator, KnowsFives) and others and not own:
            return -FIVE // 2  # right after the cells on which one makes a five oneself
        stones = board.stones(BLACK) + board.stones(BLACK.opponent)
        if any(max(abs(cell.row - stone.row), abs(cell.col - stone.col)) <= 2 for stone in stones):
            gain = evaluator.gain(board, cell)
            return -gain if board.turn is BLACK else gain
        return -min(cell.row, cell.col, board.rows - 1 - cell.row, board.cols - 1 - cell.col)

    return sorted(board.empties(), key=priority)


FOUR_IN_A_ROW = Board(5, 6, black=["a5", "a4", "b4"], white=["b5", "c5", "d5", "e5"], turn="black")


@st.composite
def small_boards(draw, most=14):
    rows, cols = draw(st.integers(5, 6)), draw(st.integers(5, 7))
    places = [(row, col) for row in range(rows) for col in range(cols)]
    stones = draw(st.lists(st.sampled_from(places), unique=True, max_size=most))
    half = len(stones) // 2
    turn = draw(st.sampled_from(["black", "white"]))
    return Board(rows, cols, black=stones[:half], white=stones[half:], turn=turn)


@example(board=FOUR_IN_A_ROW, depth=1, width=1, evaluator=Stones())
@settings(max_examples=30, deadline=None)
@given(
    board=small_boards().filter(lambda board: not board.is_over()),
    depth=st.integers(1, 3),
    width=st.sampled_from([1, 3, 5]),
    evaluator=st.sampled_from(["grade_dict", "wins", Stones()]),
)
def test_pruning_changes_neither_the_score_nor_the_move(board, depth, width, evaluator):
    judge = as_evaluator(evaluator)
    assume(abs(judge.score(board)) <= 35000)
    result = minmax(board, judge, Limit(depth=depth), width=width)
    known = judge if scores_fives(judge) else KnowsFives(judge)
    plain = plain_minimax(board.copy(), known, depth, width)
    score = result.score
    if result.win is not None and known is not judge:
        score = result.win.colour.sign * (FIVE - len(board) - result.win.plies)
    assert (score, result.move) == plain
    assert result.depth == depth


@settings(max_examples=20, deadline=None)
@given(
    board=small_boards().filter(lambda board: not board.is_over()), ordering=st.sampled_from(["gain", "ring", "none"])
)
def test_the_line_leads_to_the_score_and_colours_do_not_matter(board, ordering):
    result = minmax(board, limit=Limit(depth=3), width=4, ordering=ordering)
    end = board.copy()
    for cell in result.pv:
        end.push(cell)
    assert as_evaluator("grade_dict").score(end) == result.score
    other = minmax(board.swap_colours(), limit=Limit(depth=3), width=4, ordering=ordering)
    assert (other.move, other.score, other.nodes) == (result.move, -result.score, result.nodes)


@settings(max_examples=20, deadline=None)
@given(board=small_boards().filter(lambda board: not board.is_over()), data=st.data())
def test_python_and_native_visit_the_same_tree(board, data):
    search = {
        "width": data.draw(st.sampled_from([1, 4, 11, None])),
        "ordering": data.draw(st.sampled_from(["gain", "ring", "none"])),
        "near": data.draw(st.sampled_from([1, 2, 3, None])),
        "decided": data.draw(st.sampled_from([None, 700, 4000])),
    }
    limit = data.draw(st.sampled_from([Limit(depth=1), Limit(depth=2), Limit(nodes=37), Limit(nodes=100, depth=3)]))
    table = data.draw(st.sampled_from(["grade_dict", "wins", "level", "money"]))
    results = [minmax(board, table, limit, **search, native=native) for native in (False, None)]
    for key in ("move", "score", "depth", "nodes", "pv", "stats", "stopped_by"):
        assert getattr(results[0], key) == getattr(results[1], key), key


def tried(board, **search):
    """The root's cells in the order in which they are tried."""
    return [board.name(cell) for cell in minmax(board, limit=Limit(depth=1), width=None, **search).stats["values"]]


def test_far_cells_come_by_their_ring_among_cells_that_come_by_their_gain():
    board = Board(9, black=["a1"], turn="black")
    gains = {board.name(cell): as_evaluator("grade_dict").gain(board, cell) for cell in board.empties()}
    assert [gains[name] for name in ("c3", "a2", "b2")] == [40, 0, 0]
    assert [name for name in tried(board) if name in ("c3", "e5", "a9", "a2", "b2")] == ["c3", "e5", "a9", "a2", "b2"]
    assert tried(board, near=None) == sorted(gains, key=lambda name: -gains[name])


def test_the_other_orders_look_at_no_stones():
    board = Board(9, black=["a1"], turn="black")
    rings = {board.name(cell): min(cell.row, cell.col, 8 - cell.row, 8 - cell.col) for cell in board.empties()}
    assert tried(board, ordering="none") == list(rings)
    assert tried(board, ordering="ring") == sorted(rings, key=lambda name: -rings[name])


# ---------------------------------------------------------------------- limits


def test_a_node_limit_is_exact():
    for nodes in (1, 7, 500):
        for limit in (Limit(nodes=nodes), Limit(nodes=nodes, depth=5)):
            result = minmax(LEVEL_16, limit=limit)
            assert (result.nodes, result.stopped_by) == (nodes, "nodes")
    exact = minmax(LEVEL_16, limit=Limit(nodes=3941, depth=5))
    assert (exact.nodes, exact.score, exact.stopped_by) == (3941, 3720, "depth")


def test_deepening_answers_with_the_deepest_search_it_finished():
    whole = [minmax(LEVEL_16, limit=Limit(depth=depth)) for depth in (1, 2, 3)]
    enough = sum(result.nodes for result in whole)
    result = minmax(LEVEL_16, limit=Limit(nodes=enough + 5))
    assert (result.move, result.score, result.depth, result.pv) == (*_found(whole[2]), 3, whole[2].pv)
    assert result.stats == whole[2].stats
    short = minmax(LEVEL_16, limit=Limit(nodes=enough - 1))
    assert (short.move, short.score, short.depth) == (*_found(whole[1]), 2)


def _found(result):
    return result.move, result.score


def test_a_decided_score_ends_the_deepening():
    board = Board(black=["c8", "d8", "e8", "f8"], white=["c9", "d9", "e9"], turn="black")
    result = minmax(board, limit=Limit(seconds=5))
    assert (result.depth, result.stopped_by) == (1, "complete")
    assert board.name(result.move) in ("b8", "g8")


@timing
@pytest.mark.parametrize("native", [False, True])
def test_a_seconds_limit_is_kept(native):
    found = []

    def think():
        found.append(minmax(LEVEL_16, limit=Limit(seconds=0.05), decided=10**9, native=native))

    bound = 0.05 + 0.05 * slowness()
    assert quickest(think, bound) < bound
    for result in found:
        assert result.stopped_by == "seconds"
        assert result.move in LEVEL_16.legal_moves()


def test_a_limit_too_short_for_anything_still_gives_a_legal_move():
    result = minmax(LEVEL_16, limit=Limit(seconds=1e-9), native=False)
    assert result.move in LEVEL_16.legal_moves()
    assert (result.depth, result.nodes, result.stopped_by) == (0, 0, "seconds")


def test_another_thread_can_cancel():
    cancel = Cancel()
    threading.Timer(0.05, cancel.set).start()
    result = minmax(LEVEL_16, limit=Limit(depth=30), width=None, cancel=cancel)
    assert result.stopped_by == "cancelled"
    assert result.move in LEVEL_16.legal_moves()
    assert minmax(LEVEL_16, limit=Limit(depth=3), cancel=cancel).nodes == 0


@pytest.mark.parametrize("native", [False, True])
def test_progress_is_told_and_its_errors_come_through(native):
    told, cancel = [], Cancel()

    def hear(one):
        told.append(one)
        if len(told) == 2:
            cancel.set()

    result = minmax(LEVEL_16, limit=Limit(seconds=60, depth=30), native=native, cancel=cancel, progress=hear)
    assert (len(told), result.stopped_by) == (2, "cancelled")
    assert told[1]["elapsed"] > 0.399  # five times a second
    assert set(told[0]) == {"nodes", "depth", "score", "win", "elapsed"}

    def refuse(_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        minmax(LEVEL_16, limit=Limit(seconds=5, depth=30), native=native, progress=refuse)


# ---------------------------------------------------------------------- boards and parameters


def test_the_board_is_left_alone():
    board = LEVEL_16.copy()
    minmax(board, limit=Limit(depth=2))
    assert board == LEVEL_16
    assert board.moves == ()


def test_a_game_that_is_over_is_refused_and_a_full_board_has_no_move():
    won = Board(black=["a1", "b1", "c1", "d1", "e1"], turn="white")
    with pytest.raises(IllegalMoveError, match="black has won"):
        minmax(won)
    rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOOX"]
    full = Board(
        5,
        black=[(r, c) for r in range(5) for c in range(5) if rows[r][c] == "X"],
        white=[(r, c) for r in range(5) for c in range(5) if rows[r][c] == "O"],
    )
    result = minmax(full)
    assert (result.move, result.nodes, result.stopped_by) == (None, 0, "complete")


def test_the_last_free_cell_is_played_however_deep_one_asks():
    board = Board(5, black=["a1", "b3"], turn="black")
    result = minmax(board, limit=Limit(depth=99), width=1)
    assert (result.depth, len(result.pv)) == (23, 23)


def test_under_renju_black_never_plays_a_forbidden_point():
    board = Board(9, black=["c5", "d5", "e6", "e7"], white=["a1", "a9", "i1"], turn="black", rule="renju")
    assert [board.name(cell) for cell in board.forbidden()] == ["e5"]
    values = minmax(board, limit=Limit(depth=1), width=None).stats["values"]
    assert Cell(4, 4) not in values
    assert len(values) == len(board.empties()) - 1


@pytest.mark.parametrize(
    "bad",
    [{"width": 0}, {"width": "many"}, {"ordering": "best"}, {"near": 0}, {"decided": -1}, {"width": True}],
)
def test_parameters_are_checked(bad):
    with pytest.raises(PlayerError, match=f"{next(iter(bad))} must be"):
        minmax(LEVEL_16, **bad)


def test_an_unknown_table_is_an_error_of_the_player():
    with pytest.raises(GomokuError, match="no_such_table"):
        player("minmax:table=no_such_table")


def test_the_player_has_the_search_as_options():
    chosen = player("minmax:table=grade_dict,depth=4,width=11")
    assert chosen.name == "minmax:table=grade_dict,depth=4,width=11"
    level_1 = golden_board(GOLDENS[1])
    for limit in (None, Limit(depth=9), Limit(seconds=60)):
        result = chosen.search(level_1, limit)
        assert (result.move, result.nodes) == ((3, 8), 506)
    assert player("minmax").search(level_1, Limit(depth=2)).depth == 2
    assert player("minmax:depth=2", table=Stones()).name == "minmax:table=stones,depth=2"


def test_candidates_are_good_for_the_side_to_move():
    board = Board(black=["c8", "d8", "e8"], white=["c9", "d9"], turn="white")
    thoughts = player("minmax:depth=1").candidates(board)
    best = max(thoughts, key=thoughts.get)
    assert best == minmax(board, limit=Limit(depth=1)).move


def test_a_table_says_beyond_which_grade_a_game_is_decided():
    board = Board(black=["c8", "d8", "e8", "f8"], white=["c9", "d9", "e9"], turn="black")
    result = minmax(board, "outcome", Limit(nodes=100_000), width=None)
    assert (result.score, result.depth, result.stopped_by) == (1, 1, "complete")

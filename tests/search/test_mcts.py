"""mcts: the native tree equals the Python one, proofs are true, and the tree is kept and bounded."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board, Cell, Rule
from gomoku_patterns.errors import IllegalMoveError, PlayerError
from gomoku_patterns.evaluator import as_evaluator
from search import Limit, mcts, player
from search._control import Control
from search.mcts_native import NativeMcts
from search.mcts_reference import CandidateBoard, Chance, ReferenceMcts
from search.mcts_tree import MctsOptions
from tests.search.same_tree import small_boards


@st.composite
def positions(draw):
    rows, cols = draw(st.sampled_from([(5, 5), (5, 8), (9, 6), (15, 15), (22, 22)]))
    places = [(row, col) for row in range(rows) for col in range(cols)]
    stones = draw(st.lists(st.sampled_from(places), unique=True, max_size=24))
    half = len(stones) // 2
    turn, rule = draw(st.sampled_from(["black", "white"])), draw(st.sampled_from(list(Rule)))
    board = Board(rows, cols, black=stones[:half], white=stones[half:], turn=turn, rule=rule)
    assume(len(board.legal_moves()) > 1)
    return board


plans = st.builds(
    MctsOptions,
    reward=st.sampled_from(["half", "hundred"]),
    exploration=st.sampled_from([0.0, 0.5, math.sqrt(2), 3.0]),
    plies=st.sampled_from([0, 1, 7, 40]),
    proofs=st.booleans(),
    seed=st.integers(0, 2**63 - 1),
)


def grown(kind, board, plan, limit, evaluator=None):
    tree = kind(board, plan, board.legal_moves(), evaluator)
    stopped_by = tree.run(Control(limit))
    return {
        "moves": tree.moves(),
        "line": tree.line(),
        "depth": tree.depth,
        "proven": tree.proven,
        "ended": (tree.rollouts, stopped_by),
    }


WON_BY_THE_FIRST_ROLLOUT = Board(5, black=["a5", "b5", "c5", "d5"], white=["a4", "b4", "c4", "d4"], turn="black")


@settings(max_examples=60)
@example(board=WON_BY_THE_FIRST_ROLLOUT, plan=MctsOptions(exploration=0.0, plies=0), depth=None, nodes=1)
@given(board=positions(), plan=plans, depth=st.sampled_from([None, 1, 3]), nodes=st.integers(1, 150))
def test_python_and_native_grow_the_same_tree(board, plan, depth, nodes):
    limit = Limit(nodes=nodes, depth=depth)
    assert grown(NativeMcts, board, plan, limit) == grown(ReferenceMcts, board, plan, limit)


def test_candidates_are_the_eight_neighbours_of_stones():
    assert [Board().at(cell) for cell in CandidateBoard(Board()).candidates] == [(7, 7)]
    board = Board(5, black=["a1"], white=["c1"])
    position = CandidateBoard(board)
    assert [board.name(board.at(cell)) for cell in position.candidates] == ["a2", "b2", "c2", "d2", "b1", "d1"]
    position.play(board.index("b2"), BLACK)
    names = [board.name(board.at(cell)) for cell in position.candidates]
    assert names == ["a2", "d1", "c2", "d2", "b1", "a3", "b3", "c3"]


def test_chance_is_splitmix64():
    chance = Chance(1234567)
    assert [chance.number() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


# ---------------------------------------------------------------------- worked by hand


def test_one_ply_of_uct_by_hand():
    """Two root moves that a rollout cannot decide are tried in turn, the first one first."""
    board = Board(5, black=["a1"], turn="white")
    tree = ReferenceMcts(board, MctsOptions(plies=0), board.legal_moves())
    tree.run(Control(Limit(nodes=7, depth=1)))
    assert [(board.name(one.cell), one.visits, one.value) for one in tree.moves()] == [
        ("a2", 3, 1.5),
        ("b2", 2, 1.0),
        ("b1", 2, 1.0),
    ]


@pytest.mark.parametrize(("reward", "value"), [("half", 0.5), ("hundred", 1.0)])
def test_an_undecided_rollout_is_worth_what_the_plan_says(reward, value):
    board = Board(5, black=["a1"], turn="white")
    tree = ReferenceMcts(board, MctsOptions(plies=0, reward=reward), board.legal_moves())
    tree.run(Control(Limit(nodes=3)))
    assert {one.value for one in tree.moves()} == {value}


@pytest.mark.parametrize("native", [False, True])
def test_a_five_is_played_and_proven_at_once(native):
    board = Board(black=["h8", "h9", "h10", "h11"], white=["g8", "g9", "g10", "h12"])
    result = mcts(board, native=native)
    assert (board.name(result.move), result.nodes, result.score) == ("h7", 1, 1000)
    assert (result.stats["proven"], result.stopped_by) == ("win", "complete")


def test_a_straight_four_is_proven_lost_for_who_faces_it():
    board = Board(9, black=["c5", "d5", "e5", "f5"], white=["a1", "b3", "h8"], turn="white")
    result = mcts(board, limit=Limit(nodes=50_000))
    assert (result.stats["proven"], result.score, result.stopped_by) == ("loss", 1000, "complete")
    assert set(result.stats["values"].values()) == {1000}


def test_a_three_is_proven_won_and_only_the_blocks_hold_without_proofs():
    board = Board(9, black=["d5", "e5", "f5"], white=["a1", "h8"], turn="black")
    proven = mcts(board, limit=Limit(nodes=100_000))
    assert proven.stats["proven"] == "win"
    assert board.name(proven.move) in ("c5", "g5")
    plain = mcts(board, limit=Limit(nodes=20_000), proofs=False)
    assert (plain.nodes, plain.stats["proven"]) == (20_000, None)
    assert board.name(plain.move) in ("c5", "g5")


def test_under_renju_black_is_not_proven_to_win_by_a_forbidden_point():
    board = Board(9, black=["c5", "d5", "e5", "f5", "h5"], white=["b5", "a1", "a3", "i9"], turn="black")
    assert board.name(mcts(board, limit=Limit(nodes=100)).move) == "g5"
    board.rule = Rule.RENJU
    assert [board.name(cell) for cell in board.forbidden()] == ["g5"]
    result = mcts(board, limit=Limit(nodes=2000))
    assert result.stats["proven"] != "win"
    assert board.cell("g5") not in result.stats["visited"]


# ---------------------------------------------------------------------- limits, memory, keeping the tree


def test_rollouts_count_when_nothing_else_limits_the_search():
    assert mcts(Board(), rollouts=321).nodes == 321
    shallow = mcts(Board(), limit=Limit(depth=2), rollouts=2000)
    assert (shallow.nodes, shallow.depth, shallow.stopped_by) == (2000, 2, "depth")
    assert mcts(Board(), limit=Limit(nodes=77), rollouts=5).nodes == 77


def test_the_pool_is_bounded_and_a_full_pool_does_not_end_the_search():
    board = Board(black=["h8", "c3"], white=["h9", "l12"])
    tree = NativeMcts(board, MctsOptions(memory=1), board.legal_moves())
    tree.run(Control(Limit(nodes=40_000)))
    assert tree._tree.size <= 1024 * 1024 // 32
    assert sum(one.visits for one in tree.moves()) == 40_000


def test_the_tree_is_kept_when_the_game_goes_on():
    chosen, board = player("mcts"), Board(9, black=["e5"])
    first = chosen.search(board, Limit(nodes=20_000))
    board.push(first.pv[0])
    board.push(first.pv[1])
    again = chosen.search(board, Limit(nodes=1))
    assert sum(again.stats["visited"].values()) > 100
    fresh = player("mcts:reuse=no")
    fresh.search(board, Limit(nodes=100))
    assert sum(fresh.search(board, Limit(nodes=1)).stats["visited"].values()) == 1


def test_a_kept_tree_is_the_subtree_and_goes_on_as_if_it_were_the_root():
    board = Board(9, black=["e5", "d4"], white=["e6"])
    tree = NativeMcts(board, MctsOptions(), board.legal_moves())
    tree.run(Control(Limit(nodes=30_000)))
    first, second = tree.line()[:2]
    board.push(first)
    board.push(second)
    assert tree.follow(board, board.legal_moves())
    tried = tree.moves()
    assert {one.cell for one in tried} <= set(board.legal_moves())
    before = sum(one.visits for one in tried)
    tree.run(Control(Limit(nodes=500)))
    assert sum(one.visits for one in tree.moves()) == before + 500


@pytest.mark.parametrize("change", ["other game", "taken back", "same position", "stones of one side", "another size"])
def test_a_tree_is_not_kept_where_the_moves_do_not_lead(change):
    board = Board(9, black=["e5"])
    tree = NativeMcts(board, MctsOptions(), board.legal_moves())
    tree.run(Control(Limit(nodes=5000)))
    other = {
        "other game": Board(9, black=["f5"]),
        "taken back": Board(9),
        "same position": board,
        "stones of one side": Board(9, black=["e5"], white=["e6", "f6"], turn="black"),
        "another size": Board(10, black=["e6"], white=["e5"], turn="black"),
    }[change]
    assert not tree.follow(other, other.legal_moves())


def test_a_new_game_forgets():
    chosen, board = player("mcts:seed=5"), Board(9, black=["e5"])
    first = chosen.search(board, Limit(nodes=3000))
    line = board.copy()
    line.push(first.pv[0])
    line.push(first.pv[1])
    chosen.new_game()
    assert sum(chosen.search(line, Limit(nodes=10)).stats["visited"].values()) == 10
    assert chosen.search(board, Limit(nodes=3000)).stats == first.stats


def test_seeds_make_the_difference():
    board = Board(black=["h8"], white=["i9"])
    one, same, other = (mcts(board, limit=Limit(nodes=500), seed=seed).stats for seed in (1, 1, 2))
    assert one == same != other


def test_boards_that_are_over_full_or_without_a_choice():
    won = Board(black=["a1", "b1", "c1", "d1", "e1"], turn="white")
    with pytest.raises(IllegalMoveError):
        mcts(won)
    assert mcts(Board(), limit=Limit(nodes=10)).move == Cell(7, 7)


@pytest.mark.parametrize(
    "bad", [{"reward": "double"}, {"exploration": -1}, {"plies": -1}, {"seed": "x"}, {"memory": 0}]
)
def test_parameters_are_checked(bad):
    with pytest.raises(PlayerError, match=f"{next(iter(bad))} must be"):
        mcts(Board(), **bad)


# ---------------------------------------------------------------------- guided by a table


@settings(max_examples=15)
@given(
    board=small_boards(most=8, sides=(5, 6)),
    plan=plans,
    table=st.sampled_from(["grade_dict", "wins", "level", "money", "outcome"]),
)
def test_python_and_native_are_guided_alike(board, plan, table):
    native, python = (as_evaluator(table, native=kind) for kind in (True, False))
    limit = Limit(nodes=8)
    short = replace(plan, plies=min(plan.plies, 3))
    assert grown(NativeMcts, board, short, limit, native) == grown(ReferenceMcts, board, short, limit, python)


def test_a_guided_rollout_draws_by_weight():
    board = Board(9, black=["d5", "e5", "f5"], white=["a1", "h8"], turn="white")
    tree = ReferenceMcts(board, MctsOptions(plies=1), board.legal_moves(), as_evaluator("grade_dict"))
    weights = dict(zip(tree.start.candidates, tree.weights(tree.start.candidates), strict=True))
    gain = {name: as_evaluator("grade_dict").gain(board, name, BLACK) for name in ("c5", "c6")}
    loss = {name: as_evaluator("grade_dict").gain(board, name, WHITE) for name in ("c5", "c6")}
    for name, own in gain.items():
        assert weights[board.index(name)] == 1 + own - loss[name]
    result = mcts(board, "grade_dict", Limit(nodes=200))
    assert board.name(max(result.stats["visited"], key=result.stats["visited"].get)) in ("b5", "c5", "g5", "h5")


def test_the_turn_weighs_nothing():
    """``wins`` gives the side to move more for everything; the weights only tell cells apart."""
    board = Board(9, black=["d5", "e5"], white=["d6", "f7"], turn="white")
    tree = ReferenceMcts(board, MctsOptions(), board.legal_moves(), as_evaluator("wins"))
    assert len(set(tree.weights(tree.start.candidates))) > 3


def test_any_evaluator_guides_the_search():
    class Middle:
        name = "middle"

        def score(self, board):
            return -sum(colour.sign * abs(cell.col - 4) for colour in (BLACK, WHITE) for cell in board.stones(colour))

    board = Board(9, black=["e5"], turn="white")
    result = mcts(board, Middle(), Limit(nodes=30), plies=2)
    assert result.nodes == 30
    assert player("mcts", table=Middle()).name == "mcts:table=middle"

"""Players: what a spec means, what the registry refuses, and what every player promises."""

from __future__ import annotations

import inspect
import threading
import time
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gomoku_patterns import Board, Rule
from gomoku_patterns.errors import BoardError, IllegalMoveError, LimitError, PlayerError
from search import (
    Cancel,
    Limit,
    Option,
    Options,
    Player,
    SearchResult,
    describe_players,
    engine,
    level,
    level_tree,
    mcts,
    minmax,
    option,
    player,
    player_names,
    register_player,
    solve,
    two_ply,
    wins,
)
from search.door import tightened
from search.options import declared
from search.players import parse_spec, unregister_player
from tests.timing import quickest, slowness, timing


class Corner(Player):
    """Plays the first empty cell, however often it is asked."""

    kind = "corner"
    summary = "First empty cell."

    @dataclass(frozen=True)
    class Options(Options):
        times: int = option(1, "how often", least=1, most=9)
        share: float = option(0.5, "a part", least=0)
        bold: bool = option(False, "boldly")
        mood: str = option("calm", "how it feels", choices=("calm", "wild"))
        near: int | None = option(2, "distance", least=1, none="off")
        table: Any = option("grade_dict", "a table")

    def search(self, board, limit=None, *, cancel=None, progress=None):
        return SearchResult(move=board.empties()[0], score=0)


@pytest.fixture
def corner():
    register_player("corner", Corner)
    yield
    unregister_player("corner")


def test_a_spec_is_a_name_and_options():
    assert parse_spec("minmax") == ("minmax", {})
    assert parse_spec(" minmax : depth = 5 , width=off ") == ("minmax", {"depth": "5", "width": "off"})


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("", "a player is written as 'minmax'"),
        (None, "not None"),
        ("grandmaster", "unknown player 'grandmaster'; the players are minmax"),
        ("corner:", "key=value"),
        ("corner:times", "not 'times'"),
        ("corner:times=1,times=2", "'times' is given twice"),
        ("corner:tiems=1", "unknown option 'tiems'; did you mean 'times'?"),
        ("corner:times=0", "player 'corner': times must be a whole number from 1 to 9, not '0'"),
        ("corner:times=1.5", "not '1.5'"),
        ("corner:share=nan", "a number from 0, not 'nan'"),
        ("corner:bold=perhaps", "yes or no, not 'perhaps'"),
        ("corner:mood=sad", "calm or wild, not 'sad'"),
        ("corner:near=close", "a whole number from 1 or off, not 'close'"),
        ("corner:times=off", "not 'off'"),
    ],
)
@pytest.mark.usefixtures("corner")
def test_a_bad_spec_is_refused_in_one_line_that_says_what_is_known(spec, complaint):
    with pytest.raises(PlayerError) as caught:
        player(spec)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("corner")
def test_the_canonical_name_is_in_declared_order_with_one_spelling():
    chosen = player("corner:near=off,bold=TRUE,share=0.50,times=03")
    assert chosen.name == "corner:times=3,share=0.5,bold=yes,near=off"
    assert player(chosen.name).options == chosen.options
    assert player("corner").name == "corner"


@pytest.mark.usefixtures("corner")
def test_options_may_be_python_values():
    class Mine:
        name = "mine"

    table = Mine()
    chosen = player("corner:times=3", times=4, near=None, table=table)
    assert chosen.options.times == 4
    assert chosen.options.table is table
    assert chosen.name == "corner:times=4,near=off,table=mine"
    with pytest.raises(PlayerError):
        player("corner", times=True)


@pytest.mark.usefixtures("corner")
def test_a_name_is_registered_once():
    assert "corner" in player_names()
    for taken in ("corner", "random", "", "a b", "a:b"):
        with pytest.raises(PlayerError):
            register_player(taken, Corner)


def test_a_plain_function_can_be_a_factory():
    register_player("plain", lambda times=2: Corner(times=times), options=Corner.Options, summary="Made.")
    try:
        chosen = player("plain:times=5")
        assert (chosen.name, chosen.options.times) == ("plain:times=5", 5)
    finally:
        unregister_player("plain")


def test_a_factory_has_to_make_a_player():
    register_player("brick", object)
    try:
        with pytest.raises(PlayerError, match="has to make a Player"):
            player("brick")
    finally:
        unregister_player("brick")


def test_installed_packages_bring_players(monkeypatch):
    from importlib.metadata import EntryPoint

    points = [
        EntryPoint("installed", f"{__name__}:Corner", "gomoku_patterns.players"),
        EntryPoint("broken", "no_such_module:X", "gomoku_patterns.players"),
    ]
    monkeypatch.setattr("search.players.entry_points", lambda group: points)
    monkeypatch.setattr(EntryPoint, "load", lambda self: Corner if self.name == "installed" else __import__("nope_"))
    assert {"installed", "broken"} <= set(player_names())
    assert player("installed:times=2").name == "installed:times=2"
    with pytest.raises(PlayerError, match="player 'broken' cannot be loaded from 'no_such_module:X'"):
        player("broken")


def test_limits_and_settings_tighten_each_other():
    assert tightened(Limit(seconds=1), depth=5) == Limit(depth=5, seconds=1)
    assert tightened(Limit(depth=3), depth=5) == Limit(depth=3)
    assert tightened(None, depth=5) == Limit(depth=5)
    with pytest.raises(LimitError):
        tightened(None)


def test_every_player_says_what_it_is_and_rebuilds_from_its_name():
    for info in describe_players():
        assert info.summary.endswith(".")
        assert all(option.help for option in info.options)
        assert player(player(info.name).name).name == info.name


# ---------------------------------------------------------------------- what every player promises

NAMES = player_names()
FREE = {"random", "level"}
"""Those that look at the position as it is: there is nothing to stop or to report."""
STOPPED_BY = {"depth", "nodes", "seconds", "memory", "cancelled", "complete"}


@st.composite
def positions(draw):
    """Positions of any size and rule that are not over, some crowded, some empty."""
    rows, cols = draw(st.sampled_from([(5, 5), (5, 8), (9, 6), (7, 7), (15, 15)]))
    places = [(row, col) for row in range(rows) for col in range(cols)]
    stones = draw(st.lists(st.sampled_from(places), unique=True, max_size=24))
    half = len(stones) // 2
    turn, rule = draw(st.sampled_from(["black", "white"])), draw(st.sampled_from(list(Rule)))
    board = Board(rows, cols, black=stones[:half], white=stones[half:], turn=turn, rule=rule)
    assume(not board.is_over())
    return board


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(board=positions())
def test_every_answer_is_legal_and_complete(name, board):
    before = repr(board)
    result = player(name).search(board, Limit(nodes=25, seconds=5))
    assert repr(board) == before
    assert result.move in board.legal_moves()
    assert result.nodes <= 25
    assert result.stopped_by in STOPPED_BY
    assert result.pv[0] == result.move
    assert isinstance(result.score, int)
    line = board.copy()
    for cell in result.pv:
        line.push(cell)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=5)
@given(board=positions())
def test_the_same_search_gives_the_same_answer(name, board):
    for limit in (Limit(nodes=20), Limit(depth=2, nodes=25)):
        first, again = (player(name).search(board, limit) for _ in range(2))
        for key in ("move", "score", "nodes", "pv", "stopped_by"):
            assert getattr(first, key) == getattr(again, key), key
        assert first.stats.get("values") == again.stats.get("values")


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
@pytest.mark.parametrize("name", NAMES)
def test_games_can_be_played_from_the_first_move_to_the_last_cell(name, rule):
    sides = [player(name), player("random:seed=4")]
    board = Board(6, 5, rule=rule)
    while not board.is_over():
        move = sides[len(board) % 2].search(board, Limit(nodes=15, seconds=5)).move
        assert move in board.legal_moves()
        board.push(move)
    if board.is_full() and not board.winner():
        assert sides[0].search(board, Limit(nodes=15)).move is None


@pytest.mark.parametrize("name", NAMES)
def test_the_last_free_cell_is_found(name):
    rows = ["XXOOX", "OOXXO", "XX.OX", "OOXXO", "XXOOX"]
    stones = {mark: [(r, c) for r in range(5) for c in range(5) if rows[r][c] == mark] for mark in "XO"}
    board = Board(5, black=stones["X"], white=stones["O"], turn="white")
    assert player(name).search(board, Limit(seconds=2)).move == (2, 2)
    board.push((2, 2))
    assert player(name).search(board, Limit(seconds=2)).move is None


@pytest.mark.parametrize("name", NAMES)
def test_a_finished_game_is_refused(name):
    board = Board(black=["a1", "b1", "c1", "d1", "e1"], turn="white")
    with pytest.raises(IllegalMoveError):
        player(name).search(board, Limit(nodes=5))


@pytest.mark.parametrize("name", NAMES)
def test_black_never_plays_a_forbidden_point(name):
    board = Board(9, black=["c5", "d5", "e6", "e7"], white=["a1", "a9", "i1"], turn="black", rule="renju")
    assert [board.name(cell) for cell in board.forbidden()] == ["e5"]
    chosen = player(name)
    assert chosen.search(board, Limit(nodes=300, seconds=5)).move != board.cell("e5")
    assert board.cell("e5") not in chosen.candidates(board, Limit(nodes=300, seconds=5))


@timing
@pytest.mark.parametrize("seconds", [0.001, 0.05])
@pytest.mark.parametrize("name", NAMES)
def test_time_is_kept(name, seconds):
    board = Board(black=["h8", "i9", "g9"], white=["h9", "j10", "g7"], turn="black")
    chosen = player(name)
    chosen.search(board, Limit(nodes=1))
    found = []
    bound = seconds + 0.02 * slowness()
    assert quickest(lambda: found.append(chosen.search(board, Limit(seconds=seconds))), bound) < bound
    assert all(result.move in board.legal_moves() for result in found)


@pytest.mark.parametrize("name", NAMES)
def test_a_cancelled_search_still_answers(name):
    board = Board(22, black=["h8", "i9", "g9"], white=["h9", "j10", "g7"], turn="black")
    cancel = Cancel()
    threading.Timer(0.05, cancel.set).start()
    started = time.perf_counter()
    result = player(name).search(board, Limit(seconds=5, depth=20), cancel=cancel)
    assert time.perf_counter() - started < 3
    assert result.move in board.legal_moves()
    assert result.stopped_by in ({"cancelled"} if name not in FREE | QUICK else STOPPED_BY)


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
@pytest.mark.parametrize("name", NAMES)
def test_a_search_that_is_cancelled_before_it_begins_answers_too(name, rule):
    cancel = Cancel()
    cancel.set()
    for board in (Board(rule=rule), Board(7, black=["c3"], white=["d4"], rule=rule)):
        assert player(name).search(board, Limit(seconds=5), cancel=cancel).move in board.legal_moves()


@pytest.mark.parametrize(
    "spec", ["mcts:plies=2147483648", "wins:width=2147483648", "level_tree:node=2147483648", f"stubborn:nodes={2**63}"]
)
def test_what_no_search_can_hold_is_refused_when_the_player_is_made(spec):
    with pytest.raises(PlayerError, match="must be a whole number from"):
        player(spec)


QUICK = {"two_ply", "solver", "stubborn", "engine", "book", "level_tree", "wins"}
"""Those that may be done before they can be cancelled."""


@pytest.mark.parametrize("name", NAMES)
def test_candidates_are_legal_cells_with_whole_numbers(name):
    board = Board(black=["g8", "h8", "i8"], white=["g9", "h9"], turn="white")
    thoughts = player(name).candidates(board, Limit(nodes=200, seconds=5))
    assert thoughts
    assert set(thoughts) <= set(board.legal_moves())
    assert all(isinstance(value, int) for value in thoughts.values())


@pytest.mark.parametrize("name", ["minmax:width=off", "wins:width=off", "mcts", "mcts:table=grade_dict"])
def test_progress_is_told_and_what_it_raises_ends_the_search(name):
    board = Board(black=["h8", "i9", "g9"], white=["h9", "j10", "g7"], turn="black")
    told, cancel = [], Cancel()

    def hear(one):
        told.append(one)
        if len(told) == 2:
            cancel.set()

    result = player(name).search(board, Limit(seconds=60, depth=20), cancel=cancel, progress=hear)
    assert (len(told), result.stopped_by) == (2, "cancelled")
    assert told[1]["elapsed"] > 0.399  # five times a second
    assert all(set(one) == {"nodes", "depth", "score", "win", "elapsed"} for one in told)

    def enough(_):
        raise LookupError("enough")

    chosen = player(name)
    with pytest.raises(LookupError, match="enough"):
        chosen.search(board, Limit(seconds=5, depth=20), progress=enough)
    assert chosen.search(board, Limit(nodes=10)).move in board.legal_moves()


@pytest.mark.parametrize("name", player_names())
def test_what_is_no_board_and_no_limit_is_refused_in_words(name: str) -> None:
    asked, board = player(name), Board(black=["h8"])
    for limit in (5, 0, "10", {"nodes": 10}):
        with pytest.raises(LimitError, match=r"limit must be a Limit such as Limit\(depth=5\)"):
            asked.search(board, limit)  # type: ignore[arg-type]  # the slip that is tested
    for nothing in (None, "h8i9", [[0] * 15] * 15):
        with pytest.raises(BoardError, match="expected a Board, found"):
            asked.search(nothing)  # type: ignore[arg-type]


def test_the_functions_refuse_the_same() -> None:
    for search in (solve, minmax, level, level_tree, wins, two_ply, mcts):
        with pytest.raises(BoardError, match="expected a Board, found None"):
            search(None)  # type: ignore[operator]
        with pytest.raises(LimitError, match=r"must be a Limit such as .*, not 5"):
            search(Board(black=["h8"]), limit=5)  # type: ignore[operator]
    with pytest.raises(LimitError, match="seconds must be a finite number above 0, not True"):
        Limit(seconds=True)


def test_an_external_engine_is_no_player_of_the_program() -> None:
    with pytest.raises(PlayerError, match="is an external engine"):
        player("cmd:./pbrain-x")


def test_bounds_are_told_with_all_their_digits() -> None:
    assert (
        Option("seed", int, 0, "", least=0, most=2**63 - 1).expected == "a whole number from 0 to 9223372036854775807"
    )
    assert Option("share", float, 0.5, "", least=0.25, most=1.0).expected == "a number from 0.25 to 1"


@pytest.mark.parametrize(
    ("spec", "meant"),
    [("minimax", "minmax"), ("engin", "engine"), ("mcts:rolouts=5", "rollouts"), ("stuborn", "stubborn")],
)
def test_a_slip_is_answered_by_what_was_meant(spec: str, meant: str) -> None:
    with pytest.raises(PlayerError, match=f"did you mean '{meant}'"):
        player(spec)


@pytest.mark.parametrize("search", [minmax, level, level_tree, wins, two_ply, mcts, engine])
def test_a_search_is_its_player_with_the_same_options(search: Any) -> None:
    board, name = Board(black=["h8", "j9"], white=["h9"]), search.__name__
    options = [option.name for option in declared(type(player(name)).Options) if option.name != "table"]
    signature = inspect.signature(search).parameters
    assert [*signature][:3] == ["board", "evaluator", "limit"]
    assert set(options) <= set(signature) and all(f"``{option}=" in search.__doc__ for option in options)
    one, other = search(board, limit=Limit(nodes=50)), player(name).search(board, Limit(nodes=50))
    assert (one.move, one.score, one.nodes) == (other.move, other.score, other.nodes)


@pytest.mark.parametrize("name", player_names())
def test_a_player_prepares_without_a_trace(name: str) -> None:
    board = Board(7, black=["d4"], white=["c3"], turn="black")
    ready = player(name)
    ready.prepare(Board(7))
    limit = Limit(nodes=30, seconds=5)
    assert ready.search(board, limit).move == player(name).search(board, limit).move
    full = board.copy(moves=False)
    assert ready.search(full, limit).move in full.legal_moves()


def test_options_change_in_place() -> None:
    chosen = player("minmax:depth=2")
    chosen.change(width=3)
    assert chosen.name == "minmax:depth=2,width=3"
    assert len(chosen.search(Board(black=["h8"])).stats["values"]) == 3

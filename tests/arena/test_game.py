"""One game: a pure function of its unit, judged by the rules, whatever the players do."""

from __future__ import annotations

import json
import pickle
import platform
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import search
from arena.agreements import DrawAgreement, Resignation
from arena.entrants import Entrant
from arena.game import lost_game, play_game
from arena.pools import Told
from arena.seats import check_player
from arena.sources import sources, table_files
from arena.time_control import TimeControl
from arena.units import opening_board, opening_json, points, record_board, unit_of
from gomoku_patterns import BLACK, WHITE, Board, Cell
from gomoku_patterns.cells import Colour
from gomoku_patterns.errors import ArenaError, PlayerError
from gomoku_patterns.import_path import imported
from gomoku_patterns.table import load_table
from search import Player, register_player
from search.players import unregister_player
from search.result import Limit, SearchResult, Win


def play(black: str, white: str, board: Board | None = None, **options: object) -> dict[str, object]:
    time_control = options.pop("time_control", TimeControl())
    return play_game(unit_of(black, white, board or Board(7), time_control, number=0, **options))


def timeless(record: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in record.items() if key != "seconds"}


@settings(max_examples=25)
@given(
    rule=st.sampled_from(["freestyle", "standard", "renju", "caro"]),
    rows=st.integers(5, 8),
    cols=st.integers(5, 8),
    seed=st.integers(0, 99),
)
def test_a_game_is_a_function_of_its_unit_and_ends_by_the_rules(rule: str, rows: int, cols: int, seed: int) -> None:
    unit = unit_of("random", "random", Board(rows, cols, rule=rule), TimeControl(), number=3, seed=seed)
    record = play_game(json.loads(json.dumps(unit)))
    assert timeless(record) == timeless(play_game(unit))
    final = record_board(record)
    winner = final.winner()
    assert record["result"] == (str(winner) if winner else "draw")
    assert record["reason"] == ("five" if winner else "full")


def test_the_seed_of_the_unit_reaches_players_that_take_one() -> None:
    games = {tuple(play("random", "random", seed=seed)["moves"]) for seed in range(5)}
    assert len(games) == 5
    fixed = {tuple(play("random:seed=1", "random:seed=2", seed=seed)["moves"]) for seed in range(5)}
    assert len(fixed) == 1


def test_the_length_is_agreed_on() -> None:
    record = play("random", "random", Board(15), max_moves=10)
    assert (record["result"], record["reason"], len(record["moves"])) == ("draw", "length", 10)


def test_a_proof_ends_the_game_and_the_proof_is_played_out_without_it() -> None:
    """Black has a live three and is to move."""
    board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
    record = play("random", "random", board, adjudicate=1000)
    assert (record["result"], record["reason"], record["moves"]) == ("black", "proof", [])
    assert record["detail"] == "black wins in 3"


class Odd(Player):
    """Does what its answer says."""

    answer: object = None

    def search(self, board, limit=None, *, cancel=None, progress=None):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        (SearchResult(None, 0), "illegal", "no move"),
        (None, "illegal", "no move, but None"),
        ((3, 3), "illegal", "no move, but (3, 3)"),
        (SearchResult(Cell(7, 0), 0), "illegal", "expected a cell on a 7x7 board"),
        (SearchResult("z9", 0), "illegal", "expected a cell from 'a1' to 'g7'"),
        (SearchResult(Cell(0, 0), 0), "illegal", "a7 is taken"),
        (RuntimeError("no idea"), "crash", "RuntimeError: no idea"),
        (RecursionError("deep"), "crash", "RecursionError: deep"),
        (SystemExit(0), "crash", "SystemExit: 0"),
    ],
)
def test_a_players_mistakes_lose_its_game(answer: object, reason: str, detail: str) -> None:
    register_player("odd", type("OddOne", (Odd,), {"answer": answer}))
    try:
        record = play("random", "odd", Board(7, black=["a7"], white=["b7"]))
    finally:
        unregister_player("odd")
    assert (record["result"], record["reason"]) == ("black", reason)
    assert record["detail"].startswith(f"white: {detail}")


def test_a_player_that_this_machine_cannot_make_loses_no_game() -> None:
    """A module or a program that a worker lacks is no fault in play: the run ends and says where it is missing."""
    for missing, said in (("nobody", "'nobody'"), ("not_here:Mine", "not_here"), ("cmd:./gone", "a program './gone'")):
        for names in ((missing, "random"), ("random", missing)):
            with pytest.raises(ArenaError, match=rf"on {platform.node()}: .*{said}.*go on with the same --log"):
                play(*names)
    with pytest.raises(PlayerError, match="'nobody'"):
        check_player("nobody")
    with pytest.raises(ArenaError, match="cannot find a program"):
        check_player("cmd:./missing")


def test_a_class_whose_constructor_raises_is_named(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "from search import Player\n\nclass Broken(Player):\n    def __init__(self, options=None):\n"
    search = "\n\n    def search(self, board, limit=None, **others):\n        pass\n"
    (tmp_path / "broken.py").write_text(f"{source}        raise RuntimeError('no weights here'){search}")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PlayerError, match="'broken:Broken' cannot be made: RuntimeError: no weights here"):
        check_player("broken:Broken")
    with pytest.raises(ArenaError, match="'broken:Broken' cannot be made: RuntimeError: no weights here; repair that"):
        play("random", "broken:Broken")


def test_a_player_that_leaves_when_a_game_begins_loses_it() -> None:
    class Leaver(Odd):
        def new_game(self):
            raise SystemExit(0)

    register_player("leaver", Leaver)
    try:
        record = play("leaver", "random")
    finally:
        unregister_player("leaver")
    assert (record["result"], record["reason"], record["detail"]) == ("white", "crash", "black: SystemExit: 0")


def test_a_worker_that_is_told_to_stop_is_no_crash_of_its_player() -> None:
    register_player("odd", type("OddOne", (Odd,), {"answer": Told()}))
    try:
        with pytest.raises(Told):
            play("random", "odd")
    finally:
        unregister_player("odd")


@given(
    moves=st.lists(st.tuples(st.integers(0, 24), st.sampled_from([BLACK, WHITE])), unique_by=lambda move: move[0]),
    turn=st.sampled_from([BLACK, WHITE]),
)
def test_openings_are_the_same_position_whoever_moved_when(moves: list[tuple[int, Colour]], turn: Colour) -> None:
    board = Board(5)
    for index, colour in moves:
        board.push(Cell(*divmod(index, 5)), colour)
    board.turn = turn
    said = opening_json(board)
    again = opening_board(said)
    assert again == board and again.turn is turn and opening_json(again) == said
    assert again.moves == board.moves[len(board.moves) - len(again.moves) :]
    if all(one.colour is not other.colour for one, other in pairwise(board.moves)):
        assert len(again.moves) == len(board.moves)


def test_openings_survive_json_with_their_order_and_turn() -> None:
    played = Board(9, rule="renju")
    for move in ("e5", "e6", "f5"):
        played.push(move)
    passed = Board(5, 7, black=["a1"], white=["b1"], turn="white")
    for board in (Board(), played, passed):
        again = opening_board(json.loads(json.dumps(opening_json(board))))
        assert again == board and again.moves == board.moves


def test_points_of_a_game() -> None:
    assert points({"result": "black"}, BLACK) == 1 and points({"result": "black"}, WHITE) == 0
    assert points({"result": "draw"}, WHITE) == 0.5 and points({"result": None}, WHITE) is None


def test_a_lost_game_is_not_counted() -> None:
    record = lost_game(unit_of("random", "random", Board(), TimeControl(), number=4))
    assert (record["unit"], record["result"], record["reason"]) == (4, None, "lost")


def test_tables_travel_as_text(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(load_table("grade_dict").to_toml(), encoding="utf-8")
    spec = f"minmax:table={path},depth=1"
    files = table_files([spec, "random"])
    path.unlink()
    record = play(spec, "random:seed=3", files=files, max_moves=8)
    assert record["moves"] == play("minmax:depth=1", "random:seed=3", max_moves=8)["moves"]


class Lead:
    """An evaluator of a user's own."""

    name = "lead"

    def score(self, board: Board) -> int:
        return len(board.stones(BLACK)) - len(board.stones(WHITE))


def test_evaluators_by_import_path_are_players_tables(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "own_evaluator.py").write_text(
        "class Lead:\n    name = 'lead'\n    def score(self, board):\n        return 0\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert imported("own_evaluator:Lead").name == "lead"
    record = play("minmax:table=own_evaluator:Lead,depth=1", "random:seed=3", max_moves=6)
    assert (record["reason"], len(record["moves"])) == ("length", 6)


@pytest.mark.parametrize("table", ["own_blind_evaluator:Blind", "outcome", "engine"])
def test_a_five_is_made_whatever_the_evaluator_says(table: str, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """In the search of a ladder's games; an evaluator that scores no five loses by its judgement, not by blindness."""
    (tmp_path / "own_blind_evaluator.py").write_text(
        "class Blind:\n    name = 'blind'\n    def score(self, board):\n        return 0\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    board = Board(9, black=["c5", "d5", "e5", "f5"], white=["c4", "d4", "e4", "h8"])
    limited = TimeControl(Limit(nodes=50))
    record = play(f"minmax:table={table}", "random", board, time_control=limited, max_moves=9)
    assert (record["result"], record["reason"]) == ("black", "five")


def test_a_module_that_leaves_the_program_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "leaving_module.py").write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PlayerError, match=r"cannot import 'leaving_module:Lead': SystemExit\(0\)"):
        imported("leaving_module:Lead")


@pytest.mark.parametrize("path", ["no_such_module:Lead", "math:no_such", "json:decoder.Nope"])
def test_what_cannot_be_imported_is_named(path: str) -> None:
    with pytest.raises(PlayerError, match="cannot import"):
        imported(path)


# ------------------------------------------------------------------ settings of one player, and agreements


def test_a_players_own_settings_take_the_place_of_the_matchs() -> None:
    base = TimeControl(Limit(seconds=1, nodes=500), match_seconds=60.0, tolerance=0.5)
    entrant = Entrant.parse("minmax @ name=Slow, seconds=5, nodes=none, increment=2, memory=1.5")
    found = entrant.time_control(base)
    assert (entrant.spec, entrant.name, found.limit) == ("minmax", "Slow", Limit(seconds=5.0))
    assert (found.match_seconds, found.increment, found.memory, found.tolerance) == (60.0, 2.0, 3 << 19, 0.5)
    assert Entrant.parse("minmax @ match_seconds=none").time_control(base).match_seconds is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("minmax @ speed=3", "unknown setting 'speed'"),
        ("minmax @ seconds", "a setting is written key=value"),
        ("minmax @ nodes=many", "nodes is a number, not 'many'"),
        ("minmax @ seconds=0", "seconds must be a finite number above 0"),
        ("minmax @ info.hash=3", r"is for external engines \(cmd:...\) alone"),
        ("random @ threads=2", "the player 'random' has no option 'threads'"),
    ],
)
def test_settings_that_make_no_sense_are_told_at_once(text: str, said: str) -> None:
    with pytest.raises(ArenaError, match=said):
        check_player(text)


def test_odds_of_nodes_are_given_to_one_player() -> None:
    record = play("minmax @ nodes=300", "minmax @ nodes=30, name=Weak", Board(9), max_moves=6)
    assert max(record["nodes"][1::2]) <= 30 < max(record["nodes"][::2]) <= 300
    assert record["white"] == "minmax @ nodes=30, name=Weak"


class Slow(Player):
    """Takes a twentieth of a second."""

    def search(self, board, limit=None, *, cancel=None, progress=None):
        time.sleep(0.05)
        return SearchResult(board.legal_moves()[0], 0)


@pytest.mark.parametrize(("increment", "reason"), [(0.0, "time"), (0.1, "length")])
def test_each_move_adds_its_increment_to_the_clock(increment: float, reason: str) -> None:
    register_player("slow", Slow)
    control = TimeControl(match_seconds=0.12, tolerance=0.0, increment=increment)
    try:
        assert play("slow", "random", Board(9), time_control=control, max_moves=12)["reason"] == reason
    finally:
        unregister_player("slow")


class Says(Player):
    """Plays anywhere, and says of the game what it is made to say."""

    score = 0

    def search(self, board, limit=None, *, cancel=None, progress=None):
        return SearchResult(board.legal_moves()[0], self.score, depth=3, nodes=7, pv=(Cell(0, 0), Cell(8, 8)))


@pytest.fixture
def says():
    for name, score in (("even", 5), ("better", 900), ("best", 2000), ("worst", -2000)):
        register_player(name, type(name, (Says,), {"score": score}))
    yield
    for name in ("even", "better", "best", "worst"):
        unregister_player(name)


@pytest.mark.usefixtures("says")
@pytest.mark.parametrize(
    ("black", "white", "result", "reason", "moves"),
    [
        ("best", "better", "black", "resign", 4),
        ("worst", "worst", "white", "resign", 4),
        ("even", "even", "draw", "agreed", 6),
        ("best", "worst", "draw", "length", 7),
        ("even", "better", "draw", "length", 7),
    ],
)
def test_games_end_where_both_players_agree(black: str, white: str, result: str, reason: str, moves: int) -> None:
    """Scores are as black sees them; two that claim the game for themselves play it out."""
    record = play(black, white, Board(9), resign=Resignation(2, 900), draw=DrawAgreement(2, 10, 6), max_moves=7)
    assert (record["result"], record["reason"], len(record["moves"])) == (result, reason, moves)


def test_players_that_give_no_score_agree_to_nothing() -> None:
    """Nobody says that the position is even, so no draw is agreed, and the record has no scores."""
    unit = unit_of("random:seed=1", "random:seed=2", Board(7), TimeControl(), number=0, draw=DrawAgreement(2, 10))
    record = play_game(unit)
    assert record["reason"] != "agreed" and len(record["moves"]) > 4
    undecided = [place for place, win in enumerate(record["wins"]) if win is None]
    for said in ("scores", "nodes", "depths"):
        assert len(undecided) > 4 and {record[said][place] for place in undecided} == {None}
    assert not SearchResult(Cell(0, 0)).has_score and SearchResult(Cell(0, 0), 0).has_score
    assert SearchResult(Cell(0, 0)) == SearchResult(Cell(0, 0), 0) and SearchResult(None, win=Win(BLACK, 3)).has_score
    assert not pickle.loads(pickle.dumps(SearchResult(Cell(0, 0)))).has_score


@pytest.mark.usefixtures("says")
def test_a_record_keeps_what_players_say_of_their_search() -> None:
    record = play("even", "random", Board(9), max_moves=2)
    assert (record["depths"][0], record["nodes"][0], record["scores"][0]) == (3, 7, 5)
    assert record["lines"] == ["a9 i1", None]


@pytest.mark.parametrize("text", ["3", "0,5", "a,b", "3,5,7,9"])
def test_agreements_that_cannot_be_read_are_refused(text: str) -> None:
    for rule in (Resignation, DrawAgreement):
        with pytest.raises(ArenaError, match=r"write MOVES,SCORE|needs moves"):
            rule.parse(text)


def test_a_player_of_ones_own_by_import_path(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "own_edge.py").write_text(
        "from search import Player, SearchResult\n\nclass Edge(Player):\n"
        "    def search(self, board, limit=None, *, cancel=None, progress=None):\n"
        "        return SearchResult(board.legal_moves()[0], 0)\n\n"
        "class Lead:\n    name = 'lead'\n    def score(self, board):\n        return 0\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    check_player("own_edge:Edge @ name=Edge")
    assert play("own_edge:Edge", "random", Board(7), max_moves=3)["moves"][0] == "a7"
    assert list(sources(["own_edge:Edge"])) == ["own_edge:Edge"]
    with pytest.raises(PlayerError, match="is an evaluator, not a player; a search plays by it: minmax:table=own_edge"):
        check_player("own_edge:Lead")
    with pytest.raises(PlayerError, match="unknown player 'own_other:Edge'"):
        search.player("own_other:Edge")

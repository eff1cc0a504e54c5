"""External engines: what they do wrong ends their game with a reason, never the run."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path

import pytest

from arena import GomocupEngine, seats
from arena.agreements import DrawAgreement, Resignation
from arena.game import play_game
from arena.process import EngineProcess, descendants, split_command
from arena.protocol import Remarks
from arena.time_control import TimeControl
from arena.transcript import Transcript
from arena.units import unit_of
from gomoku_patterns import WHITE, Board, Cell
from gomoku_patterns.errors import ArenaError, EngineError, IllegalMoveError
from search import Player, register_player
from search.players import unregister_player
from search.result import Limit, SearchResult, Win

ENGINE = Path(__file__).parent / "pbrain.py"


def engine(mode: str = "good") -> str:
    return f"cmd:{sys.executable} -S {ENGINE} {mode}"


def play(black: str, white: str, board: Board | None = None, **terms: object) -> dict[str, object]:
    granted = {"depth": None, "nodes": None, "seconds": 0.3, "tolerance": 0.2, "patience": 5.0, **terms}
    return play_game(unit_of(black, white, board or Board(6), TimeControl.of_json(granted), number=0))


def test_two_engines_play_a_game_to_its_end() -> None:
    """Both fill the board row by row, so the colours alternate and black is the first to have a diagonal of five."""
    record = play(engine(), engine("chatty"), Board(7))
    assert (record["result"], record["reason"]) == ("black", "five")
    assert record["moves"][:3] == ["a7", "b7", "c7"]


def test_lines_may_end_with_a_carriage_return_alone() -> None:
    assert play(engine("cr"), engine(), Board(7))["reason"] == "five"


def test_an_opening_and_a_suggestion_are_understood() -> None:
    record = play(engine("suggest"), engine(), Board(5, black=["a5"], white=["b5"]))
    assert record["moves"][:3] == ["c5", "d5", "e5"]


def test_a_board_that_is_not_square() -> None:
    assert play(engine(), engine(), Board(5, 7))["moves"][:6] == ["a5", "b5", "c5", "d5", "e5", "f5"]


def test_complaints_about_what_it_is_told_cost_nothing() -> None:
    assert play(engine("picky"), engine(), Board(7))["reason"] == "five"


@pytest.mark.parametrize(
    ("mode", "reason", "detail"),
    [
        ("crash", "crash", "ended with status 3: out of ideas"),
        ("silent", "time", "no answer within"),
        ("garbage", "time", "only 'seven'"),
        ("flood", "time", "no answer within"),
        ("outside", "illegal", "6,0 is not on the board"),
        ("negative", "illegal", "-1,-1 is not on the board"),
        ("error", "error", "'ERROR no idea' where a move was expected"),
        ("orphan", "crash", "ended with status 3"),
        ("quitter", "crash", "ended with status 4 after 'ERROR I give up'"),
        ("refuse", "start", "'ERROR too big' in answer to START"),
    ],
)
def test_what_an_engine_does_wrong_loses_its_game(mode: str, reason: str, detail: str) -> None:
    record = play(engine(mode), "random:seed=1")
    assert (record["result"], record["reason"]) == ("white", reason)
    assert detail in record["detail"] and record["detail"].startswith("black: ")


def test_a_taken_cell_is_refused() -> None:
    record = play("random:seed=1", engine("occupied"))
    assert (record["result"], record["reason"]) == ("black", "illegal")
    assert record["detail"].endswith("is taken")


def test_a_late_answer_within_the_tolerance_counts() -> None:
    assert play(engine("slow"), engine(), Board(5), seconds=0.1, tolerance=0.5)["reason"] != "time"
    assert play(engine("slow"), engine(), Board(5), seconds=0.05, tolerance=0.05)["reason"] == "time"


def test_the_time_for_the_game_runs_out() -> None:
    record = play(engine("slow"), engine(), Board(5), seconds=None, match_seconds=0.5, tolerance=0.05)
    assert (record["result"], record["reason"]) == ("white", "time")
    assert 2 <= len(record["moves"]) <= 12


@pytest.mark.parametrize("mode", ["hog", "child"])
def test_memory_is_that_of_the_whole_family(mode: str) -> None:
    pytest.importorskip("psutil")
    record = play(engine(mode), "random", seconds=5.0, memory=100 * 2**20)
    assert (record["result"], record["reason"]) == ("white", "memory")
    assert "100 MiB allowed" in record["detail"]


def test_without_psutil_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    monkeypatch.setattr("subprocess.Popen", lambda *_: pytest.fail("started an engine that nobody stops"))
    with pytest.raises(ArenaError, match="psutil"):
        GomocupEngine(engine(), TimeControl(memory=2**30))


def test_silence_ends_even_where_no_time_is_given() -> None:
    record = play(engine("silent"), "random", seconds=None, patience=0.3)
    assert (record["result"], record["reason"]) == ("white", "time")


class Reckless(Player):
    """Plays h8, whatever the rule says."""

    def search(self, board, limit=None, *, cancel=None, progress=None) -> SearchResult:
        return SearchResult(Cell(7, 7), 0)


def test_a_forbidden_point_loses_for_black() -> None:
    """h8 makes two live threes, one up the column and one along the row."""
    board = Board(15, black=["h9", "h10", "i8", "j8"], white=["a1", "a15", "o1", "o15"], rule="renju")
    register_player("reckless", Reckless)
    try:
        record = play("reckless", "random", board)
    finally:
        unregister_player("reckless")
    assert (record["result"], record["reason"]) == ("white", "forbidden")
    assert record["detail"] == "black: h8 is forbidden to black"


def test_an_engine_that_stays_is_stopped() -> None:
    board = Board(5)
    stubborn = GomocupEngine(engine("stays"))
    assert board.name(stubborn.play(board).move) == "a5"
    began = time.monotonic()
    stubborn.close()
    assert time.monotonic() - began < 10  # it would stay for thirty seconds


def test_an_engine_can_be_stopped_while_its_opponent_thinks() -> None:
    psutil = pytest.importorskip("psutil")
    board = Board(5)
    stopped = GomocupEngine(engine(), TimeControl(Limit(seconds=1.0), suspend=True))
    board.push(stopped.play(board).move)
    process = psutil.Process(stopped._process.pid)
    deadline = time.monotonic() + 5
    while process.status() != psutil.STATUS_STOPPED:
        assert time.monotonic() < deadline
    board.push("e1")
    assert board.name(stopped.play(board).move) == "b5"
    stopped.close()
    assert not process.is_running()
    assert play(engine(), engine(), Board(7), suspend=True)["reason"] == "five"


def test_an_engine_that_was_stopped_begins_its_next_game() -> None:
    """Kept and suspended at once: whoever moved last in a game is stopped when the next one begins."""
    control = TimeControl(Limit(seconds=1.0), suspend=True, patience=10.0)
    with GomocupEngine(engine(), control) as stopped:
        stopped.play(Board(6))
        stopped.start(Board(6))
        assert stopped.play(Board(6)).move == Cell(0, 0)
    kept = TimeControl(Limit(seconds=1.0), suspend=True, keep=True, patience=10.0)
    try:
        games = [unit_of(engine(), engine("chatty"), Board(6), kept, number=number, max_moves=4) for number in range(3)]
        assert [play_game(game)["reason"] for game in games] == ["length"] * 3
    finally:
        seats.close_kept()


def test_an_engine_that_does_not_read_ends_in_an_error() -> None:
    """It answers without listening, until the pipe to it is full; nothing waits for ever."""
    cells = [Cell(row, col) for row in range(22) for col in range(22) if row]
    black = [cell for cell in cells if (cell.col + 2 * cell.row) % 4 < 2]
    crowded, began = Board(22, black=black, white=set(cells) - set(black)), time.monotonic()
    deaf = GomocupEngine(engine("deaf"), TimeControl(Limit(seconds=0.5), tolerance=0.2, patience=0.5))
    with deaf, pytest.raises(EngineError, match="it does not read") as caught:
        for _ in range(100):
            deaf.analyse(crowded)
    assert caught.value.reason == "time" and time.monotonic() - began < 20


def test_sending_has_a_deadline() -> None:
    process = EngineProcess([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    began = time.monotonic()
    assert process.send("x" * 1000) and not process.is_deaf
    assert not process.send("x" * 2_000_000, seconds=0.2) and process.is_deaf
    assert not process.send("END")
    process.close()
    assert time.monotonic() - began < 10


def test_what_an_engine_sends_while_it_is_sent_more_is_not_lost() -> None:
    """Both pipes are full at once: the engine waits for its reader before it reads."""
    code = "import sys; print('x' * 300_000 + '\\nover', flush=True); print(len(sys.stdin.readline()), flush=True)"
    process = EngineProcess([sys.executable, "-S", "-c", code])
    assert process.send("y" * 300_000, seconds=30)
    lines = [process.receive(10) for _ in range(3)]
    process.close()
    assert lines[1:] == ["over", "300002"]  # with its CR LF


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found by /proc")
@pytest.mark.parametrize("suspend", [False, True])
def test_children_in_a_session_of_their_own_are_ended_too(suspend: bool) -> None:
    psutil = pytest.importorskip("psutil")
    running = GomocupEngine(engine("daemon"), TimeControl(Limit(seconds=2.0), suspend=suspend))
    running.play(Board(6))
    (child,) = map(psutil.Process, descendants(running._process.pid))
    deadline = time.monotonic() + 5
    while suspend and child.status() != psutil.STATUS_STOPPED:
        assert time.monotonic() < deadline
    running.close()
    psutil.wait_procs([child], timeout=5)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_a_worker_keeps_a_bounded_number_of_engines() -> None:
    """A round robin of many engines keeps those that played last."""
    control = TimeControl(Limit(seconds=1.0), keep=True)
    try:
        for number in range(seats.MOST_KEPT + 2):
            named = f"{engine()} @ name=N{number}"
            assert play_game(unit_of(named, "random", Board(6), control, number=0, max_moves=2))["reason"] == "length"
        waiting = {key[0].rpartition("=")[2]: one for key, kept in seats._kept.items() for one in kept}
        assert list(waiting) == [f"N{number}" for number in range(2, seats.MOST_KEPT + 2)]
        assert all(one.is_open for one in waiting.values())
    finally:
        seats.close_kept()


def test_the_limits_are_told() -> None:
    with GomocupEngine(engine("log"), TimeControl(Limit(nodes=500, seconds=2.0), match_seconds=60.0)) as told:
        told.play(Board(15, rule="renju"), left=60.0)
        told.play(Board(15, rule="renju", black=["h8"]), Limit(seconds=2.0))
    heard = ["INFO rule 4", "INFO max_node 500", "INFO time_left 60000", "INFO max_node 0", "INFO time_left 2147483647"]
    assert list(told._process.complaints) == heard


def test_programs_that_are_not_there_are_named() -> None:
    with pytest.raises(ArenaError, match=r"'\./pbrain-missing'"):
        split_command("cmd:./pbrain-missing --fast")
    for spec in ("cmd:", "cmd:'"):
        with pytest.raises(ArenaError, match=r"names no program|cannot read the command"):
            split_command(spec)


def test_a_program_is_started_by_the_name_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of a virtual environment is a link, and finds its packages by its own place."""
    monkeypatch.chdir(tmp_path)
    Path("python").symlink_to(sys.executable)
    assert split_command("cmd:./python -S x") == [str(tmp_path / "python"), "-S", "x"]


def test_a_file_that_is_no_program_ends_the_run_and_loses_no_game(tmp_path: Path) -> None:
    broken = tmp_path / "pbrain-broken"
    broken.write_bytes(b"\x7fELF nothing")
    broken.chmod(0o755)
    with pytest.raises(EngineError, match="start"):
        GomocupEngine(f"cmd:{broken}")
    with pytest.raises(ArenaError, match="go on with the same --log"):
        play(f"cmd:{broken}", "random")


# ---------------------------------------------------------------------- an engine in one's own Python


def test_an_engine_plays_a_game_and_tells_its_name() -> None:
    """Moves are in reading order; a board that does not go on from the last one is set up anew."""
    board = Board(6)
    with GomocupEngine(engine().removeprefix("cmd:")) as little:
        assert (little.name, little.about["version"]) == ("Little", "0.1")
        for name in ("a6", "c6", "d6"):
            board.push(little.play(board).move)
            assert board.name(board.peek()) == name
            board.push("b6" if name == "a6" else board.empties()[-1])
        assert board.name(little.play(Board(6, black=["a6"])).move) == "b6"
        assert board.name(little.play(Board(5)).move) == "a6"
        assert board.name(little.analyse(Board(6, black=["a6"]), Limit(seconds=0.5)).move) == "b6"


def test_an_engine_without_a_name_has_its_programs() -> None:
    with GomocupEngine(engine("nameless")) as nameless:
        began = time.monotonic()
        assert nameless.name.startswith("python") and nameless.about == {}
        assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        ("rapfi", {"score": 45, "depth": 9, "nodes": 1204, "win": None, "pv": ["a7", "f7"]}),
        ("mate", {"win": Win(WHITE, 11), "depth": 9, "nodes": 0, "pv": ["a7"]}),
        ("ours", {"win": Win(WHITE, 6), "depth": 7, "nodes": 1234, "pv": ["a7", "b7"]}),
        ("good", {"score": 0, "depth": 0, "nodes": 0, "win": None, "pv": ["a7"]}),
    ],
)
def test_what_an_engine_prints_is_read(mode: str, found: dict[str, object]) -> None:
    """It plays white; row 1 of its lines is the upper one, as its first move shows; j-10 is off the board."""
    board = Board(7, black=["d4"])
    with GomocupEngine(engine(mode)) as talker:
        result = talker.play(board, Limit(seconds=1))
    said = {"score": result.score, "depth": result.depth, "nodes": result.nodes, "win": result.win}
    assert {**said, "pv": [board.name(cell) for cell in result.pv]} == {"score": result.score, **found}


@pytest.mark.parametrize(
    ("line", "score", "depth", "nodes"),
    [
        ("MESSAGE (1) 123 | 10-22 | H8 I9", 123, 10, None),
        ("MESSAGE (2) 99 | 10-22 | H8 I9", None, None, None),
        ("INFO EVAL -12", -12, None, None),
        ("INFO TOTALNODES 48211", None, None, 48211),
        ("MESSAGE Evaluation: 23 | Depth: 10-20 | Node: 124k | Time: 232ms", 23, 10, 124_000),
        ("DEBUG nothing of use, n/ms 12", None, None, None),
    ],
)
def test_remarks_of_many_engines(line: str, score: int | None, depth: int | None, nodes: int | None) -> None:
    remarks = Remarks(Board())
    remarks.note(line)
    assert (remarks.score, remarks.depth, remarks.nodes) == (score, depth, nodes)


@pytest.mark.parametrize(("mode", "reason"), [("silent", "time"), ("crash", "crash"), ("outside", "illegal")])
def test_an_engine_that_did_wrong_is_closed_and_says_so(mode: str, reason: str) -> None:
    began = time.monotonic()
    with GomocupEngine(engine(mode), TimeControl(Limit(seconds=0.2), tolerance=0.1)) as bad:
        with pytest.raises(EngineError) as told:
            bad.play(Board(6))
        assert told.value.reason == reason
        with pytest.raises(ArenaError, match=f"is closed: {reason}"):
            bad.play(Board(6))
    assert time.monotonic() - began < 10


def test_an_engine_whose_search_was_broken_off_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move it was about to say would be taken for the answer to the next question."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with GomocupEngine(engine("slow")) as slow:
        monkeypatch.setattr(EngineProcess, "receive", interrupt)
        slow._size = (6, 6)
        with pytest.raises(KeyboardInterrupt):
            slow.play(Board(6))
        with pytest.raises(ArenaError, match="broken off"):
            slow.play(Board(6))


def test_nothing_is_asked_where_the_game_is_over() -> None:
    with GomocupEngine(engine()) as idle, pytest.raises(IllegalMoveError, match="is over"):
        idle.play(Board(black=["a1", "b1", "c1", "d1", "e1"]))


def test_a_match_logs_what_an_engine_prints() -> None:
    record = play(engine("ours"), "random:seed=1")
    assert record["nodes"][0] == 1234 and record["wins"][0] == "white wins in 6" and record["wins"][1] is None


def test_an_engine_has_settings_of_its_own_and_all_that_is_said_is_written_down(tmp_path: Path) -> None:
    """The engine of the mode ``log`` repeats on its standard error what it is told."""
    spec = f"{engine('log')} @ name=Little, seconds=3, threads=2, info.hash_size=64, memory=none"
    control = TimeControl(Limit(seconds=1), match_seconds=20.0, increment=0.5, tolerance=5.0)
    folder = str(tmp_path / "said")
    game = unit_of(spec, "random", Board(7), control, number=41, max_moves=4, transcripts=folder)
    assert play_game(game)["reason"] == "length"
    lines = (tmp_path / "said" / "game-000042-black.txt").read_text().splitlines()
    said = [line.split(maxsplit=1)[1] for line in lines]
    told = {"timeout_turn 3000", "thread_num 2", "hash_size 64", "time_increment 500", "timeout_match 20000"}
    assert {f"> INFO {one}" for one in told} <= {*said} and "! INFO thread_num 2" in said
    assert said[1] == "> START 7" and "< OK" in said and "< 0,0" in said and "> END" in said
    assert [path.name for path in (tmp_path / "said").iterdir()] == ["game-000042-black.txt"]
    times = [float(line.split()[0]) for line in lines[1:]]
    assert times == sorted(times) and times[-1] < 30


def test_times_written_down_never_run_backwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads write, and each is held up between the clock and the file, now more and now less."""
    transcript = Transcript(tmp_path / "said.txt", ["./pbrain"])
    clock, waits = time.monotonic, cycle([0.002, 0.0, 0.001])

    def slow_clock() -> float:
        now = clock()
        time.sleep(next(waits))
        return now

    monkeypatch.setattr("arena.transcript.time.monotonic", slow_clock)
    with ThreadPoolExecutor(4) as pool:
        for job in [pool.submit(lambda: [transcript("!", "here") for _ in range(20)]) for _ in range(4)]:
            job.result()
    transcript.close("over")
    times = [float(line.split()[0]) for line in (tmp_path / "said.txt").read_text().splitlines()[1:]]
    assert len(times) == 81
    assert times == sorted(times)


def test_an_engine_that_says_no_score_agrees_to_nothing() -> None:
    agreements = {"resign": Resignation(1, 1), "draw": DrawAgreement(2, 45), "max_moves": 8}
    record = play_game(unit_of(engine(), "random", Board(6), TimeControl(), number=0, **agreements))
    assert (record["reason"], record["scores"][0], record["depths"][0]) == ("length", None, None)
    talking = {**agreements, "resign": None}
    record = play_game(unit_of(engine("rapfi"), engine("rapfi"), Board(6), TimeControl(), number=0, **talking))
    assert (record["reason"], len(record["moves"]), record["nodes"][0]) == ("agreed", 4, 1204)


def test_an_engine_can_be_kept_from_game_to_game() -> None:
    """It gets START again; one that did wrong, or that is written down, is started anew."""
    control = TimeControl(Limit(seconds=0.5), keep=True)
    games = [unit_of(engine("log"), "random", Board(6), control, number=number, max_moves=4) for number in range(3)]
    try:
        assert [play_game(game)["reason"] for game in games] == ["length"] * 3
        waiting = [one for kept in seats._kept.values() for one in kept]
        assert len(waiting) == 1 and waiting[0].is_open
    finally:
        seats.close_kept()
    assert not waiting[0].is_open and not seats._kept
    bad = unit_of(engine("crash"), "random", Board(6), control, number=0)
    assert play_game(bad)["reason"] == "crash" and not any(seats._kept.values())

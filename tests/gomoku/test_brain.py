"""The Gomocup engine: every command, every trap of the referees, and garbage."""

from __future__ import annotations

import os
import queue
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku.brain import Brain
from gomoku.brain.clock import Clock
from gomoku.brain.information import Information
from gomoku.brain.thinker import HURRY_SECONDS
from gomoku_patterns import Board, Cell, Rule
from gomoku_patterns.cells import BLACK, WHITE
from gomoku_patterns.errors import GomokuError
from search import Player, register_player
from search.players import unregister_player
from search.result import SearchResult, Win
from tests.timing import slowness


def talk(*lines: str, player: str = "minmax:depth=2") -> list[str]:
    """What the engine answers to these lines, remarks left out."""
    said: list[str] = []
    brain = Brain(said.append, player)
    for line in lines:
        brain.hear(line)
    return [line for line in said if not line.startswith(("MESSAGE", "DEBUG"))]


def is_move(line: str, size: int = 15) -> bool:
    x, _, y = line.partition(",")
    return x.isdigit() and y.isdigit() and int(x) < size and int(y) < size


# ---------------------------------------------------------------------- mandatory commands


def test_a_game_from_the_empty_board() -> None:
    ok, first, second = talk("START 15", "BEGIN", "TURN 0,0")
    assert ok == "OK" and first == "7,7" and is_move(second) and second not in ("7,7", "0,0")


@pytest.mark.parametrize("size", ["4", "23", "-1", "x", "", "99999999"])
def test_sizes_that_no_board_has(size: str) -> None:
    (answer,) = talk(f"START {size}")
    assert answer.startswith("ERROR expected a board of 5 to 22 lines")


def test_an_empty_board_block_is_a_begin() -> None:
    assert talk("START 15", "BOARD", "DONE") == ["OK", "7,7"]


def test_a_board_block_is_taken_in_any_order_and_from_either_side() -> None:
    four = ["3,7,1", "4,7,1", "5,7,1", "6,7,1"]
    other = ["0,0,2", "2,0,2", "4,0,2", "6,0,2"]
    for stones in (four + other, other + four, four[:2] + other + four[2:]):
        assert talk("START 15", "BOARD", *stones, "DONE")[1] in ("2,7", "7,7")
    assert talk("START 15", "BOARD", *four, *other, "8,0,2", "DONE")[1] in ("2,7", "7,7")


def test_the_opponents_four_is_blocked() -> None:
    stones = ["3,7,2", "4,7,2", "5,7,2", "6,7,2", "2,7,1", "0,0,1", "2,0,1"]
    assert talk("START 15", "BOARD", *stones, "DONE")[1] == "7,7"


@pytest.mark.parametrize("block", [["x"], ["3,7"], ["3,7,4"], ["15,0,1"], ["3,7,1", "3,7,2"], ["3,7,1,9"], ["-1,0,1"]])
def test_a_bad_block_is_refused_and_changes_nothing(block: list[str]) -> None:
    answers = talk("START 15", "TURN 7,7", "BOARD", *block, "DONE", "TURN 7,7")
    assert answers[2].startswith("ERROR") and answers[3] == "ERROR there is a stone on 7,7 already"


def test_info_is_never_answered() -> None:
    lines = [
        "INFO timeout_turn 1000",
        "INFO",
        "INFO nonsense",
        "INFO rule x",
        "INFO max_memory -5",
        "INFO folder C:\\x y",
    ]
    assert talk("START 15", *lines) == ["OK"]


@pytest.mark.parametrize("turn", ["TURN", "TURN 15,0", "TURN 0,15", "TURN a,b", "TURN 1", "TURN 1,2,3", "TURN -1,0"])
def test_an_impossible_turn_is_an_error_and_changes_nothing(turn: str) -> None:
    answers = talk("START 15", turn, "BEGIN")
    assert answers[1].startswith("ERROR expected x,y") and answers[2] == "7,7"


def test_commands_before_start_are_errors() -> None:
    for command in ("BEGIN", "TURN 7,7", "BOARD", "RESTART", "TAKEBACK 1,1", "YXSHOWFORBID"):
        assert talk(command) == ["ERROR there is no board yet; send START first"]


def test_about() -> None:
    (answer,) = talk("ABOUT")
    assert answer.startswith('name="gomoku-patterns", version="')


def test_unknown_commands_do_no_harm() -> None:
    assert talk("START 15", "FROBNICATE 3", "begin") == ["OK", "UNKNOWN command FROBNICATE", "7,7"]


def test_words_may_be_parted_by_any_space() -> None:
    assert talk("START\t15", "INFO\ttimeout_turn\t100", "TURN \t7,7", "TURN\t7,7")[0::2] == [
        "OK",
        "ERROR there is a stone on 7,7 already",
    ]


@pytest.mark.parametrize("stops", [["STOP\tx"], ["BOARD", "YXSTOP"], ["BOARD", "7,7,1", " stop now"], ["STOP", "STOP"]])
def test_every_stop_is_used_up(stops: list[str]) -> None:
    brain = Brain(lambda _line: None, "random")
    for line in ("START 15", *stops):
        brain.overhear(line)
    assert brain.thinker._stops_pending
    for line in ("START 15", *stops):
        brain.hear(line)
    assert brain.thinker._stops_pending == 0


def test_an_unfinished_block_is_left_by_stop_and_end() -> None:
    said: list[str] = []
    brain = Brain(said.append, "random")
    for line in ("START 15", "BOARD", "7,7,2", "YXSTOP", "BEGIN", "YXBOARD", "END"):
        brain.hear(line)
    assert said[1] == "ERROR expected DONE, found YXSTOP: BOARD is given up" and is_move(said[-1])
    assert brain.ended and brain.board is not None and len(brain.board) == 1


def test_a_game_that_is_over_is_an_error() -> None:
    five = [f"{x},7,2" for x in range(3, 8)]
    four = [f"{2 * x},0,1" for x in range(4)]
    assert talk("START 15", "BOARD", *five, *four, "DONE")[1] == "ERROR the game is over"
    answers = talk("START 15", "YXBOARD", *five[:4], *four, "DONE", "TURN 7,7")
    assert answers[-1] == "ERROR the game is over"


# ---------------------------------------------------------------------- optional commands


def test_restart_and_takeback() -> None:
    answers = talk("START 15", "BEGIN", "TAKEBACK 7,7", "TAKEBACK 7,7", "BEGIN", "RESTART", "BEGIN")
    assert answers == ["OK", "7,7", "OK", "ERROR there is no stone to take back on 7,7", "7,7", "OK", "7,7"]
    assert talk("START 15", "TAKEBACK") == ["OK", "ERROR there is no move to take back"]


def after(*lines: str, player: str = "random") -> Board:
    """The engine's board after these lines."""
    brain = Brain(lambda _line: None, player)
    for line in lines:
        brain.hear(line)
    assert brain.board is not None
    return brain.board


def test_a_stone_that_was_set_up_is_taken_back() -> None:
    block = ("START 15", "YXBOARD", "7,7,2", "8,8,1", "9,9,2", "DONE")
    assert after(*block, "TAKEBACK 9,9") == Board(black=["h8"], white=["i7"], turn="black")
    assert after(*block, "TAKEBACK 9,9", "TAKEBACK 8,8", "TAKEBACK 7,7") == Board()
    assert after(*block, "PLAY 0,0", "TAKEBACK 9,9").peek() == Cell(0, 0)


def test_the_stone_that_is_named_is_taken_back_and_no_other() -> None:
    board = after("START 15", "PLAY 7,7", "PLAY 8,8", "PLAY 9,9", "TAKEBACK 7,7", "TAKEBACK 9,9")
    assert [move.cell for move in board.moves] == [Cell(8, 8)] and board.turn is BLACK


def test_a_stone_of_nobody_takes_its_cell_and_makes_no_five() -> None:
    line = [f"{x},7,3" for x in range(5)]
    board = after("START 15", "YXBOARD", *line, "1,1,2", "DONE")
    assert len(board) == 6 and board.winner() is None and board.turn is WHITE
    full = [f"{x},{y},{3 if (x, y) == (2, 2) else 2 - (x // 2 + y) % 2}" for y in range(5) for x in range(5)][:-1]
    assert talk("START 5", "BOARD", *full, "DONE", player="random")[1] == "4,4"
    assert after("START 15", "INFO rule 4", "YXBOARD", "3,3,3", "7,7,1", "DONE").turn is BLACK


def test_a_rectangle_is_columns_then_rows() -> None:
    answers = talk("RECTSTART 20,15", "TURN 19,14", "TURN 14,19")
    assert answers[0] == "OK" and is_move(answers[1], 20) and answers[2].startswith("ERROR")


def test_play_puts_the_stone_it_is_told_to() -> None:
    assert talk("START 15", "PLAY 3,4", "TURN 3,4")[1:] == ["3,4", "ERROR there is a stone on 3,4 already"]


def test_swap2_with_no_three_and_five_stones() -> None:
    def swap2(*stones: str) -> str:
        return talk("START 15", "INFO timeout_turn 300", "SWAP2BOARD", *stones, "DONE", player="engine")[1]

    three = swap2().split(" ")
    assert len(set(three)) == 3 and all(map(is_move, three))
    for stones in (("7,7", "8,8", "9,7"), ("0,0", "8,8", "14,0"), ("7,7", "8,8", "9,7", "3,3", "10,4")):
        answer = swap2(*stones)
        assert answer == "SWAP" or (is_move(answer) and answer not in stones)
    assert swap2("7,7").startswith("ERROR Swap2 is asked with 0, 3 or 5 stones")


def test_swap2_takes_black_where_black_stands_better() -> None:
    stones = ("7,7", "0,0", "8,7")
    assert talk("START 15", "INFO timeout_turn 300", "SWAP2BOARD", *stones, "DONE", player="engine")[1] == "SWAP"


def test_the_yixin_subset() -> None:
    answers = talk(
        "START 15", "INFO timeout_turn 300", "YXBOARD", "7,7,2", "DONE", "YXHASHCLEAR", "YXNBEST 2", player="engine"
    )
    assert answers[0] == "OK" and is_move(answers[1]) and len(answers) == 2


def test_forbidden_points_are_listed_by_column_and_row() -> None:
    stones = ["6,7,1", "8,7,1", "7,6,1", "7,8,1", "0,0,2", "2,0,2", "4,0,2", "6,0,2"]
    assert talk("START 15", "INFO rule 4", "YXBOARD", *stones, "DONE", "YXSHOWFORBID")[-1] == "FORBID 0707."
    assert talk("START 15", "INFO rule 0", "YXBOARD", *stones, "DONE", "YXSHOWFORBID")[-1] == "FORBID ."


# ---------------------------------------------------------------------- rules, time and memory


@pytest.mark.parametrize(
    ("code", "yixin", "rule"),
    [
        (0, False, Rule.FREESTYLE),
        (1, False, Rule.STANDARD),
        (2, False, Rule.FREESTYLE),
        (2, True, Rule.RENJU),
        (3, False, Rule.STANDARD),
        (4, False, Rule.RENJU),
        (5, False, Rule.RENJU),
        (8, False, Rule.CARO_OVERLINE),
        (9, False, Rule.CARO),
    ],
)
def test_the_rule_is_a_bit_mask(code: int, yixin: bool, rule: Rule) -> None:
    assert Information(rule=code, yixin=yixin).game_rule() is rule


def test_exactly_five_under_the_standard_rule() -> None:
    own = [f"{x},7,1" for x in (3, 4, 6, 7, 8)]
    other = ["0,0,2", "2,0,2", "4,0,2", "6,0,2", "8,0,2"]
    assert talk("START 15", "INFO rule 0", "BOARD", *own, *other, "DONE", player="engine")[1] == "5,7"
    assert (
        talk("START 15", "INFO timeout_turn 300", "INFO rule 1", "BOARD", *own, *other, "DONE", player="engine")[1]
        != "5,7"
    )


def test_black_plays_no_forbidden_point_under_renju() -> None:
    own = ["6,7,1", "8,7,1", "7,6,1", "7,8,1"]
    other = ["0,0,2", "2,0,2", "4,0,2", "6,0,2"]
    block = [stone for pair in zip(own, other, strict=True) for stone in pair]
    for player in ("engine", "minmax:depth=3", "level"):
        assert talk("START 15", "INFO rule 4", "BOARD", *block, "DONE", player=player)[1] != "7,7"


def test_memory_sizes_the_table() -> None:
    assert Information(max_memory=367_001_600).megabytes() == 83
    assert Information(max_memory=1).megabytes() == 1
    assert Information(hash_size=32 * 1024).megabytes() == 32
    assert Information().megabytes() is None


@pytest.mark.parametrize("threads", ["-1", "0", "65", "999"])
@pytest.mark.parametrize("processors", [1, 128])
def test_any_number_of_threads_is_lived_with(threads: str, processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    quick = ("INFO timeout_turn 0", "INFO max_depth 1", f"INFO thread_num {threads}")
    assert is_move(talk("START 5", *quick, "BEGIN", player="engine:solver=no")[1])


def test_threads_are_those_of_the_machine_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    info = Information()
    found = [(info.note("thread_num", value), info.thread_num)[1] for value in ("3", "-1", "0", "65")]
    assert found == [3, 3, 3, 4]


class Speechless(Player):
    """Finds no move."""

    def search(self, board, limit=None, *, cancel=None, progress=None) -> SearchResult:
        raise GomokuError("no idea")


@pytest.fixture
def speechless() -> Iterator[str]:
    register_player("speechless", Speechless)
    yield "speechless"
    unregister_player("speechless")


def test_a_turn_that_cannot_be_answered_takes_its_stone_back(speechless: str) -> None:
    said: list[str] = []
    brain = Brain(said.append, speechless)
    for line in ("START 15", "YXBOARD", "0,0,1", "1,1,2", "DONE", "TURN 7,7", "BOARD", "7,7,2", "DONE"):
        brain.hear(line)
    assert said == ["OK", "ERROR no idea", "ERROR no idea"]
    assert brain.board == Board(black=["a15"], white=["b14"])


def test_a_stone_that_ends_the_game_is_taken_back_too() -> None:
    four = [f"{x},7,2" for x in range(3, 7)]
    own = [f"{2 * x},0,1" for x in range(4)]
    answers = talk("START 15", "YXBOARD", *four, *own, "DONE", "TURN 7,7", "TURN 7,7", "INFO rule 1", "TURN 10,10")
    assert answers[1:3] == ["ERROR the game is over"] * 2 and is_move(answers[3])


def test_the_clock_divides_what_is_left_of_the_match() -> None:
    assert Clock(timeout_turn=0).seconds(0, 225) == 0.05
    assert Clock(timeout_turn=1000, timeout_match=180_000, time_left=-30).seconds(30, 225) == 0.05
    full = Clock(timeout_turn=30_000, timeout_match=180_000, time_left=180_000).seconds(0, 225)
    late = Clock(timeout_turn=30_000, timeout_match=180_000, time_left=8_000).seconds(60, 225)
    assert 5 < full < 20 and 0.3 < late <= 1


class Watched(Player):
    """Takes the middle of what is left, and remembers what it was granted."""

    granted: ClassVar[list[float]] = []

    def search(self, board, limit=None, *, cancel=None, progress=None) -> SearchResult:
        self.granted.append(limit.seconds)
        cells = board.legal_moves()
        return SearchResult(cells[len(cells) // 2], win=Win(board.turn, 7))


@pytest.fixture
def watched() -> Iterator[list[float]]:
    Watched.granted.clear()
    register_player("watched", Watched)
    yield Watched.granted
    unregister_player("watched")


def test_the_player_is_ready_before_ok(watched: list[float]) -> None:
    """What a first search has to import, build and touch is not the first move's."""
    searches_at_ok: list[int] = []
    brain = Brain(lambda line: searches_at_ok.append(len(watched)), "watched")
    brain.hear("START 15")
    assert searches_at_ok == [1] and brain.thinker.is_ready(brain.info, Board())


def test_what_info_changes_is_made_ready_before_the_move(watched: list[float]) -> None:
    brain = Brain(lambda _line: None, "watched")
    for line in ("START 15", "INFO max_memory 367001600", "INFO rule 1"):
        brain.hear(line)
    assert not brain.thinker.is_ready(brain.info, Board(rule="standard"))
    brain.use_idle_time()
    assert brain.thinker.is_ready(brain.info, Board(rule="standard")) and len(watched) == 2
    brain.use_idle_time()
    assert len(watched) == 2


def test_a_moves_time_counts_from_when_its_command_was_read(watched: list[float]) -> None:
    brain = Brain(lambda _line: None, "watched")
    for line in ("START 15", "INFO timeout_turn 1000"):
        brain.hear(line)
    brain.hear("BEGIN", time.monotonic() - 0.4)
    brain.hear("TURN 0,0", time.monotonic() - 5.0)
    assert 0.47 < watched[1] <= 0.57 and watched[2] == HURRY_SECONDS


def test_a_decided_game_is_told_in_words(watched: list[float]) -> None:
    said: list[str] = []
    brain = Brain(said.append, "watched")
    for line in ("START 15", "TURN 7,7"):
        brain.hear(line)
    assert said[1].startswith("MESSAGE depth 0 nodes 0 white wins in 7 time 0 pv")


# ---------------------------------------------------------------------- the process


class Process:
    """The engine as managers start it."""

    def __init__(self, *options: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, "-m", "gomoku", "brain", *options], stdin=pipe, stdout=pipe)
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode().strip())

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def answer(self, seconds: float = 10) -> str:
        while (line := self.line(seconds)).startswith(("MESSAGE", "DEBUG")):
            pass
        return line

    def line(self, seconds: float) -> str:
        try:
            return self.lines.get(timeout=seconds)
        except queue.Empty:  # asked for only now, since to find out takes a while
            return self.lines.get(timeout=seconds * slowness())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


@pytest.fixture
def engine() -> Iterator[Process]:
    with closing(Process()) as started:
        yield started


def think(engine: Process) -> None:
    """Start a search that would take twenty seconds."""
    engine.send("START 15\r\nINFO timeout_turn 20000\r\nBOARD\r\n7,7,2\r\n8,7,1\r\n8,8,2\r\nDONE\r\n")
    assert engine.answer() == "OK"
    time.sleep(0.7)


def test_stop_brings_the_move_within_50_ms(engine: Process) -> None:
    think(engine)
    delays = []
    for _ in range(3):
        begun = time.perf_counter()
        engine.send("YXSTOP\r\n")
        assert is_move(engine.answer(3))
        delays.append(time.perf_counter() - begun)
        engine.send("BOARD\r\n7,7,2\r\n8,7,1\r\n8,8,2\r\nDONE\r\n")
        time.sleep(0.4)
    assert min(delays) < 0.05 * slowness()


def test_stop_right_after_the_board_brings_the_move_at_once(engine: Process) -> None:
    engine.send("START 15\r\nINFO timeout_turn 20000\r\n")
    assert engine.answer() == "OK"
    time.sleep(0.3)
    begun = time.perf_counter()
    engine.send("BOARD\r\n7,7,2\r\n8,7,1\r\n8,8,2\r\nDONE\r\nYXSTOP\r\n")
    assert is_move(engine.answer(3))
    assert time.perf_counter() - begun < 0.4 * slowness()


def test_a_closed_pipe_ends_it_while_it_thinks(engine: Process) -> None:
    """The manager is gone: nobody waits for the move any more."""
    think(engine)
    assert engine.process.stdin is not None
    begun = time.perf_counter()
    engine.process.stdin.close()
    engine.process.wait(timeout=5 * slowness())
    assert time.perf_counter() - begun < 2 * slowness()


def test_it_ends_when_nobody_reads_its_answers_any_more() -> None:
    """As in ``gomoku brain | head -1``: the input stays open."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "gomoku", "brain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writing) as process:
        os.close(writing)
        assert process.stdin is not None
        process.stdin.write(b"START 15\r\nINFO timeout_turn 20000\r\nBOARD\r\n7,7,2\r\n8,7,1\r\n8,8,2\r\nDONE\r\n")
        process.stdin.flush()
        assert os.read(reading, 2) == b"OK"
        time.sleep(0.7)
        os.close(reading)
        process.wait(timeout=2 * slowness())


def test_end_ends_it_while_it_thinks(engine: Process) -> None:
    think(engine)
    begun = time.perf_counter()
    engine.send("END\r\n")
    engine.process.wait(timeout=3 * slowness())
    assert time.perf_counter() - begun < 2 * slowness()


def test_the_end_of_the_input_ends_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gomoku", "brain"],
        input=b"START 15\rBEGIN\r",
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.split()[0] == b"OK" and done.stdout.split()[-1] == b"7,7"


PBRAIN = f"exec {shlex.quote(sys.executable)} -c 'from gomoku.brain import main; main()'"
BRAIN = f"exec {shlex.quote(sys.executable)} -m gomoku brain"


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
@pytest.mark.parametrize(
    ("command", "error"),
    [
        (f"{PBRAIN} 0>/dev/null", "pbrain-gomoku: cannot read standard input: Bad file"),
        (f"{BRAIN} 0>/dev/null", "gomoku: cannot read standard input: Bad file"),
        (f"{PBRAIN} <&-", "pbrain-gomoku: standard input is closed; a Gomocup engine needs both"),
        (f"{PBRAIN} >&-", "pbrain-gomoku: standard output is closed; a Gomocup engine needs both"),
    ],
)
def test_an_input_that_cannot_be_read_is_one_clear_line(command: str, error: str) -> None:
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=30, check=False)
    assert done.stderr.decode().startswith(error) and done.stderr.count(b"\n") == 1
    assert done.returncode == 2 and done.stdout == b""


def test_a_dialogue_piped_in_whole_is_answered_in_whole() -> None:
    text = b"START 15\nINFO timeout_turn 300\nBOARD\nDONE\nTURN 8,8\nFOO\nEND\n"
    done = subprocess.run(
        [sys.executable, "-m", "gomoku", "brain"], input=text, capture_output=True, timeout=30, check=True
    )
    lines = [line for line in done.stdout.decode().splitlines() if not line.startswith("MESSAGE")]
    assert lines[0] == "OK" and lines[1] == "7,7" and is_move(lines[2]) and lines[3].startswith("UNKNOWN")


@pytest.mark.parametrize("garbage", [b"\xff\x00\x01\n", b"A" * 100_000 + b"\n", b"TURN \xe4\xb8\xad\n", b"\r\r\r\n"])
def test_garbage_is_answered_and_lived_through(garbage: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gomoku", "brain"],
        input=garbage + b"\nSTART 15\nBEGIN\nEND\n",
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.split()[-1] == b"7,7" and done.stderr == b""


@settings(max_examples=150)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "START 9",
                    "BEGIN",
                    "BOARD",
                    "DONE",
                    "TURN 4,4",
                    "4,4,1",
                    "5,5,2",
                    "TAKEBACK 4,4",
                    "RESTART",
                    "INFO rule 4",
                ]
            ),
            st.text(max_size=20),
            st.builds("TURN {},{}".format, st.integers(-2, 10), st.integers(-2, 10)),
        ),
        max_size=12,
    )
)
def test_any_sequence_of_lines_is_lived_through(lines: list[str]) -> None:
    said: list[str] = []
    brain = Brain(said.append, "random")
    for line in lines:
        before = brain.board.copy() if brain.board is not None else None
        count = len(said)
        brain.hear(line)
        if any(answer.startswith(("ERROR", "UNKNOWN")) for answer in said[count:]) and before is not None:
            same_stones = brain.board is not None and abs(len(brain.board) - len(before)) <= 1
            assert same_stones
    assert brain.board is None or isinstance(brain.board, Board)

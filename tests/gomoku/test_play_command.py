"""``gomoku play``: a game typed line by line, as a person or a pipe would."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku.terminal import Click, keys_of
from gomoku_patterns.notation import read_position
from tests.program import Done

Play = Callable[..., Done]


@pytest.fixture
def play(gomoku: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs ``gomoku play ARGS...`` with these lines typed."""

    def run(typed: str, *args: str, **files: str) -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return gomoku("play", *args, **files)

    return run


QUICK = ("--opponent", "level")
FOUR = "X X X X . .\nO O O . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . O . . .\n"


def test_a_move_is_answered_and_the_board_shown(play: Play) -> None:
    done = play("h8\nquit\n", *QUICK)
    assert (done.status, done.err) == (0, "")
    assert "black: human, white: level; 'help' says what to type" in done.out
    assert "white (level) plays " in done.out
    last = done.out.rstrip().splitlines()[-16:]
    assert last[0].startswith("15")
    assert last[-1].split() == list("abcdefghijklmno")
    assert sum(line.count("●") + line.count("○") for line in last) == 2


def test_a_game_is_won_and_said_so(play: Play) -> None:
    done = play("a5\nb5\nc5\nd5\ne5\n", "--opponent", "human", "--size", "7x9")
    assert "wins" not in done.out  # they play in turn: a5 c5 e5 and b5 d5
    done = play("a5 \na4\nb5\nb4\nc5\nc4\nd5\nd4\nE5\n\nf5\nhint\nquit\n", "--opponent", "human", "--size", "7x9")
    assert "black (human) wins" in done.out
    assert "black (human) wins; type undo, new, save or quit" in done.out
    assert "no hint: black (human) wins" in done.out


def test_a_closed_standard_input_stops_a_human_only(
    gomoku: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    done = gomoku("play")
    said = "gomoku: <stdin>: cannot read moves: standard input is closed\n"
    assert (done.status, done.out, done.err) == (2, "", said)
    assert gomoku("play", "--player", "random", "--opponent", "random", "--size", "5").status == 0


def test_the_computer_may_begin(play: Play) -> None:
    done = play("", "--colour", "white", "--opponent", "engine", "--seconds", "0.05")
    assert "black (engine) plays h8" in done.out


def test_two_computers_play_to_the_end(play: Play) -> None:
    done = play("", "--player", "random:seed=1", "--opponent", "random:seed=2", "--size", "6")
    assert done.status == 0
    assert done.out.rstrip().splitlines()[-1] in (
        "the game is a draw",
        "black (random:seed=1) wins",
        "white (random:seed=2) wins",
    )


def test_undo_takes_back_the_answer_too(play: Play) -> None:
    done = play("undo\nh8\nundo\nquit\n", *QUICK)
    assert "there is no move to take back" in done.out
    assert "taken back: " in done.out
    assert done.out.rstrip().splitlines()[-16:] == done.out.splitlines()[1:17]


def test_the_board_is_shown_once_a_turn(play: Play) -> None:
    done = play("h8\nquit\n", *QUICK)
    assert done.out.count("15 ") == 2


def test_what_was_taken_back_is_played_again(play: Play) -> None:
    done = play("h8\ni9\nu\nu\nredo\nredo\nredo\nquit\n", "--opponent", "human")
    assert done.out.rstrip().splitlines()[-1] == "there is no move to play again"
    last = done.out.split("taken back: ")[-1]
    assert last.count("●") == 2 and last.count("○") == 1


def test_a_game_is_given_up_and_a_new_one_takes_nothing_away(play: Play) -> None:
    done = play("h8\nresign\nj8\nundo\nj8\nnew\na1\nundo\nundo\nquit\n", "--opponent", "human")
    assert "white (human) has resigned" in done.out
    assert "white (human) has resigned; type undo, new, save or quit" in done.out
    last = done.out.rstrip().splitlines()[-16:]
    assert sum(line.count("●") + line.count("○") for line in last) == 2


def test_why_says_what_a_stone_makes_and_stops(play: Play) -> None:
    done = play("h8\na1\ni8\na2\nwhy j8\nwhy a3\nwhy\nquit\n", "--opponent", "human")
    assert "j8 makes live three (row: h8 i8 j8)" in done.out
    assert "j8 stops nothing" in done.out
    assert "a3 stops sleeping three (column: a3 a2 a1)" in done.out
    assert "which cell? type 'why h8'" in done.out


def test_people_play_in_the_terminal_too(play: Play) -> None:
    done = play("h8\nquit\n", "--opponent", "mimi")
    assert "white (mimi) plays " in done.out


def test_undo_of_a_winning_move_goes_on(play: Play) -> None:
    done = play("e6\nundo\na1\n", "--opponent", "human", "--load", "four.txt", four_txt=FOUR)
    assert "black (human) wins" in done.out
    assert done.out.count("wins") == 1
    assert "●" in done.out.rstrip().splitlines()[-2]


def test_hint_explain_board_and_help(play: Play) -> None:
    done = play("hint\nexplain\nexplain e6\nexplain a6\nboard\nhelp\n", "--load", "four.txt", four_txt=FOUR)
    assert "e6: black wins in 1" in done.out
    assert "grade_dict" in done.out
    assert "black on e6 gains" in done.out
    assert "white on e6 gains" in done.out
    assert "there is a stone on a6" in done.out
    assert "save FILE" in done.out


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("z9", "type a cell such as h8, or one of undo, redo, hint"),
        ("play h8 please", "type a cell such as h8"),
        ("\x00", "type a cell"),
        ("save", "its suffix has to be one of"),
        ("save game.xyz", "its suffix has to be one of"),
        ("save no/such/folder/game.sgf", "cannot be written: no such file or directory"),
        ("explain q99", "type a cell"),
    ],
)
def test_what_cannot_be_done_is_said_and_the_game_goes_on(play: Play, typed: str, complaint: str) -> None:
    done = play(f"{typed}\nh8\n", "--opponent", "human")
    assert done.status == 0
    assert complaint in done.out
    assert "●" in done.out


@pytest.mark.parametrize("suffix", ["sgf", "pos", "json", "txt", "psq", "cells", "board"])
def test_a_game_is_saved_and_loaded_again(play: Play, suffix: str) -> None:
    done = play(f"h8\ni9\nj7\nsave game.{suffix}\n", "--opponent", "human")
    assert f"saved game.{suffix}" in done.out
    board = read_position(Path(f"game.{suffix}").read_bytes(), source="game")
    assert (len(board), board["h8"] == 1, board["i9"] == 2, board["j7"] == 1) == (3, True, True, True)
    assert play("quit\n", "--opponent", "human", "--load", f"game.{suffix}").out.count("○") == 1


def test_forbidden_points_are_shown_and_refused(play: Play) -> None:
    """On j8 black would make two live threes."""
    done = play(
        "j8\nk8\n",
        "--opponent",
        "human",
        "--rule",
        "renju",
        "--load",
        "x.cells",
        x_cells="black: h8 i8 j9 j10 white: a1 a15 o1 b7",
    )
    assert "is forbidden to black under renju: three-three" in done.out
    assert "×" in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--opponent", "nobody"),
        ("--colour", "red"),
        ("--rule", "chess"),
        ("--size", ""),
        ("--rule", ""),
        ("--colour", ""),
        ("--size", "3"),
        ("--size", "x"),
        ("--seconds", "0"),
        ("--load", "missing.sgf"),
        ("--load", "-"),
        ("--table", "missing"),
    ],
)
def test_bad_usage_is_one_line_and_status_two(play: Play, arguments: tuple[str, ...]) -> None:
    done = play("", *arguments)
    assert done.status == 2
    assert "Traceback" not in done.err
    assert done.err.strip()


# ---------------------------------------------------------------------- as processes


COMMAND = [sys.executable, "-m", "gomoku", "play"]


def test_a_pipe_that_ends_and_bytes_that_are_no_text_end_cleanly() -> None:
    done = subprocess.run(
        [*COMMAND, "--opponent", "human"], input=b"\xff\xfe\nh8\n", capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c_while_the_engine_thinks_ends_cleanly() -> None:
    with subprocess.Popen(
        [*COMMAND, "--seconds", "30"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"a1\n")
        process.stdin.flush()
        while b"o\n" not in process.stdout.readline():
            pass
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err.strip()) == (130, b"gomoku: interrupted")


def test_on_a_terminal_it_asks_and_end_of_input_leaves() -> None:
    leader, follower = pty.openpty()
    with subprocess.Popen([*COMMAND, "--opponent", "human"], stdin=follower, stdout=subprocess.PIPE) as process:
        os.write(leader, b"h8\n\x04")
        out, _ = process.communicate(timeout=30)
    os.close(leader)
    os.close(follower)
    assert process.returncode == 0
    assert b"black to move> " in out
    assert b"white to move> " in out


def drawn(keys: list[str], *options: str) -> str:
    """What a terminal of 40 lines saw of a game while these keys were typed, each when the one before was drawn."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    environment.pop("LINES", None)
    seen, waiting = b"", [key.encode() for key in keys]
    with subprocess.Popen([*COMMAND, *options], stdin=follower, stdout=follower, env=environment) as process:
        os.close(follower)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            ready, _, _ = select.select([leader], [], [], 0.3)
            try:
                part = os.read(leader, 65536) if ready else b""
            except OSError:  # everybody at the other end has left
                break
            seen += part
            if not ready and b"> " in seen and waiting:
                os.write(leader, waiting.pop(0))
        else:
            process.kill()
    os.close(leader)
    assert process.returncode == 0, seen[-2000:]
    return seen.decode()


def test_a_terminal_is_drawn_in_place_and_given_back() -> None:
    seen = drawn(["h8\n", "quit\n"], "--opponent", "human")
    assert seen.startswith("\x1b[?1049h") and "\x1b[?1049l" in seen
    frames = seen.partition("\x1b[?1049l")[0].split("\x1b[H")
    assert all(frame.count("15 ") <= 1 for frame in frames)
    assert any("[●]" in frame for frame in frames)


def test_cells_are_chosen_by_arrows_and_clicks() -> None:
    seen = drawn(["\x1b[A", "\x1b[C", "\n", "\x1b[<0;4;2M", "quit\n"], "--opponent", "human")
    left = seen.split("\x1b[?1049l")[-1]
    rows = {line[:2].strip(): line for line in left.splitlines()}
    assert (rows["9"][2 + 3 * 8 + 1], rows["15"][2 + 1]) == ("●", "○")


@given(st.text(max_size=60))
def test_whatever_a_terminal_sends_is_keys(text: str) -> None:
    assert all(isinstance(key, (str, Click)) for key in keys_of(text))

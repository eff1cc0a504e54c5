"""The Gomocup engine with the book of proven openings: what is proven is won in time, and elsewhere it plays on."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from random import Random

import pytest

from gomoku.brain import Brain
from gomoku_patterns import Board, Cell
from gomoku_patterns.cells import BLACK
from gomoku_patterns.rules import winner
from search.book import great
from search.book_walk import BookWalk
from tests.gomoku.test_brain import Process, is_move, talk
from tests.timing import quickest, slowness

PLAYERS = ("book", "engine:book=great")
WALK = BookWalk(great())
ENTERED = "h8 h9 i9"


def game(moves: str) -> Board:
    board = Board()
    for move in moves.split():
        board.push(move)
    return board


def block(board: Board) -> str:
    """A BOARD of this position, for the side to move."""
    stones = [f"{cell.col},{cell.row},{1 if colour is board.turn else 2}" for cell, colour in board.moves]
    return "\r\n".join(["BOARD", *stones, "DONE", ""])


def spoken(line: str) -> Cell:
    x, _, y = line.partition(",")
    return Cell(int(y), int(x))


@pytest.fixture(params=PLAYERS)
def engine(request: pytest.FixtureRequest) -> Iterator[Process]:
    with closing(Process("--player", request.param)) as started:
        yield started


def hardest_reply(board: Board, random: Random) -> Cell:
    """What holds out longest by the book, now and then anything, and what is nearest where it says nothing."""
    known = WALK.standing(board, count=True).replies
    if known and random.random() < 0.8:
        return max(sorted(known), key=lambda reply: known[reply].plies or 0)
    return random.choice(board.empties())


@pytest.mark.parametrize("reply", ["k10", "e12", "a1"])
def test_what_is_proven_is_won_in_time(engine: Process, reply: str) -> None:
    random, board = Random(reply), game(f"{ENTERED} {reply}")
    engine.send("START 15\r\nINFO rule 0\r\nINFO timeout_turn 3000\r\n")
    assert engine.answer(20) == "OK"
    ask, slowest = block(board), 0.0
    while True:
        begun = time.perf_counter()
        engine.send(ask)
        board.push(spoken(engine.answer(20)))
        slowest = max(slowest, time.perf_counter() - begun)
        if winner(board) is not None:
            break
        answer = hardest_reply(board, random)
        board.push(answer)
        ask = f"TURN {answer.col},{answer.row}\r\n"
    assert winner(board) is BLACK
    assert slowest < 3


def test_each_position_is_won_from_a_board_of_its_own(engine: Process) -> None:
    """Managers that send the whole board before every move: nothing is remembered of the move before."""
    board = game(f"{ENTERED} k10")
    engine.send("START 15\r\nINFO timeout_turn 3000\r\n")
    assert engine.answer(20) == "OK"
    random = Random(4)
    while winner(board) is None:
        engine.send("RESTART\r\n" + block(board))
        assert engine.answer() == "OK"
        board.push(spoken(engine.answer(20)))
        if winner(board) is None:
            board.push(hardest_reply(board, random))
    assert winner(board) is BLACK


@pytest.mark.parametrize("player", PLAYERS)
def test_the_book_is_played_whichever_way_the_board_lies(player: str) -> None:
    expected = game(f"{ENTERED} k10 g7")
    mirrored = ["7,7,1", "7,6,2", "6,6,1", "4,5,2"]  # h8 h9 g9 e10
    answer = talk("START 15", "INFO timeout_turn 3000", "BOARD", *mirrored, "DONE", player=player)[1]
    assert answer == "8,8"  # i7, the image of g7
    assert expected.name(expected.moves[-1].cell) == "g7"


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(
    "lines",
    [
        ["START 15", "BOARD", "0,0,1", "7,7,2", "DONE"],
        ["START 20", "BOARD", "7,7,1", "7,6,2", "8,6,1", "10,5,2", "DONE"],
        ["START 15", "INFO rule 1", "BOARD", "7,7,1", "7,6,2", "8,6,1", "10,5,2", "DONE"],
        ["START 15", "INFO rule 4", "BOARD", "7,7,1", "7,6,2", "8,6,1", "10,5,2", "DONE"],
        ["START 15", "BOARD", "7,7,2", "7,6,1", "8,6,2", "DONE"],  # it is white
    ],
)
def test_where_the_book_says_nothing_it_plays_on(player: str, lines: list[str]) -> None:
    begun = time.perf_counter()
    answers = talk("INFO timeout_turn 400", *lines, player=player)
    assert is_move(answers[-1], 20)
    assert time.perf_counter() - begun < 10


def asking(engine: Process, board: Board) -> Callable[[], None]:
    def ask() -> None:
        engine.send("RESTART\r\n" + block(board))
        assert engine.answer(5) == "OK"
        assert is_move(engine.answer(5))

    return ask


@pytest.mark.parametrize("moves", [f"{ENTERED} k10 g7 c4", f"{ENTERED} g8", "h8 b2"])
def test_as_fast_as_possible_is_fast_in_the_book_and_out_of_it(engine: Process, moves: str) -> None:
    engine.send("START 15\r\nINFO timeout_turn 0\r\n")
    assert engine.answer(20) == "OK"
    bound = 0.4 * slowness()
    assert quickest(asking(engine, game(moves)), bound) < bound


def test_a_stop_is_obeyed_while_it_looks_in_the_book(engine: Process) -> None:
    engine.send("START 15\r\nINFO timeout_turn 20000\r\n")
    assert engine.answer(20) == "OK"
    begun = time.perf_counter()
    engine.send(block(game(f"{ENTERED} i8")) + "YXSTOP\r\n")
    assert is_move(engine.answer(5))
    assert time.perf_counter() - begun < 2
    engine.send("RESTART\r\n" + block(game(f"{ENTERED} k10")))
    assert engine.answer() == "OK"
    assert engine.answer(20) == "6,8"


@pytest.mark.parametrize("spec", PLAYERS)
def test_memory_and_threads_are_those_of_the_manager(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They hold for the engine that plays where the book says nothing; the game and the book go on."""
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    said: list[str] = []
    brain = Brain(said.append, spec)
    for line in ("START 15", "INFO timeout_turn 3000", *block(game(f"{ENTERED} k10")).split("\r\n")):
        brain.hear(line)
    player = brain.thinker.player(brain.info)
    guide = player._guide
    for line in ("INFO max_memory 130023424", "INFO thread_num 2", "TURN 2,11"):  # c4
        brain.hear(line)
    assert brain.thinker.player(brain.info) is player and player._guide is guide
    engine = player._otherwise if spec == "book" else player
    assert (engine.options.hash, engine._table.megabytes, engine.options.threads) == (8, 8, 2)
    assert [line for line in said if is_move(line)] == ["6,8", "5,9"]


def test_memory_holds_for_the_tree_of_mcts_too() -> None:
    brain = Brain(lambda _line: None, "mcts")
    for line in ("START 15", "INFO max_memory 367001600", "INFO timeout_turn 0"):
        brain.hear(line)
    assert brain.thinker.player(brain.info).options.memory == 83


def test_a_book_that_is_not_there_is_one_clear_line() -> None:
    command = [sys.executable, "-m", "gomoku", "brain", "--player", "book:file=nowhere.book"]
    done = subprocess.run(command, input=b"START 15\nBEGIN\nEND\n", capture_output=True, timeout=30, check=False)
    assert b"nowhere.book: cannot be read" in done.stdout + done.stderr

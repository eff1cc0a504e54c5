"""Scoring boards with the native core, against pyahocorasick and ahocorasick_rs in the same run.

    python -m benchmarks scoring
    pytest benchmarks -k scoring

Every answer is compared with the reference before it is timed, and every time is the shortest of many.

What would flatter the figures, and is avoided: sparse boards (here 22, 45 and 90 stones at random in equal parts: more
different lines than a game ever shows, so branches and caches cannot learn them); one board over and over in a batch;
comparing with the readable reference alone (``tight_pyahocorasick`` is as fast as we could write it: one automaton for
both colours, texts made by ``translate`` and ``itemgetter``). What does flatter ours: a tracker remembers lines, so
moves that are tried again cost less than new ones; the figure for lines never seen before stands beside it. Peers that
scan ready-made texts are given them for nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from typing import Any

import ahocorasick
import ahocorasick_rs
import numpy as np

from benchmarks.figures import Figure, amount, fastest
from benchmarks.inside import Kind, inside
from gomoku_patterns import BLACK, WHITE, Board
from gomoku_patterns.compile import compile_afresh
from gomoku_patterns.lines import lines
from gomoku_patterns.native import NativeEvaluator, native_evaluator, tracker_on
from gomoku_patterns.reference import reference_evaluator
from gomoku_patterns.table import load_table, table_names

TABLE = "grade_dict"


@cache
def some_boards(side: int = 15, count: int = 300) -> list[Board]:
    """Boards with a tenth, a fifth and two fifths of their cells taken, black to move."""
    random_source, boards = random.Random(side), []
    for number in range(count):
        cells = list(range(side * side))
        random_source.shuffle(cells)
        stones = [divmod(cell, side) for cell in cells[: side * side * (1, 2, 4)[number % 3] // 10]]
        boards.append(Board(side, black=stones[::2], white=stones[1::2], turn="black"))
    return boards


# ---------------------------------------------------------------------- peers


def both_colours() -> dict[str, int]:
    """The texts of the table for black, and for white with stones exchanged, with their worth."""
    table = load_table(TABLE)
    words = {pattern.text: pattern.score[0] for pattern in table.patterns}
    return words | {word.translate(str.maketrans("ox", "xo")): -worth for word, worth in words.items()}


def tight_pyahocorasick() -> Any:
    """A score as fast as pyahocorasick allows from Python, texts included."""
    words = both_colours()
    automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
    for number, word in enumerate(words):
        automaton.add_word(word, number)
    automaton.make_automaton()
    worths = list(words.values())
    getters = [itemgetter(*line) for line in lines(15, 15) if len(line) >= 5]
    symbols = bytes.maketrans(b"\0\1\2", b".ox")

    def score(board: Board) -> int:
        text = board.flat.translate(symbols).decode()
        return sum(
            worths[number]
            for getter in getters
            for number in {number for _, number in automaton.iter("".join(getter(text)))}
        )

    return score


def rust_scan() -> tuple[Any, Any]:
    """ahocorasick_rs (DFA) over the ready-made texts of the lines of a board, line by line and in one piece."""
    automaton = ahocorasick_rs.AhoCorasick(list(both_colours()), implementation=ahocorasick_rs.Implementation.DFA)

    def scan(texts: list[str]) -> int:
        return sum(len(automaton.find_matches_as_indexes(text, overlapping=True)) for text in texts)

    return scan, lambda texts: [automaton.find_matches_as_indexes(text, overlapping=True) for text in texts]


def line_texts(board: Board) -> list[str]:
    text = board.flat.translate(bytes.maketrans(b"\0\1\2", b".ox")).decode()
    return ["".join(text[cell] for cell in line) for line in lines(15, 15) if len(line) >= 5]


def test_the_peers_find_what_the_reference_finds() -> None:
    tight, reference = tight_pyahocorasick(), reference_evaluator(TABLE)
    worths = list(both_colours().values())
    for board in some_boards()[:9]:
        assert tight(board) == reference.score(board)
        found = rust_scan()[1](line_texts(board))
        assert sum(worths[one] for line in found for one in {match[0] for match in line}) == tight(board)


# ---------------------------------------------------------------------- full boards


def full_boards() -> Iterator[Figure]:
    evaluator, reference, tight = native_evaluator(TABLE), reference_evaluator(TABLE), tight_pyahocorasick()
    boards = some_boards()
    stack = np.stack([board.to_array() for board in boards])
    expected = [tight(board) for board in boards]
    assert [evaluator.score(board) for board in boards] == expected
    assert evaluator.scores(stack).tolist() == expected
    assert [reference.score(board) for board in boards[:9]] == expected[:9]

    slow = fastest(lambda: [reference.score(board) for board in boards[:9]], pieces=9)
    quick = fastest(lambda: [tight(board) for board in boards], pieces=len(boards))
    call = fastest(lambda: [evaluator.score(board) for board in boards], pieces=len(boards))
    many = np.concatenate([stack] * amount(10, 1))
    batch = fastest(lambda: evaluator.scores(many), pieces=len(many))
    yield Figure("full-board score, one call from Python", call, "the reference", slow, 100)
    yield Figure("full-board score, one call from Python", call, "pyahocorasick as tight as it gets", quick, 100)
    yield Figure("full-board score, batch", batch, "the reference", slow, 150)
    yield Figure("full-board score, batch", batch, "pyahocorasick as tight as it gets", quick, 150)
    yield from against_rust(batch, [line_texts(board) for board in boards])


def against_rust(batch: float, texts: list[list[str]]) -> Iterator[Figure]:
    scan = rust_scan()[0]
    joined = [["|".join(lines)] for lines in texts]
    assert [scan(lines) for lines in texts] == [scan(lines) for lines in joined]
    by_line = fastest(lambda: [scan(lines) for lines in texts], pieces=len(texts))
    yield Figure("full-board score, batch", batch, "ahocorasick_rs (DFA) scanning ready-made lines", by_line, 50)
    whole = fastest(lambda: [scan(lines) for lines in joined], pieces=len(texts))
    yield Figure("full-board score, batch", batch, "the same in one text, whatever line a match is on", whole, 15)


# ---------------------------------------------------------------------- moves


def middle_cells(board: Board, count: int = 100) -> list[int]:
    """The empty cells nearest the middle: as many on any board."""
    middle = (board.rows - 1) / 2
    ordered = sorted(board.empties(), key=lambda cell: max(abs(cell.row - middle), abs(cell.col - middle)))
    return [board.index(cell) for cell in ordered[:count]]


def timed(kind: Kind, evaluator: NativeEvaluator, board: Board, moves: list[int]) -> float:
    return inside(kind, tracker_on(evaluator.core, board.rows, board.cols), board, moves, seconds=amount(0.2, 0.01))[0]


def moves_inside_the_core() -> Iterator[Figure]:
    evaluator, board = native_evaluator(TABLE), some_boards()[1]
    moves = middle_cells(board)
    check_inside(evaluator, board, moves)
    score, play = timed("score", evaluator, board, moves), timed("play", evaluator, board, moves)
    empties = [board.index(cell) for cell in board.empties()]
    read, again = timed("play_and_gains", evaluator, board, empties), timed("all_gains", evaluator, board, empties)
    yield Figure("play + undo with the score", play, "a full-board score inside the core", score, 5)
    yield Figure("play + undo with all gains current", play, "all gains from the board alone", again, 15)
    yield Figure("play + undo with all gains read", read, "all gains from the board alone", again, 5)
    yield Figure("play + undo, lines never seen before", unseen(), "all gains from the board alone", again, 1)
    yield from sizes(evaluator)


def sizes(evaluator: NativeEvaluator) -> Iterator[Figure]:
    small, large = some_boards()[1], some_boards(20)[1]
    ours = timed("play", evaluator, large, middle_cells(large))
    theirs = timed("play", evaluator, small, middle_cells(small))
    yield Figure("play + undo on 20x20, at most 1.2 times as long", ours, "15x15", theirs, 1 / 1.2)


def unseen() -> float:
    """The first time that every move is tried in a new process: no line of it is remembered yet."""
    board = some_boards()[1]
    moves = [board.index(cell) for cell in board.empties()]
    times = []
    for _ in range(amount(20, 2)):
        evaluator = NativeEvaluator(load_table(TABLE))
        tracker = tracker_on(evaluator.core, 15, 15)
        tracker.set(board)
        times.append(first_pass(tracker, moves))
    return min(times) / len(moves)


def first_pass(tracker: Any, moves: list[int]) -> float:
    return fastest(lambda: [(tracker.play(cell, BLACK), tracker.undo()) for cell in moves], seconds=0)


def check_inside(evaluator: NativeEvaluator, board: Board, moves: list[int]) -> None:
    """What the timed loops add up is what the reference says."""
    reference, colours = reference_evaluator(TABLE), (BLACK, WHITE)
    tracker = tracker_on(evaluator.core, board.rows, board.cols)
    expected = 0
    for number, move in enumerate(moves[:6]):
        played = board.copy()
        played.push(played.at(move), colours[number % 2])
        played.turn = BLACK
        expected += reference.score(played)
    assert inside("play", tracker, board, moves[:6], 0)[1] == expected
    gains = sum(int(reference.gains(board, colour).sum()) for colour in colours)
    assert inside("all_gains", tracker, board, moves[:1], 0)[1] == gains
    assert inside("score", tracker, board, moves[:1], 0)[1] == reference.score(board)


# ---------------------------------------------------------------------- compiling


def compiling() -> Iterator[Figure]:
    for name in table_names():
        table = load_table(name)
        ours = fastest(lambda table=table: compile_afresh(table), seconds=0.2)  # type: ignore[misc]  # bound now
        yield Figure(f"compiling {name}", ours, "what a user waits for without noticing", 0.05, 1)


def figures() -> Iterator[Figure]:
    yield from full_boards()
    yield from moves_inside_the_core()
    yield from compiling()

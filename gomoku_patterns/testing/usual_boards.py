"""The boards that are always tried: of the usual sizes, dense with patterns, and a full one."""

from __future__ import annotations

import random
from functools import lru_cache

from gomoku_patterns import lines as board_lines
from gomoku_patterns.board import Board
from gomoku_patterns.cells import MIN_SIDE, Cell, Colour

USUAL_SIDES = (15, 19, 20)
"""The sides people play on: a fault that needs one of them is rare among boards of all sizes."""

EACH = 6
"""This many boards of each side."""

MANY_MOVES = 40
"""Every other board comes with this many cells to play, as some trackers go wrong only after many moves."""

_RUNS = (
    ".oo.", "xoo.", ".o.o.", ".ooo.", "xooo.", ".oo.o.", ".oooo.", "xoooo.", "oo.oo", "ooo.o", "ooooo", "oooooo",
    "ooooooo", "o", ".", "..", "....", "......",
)  # fmt: skip
_SWAPPED = str.maketrans("ox", "xo")

Example = tuple[Board, list[int]]
"""A board, and numbers that choose empty cells of it."""


@lru_cache(maxsize=8)
def always_tried(max_side: int) -> tuple[Example, ...]:
    """The boards up to a side, the same in every run: an empty and a full one, then one of each usual side in turn."""
    rng = random.Random("boards that are always tried")
    examples = [(Board(MIN_SIDE), [0, 6]), (_full(rng, min(USUAL_SIDES[0], max_side)), [0])]
    for number in range(EACH):
        for side in USUAL_SIDES:
            board = _patterned(rng, side, number)
            picks = [rng.randrange(side * side) for _ in range(MANY_MOVES if number % 2 else 3)]
            if side <= max_side:
                examples.append((board, picks))
    return tuple(examples)


def _full(rng: random.Random, side: int) -> Board:
    colours = [Colour(1 + number % 2) for number in range(side * side)]
    rng.shuffle(colours)
    return _board(side, colours, Colour.BLACK)


def _patterned(rng: random.Random, side: int, number: int) -> Board:
    """A board whose lines in one of the four directions are full of runs."""
    stones: list[Colour | None] = [None] * (side * side)
    for line in _lines(side, number % 4):
        text = ""
        while len(text) < len(line):
            run = rng.choice(_RUNS)
            text += run.translate(_SWAPPED) if rng.random() < 0.5 else run
        for index, symbol in zip(line, text, strict=False):
            stones[index] = {".": None, "o": Colour.BLACK, "x": Colour.WHITE}[symbol]
    return _board(side, stones, Colour(1 + rng.randrange(2)))


def _lines(side: int, direction: int) -> list[list[int]]:
    down, right = board_lines.DIRECTIONS[direction]
    step = down * side + right
    return [list(line) for line in board_lines.lines(side, side) if len(line) > 1 and line[1] - line[0] == step]


def _board(side: int, stones: list[Colour | None] | list[Colour], turn: Colour) -> Board:
    chosen = {
        str(colour): [Cell(*divmod(at, side)) for at, stone in enumerate(stones) if stone is colour]
        for colour in Colour
    }
    return Board(side, black=chosen["black"], white=chosen["white"], turn=turn)

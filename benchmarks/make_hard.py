#!/usr/bin/env python3
"""Makes positions in which a win is hard to prove, by working back from the ends of games; the same for the same seed.

The engine plays itself with few nodes a move, so that somebody wins. From the end back, the positions in which the
winner was to move are asked of the solver, until it no longer finds a win by attacking moves in a moment; from there on
with any moves and a hundred times as many nodes. Two positions of a game are kept: the earliest that is proven, and the
one before it, of which nothing is known. So the collection is not made of what this solver can do alone. A line of
JSON each, with the ``nodes`` that the proof took (null where there was none); no position is kept twice.

    python benchmarks/make_hard.py benchmarks/hard.jsonl [--seed N] [--games N]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from arena.openings import read_openings
from gomoku_patterns.board import Board
from gomoku_patterns.notation import json_position
from search.players import player
from search.result import Limit
from search.solver import Solution, Solver

OPENINGS = Path(__file__).with_name("openings.pos")
MOVE_NODES = (300, 1000, 3000)
EASY_NODES = 20_000
HARD_NODES = 2_000_000
LEAST_NODES = 5_000
"""Of the nodes that the last of a game's proofs takes, or the game was easy to the end."""


def game(random: Random, opening: Board) -> list[Board]:
    """The positions of a game, the last one won, or none."""
    board = opening.copy()
    engines = [player("engine:solver=no,hash=1") for _ in range(2)]
    boards = [board.copy(moves=False)]
    while not board.is_over():
        move = engines[len(board) % 2].search(board, Limit(nodes=random.choice(MOVE_NODES))).move
        if move is None:
            return []
        board.push(move)
        boards.append(board.copy(moves=False))
    return boards if board.winner() is not None else []


def earliest(boards: list[Board]) -> Iterator[tuple[Board, Solution | None]]:
    """The earliest position of the winner's that is proven, and the one before it."""
    solver = Solver(memory=64 << 20)
    last: tuple[Board, Solution] | None = None
    limit, mode = Limit(nodes=EASY_NODES), "full"
    for board in boards[-2::-2]:
        solution = solver.solve(board, limit, mode=mode)
        if solution.proof is None and mode == "full":
            limit, mode = Limit(nodes=HARD_NODES), "any"
            solution = solver.solve(board, limit, mode=mode)
        if solution.proof is None:
            if last is not None and last[1].nodes >= LEAST_NODES:
                yield last
                yield board, None
            return
        last = board, solution


def problems(seed: int, games: int) -> Iterator[dict[str, Any]]:
    openings, seen = read_openings(OPENINGS, rows=15), set[Board]()
    for number in range(games):
        random = Random(f"{seed} {number}")
        for board, solution in earliest(game(random, random.choice(openings))):
            if board in seen:
                continue
            seen.add(board)
            nodes = None if solution is None else solution.nodes
            yield {"game": number, "nodes": nodes, "position": json_position(board)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=40)
    asked = parser.parse_args()
    with asked.out.open("w", encoding="utf-8") as file:
        for problem in problems(asked.seed, asked.games):
            file.write(json.dumps(problem, separators=(",", ":")) + "\n")
            file.flush()
            print(f"game {problem['game']}: {problem['nodes']} nodes", file=sys.stderr)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes problems for the solver, the same ones for the same seed, and checks every one of them.

Two ways. *Played*: two engines play, and the position whose win was the hardest to see for the solver is kept.
*Grown*: a random position is changed stone by stone, keeping what makes the win longer or harder to find, until it is
as long as asked; that is how wins of a hundred plies come about. Each problem is a line of JSON: the position, the
``mode`` in which it is won, its ``status``, and of the win that was found the ``length`` and the ``nodes`` it took. To
each grown win by fours belongs a *twin* with one stone more, in which no win by fours is left.

    python benchmarks/make_problems.py OUT.jsonl [--seed N] [--count N]
    python benchmarks/make_problems.py OUT.jsonl --update
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, Cell, Colour
from gomoku_patterns.notation import json_position, parse_json_position
from search.players import player
from search.result import Limit
from search.solver import Solution, Solver, Status
from search.verifier import verify

RULES = ("freestyle", "standard", "renju")
MODES = ("vcf", "vct", "full")
MOST_NODES = 100_000
MOST_STONES = 130


@dataclass(frozen=True)
class Problem:
    """A position and what is true of it."""

    kind: str
    board: Board
    mode: str
    solution: Solution

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "mode": self.mode,
            "status": str(self.solution.status),
            "length": self.solution.length,
            "nodes": self.solution.nodes,
            "position": json_position(self.board),
        }


def solved(board: Board, mode: str, nodes: int = MOST_NODES) -> Solution:
    return Solver(memory=64 << 20).solve(board, Limit(nodes=nodes), mode=mode)


def least_mode(board: Board, kind: str) -> Problem | None:
    """The problem with the first mode that wins, checked; None if none does."""
    for mode in MODES:
        solution = solved(board, mode)
        if solution.status is Status.PROVEN:
            verdict = verify(solution.proof or {}, board)
            if verdict:
                return Problem(kind, board, mode, solution)
            print(f"wrong: {verdict} of {json.dumps(json_position(board))} in mode {mode}", file=sys.stderr)
    return None


# ---------------------------------------------------------------------- played


def played(random: Random, rule: str) -> Problem | None:
    """The position of a game whose win is the hardest to see."""
    board = _opening(random, rule)
    boards = [board.copy(moves=False)]
    engines = [player("engine:solver=no") for _ in range(2)]
    while not board.is_over() and len(board) < MOST_STONES:
        move = engines[len(board) % 2].search(board, Limit(nodes=random.choice([300, 1000, 3000]))).move
        board.push(move or board.legal_moves()[0])
        boards.append(board.copy(moves=False))
    return _hardest_win(boards[:-1])


def _opening(random: Random, rule: str) -> Board:
    board = Board(random.choice([15, 15, 15, 20, 12]), rule=rule)
    middle = board.rows // 2
    while len(board) < random.choice([3, 5, 7]):
        cell = (middle + random.randint(-3, 3), middle + random.randint(-3, 3))
        if cell in board.legal_moves():
            board.push(cell)
    return board


def _hardest_win(boards: list[Board]) -> Problem | None:
    solutions = [(solved(board, "full", 20_000), board) for board in boards]
    wins = [(solution.nodes, len(board), board) for solution, board in solutions if solution.status is Status.PROVEN]
    return least_mode(max(wins)[2], "played") if wins else None


# ---------------------------------------------------------------------- grown


@dataclass(frozen=True)
class Goal:
    """What a grown position is to become."""

    rule: str
    mode: str
    worth: Callable[[Solution], float]
    enough: float
    steps: int
    nodes: int = 3000

    def value(self, board: Board) -> float:
        """What the position's win is worth; 0 if it has none, or an easier one."""
        if len(board) > MOST_STONES or board.winner() or any(rules.winning_cells(board, colour) for colour in Colour):
            return 0
        if self.mode != "vcf" and solved(board, "vcf", 2000).status is not Status.DISPROVEN:
            return 0
        solution = solved(board, self.mode, self.nodes)
        return self.worth(solution) if solution.status is Status.PROVEN else 0


def grown(random: Random, goal: Goal) -> Problem | None:
    """A win by annealing: changes that make it worth more stay, others sometimes, less and less often."""
    board, value = _seed_position(random, goal)
    for step in range(goal.steps):
        if value >= goal.enough:
            break
        other = _changed(board, random)
        other_value = goal.value(other)
        heat = 3 * (1 - step / goal.steps) + 0.05
        if other_value >= value or (other_value > 0 and random.random() < math.exp((other_value - value) / heat)):
            board, value = other, other_value
    problem = least_mode(board, "grown")
    return problem if problem and problem.mode == goal.mode else None


def _seed_position(random: Random, goal: Goal) -> tuple[Board, float]:
    while True:
        board = Board(random.choice([15, 15, 15, 19, 11]), rule=goal.rule)
        cells = [Cell(row, col) for row in range(2, board.rows - 2) for col in range(2, board.cols - 2)]
        for number, cell in enumerate(random.sample(cells, 24)):
            board.push(cell, 1 + number % 2)
        board.turn = random.choice(["black", "white"])
        board = board.copy(moves=False)
        if (value := goal.value(board)) > 0:
            return board, value


def _changed(board: Board, random: Random) -> Board:
    """A stone moved, two stones of different colours added, removed, or exchanged."""
    cells = bytearray(board.flat)

    def some(value: int) -> int:
        return random.choice([index for index, stone in enumerate(cells) if stone == value])

    kind = random.random()
    if kind < 0.5:
        colour = random.choice((1, 2))
        source, target = some(colour), some(0)
        cells[source], cells[target] = 0, colour
    elif kind < 0.7:
        cells[some(0)], cells[some(0)] = 1, 2
    elif kind < 0.85:
        cells[some(1)], cells[some(2)] = 0, 0
    else:
        one, two = some(1), some(2)
        cells[one], cells[two] = 2, 1
    return _with_cells(board, cells)


def _with_cells(board: Board, cells: bytearray) -> Board:
    stones = {colour: [board.at(index) for index, stone in enumerate(cells) if stone == colour] for colour in Colour}
    black, white = stones[BLACK], stones[BLACK.opponent]
    return Board(board.rows, board.cols, black=black, white=white, turn=board.turn, rule=board.rule)


def twin(problem: Problem, random: Random) -> Problem | None:
    """The position with one stone of the defender's more, if no win by fours is left."""
    assert problem.solution.proof is not None
    cells = [cell for cell in problem.solution.proof.main_line() if problem.board.is_empty(cell)]
    random.shuffle(cells)
    for cell in cells:
        board = problem.board.copy()
        board.push(cell, board.turn.opponent)
        board.turn = problem.board.turn
        board = board.copy(moves=False)
        solution = solved(board, "vcf")
        if solution.status is Status.DISPROVEN:
            return Problem("twin", board, "vcf", solution)
    return None


# ---------------------------------------------------------------------- the collection


def by_length(solution: Solution) -> float:
    return float(solution.length or 0)


def by_effort(solution: Solution) -> float:
    return 6 * math.log2(1 + solution.nodes)


def problems(seed: int, count: int) -> Iterator[Problem]:
    """``count`` of each kind under each rule, of rising length or effort."""
    for rule in RULES:
        for number in range(count):
            random = Random(f"{seed} {rule} {number}")
            share = (number + 1) / count
            made = [
                played(random, rule),
                grown(random, Goal(rule, "vcf", by_length, 9 + 90 * share, 4000)),
                grown(random, Goal(rule, "vcf", by_effort, 90 * share, 2000, 50_000)),
                grown(random, Goal(rule, "vct", by_length, 7 + 24 * share, 1500)),
                grown(random, Goal(rule, "vct", by_effort, 84 * share, 1000, 20_000)),
            ]
            found = [problem for problem in made if problem and problem.solution.length > 3]
            yield from found
            twins = [twin(problem, random) for problem in found if problem.kind == "grown" and problem.mode == "vcf"]
            yield from (problem for problem in twins if problem)


def order(problem: Problem) -> tuple[Any, ...]:
    solution = problem.solution
    return problem.board.rule, problem.mode, str(solution.status), solution.length or 0, solution.nodes


def read(path: Path) -> Iterator[Problem]:
    """The problems of a file, solved again."""
    for line in path.read_text(encoding="utf-8").splitlines():
        value = json.loads(line)
        board = parse_json_position(value["position"])
        yield Problem(value["kind"], board, value["mode"], solved(board, value["mode"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--update", action="store_true", help="solve the problems of the file again, with new figures")
    asked = parser.parse_args()
    found = []
    for problem in read(asked.out) if asked.update else problems(asked.seed, asked.count):
        found.append(problem)
        print(
            f"{len(found):4} {problem.board.rule} {problem.kind} {problem.mode} {problem.solution}"[:150],
            file=sys.stderr,
        )
    lines = [json.dumps(problem.to_json(), separators=(",", ":")) for problem in sorted(found, key=order)]
    asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""The same position and node limit give the same answer: fresh or kept, in any order, thread and process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from functools import lru_cache
from pathlib import Path
from random import Random

from gomoku_patterns import Board
from gomoku_patterns.notation import json_position, parse_json_position
from search import Limit, Solution, Solver, solve

LIMIT = Limit(nodes=100_000)
"""Enough for tables to grow, which is what a kept solver could remember."""

FILES = (Path(__file__).parent / "data" / "problems.jsonl", Path(__file__).parents[2] / "benchmarks" / "hard.jsonl")

Answer = tuple[str, int, int | None, tuple[int, int] | None, str]


def answer(found: Solution) -> Answer:
    move = None if found.move is None else (found.move.row, found.move.col)
    return str(found.status), found.nodes, found.length, move, found.stopped_by


@lru_cache(maxsize=1)
def boards() -> list[Board]:
    """The problems of the collection, and the hard positions under every rule."""
    problems, hard = ([json.loads(line) for line in path.read_text().splitlines()] for path in FILES)
    found = [parse_json_position(problem["position"]) for problem in problems]
    for value in hard:
        for rule in ("freestyle", "standard", "renju"):
            found.append(parse_json_position({**value["position"], "rule": rule}))
    return found


@lru_cache(maxsize=1)
def fresh_answers() -> list[Answer]:
    return [answer(Solver().solve(board, LIMIT)) for board in boards()]


def test_a_kept_solver_answers_as_a_new_one() -> None:
    """Each of two threads keeps one solver for all of its positions, in an order of its own."""
    numbers = list(range(len(boards())))
    Random(471).shuffle(numbers)
    halves, found = (numbers[::2], numbers[1::2]), dict[int, Answer]()

    def keep(mine: list[int]) -> None:
        kept = Solver()
        found.update((number, answer(kept.solve(boards()[number], LIMIT))) for number in mine)

    threads = [threading.Thread(target=keep, args=(half,)) for half in halves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fresh = fresh_answers()
    assert len(found) == len(fresh) >= 500
    assert {number: one for number, one in found.items() if one != fresh[number]} == {}
    assert sum(nodes > 20_000 for _, nodes, *_ in fresh) >= 50, "hard enough for tables to grow"


ELSEWHERE = """
import json, sys
from gomoku_patterns.notation import parse_json_position
from search import Limit, solve
for line in sys.stdin:
    found = solve(parse_json_position(json.loads(line)), Limit(nodes=100_000))
    move = None if found.move is None else (found.move.row, found.move.col)
    print(json.dumps([str(found.status), found.nodes, found.length, move, found.stopped_by]))
"""


def test_another_process_answers_the_same() -> None:
    fresh = fresh_answers()
    numbers = [number for number, one in enumerate(fresh) if one[1] > 5000][::3]
    text = "".join(json.dumps(json_position(boards()[number])) + "\n" for number in numbers)
    said = subprocess.run([sys.executable, "-c", ELSEWHERE], input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in said.stdout.splitlines()]
    assert len(answers) >= 20
    assert answers == [json.loads(json.dumps(fresh[number])) for number in numbers]


def test_memory_ends_a_search_at_the_same_node_whatever_was_solved_before() -> None:
    """Tables that had grown before would leave less for those that are full now."""
    hard = sorted(range(len(boards())), key=lambda number: fresh_answers()[number][1])[-6:]
    kept = Solver(memory=2 << 20)
    alone = [answer(Solver(memory=2 << 20).solve(boards()[number], LIMIT)) for number in hard]
    later = {number: answer(kept.solve(boards()[number], LIMIT)) for number in reversed(hard)}
    assert [later[number] for number in hard] == alone
    assert any(stopped_by == "memory" for *_, stopped_by in alone)


def test_the_function_keeps_solvers_and_answers_the_same() -> None:
    hard = [number for number, one in enumerate(fresh_answers()) if one[1] > 20_000][::4]
    assert [answer(solve(boards()[number], LIMIT)) for number in hard] == [fresh_answers()[number] for number in hard]
    assert len(hard) >= 10

"""Many boards in one array: what the core takes for a stone, and an array that changes while it is read."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from gomoku_patterns import BoardError, load_table, parse_table
from gomoku_patterns.native import NativeEvaluator
from tests.learned import TEXT, random_code


@pytest.mark.parametrize("name", ["grade_dict", "level", "cell", "code"])
def test_white_is_minus_one_and_255_is_no_stone(name: str) -> None:
    table = parse_table(TEXT, weights=random_code()) if name == "code" else load_table(name)
    evaluator = NativeEvaluator(table)
    stones = np.zeros((1, 15, 15), dtype=np.int8)
    stones[0, 7, 7], stones[0, 7, 8] = 1, -1
    twos = np.where(stones == -1, 2, stones).astype(np.uint8)
    assert evaluator.scores(stones) == evaluator.scores(twos)
    with pytest.raises(BoardError, match="found 255"):
        evaluator.scores(stones.view(np.uint8))


WRITTEN_MEANWHILE = """
import threading, time
import numpy as np
from gomoku_patterns import BoardError, load_table, parse_table
from gomoku_patterns.native import NativeEvaluator
from tests.learned import TEXT, random_code

boards, end = np.zeros((3000, 15, 15), dtype=np.int8), threading.Event()

def write():
    while not end.is_set():
        boards.fill(100)
        boards.fill(0)

for table in (parse_table(TEXT, weights=random_code()), load_table("cell")):
    evaluator = NativeEvaluator(table)
    empty, deadline, tries = evaluator.scores(np.zeros_like(boards[:1])), time.monotonic() + 0.7, 0
    end.clear()
    writer = threading.Thread(target=write)
    writer.start()
    while time.monotonic() < deadline or not tries:
        tries += 1
        try:
            assert (evaluator.scores(boards) == empty).all()
        except BoardError:
            pass
    end.set()
    writer.join()
    assert (evaluator.scores(np.zeros_like(boards)) == empty).all()
print("done")
"""


def test_an_array_that_is_written_to_meanwhile_does_no_harm() -> None:
    """In a process of its own, which an access out of bounds would end."""
    run = subprocess.run(
        [sys.executable, "-c", WRITTEN_MEANWHILE], check=False, capture_output=True, text=True, timeout=120
    )
    assert run.stdout == "done\n", run.stderr

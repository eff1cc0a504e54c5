"""How many hard wins the solver proves in five seconds, and how many another program says it sees.

    python -m benchmarks.hard
    python -m benchmarks.hard --engine ./pbrain-x --won 'Eval \\+M[0-9]+' --log hard.log

The positions are those of ``hard.jsonl`` (``make_hard.py`` makes them). Each is given to a fresh solver, any move
allowed, and to a fresh process of the engine; what counts is processor time, so that a busy machine changes nothing,
from the moment the position is known. A win that ours finds counts when the verifier in C has accepted its proof; of
the engine's the first line that matches ``--won`` is believed. PAR-2 is the mean time, ten seconds for what was not
solved in five. ``--log`` keeps what was measured and goes on after a break. What would flatter ours: positions made
with this solver; so those of which it knew nothing are half of them, and shown apart.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from arena.statistics import mean_interval, wilson
from gomoku_patterns.board import Board
from gomoku_patterns.notation import parse_json_position
from search._control import Cancel
from search.result import Limit
from search.solver import Solver
from search.verifier import verify

FILE = Path(__file__).with_name("hard.jsonl")
SECONDS = 5.0
POLL_SECONDS = 0.02
MOST_WALL = 60.0
"""So many times the limit may pass on the clock; a machine as busy as that measures nothing."""


class Problem(NamedTuple):
    """A position, and whether a win was known when it was made."""

    board: Board
    known: bool


def problems(path: Path = FILE) -> list[Problem]:
    values = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Problem(parse_json_position(value["position"]), value["nodes"] is not None) for value in values]


# ---------------------------------------------------------------------- ours


def ours(board: Board, seconds: float) -> float | None:
    """The processor time of a win that was proven, None where there was none in the time."""
    solver, cancel, done = Solver(memory=256 << 20), Cancel(), threading.Event()
    begun = time.process_time()

    def watch() -> None:
        while not done.wait(POLL_SECONDS):
            if time.process_time() - begun > seconds:
                cancel.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    solution = solver.solve(board, Limit(seconds=seconds * MOST_WALL), mode="any", cancel=cancel)
    taken = time.process_time() - begun
    done.set()
    watcher.join()
    if solution.proof is None or taken > seconds:
        return None
    verdict = verify(solution.proof, board, native=True, thorough=False)
    assert verdict, verdict
    return taken


# ---------------------------------------------------------------------- somebody else's


def theirs(command: list[str], won: re.Pattern[str], board: Board, seconds: float) -> float | None:
    """The processor time that a Gomocup engine takes until it says that it wins."""
    import psutil

    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
    )
    assert process.stdin is not None
    assert process.stdout is not None
    used = psutil.Process(process.pid)
    try:
        process.stdin.write(f"START {board.rows}\nINFO rule 0\nINFO thread_num 1\nINFO max_memory 536870912\n")
        process.stdin.write(f"INFO timeout_match 0\nINFO timeout_turn {1000 * seconds * MOST_WALL:.0f}\n")
        while "OK" not in process.stdout.readline():
            pass
        begun = sum(used.cpu_times()[:2])
        threading.Thread(target=_end_after, args=(used, begun + seconds), daemon=True).start()
        process.stdin.write(block(board))
        for line in process.stdout:
            taken = sum(used.cpu_times()[:2]) - begun
            if won.search(line):
                return taken if taken <= seconds else None
            if re.fullmatch(r"\d+,\d+\s*", line):
                return None
    except psutil.NoSuchProcess:
        pass
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
    return None


def block(board: Board) -> str:
    """The position as a BOARD, the stones in turn."""
    own, other = board.stones(board.turn), board.stones(board.turn.opponent)
    lines = [f"{cell.col},{cell.row},{1 + (cell in other)}" for cell in [*own, *other]]
    return "\n".join(["BOARD", *lines, "DONE", ""])


def _end_after(process: Any, moment: float) -> None:
    """Kill the engine when its processor time has passed a moment."""
    import psutil

    try:
        while sum(process.cpu_times()[:2]) <= moment:
            time.sleep(POLL_SECONDS)
        process.kill()
    except psutil.NoSuchProcess:
        pass


# ---------------------------------------------------------------------- what came of it


def par2(taken: float | None, seconds: float) -> float:
    return 2 * seconds if taken is None else taken


def lines(times: dict[str, list[float | None]], seconds: float) -> Iterator[str]:
    """What is printed of some problems."""
    for name, found in times.items():
        solved, of = sum(one is not None for one in found), len(found)
        low, high = wilson(solved, of)
        mean = sum(par2(one, seconds) for one in found) / of
        yield f"  {name:6} {solved:4} of {of}, {solved / of:.0%} ({low:.0%} to {high:.0%}), PAR-2 {mean:.2f} s"
    if len(times) == 2:
        pairs = list(zip(*times.values(), strict=True))
        shares = mean_interval([0.5 + (par2(b, seconds) - par2(a, seconds)) / seconds / 4 for a, b in pairs])
        quicker, low, high = ((share - 0.5) * seconds * 4 for share in shares)
        alone = [sum(pair[one] is not None and pair[1 - one] is None for pair in pairs) for one in (0, 1)]
        ahead = f"ours {quicker:.2f} s ahead ({low:.2f} to {high:.2f})"
        yield f"  ours alone {alone[0]}, theirs alone {alone[1]}; {ahead}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", help="the command of a Gomocup engine to compare with")
    parser.add_argument("--won", default=r"Eval \+M[0-9]+", help="a line of the engine's that says it wins")
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--log", type=Path, help="keep results here, and go on from them")
    asked = parser.parse_args()
    tasks: dict[str, Callable[[Board], float | None]] = {"ours": lambda board: ours(board, asked.seconds)}
    if asked.engine:
        command, won = shlex.split(asked.engine), re.compile(asked.won)
        tasks["theirs"] = lambda board: theirs(command, won, board, asked.seconds)
    told = asked.log.read_text(encoding="utf-8").splitlines() if asked.log and asked.log.exists() else []
    done = {(value["number"], value["who"]): value["seconds"] for value in map(json.loads, told)}
    found = problems(asked.file)
    for number, problem in enumerate(found):
        for who, measure in tasks.items():
            if (number, who) in done:
                continue
            done[number, who] = measure(problem.board)
            if asked.log:
                with asked.log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps({"number": number, "who": who, "seconds": done[number, who]}) + "\n")
            print(f"\r{number + 1} of {len(found)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for title, known in (("all", (True, False)), ("proven when made", (True,)), ("not known", (False,))):
        numbers = [number for number, problem in enumerate(found) if problem.known in known]
        print(f"{title}: {len(numbers)} positions, {asked.seconds:g} s of processor time each")
        for line in lines({who: [done[number, who] for number in numbers] for who in tasks}, asked.seconds):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How good the moves of players are in the eyes of a judge that thinks longer: far cheaper than games.

    python -m benchmarks.judged GAMES.jsonl --players engine engine:table=mine.toml --nodes 200000
    python -m benchmarks.judged GAMES.jsonl --players engine 'cmd:./pbrain-x' --judge 'cmd:./pbrain-x' --scale 200

Positions are drawn from games (logs of matches, or any notation). In each, every player chooses a move with the same
number of nodes, and the judge searches the position after it; nobody remembers anything of other positions. What a
move is worth is the winning chance that the judge's score stands for. Printed are the mean of the first player's moves,
by how much the moves of each other player are better or worse, with a 95 % interval over the openings of the games,
and in how many positions it plays something else.

Positions that the judge calls decided are left out. So are, with ``--hard``, those where it would play the same with a
tenth of its nodes: there most players agree. No player is asked which positions those are, since where a player has
erred every change to it looks like an improvement. ``--log`` keeps every answer: with another player or more positions
the same command goes on from there. What would flatter a player: a judge that judges or searches like it.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from arena.engines import GomocupEngine
from arena.entrants import PREFIX
from arena.games import read_games
from arena.log import Log
from arena.openings import opening_key
from arena.pools import Workers, workers
from arena.training import half_interval
from arena.work import run_units
from gomoku_patterns import Board
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.notation.cell_list import cell_list
from search import Limit, Player, SearchResult, player

Thoughts = dict[str, dict[str, Any]]
"""What was answered already, by who was asked what."""

EVEN = 0.05
"""A position in which the judge gives either side less than this is decided."""
HARD_SHARE = 10
"""Positions are hard if so many times the nodes change the judge's mind."""


@dataclass(frozen=True)
class Plan:
    """Who is judged by whom."""

    players: tuple[str, ...]
    nodes: int
    judge: str
    judge_nodes: int
    scale: float
    hard: bool


class Position(NamedTuple):
    """A position of a game from an opening, and what is known of it."""

    opening: int
    board: Board
    known: Thoughts


class Verdict(NamedTuple):
    """The players' moves, none where the position does not count, what they are worth, and what had to be asked."""

    moves: tuple[str, ...]
    chances: tuple[float, ...]
    asked: Thoughts


# ---------------------------------------------------------------------- one position


@cache
def _player(spec: str) -> Player:
    return player(spec)


def _search(spec: str, board: Board, nodes: int) -> SearchResult:
    """The answer of a player that remembers nothing."""
    if spec.startswith(PREFIX):
        with GomocupEngine(spec.removeprefix(PREFIX)) as engine:
            return engine.play(board, Limit(nodes=nodes))
    mind = _player(spec)
    mind.new_game()
    return mind.search(board, Limit(nodes=nodes))


class _Asking:
    """Asks nobody the same thing twice."""

    def __init__(self, known: Thoughts) -> None:
        self.known = known
        self.asked: Thoughts = {}

    def think(self, spec: str, board: Board, nodes: int) -> dict[str, Any]:
        """A player's move in a position, its score for the side to move, and whether that side wins, if it says so."""
        key = f"{nodes} {spec} | {cell_list(board)}"
        if key not in self.known:
            result = _search(spec, board, nodes)
            won = None if result.win is None else result.win.colour is board.turn
            name = None if result.move is None else board.name(result.move)
            self.known[key] = self.asked[key] = {"move": name, "score": board.turn.sign * result.score, "won": won}
        return self.known[key]

    def chance(self, plan: Plan, board: Board) -> float:
        """The winning chance of the side to move, as the judge sees it."""
        if board.is_over():
            return 0.5 if board.winner() is None else 0.0
        thought = self.think(plan.judge, board, plan.judge_nodes)
        if thought["won"] is not None:
            return float(thought["won"])
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, thought["score"] / plan.scale))))


def verdict(plan: Plan, position: Position) -> Verdict:
    """What the judge says of the players' moves in a position."""
    asking, board = _Asking(dict(position.known)), position.board
    if not _counts(plan, asking, board):
        return Verdict((), (), asking.asked)
    moves = tuple(str(asking.think(spec, board, plan.nodes)["move"]) for spec in plan.players)
    chances = []
    for move in moves:
        after = board.copy()
        after.push(move)
        chances.append(1 - asking.chance(plan, after))
    return Verdict(moves, tuple(chances), asking.asked)


def _counts(plan: Plan, asking: _Asking, board: Board) -> bool:
    """Whether a position is open and, if that is asked for, hard."""
    if plan.hard:
        quick = asking.think(plan.judge, board, max(1, plan.judge_nodes // HARD_SHARE))
        if quick["won"] is not None:
            return False
        if quick["move"] == asking.think(plan.judge, board, plan.judge_nodes)["move"]:
            return False
    return EVEN < asking.chance(plan, board) < 1 - EVEN


# ---------------------------------------------------------------------- all of them


def positions(files: Sequence[str], seed: int) -> Iterator[tuple[int, Board]]:
    """The positions in which there was something to choose, in random order, each once, with their opening's number."""
    found: dict[str, tuple[int, Board]] = {}
    openings: dict[tuple[object, ...], int] = {}
    for game in read_games(*files):
        number = openings.setdefault(opening_key(game.opening, game.number), len(openings))
        for position in game.positions():
            if position.move is not None and len(position.board) and len(position.board.legal_moves()) > 1:
                found.setdefault(cell_list(position.board), (number, position.board))
    order = list(found.values())
    random.Random(seed).shuffle(order)
    yield from order


def judged(
    plan: Plan, drawn: Iterable[tuple[int, Board]], pool: Workers, count: int, log: Log | None = None
) -> Iterator[tuple[int, Verdict]]:
    """The verdicts on the first positions that count, each with the number of its opening."""
    known: dict[str, Thoughts] = defaultdict(dict)
    for entry in log.entries if log else ():
        known[entry["of"]] |= entry["thoughts"]
    units = (Position(number, board, known[cell_list(board)]) for number, board in drawn)
    done = 0
    for position, found in run_units(partial(verdict, plan), units, pool, chunk=1, ordered=True):
        if log and found.asked:
            log.append({"of": cell_list(position.board), "thoughts": found.asked})
        if found.moves:
            yield position.opening, found
            done += 1
        if done == count:
            return


def report(plan: Plan, verdicts: Sequence[tuple[int, Verdict]]) -> str:
    """The table that is printed."""
    openings = np.array([number for number, _ in verdicts])
    chances = np.array([found.chances for _, found in verdicts], dtype=np.float32)
    lines = [f"| {len(verdicts)} positions | winning chance | plays something else |", "|---|---|---|"]
    lines.append(f"| {plan.players[0]} | {chances[:, 0].mean():.4f} | |")
    for column, spec in enumerate(plan.players[1:], 1):
        more = chances[:, column] - chances[:, 0]
        other = sum(found.moves[column] != found.moves[0] for _, found in verdicts)
        error = half_interval(more, openings)
        lines.append(f"| {spec} | {more.mean():+.4f} ± {'∞' if error is None else f'{error:.4f}'} | {other} |")
    return "\n".join(lines)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, found {text!r}")
    return value


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judged", description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", metavar="GAMES", help="logs of matches, or games in any notation")
    parser.add_argument("--players", nargs="+", default=["engine"], metavar="SPEC", help="the first is compared with")
    parser.add_argument("--nodes", type=_positive, default=200_000, help="for a move of a player")
    parser.add_argument("--judge", default="engine", metavar="SPEC")
    parser.add_argument("--judge-nodes", type=_positive, default=1_000_000)
    parser.add_argument("--scale", type=float, default=80, help="the judge's score at which the chance is 73 %%")
    parser.add_argument("--hard", action="store_true", help="only where the judge changes its mind")
    parser.add_argument("--positions", type=_positive, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-j", "--jobs", type=_positive, default=1)
    parser.add_argument("--log", metavar="FILE", type=Path, help="keep every answer, and go on from there")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    given = parsed(arguments)
    plan = Plan(tuple(given.players), given.nodes, given.judge, given.judge_nodes, given.scale, given.hard)
    found: list[tuple[int, Verdict]] = []
    try:
        with ExitStack() as stack:
            log = stack.enter_context(Log(given.log, {"answers": 1})) if given.log else None
            pool = stack.enter_context(workers(given.jobs))
            for one in judged(plan, positions(given.games, given.seed), pool, given.positions, log):
                found.append(one)
                if sys.stderr.isatty():
                    print(f"\r{len(found)} of {given.positions}", end="\r", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("broken off" + ("; the same command goes on" if given.log else ""), file=sys.stderr)
        return 130
    except GomokuError as error:
        print(error, file=sys.stderr)
        return 2
    if not found:
        print("no position of these games is open to the judge", file=sys.stderr)
        return 1
    if len(found) < given.positions:
        print(f"only {len(found)} positions of these games count; {given.positions} were asked for", file=sys.stderr)
    print(report(plan, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

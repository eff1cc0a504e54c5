"""Openings that are worth playing from: random, varied, and won for neither side as far as the engine can see.

    python -m benchmarks.make_openings --count 8 --seed 1             # new ones, a line each
    python -m benchmarks.make_openings --check benchmarks/openings.pos > checked.pos
    python -m benchmarks.make_openings --quick --count 50 --seed 71   # half of benchmarks/more_openings.pos

Random openings are mostly won for one side, whoever plays, and say nothing about the players. So an opening has to pass
four tests: of several random ones it is the most even at 2000 nodes; the engine, playing itself from it at 1000 to
16000 nodes a move, wins with either colour; it is even, within 110, at 250000 nodes; and at eight million, as many as
are seen in seconds, it is still even, within 300, and above all not decided. No other player has a say.
``--check`` puts the openings of a file to the last two tests and prints those that pass. ``--quick`` asks for the
first, at 5000 nodes, and the third: enough where every opening is played with either colour.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import islice

from arena.openings import even_openings, random_openings, read_openings
from gomoku_patterns import Board, Rule
from gomoku_patterns.cells import Colour
from search import Limit
from search.engine_player import EnginePlayer

PLIES = 7
CHOOSING = Limit(nodes=2000)
PLAYING = (1000, 2000, 4000, 8000, 16_000)
JUDGING = ((250_000, 110), (8_000_000, 300))
"""Nodes, and how uneven a score they may give."""
QUICK_NODES, QUICK_SHARE = 5000, 4
"""Nodes for each of several random openings, and how many of the most even are drawn for one that is asked for."""


def winner_of_a_game(opening: Board, nodes: int) -> Colour | None:
    """Who wins when the engine plays itself; a game is over when one side sees its end."""
    board, players = opening.copy(), {colour: EnginePlayer(solver=False, hash=4) for colour in Colour}
    while board.legal_moves():
        result = players[board.turn].search(board, Limit(nodes=nodes))
        if result.win:
            return Colour.BLACK if result.score > 0 else Colour.WHITE
        board.push(board.cell(result.move))
    return None


def can_be_won_by_either(opening: Board) -> bool:
    winners = set()
    for nodes in PLAYING:
        winners.add(winner_of_a_game(opening, nodes))
        if len(winners - {None}) == 2:
            return True
    return False


def is_even(opening: Board, judging: Iterable[tuple[int, int]] = JUDGING) -> bool:
    return all(abs(EnginePlayer(hash=256).search(opening, Limit(nodes=nodes)).score) <= most for nodes, most in judging)


def fresh(count: int, seed: int) -> Iterator[Board]:
    """New openings that pass all tests."""
    judge = EnginePlayer(solver=False, hash=4)
    while count:
        for opening in random_openings(1, Board(), seed=seed, plies=PLIES, judge=judge, limit=CHOOSING):
            if can_be_won_by_either(opening) and is_even(opening):
                yield opening
                count -= 1
        seed += 1


def quick(count: int, seed: int) -> Iterator[Board]:
    """New openings that pass the first test and the third."""
    drawn = even_openings(QUICK_SHARE * count, Board(), seed=seed, plies=PLIES, nodes=QUICK_NODES)
    yield from islice((opening for opening in drawn if is_even(opening, JUDGING[:1])), count)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.make_openings", description="Openings that are even.")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--check", metavar="FILE")
    either.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    found: Iterable[Board] = (quick if given.quick else fresh)(given.count, given.seed)
    if given.check:
        found = filter(is_even, read_openings(given.check, rows=15, rule=Rule.FREESTYLE))
    printed = 0
    for opening in found:
        print(*(opening.name(move.cell) for move in opening.moves), flush=True)
        printed += 1
    if printed < given.count and not given.check:
        print(f"only {printed} of {QUICK_SHARE * given.count} are even; another seed gives others", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

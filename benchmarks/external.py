"""How the engine fares against a program of somebody else: any command that speaks the Gomocup protocol.

    python -m benchmarks.external ./pbrain-x                       # 20 pairs of each setting, half a second a move
    python -m benchmarks.external ./pbrain-x --settings freestyle-15 renju --pairs 100 --seconds 0.5 --log games/
    python -m benchmarks.external './pbrain-x --option' --player engine:table=mine.toml --nodes 100000
    python -m benchmarks.external ./pbrain-x --openings mine.pos

Both play as processes of their own, one after the other, so that the system shares its processors out alike between
them; both are given the same time a move, one thread, and with ``--memory`` the same memory. The openings, those of
``openings.pos`` unless you say otherwise, are moved to the middle of the board, and each is played twice with colours
swapped. The interval counts pairs, since two games from one opening are not independent. A game that ended by anything
but five or a full board is a forfeit and shown as one: a late or illegal move, a crash, too much memory. What would
flatter the engine: a program that needs long to start within its first move, and memory measured more strictly than a
program counts its own. ``--log`` keeps the games of each setting in a file of that folder and goes on after a break.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from arena.entrants import PREFIX
from arena.log import Log
from arena.match import MatchPlan, play_match
from arena.openings import first_plies, read_openings
from arena.pools import workers
from arena.standings import Standings
from arena.statistics import elo
from arena.time_control import TimeControl
from benchmarks.strength import margin
from gomoku_patterns import Board, Cell, Colour, Rule
from gomoku_patterns.errors import GomokuError
from search import Limit

SETTINGS = {
    "freestyle-15": (Rule.FREESTYLE, 15),
    "freestyle-20": (Rule.FREESTYLE, 20),
    "standard-15": (Rule.STANDARD, 15),
    "renju-15": (Rule.RENJU, 15),
}
OPENINGS = Path(__file__).with_name("openings.pos")
OPENINGS_SIZE = 15
PLAYED_OUT = ("five", "full")


def openings(rule: Rule, size: int, file: Path = OPENINGS) -> Iterator[Board]:
    """The openings in the middle of a board of any size; under renju without those in which black broke the rule."""
    shift = (size - OPENINGS_SIZE) // 2

    def moved(cell: Cell) -> Cell:
        return Cell(cell.row + shift, cell.col + shift)

    for opening in read_openings(file, rows=OPENINGS_SIZE):
        start = first_plies(opening, 0)
        black, white = (map(moved, start.stones(colour)) for colour in Colour)
        board = Board(size, black=black, white=white, turn=start.turn, rule=rule)
        for cell, colour in opening.moves:
            if moved(cell) not in board.legal_moves():
                break
            board.push(moved(cell), colour)
        else:
            yield board


def of_our_own(spec: str) -> str:
    """A player of this project as a program of its own."""
    return str(PREFIX) + shlex.join([sys.executable, "-m", "gomoku", "brain", "--player", spec])


def forfeits(standings: Standings) -> dict[str, int]:
    """How many games each player lost otherwise than on the board, by reason."""
    found = Counter(
        f"{'ours' if record['result'] != ours(standings, number) else 'theirs'}: {record['reason']}"
        for number, record in standings.records.items()
        if record["reason"] not in PLAYED_OUT
    )
    return dict(found)


def ours(standings: Standings, number: int) -> str:
    """The colour of the first player in a game."""
    return "white" if standings.plan.meeting(number)[1] else "black"


def line(setting: str, standings: Standings) -> str:
    """A setting's line of the report."""
    tally = standings.tally(0, 1)
    told = ", ".join(f"{count} {reason}" for reason, count in sorted(forfeits(standings).items())) or "none"
    times = "; ".join(map(str, standings.times))
    return (
        f"| {setting} | {tally.games} | {tally.wins}-{tally.draws}-{tally.losses} |"
        f" {tally.score or 0:.1%} ± {margin(tally):.1%} | {elo(tally)} | {told} | {times} |"
    )


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.external", description="The engine against a program.")
    parser.add_argument("command", help="the program and its arguments, in one word")
    parser.add_argument("--player", default="engine", metavar="SPEC")
    parser.add_argument("--settings", nargs="+", choices=list(SETTINGS), default=list(SETTINGS), metavar="SETTING")
    parser.add_argument("--openings", type=Path, default=OPENINGS, metavar="FILE", help="of games on 15x15")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--nodes", type=int, default=None)
    parser.add_argument("--memory", type=int, default=None, metavar="MIB")
    parser.add_argument("--tolerance", type=float, default=1.0, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--log", metavar="FOLDER", type=Path)
    return parser.parse_args(arguments)


def plan_of(setting: str, given: argparse.Namespace) -> MatchPlan:
    """The match of a setting."""
    rule, size = SETTINGS[setting]
    seconds = 0.5 if given.seconds is None and given.nodes is None else given.seconds
    memory = given.memory and given.memory << 20
    limit = Limit(nodes=given.nodes, seconds=seconds)
    control = TimeControl(limit, tolerance=given.tolerance, memory=memory, threads=1)
    players = (of_our_own(given.player), PREFIX + given.command)
    return MatchPlan(players, tuple(openings(rule, size, given.openings)), given.pairs, True, control, given.seed)


def play(setting: str, given: argparse.Namespace, standings: Standings) -> None:
    """Play what the log of an earlier run does not hold yet."""
    with ExitStack() as stack:
        log = None
        if given.log:
            given.log.mkdir(parents=True, exist_ok=True)
            log = stack.enter_context(Log(given.log / f"{setting}.jsonl", standings.plan.header()))
        play_match(standings.plan, stack.enter_context(workers(given.jobs)), log=log, standings=standings)


def report(matches: list[tuple[str, Standings]], given: argparse.Namespace) -> int:
    """Play the match of each setting and print its line."""
    print("| setting | games | W-D-L | points | Elo | forfeits | a move, ours; theirs |\n|---|---|---|---|---|---|---|")
    for setting, standings in matches:
        try:
            play(setting, given, standings)
        except KeyboardInterrupt:
            if sum(standings.tally(0, 1).pairs):
                print(line(setting, standings))
            print("broken off" + ("; the same command goes on" if given.log else ""), file=sys.stderr)
            return 130
        print(line(setting, standings), flush=True)
    return 0


def main(arguments: list[str] | None = None) -> int:
    given = parsed(arguments)
    try:
        return report([(setting, Standings(plan_of(setting, given))) for setting in given.settings], given)
    except GomokuError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

"""How strong the players are: pairs of games from varied openings, wins, draws and losses with 95 % intervals.

    python -m benchmarks.strength            # the engine against each source system, a second a move
    python -m benchmarks.strength --pairs 5 --seconds 0.2 --log games.jsonl
    python -m benchmarks.strength --first minmax:depth=5 --against level two_ply mcts --nodes 20000 --pairs 20

The source systems play at their published settings, which are their players' defaults. Every opening is played twice
with colours swapped. The openings are those of ``openings.pos``, made by ``benchmarks.make_openings``: seven random
stones near one another from which the engine, playing itself, won with either colour, and which it calls even, looking
at eight million positions; random ones are mostly won for one side, whoever plays. A share of points is given with its
interval over pairs, since two games from one opening are not independent. What would flatter the first player: short
times that cut the opponent's search but not its own, and few games. ``--log`` keeps the games
and goes on with a run that was broken off.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from arena.log import Log
from arena.match import MatchPlan, play_match
from arena.openings import read_openings
from arena.pools import workers
from arena.standings import Standings
from arena.statistics import Tally, score_bounds
from arena.time_control import TimeControl
from gomoku_patterns import Board, Rule
from search import Limit

SYSTEMS = ("minmax", "level", "level_tree", "wins", "two_ply", "mcts")
AT_LEAST = 0.95
OPENINGS = Path(__file__).with_name("openings.pos")


def openings(count: int, rule: str) -> tuple[Board, ...]:
    found = read_openings(OPENINGS, rows=15, rule=Rule.parse(rule))
    return tuple(found[number * len(found) // count] for number in range(count)) if count < len(found) else tuple(found)


def margin(tally: Tally) -> float:
    """Half the 95 % interval of the share of points, from how the results on different openings scattered."""
    low, high = score_bounds(tally)
    return (high - low) / 2


def line(name: str, tally: Tally) -> str:
    """One opponent's line of the report."""
    share = (tally.wins + tally.draws / 2) / tally.games
    return (
        f"| {name} | {tally.games} | {tally.wins}-{tally.draws}-{tally.losses} |"
        f" {share:.1%} ± {margin(tally):.1%} | {'yes' if share >= AT_LEAST else 'no'} |"
    )


def lost_games(standings: Standings) -> list[str]:
    """The games the first player did not win, to be looked at."""
    found = []
    for number in sorted(standings.records):
        record, (_, white) = standings.records[number], standings.plan.meeting(number)
        if record["result"] != ("white" if white else "black"):
            moves = " ".join([*record["opening"]["moves"], *record["moves"]])
            found.append(f"{record['black']} - {record['white']}: {record['result']} ({record['reason']}): {moves}")
    return found


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description="Matches of one player.")
    parser.add_argument("--first", default="engine", metavar="SPEC")
    parser.add_argument("--against", nargs="+", default=list(SYSTEMS), metavar="SPEC")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--nodes", type=int, default=None)
    parser.add_argument("--rule", default="freestyle")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--log", metavar="FILE")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    given = parsed(arguments)
    seconds = 1.0 if given.seconds is None and given.nodes is None else given.seconds
    time_control = TimeControl(Limit(nodes=given.nodes, seconds=seconds), tolerance=5.0)
    players = (given.first, *given.against)
    plan = MatchPlan(players, openings(given.pairs, given.rule), given.pairs, True, time_control, given.seed)
    with ExitStack() as stack:
        log = stack.enter_context(Log(given.log, plan.header())) if given.log else None
        standings = play_match(plan, stack.enter_context(workers(given.jobs)), log=log)
    return told(standings)


def told(standings: Standings) -> int:
    """Print the report; 1 if the first player fell short."""
    players = standings.plan.players
    tallies = {name: standings.tally(0, number) for number, name in enumerate(players) if number}
    print(f"| {players[0]} against | games | W-D-L | points | {AT_LEAST:.0%} |\n|---|---|---|---|---|")
    for name, tally in tallies.items():
        print(line(name, tally))
    print(*lost_games(standings), sep="\n")
    return 0 if all(t.wins + t.draws / 2 >= AT_LEAST * t.games for t in tallies.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

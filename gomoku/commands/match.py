"""``gomoku match``: matches between players and engines."""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gomoku.commands.common import print_json
from gomoku.commands.options import cluster_option, json_option, limit_of, parse_size
from gomoku_patterns.errors import ArenaError

if TYPE_CHECKING:
    from arena.log import Log
    from arena.match import MatchPlan
    from arena.pools import Workers
    from arena.standings import Standings
    from arena.statistics import Sprt
    from arena.time_control import TimeControl
    from gomoku_patterns.board import Board

DEFAULT_PAIRS = 10
SPRT_PAIRS = 1_000
ADJUDICATION_NODES = 10_000
MOST_OPENINGS = 2_000
WORTH_SAYING = 100


@dataclass
class MatchChoices:
    """What was asked for on the command line, under the names of the options."""

    players: tuple[str, ...]
    gauntlet: bool
    seeds: int | None
    pairs: int | None
    games: int | None
    openings: str | None
    opening_plies: int | None
    random_openings: int | None
    balance: str
    rule: str
    size: str
    depth: int | None
    nodes: int | None
    seconds: float | None
    match_seconds: float | None
    increment: float
    tolerance: float
    memory: float | None
    threads: int | None
    suspend: bool
    keep: bool
    jobs: int
    cluster: str | None
    sprt: str | None
    sprt_model: str
    adjudicate: bool
    adjudicate_nodes: int
    resign: str | None
    draw: str | None
    max_moves: int | None
    psq: str | None
    sgf: str | None
    pgn: str | None
    transcripts: str | None
    log: str | None
    seed: int
    as_json: bool


@click.command("match")
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER ...")
@click.option("--gauntlet", is_flag=True, help="Only let the first player meet each of the others.")
@click.option(
    "--seeds",
    type=click.IntRange(1),
    metavar="N",
    help="With --gauntlet: the first N players meet each of the others.  [default: 1]",
)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    metavar="N",
    help="Pairs of games each pairing plays.  [default: 10; 1000 with --sprt]",
)
@click.option(
    "--games",
    type=click.IntRange(2),
    metavar="N",
    help="The number of games of each pairing instead of --pairs; it is even.",
)
@click.option("--openings", metavar="FILE", help="Take the openings from FILE, in any notation.")
@click.option(
    "--opening-plies", type=click.IntRange(0), metavar="N", help="Use only the first N moves of each opening in FILE."
)
@click.option(
    "--random-openings", type=click.IntRange(0, 20), metavar="N", help="Make random openings of N stones.  [default: 5]"
)
@click.option(
    "--balance",
    default="engine",
    show_default=True,
    metavar="PLAYER",
    help="The player that picks the most even random openings, at 1000 nodes each; 'none' takes all.",
)
@click.option("--rule", default="freestyle", show_default=True, metavar="R", help="The rule of the games.")
@click.option("--size", default="15", show_default=True, metavar="N|RxC", help="The size of the board.")
@click.option("--depth", type=click.IntRange(1), metavar="D", help="How many plies a player may look ahead.")
@click.option("--nodes", type=click.IntRange(1), metavar="N", help="How many nodes a move may take.")
@click.option("--seconds", type=float, metavar="S", help="How many seconds a move may take.")
@click.option("--match-seconds", type=float, metavar="S", help="How many seconds a player has for a whole game.")
@click.option(
    "--increment",
    type=click.FloatRange(0),
    default=0.0,
    metavar="S",
    help="How many seconds each move adds to --match-seconds.",
)
@click.option(
    "--tolerance",
    type=float,
    default=1.0,
    show_default=True,
    metavar="S",
    help="By how many seconds a move may be late.",
)
@click.option(
    "--memory", type=float, metavar="MIB", help="How much memory an external engine and its children may hold."
)
@click.option("--threads", type=click.IntRange(1), metavar="N", help="How many threads each player is told to use.")
@click.option("--suspend", is_flag=True, help="Stop an external engine while its opponent thinks.")
@click.option(
    "--keep", is_flag=True, help="Keep external engines running from game to game: quicker, less independent."
)
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Games at the same time.")
@cluster_option
@click.option("--sprt", metavar="E0,E1", help="Stop as soon as the first of two players is E1 or only E0 Elo stronger.")
@click.option(
    "--sprt-model",
    type=click.Choice(["normalized", "logistic"]),
    default="normalized",
    show_default=True,
    help="Whether the test's bounds are normalised or logistic Elo.",
)
@click.option("--adjudicate", is_flag=True, help="End a game as soon as the solver proves a win for the side to move.")
@click.option(
    "--adjudicate-nodes",
    type=click.IntRange(1),
    default=ADJUDICATION_NODES,
    show_default=True,
    metavar="N",
    help="How many nodes the solver may take before each move.",
)
@click.option(
    "--resign",
    metavar="MOVES,SCORE",
    help="End a game when both players' last MOVES scores are SCORE or more for the same side.",
)
@click.option(
    "--draw",
    metavar="MOVES,SCORE[,STONES]",
    help="Draw a game when, with STONES on the board, both players' last MOVES scores are within SCORE of 0.",
)
@click.option(
    "--max-moves", type=click.IntRange(1), metavar="N", help="Call a game a draw when N stones are on the board."
)
@click.option("--psq", metavar="FOLDER", help="Write every game as a Piskvork file.")
@click.option("--sgf", metavar="FILE", help="Write all games as one SGF collection.")
@click.option("--pgn", metavar="FILE", help="Write the results as PGN for rating programs (Ordo, BayesElo).")
@click.option(
    "--transcripts",
    metavar="FOLDER",
    help="Write all that external engines are sent and answer, a file a game and side.",
)
@click.option(
    "--log",
    metavar="FILE",
    help="Keep every game in FILE as it ends. If FILE exists, go on from it; without players, with the settings in it.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Another seed gives other openings and other games."
)
@json_option
def command(**options: Any) -> int:
    """Play matches between players, in pairs on the same opening with colours swapped.

    A PLAYER is one of the program's own, such as engine:table=grade_dict (gomoku move --list names them), or an
    external Gomocup engine, such as 'cmd:./pbrain-x', or a class of your own, my_module:Mine. Three or more play a
    round robin.

    Behind ' @ ' stand settings for this player alone: name, depth, nodes, seconds, match_seconds, increment, tolerance,
    memory, threads, and info.KEY=VALUE for an engine's own options. They take the place of the match's.

    With --sprt the exit status is 0 if the test accepts that the first player is E1 stronger, and else 1.

    \b
    gomoku match minmax:depth=3 minmax:depth=1 --pairs 20
    gomoku match engine 'cmd:./pbrain-x' --seconds 5 --memory 350 --log games.jsonl -j 2
    gomoku match engine:table=mine.toml engine --nodes 20000 --pairs 2000 --sprt 0,10
    gomoku match engine 'cmd:./pbrain-x @ name=X, seconds=10, threads=2, info.hash_size=64' --seconds 1
    gomoku match --log games.jsonl
    """
    choices = MatchChoices(**options)
    if choices.log and not choices.players:
        _refuse_settings(click.get_current_context())
    return _Run(choices).run()


def _refuse_settings(context: click.Context) -> None:
    """The log has the settings of its match: others beside it would be passed over in silence."""
    beside = {"jobs", "cluster", "sprt", "sprt_model", "psq", "sgf", "pgn", "transcripts", "log", "as_json"}
    for parameter in context.command.params:
        written = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if written and parameter.name not in beside:
            raise click.UsageError(f"without players the settings come from the log: leave out {parameter.opts[0]}")


class _Run:
    def __init__(self, choices: MatchChoices) -> None:
        self.choices = choices
        self.began = time.monotonic()
        self.played = 0
        self.sprt = self._sprt()

    def run(self) -> int:
        choices = self.choices
        self._check_outputs()
        plan = self._plan()
        with ExitStack() as stack:
            log = self._log(plan, stack)
            pool = self._workers(stack)
            standings, interrupted = self._play(plan, pool, log)
        self._write_games(standings)
        self._print(standings)
        if interrupted:
            how = f"go on with: gomoku match --log {choices.log}" if choices.log else "with --log FILE it could go on"
            click.echo(f"gomoku: interrupted after {standings.games} games; {how}", err=True)
            return 130
        return 1 if self.sprt is not None and standings.judge(self.sprt).accepted != "H1" else 0

    # ------------------------------------------------------------------ what is asked for

    def _sprt(self) -> Sprt | None:
        from arena.statistics import Sprt

        return Sprt.parse(self.choices.sprt, self.choices.sprt_model) if self.choices.sprt else None

    def _plan(self) -> MatchPlan:
        from arena.agreements import DrawAgreement, Resignation
        from arena.log import read_header
        from arena.match import MatchPlan, plan_of_header

        choices = self.choices
        if choices.log and not choices.players:
            plan = plan_of_header(read_header(choices.log))
            self._check(plan.players)
            return plan
        if len(choices.players) < 2:
            raise click.UsageError("a match needs two players or more; --log FILE alone goes on with a logged one")
        self._check(choices.players)
        pairs, time_control = self._pairs(), self._time_control()
        openings = self._openings(pairs)
        return MatchPlan(
            choices.players,
            tuple(openings),
            pairs,
            self._gauntlet(),
            time_control,
            choices.seed,
            choices.max_moves,
            choices.adjudicate_nodes if choices.adjudicate else None,
            Resignation.parse(choices.resign) if choices.resign else None,
            DrawAgreement.parse(choices.draw) if choices.draw else None,
        )

    def _gauntlet(self) -> int:
        choices = self.choices
        if choices.seeds is not None and not choices.gauntlet:
            raise click.UsageError("--seeds is for --gauntlet")
        return (choices.seeds or 1) if choices.gauntlet else False

    def _pairs(self) -> int:
        choices = self.choices
        if choices.pairs is not None and choices.games is not None:
            raise click.UsageError("give either --pairs or --games")
        if choices.games is not None and choices.games % 2:
            raise click.UsageError(
                f"--games {choices.games}: the number has to be even, since every opening is played twice"
            )
        return choices.pairs or (choices.games or 0) // 2 or (SPRT_PAIRS if choices.sprt else DEFAULT_PAIRS)

    def _time_control(self) -> TimeControl:
        from arena.time_control import TimeControl

        choices = self.choices
        if choices.memory is not None and not 0 < choices.memory < 1e9:
            raise click.UsageError(f"--memory has to be above 0, not {choices.memory:g}")
        memory = None if choices.memory is None else int(choices.memory * 2**20)
        limit = limit_of(depth=choices.depth, nodes=choices.nodes, seconds=choices.seconds)
        return TimeControl(
            limit,
            choices.match_seconds,
            choices.tolerance,
            memory,
            suspend=choices.suspend,
            keep=choices.keep,
            increment=choices.increment,
            threads=choices.threads,
        )

    def _openings(self, pairs: int) -> list[Board]:
        from arena.openings import PLIES, even_openings, random_openings, read_openings
        from gomoku_patterns.board import Board
        from gomoku_patterns.rules import Rule

        choices = self.choices
        rows, cols = parse_size(choices.size)
        if choices.openings:
            rule = Rule.parse(choices.rule)
            found = read_openings(choices.openings, rows=rows, cols=cols, rule=rule, plies=choices.opening_plies)
            return self._repeated(found, pairs)
        empty = Board(rows, cols, rule=choices.rule)
        plies = PLIES if choices.random_openings is None else choices.random_openings
        if not plies:
            return self._repeated([empty], pairs)
        count = min(pairs, MOST_OPENINGS)
        if sys.stderr.isatty() and pairs >= WORTH_SAYING:
            click.echo(f"making {count} openings ...", err=True)
        if choices.balance == "none":
            return self._repeated(random_openings(count, empty, seed=choices.seed, plies=plies), pairs)
        found = even_openings(count, empty, seed=choices.seed, plies=plies, judge=choices.balance)
        return self._repeated(found, pairs)

    def _repeated(self, openings: list[Board], pairs: int) -> list[Board]:
        """Pairs on the same opening are hardly new evidence; say so."""
        from arena.openings import different

        if (found := different(openings, pairs)) < pairs:
            few = "is 1 opening" if found == 1 else f"are {found} different openings"
            click.echo(
                f"gomoku: there {few} for {pairs} pairs: an opening that comes again, turned or mirrored, "
                "is not a new one, and intervals rest on the number of openings"
                + ("; from 1 opening no interval can be told" if found == 1 else ""),
                err=True,
            )
        return openings

    def _check(self, players: tuple[str, ...]) -> None:
        from arena.seats import check_player
        from arena.sources import table_files

        files = table_files(players)
        for spec in players:
            check_player(spec, files)
        if self.sprt is not None and len(players) != 2:
            raise ArenaError(f"a sequential test is between two players, not {len(players)}")

    def _log(self, plan: MatchPlan, stack: ExitStack) -> Log | None:
        from arena.log import Log

        path = self.choices.log
        return stack.enter_context(Log(path, plan.header())) if path else None

    def _workers(self, stack: ExitStack) -> Workers:
        from arena.pools import workers

        self._warn_of_crowding()
        return stack.enter_context(workers(self.choices.jobs, cluster=self.choices.cluster))

    def _warn_of_crowding(self) -> None:
        """Games that share a processor have less time than they were promised."""
        choices, processors = self.choices, os.cpu_count() or 1
        if choices.jobs > processors and (choices.seconds or choices.match_seconds) and not choices.cluster:
            click.echo(
                f"gomoku: {choices.jobs} games at a time on {processors} processors: "
                "players with a time limit get less time than it says",
                err=True,
            )

    # ------------------------------------------------------------------ the games

    def _play(self, plan: MatchPlan, pool: Workers, log: Log | None) -> tuple[Standings, bool]:
        """The standings, and whether the user stopped the match; what was played until then counts."""
        from arena.match import play_match
        from arena.standings import Standings

        standings = Standings(plan)
        with ExitStack() as stack:
            show = self._live(stack) if sys.stderr.isatty() else self._lines()

            def on_game(current: Standings, record: dict[str, Any]) -> None:
                self.played += 1
                show(current)

            try:
                play_match(
                    plan,
                    pool,
                    log=log,
                    sprt=self.sprt,
                    on_game=on_game,
                    standings=standings,
                    transcripts=self._transcripts(),
                )
            except KeyboardInterrupt:
                return standings, True
        return standings, False

    def _live(self, stack: ExitStack) -> Any:
        """A table on the terminal that follows the match, drawn anew a few times a second at most."""
        from rich.console import Console, Group
        from rich.live import Live
        from rich.text import Text

        from arena.scoreboard import match_view

        live = stack.enter_context(Live(console=Console(stderr=True), auto_refresh=False, transient=True))
        drawn = [0.0]

        def show(standings: Standings) -> None:
            if time.monotonic() - drawn[0] >= 0.25:
                drawn[0] = time.monotonic()
                live.update(Group(match_view(standings, self.sprt), Text(self._estimate(standings))), refresh=True)

        return show

    def _lines(self) -> Any:
        """Where nobody watches a terminal, a line now and then says how far the match is."""
        from gomoku.commands.status import Pulse

        pulse = Pulse("match")

        def show(standings: Standings) -> None:
            if pulse.is_due():
                tally = standings.tally(0, 1)
                found = f", {tally.wins}-{tally.draws}-{tally.losses}" if len(standings.plan.players) == 2 else ""
                pulse.say(f"{standings.games} of {standings.plan.games} games{found}, {self._estimate(standings)}")

        return show

    def _estimate(self, standings: Standings) -> str:
        from gomoku_patterns.quantities import clock

        taken = time.monotonic() - self.began
        left = (standings.plan.games - len(standings.records)) * taken / max(1, self.played)
        most = "at most " if self.sprt else ""
        return f"{clock(taken)} so far, {most}{clock(left)} to go"

    # ------------------------------------------------------------------ the result

    def _check_outputs(self) -> None:
        """What cannot be written is told before hours of games, and not after them."""
        from gomoku_patterns.files import check_writable

        choices = self.choices
        folders = [f"{folder}/game-000001" for folder in (choices.psq, choices.transcripts) if folder]
        for path in (choices.sgf, choices.pgn, *folders):
            if path:
                check_writable(path, folders=True)

    def _transcripts(self) -> str | None:
        """A full path: workers need not be started in the same folder."""
        return str(Path(self.choices.transcripts).resolve()) if self.choices.transcripts else None

    def _write_games(self, standings: Standings) -> None:
        from arena.records import write_pgn, write_psq, write_sgf

        records = [standings.records[number] for number in sorted(standings.records)]
        if self.choices.psq and (unsaid := write_psq(self.choices.psq, records)):
            click.echo(f"gomoku: {unsaid} games have no Piskvork file: their openings are not moves in turn", err=True)
        if self.choices.sgf:
            write_sgf(self.choices.sgf, records)
        if self.choices.pgn:
            write_pgn(self.choices.pgn, records)

    def _print(self, standings: Standings) -> None:
        from arena.scoreboard import match_json, match_view, show

        if self.choices.as_json:
            print_json(match_json(standings, self.sprt))
            return
        show(match_view(standings, self.sprt))

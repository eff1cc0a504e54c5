"""``gomoku tune``: fit a table's scores to the outcomes of games, or by matches."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json
from gomoku.commands.options import cluster_option, game_options, json_option
from gomoku.commands.status import clear_status, show_status
from gomoku_patterns.files import check_writable, write_file

if TYPE_CHECKING:
    from arena.pools import Workers
    from arena.statistics import Tally
    from arena.tune import Games
    from gomoku_patterns.table import Table

Json = dict[str, Any]


@dataclass
class TuneChoices:
    """What was asked for on the command line, under the names of the options."""

    table: str
    data: tuple[str, ...]
    method: str | None
    out: str | None
    strength: float
    rounds: int
    round_pairs: int
    step: float
    pairs: int
    search: str
    nodes: int
    size: int
    rule: str
    seed: int
    jobs: int
    cluster: str | None
    as_json: bool


@click.command("tune")
@click.argument("table", metavar="TABLE")
@click.option(
    "--on", "data", multiple=True, metavar="LOG", help="A log of gomoku match to learn from; may be repeated."
)
@click.option(
    "--method",
    type=click.Choice(["outcomes", "spsa"]),
    help="Fit to the outcomes of logged games, or by matches.  [default: outcomes with --on, else spsa]",
)
@click.option("--out", metavar="FILE.toml", help="Where to write the new table.  [default: TABLE-tuned.toml here]")
@click.option(
    "--strength",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="How strongly scores are held at their old values (outcomes).",
)
@click.option("--rounds", type=click.IntRange(1), default=50, show_default=True, help="Rounds of matches (spsa).")
@click.option(
    "--round-pairs", type=click.IntRange(1), default=4, show_default=True, help="Pairs of games a round (spsa)."
)
@click.option(
    "--step",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.1,
    show_default=True,
    help="How much scores change in the first round, as a share of themselves (spsa).",
)
@click.option(
    "--pairs",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    help="Pairs of games of the new table against the old one at the end.",
)
@click.option(
    "--search", default="engine:solver=no", show_default=True, metavar="PLAYER", help="The search that plays."
)
@game_options
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed gives other games.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Games at the same time.")
@cluster_option
@json_option
def command(**options: Any) -> int:
    """Tune the scores of TABLE, write a new table, and show by a match whether it is better.

    The exit status is 1 when the match does not show that the new table is significantly better.

    \b
    gomoku match engine:solver=no minmax:depth=2 --nodes 1000 --pairs 200 --log games.jsonl
    gomoku tune grade_dict --on games.jsonl --out mine.toml --pairs 100
    gomoku tune level --method spsa --rounds 100 --out mine.toml
    """
    return _Run(TuneChoices(**options)).run()


class _Run:
    def __init__(self, choices: TuneChoices) -> None:
        from gomoku_patterns.table import load_table

        self.choices = choices
        self.origin = load_table(choices.table)
        self.method = choices.method or ("outcomes" if choices.data else "spsa")
        self.facts: Json = {}
        self.interrupted = False

    def run(self) -> int:
        from arena.pools import workers
        from arena.tune import changes, with_provenance

        choices = self.choices
        if self.method == "outcomes" and not choices.data:
            raise click.UsageError("fitting to outcomes needs games: give --on LOG")
        path = Path(choices.out or f"{self.origin.name}-tuned.toml")
        _check_name(path, self.origin)
        check_writable(path, folders=True)
        with ExitStack() as stack:
            pool = stack.enter_context(workers(choices.jobs, cluster=choices.cluster))
            table, how = self._fitted() if self.method == "outcomes" else self._played(pool)
            tuned = with_provenance(table, self.origin, path.stem, how)
            write_file(path, tuned.to_toml(), folders=True)
            tally = None if self.interrupted or not choices.pairs else self._judged(tuned, pool)
        self._print(path, changes(self.origin, tuned), how, tally)
        return self._status(tally)

    def _status(self, tally: Tally | None) -> int:
        from arena.statistics import elo

        if self.interrupted:
            return 130
        return 1 if tally is not None and not elo(tally).low > 0 else 0

    def _fitted(self) -> tuple[Table, str]:
        from arena.tune import fit, how_fitted, read_data

        choices = self.choices
        data = read_data(choices.data)
        found = fit(self.origin, data, strength=choices.strength, seed=choices.seed)
        self.facts = {
            "games": found.games,
            "positions": found.positions,
            "held_out": found.held_out,
            "loss_before": round(found.before, 5),
            "loss_after": round(found.after, 5),
        }
        return found.table, how_fitted(found, data, strength=choices.strength, seed=choices.seed)

    def _played(self, pool: Workers) -> tuple[Table, str]:
        from arena.tune import how_played, spsa

        choices = self.choices
        best, games, finished = self.origin, 0, 0
        began = time.monotonic()

        def on_round(number: int, table: Table, tally: Tally) -> None:
            nonlocal best, games, finished
            best, games, finished = table, games + tally.games, number
            show_status(f"round {number} of {choices.rounds}, {games} games, {left(began, number, choices.rounds)}")

        try:
            spsa(self.origin, self._games(), pool, rounds=choices.rounds, pairs=choices.round_pairs,
                 step=choices.step, on_round=on_round)  # fmt: skip
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            clear_status()
        self.facts = {"games": games, "rounds": finished}
        return best, how_played(self._games(), rounds=finished, played=games, step=choices.step)

    def _games(self) -> Games:
        from arena.tune import Games

        choices = self.choices
        return Games(choices.search, choices.nodes, choices.size, choices.rule, choices.seed)

    def _judged(self, tuned: Table, pool: Workers) -> Tally:
        """The new table against the old one; what was played counts when the user stops it."""
        from dataclasses import replace

        from arena.statistics import Tally
        from arena.tune import duel

        games = replace(self._games(), seed=self.choices.seed + 1)
        last, began = Tally(), time.monotonic()

        def on_game(standings: Any, _record: Json) -> None:
            nonlocal last
            last = standings.tally(0, 1)
            most = 2 * self.choices.pairs
            show_status(f"{last.games} of {most} games, {left(began, last.games, most)}")

        try:
            return duel(tuned, self.origin, games, pool, pairs=self.choices.pairs, on_game=on_game)
        except KeyboardInterrupt:
            self.interrupted = True
            return last
        finally:
            clear_status()

    # ------------------------------------------------------------------ the result

    def _print(self, path: Path, changed: list[Json], how: str, tally: Tally | None) -> None:
        from arena.scoreboard import duel_json

        match = None if tally is None else duel_json(tally)
        if self.choices.as_json:
            facts = {"table": str(path), "from": self.origin.name, "method": self.method, **self.facts}
            print_json({**facts, "changes": changed, "match": match})
            return
        from rich.console import Console

        console = Console()
        console.print(_change_table(changed, SIDES.get(self.origin.scan, SIDES["line"])))
        console.print(f"\n{path}: tuned from {self.origin.name} by {how}", highlight=False)
        for line in self._verdict(tally):
            console.print(line, highlight=False)

    def _verdict(self, tally: Tally | None) -> list[str]:
        from arena.statistics import elo

        lines = []
        if "loss_before" in self.facts:
            before, after = self.facts["loss_before"], self.facts["loss_after"]
            lines.append(f"log loss on {self.facts['held_out']} games held out: {before:.4f} before, {after:.4f} after")
        if tally is None:
            return lines
        estimate = elo(tally)
        better = "significantly better" if estimate.low > 0 else "significantly worse" if estimate.high < 0 else ""
        lines.append(f"against {self.origin.name}: {estimate}" + (f", {better}" if better else ""))
        return lines


def _check_name(path: Path, origin: Table) -> None:
    """An error now, rather than after the tuning, when the file's name makes no name for a table."""
    from dataclasses import replace

    from gomoku_patterns.errors import TableError

    try:
        replace(origin, name=path.stem)
    except TableError:
        letters = "letters, digits, '_', '-' and '.', a letter or digit first"
        raise TableError(f"the table is named after its file, so {str(path)!r} may only have {letters}") from None


def left(began: float, done: int, most: int) -> str:
    """How long it will still take, as far as one can say."""
    from gomoku_patterns.quantities import clock

    taken = time.monotonic() - began
    return f"{clock(taken * (most - done) / max(1, done))} to go"


SIDES = {"line": ("", " (to move)"), "point": ("", " (as opposing)")}
"""What the second score of a shape is, by the kind of table."""


def _change_table(changed: list[Json], sides: tuple[str, str]) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("shape", "texts", "before", "after", "change"):
        table.add_column(column, justify="left" if column in ("shape", "texts") else "right", overflow="fold")
    for row in changed:
        side = sides[row["side"]]
        share = row["after"] / row["before"] - 1
        texts = " ".join(row["texts"][:4]) + (" ..." if len(row["texts"]) > 4 else "")
        table.add_row(row["shape"] + side, texts, f"{row['before']}", f"{row['after']}", f"{share:+.0%}")
    return table

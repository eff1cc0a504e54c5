"""``gomoku tables``: list, show and check pattern tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import Json, print_json
from gomoku.commands.options import json_option
from gomoku_patterns.errors import unknown

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.evaluator import EvaluatorBase
    from gomoku_patterns.table import Combination, Fact, Pattern, Table


class _Tables(click.Group):
    """A table's name in the place of a command is a frequent slip, and so is a slip in the command's name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-") and not ctx.resilient_parsing:
            from gomoku_patterns.table import built_in_names

            name = args[0]
            if name.endswith(".toml") or name in built_in_names():
                ctx.fail(f"unknown command {name!r}; the table of that name is shown by 'gomoku tables show {name}'")
            ctx.fail(unknown("command", name, self.commands))
        return super().resolve_command(ctx, args)


@click.group("tables", cls=_Tables, invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, *, as_json: bool) -> int | None:
    """List the built-in pattern tables; show or check one.

    A table of your own is a TOML file; 'gomoku tables show grade_dict --toml' prints one to start from.

    \b
    gomoku tables show level
    gomoku tables show grade_dict --toml > mine.toml
    gomoku tables check mine.toml
    """
    if context.invoked_subcommand is not None:
        return None
    from gomoku import answers

    listed = answers.tables()
    if as_json:
        print_json(listed)
    else:
        width = max(len(table["name"]) for table in listed["tables"])
        click.echo("\n".join(f"{one['name']:{width}}  {one['scan']:5}  {one['title']}" for one in listed["tables"]))
    return 0


# ---------------------------------------------------------------------- show


@command.command("show", short_help="Show a table with its shapes drawn.")
@click.argument("table", metavar="TABLE")
@click.option("--toml", is_flag=True, help="Print the table as a TOML file to start your own from.")
@json_option
def show(*, table: str, toml: bool, as_json: bool) -> int:
    """Show TABLE, a built-in name or a TOML file, with its shapes drawn."""
    from gomoku import answers
    from gomoku_patterns.table import load_table

    found = load_table(table)
    if as_json:
        print_json(answers.table(found))
    else:
        click.echo(found.to_toml().rstrip() if toml else "\n".join(_drawn_table(found)))
    return 0


_DRAWN = str.maketrans({"o": "●", "O": "◉", "x": "○", ".": "·", "|": "║", "~": "∗"})
_LEGEND = {
    "o": "own", "O": "the stone being played", "x": "opposing", ".": "empty", "|": "edge", "~": "anything but own",
}  # fmt: skip


def _drawn_table(table: Table) -> Iterator[str]:
    from gomoku.answers.lists import TABLE_OPTIONS

    yield f"{table.name}: {table.title}" if table.title else table.name
    if table.source:
        yield table.source
    if table.notes:
        yield from ("", *table.notes.strip().splitlines())
    yield ""
    options = ", ".join(f"{key} {_spoken(getattr(table, key))}" for key in TABLE_OPTIONS[table.scan])
    yield f"{table.scan} table: {options}"
    used = {symbol for pattern in table.patterns for symbol in pattern.text}
    yield "  ".join(f"{symbol.translate(_DRAWN)} {name}" for symbol, name in _LEGEND.items() if symbol in used)
    for _, alike in groupby(table.patterns, key=lambda pattern: (pattern.shape, pattern.score, pattern.decisive)):
        yield from _drawn_patterns(table, list(alike))
    if table.combinations:
        yield "\ntogether, the first that applies"
    yield from (_drawn_combination(table, combination) for combination in table.combinations)
    if table.facts:
        yield "\nfacts, each once for a side that has such a cell"
    yield from (_drawn_fact(table, fact) for fact in table.facts)


def _spoken(value: object) -> str:
    return {"True": "yes", "False": "no", "None": "-"}.get(str(value), str(value))


def _worth(table: Table, score: tuple[int, int]) -> str:
    if table.weights is not None:
        return "learned"
    if score[0] == score[1]:
        return f"{score[0]:,}"
    words = ("own", "opposing") if table.scan == "point" else ("just moved", "to move")
    return ", ".join(f"{worth:,} {word}" for worth, word in zip(score, words, strict=True))


def _drawn_patterns(table: Table, patterns: list[Pattern]) -> Iterator[str]:
    first = patterns[0]
    name = table.shape_name(first.shape)
    called = name.en if name.en == name.zh else f"{name.en} {name.zh}"
    yield f"\n{called}: {_worth(table, first.score)}{', at once' if first.decisive else ''}"
    for pattern in patterns:
        yield f"    {' '.join(pattern.text.translate(_DRAWN))}    {pattern.text}"


def _drawn_combination(table: Table, combination: Combination) -> str:
    needs = " + ".join(f"{count} {table.shape_name(shape).en}" for shape, count in combination.needs)
    return f"    {needs}: {_worth(table, combination.score)}"


def _drawn_fact(table: Table, fact: Fact) -> str:
    ways = [" + ".join(f"{count} {table.shape_name(shape).en}" for shape, count in needs) for needs in fact.needs]
    return f"    {fact.name.replace('_', ' ')}: {_worth(table, fact.score)}  ({', or '.join(ways)})"


# ---------------------------------------------------------------------- check


@command.command("check", short_help="Validate a table and measure it.")
@click.argument("table", metavar="FILE|MODULE:CLASS")
@json_option
def check(*, table: str, as_json: bool) -> int:
    """Validate the table in FILE and measure it: states, compile time, scores per second.

    A class of your own, MODULE:CLASS, is asked for its score on the same boards, one by one and in a batch.

    \b
    gomoku tables check mine.toml
    gomoku tables check my_module:Mine
    """
    from gomoku_patterns.import_path import named_evaluator

    measured = _measure(named_evaluator(table))
    if as_json:
        print_json(measured)
    else:
        click.echo("\n".join(_measured_lines(measured)))
    return 0


def _measure(evaluator: EvaluatorBase) -> Json:
    import numpy as np

    from gomoku_patterns.errors import GomokuError

    boards, table = _sample_boards(), evaluator.table
    about = _about(table) if table else {"table": evaluator.name, "scan": "python", "patterns": None}
    stack, turns = np.stack([board.to_array() for board in boards]), np.array([board.turn for board in boards])
    if evaluator.scores(stack, turns).tolist() != [evaluator.score(board) for board in boards]:
        raise GomokuError(f"{evaluator.name!r} scores differently in a batch and one by one")
    single = _rate(lambda: [evaluator.score(board) for board in boards], len(boards))
    batch = _rate(lambda: evaluator.scores(stack, turns), len(boards))
    decided = table.decided if table else getattr(getattr(evaluator, "subject", evaluator), "decided", None)
    return {
        **about,
        "scores_per_second": single,
        "batch_scores_per_second": batch,
        "symmetric": evaluator.symmetric,
        "decided": decided,
    }


def _about(table: Table) -> Json:
    from gomoku_patterns.automaton import table_automaton

    return {
        "table": table.name,
        "scan": table.scan,
        "patterns": len(table.patterns),
        "texts": sum(map(len, table.texts)),
        "states": 0 if table.scan == "code" else len(table_automaton(table)),
        "compile_seconds": _compile_seconds(table),
    }


def _compile_seconds(table: Table) -> float:
    from gomoku_patterns.compile import compile_afresh
    from gomoku_patterns.native import core_of

    make: Callable[[Table], object] = core_of if table.scan == "code" else compile_afresh
    took = []
    for _ in range(3):
        start = time.perf_counter()
        make(table)
        took.append(time.perf_counter() - start)
    return min(took)


def _rate(run: Callable[[], Any], count: int) -> int:
    """How many per second: the best of a few rounds, a twentieth of a second in all."""
    run()
    best, end = float("inf"), time.perf_counter() + 0.05
    while True:
        start = time.perf_counter()
        run()
        now = time.perf_counter()
        best = min(best, now - start)
        if now >= end:
            return round(count / best)


def _sample_boards(count: int = 64) -> list[Board]:
    """Middle-game boards, always the same: some twenty stones each, scattered over the middle."""
    from gomoku_patterns.board import Board

    boards = []
    for number in range(count):
        board = Board()
        for step in range(24):
            place = (number * 37 + step * 53 + step * step * 7) % 81
            cell = (3 + place // 9, 3 + place % 9)
            if board.is_empty(cell):
                board.push(cell)
        boards.append(board)
    return boards


def _measured_lines(measured: Json) -> Iterator[str]:
    own = measured["patterns"] is None
    yield f"{measured['table']}: {'an evaluator of your own' if own else 'a valid ' + measured['scan'] + ' table'}"
    if not own:
        written = f"{measured['texts']:,} texts with mirror images and '~' written out"
        yield f"  patterns         {measured['patterns']:>12,}  ({written})"
        yield f"  automaton states {measured['states']:>12,}"
        yield f"  compiled in      {measured['compile_seconds'] * 1000:>12.1f}  ms"
    yield f"  scores           {measured['scores_per_second']:>12,}  boards a second, one by one"
    yield f"                   {measured['batch_scores_per_second']:>12,}  boards a second, in a batch"
    if own:
        yield "  gomoku_patterns.testing holds it to the laws of an evaluator: check_evaluator"
    elif not measured["symmetric"]:
        yield "  a mirrored board may score differently: set mirror = true, or write the mirror images too"

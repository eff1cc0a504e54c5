"""``gomoku solve``: prove a win, or show which wins do not exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.asking import require_one_input
from gomoku.commands.batch import run_batch
from gomoku.commands.common import Json, print_json, read_identified
from gomoku.commands.options import (
    batch_option,
    cluster_option,
    file_argument,
    json_option,
    limit_of,
    max_bytes_option,
    rule_option,
    ruled,
)
from gomoku.commands.status import clear_status, is_watched, show_status
from gomoku_patterns.files import write_file

if TYPE_CHECKING:
    from gomoku.answers.types import SolveAnswer
    from gomoku_patterns.board import Board
    from gomoku_patterns.rules import Rule
    from search.proof import Proof
    from search.result import Limit
    from search.solver import Solution
    from search.verifier import Verdict


@dataclass(frozen=True)
class Request:
    """What the user asks of the solver; goes to worker processes."""

    rule: Rule | None
    seconds: float | None
    nodes: int | None
    mode: str
    shortest: bool
    memory: int | None
    verified: bool
    thorough: bool
    with_proof: bool

    @property
    def limit(self) -> Limit | None:
        return limit_of(nodes=self.nodes, seconds=self.seconds)


@click.command("solve")
@file_argument
@rule_option
@click.option("--seconds", type=float, metavar="S", help="Stop after this time; 10 unless --nodes is given.")
@click.option("--nodes", type=int, metavar="N", help="Stop after this many nodes; the result is then reproducible.")
@click.option(
    "--memory",
    type=click.IntRange(1, 1 << 20),
    metavar="MB",
    help="Stop when the tables have grown to this size; by default 512, or 64 for each second if that is more, "
    "up to half of the machine's memory.",
)
@click.option(
    "--mode",
    type=click.Choice(["vcf", "vct", "full", "any", "book"]),
    default="full",
    show_default=True,
    help="Fours only, fours and threes, every attacking move, or quiet moves too; book: what the shipped book of "
    "proven openings holds.",
)
@click.option("--shortest", is_flag=True, help="Look for the shortest win.")
@click.option(
    "--proof",
    "proof_file",
    metavar="OUT",
    help="Write the proof to this file ('-': to standard output, and nothing else).",
)
@click.option("--with-proof", is_flag=True, help="Put the proof into the JSON result.")
@click.option(
    "--verify/--no-verify",
    "verified",
    default=None,
    help="Verify the proof against every reply; the default for --batch and --proof.",
)
@click.option("--tree", "show_tree", is_flag=True, help="Print the whole tree of the proof.")
@click.option(
    "--svg",
    "svg_file",
    metavar="OUT",
    help="Draw the winning line to this file ('-': to standard output, and nothing else).",
)
@click.option(
    "--reply", "replies", multiple=True, metavar="CELL", help="What if the defender plays here? May be repeated."
)
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes for --batch.")
@cluster_option
@json_option
@batch_option
@max_bytes_option
def command(
    *,
    file: str | None,
    batch: str | None,
    jobs: int,
    cluster: str | None,
    as_json: bool,
    proof_file: str | None,
    show_tree: bool,
    svg_file: str | None,
    replies: tuple[str, ...],
    verified: bool | None,
    with_proof: bool,
    **asked: Any,
) -> int:
    """Prove that the side to move in FILE ('-': standard input) wins, or show which wins do not exist.

    Exit status 0 if a win is proven, 1 if not. A batch answers every line and adds "proof_accepted": whether
    'gomoku verify --quick' accepts the proof.

    \b
    gomoku solve level16.txt --proof proof.json
    gomoku solve level16.txt --tree --reply a1
    gomoku solve --batch positions.jsonl --nodes 100000 --jobs 2 > results.jsonl
    """
    require_one_input(file, batch)
    if verified is None:
        verified = batch is not None or proof_file is not None
    if "-" in (proof_file, svg_file) and (as_json or proof_file == svg_file):
        raise click.UsageError("only one of --json, --proof and --svg can go to standard output")
    request = Request(**asked, verified=verified, thorough=batch is None, with_proof=with_proof)
    if batch is not None:
        _refuse_with_batch(proof_file, svg_file, show_tree, replies)
        return _solve_batch(batch, request, jobs, cluster)
    board, identity = read_identified(str(file))
    _check_files(proof_file, svg_file)
    found = _solve(board, request, watched=is_watched())
    _write_files(found, proof_file, svg_file)
    if "-" in (proof_file, svg_file):
        if found.solution.proof is None:
            click.echo(f"gomoku: {board.turn} to move: {found.solution}", err=True)
        return 0 if found.is_won else 1
    if as_json:
        print_json({"id": identity, **_answer(found, request), **_replies_answer(found, replies)})
    else:
        click.echo("\n".join(_report(found, show_tree, replies)))
    return 0 if found.is_won else 1


def _refuse_with_batch(*options: object) -> None:
    if any(options):
        raise click.UsageError("--proof, --svg, --tree and --reply need one position: use FILE, not --batch")


# ---------------------------------------------------------------------- solving


@dataclass(frozen=True)
class Solved:
    """A position, what the solver says of it, and whether its proof holds."""

    board: Board
    solution: Solution
    verdict: Verdict | None

    @property
    def is_won(self) -> bool:
        return str(self.solution.status) == "proven" and (self.verdict is None or self.verdict.accepted)


def _solve(board: Board, request: Request, *, watched: bool = False) -> Solved:
    from search.solver import solve

    board = ruled(board, request.rule)
    solution = solve(
        board,
        request.limit,
        mode=request.mode,
        shortest=request.shortest,
        memory=None if request.memory is None else request.memory << 20,
        progress=_show_progress if watched else None,
    )
    if watched:
        clear_status()
    return Solved(board, solution, _verdict(board, solution, request.thorough) if request.verified else None)


LARGE = 2000
"""A proof of more attacks goes to the verifier in C."""


def _verdict(board: Board, solution: Solution, thorough: bool) -> Verdict | None:
    from search.verifier import verify

    if solution.proof is None:
        return None
    return verify(solution.proof, board, thorough=thorough, native=solution.proof.attacks > LARGE)


def _show_progress(told: Mapping[str, object]) -> None:
    show_status(f"{told['elapsed']:.1f} s   {told['nodes']:,} nodes")


def _solve_batch(batch: str, request: Request, jobs: int, cluster: str | None) -> int:
    counter = _Counter() if is_watched() else None
    clean = run_batch(batch, partial(_batch_answer, _shared(request, jobs)), jobs=jobs, cluster=cluster, watch=counter)
    if counter:
        click.echo(err=True)
    return 0 if clean else 2


def _shared(request: Request, jobs: int) -> Request:
    """The request for one of several processes, which share the memory that one would have by default."""
    from search.solver import DEFAULT_LIMIT, MEMORY, memory_for

    if request.memory is not None or jobs == 1:
        return request
    return replace(request, memory=max(MEMORY, memory_for(request.limit or DEFAULT_LIMIT) // jobs) >> 20)


def _batch_answer(request: Request, board: Board) -> SolveAnswer:
    return _answer(_solve(board, request), request)


class _Counter:
    """Counts results on standard error while a batch runs."""

    def __init__(self) -> None:
        self.lines = self.proven = self.bad = 0

    def __call__(self, result: Json) -> None:
        self.lines += 1
        self.proven += result.get("status") == "proven"
        self.bad += "error" in result
        show_status(f"{self.lines} positions   {self.proven} proven   {self.bad} bad")


# ---------------------------------------------------------------------- JSON


def _answer(found: Solved, request: Request) -> SolveAnswer:
    from gomoku import answers

    answer = answers.solved(found.board, found.solution, with_proof=request.with_proof)
    if request.verified:
        answer["proof_accepted"] = None if found.verdict is None else found.verdict.accepted
    return answer


def _replies_answer(found: Solved, replies: tuple[str, ...]) -> Json:
    if not replies:
        return {}
    if found.solution.proof is None:
        return {"answer": None}
    from gomoku import answers

    return {"answer": answers.follow(found.solution.proof, *replies)}


# ---------------------------------------------------------------------- for people


def _report(found: Solved, show_tree: bool, replies: tuple[str, ...]) -> list[str]:
    from gomoku.proof_text import tree_lines

    proof, board = found.solution.proof, found.board
    if proof is None:
        return [str(board), "", *_facts(found), *_without_proof(show_tree, replies)]
    report = [str(proof), "", *_facts(found)]
    if replies:
        report += ["", _reply_line(proof, replies)]
    if show_tree:
        report += ["", *tree_lines(proof)]
    return report


def _without_proof(show_tree: bool, replies: tuple[str, ...]) -> list[str]:
    """What was asked for and needs a proof."""
    wanted = ["--tree"] * show_tree + ["--reply"] * bool(replies)
    return [f"  no win is proven, so there is nothing to show for {' and '.join(wanted)}"] if wanted else []


def _facts(found: Solved) -> list[str]:
    from gomoku.proof_text import spelled

    solution, board = found.solution, found.board
    spent = f"  nodes: {solution.nodes:,}   time: {solution.elapsed * 1000:,.3f} ms"
    if solution.proof is None:
        return [f"{board.turn} to move: {solution}", spent]
    facts = [
        str(solution),
        f"  line:  {spelled(board, solution.proof.main_line())}",
        spent,
    ]
    return facts + ([f"  proof: {found.verdict}"] if found.verdict else [])


def _reply_line(proof: Proof, replies: tuple[str, ...]) -> str:
    from gomoku.proof_text import spelled

    line = proof.line(*replies)
    board = proof.position
    return f"after {spelled(board, line[:-1])}: {board.name(line[-1])}"


# ---------------------------------------------------------------------- files


def _check_files(*files: str | None) -> None:
    """What cannot be written is told before the search, and not after it."""
    from gomoku_patterns.files import check_writable

    for file in files:
        if file and file != "-":
            check_writable(file)


def _write_files(found: Solved, proof_file: str | None, svg_file: str | None) -> None:
    proof = found.solution.proof
    if proof is None:
        for file in (proof_file, svg_file):
            if file not in (None, "-"):
                click.echo(f"gomoku: {file} is not written: no win is proven", err=True)
        return
    if proof_file == "-":
        print_json(proof.to_json())
    elif proof_file is not None:
        proof.save(proof_file)
    if svg_file == "-":
        click.echo(proof.svg())
    elif svg_file is not None:
        write_file(svg_file, proof.svg())

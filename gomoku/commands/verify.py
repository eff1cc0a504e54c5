"""``gomoku verify``: verify a proof against every legal reply."""

from __future__ import annotations

import mmap
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from gomoku.commands.common import decode, print_json, read_board, read_bytes, source_name
from gomoku.commands.options import cluster_option, json_option, max_bytes_option, rule_option, ruled
from gomoku.commands.status import clear_status, is_watched, show_status

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.rules import Rule
    from search.verifier import Verdict

LARGE = 1 << 20
"""A proof in binary form of so many bytes goes to the native verifier unless told otherwise."""


PROOF_BYTES = 256 * 2**20
"""How large a proof to be read into memory may be unless the user allows more; positions are bounded as everywhere."""


@click.command("verify")
@click.argument("position", metavar="POSITION")
@click.argument("proof", metavar="PROOF")
@click.option("--quick", is_flag=True, help="Replay a threat only against replies that could matter to it.")
@click.option(
    "--native/--python",
    default=None,
    help="Which of the two verifiers: C for binary files from one megabyte on, Python for all others.",
)
@click.option("--most", type=click.IntRange(1), metavar="N", help="Give up after so many replies and stones.")
@click.option("--parts", is_flag=True, help="PROOF is a folder that holds a proof in parts.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes for --parts.")
@cluster_option
@rule_option
@json_option
@max_bytes_option
def command(
    *,
    position: str,
    proof: str,
    quick: bool,
    native: bool | None,
    most: int | None,
    parts: bool,
    jobs: int,
    cluster: str | None,
    rule: Rule | None,
    as_json: bool,
) -> int:
    """Verify PROOF, as 'gomoku solve --proof' or 'gomoku hold' writes it, for the position in POSITION.

    Every legal reply is put on the board and judged by the rules. Exit status 0 if the proof is
    accepted, 1 if it is refused, 2 if a file cannot be read.

    \b
    gomoku verify level16.txt proof.json
    gomoku verify level16.txt proof.gmkproof --native
    gomoku solve level16.txt --proof - | gomoku verify level16.txt -
    gomoku verify opening.txt proof-folder --parts --jobs 8
    """
    from gomoku import answers
    from search.hold import is_hold, verify_hold
    from search.verifier import verify

    if position == proof == "-":
        raise click.UsageError("standard input can be POSITION or PROOF, not both")
    board = ruled(read_board(position), rule)
    if parts:
        verdict = _verify_parts(Path(proof), board, most, jobs, cluster)
    else:
        claim = _read_proof(proof)
        if native is None:
            native = not isinstance(claim, str) and len(claim) >= LARGE
        if not isinstance(claim, str) and is_hold(claim[:8]):
            verdict = verify_hold(bytes(claim), board, thorough=not quick, native=native, most_work=most)
        else:
            verdict = verify(claim, board, thorough=not quick, native=native, most_work=most)
    if as_json:
        print_json(answers.judged(verdict))
    else:
        click.echo(str(verdict))
    return 0 if verdict.accepted else 1


def _verify_parts(folder: Path, board: Board, most: int | None, jobs: int, cluster: str | None) -> Verdict:
    """Verify every part on its own, on all workers, and then that the parts cover the whole claim."""
    from arena.pools import workers
    from arena.work import run_units
    from search.parts import listed_parts, uncovered, verify_part
    from search.verifier import MOST_NATIVE_WORK, Verdict

    started, listed = perf_counter(), listed_parts(folder)
    done = []
    with workers(jobs, cluster=cluster) as pool:
        work = partial(verify_part, most_work=most or MOST_NATIVE_WORK)
        for _, part in run_units(work, [str((folder / name).resolve()) for name, _ in listed], pool):
            done.append(part)
            if is_watched():
                show_status(f"{len(done)} of {len(listed)} parts")
    if is_watched():
        clear_status()
    reason = uncovered(done, listed, board)
    return Verdict(not reason, sum(part.replies_checked for part in done), reason, perf_counter() - started)


def _read_proof(file: str) -> str | bytes | mmap.mmap:
    """The text of a proof in JSON; the bytes of one in binary form, left in the file if it is large."""
    from search.hold import is_hold
    from search.proof_binary import is_binary

    if file != "-" and Path(file).is_file() and Path(file).stat().st_size >= LARGE:
        with Path(file).open("rb") as opened:
            mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        if is_binary(mapped[:8]) or is_hold(mapped[:8]):
            return mapped
    data = read_bytes(file, PROOF_BYTES)
    return data if is_binary(data) or is_hold(data) else decode(data, source_name(file))

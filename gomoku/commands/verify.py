"""``gomoku verify``: verify a proof against every legal reply."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from gomoku.commands.common import decode, print_json, read_board, read_bytes, reading_limit, source_name
from gomoku.commands.options import cluster_option, json_option, max_bytes_option, rule_option, ruled
from gomoku.commands.status import clear_status, is_watched, show_status

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.rules import Rule
    from search.verifier import Verdict

LARGE = 1 << 20
"""A proof in binary form of so many bytes goes to the native verifier unless told otherwise."""


@click.command("verify")
@click.argument("position", metavar="POSITION")
@click.argument("proof", metavar="PROOF")
@click.option("--quick", is_flag=True, help="Replay a threat only against replies that could matter to it.")
@click.option(
    "--native/--python",
    default=None,
    help="Which of the two verifiers: C for binary files from one megabyte on, Python for all others.",
)
@click.option(
    "--most", type=click.IntRange(1), metavar="N", help="Give up after so many replies and stones, of all parts."
)
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
        verdict = _verify_parts(Path(proof), board, quick=quick, native=native, most=most, jobs=jobs, cluster=cluster)
    else:
        claim = _read_proof(proof)
        if native is None:
            native = not isinstance(claim, str) and len(claim) >= LARGE
        if not isinstance(claim, str) and is_hold(claim):
            verdict = verify_hold(claim, board, thorough=not quick, native=native, most_work=most)
        else:
            verdict = verify(claim, board, thorough=not quick, native=native, most_work=most)
    if as_json:
        print_json(answers.judged(verdict))
    else:
        click.echo(str(verdict))
    return 0 if verdict.accepted else 1


def _verify_parts(
    folder: Path, board: Board, *, quick: bool, native: bool | None, most: int | None, jobs: int, cluster: str | None
) -> Verdict:
    """Verify every part on its own, on all workers, and then that the parts cover the whole claim.

    ``most`` is for all parts together; each worker may go beyond it by what it is at.
    """
    from arena.pools import workers
    from arena.work import run_units
    from search.parts import listed_parts, verify_part, whole_verdict
    from search.proof import PROOF_BYTES
    from search.verifier import Verdict

    started, listed = perf_counter(), listed_parts(folder)
    done = []
    work = partial(
        verify_part,
        most_work=most,
        thorough=not quick,
        native=native is not False,
        max_bytes=reading_limit(PROOF_BYTES),
    )
    with workers(jobs, cluster=cluster) as pool:
        for _, part in run_units(work, [str((folder / name).resolve()) for name, _ in listed], pool):
            done.append(part)
            if is_watched():
                show_status(f"{len(done)} of {len(listed)} parts")
            if most is not None and sum(part.work for part in done) > most:
                break
    if is_watched():
        clear_status()
    verdict = whole_verdict(done, listed, board, perf_counter() - started)
    if len(done) < len(listed):
        reason = f"gave up: this proof takes more than {most:,} replies and stones to verify"
        verdict = Verdict(False, verdict.replies_checked, reason, verdict.elapsed)
    return verdict


def _read_proof(file: str) -> str | bytes:
    """The text of a proof in JSON; the bytes of one in binary form, in memory.

    A file that is mapped would end the process when another one cuts it off.
    """
    from search.hold import is_hold
    from search.proof import PROOF_BYTES
    from search.proof_binary import is_binary

    data = read_bytes(file, PROOF_BYTES)
    return data if is_binary(data) or is_hold(data) else decode(data, source_name(file))

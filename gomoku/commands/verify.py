"""``gomoku verify``: verify a proof against every legal reply."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gomoku.commands.common import decode, print_json, read_board, read_bytes, source_name
from gomoku.commands.options import json_option, max_bytes_option, rule_option, ruled

if TYPE_CHECKING:
    from gomoku_patterns.rules import Rule

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
    rule: Rule | None,
    as_json: bool,
) -> int:
    """Verify PROOF, as 'gomoku solve --proof' writes it, for the position in POSITION.

    Every legal reply is put on the board, with nothing but the rules to judge it. Exit status 0 if the proof is
    accepted, 1 if it is refused, 2 if a file cannot be read.

    \b
    gomoku verify level16.txt proof.json
    gomoku verify level16.txt proof.gmkproof --native
    gomoku solve level16.txt --proof - | gomoku verify level16.txt -
    """
    from gomoku import answers
    from search.verifier import verify

    if position == proof == "-":
        raise click.UsageError("standard input can be POSITION or PROOF, not both")
    board = ruled(read_board(position), rule)
    claim = _read_proof(proof)
    if native is None:
        native = not isinstance(claim, str) and len(claim) >= LARGE
    verdict = verify(claim, board, thorough=not quick, native=native, most_work=most)
    if as_json:
        print_json(answers.judged(verdict))
    else:
        click.echo(str(verdict))
    return 0 if verdict.accepted else 1


def _read_proof(file: str) -> str | bytes | mmap.mmap:
    """The text of a proof in JSON; the bytes of one in binary form, left in the file if it is large."""
    from search.proof_binary import is_binary

    if file != "-" and Path(file).is_file() and Path(file).stat().st_size >= LARGE:
        with Path(file).open("rb") as opened:
            mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        if is_binary(mapped[:8]):
            return mapped
    data = read_bytes(file, PROOF_BYTES)
    return data if is_binary(data) else decode(data, source_name(file))

"""``gomoku verify``: a proof put to the test of every legal reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gomoku.commands.common import print_json, read_board, read_text
from gomoku.commands.options import json_option, max_bytes_option, rule_option, ruled

if TYPE_CHECKING:
    from gomoku_patterns.rules import Rule


PROOF_BYTES = 256 * 2**20
"""How large a proof may be unless the user allows more; positions are bounded as everywhere."""


@click.command("verify")
@click.argument("position", metavar="POSITION")
@click.argument("proof", metavar="PROOF")
@click.option("--quick", is_flag=True, help="Replay a threat only against replies that could matter to it.")
@rule_option
@json_option
@max_bytes_option
def command(*, position: str, proof: str, quick: bool, rule: Rule | None, as_json: bool) -> int:
    """Verify PROOF, as 'gomoku solve --proof' writes it, for the position in POSITION.

    Every legal reply is put on the board, with nothing but the rules to judge it. Exit status 0 if the proof is
    accepted, 1 if it is refused, 2 if a file cannot be read.

    \b
    gomoku verify level16.txt proof.json
    gomoku solve level16.txt --proof - | gomoku verify level16.txt -
    """
    from gomoku import answers
    from search.verifier import verify

    if position == proof == "-":
        raise click.UsageError("standard input can be POSITION or PROOF, not both")
    board = ruled(read_board(position), rule)
    verdict = verify(read_text(proof, PROOF_BYTES), board, thorough=not quick)
    if as_json:
        print_json(answers.judged(verdict))
    else:
        click.echo(str(verdict))
    return 0 if verdict.accepted else 1

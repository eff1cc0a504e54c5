"""``gomoku trim``: make a proof smaller, or give it its other form."""

from __future__ import annotations

import click

from gomoku.commands.common import print_json
from gomoku.commands.options import json_option


@click.command("trim")
@click.argument("proof", metavar="PROOF")
@click.argument("out", metavar="OUT")
@json_option
def command(*, proof: str, out: str, as_json: bool) -> int:
    """Write PROOF to OUT without the answers that it does not need.

    OUT is in binary form if its name ends in .gmkproof, otherwise JSON. What is written is verified first: exit status
    0 if it was written, 1 if PROOF does not hold, 2 if it cannot be read.

    \b
    gomoku trim proof.json proof.gmkproof
    """
    from gomoku_patterns.errors import ProofError
    from gomoku_patterns.files import check_writable
    from search.proof import Proof
    from search.trim import trim

    check_writable(out)
    whole = Proof.load(proof)
    try:
        smaller = trim(whole)
    except ProofError as error:
        click.echo(str(error), err=True)
        return 1
    smaller.save(out)
    sizes = {"bytes_before": len(whole.to_bytes()), "bytes": len(smaller.to_bytes())}
    if as_json:
        print_json(sizes)
    else:
        click.echo("{bytes_before:,} bytes became {bytes:,}, in binary form".format(**sizes))
    return 0

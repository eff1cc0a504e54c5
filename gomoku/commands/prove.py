"""``gomoku prove``: prove an opening, or the whole game, won against every reply."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json
from gomoku.commands.options import cluster_option, json_option, rule_option
from gomoku.commands.status import clear_status, is_watched, show_status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.proving import OpenPosition, Proving, ProvingProgress
    from gomoku_patterns.board import Board
    from gomoku_patterns.rules import Rule
    from search.book import Book
    from search.expand import Expander


POSITION = "position.json"
"""The file beside parts that says which position they are about."""


@click.command("prove")
@click.argument("moves", nargs=-1, required=True, metavar="MOVE...")
@click.option(
    "--book",
    "book_file",
    required=True,
    metavar="FILE",
    help="Keep proven positions in this file, and use those already in it; with --expand also great, the shipped one.",
)
@click.option(
    "--log",
    "log_file",
    metavar="FILE",
    help="Keep in this file how long open positions have been searched (default: FILE.log of the book).",
)
@click.option(
    "--replies",
    type=click.Choice(["all", "adjacent"]),
    default="all",
    show_default=True,
    help="Prove the win against all replies, or only against those next to a stone.",
)
@click.option(
    "--size", type=click.IntRange(5, 22), default=15, show_default=True, help="Rows and columns of the board."
)
@click.option(
    "--seconds", type=click.FloatRange(1), default=3600.0, show_default=True, metavar="S", help="Stop after this time."
)
@click.option(
    "--expand", "proof_file", metavar="OUT", help="Search nothing new: write the proof that the book stands for to OUT."
)
@click.option(
    "--parts", is_flag=True, help="With --expand: OUT is a folder for a proof in parts, one for each reply in the book."
)
@click.option(
    "--keep",
    "kept_file",
    metavar="OUT",
    help="Search nothing new: write to OUT a book of the entries that the opening rests on, each searched again.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes that work at the same time."
)
@cluster_option
@rule_option
@json_option
def command(
    *,
    moves: tuple[str, ...],
    book_file: str,
    log_file: str | None,
    replies: str,
    size: int,
    seconds: float,
    proof_file: str | None,
    parts: bool,
    kept_file: str | None,
    jobs: int,
    cluster: str | None,
    rule: Rule | None,
    as_json: bool,
) -> int:
    """Prove that the side that moved last in the opening MOVE... wins against every reply.

    What is proven is kept in a book that only grows: the run may be killed at any moment, and the same command goes on
    from there. Exit status 0 if all replies are proven, 1 if some are open, 130 if it was interrupted.

    With --expand the proof of the last move, or of the position if the winner is to move, is made from the book. The
    proof is about the position before that last move; with --parts it is written beside the parts. With --keep the
    entries that this proof does not need are left out of a new book.

    \b
    gomoku prove h8 h9 i9 --book great.book --seconds 10000
    gomoku prove h8 --replies adjacent --book great.book --jobs 2
    gomoku prove h8 h9 i9 e12 --book great.book --expand proof.json
    gomoku prove h8 h9 i9 --book great --expand folder --parts
    gomoku prove h8 --book great.book --keep smaller.book
    """
    from arena.log import Log
    from arena.pools import workers
    from arena.proving import Proving
    from search.book import GREAT, Book

    board = _opening(moves, size, rule)
    if kept_file is not None and proof_file is not None:
        raise click.UsageError("--keep writes a book and --expand a proof: ask for one of them")
    try:
        if kept_file is not None:
            return _keep(board, book_file, Path(kept_file), jobs=jobs, cluster=cluster)
        if proof_file is not None:
            return _expand(board, book_file, proof_file, in_parts=parts, jobs=jobs, cluster=cluster)
    except KeyboardInterrupt:
        made = "book" if kept_file is not None else "proof"
        click.echo(f"gomoku: interrupted; the {made} is not whole, and the same command begins it again", err=True)
        return 130
    if parts:
        raise click.UsageError("--parts is for --expand")
    if book_file == GREAT:
        raise click.UsageError("nothing is added to great, the book that is shipped: name a file of your own")
    book = Book.open(book_file, board, board.turn.opponent)
    log = Log(log_file or f"{book_file}.log", {"task": "prove", "book": book.head})
    interrupted = False
    try:
        proving = Proving(board, book, book_file, log, replies=replies)
        try:
            with workers(jobs, cluster=cluster) as pool:
                proving.run(pool, seconds, _show if is_watched() else None)
        except KeyboardInterrupt:
            interrupted = True
        progress = proving.progress()
    finally:
        log.close()
        book.close()
    if is_watched():
        clear_status()
    if as_json:
        print_json(_as_json(progress))
    else:
        click.echo("\n".join(_report(progress, proving)))
    if interrupted:
        click.echo(f"gomoku: interrupted; the same command goes on with what is in {book_file}", err=True)
        return 130
    return 0 if progress.proven == progress.goals else 1


def _expand(board: Board, book_file: str, proof_file: str, *, in_parts: bool, jobs: int, cluster: str | None) -> int:
    from search.book import book_of
    from search.expand import Expander

    book = book_of(book_file)
    _check_that_it_holds(book, book_file, board)
    if board.turn is not book.attacker:
        board.pop()
    watched = is_watched()
    proof = Expander(book, tell=(lambda done: show_status(f"{done:,} positions searched again")) if watched else None)
    if in_parts:
        _expand_in_parts(proof, board, book_file, Path(proof_file), jobs=jobs, cluster=cluster)
        return 0
    made = proof.proof(board)
    if watched:
        clear_status()
    made.save(proof_file)
    click.echo(f"{board.turn} wins in at most {made.length} plies: {made.attacks:,} attacks in {proof_file}")
    click.echo(f"  it is about the position {_moves_of(board)}, {board.turn} to move")
    return 0


def _keep(board: Board, book_file: str, kept: Path, *, jobs: int, cluster: str | None) -> int:
    """Write a book of what an opening rests on, after every entry has been searched again on empty tables."""
    from gomoku_patterns.files import check_writable, write_file
    from search.book import book_of
    from search.expand import EntryUnit, Expander, search_again

    book = book_of(book_file)
    _check_that_it_holds(book, book_file, board)
    if board.turn is not book.attacker:
        board.pop()
    check_writable(kept)
    keys = Expander(book).needed(board)
    file = _reachable(book_file)
    units = [EntryUnit(file, key) for key in keys]
    lines = _done_by_workers(search_again, units, "positions searched again", jobs=jobs, cluster=cluster)
    write_file(kept, "".join(f"{line}\n" for line in [book.head, *lines]))
    click.echo(f"{len(keys):,} of {len(book):,} positions are needed, and each has been searched again: {kept}")
    return 0


def _reachable(book_file: str) -> str:
    """The name of a book by which other processes find it."""
    from search.book import GREAT

    return book_file if book_file == GREAT else str(Path(book_file).resolve())


def _done_by_workers(
    function: Callable[[Any], Any], units: Sequence[Any], unit_name: str, *, jobs: int, cluster: str | None
) -> list[Any]:
    """Return the results of all units in their order, showing how many are done."""
    from arena.pools import workers
    from arena.work import run_units

    results = []
    with workers(jobs, cluster=cluster) as pool:
        for _, result in run_units(function, units, pool, ordered=True):
            results.append(result)
            if is_watched():
                show_status(f"{len(results):,} of {len(units):,} {unit_name}")
    if is_watched():
        clear_status()
    return results


def _expand_in_parts(
    expander: Expander, board: Board, book_file: str, folder: Path, *, jobs: int, cluster: str | None
) -> None:
    """Write the parts, each made by one of the workers, their list, and the position that they are about."""
    import json

    from gomoku_patterns.files import write_file
    from gomoku_patterns.notation import json_position
    from search.expand import PartUnit, write_part
    from search.parts import save_list, save_part

    trunk, positions = expander.trunk(board)
    first = save_part(trunk, folder, 0)
    book = _reachable(book_file)
    units = [PartUnit(book, position, str(folder.resolve()), number) for number, position in enumerate(positions, 1)]
    listed = [first, *_done_by_workers(write_part, units, "parts below the trunk", jobs=jobs, cluster=cluster)]
    files = save_list(listed, folder)
    write_file(folder / POSITION, json.dumps(json_position(board)) + "\n")
    click.echo(f"{board.turn} wins: {len(files):,} parts in {folder}")
    click.echo(f"  they are about the position {_moves_of(board)}, {board.turn} to move, in {folder / POSITION}")


def _moves_of(board: Board) -> str:
    return " ".join(board.name(move.cell) for move in board.moves) or "of an empty board"


def _check_that_it_holds(book: Book, file: str, board: Board) -> None:
    """The book has to have the position, and to win it by the last move if that was the attacker's."""
    from search.book import BookError
    from search.quiet import put

    if not book.fits(board):
        raise BookError(
            f"{file} is a book of {book.rule} on {book.rows}x{book.cols} boards; say so by --rule and --size"
        )
    said, before = " ".join(board.name(move.cell) for move in board.moves), board.copy()
    if board.turn is not book.attacker and board.moves:
        before.pop()
    entry = book.find(before.flat)
    if entry is None:
        raise BookError(f"{file} has no proof for {said}; 'gomoku prove' without --expand works on one")
    if before.moves == board.moves or entry.move is None:
        return
    canonical, attacker = book.symmetries.canonical, int(book.attacker)
    if canonical(board.flat)[0] != canonical(put(before.flat, entry.move, attacker))[0]:
        move = book.name(entry.move)
        raise BookError(f"{file} has no proof for {said}: in place of the last move it wins by {move}")


def _opening(moves: tuple[str, ...], size: int, rule: Rule | None) -> Board:
    from gomoku_patterns.board import Board

    board = Board(size, rule=rule or "freestyle")
    for move in moves:
        board.push(move)
    return board


def _show(progress: ProvingProgress) -> None:
    show_status(
        f"{progress.proven} of {progress.goals} replies proven   {progress.entries:,} positions in the book"
        f"   {progress.seconds:,.0f} s of searching   about {progress.left:,.0f} s left"
    )


def _as_json(progress: ProvingProgress) -> dict[str, Any]:
    return {
        "replies": progress.goals,
        "proven": progress.proven,
        "positions": progress.entries,
        "seconds": round(progress.seconds, 1),
        "seconds_left": round(progress.left, 1),
        "open": [_open_as_json(position) for position in progress.open],
    }


def _open_as_json(position: OpenPosition) -> dict[str, Any]:
    said = {"position": position.position, "seconds": position.seconds, "proof_number": position.proof}
    tried = {"move": position.move, "proven": position.proven, "replies": position.replies}
    return said | (tried if position.move else {})


def _open_as_text(position: OpenPosition) -> str:
    said = f"  open: {position.position}   {position.seconds:,.0f} s, proof number {position.proof}"
    if position.move is None:
        return said
    return f"{said}; trying {position.move}, {position.proven} of {position.replies} replies proven"


def _report(progress: ProvingProgress, proving: Proving) -> list[str]:
    lines = [
        f"{proving.book.attacker} wins against {progress.proven} of {progress.goals} replies",
        f"  book: {progress.entries:,} positions, {progress.seconds:,.0f} s of searching in all runs",
    ]
    if progress.proven < progress.goals:
        lines.append(f"  left: about {progress.left:,.0f} s, judged by how long the open positions have been searched")
        lines += map(_open_as_text, progress.open[:10])
    return lines

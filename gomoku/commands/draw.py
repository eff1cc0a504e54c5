"""``gomoku draw``: a position as text, SVG or PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gomoku.commands.common import Json, print_json, read_board
from gomoku.commands.options import json_option, max_bytes_option, rule_option, ruled
from gomoku_patterns.draw import board_svg, board_text, svg_to_png
from gomoku_patterns.files import write_file

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.cells import Cell
    from gomoku_patterns.rules import Rule

MARK_HELP = "Mark a cell: H9, or H9=circle, =cross, =triangle, =square or =any text. May be repeated."
HEAT_HELP = "Colour the empty cells by what a stone of the side to move gains there (a table or TOML file)."


@click.command("draw")
@click.argument("file", metavar="FILE")
@click.option("--svg", metavar="OUT", help="Write an SVG picture ('-': to standard output, and nothing else).")
@click.option("--png", metavar="OUT", help="Write a PNG picture (needs the extra 'png').")
@click.option("--numbers", is_flag=True, help="Number the stones in the order of the moves.")
@click.option("--heat", metavar="TABLE", help=HEAT_HELP)
@click.option("--mark", "marked", multiple=True, metavar="CELL[=MARK]", help=MARK_HELP)
@click.option("--line", "lines", multiple=True, metavar="CELLS", help="Highlight cells in a row: H8,I9,J10.")
@click.option("--forbidden", is_flag=True, help="Mark the cells that renju forbids black with a cross.")
@click.option("--no-coordinates", is_flag=True, help="Draw no letters and numbers at the edge.")
@click.option("--size", type=float, default=640, show_default=True, help="The longer side of the picture in pixels.")
@click.option("--ascii", "plain", is_flag=True, help="Print with ASCII characters only.")
@rule_option
@json_option
@max_bytes_option
def command(
    *,
    file: str,
    svg: str | None,
    png: str | None,
    numbers: bool,
    heat: str | None,
    marked: tuple[str, ...],
    lines: tuple[str, ...],
    forbidden: bool,
    no_coordinates: bool,
    size: float,
    plain: bool,
    rule: Rule | None,
    as_json: bool,
) -> int:
    """Draw the position in FILE ('-': standard input): as text, and as SVG or PNG where asked.

    \b
    gomoku draw game.sgf --numbers --svg game.svg
    gomoku draw level16.txt --heat grade_dict --mark h9=circle --svg heat.svg
    """
    if as_json and svg == "-":
        raise click.UsageError("only one of --json and '--svg -' can go to standard output")
    board = ruled(read_board(file), rule)
    marks = _marks(board, marked, forbidden)
    picture = board_svg(
        board,
        numbers=numbers,
        marks=marks,
        heat=None if heat is None else _heat(board, heat),
        line=[row.split(",") for row in lines],
        coordinates=not no_coordinates,
        size=size,
    )
    _write(picture, svg, png)
    text = board_text(board, numbers=numbers, marks=marks, unicode=not plain)
    if as_json:
        print_json(_answer(board, text, svg, png))
    elif svg != "-":
        click.echo(text)
    return 0


def _marks(board: Board, marked: tuple[str, ...], forbidden: bool) -> dict[Cell, str]:
    marks = dict.fromkeys(board.forbidden(), "cross") if forbidden else {}
    for text in marked:
        name, _, mark = text.partition("=")
        marks[board.cell(name)] = mark or "circle"
    return marks


def _heat(board: Board, table: str) -> dict[Cell, float]:
    """What each empty cell is worth to the side to move."""
    from gomoku_patterns.import_path import named_evaluator

    gains = named_evaluator(table).gains(board, board.turn)
    return {cell: float(board.turn.sign * gains[cell]) for cell in board.empties() if gains[cell]}


def _write(picture: str, svg: str | None, png: str | None) -> None:
    """Both pictures are made before either file is touched."""
    image = None if png is None else svg_to_png(picture)
    if svg == "-":
        click.echo(picture)
    elif svg is not None:
        write_file(svg, picture)
    if png is not None and image is not None:
        write_file(png, image)


def _answer(board: Board, text: str, svg: str | None, png: str | None) -> Json:
    return {
        "rows": board.rows,
        "cols": board.cols,
        "rule": board.rule.value,
        "to_move": str(board.turn),
        "text": text,
        "svg": svg,
        "png": png,
    }

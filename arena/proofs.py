"""Certificates for people: the board with the line numbered, the tree as text.

>>> from gomoku_patterns import Board
>>> print(numbered_board(Board(5, black=["b3"], white=["c3"]), ["d3", "a1"]))
 5  .  .  .  .  .
 4  .  .  .  .  .
 3  .  X  O  1  .
 2  .  .  .  .  .
 1  2  .  .  .  .
    a  b  c  d  e
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gomoku_patterns.board import Board, CellLike
    from gomoku_patterns.cells import Cell
    from search.certificate import Attack, Certificate, Defence


def numbered_board(board: Board, line: Iterable[CellLike]) -> str:
    """The board with the plies of a line as numbers."""
    numbers = {board.cell(cell): number for number, cell in enumerate(line, 1)}
    rows = str(board).split("\n")
    for cell, number in numbers.items():
        at = 3 + 3 * cell.col
        text = rows[cell.row].ljust(3 + 3 * board.cols)
        rows[cell.row] = f"{text[: at - 1]}{number:>3}{text[at + 2 :]}".rstrip()
    return "\n".join(rows)


def spelled(board: Board, cells: Iterable[Cell]) -> str:
    """Cells by name, one after the other."""
    return " ".join(board.name(cell) for cell in cells)


def tree_lines(certificate: Certificate) -> Iterator[str]:
    """The whole tree as indented lines: each reply with the attacker's answer, then the threat against all others."""
    board = certificate.position
    yield f"{certificate.attacker} {board.name(certificate.tree.move)}"
    met: set[int] = set()
    todo = [_branches(board, certificate.tree, "")]
    while todo:
        branch = next(todo[-1], None)
        if branch is None:
            todo.pop()
            continue
        text, below, indent = branch
        seen = below is not None and below.then is not None and id(below) in met
        yield text + (" (as above)" if seen else "")
        if below is not None and not seen:
            met.add(id(below))
            todo.append(_branches(board, below, indent))


def _branches(board: Board, attack: Attack, indent: str) -> Iterator[tuple[str, Attack | None, str]]:
    """What may come after an attack: the line to print, the attack below it, and the indent of what is below that."""
    if attack.then is None:
        return
    replies = sorted(attack.then.replies.items())
    for number, (reply, below) in enumerate(replies, 1):
        last = number == len(replies) and not attack.then.threat
        text = f"{indent}{'└' if last else '├'}─ {board.name(reply)} → {board.name(below.move)}"
        yield text, below, indent + ("   " if last else "│  ")
    if attack.then.threat:
        yield f"{indent}└─ {_others(attack.then)} → {spelled(board, attack.then.threat)}", None, ""


def _others(defence: Defence) -> str:
    return "any other" if defence.replies else "any reply"

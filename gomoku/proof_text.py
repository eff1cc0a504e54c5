"""Proofs for people: the whole tree as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.cells import Cell
    from search.proof import Attack, Defence, Proof


def spelled(board: Board, cells: Iterable[Cell]) -> str:
    """Cells by name, one after the other."""
    return " ".join(board.name(cell) for cell in cells)


def tree_lines(proof: Proof) -> Iterator[str]:
    """The whole tree as indented lines: each reply with the attacker's answer, then the threat against all others."""
    board = proof.position
    yield f"{proof.attacker} {board.name(proof.tree.move)}"
    met: set[int] = set()
    todo = [_branches(board, proof.tree, "")]
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
    then = attack.then
    lines: list[tuple[str, Attack | None]] = [
        (f"{board.name(reply)} → {_move(board, below)}", below) for reply, below in sorted(then.replies.items())
    ]
    if then.threat:
        lines.append((f"{_others(then)} → {spelled(board, then.threat)}", None))
    lines += [(f"{_others(then)} → {_move(board, default)}", default) for default in then.defaults]
    for number, (text, below) in enumerate(lines, 1):
        last = number == len(lines)
        yield f"{indent}{'└' if last else '├'}─ {text}", below, indent + ("   " if last else "│  ")


def _move(board: Board, attack: Attack) -> str:
    from search.proof import ELSEWHERE

    return "(in another part)" if attack.move == ELSEWHERE else board.name(attack.move)


def _others(defence: Defence) -> str:
    return "any other" if defence.replies else "any reply"

"""A proof as text: every branch, shared ones once, and no recursion."""

from __future__ import annotations

from gomoku.proof_text import tree_lines
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search.proof import ELSEWHERE, Attack, Defence, Proof


def cells(*names: str) -> tuple[Cell, ...]:
    return tuple(Board(9).cell(name) for name in names)


def test_a_tree_with_a_shared_branch() -> None:
    (move, one, two, next_move, five, last) = cells("e5", "d5", "f5", "e6", "e7", "e8")
    shared = Attack(next_move, Defence((five,), {five: Attack(last)}))
    tree = Attack(move, Defence(cells("a1", "b1"), {two: shared, one: shared}))
    assert "\n".join(tree_lines(Proof(Board(9), tree))) == (
        "black e5\n├─ d5 → e6\n│  ├─ e7 → e8\n│  └─ any other → e7\n├─ f5 → e6 (as above)\n└─ any other → a1 b1"
    )


def test_a_threat_against_everything_and_replies_without_a_threat() -> None:
    (move, one, two) = cells("e5", "d5", "f5")
    tree = Attack(move, Defence((), {one: Attack(two, Defence(cells("a1"), {}))}))
    assert list(tree_lines(Proof(Board(9), tree))) == ["black e5", "└─ d5 → f5", "   └─ any reply → a1"]


def test_a_tree_deeper_than_python_can_recurse() -> None:
    attack = Attack(Cell(0, 0))
    for _ in range(5000):
        attack = Attack(Cell(0, 0), Defence((), {Cell(0, 1): attack}))
    assert sum(1 for _ in tree_lines(Proof(Board(9), attack))) == 5001


def test_a_default_is_shown_as_what_answers_any_other_reply() -> None:
    one, two, three = (Board(9).cell(name) for name in ("e5", "d5", "f5"))
    default = Attack(three, Defence((one,), {}))
    tree = Attack(one, Defence((two,), {two: Attack(ELSEWHERE)}, (default,)))
    assert list(tree_lines(Proof(Board(9), tree))) == [
        "black e5",
        "├─ d5 → (in another part)",
        "├─ any other → d5",
        "└─ any other → f5",
        "   └─ any reply → e5",
    ]

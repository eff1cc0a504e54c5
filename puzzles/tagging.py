"""Which tags a sound puzzle has: one predicate a tag.

>>> from puzzles import load
>>> from puzzles.soundness import Examiner
>>> examiner = Examiner()
>>> tags_of(examiner.study(load("huanle").level(9).board), examiner)
('win_by_fours', 'four_three')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.rules import Rule
from puzzles.difficulty import FIVE, FOUR, FOURS, LIVE_THREE, OVERLINE, STRAIGHT_FOUR, TWO_FOURS
from puzzles.tags import TAGS
from search._threats import ThreatBoard

if TYPE_CHECKING:
    from puzzles.soundness import Examiner, Study

LONG: Final = 15
LADDER: Final = 4
OUTERMOST: Final = 2


@dataclass(frozen=True)
class Step:
    """A move of the solution: by whom, where, and what it makes in each direction."""

    board: Board
    """The position before it."""
    cell: Cell
    colour: Colour
    kinds: tuple[int, ...]

    def fours(self) -> int:
        return sum(2 if kind in (TWO_FOURS, STRAIGHT_FOUR) else 1 for kind in self.kinds if kind in FOURS)

    @property
    def is_four(self) -> bool:
        return any(kind in FOURS for kind in self.kinds) and FIVE not in self.kinds


@dataclass(frozen=True)
class Shown:
    """A puzzle with its solution laid out, for the predicates to look at."""

    study: Study
    examiner: Examiner

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps())

    def _steps(self) -> Iterator[Step]:
        board, threats = self.study.position.copy(), ThreatBoard(self.study.position)
        for cell in self.study.line:
            colour = board.turn
            yield Step(board.copy(moves=False), cell, colour, threats.kinds_at(cell, colour))
            board.push(cell)
            threats.push(cell, colour)

    @property
    def attacks(self) -> tuple[Step, ...]:
        return self.steps[::2]

    @property
    def replies(self) -> tuple[Step, ...]:
        return self.steps[1::2]

    @property
    def board(self) -> Board:
        return self.study.position

    def wins_by(self, mode: str) -> bool:
        return self.examiner.solve(self.board, self.study.length, mode=mode).proof is not None

    def opponent_threatens(self, board: Board) -> bool:
        """Whether the opponent, to move, wins by continuous fours."""
        other = board.copy(moves=False)
        other.turn = self.study.attacker.opponent
        return self.examiner.solve(other, mode="vcf").proof is not None


# ---------------------------------------------------------------------- the predicates


def _win_by_fours(shown: Shown) -> bool:
    return shown.wins_by("vcf")


def _win_by_threes(shown: Shown) -> bool:
    return not shown.wins_by("vcf") and shown.wins_by("vct")


def _quiet_key(shown: Shown) -> bool:
    first = shown.steps[0]
    return not first.is_four and LIVE_THREE not in first.kinds and FIVE not in first.kinds


def _four_three(shown: Shown) -> bool:
    return any(step.is_four and LIVE_THREE in step.kinds for step in shown.attacks)


def _double_four(shown: Shown) -> bool:
    return any(_two_fours(step) for step in shown.attacks)


def _two_fours(step: Step) -> bool:
    """Two fours in two directions, or two on one line; a straight four is one."""
    return FIVE not in step.kinds and (TWO_FOURS in step.kinds or sum(kind in FOURS for kind in step.kinds) > 1)


def _double_three(shown: Shown) -> bool:
    return any(not step.is_four and step.kinds.count(LIVE_THREE) > 1 for step in shown.attacks
               if not _is_renju_black(shown))  # fmt: skip


def _counter_four(shown: Shown) -> bool:
    return any(step.is_four for step in shown.replies)


def _defending_attack(shown: Shown) -> bool:
    first = shown.steps[0]
    if first.is_four or not shown.opponent_threatens(shown.board):
        return False
    after = shown.board.copy()
    after.push(first.cell)
    return not shown.opponent_threatens(after)


def _overline_trap(shown: Shown) -> bool:
    if not shown.board.rule.only_five(shown.study.attacker):
        return False
    return any(OVERLINE in kinds for step in shown.attacks for kinds in _all_kinds(step))


def _all_kinds(step: Step) -> Iterator[tuple[int, ...]]:
    threats = ThreatBoard(step.board)
    return (threats.kinds_at(cell, step.colour) for cell in step.board.empties())


def _forbidden_trap(shown: Shown) -> bool:
    if shown.board.rule is not Rule.RENJU or shown.study.attacker is not Colour.WHITE:
        return False
    return any(_answer_is_forbidden(step) for step in shown.attacks if step.is_four)


def _answer_is_forbidden(step: Step) -> bool:
    threats = ThreatBoard(step.board)
    threats.push(step.cell, step.colour)
    fives = threats.cells(step.colour, "five")
    return len(fives) == 1 and fives[0] in threats.forbidden_cells()


def _false_forbidden(shown: Shown) -> bool:
    return _is_renju_black(shown) and any(
        step.kinds.count(LIVE_THREE) > 1 and FIVE not in step.kinds for step in shown.attacks
    )


def _is_renju_black(shown: Shown) -> bool:
    return shown.board.rule is Rule.RENJU and shown.study.attacker is Colour.BLACK


def _ladder(shown: Shown) -> bool:
    run = 0
    for step in shown.attacks:
        run = run + 1 if step.kinds.count(FOUR) == 1 and step.fours() == 1 else 0
        if run == LADDER:
            return True
    return False


def _edge(shown: Shown) -> bool:
    row, col = shown.study.key
    sides = (row, col, shown.board.rows - 1 - row, shown.board.cols - 1 - col)
    return min(sides) < OUTERMOST


def _long(shown: Shown) -> bool:
    return shown.study.length >= LONG


PREDICATES: Final[dict[str, Callable[[Shown], bool]]] = {
    "win_by_fours": _win_by_fours,
    "win_by_threes": _win_by_threes,
    "quiet_key": _quiet_key,
    "four_three": _four_three,
    "double_four": _double_four,
    "double_three": _double_three,
    "counter_four": _counter_four,
    "defending_attack": _defending_attack,
    "overline_trap": _overline_trap,
    "forbidden_trap": _forbidden_trap,
    "false_forbidden": _false_forbidden,
    "ladder": _ladder,
    "edge": _edge,
    "long": _long,
}


def tags_of(study: Study, examiner: Examiner) -> tuple[str, ...]:
    """The tags of a sound puzzle, in the order of :data:`puzzles.TAGS`."""
    shown = Shown(study, examiner)
    return tuple(name for name in TAGS if PREDICATES[name](shown))

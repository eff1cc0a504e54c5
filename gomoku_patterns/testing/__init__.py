"""A testing kit for evaluators: laws that every evaluator keeps, and Hypothesis strategies to try them on.

One call puts your own class through all laws that apply to it. What it does not claim (``antisymmetric``,
``symmetric``) is not asked; the report says so, and how long each law took. A law that fails shows the smallest board
it fails on, and a line to paste that repeats it.

>>> class Centre:
...     "Stones are worth their distance from the edge, and one more."
...     name, antisymmetric, symmetric = "centre", True, True
...     def score(self, board):
...         return sum(board[r, c].sign * (1 + min(r, c, board.rows - 1 - r, board.cols - 1 - c))
...                    for r, c in board.cells() if board[r, c])
>>> report = check_evaluator(Centre(), max_examples=5, max_side=9)
>>> [law.name for law in report.asked]  # doctest: +NORMALIZE_WHITESPACE
['the board is left alone', 'answers repeat', 'nothing is remembered', 'incremental equals scratch', 'undo restores',
 'scores fit 64 bits', 'every cell counts', 'colours are alike', 'the eight symmetries are alike',
 'the rule matters as claimed']
>>> report.not_asked["reference equals native"]
'it is not a table'

A law of your own is a function with :func:`law`; docs/reference/laws.md lists the laws that are there. Two evaluators
that should say the same are compared with ``check_evaluator(mine, laws=[agrees_with("grade_dict")])``.

Strategies: :func:`lines`, :func:`boards`, :func:`positions`, :func:`games` and :func:`tables`. They shrink to empty
5x5 boards and reach every size, edges, corners, full lines and full boards in both colours.
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError("gomoku_patterns.testing needs Hypothesis: pip install 'gomoku-patterns[testing]'") from error

from gomoku_patterns.testing.checking import (
    LawBrokenError,
    LawNotAskedWarning,
    Report,
    check_evaluator,
    check_laws,
)
from gomoku_patterns.testing.laws import (
    LAWS,
    Law,
    agrees_with,
    answers_repeat,
    batches_agree,
    colours_are_alike,
    every_cell_counts,
    explanations_add_up,
    gains_change_the_score,
    incremental_equals_scratch,
    law,
    lists_agree,
    nothing_is_remembered,
    pickled_copies_agree,
    reference_equals_native,
    scores_fit_64_bits,
    the_board_is_left_alone,
    the_eight_symmetries_are_alike,
    the_rule_matters_as_claimed,
    the_turn_matters_as_claimed,
    trackers_keep_their_contract,
    undo_restores,
)
from gomoku_patterns.testing.speed import Speeds, evaluator_benchmarks, speeds
from gomoku_patterns.testing.strategies import boards, games, lines, positions, sides, tables

__all__ = [
    "LAWS",
    "Law",
    "LawBrokenError",
    "LawNotAskedWarning",
    "Report",
    "Speeds",
    "agrees_with",
    "answers_repeat",
    "batches_agree",
    "boards",
    "check_evaluator",
    "check_laws",
    "colours_are_alike",
    "evaluator_benchmarks",
    "every_cell_counts",
    "explanations_add_up",
    "gains_change_the_score",
    "games",
    "incremental_equals_scratch",
    "law",
    "lines",
    "lists_agree",
    "nothing_is_remembered",
    "pickled_copies_agree",
    "positions",
    "reference_equals_native",
    "scores_fit_64_bits",
    "sides",
    "speeds",
    "tables",
    "the_board_is_left_alone",
    "the_eight_symmetries_are_alike",
    "the_rule_matters_as_claimed",
    "the_turn_matters_as_claimed",
    "trackers_keep_their_contract",
    "undo_restores",
]

"""What the program answers, as data: the same for the commands with ``--json``, for batches, the web API and Python.

Each function asks one question and returns plain dicts and lists that ``json.dumps`` takes; their types, with a word on
each key, are in :mod:`gomoku.answers.types`. A cell is given as ``[row, col]`` and beside it by its name.

>>> from gomoku import answers
>>> from gomoku_patterns import Board
>>> board = Board(9, black=["c5", "d5", "e5", "f5"], white=["b5", "c6", "d7"], turn="black")
>>> answers.score(board, "wins")["score"]
1002080
>>> found = answers.move(board, "minmax:depth=1")
>>> found["move"], found["name"]
([4, 6], 'g5')
>>> answers.solve(board)["status"]
'proven'
"""

from gomoku.answers.lists import formats, players, practice, suite, suites, table, tables
from gomoku.answers.positions import convert, explain, position_with_moves, rules, score, why
from gomoku.answers.reviews import review, reviewed
from gomoku.answers.searches import book, feedback, follow, judged, move, progress, solve, solved, verify

__all__ = [
    "book",
    "convert",
    "explain",
    "feedback",
    "follow",
    "formats",
    "judged",
    "move",
    "players",
    "position_with_moves",
    "practice",
    "progress",
    "review",
    "reviewed",
    "rules",
    "score",
    "solve",
    "solved",
    "suite",
    "suites",
    "table",
    "tables",
    "verify",
    "why",
]

"""Answers about a position as it stands: what it is worth, why, what the rules say."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

from gomoku.answers.cells import names, places
from gomoku_patterns.cells import Colour
from gomoku_patterns.rules import is_over, winner, winning_row

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from gomoku.answers.types import (
        ConvertAnswer,
        ExplainAnswer,
        ExplainCellAnswer,
        GameJson,
        RulesAnswer,
        ScoreAnswer,
        WhyAnswer,
    )
    from gomoku_patterns.board import Board, CellLike
    from gomoku_patterns.evaluator import Evaluator, EvaluatorBase
    from gomoku_patterns.notation import GameTree
    from gomoku_patterns.table import Table

    AnyEvaluator = str | Path | Table | Evaluator | EvaluatorBase


def score(board: Board, evaluator: AnyEvaluator = "grade_dict", *, points: bool = False) -> ScoreAnswer:
    """What the board is worth, black minus white; with ``points`` also the value of each empty cell for each colour."""
    from gomoku_patterns.evaluator import as_evaluator

    chosen = as_evaluator(evaluator)
    start = time.perf_counter()
    worth = int(chosen.score(board))
    values = {str(colour): chosen.points(board, colour) for colour in Colour} if points else None
    elapsed = time.perf_counter() - start
    answer: ScoreAnswer = {"table": chosen.name, "score": worth, "to_move": str(board.turn), "elapsed": elapsed}
    if values is not None:
        answer["points"] = values
    return answer


def explain(
    board: Board, evaluator: AnyEvaluator = "grade_dict", cell: CellLike | None = None
) -> ExplainAnswer | ExplainCellAnswer:
    """Every pattern on the board; or for an empty cell what a stone of either colour there changes."""
    from gomoku_patterns.explain import explain as reasons

    if cell is None:
        return cast("ExplainAnswer", reasons(board, evaluator).to_json())
    told: dict[str, Any] = {str(colour): reasons(board, evaluator, cell, colour).to_json() for colour in Colour}
    head = {key: told["black"][key] for key in ("table", "to_move", "cell", "name")}
    gains = {colour: {"gain": one["gain"], "items": one["items"]} for colour, one in told.items()}
    return cast("ExplainCellAnswer", head | gains)


def rules(board: Board) -> RulesAnswer:
    """Who has won, and where black may not play."""
    from gomoku.shapes import fouls

    won, line, barred = winner(board), winning_row(board), fouls(board)
    return {
        "rule": board.rule.value,
        "winner": None if won is None else str(won),
        "over": is_over(board),
        "line": places(line),
        "line_names": names(line, board),
        "forbidden": places(barred),
        "forbidden_names": names(barred, board),
        "fouls": [*barred.values()],
    }


def why(board: Board, cell: CellLike) -> WhyAnswer:
    """What a move of the side to move makes, and what of the opponent's it stops."""
    from gomoku.shapes import why as reasons

    return cast("WhyAnswer", reasons(board, board.cell(cell)))


def convert(
    game: str | bytes | GameTree | Board | Mapping[str, Any],
    to: str | None = None,
    *,
    format: str | None = None,
    moves: Collection[CellLike] = (),
) -> ConvertAnswer:
    """A game as JSON and, in the notation ``to``, as text.

    It is given as text or bytes in any notation, detected unless ``format`` names it, as a game or a board, or as the
    "tree" of such an answer. With ``moves`` played after it, it is the game to its end that counts.
    """
    from gomoku.answers.trees import game_tree, tree_json, write_tree
    from gomoku_patterns.notation import GameTree

    tree = game_tree(game, format)
    board = tree.board()
    for move in moves:
        board.push(move)
    if moves:
        tree = GameTree.from_board(board)
    return {
        "position": position_with_moves(board),
        "tree": tree_json(tree),
        "text": write_tree(tree, to) if to else None,
    }


def position_with_moves(board: Board) -> GameJson:
    """The position as JSON, with its played moves apart from the stones that were set up."""
    from gomoku_patterns.notation import json_position

    moves: list[list[int | str]] = [[*move.cell, str(move.colour)] for move in board.moves]
    start = board.copy()
    for _ in moves:
        start.pop()
    return {"start": json_position(start), "moves": moves, "to_move": str(board.turn)}

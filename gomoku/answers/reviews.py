"""Answers about whole games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gomoku.answers.cells import names, places

if TYPE_CHECKING:
    from collections.abc import Callable

    from gomoku.answers.types import ReviewAnswer, ReviewedMoveJson, WorthJson
    from gomoku_patterns.board import Board
    from gomoku_patterns.notation import GameTree
    from puzzles.reviewing import Review, ReviewedMove, Worth
    from search import Limit


def review(
    game: Board | GameTree,
    limit: Limit | None = None,
    *,
    found: Callable[[WorthJson, ReviewedMoveJson | None], object] | None = None,
    **asked: Any,
) -> ReviewAnswer:
    """The errors of a game and what every position of it is worth; ``asked`` is what else ``puzzles.review`` takes.

    ``found`` is called for each position as soon as it is reviewed, with its worth and the move that led there.
    """
    import puzzles
    from gomoku_patterns.notation import GameTree

    if found is None:
        return reviewed(puzzles.review(game, limit, **asked))
    tree = game if isinstance(game, GameTree) else GameTree.from_board(game)
    names = puzzles.Review(tree, tree.start(), (), 0)

    def told(worth: Worth, move: ReviewedMove | None) -> None:
        found(worth_json(worth, names.start), None if move is None else _move(names, move))

    return reviewed(puzzles.review(tree, limit, found=told, **asked))


def reviewed(found: Review) -> ReviewAnswer:
    """What a review says."""
    decisive = found.decisive
    return {
        "winner": None if found.winner is None else str(found.winner),
        "decisive": None if decisive is None else decisive.ply,
        "plies": found.plies,
        "complete": found.complete,
        "start": None if not found.moves else worth_json(found.moves[0].before, found.start),
        "moves": [_move(found, one) for one in found.moves],
    }


def _move(found: Review, one: ReviewedMove) -> ReviewedMoveJson:
    return {
        "ply": one.ply,
        "colour": str(one.colour),
        "move": [*one.move],
        "name": found.name(one.move),
        "worth": worth_json(one.after, found.start),
        "slip": None if one.slip is None else one.slip.value,
        "says": found.says(one) if one.slip else None,
        "better": None if one.better is None else [*one.better],
        "better_name": None if one.better is None else found.name(one.better),
        "instead": places(one.instead),
        "instead_names": names(one.instead, found.start),
        "refutation": places(one.refutation),
        "refutation_names": names(one.refutation, found.start),
        "decisive": one.decisive,
    }


def worth_json(worth: Worth, board: Board) -> WorthJson:
    """What a position of a game is worth, with the names of the cells of that game."""
    return {
        "winner": None if worth.winner is None else str(worth.winner),
        "plies": worth.plies,
        "score": worth.score,
        "share": round(worth.share, 4),
        "best": None if worth.best is None else [*worth.best],
        "best_name": None if worth.best is None else board.name(worth.best),
    }

"""One game between two players: a pure function of a work unit.

Played again with the same unit, a game limited by depth or nodes is the same game.

>>> from arena.units import unit_of
>>> unit = unit_of("random:seed=1", "random:seed=2", Board(5), TimeControl(), number=0)
>>> record = play_game(unit)
>>> record["result"], record["reason"], record == play_game(unit) | {"seconds": record["seconds"]}
('white', 'five', True)

============ ======================================================================
reason       how a game ended
============ ======================================================================
five         a line of five, as the rule wants it
full         no cell is empty, or none may be played: drawn
length       the agreed number of stones is on the board: drawn
proof        the solver proved a win for the side to move
resign       both players' scores agree that one side is lost
agreed       both players' scores agree that neither is better: drawn
forbidden    black played a forbidden point
...          what players do wrong: see :mod:`arena.engines`
lost         the worker died every time; the game is not counted
============ ======================================================================
"""

from __future__ import annotations

import time
from typing import Any

from arena.agreements import DrawAgreement, Resignation
from arena.entrants import Entrant
from arena.seats import Forfeit, Seat, seat_of
from arena.time_control import TimeControl
from arena.units import opening_board
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, Cell, Colour
from gomoku_patterns.rules import Rule, is_forbidden, legal_moves, makes_five
from search.result import Limit, SearchResult, Win

Json = dict[str, Any]


def play_game(unit: Json) -> Json:
    """Play the game of a unit and record it. Whatever a player does ends at most its game.

    A player that cannot be made here, such as a program or a module that this machine lacks, has lost nothing: the
    :class:`ArenaError` says what is missing where, and ends the run.
    """
    game = _Game(unit)
    try:
        game.play()
    finally:
        game.close()
    return game.record()


def lost_game(unit: Json) -> Json:
    """The record of a game that killed every worker it was given to: it is not counted."""
    game = _Game(unit)
    game.end(None, "lost", "every worker that played it died")
    return game.record()


class _Game:
    def __init__(self, unit: Json) -> None:
        self.unit = unit
        base = TimeControl.of_json(unit["time_control"])
        self.entrants = {colour: Entrant.parse(unit[str(colour)]) for colour in Colour}
        self.controls = {colour: entrant.time_control(base) for colour, entrant in self.entrants.items()}
        self.board = opening_board(unit["opening"])
        self.seats: dict[Colour, Seat] = {}
        self.left = {colour: control.match_seconds for colour, control in self.controls.items()}
        self.resignation = Resignation(*unit["resign"]) if unit.get("resign") else None
        self.drawn = DrawAgreement(*unit["draw"]) if unit.get("draw") else None
        self.moves: list[Json] = []
        self.result: str | None = None
        self.reason = self.detail = ""

    def play(self) -> None:
        for colour in Colour:
            self.seats[colour] = seat_of(self.entrants[colour], self.controls[colour], self.unit, colour)
        for colour, seat in self.seats.items():
            try:
                seat.begin(self.board)
            except Forfeit as failure:
                self._forfeit(colour, failure)
                return
        while not self.reason and not self._over():
            self._turn()

    def _over(self) -> bool:
        """Draws and proofs, before the side to move is asked."""
        board, most = self.board, self.unit["max_moves"]
        if winner := board.winner() if not self.moves else None:
            self.end(str(winner), "five")
        elif board.is_full() or (board.rule is Rule.RENJU and not legal_moves(board)):
            self.end("draw", "full")
        elif most is not None and len(board) >= most:
            self.end("draw", "length", f"{most} stones")
        elif self.moves and self._agreed():
            pass
        elif self.unit["adjudicate"] and (length := _proven(board, self.unit["adjudicate"])) is not None:
            self.end(str(board.turn), "proof", str(Win(board.turn, length)))
        return bool(self.reason)

    def _agreed(self) -> bool:
        """Whether both players' scores say how the game ends."""
        if self.resignation is None and self.drawn is None:
            return False
        scores = [move["score"] for move in self.moves]
        if self.resignation is not None and (winner := self.resignation.winner(scores)) is not None:
            rule = self.resignation
            self.end(str(winner), "resign", f"{rule.score} or more for {winner} in {rule.moves} moves of each player")
        elif self.drawn is not None and self.drawn.reached(scores, len(self.board)):
            self.end("draw", "agreed", f"{self.drawn.score} or less in {self.drawn.moves} moves of each player")
        return bool(self.reason)

    def _turn(self) -> None:
        board, colour = self.board, self.board.turn
        try:
            cell = self._ask(colour)
            if is_forbidden(board, cell) and colour is BLACK:
                raise Forfeit("forbidden", f"{board.name(cell)} is forbidden to black")
        except Forfeit as failure:
            self._forfeit(colour, failure)
            return
        won = makes_five(board, cell, colour)
        board.push(cell)
        if won:
            self.end(str(colour), "five")

    def _ask(self, colour: Colour) -> Cell:
        seat, left = self.seats[colour], self.left[colour]
        began = time.monotonic()
        cell = seat.move(self.board, left)
        taken = time.monotonic() - began
        if left is not None:
            control = self.controls[colour]
            self.left[colour] = left - taken + control.increment
            if left - taken < -control.tolerance:
                raise Forfeit("time", f"{taken - left:.2f} s beyond the time for the game")
        self.moves.append({"second": round(taken, 4), **_found(seat.last, self.board)})
        return cell

    def _forfeit(self, colour: Colour, failure: Forfeit) -> None:
        self.end(str(colour.opponent), failure.reason, f"{colour}: {failure.detail}")

    def end(self, result: str | None, reason: str, detail: str = "") -> None:
        self.result, self.reason, self.detail = result, reason, detail

    def close(self) -> None:
        for seat in self.seats.values():
            seat.close()

    def record(self) -> Json:
        played = self.board.moves[len(self.unit["opening"]["moves"]) :]
        kept = self.moves[: len(played)]
        return {
            **{key: self.unit[key] for key in ("unit", "black", "white", "opening", "seed")},
            "moves": [self.board.name(move.cell) for move in played],
            "result": self.result,
            "reason": self.reason,
            "detail": self.detail,
            **{f"{key}s": [move[key] for move in kept] for key in ("node", "score", "win", "depth", "line", "second")},
        }


def _found(result: SearchResult | None, board: Board) -> Json:
    """What a player says of its search; None for what it does not say."""
    if result is None:
        return dict.fromkeys(("node", "score", "win", "depth", "line"))
    told = result.stats.get("told")
    says: Any = _said(result) if told is None else told
    return {
        "node": result.nodes if "nodes" in says else None,
        "score": result.score if "score" in says else None,
        "win": str(result.win) if result.win else None,
        "depth": result.depth if "depth" in says else None,
        "line": " ".join(map(board.name, result.pv)) if len(result.pv) > 1 else None,
    }


def _said(result: SearchResult) -> list[str]:
    """Return what a result says: a score that was given, and a depth and nodes that were searched."""
    given = {"score": result.has_score, "depth": result.depth > 0, "nodes": result.nodes > 0 or result.has_score}
    return [name for name, is_given in given.items() if is_given]


def _proven(board: Board, nodes: int) -> int | None:
    """The plies of a proven win for the side to move, or None; under caro there are no proofs."""
    from search import solve
    from search.verifier import RULES

    if board.rule not in RULES:
        return None
    solution = solve(board, Limit(nodes=nodes))
    return solution.length if solution.status.name == "PROVEN" else None

"""A game on a terminal: line by line, or drawn anew in place with cells that are chosen by arrow keys and clicks."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any, Protocol

import click

from gomoku.terminal import Click, Key, Screen, is_screen
from gomoku_patterns.cells import Cell

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.cells import Colour

KEYS = "arrow keys or a click choose a cell, Enter plays; type 'help' for what else there is"
MESSAGES = 5
"""Lines of what was said that stay on the screen."""
AROUND = 4 + MESSAGES
"""Lines of the screen that are not the board."""
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Viewed(Protocol):
    """What is shown: a board, a line above it, and who moves."""

    board: Board

    def picture(self) -> str: ...

    def title(self) -> str: ...

    def seat_name(self, colour: Colour) -> str: ...


def view_of(game: Viewed) -> Lines | Drawn:
    """Drawn in place on a terminal with room for the board, and line by line otherwise."""
    board = game.board
    return Drawn(game) if is_screen(board.rows + AROUND, max(3 * board.cols + 3, 40)) else Lines(game)


class Lines:
    """The game line by line: for pipes, and terminals that cannot be drawn on."""

    def __init__(self, game: Viewed) -> None:
        self.game = game
        self.shown: str | None = None

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def say(self, text: str) -> None:
        click.echo(text)

    def refresh(self, *, thinking: bool = False) -> None:
        """The board, once for every position that somebody is asked about."""
        board = self.game.picture()
        if not thinking and board != self.shown:
            click.echo(board)
            self.shown = board

    def forget(self) -> None:
        self.shown = None

    def ask(self, prompt: str) -> str:
        """What the human types; at the end of the input, that is quit."""
        try:
            if sys.stdin.isatty():
                return input(f"{prompt}> ")
            return sys.stdin.readline() or "quit"
        except EOFError:
            click.echo()
            return "quit"
        except UnicodeDecodeError:
            return "?"


class Drawn:
    """The game on a terminal that is drawn anew in place; cells are chosen by arrow keys or clicks."""

    def __init__(self, game: Viewed) -> None:
        self.game, self.screen = game, Screen()
        self.cursor = Cell(game.board.rows // 2, game.board.cols // 2)
        self.typed = ""
        self.prompt = ""
        self.said: list[str] = [KEYS]
        self.fresh = True

    def __enter__(self) -> Drawn:
        self.screen.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.screen.__exit__(*error)
        click.echo(self.game.picture())
        click.echo(self.said[-1])

    def say(self, text: str) -> None:
        """What was said last stays below the board; what does not fit there is counted."""
        lines = text.splitlines() or [""]
        if self.fresh:
            self.said = []
        self.said, self.fresh = [*self.said, *lines], False

    def below(self) -> list[str]:
        """As much of what was said as there is room for."""
        room = max(shutil.get_terminal_size().lines - self.game.board.rows - 5, 1)
        if len(self.said) <= room:
            return self.said
        return [*self.said[: room - 1], f"... and {len(self.said) - room + 1} lines more"]

    def refresh(self, *, thinking: bool = False) -> None:
        board = self.game.picture().splitlines()
        turn = self.game.board.turn
        status = f"{turn} ({self.game.seat_name(turn)}) is thinking ..." if thinking else f"{self.prompt}> {self.typed}"
        if not thinking:
            board[self.cursor.row] = _bracketed(board[self.cursor.row], self.cursor.col)
        self.screen.draw([self.game.title(), *board, "", status, *self.below()])

    def forget(self) -> None:
        return

    def ask(self, prompt: str) -> str:
        """A line that was typed, or the cell that was chosen."""
        self.prompt, self.typed = prompt, ""
        while True:
            self.refresh()
            line = self.answer(self.screen.key())
            if line is not None:
                self.fresh = True
                return line

    def answer(self, key: Key) -> str | None:
        """What a key asks for, if that is complete."""
        if isinstance(key, Click):
            return self.clicked(key)
        if key in ARROWS:
            self.move(*ARROWS[key])
        elif key == "end":
            return "quit"
        elif key == "enter" or (key == " " and not self.typed):
            return self.typed or self.game.board.name(self.cursor)
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "escape":
            self.typed = ""
        elif len(key) == 1 and len(self.typed) < 200:
            self.typed += key
        return None

    def move(self, down: int, right: int) -> None:
        row = min(max(self.cursor.row + down, 0), self.game.board.rows - 1)
        self.cursor = Cell(row, min(max(self.cursor.col + right, 0), self.game.board.cols - 1))

    def clicked(self, place: Click) -> str | None:
        """A click beside the board is nothing; the board begins below the title and its row's number."""
        row, col = place[0] - 1, (place[1] - 2) // 3
        if not (0 <= row < self.game.board.rows and place[1] >= 2 and 0 <= col < self.game.board.cols):
            return None
        self.cursor = Cell(row, col)
        return self.game.board.name(self.cursor)


def _bracketed(line: str, col: int) -> str:
    """The cell under the cursor between brackets; each cell takes three letters after the row's number."""
    at = 2 + 3 * col
    padded = line.ljust(at + 3)
    return f"{padded[:at]}[{padded[at + 1]}]{padded[at + 3 :]}"

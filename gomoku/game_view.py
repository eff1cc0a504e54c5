"""A game on a terminal: line by line, or drawn anew in place with cells that are chosen by arrow keys and clicks."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Any, Protocol

import click

from gomoku.terminal import Click, Key, Screen, is_screen
from gomoku_patterns.cells import Cell

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.cells import Colour

KEYS = "arrow keys choose a cell and Enter plays it, or a click does; type 'help' for what else there is"
KEYS_HELP = """\
arrow keys    choose a cell
Enter, space  play on the cell that was chosen
click         play on the cell under the pointer"""
MESSAGES = 5
"""Lines of what was said that stay on the screen."""
AROUND = 4 + MESSAGES
"""Lines of the screen that are not the board."""
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Viewed(Protocol):
    """A game on show: a board, a line above it, who moves, and whether a cell may be chosen now."""

    board: Board

    def awaits_move(self) -> bool: ...

    def picture(self) -> str: ...

    def title(self) -> str: ...

    def seat_name(self, colour: Colour) -> str: ...


def view_of(game: Viewed, size: tuple[int, int] | None = None) -> Lines | Drawn:
    """Return a view that is drawn in place if the terminal has room for the board, or for a larger one to come."""
    rows, cols = size or (game.board.rows, game.board.cols)
    return Drawn(game) if is_screen(rows + AROUND, max(3 * cols + 3, 40)) else Lines(game)


class Lines:
    """The game line by line: for pipes, and terminals that cannot be drawn on."""

    keys, keys_help = "'help' says what to type", ""

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

    def begin(self) -> None:
        """Note that another game is on show."""

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

    keys, keys_help = KEYS, KEYS_HELP

    def __init__(self, game: Viewed) -> None:
        self.game, self.screen = game, Screen()
        self.typed = ""
        self.prompt = ""
        self.said: list[str] = []
        self.begin()

    def __enter__(self) -> Drawn:
        self.screen.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.screen.__exit__(*error)
        click.echo("\n".join([self.game.picture(), *self.said]))

    def say(self, text: str) -> None:
        """Show a text below the board until the next line is typed or the next cell chosen."""
        self.said += text.splitlines() or [""]

    def begin(self) -> None:
        """Put the cursor back to the middle; Enter plays nothing before somebody has moved it."""
        self.cursor, self.chosen = Cell(self.game.board.rows // 2, self.game.board.cols // 2), False

    def below(self) -> list[str]:
        """Return what was said, or else what the keys do; of more than there is room for only the beginning."""
        said, room = self.lines(), self.room()
        if len(said) <= room:
            return said
        return [*said[: room - 1], f"... and {len(said) - room + 1} lines more"]

    def lines(self) -> list[str]:
        """Return what was said, or else what the keys do, in lines that fit the terminal."""
        width = max(shutil.get_terminal_size().columns - 1, 20)
        folded = (textwrap.wrap(line, width, subsequent_indent="  ") or [""] for line in self.said or [self.keys])
        return [part for parts in folded for part in parts]

    def room(self) -> int:
        """Return how many lines there are below the board."""
        return max(shutil.get_terminal_size().lines - self.game.board.rows - 5, 1)

    def refresh(self, *, thinking: bool = False) -> None:
        board = self.game.picture().splitlines()
        turn = self.game.board.turn
        status = f"{turn} ({self.game.seat_name(turn)}) is thinking ..." if thinking else f"{self.prompt}> {self.typed}"
        if not thinking and self.game.awaits_move():
            self.move(0, 0)
            board[self.cursor.row] = _bracketed(board[self.cursor.row], self.cursor.col)
        self.screen.draw([self.game.title(), *board, "", status, *self.below()])

    def forget(self) -> None:
        return

    def ask(self, prompt: str) -> str:
        """Return the line that was typed, or the name of the cell that was chosen; an empty line if it was neither."""
        self.prompt, self.typed = prompt, ""
        if len(self.lines()) > self.room():
            self.read()
        while True:
            self.refresh()
            line = self.answer(self.screen.key())
            if line is not None:
                self.said = []
                return line

    def read(self) -> None:
        """Show a text that has no room below the board on pages of its own, each until a key is pressed."""
        lines, fitting = self.lines(), max(shutil.get_terminal_size().lines - 2, 1)
        for start in range(0, len(lines), fitting):
            more = "any key: more" if start + fitting < len(lines) else "any key: back to the board"
            self.screen.draw([*lines[start : start + fitting], "", more])
            if self.screen.key() == "end":
                break
        self.said = []

    def answer(self, key: Key) -> str | None:
        """Return what a key asks for, if that is complete."""
        if isinstance(key, Click):
            return self.clicked(key)
        if key in ARROWS:
            self.move(*ARROWS[key])
            self.chosen = True
        elif key == "end":
            return "quit"
        elif key == "enter" or (key == " " and not self.typed):
            return self.typed or self.chosen_cell()
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "escape":
            self.typed = ""
        elif len(key) == 1 and len(self.typed) < 200:
            self.typed += key
        return None

    def chosen_cell(self) -> str:
        """Return the name of the cell under the cursor; nothing if nobody chose it or no move is awaited."""
        return self.game.board.name(self.cursor) if self.chosen and self.game.awaits_move() else ""

    def move(self, down: int, right: int) -> None:
        """Move the cursor; it stays on the board, which may be a smaller one than before."""
        row = min(max(self.cursor.row + down, 0), self.game.board.rows - 1)
        self.cursor = Cell(row, min(max(self.cursor.col + right, 0), self.game.board.cols - 1))

    def clicked(self, place: Click) -> str | None:
        """Return the cell that was clicked, if any; the board begins below the title and beside the row's number."""
        row, col = place[0] - 1, (place[1] - 2) // 3
        if not (0 <= row < self.game.board.rows and place[1] >= 2 and 0 <= col < self.game.board.cols):
            return None
        self.cursor, self.chosen = Cell(row, col), True
        return self.chosen_cell() or None


def _bracketed(line: str, col: int) -> str:
    """The cell under the cursor between brackets; each cell takes three letters after the row's number."""
    at = 2 + 3 * col
    padded = line.ljust(at + 3)
    return f"{padded[:at]}[{padded[at + 1]}]{padded[at + 3 :]}"

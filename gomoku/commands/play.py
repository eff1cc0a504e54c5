"""``gomoku play``: a game in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from gomoku.commands.common import check_input, read_board
from gomoku.commands.options import limit_of, parse_size
from gomoku_patterns.cells import BLACK, Colour, parse_colour
from gomoku_patterns.errors import GomokuError, IllegalMoveError, NotationError, shown
from gomoku_patterns.files import write_file

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.cells import Cell
    from gomoku_patterns.table import Table
    from search.players import Player
    from search.result import Limit, SearchResult

HUMAN = "human"
HINT_SECONDS = 1.0

HELP = """\
h8            play there
undo          take back your last move
hint          what the engine would play
explain [h8]  what the position is worth, or a stone there, and why
board         show the board
save FILE     write the game in the notation of FILE's suffix
help          this list
quit          leave"""


@click.command("play")
@click.option("--player", "own", default=HUMAN, show_default=True, metavar="SPEC", help="Who plays on this side.")
@click.option("--opponent", "other", default="engine", show_default=True, metavar="SPEC", help="Who plays against you.")
@click.option("--colour", metavar="COLOUR", help="Your colour.  [default: the side to move]")
@click.option("--rule", metavar="R", help="Rule of the game.  [default: freestyle, or the loaded file's]")
@click.option("--size", metavar="N|RxC", help="Size of the board.  [default: 15]")
@click.option("--seconds", type=float, metavar="S", help="Seconds an automatic player may take for a move.")
@click.option("--load", metavar="FILE", help="Go on from a position or game in any notation.")
@click.option("--table", default="grade_dict", show_default=True, metavar="T", help="The table that explains.")
def command(
    *,
    own: str,
    other: str,
    colour: str | None,
    rule: str | None,
    size: str | None,
    seconds: float | None,
    load: str | None,
    table: str,
) -> int:
    """Play in the terminal: type h8 to move, 'help' for what else there is.

    A SPEC is a player with its options, such as minmax:depth=4 (see gomoku move --list), or 'human'.

    \b
    gomoku play --opponent minmax --colour white
    gomoku play --rule renju --size 15 --seconds 5
    gomoku play --load game.sgf --player human --opponent human
    """
    from gomoku_patterns.table import load_table

    board = _start(load, rule, size)
    mine = board.turn if colour is None else parse_colour(colour)
    seats = {mine: _seat(own), mine.opponent: _seat(other)}
    return _Game(board, seats, limit_of(seconds=seconds), load_table(table)).run()


def _start(load: str | None, rule: str | None, size: str | None) -> Board:
    """The position the game begins with."""
    from gomoku_patterns.board import Board

    if load is None:
        rows, cols = parse_size(size or "15")
        return Board(rows, cols, rule=rule or "freestyle")
    if load == "-":
        raise click.UsageError("--load needs a file: standard input is where you type")
    board = read_board(load)
    if size is not None and parse_size(size) != (board.rows, board.cols):
        raise click.UsageError(f"the loaded board is {board.rows}x{board.cols}; leave --size {shown(size)} out")
    if rule is not None:
        board.rule = rule
    return board


def _seat(spec: str) -> Player | None:
    """The player of a spec; None for a human."""
    from search.players import player

    return None if spec == HUMAN else player(spec)


class _Game:
    """A game between two seats; humans type, the others are asked."""

    def __init__(self, board: Board, seats: dict[Colour, Player | None], limit: Limit | None, table: Table) -> None:
        self.board, self.seats, self.limit, self.table = board, seats, limit, table
        self.unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
        self.guide: Player | None = None
        self.commands: dict[str, Callable[[str], object]] = {
            "undo": self.undo,
            "hint": self.hint,
            "explain": self.explain,
            "board": self.show,
            "save": self.save,
            "help": lambda _: click.echo(HELP),
            "quit": lambda _: False,
        }

    def run(self) -> int:
        """Play until a human leaves; without humans until the game is over."""
        if None in self.seats.values():
            check_input("moves")
        white = BLACK.opponent
        click.echo(f"black: {self._seat_name(BLACK)}, white: {self._seat_name(white)}; 'help' says what to type")
        self.show()
        while True:
            ending, turn = self.ending(), self.seats[self.board.turn]
            if ending is None and turn is not None:
                self.reply(turn)
            elif None not in self.seats.values() or not self.obey(self.ask(ending)):
                return 0

    def ask(self, ending: str | None) -> str:
        """What the human types; at the end of the input, that is quit."""
        prompt = f"{ending or f'{self.board.turn} to move'}> "
        try:
            if sys.stdin.isatty():
                return input(prompt)
            return sys.stdin.readline() or "quit"
        except EOFError:
            click.echo()
            return "quit"
        except UnicodeDecodeError:
            return "?"

    def obey(self, line: str) -> bool:
        """Do what a line says; False when the human leaves."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return True
        try:
            if word.lower() not in self.commands:
                self.move(line.strip())
                return True
            return self.commands[word.lower()](rest.strip()) is not False
        except GomokuError as error:
            click.echo(str(error))
            return True

    # ------------------------------------------------------------------ moves

    def move(self, text: str) -> None:
        """The human's move, if the rule allows it."""
        if (ending := self.ending()) is not None:
            raise IllegalMoveError(f"{ending}; type undo, save or quit")
        cell = self._cell(text)
        if cell in self.board.forbidden() and self.board.turn is BLACK:
            raise IllegalMoveError(f"{self.board.name(cell)} is forbidden to black under renju")
        self.board.push(cell)
        self.show()
        self.tell_ending()

    def _cell(self, text: str) -> Cell:
        try:
            cell = self.board.cell(text)
        except GomokuError:
            words = ", ".join(self.commands)
            raise NotationError(f"cannot read {shown(text)}; type a cell such as h8, or one of {words}") from None
        if not self.board.is_empty(cell):
            raise IllegalMoveError(f"there is a stone on {self.board.name(cell)}")
        return cell

    def reply(self, player: Player) -> None:
        """The move of an automatic player."""
        turn = self.board.turn
        result = player.search(self.board.copy(), self.limit)
        assert result.move is not None
        click.echo(f"{turn} ({player.name}) plays {self.board.name(result.move)}")
        self.board.push(result.move)
        self.show()
        self.tell_ending()

    def undo(self, _: str) -> None:
        """Take back moves until it is a human's turn again, at least one."""
        if not self.board.moves:
            raise IllegalMoveError("there is no move to take back")
        taken = [self.board.pop()]
        while self.seats[self.board.turn] is not None and self.board.moves:
            taken.append(self.board.pop())
        click.echo(f"taken back: {' '.join(self.board.name(cell) for cell in taken)}")
        self.show()

    def ending(self) -> str | None:
        """How the game has ended, if it has."""
        winner = self.board.winner()
        if winner is not None:
            return f"{winner} ({self._seat_name(winner)}) wins"
        if not self.board.legal_moves():
            return "the game is a draw"
        return None

    def tell_ending(self) -> None:
        if (ending := self.ending()) is not None:
            click.echo(ending)

    def _seat_name(self, colour: Colour) -> str:
        player = self.seats[colour]
        return HUMAN if player is None else player.name

    # ------------------------------------------------------------------ help

    def show(self, _: str = "") -> None:
        """The board; where black may not play is crossed out."""
        from gomoku_patterns.draw import board_text

        barred = self.board.forbidden() if self.board.turn is BLACK and self.board.winner() is None else []
        click.echo(board_text(self.board, marks=dict.fromkeys(barred, "cross"), unicode=self.unicode))

    def hint(self, _: str) -> None:
        """What the engine would play."""
        from search.players import player
        from search.result import Limit

        if (ending := self.ending()) is not None:
            raise IllegalMoveError(f"no hint: {ending}")
        self.guide = self.guide or player("engine")
        click.echo(self._advice(self.guide.search(self.board.copy(), self.limit or Limit(seconds=HINT_SECONDS))))

    def _advice(self, result: SearchResult) -> str:
        names = [self.board.name(cell) for cell in result.pv]
        proof = " and wins by force" if result.stats.get("proven") else ""
        line = f" (expecting {' '.join(names)})" if len(names) > 1 else ""
        return f"{names[0]}{proof}{line}"

    def explain(self, cell: str) -> None:
        """What the position, or a stone of either colour on a cell, is worth."""
        from gomoku_patterns.explain import explain

        if not cell:
            click.echo(str(explain(self.board, self.table)))
            return
        chosen = self._cell(cell)
        for colour in (self.board.turn, self.board.turn.opponent):
            click.echo(str(explain(self.board, self.table, chosen, colour)))

    def save(self, name: str) -> None:
        """Write the game; the suffix says in which notation."""
        from gomoku_patterns.notation import write_position
        from gomoku_patterns.notation.formats import format_of_suffix, formats

        chosen = format_of_suffix(name) if name else None
        if chosen is None:
            suffixes = " ".join(suffix for entry in formats() if entry.write for suffix in entry.suffixes)
            raise NotationError(
                f"cannot tell the notation from the file name {shown(name)}; its suffix has to be one of {suffixes}"
            )
        write_file(name, write_position(self.board, chosen.name))
        click.echo(f"saved {name} ({chosen.title})")

"""``gomoku play``: a game in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from gomoku.commands.common import check_input, read_board
from gomoku.commands.options import limit_of, max_bytes_option, parse_size
from gomoku.game_view import Drawn, Lines, view_of
from gomoku.shapes import fouls, why
from gomoku_patterns.cells import BLACK, Cell, Colour, parse_colour
from gomoku_patterns.errors import GomokuError, IllegalMoveError, NotationError, shown
from gomoku_patterns.files import write_file

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.table import Table
    from search.player_base import Player
    from search.result import Limit, SearchResult

HUMAN = "human"
HINT_SECONDS = 1.0

HELP = """\
h8            play there
undo, redo    take back your last move, play it again
hint          what the engine would play
why h8        what a stone there makes and what it stops
explain [h8]  what the position is worth, or a stone there, by a pattern table
resign        give up the game
new           a new game; undo brings this one back
board         show the board
save FILE     write the game in the notation of FILE's suffix
help          this list
quit          leave"""


@click.command("play")
@click.option("--player", "own", default=HUMAN, show_default=True, metavar="SPEC", help="Who plays on your side.")
@click.option("--opponent", "other", default="engine", show_default=True, metavar="SPEC", help="Who plays against you.")
@click.option("--colour", metavar="COLOUR", help="Your colour.  [default: the side to move]")
@click.option("--rule", metavar="R", help="Rule of the game.  [default: freestyle, or the loaded file's]")
@click.option("--size", metavar="N|RxC", help="Size of the board.  [default: 15]")
@click.option("--seconds", type=float, metavar="S", help="Seconds an automatic player may take for a move.")
@click.option("--load", metavar="FILE", help="Go on from a position or game in any notation.")
@click.option("--table", default="grade_dict", show_default=True, metavar="T", help="The table that explains.")
@max_bytes_option
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
    """Play in the terminal: type h8 to move, or 'help' for the other commands.

    A SPEC is 'human', a person (pip, mimi, tom, anna, wei, chen, ingrid, wu, iron: from a child to the engine at its
    best), or a player with its options, such as minmax:depth=4 (see gomoku move --list).

    \b
    gomoku play --opponent mimi
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
        rows, cols = parse_size("15" if size is None else size)
        return Board(rows, cols, rule="freestyle" if rule is None else rule)
    if load == "-":
        raise click.UsageError("--load needs a file: standard input is where you type")
    board = read_board(load)
    if size is not None and parse_size(size) != (board.rows, board.cols):
        raise click.UsageError(f"the loaded board is {board.rows}x{board.cols}; leave --size {shown(size)} out")
    if rule is not None:
        board.rule = rule
    return board


def _seat(spec: str) -> Player | None:
    """The player of a spec or the person of a name; None for a human."""
    import random

    from gomoku.opponents import OPPONENTS
    from search.players import player

    if spec == HUMAN:
        return None
    person = next((one for one in OPPONENTS if one.name == spec), None)
    return player(spec) if person is None else person.player(seed=random.randrange(1 << 32))


class _Game:
    """A game between two seats; humans say what they want, the others are asked."""

    def __init__(self, board: Board, seats: dict[Colour, Player | None], limit: Limit | None, table: Table) -> None:
        self.board, self.seats, self.limit, self.table = board, seats, limit, table
        self.start = board.copy()
        self.unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
        self.guide: Player | None = None
        self.undone: list[list[Cell]] = []
        self.before: Board | None = None
        self.resigned: Colour | None = None
        self.commands: dict[str, Callable[[str], object]] = {
            "undo": self.undo,
            "redo": self.redo,
            "hint": self.hint,
            "why": self.why,
            "explain": self.explain,
            "resign": self.resign,
            "new": self.new,
            "board": lambda _: self.view.forget(),
            "save": self.save,
            "help": lambda _: self.view.say("\n".join(filter(None, (HELP, self.view.keys_help)))),
            "quit": lambda _: False,
        }
        self.view: Lines | Drawn = view_of(self) if None in seats.values() else Lines(self)

    def run(self) -> int:
        """Play until a human leaves; without humans until the game is over."""
        if None in self.seats.values():
            check_input("moves")
        with self.view:
            if isinstance(self.view, Lines):
                self.view.say(f"{self.title()}; {self.view.keys}")
            self.play()
        return 0

    def play(self) -> None:
        while True:
            ending, turn = self.ending(), self.seats[self.board.turn]
            if ending is None and turn is not None:
                self.reply(turn)
                continue
            self.view.refresh()
            if None not in self.seats.values():
                return
            if not self.obey(self.view.ask(ending or f"{self.board.turn} to move")):
                return

    def obey(self, line: str) -> bool:
        """Do what a line says; False when the human leaves."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return True
        try:
            command = self.command(word.lower())
            if command is None:
                self.move(line.strip())
                return True
            return command(rest.strip()) is not False
        except GomokuError as error:
            self.view.say(str(error))
            return True

    def command(self, word: str) -> Callable[[str], object] | None:
        """The command of this name, or the only one that begins so."""
        if word in self.commands:
            return self.commands[word]
        found = [command for name, command in self.commands.items() if name.startswith(word)]
        return found[0] if len(found) == 1 else None

    # ------------------------------------------------------------------ moves

    def move(self, text: str) -> None:
        """The human's move, if the rule allows it."""
        if (ending := self.ending()) is not None:
            raise IllegalMoveError(f"{ending}; type undo, new, save or quit")
        cell = self._cell(text)
        if self.board.turn is BLACK and (foul := fouls(self.board).get(cell)) is not None:
            raise IllegalMoveError(f"{self.board.name(cell)} is forbidden to black under renju: {foul}")
        self.push(cell)
        self.undone.clear()

    def push(self, cell: Cell) -> None:
        self.board.push(cell)
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
        self.view.refresh(thinking=True)
        turn = self.board.turn
        result = player.search(self.board.copy(), self.limit)
        assert result.move is not None
        self.view.say(f"{turn} ({player.name}) plays {self.board.name(result.move)}")
        self.push(result.move)

    def undo(self, _: str) -> None:
        """Take back moves until it is a human's turn again, at least one; after ``new``, the game before."""
        if self.resigned is not None:
            self.resigned = None
            return
        if not self.board.moves and self.before is not None:
            self.board, self.before = self.before, None
            return
        if not self.board.moves:
            raise IllegalMoveError("there is no move to take back")
        taken = [self.board.pop()]
        while self.seats[self.board.turn] is not None and self.board.moves:
            taken.append(self.board.pop())
        self.undone.append(taken)
        self.view.say(f"taken back: {' '.join(map(self.board.name, taken))}")

    def redo(self, _: str) -> None:
        """Play again what was taken back last."""
        if not self.undone:
            raise IllegalMoveError("there is no move to play again")
        for cell in reversed(self.undone.pop()):
            self.push(cell)

    def resign(self, _: str) -> None:
        """The human to move gives up."""
        if (ending := self.ending()) is not None:
            raise IllegalMoveError(f"{ending}; there is nothing to resign")
        self.resigned = self.board.turn
        self.tell_ending()

    def new(self, _: str) -> None:
        """A new game from where this one began."""
        self.before = self.board if self.board.moves else self.before
        self.board, self.resigned = self.start.copy(), None
        self.undone.clear()
        for seat in self.seats.values():
            if seat is not None:
                seat.new_game()
        self.view.say("a new game; undo brings the other one back")

    def awaits_move(self) -> bool:
        """Whether a human is to move."""
        return self.ending() is None and self.seats[self.board.turn] is None

    def ending(self) -> str | None:
        """How the game has ended, if it has."""
        winner = self.board.winner()
        if winner is not None:
            return f"{winner} ({self.seat_name(winner)}) wins"
        if self.resigned is not None:
            return f"{self.resigned} ({self.seat_name(self.resigned)}) has resigned"
        if not self.board.legal_moves():
            return "the game is a draw"
        return None

    def tell_ending(self) -> None:
        if (ending := self.ending()) is not None:
            self.view.refresh()
            self.view.say(ending)

    def seat_name(self, colour: Colour) -> str:
        player = self.seats[colour]
        return HUMAN if player is None else player.name

    def title(self) -> str:
        return f"black: {self.seat_name(BLACK)}, white: {self.seat_name(BLACK.opponent)}"

    # ------------------------------------------------------------------ help

    def picture(self) -> str:
        """The board; where black may not play is crossed out."""
        from gomoku_patterns.draw import board_text

        barred = fouls(self.board) if self.board.turn is BLACK and self.board.winner() is None else {}
        return board_text(self.board, marks=dict.fromkeys(barred, "cross"), unicode=self.unicode)

    def hint(self, _: str) -> None:
        """What the engine would play."""
        from search.players import player
        from search.result import Limit

        if (ending := self.ending()) is not None:
            raise IllegalMoveError(f"no hint: {ending}")
        self.guide = self.guide or player("engine")
        self.view.say(self._advice(self.guide.search(self.board.copy(), self.limit or Limit(seconds=HINT_SECONDS))))

    def _advice(self, result: SearchResult) -> str:
        names = [self.board.name(cell) for cell in result.pv]
        win = f": {result.win}" if result.win is not None else ""
        line = f" (expecting {' '.join(names)})" if len(names) > 1 else ""
        return f"{names[0]}{win}{line}"

    def explain(self, cell: str) -> None:
        """What the position, or a stone of either colour on a cell, is worth."""
        from gomoku_patterns.explain import explain

        if not cell:
            self.view.say(str(explain(self.board, self.table)))
            return
        chosen = self._cell(cell)
        both = (self.board.turn, self.board.turn.opponent)
        self.view.say("\n".join(str(explain(self.board, self.table, chosen, colour)) for colour in both))

    def why(self, cell: str) -> None:
        """What a stone of the side to move makes and stops."""
        if not cell:
            raise NotationError("which cell? type 'why h8'")
        told = why(self.board, self._cell(cell))
        for verb, shapes in (("makes", told["makes"]), ("stops", told["stops"])):
            found = [
                f"{shape['kind'].replace('-', ' ')} ({shape['line']}: {' '.join(shape['names'])})" for shape in shapes
            ]
            self.view.say(f"{told['name']} {verb} {', '.join(found) or 'nothing'}")

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
        self.view.say(f"saved {name} ({chosen.title})")

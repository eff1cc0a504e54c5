"""``gomoku practise``: puzzles in the terminal, each move judged at once, with a rating."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from gomoku import answers
from gomoku.commands.common import check_input, print_json
from gomoku.commands.options import json_option, parse_rule
from gomoku.game_view import view_of
from gomoku.shapes import fouls, shapes_at
from gomoku_patterns.cells import BLACK, Cell, Colour
from gomoku_patterns.errors import GomokuError, IllegalMoveError, NotationError, SuiteError, printable, shown
from gomoku_patterns.files import write_file
from gomoku_patterns.quantities import amount
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from puzzles import Feedback, Level
    from puzzles.practice import Practice

SECONDS = 5.0
MOST_SHOWN = 13
"""Plies of a refutation."""
LOCK_TRIES, LOCK_PAUSE = 100, 0.05
"""How often a record that another terminal writes is tried again, and after how many seconds."""
RUN_SECONDS, RUN_SLIPS = 180, 3
RUN_FIRST, RUN_STEP = 800, 70
"""A run begins with puzzles of this rating, and each that is solved makes the next so much harder."""
TOLD = {"five": "five in a row", "live-four": "a live four", "two-fours": "two fours", "rush-four": "a rush four"}
TOLD["live-three"] = "a live three"
AFTER_A_SLIP = "type undo, again, solution or next"

HELP = """\
h8            play there; every move is judged at once
hint          the part of the board, then the idea, then the move
solution      the moves of the win; forward and back step through them
undo          take back your last move
again         begin this puzzle anew
next          another puzzle; after a solved one Enter does it too
daily         the puzzle of the day
rating        how strong you are, and what comes again
board         show the board
help          this list
quit          leave"""


@click.command("practise")
@click.option("--suite", "suites", multiple=True, metavar="S", help="A suite by its name or file.  [default: all]")
@click.option("--level", type=int, metavar="N", help="Begin with this level of the suite, huanle without --suite.")
@click.option("--band", type=click.IntRange(1, 10), metavar="B", help="Only puzzles of this difficulty, 1 to 10.")
@click.option("--theme", metavar="TAG", help="Only puzzles that show this, such as double_three.")
@click.option(
    "--rule",
    callback=parse_rule,
    metavar="R",
    help=f"Only puzzles under this rule: {', '.join(Rule)}.  [default: all]",
)
@click.option("--daily", is_flag=True, help="Begin with the puzzle of the day.")
@click.option("--run", "timed", is_flag=True, help="Three minutes, three slips: how many can you solve?")
@click.option("--record", metavar="FILE", help="Where rating and results are kept.  [default: in your home folder]")
@click.option("--rating", "only_rating", is_flag=True, help="Print your rating and leave.")
@json_option
def command(
    *,
    suites: tuple[str, ...],
    level: int | None,
    band: int | None,
    theme: str | None,
    rule: Rule | None,
    daily: bool,
    timed: bool,
    record: str | None,
    only_rating: bool,
    as_json: bool,
) -> int:
    """Practise puzzles: every move is judged at once, a rating says how strong you are, failed puzzles come again.

    \b
    gomoku practise
    gomoku practise --band 4 --theme double_three --rule freestyle
    gomoku practise --suite huanle --level 16
    gomoku practise --run
    gomoku practise --rating --json
    """
    if record == "":
        raise click.UsageError("the name of the file for --record is empty")
    kept = _Kept(_record_file() if record is None else Path(record))
    if only_rating or as_json:
        if not only_rating:
            raise click.UsageError("--json goes with --rating; practice itself is typed")
        _print_rating(kept.practice, as_json=as_json)
        return 0
    levels = _levels(suites or (() if level is None else ("huanle",)), theme, rule)
    first = None if level is None else _named(levels, level)
    return _Practising(levels, kept, band, theme, timed=timed).run(first, daily=daily)


# ---------------------------------------------------------------------- the puzzles, and what is kept


def _levels(suites: tuple[str, ...], theme: str | None, rule: Rule | None) -> dict[str, Level]:
    """Return the levels of the suites, or those under a rule, by names such as ``huanle/16``."""
    import puzzles
    from gomoku_patterns.errors import unknown

    if theme is not None and theme not in puzzles.TAGS:
        raise SuiteError(unknown("theme", theme, puzzles.TAGS))
    found = [puzzles.load(name) for name in suites or puzzles.suite_names()]
    levels = {f"{suite.name}/{level.number}": level for suite in found for level in suite}
    chosen = {key: level for key, level in levels.items() if rule is None or level.position.rule is rule}
    if not chosen:
        raise SuiteError(f"no puzzle is played under {rule}; leave --rule out, or name another --suite")
    return chosen


def _named(levels: dict[str, Level], number: int) -> str:
    key = next((key for key, level in levels.items() if level.number == number), None)
    if key is None:
        raise SuiteError(f"there is no level {number}")
    return key


def _record_file() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111 -- works without a home
    return Path(base) / "gomoku-patterns" / "practice.json"


class _Kept:
    """A record of practice in its file: read again before every result, so that two terminals add to one record."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.practice = self.load()

    def load(self) -> Practice:
        """Read the record as it is now; an empty one where there is no file."""
        from puzzles.practice import Practice

        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return Practice()
        except (OSError, ValueError) as error:
            why = str(getattr(error, "strerror", None) or error).lower()
            raise SuiteError(f"{self.path}: cannot be read: {why}") from None
        try:
            return Practice.from_json(json.loads(text), str(self.path))
        except (ValueError, RecursionError) as error:
            if isinstance(error, GomokuError):
                raise
            raise SuiteError(f"{self.path}: this is not a record of practice: {shown(text)}") from None

    def refresh(self) -> None:
        """Take over what another terminal has recorded meanwhile."""
        self.practice = self.load()

    def record(self, key: str, level: Level, *, solved: bool) -> str:
        """Keep a result; return what it did to the rating."""
        from puzzles.practice import puzzle_rating

        with self._locked():
            self.refresh()
            before = round(self.practice.rating.value)
            self.practice.record(key, puzzle_rating(level), solved=solved, now=int(time.time()))
            write_file(str(self.path), json.dumps(self.practice.to_json(), indent=1) + "\n")
        after = round(self.practice.rating.value)
        return f"rating {after} ({after - before:+d})"

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other terminals from recording meanwhile, by a file beside the record."""
        beside = self.path.with_name(f"{self.path.name}.lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("ab") as file:
                _lock(file, self.path)
                yield
        except OSError as error:
            raise SuiteError(f"{beside}: cannot be made: {(error.strerror or 'an error').lower()}") from None


def _lock(file: IO[bytes], path: Path) -> None:
    """Lock a file until it is closed; recording takes milliseconds, so a lock that stays is an error."""
    try:
        import fcntl
    except ImportError:
        return
    for _ in range(LOCK_TRIES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(LOCK_PAUSE)
    raise SuiteError(f"{path}: another program keeps it locked; the result is not recorded")


def _print_rating(practice: Practice, *, as_json: bool) -> None:
    now = int(time.time())
    if as_json:
        print_json(answers.practice(practice, now))
    else:
        click.echo(_rating_text(practice, now))


def _rating_text(practice: Practice, now: int) -> str:
    due = practice.due(now)
    again = printable(f"; to repeat: {' '.join(due)}") if due else ""
    return f"rating {practice.rating}, {practice.solved} of {amount(len(practice.done), 'puzzle')} solved{again}"


# ---------------------------------------------------------------------- practising


class _Practising:
    """One puzzle after the other, for somebody who types."""

    def __init__(
        self, levels: dict[str, Level], kept: _Kept, band: int | None, theme: str | None, *, timed: bool
    ) -> None:
        self.levels, self.kept, self.band, self.theme = levels, kept, band, theme
        self.run_of = _Run() if timed else None
        self.key, self.opened = next(iter(levels)), False
        self.board = self.level.board
        self.start: Board = self.level.board
        self.within: int | None = None
        self.hints = 0
        self.recorded = False
        self.walk: tuple[tuple[Cell, ...], int] | None = None
        self.wrong = False
        self.unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
        self.commands: dict[str, Callable[[], object]] = {
            "hint": self.hint,
            "solution": self.solution,
            "forward": lambda: self.step(1),
            "back": lambda: self.step(-1),
            "undo": self.undo,
            "again": self.again,
            "next": self.next,
            "daily": self.daily,
            "rating": self.rating,
            "board": self.forget,
            "help": lambda: self.view.say("\n".join(filter(None, (HELP, self.view.keys_help)))),
            "quit": lambda: False,
        }
        boards = [level.position for level in levels.values()]
        self.view = view_of(self, (max(board.rows for board in boards), max(board.cols for board in boards)))

    @property
    def level(self) -> Level:
        return self.levels[self.key]

    def run(self, first: str | None, *, daily: bool) -> int:
        check_input("moves")
        if daily:
            self.daily()
        elif first is not None:
            self.open(first)
        elif self.next() is False:
            raise SuiteError("no puzzle is of this difficulty and theme; leave --band or --theme out")
        with self.view:
            self.view.say(f"find the win; {self.view.keys}")
            while True:
                self.view.refresh()
                if not self.obey(self.view.ask(self.prompt())):
                    return 0

    def obey(self, line: str) -> bool:
        """Do what a line says; False when it is time to leave."""
        if self.run_of is not None and self.run_of.is_over():
            self.view.say(self.run_of.result())
            return False
        word = line.strip().lower()
        try:
            if not word:
                return self.empty_line() is not False
            command = self.commands.get(word)
            if command is not None:
                return command() is not False
            self.walk = None
            self.move(line.strip())
        except GomokuError as error:
            self.view.say(str(error))
        return self.run_of is None or not self.run_of.is_over() or self.end_run()

    def empty_line(self) -> object:
        """Enter goes on: to the next move of a solution, or to the next puzzle after a solved one."""
        if self.walk is not None:
            self.step(1)
        elif self.board.winner() is not None:
            return self.next()
        elif self.wrong:
            self.view.say(AFTER_A_SLIP)
        return None

    def end_run(self) -> bool:
        assert self.run_of is not None
        self.view.say(self.run_of.result())
        return False

    # ------------------------------------------------------------------ which puzzle

    def open(self, key: str) -> None:
        self.key = key
        self.recorded = False
        self.opened = True
        self.again()
        self.view.begin()

    def again(self) -> None:
        """The puzzle from its beginning."""
        self.start = self.level.board
        self.board = self.start.copy()
        self.within, self.hints, self.walk, self.wrong = self.level.length, 0, None, False

    def next(self) -> object:
        from puzzles.practice import has, next_level

        wanted = {key: level for key, level in self.levels.items() if has(level, self.band, self.theme)}
        if self.run_of is not None:
            key = self.run_of.next(wanted)
        else:
            self.kept.refresh()
            if self.opened and len(wanted) > 1:
                wanted.pop(self.key, None)
            key = next_level(wanted, self.kept.practice, now=int(time.time()))
        if key is None:
            return False
        self.open(key)
        return None

    def daily(self) -> None:
        from puzzles.practice import daily

        today = datetime.datetime.now(datetime.UTC).date()
        key = daily([(key, level.band) for key, level in self.levels.items()], today)
        assert key is not None
        self.open(key)

    # ------------------------------------------------------------------ a move, and what it is worth

    def move(self, text: str) -> None:
        if self.board.winner() is not None or self.wrong:
            raise IllegalMoveError(AFTER_A_SLIP)
        before = self.board.copy(moves=False)
        cell = self._cell(text)
        self.board.push(cell)
        self.hints = 0
        self.view.refresh(thinking=True)
        found = self.judged(before, cell)
        if found.refused:
            self.slip(found)
        elif found.plies == 0:
            self.solved()
        else:
            self.answer(found)

    def judged(self, before: Board, cell: Cell) -> Feedback:
        import puzzles
        from search.result import Limit

        return puzzles.feedback(before, cell, Limit(seconds=SECONDS), within=self.within)

    def _cell(self, text: str) -> Cell:
        try:
            cell = self.board.cell(text)
        except GomokuError:
            words = ", ".join(self.commands)
            raise NotationError(f"cannot read {shown(text)}; type a cell such as h8, or one of {words}") from None
        if not self.board.is_empty(cell):
            raise IllegalMoveError(f"there is a stone on {self.board.name(cell)}")
        if self.board.turn is BLACK and (foul := fouls(self.board).get(cell)) is not None:
            raise IllegalMoveError(f"{self.board.name(cell)} is forbidden to black under renju: {foul}")
        return cell

    def answer(self, found: Feedback) -> None:
        """The defence holds out; how long that can last is said if it is known. A move that was not settled goes on."""
        assert found.reply is not None
        you, name, wanted = self.board.turn.opponent, self.board.name(found.move), self.within
        they, reply = self.board.turn, self.board.name(found.reply)
        self.board.push(found.reply)
        self.within = None if found.plies is None else found.plies - 1
        if not found.still_wins:
            self.view.say(f"whether {name} wins is not settled, and it costs nothing; {they} answers {reply}")
            return
        wins = f"{you} wins in {'' if found.exact else 'at most '}{self.within}"
        other = ""
        if wanted is not None and found.plies is not None and found.plies + 1 > wanted:
            other = f" ({wanted - 2} was possible)"
        elif len(self.board.moves) == 2 and self.level.line and self.level.line[0] != found.move:
            other = " (another way than the solution's)"
        self.view.say(f"{name}: still winning, {wins}{other}; {they} answers {reply}")

    def slip(self, found: Feedback) -> None:
        self.wrong = True
        name = self.board.name(found.move)
        verdict = f"{name} wins no longer"
        they = self.board.turn
        line = " ".join(map(self.board.name, found.line[:MOST_SHOWN])) + (
            " ..." if len(found.line) > MOST_SHOWN else ""
        )
        wins = f" and {they} wins in {found.loses_in}" if found.loses_in else ""
        told = f"{verdict}: {line}{wins}" if line else verdict
        if self.run_of is not None:
            self.run_slip(told)
            return
        self.view.say(told)
        self.count(solved=False)
        self.view.say("undo takes it back; solution shows the win")

    def run_slip(self, told: str) -> None:
        """Count a slip of a run and explain it; the board of the last slip stays."""
        assert self.run_of is not None
        key = self.level.line[:1] or self.level.wins[:1]
        right = f"; {self.start.name(key[0])} wins" if key else ""
        self.view.say(printable(f"{self.key}: {told}{right}"))
        self.run_of.slips += 1
        if not self.run_of.is_over():
            self.next()

    def solved(self) -> None:
        self.view.refresh()
        tags = ", ".join(self._tag(name) for name in self.level.tags)
        self.view.say(f"solved!{f' ({tags})' if tags else ''}")
        if self.run_of is not None:
            self.run_of.solved += 1
            self.next()
            return
        self.count(solved=True)
        self.view.say("Enter or next: another puzzle")

    def _tag(self, name: str) -> str:
        from puzzles import TAGS

        return TAGS[name].english

    def count(self, *, solved: bool) -> None:
        """The first thing that happens decides: solved without a slip and without help, or not."""
        if not self.recorded and self.run_of is None:
            self.recorded = True
            self.view.say(self.kept.record(self.key, self.level, solved=solved))

    def undo(self) -> None:
        if not self.board.moves:
            raise IllegalMoveError("there is no move to take back")
        self.board.pop()
        if self.board.turn is not self.start.turn:
            self.board.pop()
        self.wrong, self.walk, self.hints = False, None, 0
        self.within = self.level.length if not self.board.moves else None

    # ------------------------------------------------------------------ help

    def _best(self) -> Cell:
        from search import solve
        from search.result import Limit

        if not self.board.moves and self.level.line:
            return self.level.line[0]
        found = None if self.wrong else solve(self.board, Limit(seconds=SECONDS), shortest=True).move
        if found is None:
            raise IllegalMoveError("there is no win from here; type undo first")
        return found

    def hint(self) -> None:
        """The part of the board, then the idea, then the move."""
        if self.run_of is not None:
            raise IllegalMoveError("there are no hints in a run")
        best = self._best()
        self.count(solved=False)
        self.hints = min(self.hints + 1, 3)
        stages: list[Callable[[Cell], str]] = [self._area, self._idea, lambda cell: f"play {self.board.name(cell)}"]
        words = stages[self.hints - 1](best)
        self.view.say(f"hint {self.hints} of 3: {words}")

    def _area(self, cell: Cell) -> str:
        rows, cols = self.board.rows, self.board.cols
        up = "upper" if cell.row < rows / 3 else "lower" if cell.row >= 2 * rows / 3 else "middle"
        side = "left" if cell.col < cols / 3 else "right" if cell.col >= 2 * cols / 3 else "middle"
        where = "in the middle" if up == side else f"in the {up} {side}" if "middle" not in (up, side) else ""
        where = where or (f"in the middle of the {side} side" if up == "middle" else f"in the {up} middle")
        middle = cell.col + (cell.row + 3 * cell.col) % 5 - 2  # not always the column of the move
        first, last = max(middle - 2, 0), min(middle + 2, cols - 1)
        return f"look {where} of the board, columns {chr(97 + first)} to {chr(97 + last)}"

    def _idea(self, cell: Cell) -> str:
        made = [TOLD[shape.kind] for shape in shapes_at(self.board, cell, self.board.turn) if shape.kind in TOLD]
        stopped = [shape for shape in shapes_at(self.board, cell, self.board.turn.opponent) if shape.kind in TOLD]
        stops = f" that stops {TOLD[stopped[0].kind]} of {self.board.turn.opponent}" if stopped else ""
        if made:
            return f"look for {' and '.join(made)}{stops}"
        return f"look for a move{stops}" if stops else "look for a quiet move: no four, no live three"

    def solution(self) -> None:
        """The win from the beginning of the puzzle; forward and back step through it."""
        from search import solve
        from search.natural import natural_line
        from search.result import Limit

        if self.run_of is not None:
            raise IllegalMoveError("there are no solutions in a run")
        line = self.level.line
        if not line:
            found = solve(self.start, Limit(seconds=SECONDS), shortest=True)
            if found.proof is None:
                raise SuiteError("no win was found in the time there was")
            line = natural_line(found.proof)
        self.count(solved=False)
        self.again()
        self.walk = tuple(line), 0
        moves = " ".join(name for _, name in self._numbered_line(self.walk[0]))
        self.view.say(f"{self.start.turn} wins in {len(line)}: {moves}")
        self.view.say("forward (or Enter) and back step through it; again begins anew")

    def step(self, by: int) -> None:
        if self.walk is None:
            raise IllegalMoveError("type solution first")
        line, at = self.walk
        at = max(0, min(at + by, len(line)))
        self.walk = line, at
        self.board = self.start.copy()
        for cell in line[:at]:
            self.board.push(cell)
        names = [f"({name})" if number == at else name for number, name in self._numbered_line(line)]
        self.view.say(" ".join(names))

    def _numbered_line(self, line: tuple[Cell, ...]) -> Iterator[tuple[int, str]]:
        return ((number, f"{number}. {self.start.name(cell)}") for number, cell in enumerate(line, 1))

    def rating(self) -> None:
        self.kept.refresh()
        self.view.say(_rating_text(self.kept.practice, int(time.time())))

    # ------------------------------------------------------------------ what is shown

    def prompt(self) -> str:
        if self.run_of is not None:
            return self.run_of.prompt(self.board.turn)
        if self.walk is not None:
            return f"solution, move {self.walk[1]} of {len(self.walk[0])}"
        if self.board.winner() is not None:
            return "solved"
        return "no longer winning" if self.wrong else f"{self.board.turn} to move and win"

    def awaits_move(self) -> bool:
        """Whether a cell may be chosen: not after a slip or a win, and not in a solution."""
        return self.walk is None and not self.wrong and self.board.winner() is None

    def forget(self) -> None:
        """Show the board again even where it has not changed."""
        self.view.forget()

    def title(self) -> str:
        band = f", band {self.level.band} of 10" if self.level.band else ""
        rule = f", {self.board.rule.value}" if self.board.rule.value != "freestyle" else ""
        return printable(f"{self.key}{band}{rule}")

    def seat_name(self, colour: Colour) -> str:
        return "you" if colour is self.start.turn else "the defence"

    def picture(self) -> str:
        from gomoku_patterns.draw import board_text

        barred = fouls(self.board) if self.board.turn is BLACK and self.board.winner() is None else {}
        return board_text(self.board, marks=dict.fromkeys(barred, "cross"), unicode=self.unicode)


class _Run:
    """A run against the clock: puzzles that become harder as they are solved, until the time or three slips are up."""

    def __init__(self) -> None:
        self.ends = time.monotonic() + RUN_SECONDS
        self.solved = self.slips = 0
        self.used: set[str] = set()

    def next(self, levels: dict[str, Level]) -> str | None:
        from puzzles.practice import nearest

        fresh = {key: level for key, level in levels.items() if key not in self.used}
        key = nearest(fresh, RUN_FIRST + RUN_STEP * self.solved)
        if key is not None:
            self.used.add(key)
        return key

    def is_over(self) -> bool:
        return self.slips >= RUN_SLIPS or time.monotonic() >= self.ends

    def prompt(self, turn: Colour) -> str:
        left = max(0, round(self.ends - time.monotonic()))
        return f"{left // 60}:{left % 60:02d}, {self.solved} solved, {self.slips} of {RUN_SLIPS} slips; {turn} to move"

    def result(self) -> str:
        return f"the run is over: {self.solved} solved"

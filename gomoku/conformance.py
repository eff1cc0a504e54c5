"""Does an engine speak the Gomocup protocol as referees really use it?

Each check starts the engine afresh, holds one short dialogue and says pass, fail or unsupported (for what the protocol
leaves optional), with the dialogue and what to mend. Among them are the traps of the judge that runs the tournaments:
START and all INFO lines in one write, a game that always opens with BOARD, lines it does not understand skipped until
time is up, an engine suspended on its opponent's turn, and memory counted over the whole tree of processes.

After a move the next command comes as managers send it, once the opponent has had a moment. Whether an engine hears
what comes at once is a check of its own.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from arena.process import EngineProcess, Gone, memory_of_family
from arena.protocol import LINE_END, coordinates, informed
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.notation.gomocup import block_lines

KNOWN = re.compile(r"(?:MESSAGE|DEBUG|UNKNOWN|ERROR|SUGGEST|OK|SWAP|FORBID)\b|(?:\d+,\d+ ?)+\Z|name=", re.IGNORECASE)
TALK = re.compile(r"(?:MESSAGE|DEBUG)\b", re.IGNORECASE)
PATIENCE_SECONDS = 10.0
QUIET_SECONDS = 0.3
TOLERANCE_SECONDS = 1.0
EXIT_SECONDS = 1.0
OPPONENT_SECONDS = 0.2
"""What passes between a move and the next command; at a manager it is the opponent's time."""
READY_AFTER = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5)
"""How soon after a move the next command is tried, in seconds."""
READY_PATIENCE_SECONDS = 2.0
LONGEST_SCRIPT = 1000
"""Lines of a dialogue that are kept: an engine may talk without end."""


class Failed(Exception):  # noqa: N818  (an outcome of a check, not an error of the program)
    """The engine did not do what the check demands."""


class Unsupported(Exception):  # noqa: N818  (an outcome of a check, not an error of the program)
    """The engine says that it does not know an optional command."""


class Dialogue:
    """One engine process, what was said to it and what it said."""

    def __init__(self, command: Sequence[str]) -> None:
        self.script: deque[str] = deque(maxlen=LONGEST_SCRIPT)
        self.strange: str | None = None
        self.process = EngineProcess(command)
        self._moved = 0.0

    def send(self, *lines: str, end: str = LINE_END, pause: float = OPPONENT_SECONDS) -> None:
        """Send lines in one write, as managers do: after a move not at once."""
        time.sleep(max(0.0, self._moved + pause - time.monotonic()))
        self.script += [f"> {line}" for line in lines]
        if not self.process.send(*lines, end=end):
            raise Failed("the engine closed its input")

    def hear(self, seconds: float) -> str | None:
        """The next line that is not MESSAGE or DEBUG; None when it says nothing in that time."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self.process.receive(left)
            except Gone:
                raise Failed("the engine ended") from None
            if not line:
                continue
            self.script.append(f"< {line[:400]}")
            if self.strange is None and not KNOWN.match(line):
                self.strange = line
            if not TALK.match(line):
                return line
        return None

    def expect(self, pattern: str, seconds: float | None = None) -> str:
        """The next line, which has to be of this form."""
        patience = PATIENCE_SECONDS if seconds is None else seconds
        line = self.hear(patience)
        if line is None:
            raise Failed(f"no answer within {patience:g} s")
        if not re.match(pattern, line, re.IGNORECASE):
            raise Failed(f"expected {pattern}, heard {line!r}")
        return line

    def expect_silence(self, seconds: float = QUIET_SECONDS) -> None:
        if line := self.hear(seconds):
            raise Failed(f"expected no answer, heard {line!r}")

    def expect_move(self, board: Board, seconds: float | None = None) -> Cell:
        """A move that can be played on the board, where it is then played."""
        found = coordinates(self.expect(r"\d+,\d+", seconds))
        self._moved = time.monotonic()
        cell = Cell(found[1], found[0]) if found else Cell(-1, -1)
        if cell not in board.legal_moves():
            raise Failed(f"expected a legal move, heard {cell.col},{cell.row}")
        board.push(cell)
        return cell

    def expect_supported(self, pattern: str, seconds: float | None = None) -> str:
        """An answer to an optional command."""
        line = self.expect(rf"{pattern}|UNKNOWN|ERROR", seconds)
        if re.match("UNKNOWN|ERROR", line, re.IGNORECASE):
            raise Unsupported(line)
        return line

    def begin(self, size: int = 15, **info: int) -> Board:
        """START, and INFO for a quick game unless told otherwise."""
        self.send(f"START {size}")
        self.expect("OK")
        facts = {"timeout_turn": 500, "timeout_match": 60_000, "time_left": 60_000, "rule": 0, **info}
        self.send(*informed(facts))
        return Board(size, rule=facts["rule"])

    def place(self, board: Board) -> None:
        """The position as a BOARD block, own stones first."""
        cells = [*board.stones(board.turn), *board.stones(board.turn.opponent)]
        self.send(*block_lines(board, order=cells))

    def close(self) -> None:
        self.process.close(farewell=0.0)


# ---------------------------------------------------------------------- the checks


@dataclass(frozen=True)
class Check:
    """One promise of the protocol and what to mend when it is broken."""

    name: str
    promise: str
    mend: str
    run: Callable[[Dialogue], None]
    optional: bool = False


def _start(talk: Dialogue) -> None:
    talk.begin(20)
    talk.send("START 15")
    talk.expect("OK")


def _burst(talk: Dialogue) -> None:
    board = Board()
    keys = ("timeout_turn 500", "timeout_match 60000", "max_memory 367001600", "game_type 1", "rule 0", "folder /tmp")
    talk.send("START 15", *(f"INFO {key}" for key in keys), "INFO time_left 60000", "BOARD", "DONE")
    talk.expect("OK")
    talk.expect_move(board)


def _begin(talk: Dialogue) -> None:
    board = talk.begin()
    talk.send("BEGIN")
    talk.expect_move(board)


def _empty_board(talk: Dialogue) -> None:
    board = talk.begin()
    talk.send("BOARD", "DONE")
    talk.expect_move(board)


def _turns(talk: Dialogue) -> None:
    board = talk.begin(timeout_turn=100)
    for _ in range(6):
        if board.is_over():
            break  # the engine has won
        cell = next(cell for cell in board.legal_moves() if (cell.row * 7 + cell.col * 3) % 5 == 0)
        board.push(cell)
        talk.send(f"TURN {cell.col},{cell.row}")
        talk.expect_move(board)


def _ready(talk: Dialogue) -> None:
    """The next command at once after a move; where that is not heard, how long the engine wants to be left alone."""
    for pause in READY_AFTER:
        board = talk.begin(timeout_turn=300)
        talk.send("BOARD", "DONE")
        talk.expect_move(board)
        board.push(board.legal_moves()[0])
        cell = board.peek()
        talk.send(f"TURN {cell.col},{cell.row}", pause=pause)
        if (line := talk.hear(READY_PATIENCE_SECONDS)) is None:
            continue
        if not coordinates(line):
            raise Failed(f"expected a move, heard {line!r}")
        if pause:
            raise Failed(f"not ready for up to {1000 * pause:.0f} ms after a move: what came sooner was lost")
        return
    raise Failed(
        f"not ready for {1000 * READY_AFTER[-1]:.0f} ms after a move: commands that came in that time were lost"
    )


def _any_order(talk: Dialogue) -> None:
    board = talk.begin()
    for name in ("h8", "h9", "i9", "g7"):
        board.push(name)
    talk.place(board)
    talk.expect_move(board)


def _black_or_white(talk: Dialogue) -> None:
    board = talk.begin()
    for name in ("h8", "h9", "i9"):
        board.push(name)
    talk.place(board)
    talk.expect_move(board)
    cell = next(iter(board.legal_moves()))
    board.push(cell)
    talk.send(f"TURN {cell.col},{cell.row}")
    talk.expect_move(board)


def _again(talk: Dialogue) -> None:
    for names in (("h8", "h9"), ("h8", "i8", "a1", "b2"), ()):
        board = talk.begin()
        for name in names:
            board.push(name)
        talk.place(board)
        talk.expect_move(board)
    # The one free cell of this board was taken before: an engine that remembers that finds none.
    _last_cell(talk)


def _info(talk: Dialogue) -> None:
    talk.begin()
    talk.send("INFO timeout_turn 1000", "INFO no_such_key 7", "INFO evaluate 3,3", "INFO", "info TIME_LEFT 5000")
    talk.send("INFO time_left -100", "INFO time_left 2147483647", "INFO folder C:\\some where\\x")
    talk.expect_silence()


def _turn_time(talk: Dialogue) -> None:
    for turn, left in ((1000, 60_000), (300, 2_000), (0, 60_000)):
        board = talk.begin(timeout_turn=turn, timeout_match=180_000, time_left=left)
        for name in ("h8", "h9", "i9", "g7", "j10", "g10"):
            board.push(name)
        begun = time.monotonic()
        talk.place(board)
        talk.expect_move(board)
        spent, allowed = time.monotonic() - begun, min(turn, left) / 1000
        if spent > allowed + TOLERANCE_SECONDS:
            raise Failed(f"{spent:.2f} s for a turn of {allowed:g} s")


def _late(talk: Dialogue) -> None:
    board = talk.begin(timeout_turn=1000, timeout_match=10_000, time_left=-50)
    for name in ("h8", "h9"):
        board.push(name)
    begun = time.monotonic()
    talk.place(board)
    talk.expect_move(board)
    if time.monotonic() - begun > TOLERANCE_SECONDS:
        raise Failed("thought on although its time was up")


def _unknown(talk: Dialogue) -> None:
    board = talk.begin()
    talk.send("FROBNICATE 1,2,3")
    talk.expect("UNKNOWN|ERROR")
    talk.send("BEGIN")
    talk.expect_move(board)


def _bad_turn(talk: Dialogue) -> None:
    board = talk.begin(timeout_turn=100)
    for bad in ("TURN 99,99", "TURN x,y", "TURN"):
        talk.send(bad)
        talk.expect("ERROR|UNKNOWN")
    board.push("h8")
    talk.send("TURN 7,7")
    talk.expect_move(board)
    talk.send("TURN 7,7")
    talk.expect("ERROR|UNKNOWN")


def _line_ends(talk: Dialogue) -> None:
    talk.send("START 15", end="\n")
    talk.expect("OK")
    talk.send("", "", "INFO timeout_turn 300", "", "BEGIN", end="\n")
    talk.expect_move(Board())


def _case(talk: Dialogue) -> None:
    talk.send("start 15")
    talk.expect_supported("OK")
    talk.send("INFO TIMEOUT_TURN 300", "begin")
    talk.expect_move(Board())


def _about(talk: Dialogue) -> None:
    talk.send("ABOUT")
    line = talk.expect(".*name=")
    if not re.search(r'name="[^"]+".*version="[^"]*"', line):
        raise Failed(f'expected name="...", version="...", heard {line!r}')


def _restart(talk: Dialogue) -> None:
    board = talk.begin(timeout_turn=200)
    talk.send("BEGIN")
    talk.expect_move(board)
    talk.send("RESTART")
    talk.expect_supported("OK")
    talk.send("BEGIN")
    talk.expect_move(Board())


def _rectangle(talk: Dialogue) -> None:
    talk.send("RECTSTART 20,15")
    talk.expect_supported("OK")
    talk.send("INFO timeout_turn 300", "INFO rule 0", "TURN 19,14")
    board = Board(15, 20)
    board.push((14, 19))
    talk.expect_move(board)


def _takeback(talk: Dialogue) -> None:
    board = talk.begin(timeout_turn=200)
    board.push("h8")
    talk.send("TURN 7,7")
    cell = talk.expect_move(board)
    talk.send(f"TAKEBACK {cell.col},{cell.row}")
    talk.expect_supported("OK")
    talk.send("TAKEBACK 7,7")
    talk.expect("OK")
    talk.send("TURN 7,7")
    talk.expect_move(Board(black=["h8"]))


def _end(talk: Dialogue) -> None:
    talk.begin()
    talk.send("END")
    if not talk.process.ended_within(EXIT_SECONDS):
        raise Failed(f"still there {EXIT_SECONDS:g} s after END")


def _end_thinking(talk: Dialogue) -> None:
    board = talk.begin(timeout_turn=20_000)
    for name in ("h8", "h9", "i9"):
        board.push(name)
    talk.place(board)
    time.sleep(0.5)
    talk.send("END")
    if not talk.process.ended_within(EXIT_SECONDS):
        raise Failed(f"thought on for more than {EXIT_SECONDS:g} s after END")


def _stop(talk: Dialogue) -> None:
    board = talk.begin(timeout_turn=20_000, timeout_match=0, time_left=2147483647)
    for name in ("h8", "h9", "i9"):
        board.push(name)
    talk.place(board)
    if talk.hear(0.7):
        return
    talk.send("YXSTOP")
    line = talk.hear(1.0)
    if line is None or not coordinates(line):
        raise Unsupported(line or "thought on after YXSTOP")


def _suspended(talk: Dialogue) -> None:
    board = talk.begin()
    talk.send("BEGIN")
    talk.expect_move(board)
    talk.process.suspend()
    time.sleep(1.0)
    talk.process.resume()
    cell = board.legal_moves()[0]
    board.push(cell)
    talk.send("INFO time_left 50000", f"TURN {cell.col},{cell.row}")
    talk.expect_move(board)


def _memory(talk: Dialogue) -> None:
    try:
        import psutil
    except ImportError:
        raise Unsupported("psutil is not installed: pip install 'gomoku-patterns[match]'") from None
    limit = 367_001_600
    board = talk.begin(timeout_turn=1000, max_memory=limit)
    for name in ("h8", "h9", "i9", "g7", "j10"):
        board.push(name)
    talk.place(board)
    talk.expect_move(board)
    if talk.process.ended_within(QUIET_SECONDS):
        raise Failed(f"the engine ended with status {talk.process.status} after its move")
    used = memory_of_family(psutil, talk.process.pid)
    if used > limit:
        raise Failed(f"{used >> 20} MB held, {limit >> 20} MB allowed")


def _five(talk: Dialogue) -> None:
    board = talk.begin()
    for name in ("h8", "a1", "i8", "a3", "j8", "c1", "k8", "o15"):
        board.push(name)
    talk.place(board)
    talk.expect_move(board)
    if board.winner() is None:
        raise Failed("did not make five although it could")


def _exactly_five(talk: Dialogue) -> None:
    board = talk.begin(rule=1)
    for name in ("d8", "d9", "e8", "e9", "g8", "f9", "h8", "m3", "i8", "m5"):
        board.push(name)
    talk.place(board)
    if board.name(talk.expect_move(board)) == "f8":
        raise Failed("made six in a row, which wins nothing under the standard rule")


def _renju(talk: Dialogue) -> None:
    board = talk.begin(rule=4)
    for name in ("g8", "a1", "i8", "c1", "h7", "e1", "h9", "g1"):
        board.push(name)
    talk.send(*block_lines(board))
    talk.expect_move(board)


def _last_cell(talk: Dialogue) -> None:
    board = talk.begin(15, timeout_turn=200)
    cells = [cell for cell in board.cells() if cell != (7, 7)]
    for cell in cells:
        board.push(cell, "black" if (cell.col // 2 + cell.row) % 2 else "white")
    if board.winner():
        raise Unsupported("the pattern of this check makes five on such a board")
    board.turn = "white"
    talk.place(board)
    talk.expect_move(board)


def _swap2(talk: Dialogue) -> None:
    talk.begin()
    talk.send("SWAP2BOARD", "DONE")
    talk.expect_supported(r"\d+,\d+ \d+,\d+ \d+,\d+\Z")
    for stones in (("7,7", "8,8", "9,7"), ("7,7", "8,8", "9,7", "3,3", "10,4")):
        talk.send("SWAP2BOARD", *stones, "DONE")
        talk.expect(r"SWAP|\d+,\d+( \d+,\d+)?\Z")


def _only_known_lines(talk: Dialogue) -> None:
    _turns(talk)
    if talk.strange is not None:
        raise Failed(f"heard {talk.strange!r}, which is nothing a manager knows")


CHECKS = (
    Check("start", "START 20 and START 15 are answered by OK", "answer START with OK at once", _start),
    Check("burst", "START, all INFO and BOARD in one write", "read line by line; discard nothing", _burst),
    Check("begin", "BEGIN is answered by a move", "answer BEGIN with x,y", _begin),
    Check("empty board", "BOARD, DONE without stones is a BEGIN", "let an empty BOARD open the game", _empty_board),
    Check("turns", "TURN is answered by legal moves", "keep the board in step with the game", _turns),
    Check("ready", "a command right after its move is heard", "say the move when you can read again", _ready),
    Check("board order", "BOARD lists own stones first, then the others", "take the stones in any order", _any_order),
    Check("second player", "BOARD as white, then TURN", "do not suppose that you play black", _black_or_white),
    Check("new games", "START and BOARD again and again", "forget the old stones at START and BOARD", _again),
    Check("info", "INFO is never answered, whatever the key", "say nothing at INFO; ignore unknown keys", _info),
    Check("turn time", "the turn's time is kept, also 0 for 'fast'", "stop earlier; 0 means at once", _turn_time),
    Check("no time left", "a negative time_left is answered at once", "move at once when time_left is spent", _late),
    Check("unknown", "an unknown command gets UNKNOWN and no harm", "answer UNKNOWN and go on", _unknown),
    Check("bad turn", "an impossible TURN gets ERROR and no harm", "check before you play; answer ERROR", _bad_turn),
    Check("line ends", "LF alone and empty lines are accepted", "accept CR LF and LF; skip empty lines", _line_ends),
    Check("case", "commands in lower case", "compare commands without regard to case", _case, optional=True),
    Check("about", "ABOUT names the engine", 'answer name="...", version="..." on one line', _about),
    Check("restart", "RESTART begins a new game", "answer RESTART with OK", _restart, optional=True),
    Check("rectangle", "RECTSTART 20,15 (columns, rows)", "width comes first in RECTSTART", _rectangle, optional=True),
    Check("takeback", "TAKEBACK takes moves back", "answer TAKEBACK with OK", _takeback, optional=True),
    Check("end", "END ends the process", "exit at END and at the end of input", _end),
    Check("end thinking", "END ends it while it thinks", "read commands while you think", _end_thinking),
    Check("stop", "YXSTOP brings the move at once", "read commands while you think", _stop, optional=True),
    Check("suspended", "it survives being suspended", "do not measure time on the opponent's turn", _suspended),
    Check("memory", "max_memory is kept by the whole process tree", "size tables by INFO max_memory", _memory),
    Check("five", "it makes five when it can", "look for a five first", _five),
    Check("exactly five", "rule 1: six in a row does not win", "obey INFO rule 1", _exactly_five),
    Check("renju", "rule 4: black plays no forbidden point", "obey INFO rule 4", _renju),
    Check("last cell", "it plays the last free cell", "cope with a nearly full board", _last_cell),
    Check("swap2", "SWAP2BOARD with no, three and five stones", "see Swap2 in the protocol", _swap2, optional=True),
    Check("known lines", "it says only what a manager knows", "begin remarks with MESSAGE or DEBUG", _only_known_lines),
)  # fmt: skip


# ---------------------------------------------------------------------- running them


@dataclass(frozen=True)
class Outcome:
    """What became of a check: ``pass``, ``fail`` or ``unsupported``, why, and the dialogue."""

    check: Check
    status: str
    reason: str = ""
    script: tuple[str, ...] = field(default=(), repr=False)


def examine(command: Sequence[str], checks: Iterable[Check] = CHECKS) -> Iterable[Outcome]:
    """Run the checks one after the other, each with a fresh process."""
    for check in checks:
        yield _examine_one(command, check)


def _examine_one(command: Sequence[str], check: Check) -> Outcome:
    try:
        talk = Dialogue(command)
    except OSError as error:
        raise ArenaError(f"cannot start {command[0]!r}: {(error.strerror or str(error)).lower()}") from None
    try:
        check.run(talk)
        status, reason = "pass", ""
    except Unsupported as unsupported:
        status, reason = "unsupported", str(unsupported)
    except Failed as failed:
        status, reason = "fail", str(failed)
    finally:
        talk.close()
    return Outcome(check, status, reason, tuple(talk.script))


def chosen(names: Sequence[str]) -> tuple[Check, ...]:
    """The checks with these names, all without any."""
    known = {check.name: check for check in CHECKS}
    for name in names:
        if name not in known:
            raise ArenaError(f"there is no check {name!r}; the checks are {', '.join(known)}")
    return tuple(known[name] for name in names) or CHECKS

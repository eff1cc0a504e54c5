"""What makes a puzzle sound: a proven win, no shorter one, and one first move that wins as soon.

*Wins within n plies* means that the side to move makes five in at most n plies against every defence. A study shows
that the position is won within n plies, by a proof; that it is not won within n - 2; and that no first move but the key
wins within n. The two denials are of one of two kinds. Up to nine plies under freestyle rules every move is tried,
quiet ones included: the study is *exact*. Otherwise every legal first move is tried, and after it the moves of the
solver's mode ``full``: moves that extend a line or stop one, and threaten continuous fours.

>>> from puzzles import load
>>> study = Examiner().study(load("huanle").level(16).board)
>>> study.length, study.position.name(study.key), study.exact
(7, 'h9', True)
>>> Examiner().study(load("huanle").level(10).board)
Fault(test='second key', why='i8 wins within 7 plies, and so does h9')
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from gomoku_patterns import rules
from gomoku_patterns.board import SYMMETRIES, Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.rules import Rule
from puzzles.first_moves import FirstMoves

if TYPE_CHECKING:
    from search import Proof, Solution, Solver

FINISH: Final = 3
"""With so few plies left several moves may finish the game, as they do in any puzzle."""
MOST_OTHERS: Final = 6
"""Of other winning moves on the way, no more than these are looked for at one place."""
MEMORY: Final = 32 << 20
EXACT: Final = 9
"""Up to so many plies every move is tried, under freestyle rules."""

FAULTS: Final = {
    "over": "the game is over, or nobody can move",
    "forced": "somebody can make five at once, so that the first move is no choice",
    "not won": "no win was found",
    "unsettled": "the limit came before an answer",
    "too short": "the win takes fewer plies than asked for",
    "too long": "the win takes more plies than asked for",
    "second key": "another first move wins as soon",
    "quiet win": "there is a shorter win, by quiet moves",
    "implausible": "no game comes to such a position",
    "unwanted": "it is sound, but not of the kind, tag or band asked for",
    "repeated": "the same puzzle is there already, turned, mirrored or shifted",
}
"""The tests that a candidate can fail, in the order in which they are made."""


class Fault(NamedTuple):
    """Why a position is no sound puzzle: the test that it fails, and what was found."""

    test: str
    why: str


@dataclass(frozen=True)
class Study:
    """A sound puzzle, and what is known of it."""

    position: Board
    key: Cell
    length: int
    proof: Proof = field(repr=False)
    exact: bool
    """Whether every move was tried, not only first moves and attacks after them."""
    proving: int
    """Nodes of the search for the shortest win."""
    denying: int
    """Nodes that it took to deny all other first moves."""
    others: Mapping[int, tuple[Cell, ...]] = field(default_factory=dict)
    """Where on the main line other moves win as soon: how many plies have been played, and those moves."""
    scenery: tuple[Cell, ...] = ()
    """Stones that could be taken away, each by itself, without changing what is said here."""

    @property
    def line(self) -> tuple[Cell, ...]:
        """The game in which the defender holds out longest."""
        return self.proof.main_line()

    @property
    def attacker(self) -> Colour:
        return self.position.turn


@dataclass(frozen=True)
class Budget:
    """How many nodes each search may take, and which lengths are wanted."""

    glance: int = 400
    """For the first look, which tells candidates from the rest."""
    nodes: int = 20_000
    """For each proof and each denial."""
    fewest: int = 5
    most: int = 225


class Examiner:
    """Studies positions of one size and rule; it keeps its searches, which forget between questions."""

    def __init__(self, rows: int = 15, cols: int = 15, rule: Rule | str = Rule.FREESTYLE,
                 budget: Budget = Budget()) -> None:  # fmt: skip
        from search import Solver

        self.rule, self.budget = Rule.parse(rule), budget
        self.solver: Solver = Solver(memory=MEMORY)
        self._shape = (rows, cols)

    # ------------------------------------------------------------------ questions

    def solve(self, board: Board, plies: int | None = None, *, without: Collection[Cell] = (),
              mode: str = "full", nodes: int | None = None) -> Solution:  # fmt: skip
        """The solver's answer within so many plies."""
        from search import Limit

        limit = Limit(depth=plies, nodes=nodes or self.budget.nodes)
        return self.solver.solve(board, limit, mode=mode, without=without)

    def is_exact(self, plies: int) -> bool:
        """Whether a denial of wins within so many plies is of every move."""
        return self.rule is Rule.FREESTYLE and plies <= EXACT

    def wins(self, board: Board, plies: int, *, without: Collection[Cell] = ()) -> tuple[bool | None, int, Cell | None]:
        """Whether a win within so many plies exists, the nodes it took to say so, and its first move if one is known.

        None stands for a limit that came first. The nodes are those of the attacks alone.
        """
        from search import Status

        found = self.solve(board, plies, without=without)
        if found.status is Status.PROVEN:
            return True, found.nodes, found.move
        if found.status is Status.UNKNOWN:
            return None, found.nodes, None
        won, move = self._wins_by_any_first_move(board, plies, without)
        return won, found.nodes, move

    def _wins_by_any_first_move(
        self, board: Board, plies: int, without: Collection[Cell]
    ) -> tuple[bool | None, Cell | None]:
        from search.within import EVERY_MOVE

        if self.rule is Rule.FREESTYLE and plies <= EVERY_MOVE:
            return self.wins_by_any(board, plies, without=without), None
        first_moves = FirstMoves(self, board, plies)
        for found in first_moves.wins(without):
            return True, found.move
        return (None if first_moves.unsettled else False), None

    def wins_by_any(self, board: Board, plies: int, *, without: Collection[Cell] = ()) -> bool | None:
        """Whether any moves win within so few plies that every one is tried; False for more plies. Freestyle."""
        from search import Limit, Status, wins_within
        from search.within import EVERY_MOVE

        if plies > EVERY_MOVE:
            return False
        exact = wins_within(board, plies, without=without, limit=Limit(nodes=100 * self.budget.nodes))
        return None if exact is Status.UNKNOWN else exact is Status.PROVEN

    # ------------------------------------------------------------------ a study

    def study(self, board: Board) -> Study | Fault:
        """What is known of the position as a puzzle, or the first test that it fails."""
        first = self.first_look(board)
        if isinstance(first, Fault):
            return first
        return self.full_study(board)

    def first_look(self, board: Board) -> Solution | Fault:
        """A win found in a moment, or why there is no need to look longer."""
        if rules.is_over(board):
            return Fault("over", FAULTS["over"])
        for colour in (board.turn, board.turn.opponent):
            if cells := rules.winning_cells(board, colour):
                return Fault("forced", f"{colour} makes five on {board.name(cells[0])}")
        found = self.solve(board, nodes=self.budget.glance)
        return found if found.proof else Fault("not won", str(found))

    def full_study(self, board: Board) -> Study | Fault:
        """The same after the first look."""
        from search import Limit, Status

        nodes, budget = self.budget.nodes, self.budget
        found = self.solver.solve(board, Limit(nodes=nodes), shortest=True)
        if found.proof is None or found.move is None or found.length is None:
            return Fault("not won" if found.status is Status.DISPROVEN else "unsettled", str(found))
        if not found.minimal and found.exhausted is None:
            return Fault("unsettled", f"a win in {found.length} plies; shorter ones were not denied in {nodes} nodes")
        n = found.length
        if n < budget.fewest:
            return Fault("too short", f"the win takes {n} plies, not {budget.fewest}")
        if n > budget.most:
            return Fault("too long", f"the win takes {n} plies, more than {budget.most}")
        return self._uniqueness(board, found) or self._described(board, found)

    def _uniqueness(self, board: Board, found: Solution) -> Fault | None:
        """Whether another first move wins as soon, or a quiet win is shorter."""
        assert found.move is not None and found.length is not None
        n, key = found.length, found.move
        won, self._denying, other = self.wins(board, n, without=[key])
        if won is None:
            return Fault("unsettled", f"first moves other than {board.name(key)} were not denied")
        if won:
            so = f", and so does {board.name(other)}" if other else ", and a quiet move does too"
            return Fault("second key", f"{board.name(key)} wins within {n} plies{so}")
        for shorter in dict.fromkeys((min(n - 2, EXACT), n - 2)):
            won, _, _ = self.wins(board, shorter)
            if won is None:
                return Fault("unsettled", f"wins within {shorter} plies by quiet moves were not denied")
            if won:
                return Fault("quiet win", f"there is a win within {shorter} plies that is not by threats alone")
        return None

    def _described(self, board: Board, found: Solution) -> Study:
        assert found.proof is not None and found.move is not None and found.length is not None
        return Study(
            board.copy(moves=False), found.move, found.length, found.proof, self.is_exact(found.length),
            proving=found.nodes, denying=self._denying,
        )  # fmt: skip

    # ------------------------------------------------------------------ other winning moves

    def with_others(self, study: Study) -> Study:
        """The study with the other winning moves along its main line."""
        return replace(study, others={played: cells for played, cells in self._others(study) if cells})

    def _others(self, study: Study) -> Iterator[tuple[int, tuple[Cell, ...]]]:
        board, line = study.position.copy(), study.line
        for played, cell in enumerate(line):
            left = study.length - played
            if played and played % 2 == 0 and left > FINISH:
                yield played, tuple(self._others_at(board, cell, left, line[played:]))
            board.push(cell)

    def _others_at(self, board: Board, cell: Cell, left: int, line: tuple[Cell, ...]) -> Iterator[Cell]:
        known = [cell]
        while len(known) <= MOST_OTHERS:
            found = self.solve(board.copy(moves=False), left, without=known)
            if found.move is None:
                return
            known.append(found.move)
            if not transposes(found.pv, line) and not is_mirrored(board, cell, found.move):
                yield found.move

    # ------------------------------------------------------------------ stones that are not needed

    def holds(self, board: Board, key: Cell, plies: int, *, fewer_attackers: bool = False) -> bool:
        """Whether the key alone still wins within so many plies, and nothing does sooner, by moves that threaten.

        Where only stones of the attacker were taken away, under freestyle rules, nothing can win that did not before.
        """
        if self.solve(board, plies).move is None:
            return False
        if fewer_attackers and self.rule is Rule.FREESTYLE:
            return True
        if rules.winning_cells(board, board.turn.opponent):
            return False
        return self._denied(board, plies, [key]) and self._denied(board, plies - 2)

    def _denied(self, board: Board, plies: int, without: Collection[Cell] = ()) -> bool:
        from search import Status

        return self.solve(board, plies, without=without).status is Status.DISPROVEN

    def scenery(self, study: Study) -> tuple[Cell, ...]:
        """The stones that could be taken away one by one."""
        return tuple(cell for cell in self._stones(study.position) if self._can_go(study, [cell]))

    def reduced(self, study: Study) -> Study:
        """The study of the position without the pairs of stones, one of each side, that it does not need."""
        attacker = study.attacker
        while True:
            idle = self.scenery(study)
            pairs = self._free_pairs(study, idle, attacker)
            if not pairs:
                return replace(study, scenery=idle)
            smaller = self.full_study(_without(study.position, pairs))
            if not isinstance(smaller, Study) or (smaller.key, smaller.length) != (study.key, study.length):
                return replace(study, scenery=idle)
            study = smaller

    def _free_pairs(self, study: Study, idle: tuple[Cell, ...], attacker: Colour) -> list[Cell]:
        """As many of the idle stones as can go together, as many of each side, those far from the key move first."""
        idle = tuple(sorted(idle, key=lambda cell: -_distance(cell, study.key)))
        own = [cell for cell in idle if study.position[cell] == attacker]
        gone: list[Cell] = []
        for other in (cell for cell in idle if study.position[cell] != attacker):
            for cell in own:
                if cell not in gone and self._can_go(study, [*gone, cell, other]):
                    gone += [cell, other]
                    break
        return gone

    def _can_go(self, study: Study, cells: list[Cell]) -> bool:
        less = _without(study.position, cells)
        fewer = all(study.position[cell] == study.attacker for cell in cells)
        return self.holds(less, study.key, study.length, fewer_attackers=fewer)

    @staticmethod
    def _stones(board: Board) -> list[Cell]:
        return [*board.stones("black"), *board.stones("white")]


def _without(board: Board, cells: Collection[Cell]) -> Board:
    stones = {colour: [cell for cell in board.stones(colour) if cell not in cells] for colour in Colour}
    return Board(
        board.rows, board.cols, black=stones[Colour.BLACK], white=stones[Colour.WHITE], turn=board.turn, rule=board.rule
    )


def transposes(other: tuple[Cell, ...], line: tuple[Cell, ...]) -> bool:
    """Whether another line puts the same stones on the board in another order."""
    return (set(other[::2]), set(other[1::2])) == (set(line[::2]), set(line[1::2]))


def is_mirrored(board: Board, cell: Cell, other: Cell) -> bool:
    """Whether a symmetry of the position takes one move to the other."""
    for symmetry in SYMMETRIES:
        image = board.transform(symmetry)
        if (image.rows, image.flat) == (board.rows, board.flat) and board.transform_cell(cell, symmetry) == other:
            return True
    return False


# ---------------------------------------------------------------------- plausible, and the same


REACH: Final = 4


def implausible(board: Board) -> Fault | None:
    """Whether no sensible game comes to this position: wrong counts, far-off stones, rows that the rule does not allow.

    That nobody has won, that no four is unanswered and that no open four was ignored is in the study already: neither
    side can make five.
    """
    black, white = len(board.stones("black")), len(board.stones("white"))
    lead = black - white
    if lead != (1 if board.turn is Colour.WHITE else 0):
        return Fault("implausible", f"{black} black and {white} white stones, {board.turn} to move")
    stones = [*board.stones("black"), *board.stones("white")]
    for cell in stones:
        if not any(other != cell and _distance(cell, other) <= REACH for other in stones):
            return Fault("implausible", f"the stone on {board.name(cell)} stands by itself")
    for colour in Colour:
        if board.rule.only_five(colour) and _longest(board, colour) > 5:
            return Fault("implausible", f"{colour} has more than five in a row")
    return None


def _distance(one: Cell, two: Cell) -> int:
    return max(abs(one.row - two.row), abs(one.col - two.col))


def _longest(board: Board, colour: Colour) -> int:
    own = set(board.stones(colour))
    longest = 0
    for row, col in own:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            while (row + length * down, col + length * right) in own:
                length += 1
            longest = max(longest, length)
    return longest


def canonical(board: Board, scenery: Collection[Cell] = ()) -> tuple[tuple[int, int, int], ...]:
    """What all turned, mirrored and shifted images of a position share; stones that are scenery do not count.

    The sides are the attacker and the defender, except under renju, where black and white differ.

    >>> one = canonical(Board(black=["c3", "d3"], white=["c4"], turn="white"))
    >>> one == canonical(Board(black=["m9", "m8"], white=["l9"], turn="white"))
    True
    """
    stones = [
        (cell.row, cell.col, _role(board, colour))
        for colour in Colour
        for cell in board.stones(colour)
        if cell not in scenery
    ]
    return min(_image(stones, number) for number in range(8))


def _role(board: Board, colour: Colour) -> int:
    if board.rule is Rule.RENJU:
        return int(colour)
    return 1 if colour == board.turn else 2


def _image(stones: list[tuple[int, int, int]], number: int) -> tuple[tuple[int, int, int], ...]:
    turned = []
    for row, col, role in stones:
        down, right = (-row if number & 1 else row), (-col if number & 2 else col)
        turned.append((right, down, role) if number & 4 else (down, right, role))
    top, left = min((stone[0] for stone in turned), default=0), min((stone[1] for stone in turned), default=0)
    return tuple(sorted((row - top, col - left, role) for row, col, role in turned))

"""Random positions with what the solver claims of them, and who finds fault with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from search.book import Book
from search.expand import Expander
from search.quiet import Position, QuietOptions, QuietSearch
from search.result import Limit
from search.solver import Solution, Status, solve
from search.verifier import verify
from tests.search.exhaustive import can_force_by_fours, can_force_five, can_force_five_within
from tests.search.slow_threats import live_threes

RULES = ("freestyle", "standard", "renju")
MODES = ("vcf", "vct", "full")
SIZES = ((15, 15), (15, 15), (20, 20), (9, 9), (7, 12), (22, 22), (6, 6), (13, 8))


@dataclass(frozen=True)
class Claim:
    """What the solver says of a position."""

    kind: str
    board: Board
    mode: str
    solution: Solution


def claims(seed: int, nodes: int) -> Iterator[Claim]:
    """What the solver says of the midgame and of the small endgame that a seed makes."""
    random = Random(seed)
    rule, mode = random.choice(RULES), random.choice(MODES)
    if rule == "freestyle" and random.random() < 0.5:
        mode = "any"
    for kind, board in (("midgame", midgame(random, rule)), ("endgame", endgame(random, rule))):
        yield Claim(kind, board, mode, solve(board, Limit(nodes=nodes), mode=mode))


class QuietOnly(QuietSearch):
    """Finds no win by attacking moves where it stands, except a five: every win needs a quiet move and its default."""

    def __init__(self, board: Board) -> None:
        super().__init__(Book(board, board.turn), memory=4 << 20)
        self._shape = board

    def _expand(self, position: Position) -> None:
        board = Board(self._shape.rows, self._shape.cols)
        for cell, stone in zip(board.cells(), position.cells, strict=True):
            if stone:
                board.push(cell, Colour(stone))
        five = rules.winning_cells(board, self.book.attacker)
        self.options = QuietOptions(
            own_nodes=1000 if five else 0, first_nodes=20, second_nodes=50, settle_nodes=100, most_stones=99
        )
        super()._expand(position)


def quiet_claim(seed: int) -> tuple[str, Board, list[str]]:
    """A crowded small board, what a search by quiet moves says of it, and what is wrong with that."""
    board = crowded(Random(seed))
    search = QuietOnly(board)
    claimed = search.prove(board.flat, 5.0, nodes=3000).proof == 0 and search.book.find(board.flat) is not None
    won = can_force_five(board.copy())
    if not claimed:
        return ("missed" if won else "not won"), board, []
    faults = [] if won else ["proven by a quiet move, and exhaustive search finds no win"]
    proof = Expander(search.book, memory=4 << 20).proof(board)
    for native in (False, True):
        verdict = verify(proof, board, native=native)
        faults += [] if verdict else [f"refused: {verdict.reason}"]
    entry = search.book.find(board.flat)
    return ("quiet win" if entry and entry.move is not None else "five"), board, faults


def crowded(random: Random) -> Board:
    """A small board with few empty cells, on which the side to move has more of the stones as a rule."""
    while True:
        board = Board(random.randint(5, 6), random.randint(5, 6))
        if _fill(random, board, share=(0.55, 0.72), empty=(5, 9)):
            return board.copy(moves=False)


def _fill(random: Random, board: Board, *, share: tuple[float, float], empty: tuple[int, int]) -> bool:
    """Leave few cells empty, a share of the stones for the side to move; whether it is open and has no five at hand."""
    cells = list(board.cells())
    random.shuffle(cells)
    own, attacker = random.uniform(*share), random.choice([Colour.BLACK, Colour.WHITE])
    for cell in cells[random.randint(*empty) :]:
        board.push(cell, attacker if random.random() < own else attacker.opponent)
    board.turn = attacker
    return board.winner() is None and not rules.winning_cells(board, attacker)


def wrong_claims(claim: Claim) -> Iterator[str]:
    """What is wrong with a claim, if anything."""
    status, board = str(claim.solution.status), claim.board
    if status == "proven":
        yield from _faults_of_a_win(claim)
    if claim.kind == "endgame" and status == "proven" and not can_force_five(board.copy()):
        yield "proven, and exhaustive search finds no win"
    if status == "disproven":
        yield from _faults_of_a_denial(claim)


def _faults_of_a_denial(claim: Claim) -> Iterator[str]:
    board = claim.board.copy()
    if len(board.empties()) < 100 and can_force_by_fours(board):
        yield "disproven, and there is a win by continuous fours"
    if claim.mode == "vct" and len(board.empties()) < 100:
        for three in live_threes(board, board.turn):
            if _wins_by_fours_after(board, three):
                yield f"disproven, and the live three at {board.name(three)} wins by fours against every reply"


def _wins_by_fours_after(board: Board, move: Cell) -> bool:
    after = board.copy()
    after.push(move)
    if rules.winning_cells(after, after.turn):
        return False
    return all(_wins_by_fours(after, reply) for reply in after.legal_moves())


def _wins_by_fours(board: Board, reply: Cell) -> bool:
    after = board.copy()
    after.push(reply)
    return solve(after, Limit(nodes=2000), mode="vcf").status is Status.PROVEN


def _faults_of_a_win(claim: Claim) -> Iterator[str]:
    solution = claim.solution
    assert solution.proof is not None
    verdict = verify(solution.proof, claim.board)
    if not verdict:
        yield f"refused: {verdict.reason}"
    elif not _is_as_long_as_it_says(solution):
        yield f"length {solution.length}, and the main line has {len(solution.proof.main_line())} plies"
    if solution.move != solution.proof.answer():
        yield "the move is not the proof's"


def _is_as_long_as_it_says(solution: Solution) -> bool:
    """The main line has the stated plies, unless the defender has to pass in it."""
    assert solution.proof is not None
    line, board = solution.proof.main_line(), solution.proof.position
    for cell in line:
        board.push(cell)
    return len(line) == solution.length or (board.winner() is None and not board.legal_moves())


def midgame(random: Random, rule: str) -> Board:
    """Stones around one another, as in a game between beginners who block fives and like threes."""
    while True:
        board = Board(*random.choice(SIZES), rule=rule)
        for _ in range(random.randint(4, 40)):
            place = _beginners_move(board, random)
            if place is None or rules.makes_five(board, place, board.turn):
                break
            board.push(place)
        if random.random() < 0.3:
            board.turn = board.turn.opponent
        if board.winner() is None:
            return board.copy(moves=False)


def _beginners_move(board: Board, random: Random) -> Cell | None:
    for colour in (board.turn, board.turn.opponent):
        if fives := [cell for cell in rules.winning_cells(board, colour) if _is_legal(board, cell)]:
            return fives[0]
    stones = [cell for cell in board.cells() if not board.is_empty(cell)]
    centre = random.choice(stones) if stones else Cell(board.rows // 2, board.cols // 2)
    for _ in range(20):
        row, col = centre.row + random.randint(-2, 2), centre.col + random.randint(-2, 2)
        if 0 <= row < board.rows and 0 <= col < board.cols and _is_legal(board, Cell(row, col)):
            return Cell(row, col)
    return None


def _is_legal(board: Board, cell: Cell) -> bool:
    return board.is_empty(cell) and not (board.turn.name == "BLACK" and rules.is_forbidden(board, cell))


def endgame(random: Random, rule: str) -> Board:
    """A small board with few empty cells left."""
    while True:
        board = Board(random.randint(5, 7), random.randint(5, 7), rule=rule)
        cells = list(board.cells())
        random.shuffle(cells)
        for number, cell in enumerate(cells[random.randint(4, 9) :]):
            board.push(cell, 1 + number % 2)
        board.turn = random.choice(["black", "white"])
        if board.winner() is None:
            return board.copy(moves=False)


def shortest_claim(seed: int) -> tuple[str, Board, list[str]]:
    """A crowded position, the shortest win that the solver shows there, and what is wrong with what it says of it."""
    random = Random(seed)
    rule, mode = random.choice(RULES), random.choice(MODES)
    board = contested(random, rule)
    solution = solve(board, Limit(nodes=30_000), mode=mode, shortest=True)
    if solution.proof is None or solution.length is None:
        return f"{solution.status} {rule} {mode}", board, []
    verdict = verify(solution.proof, board)
    faults = [] if verdict else [f"refused: {verdict.reason}"]
    if solution.length != len(solution.proof.main_line()):
        faults.append("its length is not that of the game in which the defender holds out longest")
    shorter = shortest_five(board, solution.length - 2)
    kind = "minimal" if solution.minimal else "shorter not shown" if shorter else "not said to be minimal"
    if solution.minimal and shorter:
        faults.append(f"minimal with {solution.length} plies, and exhaustive search wins in {shorter}")
    return f"{kind} {rule} {mode} {solution.length}", board, faults


def contested(random: Random, rule: str) -> Board:
    """A small or narrow board with few empty cells and no five at hand, both sides with as many stones or nearly so."""
    while True:
        board = Board(*random.choice(((5, 5), (5, 7), (6, 6), (7, 6), (7, 7), (5, 9))), rule=rule)
        if _fill(random, board, share=(0.5, 0.72), empty=(7, 14)):
            return board.copy(moves=False)


def shortest_five(board: Board, most: int) -> int | None:
    """In how few plies, up to so many, the side to move makes five against every defence, by trying every move."""
    return next((plies for plies in range(1, most + 1, 2) if can_force_five_within(board.copy(), plies)), None)

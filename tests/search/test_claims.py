"""Whatever is asked, from whatever thread and with whatever limit: no claim of the solver is wrong.

One thread solves small crowded boards by trying every move; four threads ask the solver about the same boards, with odd
and even limits on the depth, few nodes, small tables, cancels and first moves left out, and compare.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from gomoku_patterns import Board, rules
from gomoku_patterns.cells import Cell
from gomoku_patterns.rules import Rule
from search import Attacks, Cancel, Denial, Limit, Solution, Solver, Status, solve, verify, wins_within
from tests.long import examples
from tests.search.exhaustive import can_force_by_fours, can_force_five_within, four_works
from tests.search.soundness import RULES, contested, endgame

MOST_PLIES = 7
"""Wins of so many plies are looked for by trying every move."""
BOARDS = 150
QUESTIONS = 1000
"""Of each thread."""
THREADS = 4


@dataclass(frozen=True)
class Truth:
    """What trying every move shows of a board."""

    board: Board
    shortest: int | None
    """The plies of the shortest win of at most MOST_PLIES."""
    fours: int | None
    """The plies of the shortest win by continuous fours, of at most MOST_PLIES; more if it is longer."""


def fours_within(board: Board, plies: int) -> bool:
    """Whether the side to move wins by continuous fours within so many plies."""
    if rules.winning_cells(board, board.turn):
        return plies >= 1
    if plies < 3:
        return False
    threatened = rules.winning_cells(board, board.turn.opponent)
    return any(
        _four_within(board, cell, plies) for cell in rules.legal_moves(board) if not threatened or threatened == [cell]
    )


def _four_within(board: Board, cell: Cell, plies: int) -> bool:
    attacker = board.turn
    board.push(cell)
    fives, won = rules.winning_cells(board, attacker), False
    if fives and not rules.winning_cells(board, board.turn):
        answers = [answer for answer in fives if answer in rules.legal_moves(board)]
        won = len(fives) > 1 or not answers
        if not won:
            board.push(answers[0])
            won = fours_within(board, plies - 2)
            board.pop()
    board.pop()
    return won


@lru_cache(maxsize=1)
def truths() -> list[Truth]:
    random, found = Random(20), []
    while len(found) < BOARDS:
        board = (endgame if random.random() < 0.6 else contested)(random, random.choice(RULES))
        lengths = range(1, MOST_PLIES + 1, 2)
        shortest = next((plies for plies in lengths if can_force_five_within(board.copy(), plies)), None)
        fours = next((plies for plies in lengths if fours_within(board.copy(), plies)), None)
        if fours is None and can_force_by_fours(board.copy()):
            fours = MOST_PLIES + 2
        found.append(Truth(board, shortest, fours))
    return found


def faults(truth: Truth, found: Solution, options: dict[str, Any], depth: int | None) -> list[str]:
    """What is wrong with an answer."""
    wrong = []
    without = options.get("without", ())
    if found.status is Status.PROVEN:
        assert found.proof is not None and found.length is not None
        if not verify(found.proof, truth.board, native=True):
            wrong.append("the proof is refused")
        if depth is not None and found.length > depth:
            wrong.append(f"{found.length} plies, {depth} were asked for")
        if found.move in without:
            wrong.append("the first move was left out")
        if found.length <= MOST_PLIES and (truth.shortest is None or truth.shortest > found.length):
            wrong.append("there is no win so short")
        if found.minimal and found.length <= MOST_PLIES + 2 and (truth.shortest or MOST_PLIES + 2) < found.length:
            wrong.append("there is a shorter win")
    if found.status is Status.DISPROVEN and found.exhausted is None:
        wrong.append("denied, and nothing is said of what")
    if found.exhausted is not None and not without:
        wrong += denied_wrongly(truth, found.exhausted)
    if found.exhausted is not None and without and found.exhausted.attacks is Attacks.FOURS:
        cells = [cell for cell in truth.board.empties() if cell not in without]
        fives = rules.winning_cells(truth.board, truth.board.turn)
        if found.exhausted.plies is None and any(
            cell in fives or four_works(truth.board.copy(), cell, {}) for cell in cells
        ):
            wrong.append("another first four wins")
    return wrong


def denied_wrongly(truth: Truth, denial: Denial) -> list[str]:
    """Every denial covers fours, those of the full search wins in three and, under freestyle rules, in five."""
    plies = denial.plies if denial.plies is not None else 10**9
    if truth.fours is not None and truth.fours <= plies:
        return [f"denied {denial}, and fours win in {truth.fours}"]
    full = denial.attacks is Attacks.THREATS and truth.board.rule is Rule.FREESTYLE
    if truth.shortest is not None and truth.shortest <= min(plies, 5 if full else 3):
        return [f"denied {denial}, and a win takes {truth.shortest}"]
    return []


def question(random: Random, board: Board) -> tuple[Limit, dict[str, Any]]:
    options: dict[str, Any] = {"mode": random.choice(("vcf", "vct", "full", "full", "any"))}
    depth = random.choice((None, None, *range(1, 11)))
    if options["mode"] == "any":
        depth = None
    elif random.random() < 0.2:
        options["shortest"] = True
    elif random.random() < 0.3:
        options["without"] = random.sample(board.empties(), min(2, len(board.empties())))
    return Limit(depth=depth, nodes=random.choice((1, 7, 60, 500, 5000, 20_000))), options


def ask(seed: int, wrong: list[str], counts: dict[str, int], stop: Cancel) -> None:
    random, kept = Random(seed), Solver(memory=1 << 20)
    for _ in range(examples(QUESTIONS)):
        truth = random.choice(truths())
        limit, options = question(random, truth.board)
        cancel = stop if random.random() < 0.2 else None
        if random.random() < 0.5:
            found = kept.solve(truth.board, limit, cancel=cancel, **options)
        else:
            found = solve(truth.board, limit, cancel=cancel, memory=1 << 20, **options)
        counts[str(found.status)] = counts.get(str(found.status), 0) + 1
        counts[found.stopped_by] = counts.get(found.stopped_by, 0) + 1
        for fault in faults(truth, found, options, limit.depth):
            wrong.append(f"{fault}: {found}, {options}, {limit}, {truth.board!r}")


def test_no_claim_is_wrong_whatever_is_asked_by_several_threads() -> None:
    assert sum(truth.shortest is not None for truth in truths()) > BOARDS // 5
    assert sum(truth.shortest is None for truth in truths()) > BOARDS // 5
    wrong: list[str] = []
    counts: list[dict[str, int]] = [{} for _ in range(THREADS)]
    cancels = [Cancel() for _ in range(THREADS)]
    threads = [threading.Thread(target=ask, args=(seed, wrong, counts[seed], cancels[seed])) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    random = Random(3)
    while any(thread.is_alive() for thread in threads):
        cancel = random.choice(cancels)
        cancel.set()
        threads[0].join(0.001)
        cancel.clear()
        threads[-1].join(0.01)
    total = {name: sum(one.get(name, 0) for one in counts) for one in counts for name in one}
    assert wrong == []
    assert sum(total.get(status, 0) for status in Status) == THREADS * examples(QUESTIONS)
    assert all(total.get(name, 0) > 100 for name in ("proven", "disproven", "unknown", "nodes")), total
    assert total.get("cancelled", 0) > 10, total


def test_short_wins_are_claimed_and_denied_as_trying_every_move_shows() -> None:
    checked = 0
    for truth in truths():
        if truth.board.rule is Rule.FREESTYLE:
            for plies in range(1, MOST_PLIES + 1):
                won = truth.shortest is not None and truth.shortest <= plies
                assert wins_within(truth.board, plies) is (Status.PROVEN if won else Status.DISPROVEN), truth.board
                checked += 1
    assert checked >= 200

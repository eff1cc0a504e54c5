"""Holds: found where a side cannot lose, accepted by both verifiers, and no damaged or transplanted one believed."""

from __future__ import annotations

import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import ProofError
from search import Cancel, Limit
from search import hold as hold_module
from search.hold import Hold, find_hold, verify_hold
from search.verifier import Verdict
from tests.damage import check_message, damaged, outcome
from tests.long import LONG
from tests.search.exhaustive import can_force_five

DRAWN = [(5, 5), (5, 6), (6, 6), (7, 5), (6, 7)]


def judged(data: bytes, board: Board | None = None) -> Verdict:
    """The verdict, after all four ways to judge have agreed."""
    quick = [verify_hold(data, board, thorough=False, native=native) for native in (False, True)]
    whole = [verify_hold(data, board, native=native) for native in (False, True)]
    assert len({verdict.accepted for verdict in quick + whole}) == 1, (quick, whole)
    if whole[0]:
        assert quick[0].replies_checked == quick[1].replies_checked <= whole[0].replies_checked
        assert whole[0].replies_checked <= whole[1].replies_checked
    return whole[0]


@pytest.mark.parametrize(("rows", "cols"), DRAWN)
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_small_boards_are_draws(rows: int, cols: int, rule: str) -> None:
    """Since both sides hold. 7x7 takes some seconds, see docs/explanation/whole-game.md."""
    board = Board(rows, cols, rule=rule)
    for holder in Colour:
        hold = find_hold(board, holder).hold
        assert hold is not None
        assert judged(hold.data, board)
        again = find_hold(board, holder).hold
        assert again is not None and again.data == hold.data


def some_position(seed: int) -> tuple[Board, Colour]:
    """A small board with few empty cells, and a side."""
    random = Random(seed)
    while True:
        board = Board(5, random.randint(5, 6))
        cells = list(board.cells())
        random.shuffle(cells)
        for number, cell in enumerate(cells[random.randint(5, 10) :]):
            board.push(cell, 1 + number % 2)
        board.turn = random.choice(["black", "white"])
        if board.winner() is None:
            return board.copy(moves=False), random.choice([BLACK, WHITE])


def loses(board: Board, holder: Colour) -> bool:
    """Whether the holder's opponent forces five, by trying every move."""
    if board.turn is not holder:
        return can_force_five(board.copy())
    after = [board.copy() for _ in board.empties()]
    for there, cell in zip(after, board.empties(), strict=True):
        there.push(cell)
    return all(there.winner() is None and not there.is_full() and can_force_five(there) for there in after)


def test_nothing_is_held_that_is_lost() -> None:
    found = lost = 0
    for seed in range(60):
        board, holder = some_position(seed)
        hold = find_hold(board, holder, Limit(nodes=20_000, seconds=5)).hold
        assert hold is None or not loses(board, holder)
        assert hold is None or judged(hold.data, board)
        found, lost = found + (hold is not None), lost + loses(board, holder)
    assert found > 20 and lost > 3


def transplanted(hold: Hold, cell: int, stone: int) -> bytes:
    """The same tree under a position with another stone on a cell."""
    data = bytearray(hold.data)
    data[13 + cell] = stone
    return bytes(data)


def test_a_tree_is_not_believed_in_a_position_that_is_lost() -> None:
    judged_lost = 0
    for seed in range(25):
        board, holder = some_position(seed)
        hold = find_hold(board, holder, Limit(nodes=20_000, seconds=5)).hold
        if hold is None:
            continue
        for cell in range(len(board.flat)):
            other = board.copy()
            if board.flat[cell] == 0:
                other.push(Cell(*divmod(cell, board.cols)), holder.opponent)
                other.turn = board.turn
            if board.flat[cell] or other.winner() is not None or other.is_full():
                continue
            data = transplanted(hold, cell, int(holder.opponent))
            if loses(other, holder):
                judged_lost += 1
                assert not judged(data)
    assert judged_lost > 15


def test_bytes_changed_at_random_are_judged_alike() -> None:
    random, board = Random(1), Board(5, 6)
    hold = find_hold(board, WHITE).hold
    assert hold is not None
    for _ in range(150):
        data = bytearray(hold.data)
        for _ in range(random.randint(1, 2)):
            data[random.randrange(len(data))] = random.choice([0, 1, 2, 3, random.randrange(256)])
        judged(bytes(data))
    for length in range(0, len(hold.data), 7):
        assert not judged(hold.data[:length])


def hold_of(*body: int, root: int, holder_moves: bool = False, black: str = "", white: str = "") -> bytes:
    """A file about a 5x5 board that white holds."""
    board = Board(5, black=black.split(), white=white.split())
    head = b"GMKHOLDS" + bytes([1, 0, 2 | holder_moves, 5, 5]) + board.flat
    return head + bytes(body) + (len(head) + root).to_bytes(8, "little") + b"SDLOHKMG"


def test_the_bytes_that_the_document_shows() -> None:
    """The example of docs/reference/proof-format.md: white's stones leave the bottom row open; a1 and b1 are a pair."""
    stones = "a5 b4 c3 d2 e4 a3 b5 e2 d4 c2"
    body = [4 * 1 + 0, 20, 21]
    assert judged(hold_of(*body, root=0, white=stones))
    assert "no pair stops the row of five that begins at a1" in judged(hold_of(0, root=0, white=stones)).reason
    assert "a1 is in no pair that is free" in judged(hold_of(8, 20, 21, 20, 22, root=0, white=stones)).reason


def test_every_fault_has_its_reason() -> None:
    four = "a1 b1 c1 d1"
    pairs = [4 * 0 + 0]
    blocked = hold_of(*pairs, 4 * 24 + 2, 1, root=1, holder_moves=True, black=four)
    assert "no pair stops" in judged(blocked).reason
    assert "occupied" in judged(hold_of(*pairs, 4 * 20 + 2, 1, root=1, holder_moves=True, black=four)).reason
    assert "e1 makes no five" in judged(hold_of(4 * 24 + 3, root=0, holder_moves=True, black=four)).reason
    assert "expected" in judged(hold_of(*pairs, root=0, holder_moves=True, black=four)).reason
    replies = hold_of(*pairs, 4 * 5 + 2, 1, 4 * 0 + 1, 2, root=3, black="a5 b5 c5 d5")
    assert "the reply e5 makes five" in judged(replies).reason
    assert judged(hold_of(4 * 24 + 3, root=0, holder_moves=True, white=four))


def test_what_cannot_be_held_or_asked() -> None:
    four = Board(5, black=["a1", "b1", "c1", "d1"], turn="black")
    assert find_hold(four, WHITE).hold is None
    with pytest.raises(ProofError, match="at most 128 cells"):
        find_hold(Board(12), WHITE)
    with pytest.raises(ProofError, match="freestyle or standard"):
        find_hold(Board(6, rule="renju"), WHITE)
    other = find_hold(Board(5), WHITE).hold
    assert other is not None
    assert "for this position" in verify_hold(other.data, Board(6)).reason
    assert "gave up" in verify_hold(find_hold(Board(5, 6), WHITE).hold.data, most_work=5).reason  # type: ignore[union-attr]


def test_a_search_ends_when_its_memory_is_used_up() -> None:
    """It went on for ever: the table of positions filled, and no free place in it was ever found."""
    for memory in (1, 300_000, 2 << 20):
        result = find_hold(Board(8), WHITE, Limit(seconds=20), memory=memory)
        assert (result.hold, result.stopped_by) == (None, "memory")
        assert result.elapsed < 15


def test_a_search_keeps_its_limits_and_can_be_cancelled() -> None:
    cancel = Cancel()
    cancel.set()
    assert find_hold(Board(8), WHITE, cancel=cancel).stopped_by == "cancelled"
    assert find_hold(Board(8), WHITE, Limit(seconds=0.05)).stopped_by == "seconds"
    assert find_hold(Board(8), WHITE, Limit(nodes=1000)).stopped_by == "nodes"
    assert find_hold(Board(6), WHITE, Limit(depth=1)).stopped_by == "depth"
    told: list[int] = []
    cancel = Cancel()

    def progress(state: Mapping[str, int]) -> None:
        told.append(state["nodes"])
        cancel.set()

    assert find_hold(Board(8), WHITE, Limit(seconds=60), cancel=cancel, progress=progress).stopped_by == "cancelled"
    assert told and told[0] > 0


def test_a_hold_that_was_found_has_been_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    written = hold_module._written
    monkeypatch.setattr(hold_module, "_written", lambda *parts: written(*parts).replace(b"SDLOHKMG", b"SDLOHKM?"))
    with pytest.raises(ProofError, match="does not hold"):
        find_hold(Board(5), WHITE)


@pytest.mark.parametrize("native", [True, False])
def test_a_verdict_is_the_verifiers_own_and_not_the_lack_of_a_reason(
    native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = hold_of(4 * 1 + 0, 20, 21, root=0, white="a5 b4 c3 d2 e4 a3 b5 e2 d4 c2")
    assert verify_hold(data, native=native)
    monkeypatch.setattr(hold_module, "judge_hold", lambda *_: (False, 0, ""))
    monkeypatch.setattr(hold_module._Verifier, "holds", lambda _: False)
    verdict = verify_hold(data, native=native)
    assert not verdict.accepted and "no reason" in str(verdict)


def test_damaged_holds_are_judged_alike() -> None:
    found = find_hold(Board(5, 6), WHITE).hold
    assert found is not None
    accepted = refused = 0
    for copy in damaged(found.data, seed=7, number=5000 if LONG else 150):
        verdict = outcome(lambda copy=copy: judged(copy), measured=False)  # type: ignore[misc]
        assert isinstance(verdict, Verdict)
        accepted, refused = accepted + verdict.accepted, refused + (not verdict.accepted)
        if verdict.reason:
            check_message(verdict.reason)
    assert refused > 50


@pytest.mark.parametrize(
    ("other", "holds"),
    [
        ([4 * 20 + 2, 5], True),
        ([4 * 20 + 2, 60], False),  # leads out of the file
        ([4 * 20 + 2, 0], False),  # leads to itself
        ([4 * 31 + 3, 0], False),  # no cell of the board
        ([4 * 1 + 0, 77], False),  # no cell of the board
    ],
)
def test_a_node_that_is_not_well_formed_refuses_the_hold_even_if_nothing_needs_it(
    other: list[int], holds: bool
) -> None:
    """The node for all other replies is needed by the short cut alone: every empty cell is named."""
    stones = "a5 b4 c3 d2 e4 a3 b5 e2 d4 c2"
    cells = [index for index, stone in enumerate(Board(5, white=stones.split()).flat) if not stone]
    a1, b1, root = 1, 3, 7  # where the nodes begin that play there and then need no pairs
    body = [4 * 0 + 0, 4 * 20 + 2, 1, 4 * 21 + 2, 3, *other, 4 * len(cells) + 1, root - 5]
    for cell in cells:
        body += [cell, root - (b1 if cell == 20 else a1)]
    data = hold_of(*body, root=root, white=stones)
    for native in (True, False):
        for thorough in (True, False):
            assert verify_hold(data, native=native, thorough=thorough).accepted == holds


def test_a_hold_of_nodes_that_overlap_is_refused() -> None:
    pair = [4 * 1 + 0, 20, 21]
    stones = "a5 b4 c3 d2 e4 a3 b5 e2 d4 c2"
    assert judged(hold_of(*pair, 0, 0, root=0, white=stones))
    # The root's first reply leads to a node that begins inside the node for all others.
    body = [4 * 2 + 0, 4 * 1 + 0, 20, 21, 22, 4 * 10 + 2, 5, 4 * 1 + 1, 2, 22, 6]
    assert "not well formed" in judged(hold_of(*body, root=7, white=stones)).reason


@pytest.mark.slow
def test_the_native_verifier_stands_alone(tmp_path: Path) -> None:
    source, program = Path(__file__).parents[2] / "search/hold_verifier.c", tmp_path / "verifier"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    subprocess.run([compiler, "-O1", "-DSTANDALONE", "-o", program, source], check=True)
    hold = find_hold(Board(6), BLACK).hold
    assert hold is not None
    hold.save(tmp_path / "black.gmkhold")
    done = subprocess.run([program, tmp_path / "black.gmkhold"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[0]) == (0, "accepted")

"""Proofs are read strictly, written compactly, and answer "what if I play here?"."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import IllegalMoveError, ProofError
from gomoku_patterns.notation import json_position
from search.proof import Attack, Defence, Proof
from search.result import Limit
from search.solver import solve
from search.verifier import verify
from tests.search.boards import draw, names
from tests.timing import calls

FOUR_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . X . . . .
    . O X X . X . . .
    . . . . . . . . .
    . O . . O . O . .
    . . . . . . . . .
    """


def four_three() -> dict[str, Any]:
    """Black plays e4, a four and a three; white's only answer in the row is g4; then e7 makes a straight four."""
    finish = {"move": "e7", "then": {"threat": ["e8"], "replies": {"e8": {"move": "e3"}, "e3": {"move": "e8"}}}}
    return {
        "version": 1,
        "position": json_position(draw(FOUR_THREE)),
        "attacker": "black",
        "tree": {"move": "e4", "then": {"threat": ["g4"], "replies": {"g4": finish}}},
    }


@pytest.fixture
def proof() -> Proof:
    return Proof.from_json(four_three())


def test_the_proof_of_these_tests_is_true(proof: Proof) -> None:
    assert verify(proof)


# ---------------------------------------------------------------------- following


def test_what_if_i_play_here(proof: Proof) -> None:
    board = proof.position
    assert board.name(proof.answer()) == "e4"
    assert board.name(proof.answer("a1")) == "g4"
    assert board.name(proof.answer("g4")) == "e7"
    assert board.name(proof.answer("g4", "e8")) == "e3"
    assert board.name(proof.answer("g4", (8, 8))) == "e8"
    assert [board.name(cell) for cell in proof.line("g4", "e3")] == ["e4", "g4", "e7", "e3", "e8"]


@pytest.mark.parametrize("replies", [(), ("g4",), ("a1",), ("g4", "a1"), ("g4", "e8")])
def test_the_answers_to_all_replies_are_those_to_each(proof: Proof, replies: tuple[str, ...]) -> None:
    for one in (proof, solve(draw(FOUR_THREE, rule="renju"), Limit(nodes=10_000)).proof):
        assert one is not None
        answers = one.answers(*replies)
        assert answers == {reply: one.answer(*replies, reply) for reply in answers}
        assert answers.keys() == one.lengths(*replies).keys()


def test_only_legal_replies_are_answered(proof: Proof) -> None:
    with pytest.raises(IllegalMoveError, match="'e4' is not a legal reply"):
        proof.answer("e4")
    with pytest.raises(IllegalMoveError, match="the five is made, so there is no reply 'a1' to it"):
        proof.answer("a2", "a1")


def test_the_main_line_is_as_long_as_the_proof_says(proof: Proof) -> None:
    board = proof.position
    assert proof.length == 5
    assert [board.name(cell) for cell in proof.main_line()][:3] == ["e4", "g4", "e7"]
    assert len(proof.main_line()) == 5
    for cell in proof.main_line():
        board.push(cell)
    assert board.winner() is proof.attacker


def test_the_main_line_takes_the_reply_that_lasts_longest(proof: Proof) -> None:
    """Of equals one that stops a five, then the nearest, then the first row by row: asked here of every legal reply."""
    for won in (proof, solve(draw(FOUR_THREE, rule="renju"), Limit(nodes=10_000)).proof):
        assert won is not None
        line, board = won.main_line(), won.position
        for ply, cell in enumerate(line):
            if ply % 2:
                assert cell == most_stubborn(won, line[:ply], board)
            board.push(cell)


def most_stubborn(won: Proof, line: tuple[Cell, ...], board: Board) -> Cell:
    lengths, fives, last = won.lengths(*line[1::2]), rules.winning_cells(board, won.attacker), line[-1]

    def worth(reply: Cell) -> tuple[int, bool, int]:
        return lengths[reply], reply in fives, -max(abs(reply.row - last.row), abs(reply.col - last.col))

    return max(sorted(lengths), key=worth)


def test_the_main_line_is_found_without_weighing_every_cell() -> None:
    """A legal cell costs the look at its distance at most, and a second reading nothing."""
    proof = Proof.from_json(four_three())
    assert calls(proof.main_line) < 1300
    assert calls(proof.main_line) < 5


def test_how_long_each_reply_holds_out(proof: Proof) -> None:
    lengths = proof.lengths()
    assert len(lengths) == 81 - 10
    assert lengths[proof.position.cell("g4")] == 4
    assert {length for cell, length in lengths.items() if cell != (5, 6)} == {2}
    assert list(lengths)[-1] == (5, 6)


def test_the_middle_of_a_threat_is_answered_too() -> None:
    """White has played far away; the threat goes on as it was written, or takes the five that is left open."""
    board = draw(FOUR_THREE)
    tree = Attack(board.cell("a9"), Defence(tuple(map(board.cell, ("g4", "e4", "e3"))), {}))
    far = Proof(board, tree)
    assert names(board, [far.answer("i9")]) == "g4"
    assert names(board, [far.answer("i9", "h9")]) == "e4"


def test_a_proof_that_runs_out_says_so() -> None:
    board = draw(FOUR_THREE)
    short = Proof(board, Attack(Cell(0, 0), Defence((), {})))
    with pytest.raises(ProofError, match="no answer to 'i9'"):
        short.answer("i9")
    occupied = Proof(board, Attack(board.cell("c4")))
    with pytest.raises(ProofError, match="plays 'c4'"):
        occupied.answer()


def test_the_main_line_ends_where_the_defender_has_no_legal_reply() -> None:
    """Under renju black's last empty cell would be an overline; and on a full board nothing is left to play."""
    board = draw("OOOOXO\nXOXOOX\nXXX.XX\nOXOOXO\nXXX.OX", "white", "renju")
    passing = Proof(board, Attack(board.cell("d1"), Defence((board.cell("d3"),), {})))
    assert verify(passing) and names(board, passing.main_line()) == "d1"
    board = draw("XOXOX\nXOXOX\nOXOXO\nOXOXO\nXOXO.")
    assert names(board, Proof(board, Attack(board.cell("e1"), Defence((), {}))).main_line()) == "e1"


# ---------------------------------------------------------------------- reading and writing


def test_text_and_back(proof: Proof, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    proof.save(path)
    again = Proof.load(path)
    assert again.to_json() == proof.to_json() == four_three_sorted()
    assert again.position == proof.position
    assert path.read_text().count("\n") == 1


def four_three_sorted() -> dict[str, Any]:
    """Replies are written from the top left."""
    value = four_three()
    finish = value["tree"]["then"]["replies"]["g4"]["then"]
    finish["replies"] = {"e8": finish["replies"]["e8"], "e3": finish["replies"]["e3"]}
    return value


def test_equal_attacks_are_written_once_and_read_as_one() -> None:
    board = Board(9)
    twice = [Attack(Cell(0, 0), Defence((Cell(8, 8),), {Cell(1, 1): Attack(Cell(2, 2))})) for _ in range(2)]
    proof = Proof(board, Attack(Cell(4, 4), Defence((), dict(zip([(3, 3), (5, 5)], twice, strict=True)))))  # type: ignore[arg-type]  # plain
    value = proof.to_json()
    assert len(value["nodes"]) == 1
    assert value["tree"]["then"]["replies"] == {"d6": 0, "f4": 0}
    again = Proof.from_json(value)
    assert again.to_json() == value
    assert again.attacks == proof.attacks - 2 == 3


def test_a_long_game_is_written_without_deep_nesting() -> None:
    """A tree two hundred attacks deep, which JSON readers with a limit on nesting could not read as it is."""
    board = Board(22)
    attack = Attack(Cell(0, 0))
    for number in range(1, 200):
        row, col = divmod(number, 22)
        attack = Attack(Cell(row, col), Defence((), {Cell(21 - row, col): attack}))
    proof = Proof(board, attack)
    text = json.dumps(proof.to_json())
    assert Proof.parse(text).length == proof.length == 399


def test_steps_meet_each_attack_once(proof: Proof) -> None:
    board = proof.position
    steps = [(" ".join(map(board.name, path)), board.name(attack.move)) for path, attack in proof.steps()]
    assert steps == [("", "e4"), ("e4 g4", "e7"), ("e4 g4 e7 e8", "e3"), ("e4 g4 e7 e3", "e8")]


def change(value: dict[str, Any], path: str, new: Any) -> dict[str, Any]:
    """A copy in which one place is something else; DROP takes it away."""
    value = copy.deepcopy(value)
    *above, key = path.split("/")
    place = value
    for step in above:
        place = place[step]
    if new is DROP:
        del place[key]
    else:
        place[key] = new
    return value


DROP = object()

WRONG: list[tuple[str, Any, str]] = [
    ("version", DROP, "proof: expected the key 'version'"),
    ("version", 2, "proof: expected the key 'passing'"),
    ("version", 3, "version: expected version 1 or 2, found 3"),
    ("version", True, "version: expected version 1 or 2, found True"),
    ("version", "1", "version: expected version 1 or 2, found '1'"),
    ("position", [], "position: expected a JSON object"),
    ("position/black", ["z9"], "position: "),
    ("position/to_move", "white", "attacker: expected 'white', whose turn it is in the position, found 'black'"),
    ("attacker", "white", "attacker: expected 'black', whose turn it is in the position, found 'white'"),
    ("attacker", None, "attacker: expected 'black'"),
    ("author", "me", "proof: expected the keys version, position, attacker, tree, nodes, found 'author'"),
    ("nodes", {}, "nodes: expected a list of nodes, found {}"),
    ("nodes", [3], "nodes.0: expected an object with move, found 3"),
    ("nodes", [{"move": "q4"}], "nodes.0.move: expected a cell from 'a1' to 'i9', found 'q4'"),
    ("tree", 0, "tree: expected the number of one of the 0 shared nodes, found 0"),
    ("tree", True, "tree: expected an object with move, found True"),
    ("tree", None, "tree: expected an object with move, found None"),
    ("tree/move", DROP, "tree: expected the key 'move'"),
    ("tree/move", [3, 4], "tree.move: expected a cell such as 'h8', found [3, 4]"),
    ("tree/move", "k1", "tree.move: expected a cell from 'a1' to 'i9', found 'k1'"),
    ("tree/mvoe", "a1", "tree: expected the keys move, then, found 'mvoe'"),
    ("tree/then", None, "tree.then: expected an object with threat, replies, found None"),
    ("tree/then/threat", DROP, "tree.then: expected the key 'threat'"),
    ("tree/then/threat", "g4", "tree.then.threat: expected a list of cells, found 'g4'"),
    ("tree/then/threat", ["g4", 7], "tree.then.threat: expected a cell such as 'h8', found 7"),
    ("tree/then/replies", ["g4"], "tree.then.replies: expected an object with a node for each reply"),
    ("tree/then/replies/j4", {"move": "a1"}, "tree.then.replies: expected a cell from 'a1' to 'i9', found 'j4'"),
    ("tree/then/replies/G4", {"move": "a1"}, "tree.then.replies: expected each reply once"),
    ("tree/then/replies/g4", -1, "tree.then.replies.g4: expected the number of one of the 0 shared nodes, found -1"),
    ("tree/then/replies/g4/then/replies/e8/move", "", "tree.then.replies.g4.then.replies.e8.move: expected a cell"),
]


@pytest.mark.parametrize(
    ("path", "new", "message"), WRONG, ids=[path + " " + message[-12:] for path, _, message in WRONG]
)
def test_what_is_no_proof_is_refused_with_the_place_and_the_reason(path: str, new: Any, message: str) -> None:
    value = change(four_three(), path, new)
    with pytest.raises(ProofError) as raised:
        Proof.from_json(value)
    assert str(raised.value).startswith(message)
    assert not verify(value)


@pytest.mark.parametrize("value", [None, 1, "text", [], {}, [[]]])
def test_any_other_value_is_refused(value: Any) -> None:
    with pytest.raises(ProofError):
        Proof.from_json(value)


@pytest.mark.parametrize("text", ["", "{", "nan", '{"version": 1, "version": 1}', "[" * 100_000, "1" * 5000])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ProofError):
        Proof.parse(text)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ProofError, match=r"none\.json: cannot be read"):
        Proof.load(tmp_path / "none.json")
    (tmp_path / "latin.json").write_bytes(b'{"version": "\xe9"}')
    with pytest.raises(ProofError, match=r"latin\.json: it is neither UTF-8 text nor"):
        Proof.load(tmp_path / "latin.json")
    (tmp_path / "cut.json").write_text('{"version": 1')
    with pytest.raises(ProofError, match=r"cut\.json: "):
        Proof.load(tmp_path / "cut.json")


@pytest.mark.parametrize("nodes", [[0], [1, 0]])
def test_a_shared_node_is_a_node(nodes: list[int]) -> None:
    with pytest.raises(ProofError, match="expected an object with move"):
        Proof.from_json({**four_three(), "tree": 0, "nodes": nodes})


def test_a_cycle_through_several_nodes_is_refused() -> None:
    ring = [{"move": "a1", "then": {"threat": [], "replies": {"a2": (number + 1) % 50}}} for number in range(50)]
    with pytest.raises(ProofError, match="leads back to itself"):
        Proof.from_json({**four_three(), "tree": 7, "nodes": ring})


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
words = st.sampled_from(["version", "position", "tree", "move", "then", "threat", "replies", "nodes", "a1", "h8"])
values = st.recursive(
    scalars | st.sampled_from(["a1", "h8", "black"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(values, st.sampled_from(["", *(path for path, _, _ in WRONG if "j4" not in path)]))
def test_nothing_but_a_verdict_comes_back_whatever_is_put_anywhere(value: Any, path: str) -> None:
    claim = change(four_three(), path, value) if path else value
    verdict = verify(claim)
    assert verdict.accepted == (not verdict.reason)


@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, lambda proof: pickle.loads(pickle.dumps(proof))])
def test_a_copy_in_another_process_or_by_pickle_measures_the_same(proof: Proof, again: Any) -> None:
    """The lengths hang on the identity of the attacks; they must not travel."""
    assert proof.length == 5
    other = again(proof)
    assert (other.length, other.main_line(), other.lengths()) == (5, proof.main_line(), proof.lengths())
    assert other.to_json() == proof.to_json() and verify(other)


def test_a_deep_proof_is_copied_without_recursion() -> None:
    attack = Attack(Cell(0, 0))
    for _ in range(5000):
        attack = Attack(Cell(0, 1), Defence((Cell(0, 2),), {Cell(0, 3): attack}))
    assert copy.deepcopy(Proof(Board(), attack)).length == 10001


def test_proofs_travel_through_a_pool_of_processes(proof: Proof) -> None:
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(measured, proof).result() == (5, proof.main_line())


def measured(proof: Proof) -> tuple[int, tuple[Cell, ...]]:
    return proof.length, proof.main_line()

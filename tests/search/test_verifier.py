"""The verifier accepts what wins against every reply and names the reply that escapes from anything else."""

from __future__ import annotations

import copy
import json
import tracemalloc
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns.board import Board
from gomoku_patterns.notation import json_position
from search import verifier
from search.proof import Proof
from search.result import Limit
from search.solver import solve
from search.verifier import Verdict
from tests.search.boards import draw
from tests.search.exhaustive import can_force_five
from tests.search.proving import prove, wins_every_game
from tests.search.soundness import midgame

RULES = ("freestyle", "standard", "renju")


def verify(proof: Any, board: Board | None = None, *, most_work: int = verifier.MOST_WORK) -> Verdict:
    """The thorough verdict; the quick one is the same, and the native verifier accepts the same, in this whole file."""
    verdict = verifier.verify(proof, board, most_work=most_work)
    quick = verifier.verify(proof, board, most_work=most_work, thorough=False)
    assert (quick.accepted, quick.reason) == (verdict.accepted, verdict.reason)
    assert quick.replies_checked <= verdict.replies_checked
    for thorough in (True, False):
        native = verifier.verify(proof, board, thorough=thorough, native=True)
        assert (native.accepted, not native.reason) == (verdict.accepted, verdict.accepted), native.reason
    return verdict


def claim(board: Board, tree: dict[str, Any], nodes: list[Any] | None = None) -> dict[str, Any]:
    """The JSON of a proof for the side to move."""
    shared = {} if nodes is None else {"nodes": nodes}
    return {"version": 1, "position": json_position(board), "attacker": str(board.turn), "tree": tree, **shared}


def attack(move: str, *threat: str, **replies: Any) -> dict[str, Any]:
    """A node: the move, the threat, and moves or nodes for replies."""
    below = {reply: {"move": node} if isinstance(node, str) else node for reply, node in replies.items()}
    return {"move": move, "then": {"threat": list(threat), "replies": below}}


def reason(board: Board, tree: dict[str, Any]) -> str:
    verdict = verify(claim(board, tree), board)
    assert verdict.accepted == (verdict.reason == "")
    return verdict.reason


OPEN_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X X X . . .
    . . . . . . . . .
    . . . . . . . . .
    O . O . O . O . .
    . . . . . . . . .
    """


@pytest.mark.parametrize("rule", RULES)
def test_a_straight_four_wins_and_every_reply_was_put_on_the_board(rule: str) -> None:
    board = draw(OPEN_THREE, rule=rule)
    verdict = verify(claim(board, attack("g5", "c5", c5="h5")), board)
    assert verdict.accepted and verdict.reason == ""
    assert verdict.replies_checked == 81 - 8 + (rule == "renju"), "under renju the pass is a reply too"


def test_the_escaping_reply_is_named() -> None:
    board = draw(OPEN_THREE)
    said = reason(board, attack("g5", "c5"))
    assert said == "after g5 the reply c5 escapes: the attacker cannot go on with c5: the cell is occupied"


def test_a_threat_must_go_to_the_end() -> None:
    board = draw(OPEN_THREE)
    assert reason(board, attack("h5", "g5", g5="c5")) == "after h5 g5 nothing follows c5, and it does not make five"
    assert reason(board, attack("a1", c5="g5")) == "after a1 the reply a9 escapes: the threat ends without a five"
    assert reason(board, attack("a1", "a3")) == "after a1 the reply a9 escapes: a3 makes no four"
    assert reason(board, attack("g5")) == "after g5 the reply a9 escapes: the threat ends without a five"


def test_a_four_with_two_answers_wins_in_the_middle_of_a_threat() -> None:
    """Black idles with two live threes; g5 in the threat is a straight four, whatever the line says comes then."""
    rows = OPEN_THREE.strip().splitlines()
    rows[1], rows[7] = ". . X X X . . . .", "O . . . . O . . O"
    board = draw("\n".join(rows))
    second = attack("f8", "b8", b8="g8")
    tree = attack("i1", "g5", "c5", c5=second, g5=second, h5=second)
    assert reason(board, tree) == ""


def test_what_follows_a_five_is_refused() -> None:
    board = draw(OPEN_THREE.replace(". X X X .", "X X X X ."))
    assert reason(board, {"move": "g5"}) == ""
    assert reason(board, attack("g5", "h5")) == "g5 makes five, and yet something follows"


@pytest.mark.parametrize("cell", ["d5", "a2"])
def test_nobody_plays_on_a_stone(cell: str) -> None:
    board = draw(OPEN_THREE)
    assert reason(board, {"move": cell}) == f"the attacker cannot play {cell}: the cell is occupied"
    assert reason(board, attack("g5", "c5", **{cell: "h5", "c5": "h5"})) == f"after g5 the reply {cell} is not legal"


def test_the_defender_makes_five_when_he_can() -> None:
    board = draw(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X X X . . .
        . . . . . . . . .
        . . . . . . . . .
        O O O O . . . . .
        . . . . . . . . .
        """
    )
    assert reason(board, attack("g5", "c5", c5="h5")) == "after g5 the reply e2 makes five"


def test_an_answer_that_makes_a_four_itself_refutes_the_threat() -> None:
    """Black's four at b5 is answered at a5, where white makes a four of his own: black has no time for g5."""
    board = draw(
        """
        X . . . . . . . .
        O . . . . . X . .
        O . . . . . X . .
        O . . . . . X . .
        . . X X X O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    said = reason(board, attack("i1", "b5", "g5", "g9"))
    assert said == "after i1 the reply b9 escapes: after g5 the defender makes five with a4"
    said = reason(board, attack("i1", "b5", "a4", "g5"))
    assert said == "after i1 the reply b9 escapes: a4 makes no four"


def test_an_overline_blocks_a_four_where_five_means_five() -> None:
    """The row has one more black stone at its right end: five at g5 would be six."""
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X X . X . X .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    tree = attack("e5", "b5", b5="g5")
    assert reason(draw(diagram), tree) == ""
    said = reason(draw(diagram, rule="standard"), tree)
    assert said == "after e5 b5 nothing follows g5, and it does not make five"
    assert reason(draw(diagram, rule="renju"), tree) == "after e5 b5 the attacker cannot play g5: it is forbidden"


def test_white_wins_by_forcing_black_onto_a_forbidden_point() -> None:
    """White's four has one answer, e5, where black would make an overline: under renju he may not, and loses."""
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        X O O O . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . . . . . .
        """
    tree = attack("f5", "e5")
    assert reason(draw(diagram, "white", "renju"), tree) == ""
    for rule in ("freestyle", "standard"):
        assert "e5" in reason(draw(diagram, "white", rule), tree)


def test_the_threat_too_may_count_on_a_forbidden_answer() -> None:
    """White's quiet move threatens f6, whose only answer e6 is an overline: of all replies only f6 helps."""
    diagram = """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . X . . . . .
        . . . . X . . . . .
        X O O O . . . . . .
        . . . . X . . . . .
        . . . . X . . . . .
        . . . . X . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """
    tree = attack("i1", "f6", "e6")
    for rule, escape in (("renju", "f6"), ("standard", "a10")):
        said = reason(draw(diagram, "white", rule), tree)
        assert said.startswith(f"after i1 the reply {escape} escapes: the attacker cannot go on with")


def test_black_may_not_attack_on_a_forbidden_point() -> None:
    """e5 makes two threes: fine in freestyle, forbidden under renju."""
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . . X X . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    board = draw(diagram, rule="renju")
    assert reason(board, attack("e5", "d5")) == "the attacker cannot play e5: it is forbidden"


def test_a_full_board_is_no_win() -> None:
    board = draw("XOXOX\nXOXOX\nOXOXO\nOXOXO\nXOXO.")
    assert "full: a draw" in reason(board, attack("e1"))


def test_who_has_no_legal_reply_passes() -> None:
    """Under renju black's last empty cell, d3, would be an overline."""
    diagram = "OOOOXO\nXOXOOX\nXXX.XX\nOXOOXO\nXXX.OX"
    board = draw(diagram, "white", "renju")
    assert reason(board, attack("d1", "d3")) == ""
    assert reason(board, attack("d1")) == "after d1 passing escapes: the threat ends without a five"


def test_the_game_must_go_on() -> None:
    board = draw("XXXXX\nOOO.O\n.....\n.....\n.....")
    assert reason(board, {"move": "d4"}) == "black has won already; there is nothing to prove"


@pytest.mark.parametrize("rule", ["caro", "caro-overline"])
def test_where_a_five_can_be_blocked_from_afar_nothing_is_certified(rule: str) -> None:
    board = draw(OPEN_THREE.replace(". X X X .", "X X X X ."), rule=rule)
    assert "expected freestyle, standard or renju" in reason(board, {"move": "g5"})


# ---------------------------------------------------------------------- foreign, tampered, cyclic, huge


def test_a_proof_for_another_position_is_refused() -> None:
    board, tree = draw(OPEN_THREE), attack("g5", "c5", c5="h5")
    proof = claim(board, tree)
    others = [
        draw(OPEN_THREE, rule="standard"),
        draw(OPEN_THREE, turn="white"),
        draw(OPEN_THREE.replace("O . O .", "O O . .")),
        draw(OPEN_THREE.replace("X", "O")),
        draw("\n".join(OPEN_THREE.strip().splitlines()[:-1])),
    ]
    for other in others:
        said = "the proof is for another position: 9x9 freestyle, black d5 e5 f5, white a2 c2 e2 g2, black to move"
        assert verify(proof, other).reason == said
    assert verify(proof)
    assert verify({**proof, "attacker": "white"}, board).reason.startswith("attacker: expected 'black'")


def test_a_node_that_leads_back_to_itself_is_refused() -> None:
    board = draw(OPEN_THREE)
    verdict = verify(claim(board, {"move": "g5", "then": {"threat": [], "replies": {"c5": 0}}}, [attack("h5", a1={})]))
    assert not verdict
    nodes = [{"move": "h5", "then": {"threat": [], "replies": {"a1": 0}}}]
    verdict = verify(claim(board, {"move": "g5", "then": {"threat": [], "replies": {"c5": 0}}}, nodes))
    assert verdict.reason == "a node leads back to itself"


def test_a_check_that_takes_too_long_gives_up_and_refuses() -> None:
    board, tree = draw(OPEN_THREE), attack("g5", "c5", c5="h5")
    for thorough in (True, False):
        assert verifier.verify(claim(board, tree), board, most_work=81 - 8 + 150, thorough=thorough)
        verdict = verifier.verify(claim(board, tree), board, most_work=81 - 9, thorough=thorough)
        assert not verdict and verdict.reason == "gave up: this proof takes more than 72 replies and stones to verify"


def small_and_endless() -> dict[str, Any]:
    """Black has a live four and plays about: at each of eleven levels three replies lead to the same node below."""
    board = Board(black=["d8", "e8", "f8", "g8"], white=["a1"], turn="black")
    idle = [f"{column}{row}" for row in (15, 13) for column in "acegikmo"]
    replies = [f"{column}{row}" for row in (2, 4, 6, 10, 12) for column in "bdfhjln"]
    nodes: list[Any] = [{"move": "h8"}]
    for level in range(11):
        below = {"c8": {"move": "h8"}} | dict.fromkeys(replies[3 * level : 3 * level + 3], level)
        nodes.append({"move": idle[level], "then": {"threat": ["c8"], "replies": below}})
    return claim(board, len(nodes) - 1, nodes)  # type: ignore[arg-type]  # nodes are given as they stand in JSON


@pytest.mark.parametrize("thorough", [True, False])
def test_a_small_file_takes_neither_time_nor_memory_without_end(thorough: bool) -> None:
    value = small_and_endless()
    assert len(json.dumps(value)) < 10_000
    tracemalloc.start()
    verdict = verifier.verify(value, most_work=60_000, thorough=thorough)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert verdict.reason == "gave up: this proof takes more than 60,000 replies and stones to verify"
    assert most < 30e6


def passing(board: Board, tree: dict[str, Any], allowed: bool = True) -> dict[str, Any]:
    return {**claim(board, tree), "version": 2, "passing": allowed}


def test_under_renju_the_defender_may_pass() -> None:
    """Every reply has its answer, but nothing says what black does if white does not reply."""
    board = draw(OPEN_THREE, rule="renju")
    every = {board.name(cell): {"move": "c5" if board.name(cell) != "c5" else "h5"} for cell in board.empties()}
    every.pop("g5")
    tree = {"move": "g5", "then": {"threat": [], "replies": every}}
    assert verify(claim(draw(OPEN_THREE), tree)), "under freestyle nobody passes, so that every reply has its answer"
    said = verify(claim(board, tree)).reason
    assert said == "after g5 passing escapes: the threat ends without a five"
    assert verify(claim(board, attack("g5", "c5", c5="h5")))


@pytest.mark.parametrize("rule", RULES)
def test_where_a_proof_says_that_passing_is_allowed_the_pass_is_answered(rule: str) -> None:
    board = draw(OPEN_THREE, rule=rule)
    every = {board.name(cell): {"move": "c5" if board.name(cell) != "c5" else "h5"} for cell in board.empties()}
    every.pop("g5")
    tree = {"move": "g5", "then": {"threat": [], "replies": every}}
    assert "passing escapes" in verify(passing(board, tree)).reason
    assert verify(passing(board, tree | {"then": {**tree["then"], "threat": ["c5"]}}))  # type: ignore[dict-item]
    by_default = {**tree["then"], "defaults": [{"move": "c5"}]}  # type: ignore[dict-item]
    assert verify(passing(board, {**tree, "then": by_default}))
    assert bool(verify(passing(board, tree, allowed=False))) == (rule != "renju")


def test_a_chain_of_ten_thousand_nodes_is_refused_without_recursion() -> None:
    nodes: list[Any] = [{"move": "a1"}]
    for number in range(10_000):
        nodes.append({"move": "a1", "then": {"threat": ["a2"], "replies": {"a3": number}}})
    verdict = verify(claim(Board(9), 10_000, nodes))  # type: ignore[arg-type]  # nodes are given as they stand in JSON
    assert verdict.reason == "after a1 the reply a9 escapes: a2 makes no four"


def test_text_nested_beyond_reason_is_refused() -> None:
    text = '{"version": 1, "tree": ' + '{"move": "a1", "then": ' * 100_000
    assert not verify(text)


@pytest.mark.parametrize("cut", [0, 1, 40, 150, -2])
def test_a_truncated_text_is_refused(cut: int) -> None:
    text = json.dumps(claim(draw(OPEN_THREE), attack("g5", "c5", c5="h5")))
    assert verify(text)
    assert not verify(text[:cut])


# ---------------------------------------------------------------------- small boards, every game played


def won_board(seed: int, rule: str, least_length: int = 1) -> Board:
    """A nearly full 5x5 board on which the side to move can force five, but not sooner than asked."""
    random = Random(seed)
    while True:
        cells = random.choices("XO", k=25)
        for place in random.sample(range(25), random.randint(3, 8)):
            cells[place] = "."
        board = draw("\n".join("".join(cells[row * 5 : row * 5 + 5]) for row in range(5)), "black", rule)
        board.turn = random.choice(["black", "white"])
        if board.winner() is None and can_force_five(board):
            proof = prove(board)
            if proof and proof.length >= least_length:
                return board


seeds = st.integers(0, 10**6)


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=15)
@given(seed=seeds)
def test_proofs_made_by_trying_everything_are_accepted(seed: int, rule: str) -> None:
    board = won_board(seed, rule)
    proof = prove(board)
    assert proof is not None
    assert verify(proof, board)
    assert wins_every_game(proof)
    assert len(proof.main_line()) == proof.length


def mutants(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """The tree with one thing changed, in every place and in several ways."""
    found = []
    places = [tree]
    for node in places:
        then = node.get("then")
        places += list(then["replies"].values()) if then else []
    for number in range(len(places)):
        for change in CHANGES:
            changed = copy.deepcopy(tree)
            nodes = [changed]
            for node in nodes:
                nodes += list(node["then"]["replies"].values()) if "then" in node else []
            change(nodes[number])
            if changed != tree:
                found.append(changed)
    return found


def drop_reply(node: dict[str, Any]) -> None:
    if node.get("then", {}).get("replies"):
        node["then"]["replies"].popitem()


def drop_threat(node: dict[str, Any]) -> None:
    if node.get("then", {}).get("threat"):
        node["then"]["threat"].pop()


def stop_here(node: dict[str, Any]) -> None:
    node.pop("then", None)


def move_elsewhere(node: dict[str, Any]) -> None:
    node["move"] = "c3" if node["move"] != "c3" else "b2"


def threaten_elsewhere(node: dict[str, Any]) -> None:
    if node.get("then", {}).get("threat"):
        node["then"]["threat"][0] = "c3" if node["then"]["threat"][0] != "c3" else "b2"


def threaten_beyond(node: dict[str, Any]) -> None:
    """Cells that the defender answers on are named as cells of the threat."""
    if node.get("then", {}).get("threat"):
        node["then"]["threat"] += list(node["then"]["replies"])


def answer_elsewhere(node: dict[str, Any]) -> None:
    replies = node.get("then", {}).get("replies", {})
    if len(replies) > 1:
        (one, first), (two, second), *_ = replies.items()
        replies[one], replies[two] = second, first


CHANGES = (drop_reply, drop_threat, stop_here, move_elsewhere, threaten_elsewhere, threaten_beyond, answer_elsewhere)


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=4)
@given(seed=seeds)
def test_a_mutant_is_refused_unless_it_wins_every_game_all_the_same(seed: int, rule: str) -> None:
    board = won_board(seed, rule, least_length=3)
    proof = prove(board)
    assert proof is not None
    value = written_out(proof)
    for mutant in mutants(value["tree"]):
        if verify({**value, "tree": mutant}, board):
            assert wins_every_game(Proof.from_json({**value, "tree": mutant}))


def written_out(proof: Proof) -> dict[str, Any]:
    """The JSON with every shared node in its place."""
    value = proof.to_json()
    nodes = value.pop("nodes", [])

    def whole(node: Any) -> Any:
        node = copy.deepcopy(nodes[node] if isinstance(node, int) else node)
        if "then" in node:
            node["then"]["replies"] = {reply: whole(below) for reply, below in node["then"]["replies"].items()}
        return node

    return {**value, "tree": whole(value["tree"])}


@pytest.mark.parametrize("rule", RULES)
def test_stones_that_spoil_a_proof_spoil_it_for_the_quick_way_too(rule: str) -> None:
    """Proofs of one position are checked on others, with more stones of the defender here and there."""
    random, accepted, refused = Random(7), 0, 0
    for seed in range(60):
        board = midgame(Random(seed), rule)
        solution = solve(board, Limit(nodes=400), mode="vct")
        if solution.proof is None:
            continue
        value = solution.proof.to_json()
        for _ in range(4):
            defender = value["position"][str(board.turn.opponent)]
            defender.append(list(random.choice(board.empties())))
            verdict = verify(value)
            accepted += verdict.accepted
            refused += not verdict.accepted
    assert accepted > 10 and refused > 10


def test_a_reply_that_makes_a_four_with_the_forced_answers_escapes() -> None:
    """Black forces f8 on the way, and then white has three on the column: any reply beside them makes a four of it."""
    board = Board(black=["b8", "c8", "d8", "h2", "i2"], white=["a8", "f9", "f10", "o15", "o1"], turn="black")
    for beyond in ((), ("f8",), ("g2", "f8", "l2")):  # a threat may go on after it has won: nothing of that is played
        said = reason(board, attack("j2", "e8", "k2", *beyond))
        assert said == "after j2 the reply f12 escapes: after k2 the defender makes five with f11"

"""The twenty levels: each is proven, the proof holds against every reply, and what is said of them stays true."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns.errors import TableError
from gomoku_patterns.native import native_evaluator
from gomoku_patterns.table import table_names
from puzzles import Attempt, AttemptPlan, Level, attempt, load, ordering_recall, report_html, winning_moves
from puzzles.recall import Rank
from puzzles.report import chart_svg
from search import Limit, Status, solve
from search.verifier import verify

LEVELS = list(load("huanle"))


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_every_level_is_proven_against_every_reply(level: Level) -> None:
    """By the verifier in C; tests/puzzles/test_proofs.py asks the one in Python."""
    solution = solve(level.board, Limit(seconds=10))
    assert solution.status is Status.PROVEN
    assert solution.proof is not None
    assert verify(solution.proof, level.board, native=True)
    assert solution.move in level.wins
    assert level.length is not None and solution.length is not None
    assert level.length <= solution.length


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_the_length_of_a_level_is_that_of_the_shortest_proof_known(level: Level) -> None:
    solution = solve(level.board, Limit(seconds=10), shortest=True)
    assert level.length is not None and solution.length is not None
    assert solution.length == level.length if solution.minimal else solution.length >= level.length
    assert solution.minimal == (level.length <= 9)


@pytest.mark.parametrize("number", [1, 2, 3, 7, 9, 14, 15, 18])
def test_the_winning_moves_of_a_level_are_all_proven(number: int) -> None:
    """Every first move is tried; the proofs that come of it hold against every reply."""
    level = load().level(number)
    proofs = winning_moves(level.board, Limit(nodes=3000))
    assert set(level.wins) == set(proofs)
    assert all(verify(proof, level.board, native=True) for proof in proofs.values())
    assert number not in (7, 9) or all(verify(proof, level.board) for proof in proofs.values())


def test_verifying_takes_the_quick_way_with_the_same_verdicts() -> None:
    some = LEVELS[::3]
    quick = sum(attempt(level).verify_elapsed or 0.0 for level in some)
    proofs = [(solve(level.board, Limit(seconds=10)).proof, level.board) for level in some]
    verdicts = [verify(proof, board) for proof, board in proofs if proof]
    assert all(verdicts) and len(verdicts) == len(some)
    assert quick < sum(verdict.elapsed for verdict in verdicts) / 3


def test_an_attempt_says_what_the_contract_asks_for() -> None:
    row = attempt(load().level(16)).row()
    assert {"number", "status", "move", "length", "nodes", "elapsed", "verdict"} <= set(row)
    assert (row["status"], row["verdict"], row["name"]) == ("proven", "accepted", "h9")
    assert row["move"] == [6, 7]


def test_an_attempt_that_failed_says_why() -> None:
    found = attempt(load().level(17), AttemptPlan(limit=Limit(nodes=5)))
    assert (found.solved, found.status, found.verdict) == (False, "unknown", "no win proven, stopped by nodes")
    found = attempt(load().level(13), AttemptPlan("random", "minmax:depth=2", Limit(nodes=1000)))
    assert (found.solved, found.status) == (False, "failed")
    assert found.verdict.startswith("white wins in ")


@pytest.mark.parametrize("plan", [AttemptPlan(), AttemptPlan(limit=Limit(nodes=1)), AttemptPlan("random", "random")])
def test_an_attempt_comes_back_from_json(plan: AttemptPlan) -> None:
    found = attempt(load().level(4), plan)
    assert Attempt.from_json(json.loads(json.dumps(found.to_json()))) == found


# ---------------------------------------------------------------- the ordering


def test_the_best_move_is_nearly_always_in_the_first_ten() -> None:
    recall = ordering_recall(load(), "grade_dict")
    assert (recall.levels, recall.unproven) == (20, ())
    assert recall.top == {1: 0.9, 5: 1.0, 10: 1.0}
    assert recall.mrr == pytest.approx(0.938, abs=0.001)


def test_every_table_has_its_recall() -> None:
    for name in table_names():
        recall = ordering_recall(LEVELS[:3], name)
        assert recall.levels == 3
        assert 0 < recall.mrr <= 1


@pytest.mark.parametrize("name", ["cell", "learned"])
def test_a_learned_table_is_ranked_by_its_priors_too(name: str) -> None:
    recall = ordering_recall(LEVELS[:3], name, priors=True)
    assert recall.evaluator == f"{name} prior"
    for level in LEVELS[:3]:
        priors = native_evaluator(name).priors(level.board)
        best = max(priors[cell.row, cell.col] for cell in level.wins)
        higher = sum(priors[cell.row, cell.col] > best for cell in level.board.empties())
        same = sum(priors[cell.row, cell.col] == best for cell in level.board.empties())
        assert higher + 1 <= recall.ranks[level.number] <= higher + same


def test_only_learned_tables_have_priors() -> None:
    with pytest.raises(TableError, match="only line codes and cell tables know priors"):
        ordering_recall(LEVELS[:1], "grade_dict", priors=True)


def test_an_evaluator_of_ones_own_is_measured_too() -> None:
    class Centre:
        name = "centre"

        def score(self, board):
            return 100 * len(board) + sum(-(abs(cell.row - 7) + abs(cell.col - 7)) for cell in board.stones(1))

    recall = ordering_recall(LEVELS[:2], Centre())
    assert recall.evaluator == "centre"
    assert recall.row()["levels"] == 2


def test_levels_without_a_known_win_are_proven_or_left_out() -> None:
    known = load().level(16)
    plain = [Level(1, known.position), Level(2, known.position.transform(1).swap_colours())]
    recall = ordering_recall(plain, "grade_dict")
    assert recall.levels == 2
    nothing = ordering_recall(plain, "grade_dict", limit=Limit(nodes=1))
    assert (nothing.levels, nothing.unproven, nothing.mrr) == (0, (1, 2), 0.0)


class Flat:
    """Cares for nothing."""

    name = "flat"

    def score(self, board):
        return 0


def test_moves_of_equal_gain_share_their_places() -> None:
    """Where everything is equal, the first of w winning moves among n is expected at (n + 1) / (w + 1)."""
    level = load().level(16)
    empty, wins = len(level.board.empties()), len(level.wins)
    recall = ordering_recall([level], Flat())
    assert recall.ranks[16] == pytest.approx((empty + 1) / (wins + 1), abs=1e-3)
    assert recall.top[1] == pytest.approx(wins / empty, abs=1e-5)


@given(better=st.integers(0, 6), equal=st.integers(1, 6), data=st.data())
def test_ranks_are_the_mean_over_all_orders_of_equals(better: int, equal: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(1, equal))
    firsts = [better + 1 + min(places) for places in combinations(range(equal), wins)]
    rank = Rank.among(better, equal, wins)
    assert rank.rank == pytest.approx(sum(firsts) / len(firsts), abs=1e-3)
    assert rank.reciprocal == pytest.approx(sum(1 / first for first in firsts) / len(firsts), abs=1e-3)
    shares = [sum(first <= top for first in firsts) / len(firsts) for top in (1, 5, 10)]
    assert rank.tops == pytest.approx(shares, abs=1e-4)


def test_a_ranking_of_ones_own_has_no_ties() -> None:
    class Ranked(Flat):
        def ranked(self, board, colour=None, width=None):
            return sorted(board.empties(), reverse=True)

    level = load().level(16)
    place = sorted(level.board.empties(), reverse=True).index(max(level.wins)) + 1
    assert ordering_recall([level], Ranked()).ranks == {16: place}


# ---------------------------------------------------------------- the page


def test_the_page_stands_alone() -> None:
    attempts = [attempt(level, AttemptPlan(limit=Limit(nodes=200))) for level in LEVELS[:4]]
    page = "".join(report_html(load(), attempts, "<solver> & friends"))
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<article>") == 4
    assert page.count("<svg") == 5
    assert "&lt;solver&gt; &amp; friends" in page
    assert not {"<script", "src=", "@import", "url(http", "href=\"http"} & {word for word in
        ("<script", "src=", "@import", "url(http", "href=\"http") if word in page}  # fmt: skip
    assert "prefers-color-scheme: dark" in page


def test_the_page_of_a_large_suite_draws_only_some_boards() -> None:
    attempts = [attempt(level) for level in LEVELS[:3]]
    page = "".join(report_html(load(), attempts, "solver", boards=2))
    assert (page.count("<article>"), page.count("<tr>")) == (2, 4)


def test_a_page_without_results_and_a_chart_without_time() -> None:
    assert "".join(report_html(load(), [], "solver")).endswith("</html>\n")
    found = attempt(LEVELS[0])
    idle = Attempt.from_json({**found.to_json(), "elapsed": 0.0})
    assert chart_svg([idle]).count("<rect") == 1

"""Your own evaluator under test, in ten lines: run it with ``pytest test_my_evaluator.py``."""

from gomoku_patterns.testing import check_evaluator


class Neighbours:
    """Stones that touch each other are worth a point a pair."""

    name, antisymmetric, symmetric = "neighbours", True, True

    def score(self, board):
        def pairs(colour):
            stones = board.stones(colour)
            return sum(max(abs(a.row - b.row), abs(a.col - b.col)) == 1 for a in stones for b in stones) // 2

        return pairs(1) - pairs(2)


def test_my_evaluator_keeps_the_laws():
    check_evaluator(Neighbours(), max_examples=30, max_side=10)

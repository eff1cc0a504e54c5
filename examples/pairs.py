"""An evaluator with a mistake that a law finds: pytest --gomoku-laws examples.pairs:Pairs"""


class Pairs:
    """A point for every two stones of one colour that stand side by side."""

    name, antisymmetric, symmetric = "pairs", True, True

    def score(self, board):
        pairs = ((cell, (cell.row, cell.col - 1)) for cell in board.cells() if cell.col > 0)
        return sum(board[a].sign for a, b in pairs if board[a] and board[a] is board[b])

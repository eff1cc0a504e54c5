"""What is written is read back the same: every notation, any size, either colour to move, either origin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import Board, Cell
from gomoku_patterns.cells import BLACK, WHITE, Colour
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation import (
    Entry,
    GameNode,
    GameTree,
    detect,
    formats,
    read_position,
    read_positions,
    write_position,
    write_positions,
)
from gomoku_patterns.rules import Rule

RULES = st.sampled_from(list(Rule))
SIDES = st.integers(5, 22)
NAMES = [entry.name for entry in formats() if entry.write is not None]
# What the notation does not say, and a reader must be told.
SILENT_SIZE = {"moves", "link", "rec", "openings"}
SILENT_RULE = {"moves", "link", "psq", "rec", "openings"}
IN_TURN = {"psq", "rec", "openings"}


@st.composite
def boards(draw, most: int = 22, square: bool = False) -> Board:
    """A position of any size with some stones set up and some pushed."""
    rows = draw(st.integers(5, most))
    cols = rows if square else draw(st.integers(5, most))
    cells = draw(st.lists(st.integers(0, rows * cols - 1), unique=True, max_size=16))
    black = draw(st.integers(0, len(cells)))
    white = draw(st.integers(black, len(cells)))
    spread = [Cell(*divmod(cell, cols)) for cell in cells]
    board = Board(rows, cols, black=spread[:black], white=spread[black:white], rule=draw(RULES))
    for cell in spread[white:]:
        board.push(cell)
    board.turn = draw(st.sampled_from(Colour))
    return board


@st.composite
def games(draw) -> Board:
    """A position that came about by moves in turn from an empty board."""
    rows, cols = draw(SIDES), draw(SIDES)
    board = Board(rows, cols, rule=draw(RULES))
    for index in draw(st.lists(st.integers(0, rows * cols - 1), unique=True, max_size=16)):
        board.push(divmod(index, cols))
    return board


def read_back(text: str, name: str, board: Board, origin: str | None = None) -> Board:
    size = (board.rows, board.cols) if name in SILENT_SIZE else None
    return read_position(text, format=name, origin=origin, size=size, rule=board.rule if name in SILENT_RULE else None)


@pytest.mark.parametrize("name", ["json", "jsonl", "grid", "moves", "cells", "sgf", "link"])
@pytest.mark.parametrize("origin", [None, "top", "bottom"])
@given(board=boards())
@settings(max_examples=25, deadline=None)
def test_any_position_comes_back(name: str, origin: str | None, board: Board) -> None:
    text = write_position(board, name, origin)
    assert read_back(text, name, board, origin) == board


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("origin", [None, "top", "bottom"])
@given(board=games())
@settings(max_examples=20, deadline=None)
def test_any_game_comes_back(name: str, origin: str | None, board: Board) -> None:
    if name == "lfz" or (name in ("psq", "openings") and not len(board)):
        return
    back = read_back(write_position(board, name, origin), name, board, origin)
    assert back == board


@given(board=boards(most=15, square=True), origin=st.sampled_from([None, "top", "bottom"]))
@settings(deadline=None)
def test_a_puzzle_collection_comes_back(board: Board, origin: str | None) -> None:
    board.rule = Rule.RENJU
    assert read_position(write_position(board, "lfz", origin), format="lfz", origin=origin) == board


@pytest.mark.parametrize("name", ["moves", "sgf", "psq", "rec", "gomocup", "openings", "link", "lfz"])
def test_the_order_of_the_moves_comes_back(name: str) -> None:
    board = Board(rule="renju")
    for cell in ("h8", "i9", "h9", "a1", "o15"):
        board.push(cell)
    back = read_back(write_position(board, name), name, board)
    assert back.moves == board.moves


@given(board=games())
@settings(max_examples=50, deadline=None)
def test_the_drawing_of_a_board_is_read_back(board: Board) -> None:
    board.rule = Rule.FREESTYLE
    assert read_position(str(board)) == board


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("psq", "rec")])
def test_a_collection_keeps_its_order(name: str) -> None:
    boards = [Board(15, rule="renju" if name not in SILENT_RULE else "freestyle") for _ in range(3)]
    for number, board in enumerate(boards):
        for cell in ("h8", "i9", "h9", "j9")[: number + 1]:
            board.push(cell)
    text = "".join(write_positions([Entry(board) for board in boards], name))
    assert [entry.board for entry in read_positions(text, format=name)] == boards


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_recognised(name: str) -> None:
    board = Board()
    for cell in ("h8", "i9", "h9", "a1", "o15"):
        board.push(cell)
    found = detect(write_position(board, name))
    assert found is not None
    assert found.name == ("json" if name == "jsonl" else name)


@pytest.mark.parametrize("name", ["psq", "rec"])
def test_a_file_for_one_game_holds_no_second(name: str) -> None:
    with pytest.raises(NotationError, match="holds one position, here are more"):
        list(write_positions([Entry(Board()), Entry(Board())], name))


@pytest.mark.parametrize("name", sorted(IN_TURN))
def test_stones_out_of_turn_are_not_written_where_they_cannot_be(name: str) -> None:
    with pytest.raises(NotationError, match="2 black, 0 white"):
        write_position(Board(black=["h8", "h9"]), name)


def test_a_board_block_is_not_written_when_the_colours_would_be_lost() -> None:
    with pytest.raises(NotationError, match="names no colours"):
        write_position(Board(black=["h8"], white=["a1", "a2", "a3"]), "gomocup")


# ---------------------------------------------------------------- games with variations

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)


@st.composite
def trees(draw) -> GameTree:
    """A game with setup stones, passes, comments, labels and variations."""
    tree = GameTree(draw(SIDES), draw(SIDES), draw(RULES))
    cells = [Cell(row, col) for row in range(5) for col in range(5)]
    set_up = draw(st.dictionaries(st.sampled_from(cells[:5]), st.sampled_from(Colour), max_size=3))
    tree.root.setup.update(set_up)
    tree.root.turn = draw(st.none() | st.sampled_from(Colour))
    tree.info.update(draw(st.dictionaries(st.sampled_from(["PB", "PW", "EV"]), TEXTS, max_size=2)))
    nodes = [tree.root]
    for _ in range(draw(st.integers(0, 8))):
        parent: GameNode = draw(st.sampled_from(nodes))
        taken = {step.cell for step in parent.path()} | set(set_up)
        cell = draw(st.sampled_from([cell for cell in cells if cell not in taken]) | st.none())
        node = parent.add(colour=draw(st.sampled_from(Colour)), cell=cell, comment=draw(TEXTS))
        node.labels.update(draw(st.dictionaries(st.sampled_from(cells), TEXTS, max_size=2)))
        nodes.append(node)
    return tree


@given(tree=trees(), origin=st.sampled_from([None, "top", "bottom"]))
@settings(deadline=None)
def test_a_game_with_variations_comes_back(tree: GameTree, origin: str | None) -> None:
    text = "".join(write_positions([Entry(tree.board(), tree=tree)], "sgf", origin))
    (entry,) = read_positions(text, format="sgf", origin=origin)
    assert entry.tree == tree
    assert entry.board == tree.board()


@given(board=boards())
@settings(max_examples=50, deadline=None)
def test_a_tree_made_from_a_board_leads_to_it(board: Board) -> None:
    tree = GameTree.from_board(board)
    assert tree.board() == board
    assert tree.board().moves[: len(board.moves)] == board.moves


@pytest.mark.parametrize(
    "name", ["moves", "grid", "sgf", "psq", "rec", "gomocup", "openings", "cells", "json", "lfz", "link"]
)
def test_read_from_the_other_edge_a_board_is_mirrored(name: str) -> None:
    """Rules do not see a flip; only two readings of the same text do."""
    board = Board(rule="freestyle")
    for cell in ("h8", "a1", "c2", "o3", "h15"):
        board.push(cell)
    text = write_position(board, name)
    flipped = read_back(text, name, board, _other(name))
    assert flipped == board.transform(5)
    assert flipped != board
    assert board[(14, 0)] is WHITE
    assert flipped[(0, 0)] is WHITE
    assert flipped[(7, 7)] is BLACK


def _other(name: str) -> str:
    default = next(entry.origin for entry in formats() if entry.name == name)
    return "bottom" if default == "top" else "top"

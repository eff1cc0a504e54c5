"""The endpoints: what each takes, what it does, and how it reads in the OpenAPI document.

Those in :data:`QUICK` are plain functions of the request and are answered at once; those in :data:`SEARCHES` become
jobs for the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gomoku.opponents import OPPONENTS
from gomoku.shapes import fouls, why
from gomoku.web.schema import Field, Fields, RequestError
from gomoku.web.settings import Settings
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Colour
from gomoku_patterns.errors import BoardError
from gomoku_patterns.rules import winning_row

Json = dict[str, Any]

POSITION = Field("object", 'a position: {"rows", "cols", "rule", "black", "white", "to_move"}', required=True)
TABLE = Field("string", "the name of a pattern table", default="grade_dict", least=1, most=64)
OPPONENT_NAMES = tuple(one.name for one in OPPONENTS)
MOST_REPLIES = 200_000
"""A proof that needs more takes too long for a request; ``gomoku verify`` has no such haste."""
PROOF = Field("object", "a proof", required=True)


@dataclass(frozen=True)
class Endpoint:
    """A POST endpoint under ``/api/``."""

    name: str
    summary: str
    fields: Fields
    answer: Callable[[Json], Json] | None = None
    large: bool = False


def board_of(position: Json) -> Board:
    """The board of a request."""
    from gomoku_patterns.notation import parse_json_position

    return parse_json_position(position)


# ---------------------------------------------------------------------- quick answers


def rules(request: Json) -> Json:
    board = board_of(request["position"])
    winner, barred = board.winner(), fouls(board)
    return {
        "rule": board.rule.value,
        "winner": None if winner is None else str(winner),
        "over": board.is_over(),
        "forbidden": [list(cell) for cell in barred],
        "fouls": [*barred.values()],
        "line": [list(cell) for cell in winning_row(board)],
    }


@lru_cache(maxsize=16)
def evaluator(table: str) -> Any:
    """A built-in table's evaluator; a server never opens a file a client names."""
    from gomoku_patterns.evaluator import as_evaluator
    from gomoku_patterns.table import table_names

    if table not in table_names():
        raise RequestError(f"expected a table, one of {', '.join(table_names())}; found {table!r:.60}")
    return as_evaluator(table)


def score(request: Json) -> Json:
    board, chosen = board_of(request["position"]), evaluator(request["table"])
    answer = {"table": chosen.name, "score": int(chosen.score(board)), "to_move": str(board.turn)}
    if request["points"]:
        answer["points"] = {str(colour): chosen.points(board, colour) for colour in Colour}
    return answer


def explain(request: Json) -> Json:
    from gomoku_patterns.explain import explain as why

    board, chosen = board_of(request["position"]), evaluator(request["table"])
    if request["cell"] is None:
        return why(board, chosen).to_json()
    cell = board.cell(request["cell"])
    return {str(colour): why(board, chosen, cell, colour).to_json() for colour in Colour}


def why_move(request: Json) -> Json:
    board = board_of(request["position"])
    return why(board, board.cell(request["cell"]))


def convert(request: Json) -> Json:
    from gomoku.web.trees import parse_tree, read_tree, tree_json, write_tree
    from gomoku_patterns.notation import GameTree

    if request["text"] is not None:
        tree = read_tree(request["text"], request["from"])
    elif request["tree"] is not None:
        tree = parse_tree(request["tree"])
    elif request["position"] is not None:
        tree = GameTree.from_board(board_of(request["position"]))
    else:
        raise RequestError("expected 'text', 'tree' or 'position', found none of them")
    board = tree.board()
    for move in request["moves"]:
        board.push(move)
    if request["moves"]:
        tree = GameTree.from_board(board)
    return {
        "position": position_with_moves(board),
        "tree": tree_json(tree),
        "text": write_tree(tree, request["to"]) if request["to"] else None,
    }


def position_with_moves(board: Board) -> Json:
    """The position, with its played moves apart from the stones that were set up."""
    from gomoku_patterns.notation import json_position

    moves = [[*move.cell, str(move.colour)] for move in board.moves]
    start = board.copy()
    for _ in moves:
        start.pop()
    return {"start": json_position(start), "moves": moves, "to_move": str(board.turn)}


def proof_check(request: Json) -> Json:
    from search.verifier import verify

    board = None if request["position"] is None else board_of(request["position"])
    verdict = verify(request["proof"], board, most_replies=MOST_REPLIES, thorough=False)
    return {
        "accepted": verdict.accepted,
        "replies_checked": verdict.replies_checked,
        "reason": verdict.reason,
        "elapsed": verdict.elapsed,
    }


def proof_answer(request: Json) -> Json:
    from search.proof import Proof

    proof = Proof.from_json(request["proof"])
    board = proof.position
    moves = proof.line(*request["replies"])
    return {"moves": [list(cell) for cell in moves], "names": [board.name(cell) for cell in moves]}


QUICK: Mapping[str, Endpoint] = {
    endpoint.name: endpoint
    for endpoint in (
        Endpoint("rules", "Who has won, and which cells are forbidden.", {"position": POSITION}, rules),
        Endpoint(
            "score",
            "The score of a position, and of each cell for either colour.",
            {"position": POSITION, "table": TABLE, "points": Field("boolean", "the value of each cell", default=False)},
            score,
        ),
        Endpoint(
            "explain",
            "Every pattern on the board, or what a stone of either colour on a cell changes, and the worth.",
            {"position": POSITION, "table": TABLE, "cell": Field("cell", "the cell to explain")},
            explain,
        ),
        Endpoint(
            "why",
            "What a move of the side to move makes, and what of the opponent's it stops.",
            {"position": POSITION, "cell": Field("cell", "the move", required=True)},
            why_move,
        ),
        Endpoint(
            "convert",
            "Read a position or a game with its variations in any notation, write it in another.",
            {
                "text": Field("string", "a position in any notation", most=200_000),
                "tree": Field("object", "a game with variations, as this endpoint answers it"),
                "position": Field("object", "a position as JSON"),
                "moves": Field("array", "moves played after it, names or [row, col]", default=[], most=484),
                "from": Field("string", "the notation of the text; detected when left out", most=32),
                "to": Field("string", "the notation to write", most=32),
            },
            convert,
            large=True,
        ),
        Endpoint(
            "proof/check",
            "Check a proof against every legal reply.",
            {"proof": PROOF, "position": Field("object", "the position it must be of")},
            proof_check,
            large=True,
        ),
        Endpoint(
            "proof/answer",
            "What the proof plays after these replies of the defender.",
            {"proof": PROOF, "replies": Field("array", "the defender's moves so far", default=[], most=400)},
            proof_answer,
            large=True,
        ),
    )
}


# ---------------------------------------------------------------------- searches


def searches(settings: Settings) -> Mapping[str, Endpoint]:
    """The endpoints that search, with the bounds of this server."""
    limits = {
        "seconds": Field("number", "time for the search", default=1.0, least=0.001, most=settings.max_seconds),
        "nodes": Field("integer", "positions the search may visit", least=1, most=settings.max_nodes),
        "stream": Field("boolean", "answer with a line of JSON for each progress report", default=False),
        "token": Field("string", "a random name under which the search can be stopped", least=16, most=64),
    }
    depth = Field("integer", "plies the search may look ahead", least=1, most=settings.max_depth)
    spec = Field("string", "a player and its options, as in GET /api/players", default="engine", least=1, most=200)
    mode = Field("string", "what to look for", default="full", choices=("vcf", "vct", "full"))
    person = {
        "opponent": Field("string", "a person of GET /api/opponents, in the player's place", choices=OPPONENT_NAMES),
        "seed": Field("integer", "another seed, another game with a person", default=0, least=0, most=2**53),
        "last": Field("cell", "the last stone played, which a person looks at first"),
    }
    move = {"position": POSITION, "player": spec, "depth": depth, **person, **limits}
    return {
        "move": Endpoint("move", "A player's move.", move),
        "solve": Endpoint("solve", "A win with its proof.", {"position": POSITION, "mode": mode, **limits}),
    }


MOST_OF = {"hash": 256, "memory": 256, "threads": 4}
"""How much of the machine one search may ask for: megabytes and threads."""


def check_search(name: str, request: Json) -> None:
    """Refuse what cannot be searched before it costs a place in the queue."""
    if board_of(request["position"]).winner() is not None:
        raise BoardError("expected a game that is not over, found a winner on the board")
    if name == "move":
        check_player(request["player"])


def check_player(spec: str) -> None:
    """Refuse a player that would open files or take more than its share; it is made only where it searches."""
    from search.players import parse_options, parse_spec, player_info

    name, written = parse_spec(spec)
    for option, value in parse_options(name, player_info(name).options, written).items():
        if option == "table" and value is not None:
            evaluator(value)
        elif option == "proof" and value is not None:
            raise RequestError(f"expected a player without files, found {spec!r}")
        elif option == "otherwise":
            check_player(value)
        elif value is not None and option in MOST_OF and value > MOST_OF[option]:
            raise RequestError(f"expected {option!r} of a player up to {MOST_OF[option]}, found {value!r}")


# ---------------------------------------------------------------------- lists


def players(_request: Json) -> Json:
    from search.players import describe_players

    return {"players": [{"name": info.name, "summary": info.summary} for info in describe_players()]}


def opponents(_request: Json) -> Json:
    return {"opponents": [one.to_json() for one in OPPONENTS]}


def tables(_request: Json) -> Json:
    from gomoku_patterns.table import load_table, table_names

    loaded = [load_table(name) for name in table_names()]
    return {"tables": [{"name": table.name, "title": table.title, "scan": table.scan} for table in loaded]}


def suite(_request: Json) -> Json:
    import puzzles
    from gomoku_patterns.notation import json_position

    return {
        "suite": "huanle",
        "levels": [
            {"number": level.number, "title": level.title, "position": json_position(level.board)}
            for level in puzzles.load("huanle")
        ],
    }


def formats(_request: Json) -> Json:
    from gomoku_patterns.notation import formats as known

    return {
        "formats": [
            {
                "name": format.name,
                "title": format.title,
                "read": format.read is not None,
                "write": format.write is not None,
            }
            for format in known()
        ]
    }


LISTS: Mapping[str, Endpoint] = {
    endpoint.name: endpoint
    for endpoint in (
        Endpoint("players", "The players and their options.", {}, players),
        Endpoint("opponents", "People to play against, the weakest first.", {}, opponents),
        Endpoint("tables", "The built-in pattern tables.", {}, tables),
        Endpoint("puzzles", "The twenty levels.", {}, suite),
        Endpoint("formats", "The notations that can be read and written.", {}, formats),
    )
}

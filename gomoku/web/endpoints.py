"""The endpoints: what each takes, what it answers, and how it reads in the OpenAPI document.

Those in :data:`QUICK` are plain functions of the request, answered at once or, when they can take longer than a moment,
in a process; those of :func:`searches` become jobs for the pool of searches. The answers are made in
:mod:`gomoku.answers`.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, TypedDict

from gomoku import answers
from gomoku.answers import types
from gomoku.opponents import OPPONENTS
from gomoku.web.bounds import ServerBounds
from gomoku.web.schema import Field, Fields, RequestError
from gomoku_patterns.board import Board
from gomoku_patterns.errors import BoardError, unknown

Json = dict[str, Any]
Answer = Mapping[str, Any]

POSITION = Field("position", "the position", required=True)
TABLE = Field("string", "the name of a pattern table", default="grade_dict", least=1, most=64)
OPPONENT_NAMES = tuple(one.name for one in OPPONENTS)
MOST_WORK = 200_000
"""A proof that needs more takes too long for a request; ``gomoku verify`` has no such haste."""
PROOF = Field("proof", "the proof", required=True)


@dataclass(frozen=True)
class Endpoint:
    """An endpoint under ``/api/``: GET without fields, else POST."""

    name: str
    summary: str
    fields: Fields
    returns: Any
    """The type of its answer."""
    answer: Callable[[Json], Answer] | None = None
    heavy: bool = False
    """Whether it can take longer than a moment: then it is answered in a process that can be killed."""


def _named(*endpoints: Endpoint) -> Mapping[str, Endpoint]:
    return {endpoint.name: endpoint for endpoint in endpoints}


def board_of(position: Json) -> Board:
    """The board of a request."""
    from gomoku_patterns.notation import parse_json_position

    return parse_json_position(position)


# ---------------------------------------------------------------------- quick answers


@lru_cache(maxsize=16)
def evaluator(table: str) -> Any:
    """A built-in table's evaluator; a server never opens a file a client names."""
    from gomoku_patterns.evaluator import as_evaluator
    from gomoku_patterns.table import built_in_names

    if table not in built_in_names():
        raise RequestError(unknown("table", table, built_in_names()))
    return as_evaluator(table)


def rules(request: Json) -> Answer:
    return answers.rules(board_of(request["position"]))


def score(request: Json) -> Answer:
    return answers.score(board_of(request["position"]), evaluator(request["table"]), points=request["points"])


def explain(request: Json) -> Answer:
    return answers.explain(board_of(request["position"]), evaluator(request["table"]), request["cell"])


def why_move(request: Json) -> Answer:
    return answers.why(board_of(request["position"]), request["cell"])


def unpacked(text: str) -> bytes:
    """The bytes that base64 stands for."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise RequestError("'base64' does not hold base64") from None


def convert(request: Json) -> Answer:
    game: str | bytes | Json | Board
    if request["text"] is not None:
        game = request["text"]
    elif request["base64"] is not None:
        game = unpacked(request["base64"])
    elif request["tree"] is not None:
        game = request["tree"]
    elif request["position"] is not None:
        game = board_of(request["position"])
    else:
        raise RequestError("give one of 'text', 'base64', 'tree' and 'position'")
    return answers.convert(game, request["to"], format=request["from"], moves=request["moves"])


def proof_verify(request: Json) -> Answer:
    board = None if request["position"] is None else board_of(request["position"])
    return answers.verify(request["proof"], board, most_work=MOST_WORK, thorough=False)


def proof_answer(request: Json) -> Answer:
    return answers.follow(request["proof"], *request["replies"])


def levels_of_suite(name: str) -> Answer:
    """The levels of a built-in suite; a server never opens a file a client names."""
    import puzzles

    if name not in puzzles.suite_names():
        raise RequestError(unknown("suite", name, puzzles.suite_names()))
    return answers.suite(name)


QUICK = _named(
    Endpoint("rules", "Who has won, and which cells are forbidden.", {"position": POSITION}, types.RulesAnswer, rules),
    Endpoint(
        "score",
        "The score of a position, and of each cell for either colour.",
        {"position": POSITION, "table": TABLE, "points": Field("boolean", "the value of each cell", default=False)},
        types.ScoreAnswer,
        score,
    ),
    Endpoint(
        "explain",
        "Every pattern on the board, or what a stone of either colour on a cell changes.",
        {"position": POSITION, "table": TABLE, "cell": Field("cell", "the cell to explain")},
        types.ExplainAnswer | types.ExplainCellAnswer,
        explain,
        heavy=True,
    ),
    Endpoint(
        "why",
        "What a move of the side to move makes, and what of the opponent's it stops.",
        {"position": POSITION, "cell": Field("cell", "the move", required=True)},
        types.WhyAnswer,
        why_move,
    ),
    Endpoint(
        "convert",
        "Read a position or a game with its variations in any notation, write it in another.",
        {
            "text": Field("string", "a position in any notation", most=200_000),
            "base64": Field("string", "a file that is no text, such as a RenLib library, in base64", most=3_000_000),
            "tree": Field("tree", "a game with variations, as this endpoint answers it"),
            "position": Field("position", "a position as JSON"),
            "moves": Field("cells", "moves played after it", default=[], most=484),
            "from": Field("string", "the notation of the text; detected when left out", most=32),
            "to": Field("string", "the notation to write", most=32),
        },
        types.ConvertAnswer,
        convert,
        heavy=True,
    ),
    Endpoint(
        "proof/verify",
        "Verify a proof against every legal reply.",
        {"proof": PROOF, "position": Field("position", "the position it must be of")},
        types.VerifyAnswer,
        proof_verify,
        heavy=True,
    ),
    Endpoint(
        "proof/answer",
        "What the proof plays after these replies of the defender.",
        {"proof": PROOF, "replies": Field("cells", "the defender's moves so far", default=[], most=400)},
        types.FollowAnswer,
        proof_answer,
        heavy=True,
    ),
)


# ---------------------------------------------------------------------- searches


def searches(bounds: ServerBounds) -> Mapping[str, Endpoint]:
    """The endpoints that search, with the bounds of this server."""
    limits = {
        "seconds": Field("number", "time for the search", default=1.0, least=0.001, most=bounds.max_seconds),
        "nodes": Field("integer", "positions the search may visit", least=1, most=bounds.max_nodes),
        "stream": Field("boolean", "answer with a line of JSON for each progress report", default=False),
        "token": Field("string", "a random name under which the search can be stopped", least=16, most=64),
    }
    depth = Field("integer", "plies the search may look ahead", least=1, most=bounds.max_depth)
    spec = Field("string", "a player and its options, as in GET /api/players", default="engine", least=1, most=200)
    mode = Field("string", "what to look for", default="full", choices=("vcf", "vct", "full", "book"))
    person = {
        "opponent": Field("string", "a person of GET /api/opponents, in the player's place", choices=OPPONENT_NAMES),
        "seed": Field(
            "integer",
            "another seed, another game with a person, another opening of Swap2",
            default=0,
            least=0,
            most=2**53,
        ),
        "last": Field("cell", "the last stone played, which a person looks at first"),
    }
    move = {"position": POSITION, "player": spec, "depth": depth, **person, **limits}
    return _named(
        Endpoint("move", "A player's move.", move, types.MoveAnswer),
        Endpoint(
            "swap2",
            "What the engine does in Swap2: puts three stones on an empty board, chooses a side after three or five.",
            {"position": POSITION, "seed": person["seed"], **limits},
            types.Swap2Answer,
        ),
        Endpoint(
            "solve",
            "A win with its proof.",
            {
                "position": POSITION,
                "mode": mode,
                "shortest": Field("boolean", "go on to the shortest win that can be shown", default=False),
                **limits,
            },
            types.SolveAnswer,
        ),
        Endpoint(
            "book",
            "The proven openings on a game: who is proven to win, and what answers each reply.",
            {
                "position": POSITION,
                "moves": Field("cells", "moves played after it, of both sides", default=[], most=484),
                "count": Field("boolean", "make the searches again that say how long it lasts", default=False),
                **limits,
            },
            types.BookAnswer,
        ),
        Endpoint(
            "review",
            "The errors of a game: wins that were missed, moves that lost, and what refutes them.",
            {
                "position": POSITION,
                "moves": Field("cells", "the moves of the game after it", required=True, least=1, most=484),
                **limits,
                "nodes": Field("integer", "positions for each question", default=20_000, least=1, most=1_000_000),
            },
            types.ReviewAnswer,
        ),
        Endpoint(
            "feedback",
            "What a move in a puzzle is worth: whether it still wins, and in how many, or what refutes it.",
            {
                "position": POSITION,
                "move": Field("cell", "the move of the side to move", required=True),
                "within": Field("integer", "plies the win is known to take, the move included", least=1, most=484),
                **limits,
            },
            types.FeedbackAnswer,
        ),
    )


MOST_OF = {"hash": 256, "memory": 256, "threads": 4}
"""How much of the machine one search may ask for: megabytes and threads."""


def check_search(name: str, request: Json) -> None:
    """Refuse what cannot be searched before it costs a place in the queue."""
    if board_of(request["position"]).winner() is not None:
        raise BoardError("this game is over; there is a winner on the board", code="game-over")
    if name == "move":
        check_player(request["player"])


def check_player(spec: str) -> None:
    """Refuse a player that would open files or take more than its share; it is made only where it searches."""
    from search.players import spec_options

    for option, value in spec_options(spec).items():
        if option == "table" and value is not None:
            evaluator(value)
        elif option == "proof" and value is not None:
            raise RequestError(f"a player here may not open files: leave the proof out of {spec!r:.60}")
        elif option in ("book", "file") and value not in (None, "great"):
            raise RequestError(f"a player here may not open files: the only book in {spec!r:.60} can be great")
        elif option == "otherwise":
            check_player(value)
        elif value is not None and option in MOST_OF and value > MOST_OF[option]:
            raise RequestError(f"{option} of a player may be at most {MOST_OF[option]} here, not {value!r}")


# ---------------------------------------------------------------------- lists


class HealthAnswer(TypedDict):
    """How the server is."""

    status: Literal["ok"]
    searching: Annotated[int, "searches at work"]
    processes: Annotated[int, "how many can be"]
    max_seconds: Annotated[float, "the longest search it allows"]


class StopAnswer(TypedDict):
    """A search was told to stop; its own request is answered with what it has found."""

    stopping: Annotated[bool, "false if no search of this token is at work"]


HEALTH = Endpoint("health", "Whether the server is well, and how busy.", {}, HealthAnswer)
STOP = Endpoint(
    "stop",
    "Stop a search by its token.",
    {"token": Field("string", "the token of the search to stop", required=True, least=16, most=64)},
    StopAnswer,
)
LISTS = _named(
    Endpoint("players", "The players and their options.", {}, types.PlayersAnswer, lambda _: answers.players()),
    Endpoint(
        "opponents",
        "People to play against, the weakest first.",
        {},
        types.OpponentsAnswer,
        lambda _: {"opponents": [one.to_json() for one in OPPONENTS]},
    ),
    Endpoint("tables", "The built-in pattern tables.", {}, types.TablesAnswer, lambda _: answers.tables()),
    Endpoint(
        "suites", "The puzzle suites, and what their levels show.", {}, types.SuitesAnswer, lambda _: answers.suites()
    ),
    Endpoint(
        "puzzles",
        "The levels of a puzzle suite.",
        {"suite": Field("string", "the name of the suite", default="huanle", least=1, most=64)},
        types.SuiteAnswer,
        lambda request: levels_of_suite(request["suite"]),
    ),
    Endpoint(
        "formats",
        "The notations that can be read and written.",
        {},
        types.FormatsAnswer,
        lambda _: answers.formats(),
    ),
)

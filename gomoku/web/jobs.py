"""What a process of the pool does with a job: a move of a player, a solution with its proof, a request as it came."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gomoku import answers, swap2
from gomoku.opponents import opponent
from gomoku.web.endpoints import QUICK
from gomoku.web.schema import check, parse_request
from gomoku_patterns import Board, Colour
from gomoku_patterns.notation import parse_json_position
from search import Cancel, Limit, player
from search.players import parse_spec, player_info
from search.result import Progress
from search.solver import MEMORY

if TYPE_CHECKING:
    from gomoku.answers.types import ReviewedMoveJson, WorthJson
    from search.player_base import Player
    from search.result import SearchResult

Json = dict[str, Any]
Answer = Mapping[str, Any]

KEPT_PLAYERS = 4
KEPT_MEGABYTES = 256
"""What the kept players may use together, as many as one player alone may ask for."""
PERSON = "engine"
"""The player inside a person, which decides how much memory the person uses."""
_players: OrderedDict[str, tuple[Player, int]] = OrderedDict()
"""The kept players with their megabytes, the one that was used last at the end."""
PlayerT = TypeVar("PlayerT", bound="Player")


def run(job: Json, body: bytes, cancel: Cancel, progress: Progress) -> Answer:
    """The answer to a job: a search, whose members were checked by the endpoint, or a request as it came."""
    if "endpoint" in job:
        return _request(job["endpoint"], body)
    kinds: dict[str, Callable[[Json, Cancel, Progress], Answer]] = {
        "move": _move,
        "solve": _solve,
        "swap2": _swap2,
        "book": _book,
        "review": _review,
        "feedback": _feedback,
    }
    return kinds[job["kind"]](job, cancel, progress)


def _request(name: str, body: bytes) -> Answer:
    endpoint = QUICK[name]
    assert endpoint.answer is not None
    return endpoint.answer(check(endpoint.fields, parse_request(body)))


def _move(job: Json, cancel: Cancel, progress: Progress) -> Answer:
    board = _board(job)
    chosen = _kept_player(job["player"]) if job["opponent"] is None else _person(job["opponent"], job["seed"])
    return answers.move(board, chosen, _limit(job), cancel=cancel, progress=_as_json(board, progress))


def _as_json(board: Board, progress: Progress) -> Progress:
    return lambda told: progress({**answers.progress(board, told)})


def _swap2(job: Json, cancel: Cancel, progress: Progress) -> Answer:
    board = parse_json_position(job["position"])
    engine = _kept_player("engine")

    def search(position: Board, limit: Limit) -> SearchResult:
        return engine.search(position, limit, cancel=cancel, progress=_as_json(position, progress))

    choice = swap2.answer(board, _limit(job), search, job["seed"])
    names = [board.name(cell) for cell in choice.stones]
    return {"stones": [list(cell) for cell in choice.stones], "names": names, "swap": choice.swap}


def _board(job: Json) -> Board:
    """The position; the last stone, where it is told, as the move that was just played."""
    board = parse_json_position(job["position"])
    last = None if job["last"] is None else board.cell(job["last"])
    if last is None or board[last] is not board.turn.opponent:
        return board
    stones = {str(colour): [cell for cell in board.stones(colour) if cell != last] for colour in Colour}
    before = Board(board.rows, board.cols, rule=board.rule, turn=board.turn.opponent, **stones)
    before.push(last)
    return before


def _person(name: str, seed: int) -> Player:
    chosen = _kept(f"person {name}", opponent(name).player, megabytes(PERSON))
    chosen.seed = seed
    return chosen


def _solve(job: Json, cancel: Cancel, progress: Progress) -> Answer:
    board = parse_json_position(job["position"])
    return answers.solve(
        board,
        _limit(job),
        with_proof=True,
        with_line=job["mode"] != "book",  # through its many defaults the way is long
        mode=job["mode"],
        shortest=job["shortest"],
        memory=MEMORY,  # a server has several workers
        cancel=cancel,
        progress=_as_json(board, progress),
    )


def _game(job: Json) -> Board:
    board = parse_json_position(job["position"])
    for cell in job["moves"]:
        board.push(board.cell(cell))
    return board


def _review(job: Json, cancel: Cancel, progress: Progress) -> Answer:
    """The seconds go for the whole game, the nodes for each question about a position."""
    begun, positions = monotonic(), len(job["moves"]) + 1
    numbers = count(1)

    def found(worth: WorthJson, reviewed: ReviewedMoveJson | None) -> None:
        done = {"done": next(numbers), "of": positions, "elapsed": monotonic() - begun}
        progress({**done, "worth": worth, "reviewed": reviewed})

    return answers.review(_game(job), Limit(nodes=job["nodes"]), seconds=job["seconds"], cancel=cancel, found=found)


def _book(job: Json, cancel: Cancel, progress: Progress) -> Answer:
    board = _game(job)
    return answers.book(board, _limit(job), count=job["count"], cancel=cancel, progress=progress)


def _feedback(job: Json, cancel: Cancel, _progress: Progress) -> Answer:
    board = parse_json_position(job["position"])
    return answers.feedback(board, job["move"], _limit(job), within=job["within"], cancel=cancel)


def _limit(job: Json) -> Limit:
    return Limit(depth=job.get("depth"), nodes=job.get("nodes"), seconds=job["seconds"])


def _kept_player(spec: str) -> Player:
    return _kept(spec, lambda: player(spec), megabytes(spec))


def megabytes(spec: str) -> int:
    """How much memory a player asks for what it finds out, with the player inside it."""
    name, written = parse_spec(spec)
    options = player_info(name).declared.of(written)
    own = sum(value for kind in ("hash", "memory") if isinstance(value := getattr(options, kind, None), int))
    inner = getattr(options, "otherwise", None)
    return own + (megabytes(inner) if isinstance(inner, str) else 0)


def _kept(name: str, make: Callable[[], PlayerT], size: int) -> PlayerT:
    """Players are kept for their memory, but every request starts them afresh: the answer depends on nothing else.

    Those that were not used for the longest time make room before another one is made.
    """
    kept = _players.pop(name, None)
    while _players and (len(_players) >= KEPT_PLAYERS or kept_megabytes() + size > KEPT_MEGABYTES):
        _players.popitem(last=False)
    chosen = make() if kept is None else cast("PlayerT", kept[0])
    _players[name] = chosen, size
    chosen.new_game()
    return chosen


def kept_megabytes() -> int:
    """What the kept players use together."""
    return sum(size for _, size in _players.values())

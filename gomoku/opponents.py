"""People to play against: each has a name, a sentence and a strength that is the same on every machine.

The strong ones are the engine with so many nodes to a move, never so much time. The weak ones look at one move only
and, like people, overlook things: a line that runs slantwise sooner than a row, a place far from the last stones
sooner than one beside them, the opponent's plans sooner than their own. What they overlook is drawn from the
position and a seed, so that the same request has the same answer. Another seed is another game: the strong ones begin
with one of the moves that they think about as good as the best.

>>> from gomoku_patterns import Board
>>> pip = opponent("pip")
>>> pip.name_in("en"), pip.level
('Pip', 1)
>>> pip.player(seed=1).search(Board(black=["h8"])).move == pip.player(seed=1).search(Board(black=["h8"])).move
True
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gomoku.shapes import threats
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import PlayerError
from search._control import Cancel
from search._threats import ThreatBoard
from search.door import check_limit, playable
from search.engine_player import EnginePlayer
from search.player_base import Player
from search.result import Limit, Progress, SearchResult

Json = dict[str, Any]

WORTH = (0, 2, 9, 10, 60, 62, 900, 1000, 100_000, 100_000)
"""What a shape is worth to somebody who sees it, by the numbers of the native core (:data:`gomoku.shapes.KINDS`)."""
FIVE = 8
NEAR = 2
FAR = 4
VARIED_STONES = 6
"""On a board with fewer stones an engine plays one of its best moves."""
VARIED_LINES = 3
VARIED_MARGIN = 30
"""How much worse than the best such a move may seem, in the engine's score; less than 40 is even on the page."""
SLANTING = 0.85
"""How much sooner a row or column is noticed than a slanting line, and what is near sooner than what is far."""


@dataclass(frozen=True)
class Attention:
    """What somebody notices: chances from 0 to 1, and how much a guess may be off."""

    own_five: float
    other_five: float
    own: float
    other: float
    wavering: float
    adds_up: float
    """How often two shapes made at once are seen as more than the better one."""


@dataclass(frozen=True)
class Opponent:
    """Somebody to play against."""

    name: str
    level: int
    names: Mapping[str, str]
    about: Mapping[str, str]
    nodes: int = 0
    """How many nodes the engine may look at for a move; 0 for those who only look at the board."""
    slips: float = 0.0
    """How often a move is made by looking at the board alone."""
    attention: Attention = field(default_factory=lambda: Attention(1, 1, 0.97, 0.95, 0.1, 0.8))

    def name_in(self, language: str) -> str:
        return self.names[language]

    def player(self, seed: int = 0) -> Person:
        """The opponent as a player; another seed, another game."""
        return Person(self, seed)

    def to_json(self) -> Json:
        about = {"name": self.name, "level": self.level, "names": dict(self.names), "about": dict(self.about)}
        return about | {"nodes": self.nodes, "slips": self.slips}


class Person(Player):
    """An opponent as a player: the engine within nodes, or somebody who looks at the board and overlooks things."""

    kind = "person"
    summary = "Somebody to play against."

    def __init__(self, who: Opponent, seed: int = 0) -> None:
        super().__init__()
        self.who, self.seed, self.name = who, seed, who.name
        self._engine = EnginePlayer() if who.nodes else None

    def new_game(self) -> None:
        if self._engine is not None:
            self._engine.new_game()

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        check_limit(limit)
        cells = playable(board)
        if not cells:
            return SearchResult(move=None, score=0)
        chance = random.Random(f"{self.who.name} {self.seed} {board.turn} {board.rows} {board.flat.hex()}")
        if self._engine is not None and chance.random() >= self.who.slips:
            within = Limit(nodes=self.who.nodes, seconds=limit.seconds if limit else None)
            few = sum(1 for stone in board.flat if stone) < VARIED_STONES
            self._engine.change(lines=VARIED_LINES if few else 1)
            found = self._engine.search(board, within, cancel=cancel, progress=progress)
            return _varied(board, found, chance) if few else found
        started = time.monotonic()
        move = _Look(board, self.who.attention, chance).best(cells)
        return SearchResult(move, 0, depth=1, nodes=len(cells), elapsed=time.monotonic() - started, pv=(move,))


def _varied(board: Board, found: SearchResult, chance: random.Random) -> SearchResult:
    """The result with one of the moves that are about as good, the best most often; one that decides the game stays."""
    values, lines = found.stats.get("values"), found.stats.get("lines")
    if (
        found.win is not None
        or found.stats.get("ends_in")
        or not isinstance(values, dict)
        or not isinstance(lines, dict)
    ):
        return found
    loss = {cell: board.turn.sign * (found.score - value) for cell, value in sorted(values.items())}
    near = {cell: VARIED_MARGIN - worse for cell, worse in loss.items() if 0 <= worse < VARIED_MARGIN}
    if found.move not in near:
        return found
    (move,) = chance.choices(list(near), weights=list(near.values()))
    return replace(found, move=move, score=values[move], pv=tuple(lines.get(move, (move,))))


class _Look:
    """One look at the board by somebody who notices only so much."""

    def __init__(self, board: Board, attention: Attention, chance: random.Random) -> None:
        self.board, self.attention, self.chance = board, attention, chance
        self.threats: ThreatBoard = threats(board)
        stones = [cell for colour in (board.turn, board.turn.opponent) for cell in board.stones(colour)]
        self.stones = stones
        self.last = [move.cell for move in board.moves[-2:]]

    def best(self, cells: list[Cell]) -> Cell:
        """The cell that seems best, near the middle while the board is empty."""
        if not self.stones:
            middle = Cell(self.board.rows // 2, self.board.cols // 2)
            return min(cells, key=lambda cell: _distance(cell, middle) + self.chance.random())
        near = [cell for cell in cells if any(_distance(cell, stone) <= NEAR for stone in self.stones)]
        return max(near or cells, key=self.worth)

    def worth(self, cell: Cell) -> float:
        """What a cell seems to be worth: what it makes and what it stops, as far as it is noticed, and a whim."""
        own, other = (self.seen(cell, mine) for mine in (True, False))
        seems = 1.1 * own + other
        closeness = 3 / (1 + min((_distance(cell, stone) for stone in self.last), default=0))
        return seems * (1 + self.attention.wavering * self.chance.uniform(-1, 1)) + closeness * self.chance.random()

    def seen(self, cell: Cell, mine: bool) -> float:
        colour = self.board.turn if mine else self.board.turn.opponent
        kinds = self.threats.kinds_at(cell, colour)
        values: list[float] = [
            WORTH[kind] for number, kind in enumerate(kinds) if self.notices(cell, kind, number, mine)
        ]
        if not mine:
            values = [0.75 * value for value in values]
        if not values:
            return 0
        return sum(values) if self.chance.random() < self.attention.adds_up else max(values)

    def notices(self, cell: Cell, kind: int, direction: int, mine: bool) -> bool:
        look = self.attention
        five = kind >= FIVE
        chance = (look.own_five if five else look.own) if mine else (look.other_five if five else look.other)
        far = bool(self.last) and all(_distance(cell, stone) > FAR for stone in self.last)
        # What somebody never overlooks does not depend on where it is.
        certain = chance >= 1
        return certain or self.chance.random() < chance * (SLANTING if direction > 1 else 1) * (SLANTING if far else 1)


def _distance(a: Cell, b: Cell) -> int:
    return max(abs(a.row - b.row), abs(a.col - b.col))


OPPONENTS = (
    Opponent(
        "pip",
        1,
        {"en": "Pip", "zh": "豆豆"},
        {
            "en": "Five years old. Loves building rows and forgets to look at yours.",
            "zh": "五岁，喜欢连自己的子，常常忘了看你的棋。",
        },
        attention=Attention(0.75, 0.35, 0.45, 0.1, 0.9, 0.2),
    ),
    Opponent(
        "mimi",
        2,
        {"en": "Mimi", "zh": "咪咪"},
        {
            "en": "Started last week. Blocks most fours, but live threes slip past her.",
            "zh": "上周刚学会。冲四大多会挡，活三却常常漏看。",
        },
        attention=Attention(0.95, 0.85, 0.6, 0.35, 0.6, 0.3),
    ),
    Opponent(
        "tom",
        3,
        {"en": "Tom", "zh": "小虎"},
        {
            "en": "Plays at lunch break. Sees what is near the last stone, less of what runs slantwise.",
            "zh": "午休时下棋。最后一手附近看得清，斜线上的容易漏。",
        },
        attention=Attention(1, 0.97, 0.8, 0.7, 0.35, 0.5),
    ),
    Opponent(
        "anna",
        4,
        {"en": "Anna", "zh": "安娜"},
        {
            "en": "Careful and steady. Hard to surprise with one threat, easy with two.",
            "zh": "稳健细心。单个威胁骗不了她，双威胁可以。",
        },
        attention=Attention(1, 1, 0.95, 0.93, 0.15, 0.7),
    ),
    Opponent(
        "wei",
        5,
        {"en": "Wei", "zh": "李薇"},
        {
            "en": "Plays at the club. Reads a few moves ahead and now and then slips.",
            "zh": "棋社常客。能算几步，偶有失误。",
        },
        nodes=400,
        slips=0.12,
    ),
    Opponent(
        "chen",
        6,
        {"en": "Old Chen", "zh": "老陈"},
        {
            "en": "Forty years in the park. Knows every trap and sets most of them.",
            "zh": "公园里下了四十年。什么陷阱都见过，也爱设陷阱。",
        },
        nodes=4_000,
        slips=0.02,
    ),
    Opponent(
        "ingrid",
        7,
        {"en": "Ingrid", "zh": "英格丽"},
        {
            "en": "Tournament player. Wins by force whenever there is a win to find.",
            "zh": "比赛选手。只要有连续进攻的胜法，就不会放过。",
        },
        nodes=40_000,
    ),
    Opponent(
        "wu",
        8,
        {"en": "Professor Wu", "zh": "吴教授"},
        {"en": "Reads deep and waits for your mistake.", "zh": "算得很深，耐心等你出错。"},
        nodes=400_000,
    ),
    Opponent(
        "iron",
        9,
        {"en": "The Iron Hand", "zh": "铁手"},
        {"en": "The engine at its best. Losing to it is no shame.", "zh": "引擎全力以赴。赢不了也很正常。"},
        nodes=3_000_000,
    ),
)


def opponent(name: str) -> Opponent:
    """The opponent of this name."""
    for one in OPPONENTS:
        if one.name == name:
            return one
    known = ", ".join(one.name for one in OPPONENTS)
    raise PlayerError(f"there is no opponent {name!r}; choose one of {known}")

"""The shapes of the answers: what each key holds. The OpenAPI document is made from these types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Component:
    """A JSON schema under a name of its own, for what a Python type cannot say."""

    name: str
    schema: Json


# ---------------------------------------------------------------------- cells, positions, proofs

NAME_PATTERN = "^[A-Va-v]([1-9]|1[0-9]|2[0-2])$"
_SIDE = {"type": "integer", "minimum": 5, "maximum": 22}
_CELLS = {"type": "array", "items": {"$ref": "#/components/schemas/CellLike"}}
_NODE_OR_NUMBER = {"anyOf": [{"$ref": "#/components/schemas/ProofNode"}, {"type": "integer", "minimum": 0}]}

CELL = Component(
    "Cell",
    {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 21},
        "minItems": 2,
        "maxItems": 2,
        "description": "[row, col], counted from 0 at the top left",
    },
)
CELL_NAME = Component(
    "CellName",
    {
        "type": "string",
        "pattern": NAME_PATTERN,
        "description": "column letter from the left, row number from the bottom, such as h9",
    },
)
CELL_LIKE = Component(
    "CellLike",
    {"anyOf": [{"$ref": "#/components/schemas/CellName"}, {"$ref": "#/components/schemas/Cell"}]},
)
RULE = Component("Rule", {"type": "string", "enum": ["freestyle", "standard", "renju", "caro", "caro-overline"]})
POSITION = Component(
    "Position",
    {
        "type": "object",
        "description": "a board with its stones; without to_move, it is white's turn if black has one stone more",
        "properties": {
            "id": {"description": "anything; results carry it"},
            "rows": {**_SIDE, "default": 15},
            "cols": {**_SIDE, "description": "as many as rows unless given"},
            "rule": {"$ref": "#/components/schemas/Rule"},
            "black": _CELLS,
            "white": _CELLS,
            "to_move": {"$ref": "#/components/schemas/Colour"},
        },
        "additionalProperties": False,
    },
)
PROOF_NODE = Component(
    "ProofNode",
    {
        "type": "object",
        "description": "the attacker's move and, unless it makes five, what comes then: a threat against every reply "
        "that is not listed",
        "required": ["move"],
        "properties": {
            "move": {"$ref": "#/components/schemas/CellName"},
            "then": {
                "type": "object",
                "required": ["threat", "replies"],
                "properties": {
                    "threat": {"type": "array", "items": {"$ref": "#/components/schemas/CellName"}},
                    "replies": {"type": "object", "additionalProperties": _NODE_OR_NUMBER},
                    "defaults": {
                        "type": "array",
                        "description": "version 2: nodes that answer whatever is not named",
                        "items": _NODE_OR_NUMBER,
                    },
                },
            },
        },
    },
)
PROOF = Component(
    "Proof",
    {
        "type": "object",
        "description": "a win written down so that it can be verified; nodes that recur stand in 'nodes', by number",
        "required": ["version", "position", "attacker", "tree"],
        "properties": {
            "version": {"enum": [1, 2]},
            "passing": {"type": "boolean", "description": "version 2: whether the defender may pass"},
            "position": {"$ref": "#/components/schemas/Position"},
            "attacker": {"$ref": "#/components/schemas/Colour"},
            "tree": _NODE_OR_NUMBER,
            "nodes": {"type": "array", "items": {"$ref": "#/components/schemas/ProofNode"}},
        },
    },
)
TREE = Component(
    "Tree",
    {
        "type": "object",
        "description": "a game with its variations: nodes that name their parents, the first the root",
        "required": ["nodes"],
        "properties": {
            "rows": {**_SIDE, "default": 15},
            "cols": {**_SIDE, "default": 15},
            "rule": {"$ref": "#/components/schemas/Rule"},
            "info": {"type": "object", "additionalProperties": {"type": "string"}},
            "nodes": {"type": "array", "items": {"$ref": "#/components/schemas/TreeNode"}},
        },
    },
)
_PLACED = {"type": "array", "description": "[row, col, what is there] each", "items": {"type": "array", "minItems": 3}}
TREE_NODE = Component(
    "TreeNode",
    {
        "type": "object",
        "properties": {
            "parent": {"type": "integer", "minimum": 0},
            "move": {"type": "array", "description": "[row, col, colour]", "minItems": 3, "maxItems": 3},
            "pass": {"$ref": "#/components/schemas/Colour"},
            "turn": {"$ref": "#/components/schemas/Colour"},
            "comment": {"type": "string"},
            "marks": _PLACED,
            "labels": _PLACED,
            "setup": _PLACED,
        },
        "additionalProperties": False,
    },
)
COLOUR = Component("Colour", {"type": "string", "enum": ["black", "white"]})
COMPONENTS = (CELL, CELL_NAME, CELL_LIKE, COLOUR, RULE, POSITION, PROOF_NODE, PROOF, TREE_NODE, TREE)

CellJson = Annotated[list[int], CELL]
CellName = Annotated[str, CELL_NAME]
ColourName = Annotated[str, COLOUR]
RuleName = Annotated[str, RULE]
TreeJson = Annotated[Json, TREE]
PositionJson = Annotated[Json, POSITION]
ProofJson = Annotated[Json, PROOF]
Seconds = Annotated[float, "seconds, the computation alone"]
Points = Annotated[list[list[int | None]], "a row of values for each row of the board, null where a stone stands"]


# ---------------------------------------------------------------------- positions


class ScoreAnswer(TypedDict):
    """What a position is worth by a pattern table."""

    table: Annotated[str, "the table's name"]
    score: Annotated[int, "black minus white"]
    to_move: ColourName
    elapsed: Seconds
    points: NotRequired[Annotated[dict[str, Points], "for black and for white, the value of each empty cell"]]


class BilingualName(TypedDict):
    """A name in English and in Chinese."""

    en: str
    zh: str


class Reason(TypedDict):
    """A match, a combination of lines, or what else a table adds to a score."""

    shape: Annotated[str, "the shape's key in the table"]
    name: BilingualName
    colour: ColourName | None
    line: Annotated[str, "the line it lies on, such as 'row 4'"]
    cells: list[CellJson]
    names: list[CellName]
    worth: Annotated[int, "black minus white; 0: it is there but does not count"]
    text: NotRequired[Annotated[str, "the pattern"]]
    change: NotRequired[Literal["appears", "disappears", "revalued"]]
    at: NotRequired[Annotated[CellJson, "the point it belongs to (point tables)"]]
    at_name: NotRequired[CellName]


class ExplainAnswer(TypedDict):
    """Every pattern on the board; the worths add up to the score."""

    table: str
    to_move: ColourName
    score: Annotated[int, "black minus white"]
    items: list[Reason]


class Gain(TypedDict):
    """What a stone of one colour changes; the worths add up to the gain."""

    gain: Annotated[int, "how much the score, black minus white, changes"]
    items: list[Reason]


class ExplainCellAnswer(TypedDict):
    """What a stone of either colour on a cell would change."""

    table: str
    to_move: ColourName
    cell: CellJson
    name: CellName
    black: Gain
    white: Gain


class RulesAnswer(TypedDict):
    """What the rules say of a position."""

    rule: RuleName
    winner: ColourName | None
    over: Annotated[bool, "whether somebody has won or the side to move has nowhere to play"]
    line: Annotated[list[CellJson], "the stones of the winning row"]
    line_names: list[CellName]
    forbidden: Annotated[list[CellJson], "where black may not play (renju)"]
    forbidden_names: list[CellName]
    fouls: Annotated[list[str], "why each of them is: overline, four-four or three-three"]


class ShapeJson(TypedDict):
    """A shape that a stone makes or stops."""

    kind: Annotated[str, "five, live-four, rush-four, live-three, sleeping-three, ..."]
    line: Literal["row", "column", "falling", "rising"]
    cells: Annotated[list[CellJson], "the stones it is made of"]
    names: list[CellName]


class WhyAnswer(TypedDict):
    """What a move of the side to move is good for."""

    move: CellJson
    name: CellName
    colour: ColourName
    makes: list[ShapeJson]
    stops: list[ShapeJson]
    forbidden: Annotated[str | None, "why black may not play it, under renju"]


class GameJson(TypedDict):
    """A position with the moves played in it apart from the stones that were set up."""

    start: PositionJson
    moves: Annotated[list[list[int | str]], "[row, col, colour] each"]
    to_move: ColourName


class ConvertAnswer(TypedDict):
    """A position or game as JSON, and as text in the notation that was asked for."""

    position: GameJson
    tree: TreeJson
    text: Annotated[str | None, "null if no notation was asked for"]


class FeaturesFile(TypedDict):
    """What ``features`` wrote."""

    table: str
    positions: int
    columns: int
    out: str
    elapsed: float


ConvertedFile = TypedDict(
    "ConvertedFile",
    {
        "from": Annotated[str, "the file that was read"],
        "to": Annotated[str, "the file that was written"],
        "notation": Annotated[str, "what it was written in"],
        "positions": Annotated[int, "how many"],
        "left_out": Annotated[list[str], "what levels of a suite say that the notation has no place for"],
    },
)
"""What ``gomoku convert`` has written."""


# ---------------------------------------------------------------------- searches


class WinJson(TypedDict):
    """A decided score."""

    colour: ColourName
    plies: Annotated[int, "moves of both sides until the five, the next one counted"]


class MoveAnswer(TypedDict):
    """A player's move."""

    player: Annotated[str, "the player and its options"]
    move: Annotated[CellJson | None, "null if no cell can be played"]
    name: CellName | None
    score: Annotated[int, "black minus white, in the unit of the player's evaluator"]
    win: Annotated[WinJson | None, "null unless the player saw the game decided"]
    nodes: int
    depth: Annotated[int, "plies looked ahead"]
    elapsed: Seconds
    pv: Annotated[list[CellJson], "the game it expects, the move first"]
    pv_names: list[CellName]
    stopped_by: Annotated[str, "depth, nodes, seconds, cancelled, or complete: there was nothing more to look at"]
    stats: Annotated[Json, "what else the player says; values of cells are lists of {move, name, value}"]


class ProgressReport(TypedDict, total=False):
    """How far a search has come; players add figures of their own."""

    elapsed: Annotated[float, "seconds so far"]
    done: Annotated[int, "entries of the book searched again, or positions of a game reviewed"]
    of: Annotated[int, "how many there are"]
    nodes: int
    depth: int
    score: Annotated[int, "black minus white"]
    win: WinJson | None
    worth: Annotated[WorthJson, "of the position of a game that was reviewed last"]
    reviewed: Annotated[ReviewedMoveJson | None, "the move that led to this position; null for the first"]


class SolveAnswer(TypedDict):
    """What the solver found for the side to move."""

    status: Literal["proven", "disproven", "unknown"]
    move: Annotated[CellJson | None, "the winning move, if a win is proven"]
    name: CellName | None
    length: Annotated[int | None, "plies of the longest line of the proof"]
    nodes: int
    elapsed: Seconds
    stopped_by: Annotated[str, "complete; or a limit; or quiet, book, unsound: see search.Solution"]
    exhausted: NotRequired[Annotated[str, "what kind of win does not exist, in words"]]
    exhausted_attacks: NotRequired[
        Annotated[Literal["fours", "threes", "threats", "every"], "which attacks do not win; every: quiet moves too"]
    ]
    exhausted_plies: NotRequired[Annotated[int | None, "within how many plies; null: however long the win"]]
    minimal: NotRequired[Annotated[bool, "true if no shorter win exists"]]
    line: NotRequired[Annotated[list[CellJson], "the game in which the defender holds out longest; not of the book"]]
    line_names: NotRequired[list[CellName]]
    proof: NotRequired[ProofJson]
    proof_accepted: NotRequired[Annotated[bool | None, "what verifying the proof said; null without a proof"]]


class Swap2Answer(TypedDict):
    """What the engine does in a Swap2 opening."""

    stones: Annotated[list[CellJson], "the stones it puts, black first; its own move when it stays on its side"]
    names: list[CellName]
    swap: Annotated[bool, "whether it takes the side that does not move next"]


class VerifyAnswer(TypedDict):
    """Whether a proof holds against every legal reply."""

    accepted: bool
    replies_checked: int
    reason: Annotated[str | None, "why it was refused; null if it was accepted"]
    elapsed: Seconds


class WorthJson(TypedDict):
    """What a position of a reviewed game is worth."""

    winner: Annotated[ColourName | None, "who is proven to win"]
    plies: Annotated[int | None, "in how many plies, where that is known"]
    score: Annotated[int, "the engine's, black minus white; 0 where somebody is proven to win"]
    share: Annotated[float, "black's, from 0 to 1, for a graph"]
    best: Annotated[CellJson | None, "what to play there"]
    best_name: CellName | None


class ReviewedMoveJson(TypedDict):
    """A move of a reviewed game, and what is wrong with it."""

    ply: int
    colour: ColourName
    move: CellJson
    name: CellName
    worth: Annotated[WorthJson, "what the position after it is worth"]
    slip: Literal["missed win", "losing move", "mistake", "dubious move"] | None
    says: Annotated[str | None, "the slip in a sentence"]
    better: Annotated[CellJson | None, "what should have been played"]
    better_name: CellName | None
    instead: Annotated[list[CellJson], "how the game would have gone on then"]
    instead_names: list[CellName]
    refutation: Annotated[list[CellJson], "how the opponent answers the slip"]
    refutation_names: list[CellName]
    decisive: Annotated[bool, "whether the loser could not be saved after it"]


class ReviewAnswer(TypedDict):
    """A game reviewed."""

    winner: ColourName | None
    decisive: Annotated[int | None, "the ply after which the loser could not be saved"]
    plies: Annotated[int, "moves of the game"]
    complete: Annotated[bool, "false if the review was stopped before the last move"]
    start: WorthJson | None
    moves: list[ReviewedMoveJson]


class BookReply(TypedDict):
    """What comes of a reply to a position of the book."""

    move: Annotated[CellJson, "the reply"]
    name: CellName
    answer: Annotated[CellJson | None, "what the attacker plays then; null where a search has to show it"]
    answer_name: CellName | None
    plies: Annotated[int | None, "how long the game lasts at most, the reply included; null if it was not counted"]


class BookAnswer(TypedDict):
    """What the book that is shipped says of a game as it stands."""

    status: Annotated[
        Literal["proven", "partly", "near", "outside"],
        "the attacker wins; he wins against the replies, the open ones are undecided; nothing is proven here, but the "
        "move or one of the leads goes towards the book; the book says nothing",
    ]
    attacker: ColourName
    move: Annotated[CellJson | None, "the attacker's move, when it is his turn"]
    name: CellName | None
    plies: Annotated[int | None, "how many more plies the game lasts at most; null where it was not counted"]
    replies: list[BookReply]
    open: Annotated[list[CellJson], "partly: the replies that are not decided"]
    open_names: list[CellName]
    leads: Annotated[list[CellJson], "near: the replies after which the attacker goes towards the book"]
    lead_names: list[CellName]
    root: Annotated[PositionJson | None, "the position whose proof the game follows, for solve"]
    elapsed: Seconds
    stopped_by: Annotated[str, "complete, or the limit that ended the counting"]


class FollowAnswer(TypedDict):
    """What a proof plays after some replies of the defender."""

    move: Annotated[CellJson, "the attacker's answer to the last reply"]
    name: CellName
    line: Annotated[list[CellJson], "the moves of both sides from the position to that answer"]
    line_names: list[CellName]


# ---------------------------------------------------------------------- lists


class TableHead(TypedDict):
    """What a pattern table is called and how it scans."""

    name: str
    title: str
    source: str
    scan: Literal["line", "point", "cell", "code"]


class TableInfo(TableHead):
    """A pattern table in a list."""

    patterns: Annotated[int, "how many patterns it has"]
    combinations: Annotated[int, "how many combinations it has"]


class TablesAnswer(TypedDict):
    """The built-in pattern tables."""

    tables: list[TableInfo]


class PatternInfo(TypedDict):
    """A pattern of a table."""

    shape: str
    name: BilingualName
    text: Annotated[str, "o own, x opposing, . empty, | edge, ~ anything but own"]
    score: Annotated[list[int], "[just moved, to move] in a line or cell table, [own, opposing] in a point table"]
    decisive: Annotated[bool, "whether a point with it is played at once"]


class CombinationInfo(TypedDict):
    """Shapes that are worth more together."""

    needs: Annotated[dict[str, int], "how many of each shape"]
    score: list[int]


class FactInfo(TypedDict):
    """What a cell table knows of a whole side: whether one of its cells shows what one of ``needs`` asks for."""

    name: str
    needs: Annotated[list[dict[str, int]], "how many of each shape; one of them suffices"]
    score: list[int]


class TableAnswer(TableHead):
    """A pattern table with all its patterns. The options depend on how it scans."""

    notes: str
    mirror: NotRequired[Annotated[bool, "whether a pattern stands for its mirror image too"]]
    decided: Annotated[int | None, "a score beyond this means that somebody has made five"]
    count: NotRequired[Literal["once", "every"]]
    reach: NotRequired[int]
    ring: NotRequired[bool]
    opposing: NotRequired[str]
    board: NotRequired[str]
    occupied: NotRequired[int]
    weights_file: NotRequired[Annotated[str, "the learned weights, beside the table"]]
    scale: NotRequired[Annotated[int, "the score at which the winning chance is 73 %"]]
    patterns: list[PatternInfo]
    combinations: list[CombinationInfo]
    facts: NotRequired[Annotated[list[FactInfo], "of a cell table"]]
    digest: Annotated[str, "changes with everything that changes a score"]


class OptionInfo(TypedDict):
    """An option of a player."""

    name: str
    expected: Annotated[str, "what a value has to be"]
    default: Annotated[str, "as it would be written in a spec"]
    help: str


class PlayerDescription(TypedDict):
    """A player and its options."""

    name: str
    summary: str
    options: list[OptionInfo]


class PlayersAnswer(TypedDict):
    """The players."""

    players: list[PlayerDescription]


class OpponentInfo(TypedDict):
    """Somebody to play against."""

    name: Annotated[str, "what a request calls them"]
    level: Annotated[int, "their place among the others, from the weakest"]
    names: BilingualName
    about: BilingualName
    nodes: Annotated[int, "what the engine looks at for a move; 0: only the board"]
    slips: Annotated[float, "how often a move is made by looking at the board alone"]


class OpponentsAnswer(TypedDict):
    """People to play against."""

    opponents: list[OpponentInfo]


class FormatInfo(TypedDict):
    """A notation of positions or games."""

    name: str
    title: str
    suffixes: Annotated[list[str], "of the files it is found in"]
    origin: Annotated[str, "where rows are counted from"]
    reads: bool
    writes: bool
    collections: Annotated[bool, "whether a text may hold several positions"]


class FormatsAnswer(TypedDict):
    """The notations."""

    formats: list[FormatInfo]


class FeedbackAnswer(TypedDict):
    """What a move in a puzzle is worth."""

    move: CellJson
    name: CellName
    status: Annotated[
        Literal["proven", "disproven", "unknown"],
        "proven: it wins; disproven: the reply refutes it; unknown: nothing was settled, which should cost nothing",
    ]
    verdict: Annotated[
        Literal["soonest", "wins", "loses", "refuted", "unsettled"],
        "soonest: it wins, no move wins sooner; wins: another move may win sooner; loses: the defence wins by force; "
        "refuted: nothing wins after the reply of what exhausted names; unsettled: status unknown",
    ]
    plies: Annotated[int | None, "proven: at most so many more until five"]
    exact: Annotated[bool, "whether the move does not win in fewer plies"]
    reply: Annotated[CellJson | None, "the best defence, or what refutes the move; unsettled: the engine's reply"]
    reply_name: CellName | None
    line: Annotated[list[CellJson], "how a move that was refused is refuted, from the reply on"]
    line_names: list[CellName]
    loses_in: Annotated[int | None, "plies until the defender makes five, if that is forced"]
    exhausted: Annotated[str | None, "refuted: what was tried after the reply"]
    nodes: int
    elapsed: Seconds


class RatingJson(TypedDict):
    """A Glicko-2 rating."""

    value: float
    deviation: float
    volatility: float


class DoneJson(TypedDict):
    """What came of a puzzle."""

    solved: bool
    tries: int
    box: Annotated[int | None, "how often it was solved since it was failed; null: it does not come again"]
    due: Annotated[int | None, "when it comes again, in seconds since 1970"]


class PracticeAnswer(TypedDict):
    """Somebody's rating, and what came of the puzzles behind it."""

    rating: RatingJson
    done: Annotated[dict[str, DoneJson], "by names such as huanle/16"]
    due: Annotated[list[str], "the puzzles that are to be repeated now"]


class LevelInfo(TypedDict):
    """A level of a puzzle suite."""

    number: int
    title: str
    position: PositionJson
    length: Annotated[int | None, "plies of the known solution"]
    wins: Annotated[list[CellName], "first moves that are known to win"]
    line: Annotated[list[CellName], "the solution, moves of both sides"]
    band: Annotated[int | None, "how difficult it is, from 1 to 10"]
    tags: Annotated[list[str], "what it shows"]
    rating: Annotated[float, "how difficult it is, as a Glicko-2 rating"]
    deviation: Annotated[float, "how certain that is"]


class SuiteInfo(TypedDict):
    """A puzzle suite that is built in."""

    suite: str
    title: str
    count: Annotated[int, "how many levels it has"]


class TagInfo(TypedDict):
    """Something that puzzles show."""

    name: str
    names: BilingualName
    meaning: str


class SuitesAnswer(TypedDict):
    """The built-in puzzle suites, and what their levels may show."""

    suites: list[SuiteInfo]
    tags: list[TagInfo]


class SuiteAnswer(TypedDict):
    """The levels of a puzzle suite."""

    suite: str
    levels: list[LevelInfo]

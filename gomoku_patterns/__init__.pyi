from .board import Board as Board, Move as Move
from .cells import BLACK as BLACK, WHITE as WHITE, Cell as Cell, Colour as Colour
from .errors import (
    ArenaError as ArenaError,
    BoardError as BoardError,
    GomokuError as GomokuError,
    IllegalMoveError as IllegalMoveError,
    LimitError as LimitError,
    NotationError as NotationError,
    PlayerError as PlayerError,
    ProofError as ProofError,
    SuiteError as SuiteError,
    TableError as TableError,
)
from .evaluator import (
    Evaluator as Evaluator,
    EvaluatorBase as EvaluatorBase,
    Tracker as Tracker,
    as_evaluator as as_evaluator,
)
from .explain import Explanation as Explanation, explain as explain
from .features import Features as Features
from .frames import to_frame as to_frame
from .notation import (
    Entry as Entry,
    GameTree as GameTree,
    GameNode as GameNode,
    json_position as json_position,
    parse_json_position as parse_json_position,
    read_position as read_position,
    read_positions as read_positions,
    write_position as write_position,
    write_positions as write_positions,
)
from .rules import Rule as Rule
from .table import Table as Table, load_table as load_table, parse_table as parse_table, table_names as table_names

from ._control import Cancel as Cancel
from .denial import Attacks as Attacks, Denial as Denial
from .engine_player import engine as engine
from .hold import Hold as Hold, HoldResult as HoldResult, find_hold as find_hold, verify_hold as verify_hold
from .level_search import level as level, level_tree as level_tree
from .mcts_search import mcts as mcts
from .minmax_search import minmax as minmax
from .options import Option as Option, Options as Options, option as option
from .player_base import Player as Player
from .players import (
    describe_players as describe_players,
    player as player,
    player_names as player_names,
    register_player as register_player,
)
from .proof import Proof as Proof
from .result import (
    Limit as Limit,
    SearchResult as SearchResult,
    Win as Win,
    score_text as score_text,
    value_text as value_text,
)
from .solver import Solution as Solution, Solver as Solver, Status as Status, solve as solve
from .two_ply_search import two_ply as two_ply
from .verifier import Verdict as Verdict, verify as verify
from .wins_search import wins as wins
from .within import wins_within as wins_within

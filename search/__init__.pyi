from ._control import Cancel as Cancel
from .minmax import minmax as minmax
from .players import (
    Option as Option,
    Player as Player,
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
from .verifier import Verdict as Verdict, verify as verify

from .audit_run import AuditRun as AuditRun
from .agreements import DrawAgreement as DrawAgreement, Resignation as Resignation
from .data import DataSet as DataSet, make_data as make_data
from .engines import GomocupEngine as GomocupEngine
from .entrants import Entrant as Entrant
from .games import (
    PlayedGame as PlayedGame,
    PlayedMove as PlayedMove,
    PlayedPosition as PlayedPosition,
    read_games as read_games,
)
from .log import Log as Log
from .ladder import Ladder as Ladder, LadderPlan as LadderPlan
from .making import Making as Making
from .match import MatchPlan as MatchPlan, play_match as play_match
from .openings import random_openings as random_openings, read_openings as read_openings
from .pools import workers as workers
from .selfplay import (
    Labelling as Labelling,
    SelfPlay as SelfPlay,
    ends_source as ends_source,
    games_source as games_source,
    self_play as self_play,
)
from .standings import Standings as Standings
from .statistics import (
    Sprt as Sprt,
    Tally as Tally,
    elo as elo,
    normalised_elo as normalised_elo,
    superiority as superiority,
)
from .suite_run import SuiteRun as SuiteRun
from .time_control import TimeControl as TimeControl
from .work import run_units as run_units

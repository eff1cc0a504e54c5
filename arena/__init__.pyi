from .engines import Terms as Terms
from .journal import Journal as Journal
from .ladder import Ladder as Ladder, Settings as Settings
from .openings import random_openings as random_openings, read_openings as read_openings
from .pools import workers as workers
from .runner import Plan as Plan, Standings as Standings, play_match as play_match
from .statistics import (
    Sprt as Sprt,
    Tally as Tally,
    elo as elo,
    normalised_elo as normalised_elo,
    superiority as superiority,
)
from .work import run_units as run_units

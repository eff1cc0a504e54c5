from .attempts import Attempt as Attempt, AttemptPlan as AttemptPlan, attempt as attempt
from .feedback import Feedback as Feedback, MoveVerdict as MoveVerdict, feedback as feedback
from .audit import Audit as Audit, audit as audit
from .game import Game as Game, Judgement as Judgement, Ply as Ply, judge as judge, replay as replay
from .recall import Recall as Recall, ordering_recall as ordering_recall
from .maker import Made as Made, MakePlan as MakePlan, make as make
from .report import report_html as report_html
from .reviewing import (
    Review as Review,
    ReviewedMove as ReviewedMove,
    Slip as Slip,
    Worth as Worth,
    review as review,
    worth as worth,
)
from .review_page import review_html as review_html
from .soundness import Examiner as Examiner, Fault as Fault, Study as Study
from .suite import (
    Level as Level,
    Suite as Suite,
    load as load,
    read as read,
    suite_names as suite_names,
    write as write,
)
from .tags import TAGS as TAGS, Tag as Tag
from .winning import saving_moves as saving_moves, winning_moves as winning_moves

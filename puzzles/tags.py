"""What a puzzle shows, as tags with a name in English and in Chinese.

>>> TAGS["double_three"].english, TAGS["double_three"].chinese
('double three', '双活三')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Tag:
    """A tag: its name in files, what it is called, and when a puzzle has it."""

    name: str
    english: str
    chinese: str
    meaning: str


_ALL = (
    Tag("win_by_fours", "win by fours", "连续冲四取胜", "The shortest win is one by continuous fours."),
    Tag("win_by_threes", "win by threes", "连续活三取胜", "Fours alone do not win so soon; fours and live threes do."),
    Tag("quiet_key", "quiet key move", "关键静着", "The key move is neither a four nor a live three."),
    Tag("four_three", "four-three", "四三", "A move of the solution makes a four and a live three."),
    Tag("double_four", "double four", "双四", "A move of the solution makes two fours."),
    Tag("double_three", "double three", "双活三", "A move of the solution makes two live threes."),
    Tag("counter_four", "counter-four on the way", "途中反四", "The defender makes a four of his own in the solution."),
    Tag(
        "defending_attack", "defence that attacks", "守中带攻", "The key move attacks and meets a win of the opponent."
    ),
    Tag("overline_trap", "overline trap", "长连陷阱", "A natural move fails since it makes six in a row."),
    Tag("forbidden_trap", "forbidden-point trap", "抓禁手", "White wins where black's only answer is forbidden."),
    Tag("false_forbidden", "false forbidden point", "假禁手", "Black plays where two threes cross and one is false."),
    Tag("ladder", "ladder", "梯形连攻", "Four rush fours in a row, each with its one answer, lead to the finish."),
    Tag("edge", "edge", "边线", "The key move is on the two outermost lines of the board."),
    Tag("long", "long", "长手数", "The solution takes fifteen plies or more."),
)

TAGS: Final = {tag.name: tag for tag in _ALL}
"""The tags by name, in the order in which they are shown."""

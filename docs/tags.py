"""The page of the tags, from the suite ``tags``: python docs/tags.py > docs/reference/puzzle-tags.md"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))


def page() -> str:
    """The whole page."""
    from puzzles import load
    from puzzles.tags import TAGS

    suite = load("tags")
    return "\n".join([INTRODUCTION, *(_part(tag.name, suite.level(2 * n + 1)) for n, tag in enumerate(TAGS.values()))])


INTRODUCTION = """# Tags of puzzles

A tag says what a puzzle shows. Each is a predicate in `puzzles/tagging.py`, applied to the position, its shortest win
and the main line: the game in which the defender holds out longest.

The examples are the odd levels of the built-in suite `tags`; the even ones come near and do not have the tag. This page
is made by `python docs/tags.py`, and the tests compare it.

```console
$ gomoku puzzles tags
# prints: 28 of 28 levels solved
$ gomoku puzzles make --count 2 --tag four_three --plies 7-11
# prints: 2 puzzles kept
```
"""


def _part(name: str, level: object) -> str:
    from gomoku_patterns.draw import board_text
    from puzzles.suite import Level
    from puzzles.tags import TAGS

    assert isinstance(level, Level)
    tag, board = TAGS[name], level.board
    turn, rule = board.turn, board.rule.value
    for cell in level.line:
        board.push(cell)
    moves = " ".join(board.name(cell) for cell in level.line)
    drawn = "\n".join(line.rstrip() for line in board_text(board, numbers=list(level.line)).splitlines())
    return (
        f"## {tag.english[0].upper()}{tag.english[1:]} {tag.chinese}\n\n`{name}`. {tag.meaning}\n\n"
        f"{str(turn).capitalize()} to move, {rule}, wins in {level.length} plies: {moves}\n\n```text\n{drawn}\n```\n"
    )


if __name__ == "__main__":
    sys.stdout.write(page())

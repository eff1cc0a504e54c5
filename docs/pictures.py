"""Draw the pictures of docs/explanation/how-it-works.md into docs/images: python docs/pictures.py

The boards are drawn by ``gomoku_patterns.draw`` and the automaton here, from the states that the package builds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent))

if TYPE_CHECKING:
    from gomoku_patterns.automaton import Automaton

IMAGES = Path(__file__).parent / "images"
WORDS = (".ooo.", "oooo")
STEP, ROW, RADIUS, MARGIN = 112, 130, 26, 72


def pictures() -> dict[str, str]:
    """Return the SVG text of every picture by its file name."""
    import puzzles
    from gomoku_patterns import as_evaluator
    from gomoku_patterns.automaton import Automaton
    from gomoku_patterns.draw import board_svg
    from search import solve

    board = puzzles.load("huanle").level(16).board
    heat = as_evaluator("grade_dict").gains(board)
    proof = solve(board).proof
    assert proof is not None
    solved = board.copy()
    for cell in proof.line():
        solved.push(cell)
    return {
        "automaton.svg": automaton_svg(Automaton(WORDS)),
        "four-lines.svg": board_svg(board, line=_lines_through(board, "h9"), marks={"h9": "circle"}, size=480),
        "gains.svg": board_svg(board, heat=heat, size=480),
        "level16-solved.svg": board_svg(solved, numbers=list(proof.line()), size=480),
    }


def _lines_through(board: object, name: str) -> list[list[object]]:
    """Return the cells of the four lines through a cell."""
    from gomoku_patterns import Board
    from gomoku_patterns.lines import lines, lines_through

    assert isinstance(board, Board)
    numbers = lines_through(board.rows, board.cols)[board.index(board.cell(name))]
    return [[board.at(index) for index in lines(board.rows, board.cols)[number]] for number in numbers]


# ---------------------------------------------------------------------- the automaton


def automaton_svg(automaton: Automaton) -> str:
    """Draw an automaton: solid arrows spell the words, dashed arrows are fail links, a double ring ends a word."""
    places = dict(_places(automaton.words))
    width = 2 * MARGIN + STEP * max(map(len, automaton.words))
    height = 2 * MARGIN + ROW * (len(automaton.words) - 1)
    parts = [_edge(places[prefix[:-1]], places[prefix], prefix[-1]) for prefix in places if prefix]
    parts += [_fail(places[prefix], places[fail]) for prefix in places if (fail := _fail_of(prefix, places))]
    parts += [_state(place, prefix, prefix in automaton.words) for prefix, place in places.items()]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="monospace" font-size="15" text-anchor="middle">'
    )
    title = f"<title>An automaton for {' and '.join(automaton.words)}</title>"
    return "\n".join([head, title, MARKER, *parts, "</svg>"])


MARKER = """<rect width="100%" height="100%" fill="#fff"/>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0L8 4L0 8z" fill="#345"/></marker></defs>"""


def _places(words: tuple[str, ...]) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield each prefix of a word, which is a state, with its place: a row a word, the start between them."""
    yield "", (MARGIN, MARGIN + ROW * (len(words) - 1) / 2)
    seen = {""}
    for row, word in enumerate(words):
        for end in range(1, len(word) + 1):
            if word[:end] not in seen:
                seen.add(word[:end])
                yield word[:end], (MARGIN + STEP * end, MARGIN + ROW * row)


def _fail_of(prefix: str, places: dict[str, tuple[float, float]]) -> str:
    """Return the longest proper suffix that is a state; the start, "", is not drawn."""
    return next((prefix[at:] for at in range(1, len(prefix)) if prefix[at:] in places), "")


def _cut(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return the part of a line between the rims of two states."""
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    dx, dy = (b[0] - a[0]) / length * (RADIUS + 3), (b[1] - a[1]) / length * (RADIUS + 3)
    return a[0] + dx, a[1] + dy, b[0] - dx, b[1] - dy


def _edge(a: tuple[float, float], b: tuple[float, float], symbol: str) -> str:
    x1, y1, x2, y2 = _cut(a, b)
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#345" marker-end="url(#tip)"/>'
        f'<text x="{x:.1f}" y="{y - 8:.1f}" fill="#345" font-weight="bold">{symbol}</text>'
    )


def _fail(a: tuple[float, float], b: tuple[float, float]) -> str:
    x1, y1, x2, y2 = _cut(a, b)
    steps = (a[0] - b[0]) / STEP
    away = -1 if a[1] == MARGIN else 1  # from the other row
    bend = away * (16 + 22 * steps) if a[1] == b[1] else 0
    middle = f"{(x1 + x2) / 2:.1f} {(y1 + y2) / 2 + bend:.1f}"
    return (
        f'<path d="M{x1:.1f} {y1:.1f}Q{middle} {x2:.1f} {y2:.1f}" fill="none" stroke="#b35" stroke-dasharray="5 4" '
        'marker-end="url(#tip)"/>'
    )


def _state(place: tuple[float, float], prefix: str, ends: bool) -> str:
    x, y = place
    rings = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{"#eef4fb" if r == RADIUS else "none"}" stroke="#345"/>'
        for r in ((RADIUS, RADIUS - 4) if ends else (RADIUS,))
    )
    return f'{rings}<text x="{x:.1f}" y="{y + 5:.1f}" font-size="12">{prefix or "start"}</text>'


def main() -> None:
    for name, svg in pictures().items():
        (IMAGES / name).write_text(svg + "\n", encoding="utf-8")
        print(f"docs/images/{name}: {len(svg):,} bytes")


if __name__ == "__main__":
    main()

"""A reviewed game as one page: the evaluation as a graph, and each error with its board, a better move and the answer.

>>> from gomoku_patterns import read_position
>>> from puzzles import review
>>> from search import Limit
>>> page = "".join(review_html(review(read_position("h8 h9 i9 g7 g9 i10 f9 a1 j9"), Limit(nodes=2000)), "a game"))
>>> page.count("<svg") >= 2, "<script" in page
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.draw import board_svg
from gomoku_patterns.rules import winning_row
from puzzles.report import POLICY, STYLE
from puzzles.reviewing import Review, ReviewedMove

_MORE_STYLE = """
.slips { display: grid; grid-template-columns: repeat(auto-fill, minmax(330px, 1fr)); gap: 1.25rem; }
.sign { font-weight: 700; color: var(--bad); } .graph .area { fill: var(--c1); opacity: .25; }
.graph .line { fill: none; stroke: var(--c1); stroke-width: 2; } .graph .middle { stroke: var(--line); }
.graph .slip { fill: var(--bad); } .graph .soft { fill: var(--soft); } td.text { white-space: normal; }
"""


def review_html(found: Review, title: str) -> Iterator[str]:
    """The page in pieces."""
    yield "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    yield "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
    yield f"<title>{escape(title)}</title>\n<style>{STYLE}{_MORE_STYLE}</style>\n</head>\n<body>\n"
    yield f"<h1>{escape(title)}</h1>\n<p class='lead'>{escape(_players(found))}</p>\n"
    yield f"<p>{escape(summary(found))}</p>\n<h2>Evaluation</h2>\n{graph_svg(found)}\n"
    if found.slips:
        yield '<h2>Errors</h2>\n<div class="slips">\n'
        yield from (_card(found, one) for one in found.slips)
        yield "</div>\n"
    yield from _moves(found)
    yield "</body>\n</html>\n"


def _players(found: Review) -> str:
    info = found.game.info
    names = f"{info.get('PB', 'Black')} against {info.get('PW', 'White')}"
    return f"{names}, {found.start.rows}x{found.start.cols}, {found.start.rule.value}, {found.plies} moves"


def summary(found: Review) -> str:
    """The review in a few sentences."""
    said = []
    if found.winner is not None:
        said.append(f"{str(found.winner).capitalize()} wins.")
    if (one := found.decisive) is not None:
        said.append(f"After move {one.ply}, {found.name(one.move)}, {one.colour} could not be saved any more.")
    missed = [
        f"{one.ply} ({found.name(one.move)})" for one in found.slips if one.slip and one.slip.value == "missed win"
    ]
    if missed:
        said.append(f"A proven win was missed at move {', '.join(missed)}.")
    if not found.slips:
        said.append("No error was found.")
    if not found.complete:
        said.append(f"The review was stopped after {len(found.moves)} of {found.plies} moves.")
    return " ".join(said)


def _card(found: Review, one: ReviewedMove) -> str:
    assert one.slip is not None
    board = found.before(one)
    board.push(one.move, one.colour)
    shown = list(one.refutation[:9])
    marks: dict[Cell, str] = {} if one.better is None else {one.better: "square"}
    for number, cell in enumerate(shown, 1):
        if board.is_empty(cell):
            board.push(cell)
            marks[cell] = str(number)
    picture = board_svg(board, marks=marks | {one.move: "cross"}, line=winning_row(board), last=False, size=330,
                        title=f"move {one.ply}")  # fmt: skip
    instead = f"<p class='soft'>Better: {escape(found.names(one.instead))}</p>\n" if one.instead else ""
    answer = f"<p class='soft'>Then: {escape(found.names(one.refutation))}</p>\n" if one.refutation else ""
    head = f"{one.ply}. {found.name(one.move)} ({one.colour})"
    return (
        f"<article id='move-{one.ply}'>\n"
        f"<h3><span>{escape(head)}</span><span class='sign'>{one.slip.sign}</span></h3>\n"
        f"{picture}\n<p>{escape(found.says(one))}</p>\n{instead}{answer}</article>\n"
    )


def graph_svg(found: Review, width: float = 1100.0, height: float = 220.0) -> str:
    """Black's share after each move; a dot for each error."""
    shares = [0.5] if not found.moves else [found.moves[0].before.share, *(one.after.share for one in found.moves)]
    step = (width - 40) / max(1, len(shares) - 1)
    points = [(20 + step * at, 10 + (height - 30) * (1 - share)) for at, share in enumerate(shares)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    middle = 10 + (height - 30) / 2
    parts = [
        f'<line class="middle" x1="20" x2="{width - 20:g}" y1="{middle:g}" y2="{middle:g}"/>',
        f'<polygon class="area" points="20,{middle:g} {line} {points[-1][0]:.1f},{middle:g}"/>',
        f'<polyline class="line" points="{line}"/>',
    ]
    for one in found.slips:
        x, y = points[one.ply]
        parts.append(f'<a href="#move-{one.ply}"><circle class="slip" cx="{x:.1f}" cy="{y:.1f}" r="5">'
                     f"<title>{one.ply}. {escape(found.says(one))}</title></circle></a>")  # fmt: skip
    every = max(1, len(shares) // 12)
    parts += [
        f'<text class="soft" font-size="12" text-anchor="middle" x="{points[at][0]:.1f}" y="{height - 4:g}">{at}</text>'
        for at in range(0, len(shares), every)
    ]
    box = f'viewBox="0 0 {width:g} {height:g}" role="img"'
    head = f'<svg class="chart graph" xmlns="http://www.w3.org/2000/svg" {box}><title>Black&#8217;s share</title>'
    return f"{head}{''.join(parts)}</svg>"


def _moves(found: Review) -> Iterator[str]:
    yield '<h2>Moves</h2>\n<div class="scroll"><table>\n<tr><th>move</th><th class="text">played</th>'
    yield '<th class="text">worth</th><th class="text">best</th><th class="text"></th></tr>\n'
    for one in found.moves:
        colour = "●" if one.colour is Colour.BLACK else "○"
        best = found.name(one.before.best) if one.before.best else ""
        said = f"<a href='#move-{one.ply}'>{one.slip.sign} {escape(found.says(one))}</a>" if one.slip else ""
        yield (
            f"<tr><td>{one.ply}</td><td class='text'>{colour} {found.name(one.move)}</td>"
            f"<td class='text'>{escape(str(one.after))}</td><td class='text'>{best}</td>"
            f"<td class='text'>{said}</td></tr>\n"
        )
    yield "</table></div>\n"

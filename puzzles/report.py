"""A suite's results as one page: every board with its solution, the timings, a chart. It asks nobody for anything.

>>> from puzzles import attempt, load
>>> suite = load("huanle")
>>> page = "".join(report_html(suite, [attempt(suite.level(1))], "solver"))
>>> page.count("<svg"), "http-equiv" in page
(2, True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from gomoku_patterns.board import Board
from gomoku_patterns.charts import Column, columns
from gomoku_patterns.draw import board_svg
from gomoku_patterns.quantities import duration, plies
from gomoku_patterns.rules import winning_row
from puzzles.attempts import Attempt
from puzzles.suite import Level, Suite

STYLE = """
:root { color-scheme: light dark; --ink: #26211a; --soft: #6d6558; --page: #faf7f1; --card: #fff; --line: #e2dbcd;
  --good: #3d7a4b; --bad: #b3382c; --rule: var(--line); --faint: var(--soft); --c1: #b9853f; --c2: var(--bad); }
@media (prefers-color-scheme: dark) { :root { --ink: #ece6da; --soft: #a39a8a; --page: #191714; --card: #24211d;
  --line: #3a352e; --good: #7cc18c; --bad: #f08a7e; --c1: #d9a55c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1200px; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.9rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
.lead { color: var(--soft); margin: .25rem 0 0; }
.figures { display: flex; flex-wrap: wrap; gap: 2.5rem; margin: 1.75rem 0 0; }
.figures b { display: block; font-size: 2rem; line-height: 1.1; font-variant-numeric: tabular-nums; }
.figures span { color: var(--soft); font-size: .9rem; }
.levels { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); gap: 1.25rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem; }
article h3 { margin: 0 0 .6rem; font-size: 1rem; display: flex; justify-content: space-between; }
article svg { width: 100%; height: auto; display: block; }
article p { margin: .6rem 0 0; font-size: .9rem; } .soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { text-align: right; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; } td.text, th.text { text-align: left; }
.scroll { overflow-x: auto; }
.chart { width: 100%; height: auto; } .chart text { fill: var(--soft); font-size: 12px; }
"""

POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report_html(suite: Suite, attempts: Sequence[Attempt], players: str, *, boards: int = 500) -> Iterator[str]:
    """The page in pieces: a summary, a chart, the boards of the first ``boards`` levels, and a table of all."""
    by_number = {found.number: found for found in attempts}
    yield from _head(suite, attempts, players)
    if attempts:
        yield f"<h2>Time per level</h2>\n{chart_svg(attempts)}\n"
    yield '<h2>Levels</h2>\n<div class="levels">\n'
    drawn = 0
    for level in suite:
        found = by_number.get(level.number)
        if found is not None and drawn < boards:
            drawn += 1
            yield _card(level, found)
    yield "</div>\n"
    yield from _table(attempts)
    yield "</body>\n</html>\n"


def _head(suite: Suite, attempts: Sequence[Attempt], players: str) -> Iterator[str]:
    solved = sum(found.solved for found in attempts)
    verifying = [found.verify_elapsed for found in attempts if found.verify_elapsed is not None]
    nodes = sum(found.nodes for found in attempts)
    figures = [
        (f"{solved} / {len(attempts)}", "levels solved"),
        (duration(sum(found.elapsed for found in attempts)), "solving" if verifying else "in total"),
        *([(duration(sum(verifying)), "verifying the proofs")] if verifying else []),
        (f"{nodes:,}", "nodes"),
    ]
    yield "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    yield "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
    yield f"<title>{escape(suite.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    yield f'<h1>{escape(suite.title)}</h1>\n<p class="lead">{escape(players)}</p>\n<div class="figures">'
    yield "".join(f"<div><b>{escape(value)}</b><span>{escape(what)}</span></div>" for value, what in figures)
    yield "</div>\n"


def _card(level: Level, found: Attempt) -> str:
    title = escape(f"{level.number}. {level.title}" if level.title else f"Level {level.number}")
    length = "" if found.length is None else plies(found.length)
    facts = f"{duration(found.elapsed)} · {found.nodes:,} {'node' if found.nodes == 1 else 'nodes'}"
    name = f"<b>{escape(found.name)}</b> · " if found.name else ""
    result = f'<span class="{_class(found)}">{length or escape(found.status)}</span>'
    return (
        f"<article>\n<h3><span>{title}</span>{result}</h3>\n"
        f"{solution_svg(level.board, found)}\n"
        f'<p>{name}<span class="{_class(found)}">{escape(found.status)}</span>, {escape(found.verdict)}</p>\n'
        f'<p class="soft">{facts}</p>\n</article>\n'
    )


def solution_svg(board: Board, found: Attempt) -> str:
    """The board with the moves of the solution on it, numbered."""
    for cell in found.line:
        board.push(cell)
    return board_svg(board, numbers=list(found.line), line=winning_row(board), title=f"Level {found.number}", size=360)


def _table(attempts: Sequence[Attempt]) -> Iterator[str]:
    valued = any(found.value is not None for found in attempts)
    heads = ["level", "move", "plies", *(["value"] if valued else []), "nodes", "time", "status", "verdict"]
    texts = {"move", "status", "verdict"}
    yield '<h2>Figures</h2>\n<div class="scroll"><table>\n<tr>'
    yield "".join(f'<th class="text">{head}</th>' if head in texts else f"<th>{head}</th>" for head in heads)
    yield "</tr>\n"
    for found in attempts:
        yield _table_row(found, valued=valued)
    yield "</table></div>\n"


def _table_row(found: Attempt, *, valued: bool) -> str:
    cells: Mapping[str, str] = {
        "number": f"<td>{found.number}</td>",
        "move": f'<td class="text">{escape(found.name or "")}</td>',
        "length": f"<td>{'' if found.length is None else found.length}</td>",
        "value": f"<td>{'' if found.value is None else found.value}</td>",
        "nodes": f"<td>{found.nodes:,}</td>",
        "elapsed": f"<td>{duration(found.elapsed)}</td>",
        "status": f'<td class="text {_class(found)}">{escape(found.status)}</td>',
        "verdict": f'<td class="text">{escape(found.verdict)}</td>',
    }
    return "<tr>" + "".join(cell for name, cell in cells.items() if valued or name != "value") + "</tr>\n"


def _class(found: Attempt) -> str:
    return "good" if found.solved else "bad"


# ---------------------------------------------------------------------- the chart


def chart_svg(attempts: Sequence[Attempt]) -> str:
    """The time of each level as a column over a logarithmic scale."""
    rows = [
        Column(
            str(found.number),
            max(found.elapsed, 1e-6),
            note=f"level {found.number}: {duration(found.elapsed)}",
            colour=1 if found.solved else 2,
        )
        for found in attempts
    ]
    return columns(rows, title="Time per level", text=duration)

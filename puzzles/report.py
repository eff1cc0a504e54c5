"""A suite's results as one page: every board with its solution, the timings, a chart. It asks nobody for anything.

>>> from puzzles import Task, attempt, load
>>> suite = load("huanle")
>>> page = "".join(report_html(suite, [attempt(suite.level(1), Task())], "solver"))
>>> page.count("<svg"), "http-equiv" in page
(2, True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from gomoku_patterns.board import Board
from gomoku_patterns.charts import Column, columns
from gomoku_patterns.draw import board_svg
from gomoku_patterns.quantities import duration
from gomoku_patterns.rules import winning_row
from puzzles.suite import Level, Suite
from puzzles.task import Outcome

_STYLE = """
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

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report_html(suite: Suite, outcomes: Sequence[Outcome], players: str, *, boards: int = 500) -> Iterator[str]:
    """The page in pieces: a summary, a chart, the boards of the first ``boards`` levels, and a table of all."""
    by_number = {outcome.number: outcome for outcome in outcomes}
    yield from _head(suite, outcomes, players)
    if outcomes:
        yield f"<h2>Time per level</h2>\n{chart_svg(outcomes)}\n"
    yield '<h2>Levels</h2>\n<div class="levels">\n'
    drawn = 0
    for level in suite:
        outcome = by_number.get(level.number)
        if outcome is not None and drawn < boards:
            drawn += 1
            yield _card(level, outcome)
    yield "</div>\n"
    yield from _table(outcomes)
    yield "</body>\n</html>\n"


def _head(suite: Suite, outcomes: Sequence[Outcome], players: str) -> Iterator[str]:
    solved = sum(outcome.solved for outcome in outcomes)
    time = sum(outcome.elapsed for outcome in outcomes)
    nodes = sum(outcome.nodes for outcome in outcomes)
    figures = {
        f"{solved} / {len(outcomes)}": "levels solved",
        duration(time): "in total",
        f"{nodes:,}": "nodes",
    }
    yield "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
    yield "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
    yield f"<title>{escape(suite.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
    yield f'<h1>{escape(suite.title)}</h1>\n<p class="lead">{escape(players)}</p>\n<div class="figures">'
    yield "".join(f"<div><b>{escape(value)}</b><span>{escape(what)}</span></div>" for value, what in figures.items())
    yield "</div>\n"


def _card(level: Level, outcome: Outcome) -> str:
    title = escape(f"{level.number}. {level.title}" if level.title else f"Level {level.number}")
    length = "" if outcome.length is None else f"{outcome.length} plies"
    facts = f"{duration(outcome.elapsed)} · {outcome.nodes:,} {'node' if outcome.nodes == 1 else 'nodes'}"
    name = f"<b>{escape(outcome.name)}</b> · " if outcome.name else ""
    result = f'<span class="{_class(outcome)}">{length or escape(outcome.status)}</span>'
    return (
        f"<article>\n<h3><span>{title}</span>{result}</h3>\n"
        f"{solution_svg(level.board, outcome)}\n"
        f'<p>{name}<span class="{_class(outcome)}">{escape(outcome.status)}</span>, {escape(outcome.verdict)}</p>\n'
        f'<p class="soft">{facts}</p>\n</article>\n'
    )


def solution_svg(board: Board, outcome: Outcome) -> str:
    """The board with the moves of the solution on it, numbered."""
    for cell in outcome.line:
        board.push(cell)
    return board_svg(
        board, numbers=list(outcome.line), line=winning_row(board), title=f"Level {outcome.number}", size=360
    )


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    valued = any(outcome.value is not None for outcome in outcomes)
    heads = ["level", "move", "plies", *(["value"] if valued else []), "nodes", "time", "status", "verdict"]
    texts = {"move", "status", "verdict"}
    yield '<h2>Figures</h2>\n<div class="scroll"><table>\n<tr>'
    yield "".join(f'<th class="text">{head}</th>' if head in texts else f"<th>{head}</th>" for head in heads)
    yield "</tr>\n"
    for outcome in outcomes:
        yield _table_row(outcome, valued=valued)
    yield "</table></div>\n"


def _table_row(outcome: Outcome, *, valued: bool) -> str:
    cells: Mapping[str, str] = {
        "number": f"<td>{outcome.number}</td>",
        "move": f'<td class="text">{escape(outcome.name or "")}</td>',
        "length": f"<td>{'' if outcome.length is None else outcome.length}</td>",
        "value": f"<td>{'' if outcome.value is None else outcome.value}</td>",
        "nodes": f"<td>{outcome.nodes:,}</td>",
        "elapsed": f"<td>{duration(outcome.elapsed)}</td>",
        "status": f'<td class="text {_class(outcome)}">{escape(outcome.status)}</td>',
        "verdict": f'<td class="text">{escape(outcome.verdict)}</td>',
    }
    return "<tr>" + "".join(cell for name, cell in cells.items() if valued or name != "value") + "</tr>\n"


def _class(outcome: Outcome) -> str:
    return "good" if outcome.solved else "bad"


# ---------------------------------------------------------------------- the chart


def chart_svg(outcomes: Sequence[Outcome]) -> str:
    """The time of each level as a column over a logarithmic scale."""
    rows = [
        Column(
            str(outcome.number),
            max(outcome.elapsed, 1e-6),
            note=f"level {outcome.number}: {duration(outcome.elapsed)}",
            colour=1 if outcome.solved else 2,
        )
        for outcome in outcomes
    ]
    return columns(rows, title="Time per level", text=duration)

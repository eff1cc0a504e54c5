"""The ladder as one page of HTML that carries everything: tables, charts, how it was measured, how to repeat it.

No script, no font and no image is loaded from anywhere; colours follow the reader's theme, and paper is white.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from arena.ladder_charts import SPEEDS, elo_chart, levels_chart, ordered, ordering_chart, rated, speed_chart
from arena.statistics import signed
from gomoku_patterns.charts import COLOURS, DARK_COLOURS, TEXT_STYLE, matrix
from gomoku_patterns.quantities import short_number

Json = Mapping[str, Any]

_COLUMN_LETTERS = 8
_NUMBERED = "<b>Figure</b>"

_STYLE = f"""
:root {{ color-scheme: light dark; {COLOURS} }}
@media (prefers-color-scheme: dark) {{ :root {{ {DARK_COLOURS} }} }}
@media print {{ :root {{ {COLOURS} }} section {{ break-inside: avoid; }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 "Source Serif 4", Charter, "Iowan Old Style", Georgia, "Noto Serif CJK SC", serif; }}
main {{ max-width: 70rem; margin: 0 auto; padding: 3.5rem 1.5rem 5rem; }}
h1 {{ font-size: 2.3rem; line-height: 1.15; margin: 0 0 .4rem; letter-spacing: -.015em; }}
h2 {{ font-size: 1.3rem; margin: 3.2rem 0 .6rem; }}
.lead {{ color: var(--faint); font-size: 1.08rem; margin: 0 0 2rem; max-width: 46rem; }}
p {{ max-width: 46rem; }}
table, svg, .meta, code {{ font-family: Inter, "Segoe UI", system-ui, "Noto Sans CJK SC", sans-serif; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; font-size: .86rem; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .42rem .55rem; text-align: right; white-space: nowrap; }}
thead th {{ border-bottom: 2px solid var(--ink); font-weight: 600; vertical-align: bottom; }}
tbody td, tbody th {{ border-bottom: 1px solid var(--rule); }}
tbody tr:last-child > * {{ border-bottom: 2px solid var(--ink); }}
th:first-child, td:first-child, .word {{ text-align: left; }}
tbody th {{ font-weight: 600; }}
td.best {{ font-weight: 700; color: var(--c1); }}
td small {{ color: var(--faint); font-weight: 400; }}
figure {{ margin: 1.2rem 0 0; }}
figcaption {{ color: var(--faint); font-size: .88rem; line-height: 1.5; margin-top: .5rem; max-width: 46rem; }}
figcaption b, caption b {{ color: var(--ink); }}
caption {{ caption-side: bottom; text-align: left; color: var(--faint); font-size: .88rem; padding-top: .6rem; }}
svg.chart {{ width: 100%; height: auto; display: block; background: var(--card); border-radius: 10px; padding: .8rem; }}
{TEXT_STYLE}
.meta {{ display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.4rem; font-size: .86rem; }}
.meta dt {{ color: var(--faint); }} .meta dd {{ margin: 0; overflow-wrap: anywhere; }}
code {{ font-family: "JetBrains Mono", ui-monospace, Menlo, Consolas, monospace; font-size: .85em; }}
pre {{ background: var(--card); border-radius: 10px; padding: .9rem 1.1rem; line-height: 1.45;
  white-space: pre-wrap; overflow-wrap: anywhere; }}
"""


def ladder_page(result: Json) -> str:
    """The page of a ladder's JSON result."""
    sections = [
        _head(result),
        _summary(result),
        _ratings(result),
        _ordering(result),
        _levels(result),
        _speed(result),
        _method(result),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Evaluator ladder</title><style>{_STYLE}</style></head>\n<body><main>\n"
        + _numbered("\n".join(section for section in sections if section))
        + "\n</main></body></html>\n"
    )


def _numbered(page: str) -> str:
    """The page with its figures counted, whichever it has."""
    count = itertools.count(1)
    return re.sub(_NUMBERED, lambda _: f"<b>Figure {next(count)}.</b>", page)


def _head(result: Json) -> str:
    games = sum(pairing["games"] for pairing in result["pairings"])
    suite, machine = result["suite"], result["machine"]
    found = f"{len(result['evaluators'])} evaluators compared on speed, on how they order moves, "
    found += f"on {suite['levels']} puzzles" + (f" and in {games} games" if games else "")
    return (
        "<header><h1>Evaluator ladder</h1>"
        f'<p class="lead">{escape(found)}. Measured {escape(machine["date"])} on {escape(machine["processor"])}, '
        f"{escape(machine['system'])}, Python {escape(machine['python'])}.</p></header>"
    )


# ------------------------------------------------------------------ the table of everything


def _summary(result: Json) -> str:
    rows = result["evaluators"]
    columns = list(_columns(result))
    head = "".join(f"<th>{title}</th>" for title, _, _ in columns)
    body = "".join(
        f"<tr><th>{escape(row['evaluator'])}</th>"
        + "".join(_figure_cell(row, rows, value, text) for _, value, text in columns)
        + "</tr>"
        for row in rows
    )
    kinds = "; ".join(f"{row['evaluator']}: {_kind(row)}" for row in rows)
    return (
        f'<section><h2>All figures</h2><div class="scroll"><table><thead><tr><th>evaluator</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody><caption><b>Table 1.</b> The best figure of each column is blue. "
        f"Elo is relative to the mean of the evaluators. Levels won: of {result['suite']['levels']}, within "
        f"{_budgets(result)} nodes a move. {escape(kinds)}.</caption></table></div></section>"
    )


def _kind(row: Json) -> str:
    return str(row["kind"]) + (f" of {row['patterns']} patterns" if row["patterns"] else "")


def _columns(result: Json) -> Iterable[tuple[str, Any, Any]]:
    """Title, the value that is compared, and what is written, for each column that was measured."""
    if result["pairings"]:
        yield "Elo", lambda row: _at(row, "rating", "value"), _elo_text
        yield "games", lambda row: None, lambda row: str(row["rating"]["games"])
    for key, title in (("top1", "top 1"), ("top5", "top 5"), ("top10", "top 10")):
        yield title, _ordering_value(key), _ordering_text(key, "{:.0%}")
    yield "MRR", _ordering_value("mrr"), _ordering_text("mrr", "{:.3f}")
    for index, search in enumerate(result["settings"]["searches"]):
        yield f"levels won<br>{escape(search)}", _level_value(index), _level_text(index)
    if result["settings"]["speed"]:
        for key, title in (("scores", "scores/s"), ("batch", "batch<br>scores/s"), ("plays", "plays/s")):
            yield title, _speed_value(key), _speed_text(key)


def _at(row: Json, *keys: str) -> Any:
    value: Any = row
    for key in keys:
        value = value[key] if value else None
    return value


def _ordering_value(key: str) -> Any:
    return lambda row: _at(row, "ordering", key)


def _ordering_text(key: str, pattern: str) -> Any:
    return lambda row: pattern.format(row["ordering"][key])


def _level_value(index: int) -> Any:
    return lambda row: list(row["levels"][index]["won"].values()) if row["levels"][index]["tried"] else None


def _level_text(index: int) -> Any:
    return lambda row: " ".join(map(str, row["levels"][index]["won"].values()))


def _speed_value(key: str) -> Any:
    return lambda row: _at(row, "speed", key)


def _speed_text(key: str) -> Any:
    return lambda row: short_number(row["speed"][key])


def _elo_text(row: Json) -> str:
    rating = row["rating"]
    return f"{signed(rating['value'])}<br><small>{signed(rating['low'])} to {signed(rating['high'])}</small>"


def _figure_cell(row: Json, rows: Sequence[Json], value: Any, text: Any) -> str:
    mine = value(row)
    try:
        shown = text(row)
    except (KeyError, TypeError):
        return "<td>–</td>"
    known = [other for other in map(value, rows) if other is not None]
    best = ' class="best"' if mine is not None and len(known) > 1 and mine == max(known) else ""
    return f"<td{best}>{shown}</td>"


# ------------------------------------------------------------------ the figures


def _figure(heading: str, chart: str, caption: str) -> str:
    return (
        f"<section><h2>{escape(heading)}</h2><figure>{chart}"
        f"<figcaption>{_NUMBERED} {caption}</figcaption></figure></section>"
    )


def _ratings(result: Json) -> str:
    chart = elo_chart(result)
    if not chart:
        return ""
    settings = result["settings"]
    caption = (
        f"Elo with 95 % intervals from a round robin in <code>{escape(settings['game_search'])}</code> at "
        f"{settings['nodes']} nodes a move, {settings['pairs']} pairs of games a pairing, each pair on one random "
        "balanced opening with colours swapped. Intervals count pairs, not games; where two overlap widely, the order "
        "is open."
    )
    names = [row["evaluator"] for row in rated(result)]
    return _figure("Playing strength", chart, caption) + _crosstable(result, names)


def _crosstable(result: Json, names: Sequence[str]) -> str:
    scores: dict[tuple[str, str], tuple[float, int, bool]] = {}
    for pairing in result["pairings"]:
        first, second = pairing["players"]
        if pairing["score"] is not None:
            sure = pairing["elo"]["significant"]
            scores[first, second] = (pairing["score"], pairing["games"], sure)
            scores[second, first] = (1 - pairing["score"], pairing["games"], sure)
    if not scores:
        return ""
    cells = [[scores[one, two][0] if (one, two) in scores else None for two in names] for one in names]
    open_pairs = [
        f"{a} and {b}" for (a, b), (_, _, sure) in scores.items() if not sure and names.index(a) < names.index(b)
    ]
    games = sorted({count for _, count, _ in scores.values()})
    each = f"{games[0]}" if games[:1] == games else f"{games[0]} to {games[-1]}"
    caption = f"Points in per cent of the row's evaluator against the column's, {each} games a pairing. "
    caption += (
        f"Not significant: {escape(', '.join(open_pairs))}." if open_pairs else "All differences are significant."
    )
    rows, columns = _crossed(names)
    chart = matrix(rows, columns, cells, title="Score of each evaluator against each other", words=True)
    return _figure("Who beats whom", chart, caption)


def _crossed(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names for the rows and the columns of a crosstable: numbers stand for names that no column has room for."""
    if max(map(len, names)) <= _COLUMN_LETTERS:
        return list(names), list(names)
    return [f"{place}  {name}" for place, name in enumerate(names, 1)], [str(place + 1) for place in range(len(names))]


def _ordering(result: Json) -> str:
    chart = ordering_chart(result)
    if not chart:
        return ""
    positions = sorted({row["ordering"]["levels"] for row in ordered(result)})
    caption = (
        f"How often a move that is proven to win is the evaluator's first choice, among its first five and its first "
        f"ten, and the mean reciprocal rank of the first such move, on {' or '.join(map(str, positions))} positions of "
        f"{escape(result['suite']['title'])}. No search is involved."
    )
    return _figure("Ordering of moves", chart, caption)


def _levels(result: Json) -> str:
    parts: list[str] = []
    for place, search in enumerate(result["settings"]["searches"]):
        chart = levels_chart(result, place)
        if not chart:
            continue
        caption = (
            f"Levels of {escape(result['suite']['title'])} won by <code>{escape(search)}</code> against the most "
            f"stubborn defence, within {_budgets(result)} nodes a move: the fewer were enough, the stronger the "
            f"colour. {_blindness(search)}"
        )
        parts.append(_figure(f"Puzzles won by {search}", chart, caption))
    return "".join(parts)


def _budgets(result: Json) -> str:
    written = [f"{budget:,}" for budget in result["settings"]["budgets"]]
    return " or ".join([", ".join(written[:-1]), written[-1]]) if len(written) > 1 else written[0]


def _blindness(search: str) -> str:
    if search.partition(":")[0] != "minmax":
        return ""
    return (
        "This search takes its idea of a won game from the table alone: with an evaluator that gives a five no score "
        "of its own it does not see when the game is over."
    )


def _speed(result: Json) -> str:
    rows = [row for row in result["evaluators"] if row["speed"]]
    if not rows:
        return ""
    side = result["settings"]["size"]
    parts: list[str] = []
    for key, title in SPEEDS.items():
        caption = (
            f"{title}, a second, from Python on one thread, {side}x{side}, over "
            f"{rows[0]['speed']['boards']} positions of 24 stones; the best of several rounds."
        )
        parts.append(_figure("Speed" if not parts else title, speed_chart(result, key), caption))
    return "".join(parts)


# ------------------------------------------------------------------ the method


def _method(result: Json) -> str:
    settings, machine = result["settings"], result["machine"]
    facts = {
        "suite": f"{result['suite']['title']} ({result['suite']['name']}), {result['suite']['levels']} levels",
        "board": f"{settings['size']}x{settings['size']}, {settings['rule']}",
        "games": f"{settings['game_search']}, {settings['nodes']} nodes a move, {settings['pairs']} pairs a pairing",
        "seed": settings["seed"],
        "software": f"gomoku-patterns {machine['gomoku_patterns']}, Python {machine['python']}",
        "machine": f"{machine['processor']}, {machine['system']}",
        **{f"table {row['evaluator']}": row["digest"] for row in result["evaluators"] if row["digest"]},
    }
    listed = "".join(f"<dt>{escape(key)}</dt><dd>{escape(str(value))}</dd>" for key, value in facts.items())
    return (
        "<section><h2>How it was measured</h2>"
        "<p>Ratings are Bradley-Terry by maximum likelihood, with one drawn game against an average player added for "
        "everybody. Their intervals are the wider of the usual ones and those that treat a pair of games on one "
        "opening as one result. Node limits make every game and puzzle a function of the seed: the same command gives "
        "the same games, on any machine and with any number of workers. Only the speeds depend on the machine.</p>"
        f'<dl class="meta">{listed}</dl><h2>How to repeat it</h2>'
        f"<pre><code>{escape(command_line(settings))}</code></pre></section>"
    )


def command_line(settings: Json) -> str:
    """The command that measures the same again."""
    words = ["gomoku", "ladder", *settings["evaluators"], "--suite", settings["suite"]]
    for search in settings["searches"]:
        words += ["--search", search]
    words += ["--level-nodes", ",".join(map(str, settings["budgets"])), "--game-search", settings["game_search"]]
    words += ["--nodes", settings["nodes"], "--pairs", settings["pairs"], "--seed", settings["seed"]]
    words += ["--rule", settings["rule"], "--size", settings["size"]]
    return shlex.join(map(str, words))

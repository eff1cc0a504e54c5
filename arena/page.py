"""The ladder as one page of HTML that carries everything: tables, charts, how it was measured, and what repeats it.

No script, no font and no image is loaded from anywhere; colours follow the reader's theme, and paper is white.
"""

from __future__ import annotations

import itertools
import json
import re
import shlex
import textwrap
from collections.abc import Mapping, Sequence
from html import escape, unescape
from typing import Any

from arena.ladder_charts import SPEEDS, bands_chart, elo_chart, levels_chart, ordering_chart, speed_chart
from arena.ladder_sheets import (
    LIMITS,
    bands_sheet,
    games_sheet,
    granted,
    kind,
    levels_sheet,
    ordering_sheet,
    overview_sheet,
    pairings_sheet,
    rated,
    speed_sheet,
)
from arena.sheets import Sheet
from gomoku_patterns.charts import COLOURS, DARK_COLOURS, TEXT_STYLE, matrix

Json = Mapping[str, Any]

_COLUMN_LETTERS = 8
_LINE = 88
_FIGURE, _TABLE = "<b>Figure</b>", "<b>Table</b>"
DATA = ('<pre id="data">', "</pre>")
"""What is around the result as JSON."""

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
thead th {{ border-bottom: 2px solid var(--ink); font-weight: 600; vertical-align: bottom; white-space: normal;
  line-height: 1.35; }}
tbody td, tbody th {{ border-bottom: 1px solid var(--rule); }}
tbody tr:last-child > * {{ border-bottom: 2px solid var(--ink); }}
th:first-child, .words2 th:nth-child(2), .words2 td:nth-child(2) {{ text-align: left; }}
tbody th {{ font-weight: 600; }}
td.best {{ font-weight: 700; color: var(--c1); }}
td small {{ color: var(--faint); font-weight: 400; font-size: .78rem; }}
.caption {{ color: var(--faint); font-size: .88rem; line-height: 1.5; margin-top: .6rem; }}
.caption b, summary {{ color: var(--ink); }}
section > .scroll {{ margin-top: 1.6rem; }}
details {{ margin: .5rem 0; }} details pre {{ max-height: 32rem; overflow: auto; }}
summary {{ cursor: pointer; font-size: .92rem; }}
figure {{ margin: 1.2rem 0 0; }}
figcaption {{ color: var(--faint); font-size: .88rem; line-height: 1.5; margin-top: .5rem; max-width: 46rem; }}
figcaption b {{ color: var(--ink); }}
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
        _section("Overview", _table(overview_sheet(result))),
        *(_games(result, by) for by in result["games"]),
        _ordering(result),
        _levels(result),
        _speed(result),
        _method(result),
        _repeat(result),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Evaluator ladder</title><style>{_STYLE}</style></head>\n<body><main>\n"
        + _numbered("\n".join(section for section in sections if section))
        + "\n</main></body></html>\n"
    )


def _numbered(page: str) -> str:
    """The page with its figures and its tables counted, whichever it has."""
    for mark in (_FIGURE, _TABLE):
        count, word = itertools.count(1), mark[3:-4]
        page = re.sub(mark, lambda _, count=count, word=word: f"<b>{word} {next(count)}.</b>", page)  # type: ignore[misc]
    return page


def _section(heading: str, *parts: str) -> str:
    shown = "".join(parts)
    return f"<section><h2>{escape(heading)}</h2>{shown}</section>" if shown else ""


def _table(sheet: Sheet) -> str:
    return sheet.html(_TABLE) if sheet.rows else ""


def _figure(chart: str, caption: str) -> str:
    return f"<figure>{chart}<figcaption>{_FIGURE} {caption}</figcaption></figure>" if chart else ""


def _head(result: Json) -> str:
    games = sum(found["games"] for found in result["games"].values())
    suite, about = result["suite"], result["machine"]
    found = f"{len(result['evaluators'])} evaluators compared on speed, on how they order moves in "
    found += f"{suite['positions']:,} positions, on {suite['levels']:,} puzzles" + (
        f" and in {games:,} games" if games else ""
    )
    return (
        "<header><h1>Evaluator ladder</h1>"
        f'<p class="lead">{escape(found)}. Measured {escape(about["date"])} on {escape(about["processor"])}, '
        f"{about['cores']} {'core' if about['cores'] == 1 else 'cores'}.</p></header>"
    )


# ------------------------------------------------------------------ what was measured


def _games(result: Json, by: str) -> str:
    chart = elo_chart(result, by)
    if not chart:
        return ""
    caption = (
        "Elo relative to the mean, with 95 % intervals, from a round robin in "
        f"<code>{escape(result['settings']['game_search'])}</code> at {granted(result, by)}. Where two intervals "
        f"overlap widely, the order is open. It is the order in this search at this budget.{_too_few(result, by)}"
    )
    games, pairings = games_sheet(result, by), pairings_sheet(result, by)
    parts = (_figure(chart, caption), _table(games), _crosstable(result, by), _table(pairings))
    return _section(f"Playing strength {LIMITS[by]}", *parts)


def _too_few(result: Json, by: str) -> str:
    """A warning where so few pairs were played that nothing could be significant."""
    pairs, needed = result["settings"]["pairs"], result["games"][by]["pairs_needed"]
    if pairs >= needed or len(result["evaluators"]) < 2:
        return ""
    count = len(result["games"][by]["pairings"])
    return (
        f" <b>With {pairs} pairs nothing can be significant:</b> among {count} pairings {needed} pairs are the least "
        "with which even a player that wins all is called better."
    )


def _crosstable(result: Json, by: str) -> str:
    names = [row["evaluator"] for row in rated(result, by)]
    scores: dict[tuple[str, str], float] = {}
    for pairing in result["games"][by]["pairings"]:
        first, second = pairing["players"]
        if pairing["score"] is not None:
            scores[first, second], scores[second, first] = pairing["score"], 1 - pairing["score"]
    if len(names) < 3 or not scores:
        return ""
    cells = [[scores.get((one, two)) for two in names] for one in names]
    rows, columns = _crossed(names)
    chart = matrix(rows, columns, cells, title=f"Score of each evaluator against each other {LIMITS[by]}", words=True)
    return _figure(chart, "Points in per cent of the row's evaluator against the column's.")


def _crossed(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names for the rows and the columns of a crosstable: numbers stand for names that no column has room for."""
    if max(map(len, names)) <= _COLUMN_LETTERS:
        return list(names), list(names)
    return [f"{place}  {name}" for place, name in enumerate(names, 1)], [str(place + 1) for place in range(len(names))]


def _ordering(result: Json) -> str:
    chart = ordering_chart(result)
    if not chart:
        return ""
    caption = (
        f"The share of positions of {escape(result['suite']['title'])} on which the evaluator's first choice is "
        "proven to win, with Wilson's 95 % intervals. No search is involved."
    )
    bands = bands_chart(result)
    told = "First choices that win, in per cent, from the easiest band to the hardest."
    tables = [_table(ordering_sheet(result)), _figure(bands, told), _table(bands_sheet(result)) if bands else ""]
    return _section("Ordering of moves", _figure(chart, caption), *tables)


def _levels(result: Json) -> str:
    figures = []
    for place, search in enumerate(result["settings"]["searches"]):
        chart = levels_chart(result, place)
        caption = (
            f"Levels won by <code>{escape(search)}</code> against the most stubborn defence: the fewer nodes a move "
            f"were enough, of {_budgets(result)}, the stronger the colour."
        )
        figures.append(_figure(chart, caption))
    if not any(figures):
        return ""
    return _section("Puzzles won", _table(levels_sheet(result)), *figures)


def _budgets(result: Json) -> str:
    written = [f"{budget:,}" for budget in result["settings"]["budgets"]]
    return " or ".join([", ".join(written[:-1]), written[-1]]) if len(written) > 1 else written[0]


def _speed(result: Json) -> str:
    if not any(row["speed"] for row in result["evaluators"]):
        return ""
    figures = [
        _figure(speed_chart(result, key), f"{title}, in a second of processor time: the median of many rounds.")
        for key, title in SPEEDS.items()
    ]
    return _section("Speed", _table(speed_sheet(result)), *figures)


# ------------------------------------------------------------------ the method


def _method(result: Json) -> str:
    return _section("How it was measured", *(f"<p>{text}</p>" for text in _paragraphs(result)), _facts(result))


def _paragraphs(result: Json) -> list[str]:
    settings, games = result["settings"], result["games"]
    search = escape(settings["game_search"])
    told = [
        f"<b>One search for all.</b> All games are played by <code>{search}</code>, which takes any evaluator"
        + (" and knows a five by the rules, whatever the evaluator says" if "fives=rules" in search else "")
        + ". An evaluator is compared at equal nodes, which asks how well this search plays with its judgement, and at "
        "equal time, which asks the same with what the judgement costs.",
        "<b>One search cannot rank evaluators.</b> " + _what_it_asks(result) + " Another search, or another budget, "
        "may turn the order round: it has for the built-in tables. Before you call one evaluator better than another, "
        "repeat the games with <code>--game-search 'engine:solver=no'</code> and with several <code>--nodes</code>.",
        "<b>Openings are shared.</b> Every pairing plays every opening twice with colours swapped. What happens on "
        "one opening depends on the opening, so games on it are not independent, neither the two of a pair nor those "
        "of different pairings. Ratings are Bradley-Terry by maximum likelihood, with one drawn game against an "
        "average player added for everybody; their intervals take all games on an opening as one result (a sandwich "
        "estimate over openings, held against Student's distribution) and are never narrower than those of "
        "independent games. The interval of a pairing is that of its pairs' likelihood ratio. <code>gomoku "
        "match</code> computes both by the same functions.",
        "<b>Many comparisons.</b> Among many pairings some differ by chance. The p-values of all pairings of a round "
        "robin are corrected together by Holm's method, and only what is below 0.05 after that is called a "
        "difference. So are those of the sign tests on the ordering of moves.",
        "<b>Best</b> is marked only where an interval lies above those of all others.",
        "<b>What can be repeated.</b> Ordering, puzzles and games at equal nodes follow from the settings and the "
        "commit: the same command gives the same figures on any machine and with any number of workers. Speeds, and "
        "games at equal time, depend on the machine and on what else it does.",
    ]
    if not games:
        told = told[4:]
    return told


def _what_it_asks(result: Json) -> str:
    """What the search and the budget of the games ask of an evaluator."""
    settings = result["settings"]
    name = settings["game_search"].partition(":")[0]
    asked = ASKS.get(name, f"What {escape(name)} asks of a score depends on where it stops to look.")
    if settings["nodes"] is not None and settings["nodes"] < FEW_NODES:
        asked += f" {settings['nodes']:,} nodes a move are so few that hardly more than the ordering of moves is asked."
    return asked


FEW_NODES = 500
"""With fewer nodes a search looks at the replies to some moves only."""

ASKS = {
    "minmax": "<code>minmax</code> stops at its depth and takes the score of whatever stands there, in the middle of "
    "fours and threes too. It favours tables that read open threats; a table made for quiet positions is asked about "
    "positions that are not.",
    "engine": "<code>engine</code> plays fours and threats out before it takes a score. It favours tables that judge "
    "quiet positions; what a table knows of threats the search finds by itself.",
}
"""What a search asks of the scores that it takes."""


def _facts(result: Json) -> str:
    settings, about, suite = result["settings"], result["machine"], result["suite"]
    limits = ", ".join(granted(result, by) for by in result["games"])
    facts = {
        "suite": f"{suite['title']} ({suite['name']}), {suite['all']:,} levels, digest {suite['digest']}; "
        f"{suite['positions']:,} ranked, {suite['levels']:,} played out"
        + (f"; {suite['repeated']} are others turned or mirrored and are left out" if suite["repeated"] else ""),
        "board": f"{settings['size']}x{settings['size']}, {settings['rule']}",
        "games": f"{settings['game_search']}, {limits}, {settings['pairs']} pairs a pairing" if limits else "none",
        "seed": settings["seed"],
        "software": f"gomoku-patterns {about['gomoku_patterns']}, commit {about['commit'] or 'unknown (installed)'}",
        "built with": f"{about['compiler']}; Python {about['python']}, numpy {about['numpy']}, "
        f"pyahocorasick {about['pyahocorasick']}",
        "machine": f"{about['processor']}, {about['cores']} cores, {about['system']}",
        **{f"{row['evaluator']}": kind(row) + (f", digest {row['digest']}" if row["digest"] else "")
           for row in result["evaluators"]},
    }  # fmt: skip
    listed = "".join(f"<dt>{escape(key)}</dt><dd>{escape(str(value))}</dd>" for key, value in facts.items())
    return f'<dl class="meta">{listed}</dl>'


# ------------------------------------------------------------------ how to repeat it


def _repeat(result: Json) -> str:
    own = [source for source in result["sources"] if source["file"]]
    needs = ", once the files below are saved under their names" if own else ""
    told = (
        f"<p>The same comparison anywhere{needs}:</p><pre><code>{escape(_broken(command_line(result)))}</code></pre>"
        "<p>Or from this page, which carries the files and writes them into the folder where it is run. The folder has "
        "to be empty but for the page. What the page names is run, so read its files first if it is not your own:</p>"
        "<pre><code>gomoku ladder --repeat ladder.html --trust</code></pre>"
    )
    return _section("How to repeat it", told, *map(_source, result["sources"]), _absent(result), _data(result))


def _absent(result: Json) -> str:
    """What has to be copied by hand: weights that are too large for a page."""
    carried = {source["of"] for source in result["sources"] if source["kind"] == "weights"}
    absent = [one["file"] for one in result["sources"] if "weights" in one and one["file"] and one["of"] not in carried]
    if not absent:
        return ""
    return f"<p>The weights of {escape(', '.join(absent))} are too large for this page: copy their files beside it.</p>"


def _broken(command: str) -> str:
    """A command on several lines, as a shell takes it."""
    lines = textwrap.wrap(command, _LINE, break_on_hyphens=False, break_long_words=False, subsequent_indent="    ")
    return " \\\n".join(lines)


def _source(source: Json) -> str:
    name = source["file"] or f"{source['of']} (comes with the program)"
    weights = f", whose weights have the digest {source['weights'][:12]}" if "weights" in source else ""
    if "base64" in source:
        return f"<p>{escape(name)}: weights, in base64 among the figures below.</p>"
    return (
        f"<details><summary>{escape(name)}{escape(weights)}</summary>"
        f"<pre><code>{escape(source['text'])}</code></pre></details>"
    )


def _data(result: Json) -> str:
    text = escape(json.dumps(result, ensure_ascii=False, separators=(",", ":")), quote=False)
    return f"<details><summary>All figures as JSON</summary>{DATA[0]}{text}{DATA[1]}</details>"


def page_result(page: str) -> dict[str, Any] | None:
    """The JSON result that a page carries; None for another page."""
    _, mark, rest = page.partition(DATA[0])
    try:
        found = json.loads(unescape(rest.partition(DATA[1])[0])) if mark else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def command_line(result: Json) -> str:
    """The command that measures the same again, where files of the user's lie in the folder it is run in."""
    settings = result["settings"]
    carried = [source for source in result["sources"] if source["kind"] not in ("python", "weights")]
    files = {source["of"]: source["file"] for source in carried}
    evaluators = [files.get(text) or text for text in settings["evaluators"]]
    words = ["gomoku", "ladder", *evaluators, "--suite", files.get(settings["suite"]) or settings["suite"]]
    for search in settings["searches"]:
        words += ["--search", search]
    words += ["--level-nodes", ",".join(map(str, settings["budgets"])), "--game-search", settings["game_search"]]
    words += ["--nodes", settings["nodes"]] if settings["nodes"] is not None else []
    words += [
        "--seconds",
        0 if settings["seconds"] is None else settings["seconds"],
        "--pairs",
        settings["pairs"],
        "--speed",
        settings["speed"],
    ]
    for name in ("positions", "levels"):
        words += [f"--{name}", "all" if settings[name] is None else settings[name]]
    words += ["--seed", settings["seed"], "--rule", settings["rule"], "--size", settings["size"]]
    return shlex.join(map(str, words))

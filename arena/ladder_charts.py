"""The charts of a ladder, for its page and as files for papers and slides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.statistics import signed
from gomoku_patterns.charts import Bar, bars, chart_folder, groups, intervals, matrix, save_chart

Json = Mapping[str, Any]

_TOPS = (("top1", "first"), ("top5", "first five"), ("top10", "first ten"), ("mrr", "mean reciprocal rank"))

SPEEDS = {"plays": "Moves played and taken back, score read", "scores": "Full-board scores, one call each"}
"""The speeds that have a chart, and what each counts."""


def save_charts(result: Json, folder: str | Path) -> list[Path]:
    """Write the charts ``elo``, ``ordering``, ``levels`` and ``speed`` of what was measured, each as SVG and PNG."""
    target = chart_folder(folder)
    charts = {
        "elo": elo_chart(result),
        "ordering": ordering_chart(result),
        "levels": wins_chart(result),
        "speed": speed_chart(result, "plays"),
    }
    return [path for name, chart in charts.items() if chart for path in save_chart(chart, target, name)]


def rated(result: Json) -> list[Json]:
    """The evaluators that have a rating, best first."""
    rows = [row for row in result["evaluators"] if row["rating"] and row["rating"]["value"] is not None]
    return sorted(rows, key=lambda row: -row["rating"]["value"])


def elo_chart(result: Json) -> str:
    """Elo with intervals; an empty text if no games were played."""
    rows = [
        Bar(row["evaluator"], row["rating"]["value"], row["rating"]["low"], row["rating"]["high"], _elo_note(row))
        for row in rated(result)
    ]
    title = "Elo of the evaluators with 95 % intervals"
    return intervals(rows, title=title, unit="Elo relative to the mean") if rows else ""


def _elo_note(row: Json) -> str:
    return f"{signed(row['rating']['value'])}, {row['rating']['games']} games"


def ordered(result: Json) -> list[Json]:
    """The evaluators whose ordering of moves was measured."""
    return [row for row in result["evaluators"] if row["ordering"]]


def ordering_chart(result: Json) -> str:
    """How high the winning moves are ranked; an empty text if that was not measured."""
    rows = ordered(result)
    series = [(title, [row["ordering"][key] for row in rows]) for key, title in _TOPS]
    names = [row["evaluator"] for row in rows]
    return groups(names, series, title="Recall of proven winning moves") if rows else ""


def wins_chart(result: Json) -> str:
    """How many levels each search won at its largest budget; an empty text if none was tried."""
    rows, settings, levels = result["evaluators"], result["settings"], result["suite"]["levels"]
    if not any(level["tried"] for row in rows for level in row["levels"]):
        return ""
    series = [
        (search, [float(max(row["levels"][place]["won"].values())) for row in rows])
        for place, search in enumerate(settings["searches"])
    ]
    unit = f"levels won of {levels}, at most {max(settings['budgets']):,} nodes a move"
    names = [row["evaluator"] for row in rows]
    return groups(names, series, title="Levels won", most=float(levels), unit=unit, text="{:.0f}".format)


def levels_chart(result: Json, place: int) -> str:
    """Which levels one search won with how many nodes: the fewer, the stronger the colour; empty if it tried none."""
    budgets, search = result["settings"]["budgets"], result["settings"]["searches"][place]
    rows = [row for row in result["evaluators"] if row["levels"][place]["tried"]]
    if not rows:
        return ""
    numbers = sorted({int(number) for row in rows for number in row["levels"][place]["levels"]})
    cells = [[_strength(row["levels"][place]["levels"], number, budgets) for number in numbers] for row in rows]
    labels = [f"{row['evaluator']} {_most_won(row['levels'][place])}" for row in rows]
    return matrix(labels, [str(number) for number in numbers], cells, title=f"Levels won by {search}")


def _most_won(level: Json) -> str:
    return f"{max(level['won'].values())}/{level['tried']}"


def _strength(levels: Json, number: int, budgets: Sequence[int]) -> float | None:
    """1 for the smallest budget, less for each larger one, 0 for a level that was not won."""
    if str(number) not in levels:
        return None
    least = levels[str(number)]
    return 0.0 if least is None else 1 - 0.8 * budgets.index(least) / len(budgets)


def speed_chart(result: Json, key: str) -> str:
    """One of :data:`SPEEDS`, fastest first; an empty text if speed was not measured."""
    rows = sorted((row for row in result["evaluators"] if row["speed"]), key=lambda row: -row["speed"][key])
    chosen = [Bar(row["evaluator"], row["speed"][key]) for row in rows]
    return bars(chosen, title=SPEEDS[key], unit="a second") if rows else ""

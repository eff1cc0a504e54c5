"""The charts of a ladder, for its page and as files for papers and slides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.ladder_sheets import LIMITS, OVERRAN, overruns, rated
from arena.statistics import signed
from gomoku_patterns.charts import Bar, bars, chart_folder, groups, intervals, matrix, save_chart

Json = Mapping[str, Any]

SPEEDS = {"plays": "Moves played and taken back, score read", "scores": "Full-board scores, one call each"}
"""The speeds that have a chart, and what each counts."""


def charts(result: Json) -> dict[str, str]:
    """The charts of what was measured, by the names of their files."""
    found = {
        **{("elo" if by == "nodes" else "elo_time"): elo_chart(result, by) for by in result["games"]},
        "ordering": ordering_chart(result),
        "bands": bands_chart(result),
        "levels": wins_chart(result),
        "speed": speed_chart(result, "plays"),
    }
    return {name: chart for name, chart in found.items() if chart}


def save_charts(result: Json, folder: str | Path) -> list[Path]:
    """Write every chart as SVG, PNG and, where the extra ``pdf`` is there, PDF."""
    target = chart_folder(folder)
    return [path for name, chart in charts(result).items() for path in save_chart(chart, target, name)]


def elo_chart(result: Json, by: str) -> str:
    """Elo with intervals; an empty text if no games were played."""
    rows = []
    for row in rated(result, by):
        rating = row["games"][by]["rating"]
        if rating["value"] is not None:
            note = f"{signed(rating['value'])}, {rating['games']} games"
            mark = f" {OVERRAN}" if overruns(row["games"][by]) else ""
            rows.append(Bar(row["evaluator"] + mark, rating["value"], rating["low"], rating["high"], note))
    title = f"Elo of the evaluators {LIMITS[by]} with 95 % intervals"
    return intervals(rows, title=title, unit="Elo relative to the mean") if rows else ""


def ordered(result: Json) -> list[Json]:
    """The evaluators whose ordering of moves was measured."""
    return [row for row in result["evaluators"] if row["ordering"]]


def ordering_chart(result: Json) -> str:
    """How often a winning move is the first choice, with intervals; an empty text if that was not measured."""
    rows = [
        Bar(row["evaluator"], found["value"], found["low"], found["high"], f"{found['value']:.1%}")
        for row in ordered(result)
        for found in [row["ordering"]["top1"]]
    ]
    title = "First choices that are proven to win, with 95 % intervals"
    return intervals(rows, title=title, unit="share of the positions", ends=(0.0, 1.0)) if rows else ""


def bands_chart(result: Json) -> str:
    """First choices that win in each band of difficulty; an empty text for a suite without bands."""
    bands, rows = [str(band) for band in result["suite"]["bands"]], ordered(result)
    if len(bands) < 2 or not rows:
        return ""
    cells = [
        [(row["ordering"]["bands"].get(band) or {"top1": {"value": None}})["top1"]["value"] for band in bands]
        for row in rows
    ]
    names = [row["evaluator"] for row in rows]
    return matrix(names, bands, cells, title="First choices that win, by band of difficulty", words=True)


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
    found = [(row["evaluator"], row["speed"][key]["median"]) for row in result["evaluators"] if row["speed"]]
    rows = sorted(found, key=lambda item: -item[1])
    chosen = [Bar(name, value) for name, value in rows]
    return bars(chosen, title=SPEEDS[key], unit="a second") if rows else ""

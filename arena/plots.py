"""The ladder's charts as PNG files, for papers and slides; needs the ``plot`` extra."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gomoku_patterns.errors import ArenaError

Json = Mapping[str, Any]

_INK = "#0b66b5"


def save_charts(result: Json, folder: str | Path) -> list[Path]:
    """Write ``elo.png``, ``ordering.png``, ``levels.png`` and ``speed.png``, as far as they were measured."""
    target = chart_folder(folder)
    from matplotlib.figure import Figure

    written = []
    for name, draw in (("elo", _elo), ("ordering", _ordering), ("levels", _levels), ("speed", _speed)):
        figure = Figure(figsize=(7.5, 0.7 + 0.45 * max(3, len(result["evaluators"]))), dpi=200, layout="constrained")
        if draw(figure.subplots(), result):
            figure.savefig(target / f"{name}.png")
            written.append(target / f"{name}.png")
    return written


def chart_folder(folder: str | Path) -> Path:
    """The folder, made if it is missing; an error if it, or the package that draws, cannot be had."""
    if importlib.util.find_spec("matplotlib") is None:
        raise ArenaError("expected the package 'matplotlib', found none: pip install 'gomoku-patterns[plot]'")
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError(f"{folder}: expected a folder to write to, found {(error.strerror or '').lower()}") from None
    return target


def _elo(axes: Any, result: Json) -> bool:
    rows = [row for row in result["evaluators"] if row["rating"] and row["rating"]["value"] is not None]
    rows.sort(key=lambda row: row["rating"]["value"])
    values = [row["rating"]["value"] for row in rows]
    errors = [
        [value - row["rating"]["low"] for value, row in zip(values, rows, strict=True)],
        [row["rating"]["high"] - value for value, row in zip(values, rows, strict=True)],
    ]
    names = [f"{row['evaluator']} ({row['rating']['games']} games)" for row in rows]
    axes.errorbar(values, range(len(rows)), xerr=errors, fmt="o", color=_INK, capsize=3)
    axes.axvline(0, color="0.7", linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(rows)), names)
    axes.set_xlabel("Elo relative to the mean, 95 % intervals")
    return bool(rows)


def _ordering(axes: Any, result: Json) -> bool:
    rows = [row for row in result["evaluators"] if row["ordering"]]
    for place, (key, name) in enumerate((("top1", "first"), ("top5", "first five"), ("top10", "first ten"))):
        heights = [index + 0.25 * (1 - place) for index in range(len(rows))]
        axes.barh(heights, [row["ordering"][key] for row in rows], height=0.22, label=name)
    axes.set_yticks(range(len(rows)), [row["evaluator"] for row in rows])
    positions = max((row["ordering"]["levels"] for row in rows), default=0)
    axes.set_xlabel(f"recall of proven winning moves, {positions} positions")
    axes.set_xlim(0, 1)
    axes.legend(frameon=False, fontsize="small")
    return bool(rows)


def _levels(axes: Any, result: Json) -> bool:
    rows = result["evaluators"]
    searches = result["settings"]["searches"]
    height = 0.8 / max(1, len(searches))
    for place, search in enumerate(searches):
        heights = [index + 0.4 - height * (place + 0.5) for index in range(len(rows))]
        axes.barh(
            heights, [max(row["levels"][place]["won"].values()) for row in rows], height=height * 0.9, label=search
        )
    axes.set_yticks(range(len(rows)), [row["evaluator"] for row in rows])
    axes.set_xlabel(
        f"levels won of {result['suite']['levels']}, at most {max(result['settings']['budgets'])} nodes a move"
    )
    axes.legend(frameon=False, fontsize="small")
    return any(level["tried"] for row in rows for level in row["levels"])


def _speed(axes: Any, result: Json) -> bool:
    rows = sorted((row for row in result["evaluators"] if row["speed"]), key=lambda row: row["speed"]["plays"])
    axes.barh(range(len(rows)), [row["speed"]["plays"] for row in rows], color=_INK, height=0.6)
    axes.set_yticks(range(len(rows)), [row["evaluator"] for row in rows])
    axes.set_xlabel("moves played and taken back a second, score read")
    return bool(rows)

"""The ladder's charts as PNG files, for papers and slides; needs the ``plot`` extra."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.charts import FAR_APART, spoken
from gomoku_patterns.errors import ArenaError

Json = Mapping[str, Any]

_INKS = ("#0b66b5", "#c2570c", "#117a5b", "#a23b72", "#7a6a00", "#5b5bd6")
"""The colours of the page's charts, in their order; told apart by people who see few colours."""
_INK = _INKS[0]


def save_charts(result: Json, folder: str | Path) -> list[Path]:
    """Write ``elo.png``, ``ordering.png``, ``levels.png`` and ``speed.png``, as far as they were measured."""
    target = chart_folder(folder)
    from matplotlib.figure import Figure

    written = []
    for name, draw in (("elo", _elo), ("ordering", _ordering), ("levels", _levels), ("speed", _speed)):
        figure = Figure(figsize=(7.5, 0.7 + 0.45 * max(3, len(result["evaluators"]))), dpi=200, layout="constrained")
        axes = figure.subplots()
        if draw(axes, result):
            axes.spines[["top", "right"]].set_visible(False)
            low, high = axes.get_ylim()
            axes.set_ylim(min(low, -0.5), max(high, len(axes.get_yticks()) - 0.5))
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
    rows = [row for row in reversed(result["evaluators"]) if row["ordering"]]
    for place, (key, name) in enumerate((("top1", "first"), ("top5", "first five"), ("top10", "first ten"))):
        heights = [index + 0.25 * (1 - place) for index in range(len(rows))]
        axes.barh(heights, [row["ordering"][key] for row in rows], height=0.22, label=name, color=_ink(place))
    axes.set_yticks(range(len(rows)), [row["evaluator"] for row in rows])
    positions = max((row["ordering"]["levels"] for row in rows), default=0)
    axes.set_xlabel(f"recall of proven winning moves, {positions} positions")
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter("{x:.0%}")
    _legend(axes)
    return bool(rows)


def _legend(axes: Any) -> None:
    """Above the bars, where it hides none."""
    axes.legend(frameon=False, fontsize="small", ncols=4, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)


def _ink(place: int) -> str:
    return _INKS[place % len(_INKS)]


def _levels(axes: Any, result: Json) -> bool:
    rows = result["evaluators"][::-1]
    searches = result["settings"]["searches"]
    height = 0.8 / max(1, len(searches))
    for place, search in enumerate(searches):
        heights = [index + 0.4 - height * (place + 0.5) for index in range(len(rows))]
        won = [max(row["levels"][place]["won"].values()) for row in rows]
        axes.barh(heights, won, height=height * 0.9, label=search, color=_ink(place))
    axes.set_yticks(range(len(rows)), [row["evaluator"] for row in rows])
    axes.set_xlabel(
        f"levels won of {result['suite']['levels']}, at most {max(result['settings']['budgets'])} nodes a move"
    )
    axes.set_xlim(0, result["suite"]["levels"])
    axes.xaxis.get_major_locator().set_params(integer=True)
    _legend(axes)
    return any(level["tried"] for row in rows for level in row["levels"])


def _speed(axes: Any, result: Json) -> bool:
    rows = sorted((row for row in result["evaluators"] if row["speed"]), key=lambda row: row["speed"]["plays"])
    values = [row["speed"]["plays"] for row in rows]
    if values and values[-1] > FAR_APART * values[0]:
        axes.plot(values, range(len(rows)), "o", color=_INK)
        axes.set_xscale("log")
        axes.grid(axis="x", color="0.9")
    else:
        axes.barh(range(len(rows)), values, color=_INK, height=0.6)
    axes.set_yticks(range(len(rows)), [row["evaluator"] for row in rows])
    axes.xaxis.set_major_formatter(lambda value, _: spoken(value))
    axes.set_xlabel("moves played and taken back a second, score read")
    return bool(rows)

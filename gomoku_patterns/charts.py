"""Charts as SVG: bars, intervals, groups of bars, columns and matrices, for a page or as files of their own.

On a page a chart takes its colours from the page's style (``--ink``, ``--faint``, ``--rule`` and ``--c1`` to
``--c6``, see :data:`COLOURS`), so that it follows a light or a dark theme. :func:`standalone` turns it into a picture
that needs no page, and :func:`save_chart` writes that as SVG and PNG.

>>> chart = bars([Bar("grade_dict", 120.0), Bar("level", 30.0)], title="Scores a second", unit="thousand")
>>> chart.startswith("<svg") and chart.count("<rect") == 2
True
>>> "var(" in chart, "var(" in standalone(chart)
(True, False)
"""

from __future__ import annotations

import importlib.util
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from gomoku_patterns.draw import svg_to_png
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.files import write_file
from gomoku_patterns.quantities import short_number

COLOURS = """
  --ink: #1c1f24; --faint: #667085; --rule: #d8dce3; --paper: #ffffff; --card: #f7f8fa;
  --c1: #0b66b5; --c2: #c2570c; --c3: #117a5b; --c4: #a23b72; --c5: #7a6a00; --c6: #5b5bd6;
"""
"""The colours of the light theme, dark enough to read on paper; people who see few colours can tell them apart."""

DARK_COLOURS = """
  --ink: #e6e8ec; --faint: #98a2b3; --rule: #343a46; --paper: #14171c; --card: #1b1f26;
  --c1: #5aa9f0; --c2: #f0944d; --c3: #4cc2a0; --c4: #e583b8; --c5: #d8c24a; --c6: #a3a3ff;
"""

TEXT_STYLE = "text { fill: var(--ink); font-size: 13px; } text.small { fill: var(--faint); font-size: 11px; }"
"""The style of a chart's texts."""

WIDTH = 760
_ROW = 30
_TOP = 14
_BOTTOM = 34
_LETTER = 7.2
FAR_APART = 30
"""Values further apart than this ratio are shown on a logarithmic axis."""

_BAR = 13
_MARGIN = 16


@dataclass(frozen=True)
class Bar:
    """One value with its label, and if there are, the ends of its interval and a remark at its right."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""


def bars(rows: Sequence[Bar], *, title: str, unit: str = "") -> str:
    """Horizontal bars from zero; values far apart become points on a logarithmic axis, where a length would deceive."""
    values = [row.value for row in rows]
    log = min(values, default=1.0) > 0 and max(values, default=1.0) / min(values, default=1.0) > FAR_APART
    axis = Axis.logarithmic(values) if log else Axis.linear(0.0, max(values, default=1.0))
    frame = ChartFrame(rows, axis, title, unit + (", logarithmic" if log else ""))
    parts = []
    for top, row in frame.places():
        end = frame.x(row.value)
        parts.append(_point(frame.left, end, top) if log else _bar(frame.left, end, top))
        parts.append(frame.note(end + 9, top, row.note or short_number(row.value)))
    return frame.svg(parts)


def _bar(start: float, end: float, top: float) -> str:
    size = f'width="{max(1.0, end - start):.1f}" height="{_ROW - 12}" rx="2"'
    return f'<rect x="{start:.1f}" y="{top + 6}" {size} fill="var(--c1)"/>'


def _point(start: float, end: float, top: float) -> str:
    middle = top + _ROW / 2
    line = (
        f'<line x1="{start:.1f}" x2="{end:.1f}" y1="{middle}" y2="{middle}" stroke="var(--c1)" stroke-dasharray="1 4"/>'
    )
    return f'{line}<circle cx="{end:.1f}" cy="{middle}" r="5" fill="var(--c1)"/>'


def intervals(rows: Sequence[Bar], *, title: str, unit: str = "", ends: tuple[float, float] | None = None) -> str:
    """A dot for each value and a line for its interval; an end that is not known runs off the chart.

    The axis goes from one of ``ends`` to the other, or as far as the values do.
    """
    known = [x for row in rows for x in (row.value, row.low, row.high, 0.0) if x is not None and math.isfinite(x)]
    axis = Axis.linear(*(ends or (min(known, default=-1.0), max(known, default=1.0))))
    frame = ChartFrame(rows, axis, title, unit, plain=True)
    parts = [
        f'<line x1="{frame.x(0):.1f}" x2="{frame.x(0):.1f}" y1="{_TOP}" y2="{frame.bottom}" stroke="var(--faint)"/>'
    ]
    for top, row in frame.places():
        middle = top + _ROW / 2
        low, high = frame.x(_bounded(row.low, axis.low)), frame.x(_bounded(row.high, axis.high))
        parts.append(
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}" stroke="var(--c1)" stroke-width="2.5"'
            f' stroke-linecap="round"/>'
            f'<circle cx="{frame.x(_bounded(row.value, axis.high)):.1f}" cy="{middle}" r="5" fill="var(--c1)"/>'
            + frame.note(frame.right + 8, top, row.note)
        )
    return frame.svg(parts)


def groups(
    labels: Sequence[str],
    series: Sequence[tuple[str, Sequence[float]]],
    *,
    title: str,
    most: float = 1.0,
    unit: str = "",
    text: Callable[[float], str] = "{:.0%}".format,
) -> str:
    """For each label a bar of every series, on an axis from 0 to ``most``; the legend is above.

    ``text`` writes a value beside its bar.
    """
    height = _BAR * len(series) + 12
    axis = Axis.linear(0.0, most)
    frame = ChartFrame([Bar(label, 0.0) for label in labels], axis, title, unit, row=height, top=_TOP + 22)
    parts = [_legend([name for name, _ in series], frame.left)]
    for number, (top, _) in enumerate(frame.places()):
        for place, (_, values) in enumerate(series):
            y, end = top + 6 + _BAR * place, frame.x(values[number])
            parts.append(
                f'<rect x="{frame.left}" y="{y}" width="{max(0.5, end - frame.left):.1f}" height="{_BAR - 3}" rx="2"'
                f' fill="var(--c{place % 6 + 1})"/>'
                f'<text x="{end + 5:.1f}" y="{y + 9}" class="small">{escape(text(values[number]))}</text>'
            )
    return frame.svg(parts)


@dataclass(frozen=True)
class Column:
    """One column: what stands below it, its height, what a pointer on it is told, and which colour it has."""

    label: str
    value: float
    note: str = ""
    colour: int = 1


def columns(rows: Sequence[Column], *, title: str, text: Callable[[float], str] = short_number) -> str:
    """Columns side by side over a logarithmic scale, for many values above zero; ``text`` writes the marks."""
    width, height, left, floor = 1100.0, 260.0, 70.0, 232.0
    axis = Axis.logarithmic([row.value for row in rows])
    step = (width - left) / max(1, len(rows))

    def y(value: float) -> float:
        return floor - (floor - 10.0) * axis.share(value)

    parts = []
    for tick in axis.ticks:
        parts.append(f'<line x1="{left:g}" x2="{width:g}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="var(--rule)"/>')
        where = f'x="{left - 8:g}" y="{y(tick) + 4:.1f}" text-anchor="end"'
        parts.append(f'<text {where} class="small">{escape(text(tick))}</text>')
    for number, row in enumerate(rows):
        x, top = left + step * number, min(y(max(row.value, axis.low)), floor - 1)
        box = f'x="{x + step * 0.18:.1f}" y="{top:.1f}" width="{step * 0.64:.1f}" height="{floor - top:.1f}" rx="2"'
        parts.append(f'<rect {box} fill="var(--c{row.colour})"><title>{escape(row.note)}</title></rect>')
        if step > 18:
            where = f'x="{x + step / 2:.1f}" y="{floor + 18:g}" text-anchor="middle"'
            parts.append(f'<text {where} class="small">{escape(row.label)}</text>')
    return _svg("".join(parts), height, title, width)


def matrix(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[float | None]],
    *,
    title: str,
    words: bool = False,
) -> str:
    """Squares whose strength of colour is a value from 0 to 1; None is left empty. ``words`` writes the value too."""
    left = _label_width(rows)
    side = min(56.0 if words else 26.0, (WIDTH - left - 10) / max(1, len(columns)))
    tall = 28.0 if words else min(side, 26.0)
    lines = "".join(
        f'<text x="{left + side * (index + 0.5):.1f}" y="14" text-anchor="middle" class="small">{escape(name)}</text>'
        for index, name in enumerate(columns)
    )
    for index, (name, values) in enumerate(zip(rows, cells, strict=True)):
        y = 22 + index * tall
        lines += f'<text x="{left - 8}" y="{y + tall / 2 + 4:.1f}" text-anchor="end">{escape(_short(name))}</text>'
        lines += "".join(
            _square(left + side * place, y, (side, tall), value, words) for place, value in enumerate(values)
        )
    return _svg(lines, 30 + tall * len(rows), title)


def _square(x: float, y: float, size: tuple[float, float], value: float | None, words: bool) -> str:
    side, tall = size
    box = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{side - 2:.1f}" height="{tall - 2:.1f}" rx="3"'
    if value is None:
        return f'<rect {box} fill="none" stroke="var(--rule)"/>'
    square = f'<rect {box} fill="var(--c1)" fill-opacity="{0.08 + 0.8 * value:.2f}"/>'
    if not words:
        return square
    ink = "var(--paper)" if value > 0.55 else "var(--ink)"
    where = f'x="{x + side / 2:.1f}" y="{y + tall / 2 + 4:.1f}" text-anchor="middle" style="fill:{ink}"'
    return f'{square}<text {where} class="small">{100 * value:.0f}</text>'


# ------------------------------------------------------------------ axes and frames


@dataclass(frozen=True)
class Axis:
    """A range of values with round numbers to mark."""

    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    @classmethod
    def linear(cls, low: float, high: float) -> Axis:
        """A range that holds both values, with about six marks at 1, 2 or 5 times a power of ten."""
        span = high - low or 1.0
        step = next(unit for unit in _round_steps(span) if span / unit <= 6)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        ticks = tuple(step * number for number in range(first, max(last, first + 1) + 1))
        return cls(ticks[0], ticks[-1], ticks)

    @classmethod
    def logarithmic(cls, values: Iterable[float]) -> Axis:
        """Whole powers of ten around the values that are above zero."""
        logs = [math.log10(value) for value in values if value > 0] or [0.0]
        first, last = math.floor(min(logs) - 0.01), math.ceil(max(logs))
        return cls(10.0**first, 10.0**last, tuple(10.0**power for power in range(first, last + 1)), log=True)

    def share(self, value: float) -> float:
        """Where a value lies between the ends, from 0 to 1."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def _round_steps(span: float) -> Iterable[float]:
    power = math.floor(math.log10(span)) - 2
    while True:
        yield from (unit * 10.0**power for unit in (1, 2, 5))
        power += 1


class ChartFrame:
    """Where the rows, labels and marks of a chart are."""

    def __init__(
        self,
        rows: Sequence[Bar],
        axis: Axis,
        title: str,
        unit: str,
        *,
        row: int = _ROW,
        top: int = _TOP,
        plain: bool = False,
    ) -> None:
        self.plain = plain
        self.rows = rows
        self.axis = axis
        self.title = title
        self.unit = unit
        self.row = row
        self.top = top
        self.left = _label_width([bar.label for bar in rows])
        self.right = WIDTH - 20 - max([_LETTER * len(bar.note) for bar in rows], default=0) - 40
        self.bottom = top + row * len(rows) + 4

    def places(self) -> Iterable[tuple[float, Bar]]:
        return ((self.top + self.row * index, bar) for index, bar in enumerate(self.rows))

    def x(self, value: float) -> float:
        return self.left + self.axis.share(value) * (self.right - self.left)

    def note(self, x: float, top: float, text: str) -> str:
        return f'<text x="{x:.1f}" y="{top + self.row / 2 + 4}" class="small">{escape(text)}</text>' if text else ""

    def svg(self, parts: Iterable[str]) -> str:
        """The chart: marks behind, then labels, then what is shown."""
        lines = [self._mark(tick) for tick in self.axis.ticks]
        for top, bar in self.places():
            where = f'x="{self.left - 10}" y="{top + self.row / 2 + 4}" text-anchor="end"'
            lines.append(f"<text {where}>{escape(_short(bar.label))}</text>")
        if self.unit:
            where = f'x="{self.right:.1f}" y="{self.bottom + 30}" text-anchor="end"'
            lines.append(f'<text {where} class="small">{escape(self.unit)}</text>')
        return _svg("".join([*lines, *parts]), self.bottom + _BOTTOM, self.title)

    def _mark(self, tick: float) -> str:
        x, figure = f"{self.x(tick):.1f}", f"{tick:g}" if self.plain else short_number(tick)
        line = f'<line x1="{x}" x2="{x}" y1="{self.top}" y2="{self.bottom}" stroke="var(--rule)"/>'
        return line + f'<text x="{x}" y="{self.bottom + 16}" text-anchor="middle" class="small">{figure}</text>'


def _bounded(value: float | None, end: float) -> float:
    return end if value is None or not math.isfinite(value) else value


def _legend(names: Sequence[str], left: float) -> str:
    parts, x = [], left
    for place, name in enumerate(names):
        parts.append(f'<rect x="{x:.1f}" y="6" width="10" height="10" rx="2" fill="var(--c{place % 6 + 1})"/>')
        parts.append(f'<text x="{x + 15:.1f}" y="15" class="small">{escape(name)}</text>')
        x += 34 + _LETTER * len(name)
    return "".join(parts)


def _label_width(labels: Sequence[str]) -> float:
    return min(260.0, max([_LETTER * len(_short(label)) for label in labels], default=0.0) + 18)


def _short(label: str, most: int = 33) -> str:
    return label if len(label) <= most else "…" + label[1 - most :]


def _svg(content: str, height: float, title: str, width: float = WIDTH) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:.0f}" role="img" class="chart">'
    return f"{head}<title>{escape(title)}</title>{content}</svg>"


# ------------------------------------------------------------------ charts as files

_HEAD = re.compile(r'<svg [^>]*viewBox="0 0 ([0-9.]+) ([0-9.]+)"[^>]*>')


def standalone(chart: str, scale: float = 1.0) -> str:
    """A chart as a picture of its own: on paper, in the light colours, ``scale`` times its usual size."""
    found = _HEAD.match(chart)
    if found is None:
        raise GomokuError(f"this is not a chart of gomoku_patterns.charts: {chart!r:.60}")
    width, height = (float(side) + 2 * _MARGIN for side in found.groups())
    size = f'width="{width * scale:g}" height="{height * scale:g}"'
    box = f'x="{-_MARGIN}" y="{-_MARGIN}" width="{width:g}" height="{height:g}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-_MARGIN} {-_MARGIN} {width:g} {height:g}" {size}'
        ' font-family="Inter, Helvetica, Arial, DejaVu Sans, sans-serif">'
        f'<style>{TEXT_STYLE}</style><rect {box} fill="var(--paper)"/>'
    )
    colours = dict(re.findall(r"--(\w+): (#\w+);", COLOURS))
    return re.sub(r"var\(--(\w+)\)", lambda name: colours[name[1]], head + chart[found.end() :])


def save_chart(chart: str, folder: str | Path, name: str) -> list[Path]:
    """Write a chart as ``name.svg``, as ``name.png`` at twice the size, and with the extra ``pdf`` as ``name.pdf``."""
    vector, pixels, paper = (Path(folder, f"{name}.{kind}") for kind in ("svg", "png", "pdf"))
    write_file(vector, standalone(chart))
    svg_to_png(standalone(chart, scale=2), pixels)
    if not can_make_pdf():
        return [vector, pixels]
    write_file(paper, svg_to_pdf(standalone(chart)))
    return [vector, pixels, paper]


def can_make_pdf() -> bool:
    """Whether the extra ``pdf`` is installed."""
    return importlib.util.find_spec("svg2pdf_py") is not None


def svg_to_pdf(picture: str) -> bytes:
    """An SVG picture as a PDF of one page, its shapes and letters as vectors; needs the extra ``pdf``."""
    if not can_make_pdf():
        raise GomokuError("cannot make PDF files without the package svg2pdf-py: pip install 'gomoku-patterns[pdf]'")
    import svg2pdf_py

    return bytes(svg2pdf_py.svg_to_pdf(picture, svg2pdf_py.FontDatabase.system()))


def chart_folder(folder: str | Path) -> Path:
    """The folder for :func:`save_chart`, made if it is missing; an error if that fails or PNG cannot be drawn."""
    if importlib.util.find_spec("resvg_py") is None:
        raise GomokuError("cannot make PNG files without the package resvg-py: pip install 'gomoku-patterns[png]'")
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GomokuError(f"{folder}: cannot make this folder: {(error.strerror or 'an error').lower()}") from None
    return target

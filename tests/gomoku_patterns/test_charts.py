"""Charts: round marks, nothing that deceives, and pictures that stand by themselves."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from gomoku_patterns.charts import (
    Axis,
    Bar,
    Column,
    bars,
    chart_folder,
    columns,
    groups,
    intervals,
    matrix,
    save_chart,
    standalone,
)
from gomoku_patterns.errors import GomokuError


def test_axes_have_round_marks() -> None:
    assert Axis.linear(0, 1.0).ticks == pytest.approx((0, 0.2, 0.4, 0.6, 0.8, 1.0))
    assert Axis.linear(-130, 70).ticks == (-150, -100, -50, 0, 50, 100)
    assert Axis.logarithmic([300, 20_000]).ticks == (100, 1000, 10_000, 100_000)
    assert Axis.linear(0, 0).low < Axis.linear(0, 0).high


def test_bars_start_at_zero_unless_values_are_far_apart() -> None:
    near, far = bars([Bar("a", 3), Bar("b", 30)], title="t"), bars([Bar("a", 1), Bar("b", 1000)], title="t")
    assert near.count("<rect") == 2 and "logarithmic" not in near
    assert far.count("<circle") == 2 and "logarithmic" in far


def test_unbounded_intervals_run_off_the_chart() -> None:
    chart = intervals([Bar("a", float("inf"), 20.0, None), Bar("b", 5.0, None, 9.0)], title="t")
    assert "inf" not in chart and "nan" not in chart
    assert ">1000<" in intervals([Bar("a", 990.0, 20.0, 995.0)], title="an Elo is no thousand of anything")


def test_charts_without_rows_are_charts() -> None:
    for chart in (
        bars([], title="t"),
        intervals([], title="t"),
        groups([], [], title="t"),
        matrix([], [], [], title="t"),
        columns([], title="t"),
    ):
        assert chart.startswith("<svg") and chart.endswith("</svg>")


def test_labels_are_escaped_and_shortened() -> None:
    chart = matrix(["<&" + "x" * 50], ["c"], [[0.5]], title="a <b>")
    assert "<title>a &lt;b&gt;</title>" in chart and "…" in chart and "<&" not in chart


def test_columns_of_very_different_heights_are_all_seen() -> None:
    chart = columns([Column("1", 1e-6), Column("2", 10.0, note="<slow>", colour=2)], title="t")
    heights = [float(box.get("height", 0)) for box in ElementTree.fromstring(chart) if box.tag.endswith("rect")]
    assert 1 <= heights[0] < heights[1]
    assert "<title>&lt;slow&gt;</title>" in chart and "var(--c2)" in chart
    assert ">199<" not in columns([Column(str(number), 1.0) for number in range(200)], title="labels need room")


@pytest.mark.parametrize(
    "chart",
    [
        bars([Bar("a", 3)], title="t"),
        groups(["a"], [("s", [0.5])], title="t"),
        matrix(["a"], ["b"], [[0.9]], title="t", words=True),
        columns([Column("1", 2.0)], title="t"),
    ],
)
def test_a_chart_of_its_own_needs_no_page(chart: str) -> None:
    picture = standalone(chart, scale=2)
    root = ElementTree.fromstring(picture)
    assert "var(" not in picture and root.get("width") == str(2 * int(root.get("viewBox", "").split()[2]))


def test_a_chart_is_saved_as_svg_and_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("svg2pdf_py")
    folder = chart_folder(tmp_path / "more" / "charts")
    vector, pixels, paper = save_chart(bars([Bar("a", 3)], title="t"), folder, "bars")
    assert paper.read_bytes().startswith(b"%PDF") and b"/Subtype /Image" not in paper.read_bytes()
    assert vector.read_text().startswith("<svg") and pixels.read_bytes().startswith(b"\x89PNG")


def test_what_is_not_a_chart_is_refused() -> None:
    with pytest.raises(GomokuError, match="not a chart"):
        standalone("<svg></svg>")

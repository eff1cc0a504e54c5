"""The unit of a table: its scale where it was learned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gomoku_patterns.native import NativeEvaluator, native_evaluator
from search.unit import unit_of


@pytest.mark.parametrize(
    ("scale", "unit"), [(200, 200), (1, 1), (None, 80), (0, 80), (10**9, 80), ("80", 80), (True, 80)]
)
def test_the_unit_of_a_cell_table_is_the_scale_in_its_weights(scale: object, unit: int) -> None:
    """Weights come from files, so what they say is used only if it is a scale."""
    table = native_evaluator("cell").table
    assert table.weights is not None
    about = {name: value for name, value in table.weights.provenance.items() if name != "scale"}
    weights = replace(table.weights, provenance=about if scale is None else {**about, "scale": scale})
    assert unit_of(NativeEvaluator(replace(table, name="other", weights=weights))) == unit

"""Results as rows and frames, whatever they are results of."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from gomoku_patterns import Board, GomokuError, as_evaluator, to_frame
from gomoku_patterns.frames import rows_of


class Thing:
    def __init__(self, number: int) -> None:
        self.number = number

    def row(self) -> dict[str, object]:
        return {"number": self.number, "inner": {"a": {"b": self.number}}}


def test_rows_are_flat_and_of_anything_that_gives_rows() -> None:
    flat = {"number": 1, "inner.a.b": 1}
    assert list(rows_of(Thing(1))) == list(rows_of([Thing(1)])) == list(rows_of([[Thing(1)]])) == [flat]
    assert list(rows_of(({"x": 1}, Thing(1)))) == [{"x": 1}, flat]
    assert list(rows_of([])) == []


@pytest.mark.parametrize("nothing", [3, "text", [3], Board(5)])
def test_what_has_no_rows_is_refused(nothing: object) -> None:
    with pytest.raises(GomokuError, match="there are no rows in"):
        list(rows_of(nothing))


def test_frames_of_rows_and_of_features() -> None:
    pytest.importorskip("pandas")
    frame = to_frame(Thing(n) for n in range(3))
    assert list(frame.columns) == ["number", "inner.a.b"] and frame["number"].sum() == 3
    assert len(to_frame(Thing(1), Thing(2), [Thing(3)])) == 3
    boards = np.stack([Board(black=["h8", "i8"]).to_array(), Board().to_array()])
    features = as_evaluator("grade_dict").features(boards)
    frame = to_frame(features)
    assert tuple(frame.columns) == features.names and (frame.to_numpy() == features.matrix).all()


def test_without_pandas_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(GomokuError, match=r"pip install 'gomoku-patterns\[data\]'"):
        to_frame([])

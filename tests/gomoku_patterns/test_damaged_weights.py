"""Damaged files of weights end in a TableError: no traceback, no large allocation, no undefined behaviour."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gomoku_patterns import Board, TableError, load_table, parse_table
from gomoku_patterns.cell_tables import CellWeights, load_cell_weights
from gomoku_patterns.codes import SHIFT_LIMITS, LineCode, load_weights
from gomoku_patterns.native import NativeEvaluator
from gomoku_patterns.table import Table
from gomoku_patterns.weights_file import MAX_UNPACKED, _array
from tests.damage import damaged, outcome
from tests.learned import TEXT, random_code
from tests.long import examples

CODE = random_code().to_bytes()
CELL = next(table for name in ("cell",) if (table := load_table(name)).scan == "cell").weights
assert isinstance(CELL, CellWeights)

KINDS: list[tuple[Callable[[bytes], Any], bytes]] = [(load_weights, CODE), (load_cell_weights, CELL.to_bytes())]


def members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(("load", "content"), KINDS)
def test_damaged_archives_are_refused(load: Callable[[bytes], Any], content: bytes) -> None:
    refused = sum(
        isinstance(outcome(lambda copy=copy: load(copy)), TableError)  # type: ignore[misc]
        for copy in damaged(content, seed=1, number=examples(150, 5000))
    )
    assert refused > 50


@pytest.mark.parametrize(("load", "content"), KINDS)
def test_damaged_members_are_refused(load: Callable[[bytes], Any], content: bytes) -> None:
    """The archive is whole, so that the damage reaches what reads its members."""
    parts = {name: member[:400] if name.endswith("rows.npy") else member for name, member in members(content).items()}
    refused = 0
    for name, member in parts.items():
        head = member[:200]
        for copy in damaged(head, seed=2, number=examples(25, 1000)):
            changed = zipped(parts | {name: copy + member[200:]})
            refused += isinstance(outcome(lambda changed=changed: load(changed)), TableError)  # type: ignore[misc]
    assert refused > 100


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<i2', 'fortran_order': False, 'shape': (999999999, 99), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (" + "9" * 5000 + ",), }",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (-2,), }",
        "{'descr': '<i2', 'fortran_order': False, 'shape': ((2,),), }",
        "(" * 2000,
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), 'x': [\x1b[2J]}",
        "",
    ],
)
def test_headers_that_numpy_would_evaluate_or_believe(header: str) -> None:
    text = (header + "\n").encode()
    member = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\0" * 4
    found = outcome(lambda: load_weights(zipped(members(CODE) | {"prior.npy": member})))
    assert isinstance(found, TableError)
    assert "prior.npy" in str(found)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.int16),
        np.arange(6, dtype=np.int8).reshape(2, 3),
        np.asfortranarray(np.arange(24, dtype=np.int32).reshape(2, 3, 4)),
        np.zeros((2, 0, 8, 8), dtype=np.int32),
        np.int64(3),
    ],
)
def test_arrays_are_read_as_numpy_saves_them(array: Any) -> None:
    stream = io.BytesIO()
    np.save(stream, array)
    read = _array(stream.getvalue(), "a")
    assert read.dtype == array.dtype and read.shape == array.shape and (read == array).all()
    assert read.flags.c_contiguous and read.flags.writeable


@pytest.mark.parametrize(
    "about", ["[" * 100_000, "[]", "3", '{"a":1,"a":2}', '{"format": NaN}', "9" * 5000, "\x1b", ""]
)
def test_an_about_that_cannot_be_read(about: str) -> None:
    for load, content in KINDS:
        changed = zipped(members(content) | {"about.json": about.encode()})
        assert isinstance(outcome(lambda load=load, changed=changed: load(changed)), TableError)  # type: ignore[misc]


def test_names_in_the_weights_are_names() -> None:
    parts = members(CELL.to_bytes())
    about = json.loads(parts["about.json"])
    about["shapes"][0] = "\x1b[2Jfive"
    found = outcome(lambda: load_cell_weights(zipped(parts | {"about.json": json.dumps(about).encode()})))
    assert "expected names of shapes" in str(found)


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressions_with_a_dictionary_are_refused(compression: int) -> None:
    with pytest.raises(TableError, match="another compression"):
        load_weights(zipped(members(CODE), compression))


def test_an_archive_that_unpacks_to_more_than_weights_is_refused() -> None:
    found = outcome(lambda: load_weights(zipped(members(CODE) | {"more": bytes(MAX_UNPACKED)})), measured=False)
    assert "when unpacked" in str(found)


# ---------------------------------------------------------------------- what the core computes with


@pytest.mark.parametrize("at", range(3))
def test_shifts_by_as_many_bits_as_a_number_has_are_refused(at: int) -> None:
    for shift in (SHIFT_LIMITS[at] + 1, -1, True, 1.5):
        shifts = [2, 8, 18]
        shifts[at] = shift  # type: ignore[call-overload]
        with pytest.raises(TableError, match="expected three shifts"):
            LineCode(**{**vars(random_code()), "shifts": tuple(shifts)})


def test_the_most_that_can_be_shifted_is_what_the_reference_says() -> None:
    from gomoku_patterns.code_reference import CodeReference

    table = parse_table(TEXT, weights=LineCode(**{**vars(random_code()), "shifts": SHIFT_LIMITS}))
    board = Board(black=["h8", "g8"], white=["h9"])
    assert NativeEvaluator(table).score(board) == CodeReference(table).score(board)


def test_the_least_number_of_32_bits_is_refused() -> None:
    bias = random_code().hidden_bias.copy()
    bias[3] = -(2**31)
    with pytest.raises(TableError, match="hidden_bias"):
        LineCode(**{**vars(random_code()), "hidden_bias": bias})


def test_weights_of_another_kind_of_table_are_refused() -> None:
    with pytest.raises(TableError, match="a line code has others"):
        parse_table(TEXT, weights=CELL)
    with pytest.raises(TableError, match="a line table has none"):
        Table(**{**_fields(load_table("grade_dict")), "weights": random_code()})


def _fields(table: Table) -> dict[str, Any]:
    return {name: getattr(table, name) for name in table.__dataclass_fields__}


def test_weights_that_change_after_they_were_checked_change_nothing() -> None:
    code = random_code()
    evaluator, board = NativeEvaluator(parse_table(TEXT, weights=code)), Board(black=["h8"], white=["g7"])
    before = evaluator.score(board)
    code.hidden[:] = 32767
    assert evaluator.score(board) == before

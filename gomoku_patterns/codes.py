"""Line codes: learned evaluators that see every line through an empty cell as one number.

The *window* of an empty cell in a direction is what lies within five cells on either side: 364 different sides (up to
five cells, each empty, own or the other's, or cut off by the edge), so 132,496 windows. A window and its mirror image
share a *row* of the table; so do windows without stones (row 0, worth nothing), those where a stone makes five (row 1)
and those where one of the other's would (row 2). A row is a vector of 32 small numbers.

The value of a position for the side to move is made in three steps. The four rows of each empty cell are added up and
what is negative becomes 0; these vectors are added up over the board: the *pool*. A small head makes a number of the
pool: 32 weighted sums, each kept between 0 and 4, weighted and added to a weighted sum of the pool itself. A cell's
vector, weighted, also says how likely the best move is there: its *prior*.

All of it is whole numbers, so that the native core (``_codes``) says exactly what :mod:`gomoku_patterns.code_reference`
says. Both sides see the board with their own stones first: exchanging colours and turn negates the score, and no edge,
size or symmetry of the board is treated otherwise than any other.

>>> int(code_rows()[window_code("", "")]), int(code_rows()[window_code("oooo.", "....|")]), row_count()
(0, 1, 60738)
>>> int(code_rows()[window_code("o..", "x.x..")]) == int(code_rows()[window_code("x.x..", "o..")])
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gomoku_patterns.errors import TableError, shown
from gomoku_patterns.weights_file import check_array, packed, read_from, unpacked

if TYPE_CHECKING:
    import numpy.typing as npt

REACH = 5
"""How many cells a window has on either side."""
SIDES: int = (3 ** (REACH + 1) - 1) // 2
CODES: int = SIDES * SIDES
WIDTH = 32
"""Numbers in a row: what the native loops are written for."""
HIDDEN = 32
POOL_LIMIT = 2**15 - 1
"""The pool is cut here before the head, so that the head's products fit 32 bits."""
HIDDEN_LIMIT = 2**12
PRIOR_SHIFT = 8
SUM_LIMIT = 2**15
"""The most that the weights of one sum may add up to, in absolute terms."""
SHIFT_LIMITS = (31, 31, 40)
"""The most bits that a shift can take: the pool and the hidden sums are of 32 bits, the last sum of 64."""
FORMAT = 1


# ---------------------------------------------------------------------- windows


def side_start(cells: int) -> int:
    """The number of the first side of so many cells: shorter ones come before it."""
    number: int = (3**cells - 1) // 2
    return number


def window_code(left: str, right: str) -> int:
    """The code of a window whose sides are texts over ``. o x``, nearest cell first; fewer than five where the edge is.

    >>> window_code("", ""), window_code(".....", "o"), SIDES
    (0, 44046, 364)
    """
    return _side(left) * SIDES + _side(right)


def _side(text: str) -> int:
    cells = text.rstrip("|")
    number = 0
    for symbol in reversed(cells):
        number = 3 * number + ".ox".index(symbol)
    return side_start(len(cells)) + number


@lru_cache(maxsize=1)
def _sides() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """The cells of every side, nearest first (0 beyond the edge), and how many there are."""
    cells = np.zeros((SIDES, REACH), dtype=np.uint8)
    lengths = np.zeros(SIDES, dtype=np.int64)
    for length in range(REACH + 1):
        for number in range(3**length):
            side = side_start(length) + number
            lengths[side] = length
            cells[side] = [number // 3**at % 3 if at < length else 0 for at in range(REACH)]
    return cells, lengths


def _runs(colour: int) -> npt.NDArray[np.int64]:
    """How many stones of a colour each side has in a row next to the centre."""
    found: npt.NDArray[np.int64] = np.cumprod(_sides()[0] == colour, axis=1).sum(axis=1)
    return found


@lru_cache(maxsize=1)
def code_rows() -> npt.NDArray[np.uint16]:
    """The row of every code, as the owner of the stones 1 sees it."""
    left, right = np.divmod(np.arange(CODES), SIDES)
    own, other = _runs(1), _runs(2)
    empty = _sides()[0].sum(axis=1) == 0
    special = np.full(CODES, 3)
    special[other[left] + other[right] >= 4] = 2
    special[own[left] + own[right] >= 4] = 1
    special[empty[left] & empty[right]] = 0
    canonical = np.minimum(np.arange(CODES), right * SIDES + left)
    _, numbers = np.unique(np.where(special == 3, canonical, -1), return_inverse=True)
    return np.where(special == 3, numbers + 2, special).astype(np.uint16)


@lru_cache(maxsize=1)
def swapped_codes() -> npt.NDArray[np.int64]:
    """The code of every window with the colours of its stones exchanged."""
    cells, lengths = _sides()
    swapped = np.array([0, 2, 1])[cells]
    starts = np.array([side_start(length) for length in range(REACH + 1)])
    sides = starts[lengths] + (swapped * 3 ** np.arange(REACH)).sum(axis=1)
    left, right = np.divmod(np.arange(CODES), SIDES)
    found: npt.NDArray[np.int64] = sides[left] * SIDES + sides[right]
    return found


@lru_cache(maxsize=1)
def row_count() -> int:
    return int(code_rows().max()) + 1


# ---------------------------------------------------------------------- weights


@dataclass(frozen=True, eq=False)
class LineCode:
    """The weights of a line code, and where they come from.

    ``shifts``: how many bits the pool loses before it is cut to 0..32767, how many the sums of the hidden layer lose
    before they are cut to 0..4096, and how many the last sum, times the table's scale, loses to become the score.
    """

    rows: npt.NDArray[np.int8]
    """(rows, 32), row 0 all zeros."""
    prior: npt.NDArray[np.int16]
    """(32): a cell's vector by these, and 8 bits less, is its prior; 64 more make a move e times as likely."""
    hidden: npt.NDArray[np.int16]
    """(32, 32): the pool by each row of these, and ``hidden_bias`` (32) added."""
    hidden_bias: npt.NDArray[np.int32]
    out: npt.NDArray[np.int16]
    """(32): the weight of each hidden number."""
    direct: npt.NDArray[np.int16]
    """(32): the weight of each number of the pool."""
    out_bias: int
    shifts: tuple[int, int, int]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, (shape, kind) in _ARRAYS.items():
            wanted = tuple(row_count() if side is None else side for side in shape)
            check_array(name, getattr(self, name), wanted, kind)
        if self.rows[0].any() or int(self.rows.min()) == -128:
            raise TableError("expected row 0 to be zeros and all rows from -127 to 127")
        most = max(int(np.abs(self.hidden.astype(np.int64)).sum(axis=1).max()),
                   *map(_total, (self.direct, self.out, self.prior)))  # fmt: skip
        if most >= SUM_LIMIT:
            raise TableError(f"expected weights of one sum to add up to less than {SUM_LIMIT}, found {most}")
        # The least 32-bit number has no absolute value of 32 bits.
        if int(np.abs(self.hidden_bias.astype(np.int64)).max()) > 2**30:
            raise TableError("expected hidden_bias from -2 ** 30 to 2 ** 30")
        if not _is_whole(self.out_bias) or abs(self.out_bias) > 2**40:
            raise TableError(f"expected out_bias from -2 ** 40 to 2 ** 40, found {shown(self.out_bias)}")
        if len(self.shifts) != 3 or not all(
            _is_whole(shift) and 0 <= shift <= most for shift, most in zip(self.shifts, SHIFT_LIMITS, strict=True)
        ):
            raise TableError(f"expected three shifts from 0 to {SHIFT_LIMITS}, found {shown(self.shifts)}")

    def __reduce__(self) -> tuple[object, ...]:
        return load_weights, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LineCode) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """A hash of everything that decides scores."""
        total = hashlib.sha256()
        for name in _ARRAYS:
            total.update(np.ascontiguousarray(getattr(self, name)).tobytes())
        total.update(repr((self.out_bias, self.shifts)).encode())
        return total.hexdigest()

    def to_bytes(self) -> bytes:
        """The weights as a zip file of numpy arrays, the same bytes for the same weights."""
        told = {"format": FORMAT, "out_bias": self.out_bias, "shifts": list(self.shifts), **self.provenance}
        return packed(told, {name: getattr(self, name) for name in _ARRAYS})


_ARRAYS: dict[str, tuple[tuple[int | None, ...], type]] = {
    "rows": ((None, WIDTH), np.int8),
    "prior": ((WIDTH,), np.int16),
    "hidden": ((HIDDEN, WIDTH), np.int16),
    "hidden_bias": ((HIDDEN,), np.int32),
    "out": ((HIDDEN,), np.int16),
    "direct": ((WIDTH,), np.int16),
}


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _total(weights: npt.NDArray[np.int16]) -> int:
    return int(np.abs(weights.astype(np.int64)).sum())


def read_weights(path: str | Path, source: str | None = None) -> LineCode:
    """The weights in a file."""
    return read_from(path, source, load_weights)


def load_weights(content: bytes) -> LineCode:
    """The weights that :meth:`LineCode.to_bytes` wrote."""
    return _weights(*unpacked(content, _ARRAYS, "a line code"))


def _weights(about: Any, arrays: dict[str, Any]) -> LineCode:
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise TableError(f"expected weights of format {FORMAT}; train them anew with this version")
    bias, shifts = about.pop("out_bias", None), about.pop("shifts", None)
    whole = [bias, *shifts] if isinstance(shifts, list) else [None]
    if not all(map(_is_whole, whole)):
        raise TableError("expected out_bias and shifts to be whole numbers")
    about.pop("format")
    return LineCode(**arrays, out_bias=bias, shifts=tuple(shifts), provenance=about)

"""Data sets of positions: folders of numpy arrays, made shard by shard, readable without this project.

docs/reference/data-sets.md describes the files. A data set is made from numbered units of work, games as a rule,
whose positions come back in order. The same command makes the same files, with any number of workers and after any
number of interruptions.

>>> import numpy as np
>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "i9"], white=["h9"])
>>> stones = board.to_array()[None]
>>> bool((unpacked(packed(stones), 15, 15) == stones).all())
True
>>> turned = board.transform(3).to_array()[None]
>>> bool(position_keys(stones, [2]) == position_keys(turned, [2]))
True
"""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.log import lock_file
from arena.openings import OBLONG_SYMMETRIES
from arena.pools import Workers
from arena.work import run_units
from gomoku_patterns.board import SYMMETRIES, Board
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.files import read_file, write_file

if TYPE_CHECKING:
    import numpy.typing as npt

Json = dict[str, Any]

FORMAT = 1
DECIDED = 32000
"""The score of a position whose winner the search saw; a lost one has the opposite."""
LARGEST = 31000
"""Other scores are cut to this."""
UNKNOWN_SCORE, UNKNOWN_RESULT, UNKNOWN_MOVE = -32768, 2, -1
TRAIN, VALIDATION, TEST = 0, 1, 2
SHARD = 100_000
"""Positions in a shard, if nothing else is asked for; 6 MB on a 15x15 board."""
MAX_META = 2**26


def row_type(rows: int, cols: int) -> np.dtype[Any]:
    """A position and its labels; each field is a file of a shard."""
    return np.dtype(
        [
            ("cells", "u1", ((rows * cols + 3) // 4,)),
            ("turn", "u1"),
            ("result", "i1"),
            ("score", "<i2"),
            ("best", "<i2"),
            ("game", "<u4"),
            ("opening", "<u4"),
            ("ply", "<u2"),
            ("split", "u1"),
        ]
    )


def packed(stones: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Boards ``(n, rows, cols)`` of 0, 1 and 2 as two bits a cell, lowest bits first."""
    flat = stones.reshape(len(stones), -1).astype(np.uint8)
    quads = np.pad(flat, ((0, 0), (0, -flat.shape[1] % 4))).reshape(len(flat), -1, 4)
    bits: npt.NDArray[np.uint8] = (quads << np.array([0, 2, 4, 6], dtype=np.uint8)).sum(axis=2, dtype=np.uint8)
    return bits


def unpacked(cells: npt.NDArray[np.uint8], rows: int, cols: int) -> npt.NDArray[np.int8]:
    """The boards ``(n, rows, cols)`` of packed cells."""
    quads = cells[:, :, None] >> np.array([0, 2, 4, 6], dtype=np.uint8) & 3
    return quads.reshape(len(cells), -1)[:, : rows * cols].reshape(-1, rows, cols).astype(np.int8)


# ---------------------------------------------------------------------- the same up to symmetry


@lru_cache(maxsize=8)
def _marks(rows: int, cols: int) -> npt.NDArray[np.uint64]:
    """``[colour, cell, symmetry]``: a random number for each stone; the sum over a board's stones is its key."""
    numbers = np.random.PCG64(1).random_raw(2 * rows * cols).reshape(2, rows * cols)
    symmetries = SYMMETRIES if rows == cols else OBLONG_SYMMETRIES
    board = Board(rows, cols)
    turned = [[board.index(board.transform_cell(cell, one)) for cell in board.cells()] for one in symmetries]
    return np.ascontiguousarray(numbers[:, np.array(turned)].transpose(0, 2, 1), dtype=np.uint64)


def position_keys(stones: npt.NDArray[Any], turns: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """A 64-bit number for each board and turn, the same for all that the symmetries make of it."""
    flat, marks = stones.reshape(len(stones), -1), _marks(*stones.shape[1:])
    sums = sum(((flat == colour).astype(np.uint64) @ marks[colour - 1]) for colour in (1, 2))
    mixed = (np.asarray(sums) + np.asarray(turns, dtype=np.uint64)[:, None]) * np.uint64(0x9E3779B97F4A7C15)
    keys: npt.NDArray[np.uint64] = (mixed ^ mixed >> np.uint64(29)).min(axis=1)
    return keys


def opening_id(board: Board) -> int:
    """The number of an opening: the same for all that the symmetries make of it."""
    return int(position_keys(board.to_array()[None], [board.turn])[0] >> np.uint64(16)) & 0xFFFFFFFF


def split_of(opening: int) -> int:
    """Where all games of an opening belong: one in twenty to validate with, one in twenty kept back."""
    return {0: VALIDATION, 1: TEST}.get(opening % 20, TRAIN)


# ---------------------------------------------------------------------- reading


def why_no_meta(error: Exception) -> str:
    """What keeps a folder from being a data set, and what makes one."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "there is no meta.json in it; gomoku data FOLDER --games N makes one"
    return f"its meta.json cannot be read ({error!r:.120})"


class DataSet:
    """A data set on disk: :meth:`parts` goes over its shards, whose arrays are memory maps."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        try:
            self.meta: Json = json.loads(read_file(self.folder / "meta.json", MAX_META))
            self.rows, self.cols = int(self.meta["rows"]), int(self.meta["cols"])
            self.shards = list(self.meta["shards"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ArenaError(f"{folder} is no data set: {why_no_meta(error)}") from None

    def __len__(self) -> int:
        """How many positions there are."""
        return sum(shard["positions"] for shard in self.shards)

    def parts(self) -> Iterator[dict[str, npt.NDArray[Any]]]:
        """The arrays of each shard by name."""
        for shard in self.shards:
            place = self.folder / shard["name"]
            names = row_type(self.rows, self.cols).names or ()
            try:
                yield {name: np.load(place / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in names}
            except (OSError, ValueError) as error:
                raise ArenaError(f"{place}: cannot be read: {error}") from None

    def stones(self, part: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.int8]:
        """The boards of a shard, or of some rows of it, as an array ``(n, rows, cols)``."""
        return unpacked(np.asarray(part["cells"]), self.rows, self.cols)

    def games(self) -> Iterator[npt.NDArray[Any]]:
        """The rows of each game, an array of :func:`row_type`; games of which nothing was kept are missing."""
        for part in self.parts():
            rows = np.empty(len(part["turn"]), dtype=row_type(self.rows, self.cols))
            for name, values in part.items():
                rows[name] = values
            yield from np.split(rows, np.flatnonzero(np.diff(rows["game"])) + 1)

    def damaged(self) -> list[str]:
        """The files that are not as they were written."""
        return [
            f"{shard['name']}/{file}"
            for shard in self.shards
            for file, digest in shard["sha256"].items()
            if _digest(self.folder / shard["name"] / file) != digest
        ]


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""


# ---------------------------------------------------------------------- making


@dataclass(frozen=True)
class Source:
    """Where positions come from: numbered units of work, and the function that makes rows of one.

    ``made`` says how, as JSON; a data set goes on only as it began. ``function`` is defined at the top of a module and
    travels to the workers with ``units``; it returns an array of :func:`row_type`.
    """

    rows: int
    cols: int
    rule: str
    made: Json
    function: Callable[[Any], npt.NDArray[Any]]
    units: Callable[[int], Iterable[Any]]
    """The units from a number on."""


Tell = Callable[[int, int], object]


def make_data(
    folder: str | Path, source: Source, pool: Workers, *, shard: int = SHARD, progress: Tell | None = None
) -> DataSet:
    """Make a data set, or go on with one that the same source began; ``progress`` is told games and positions.

    A position that is there already, up to the symmetries of the board, is left out. What is on disk is always a data
    set: a shard appears whole, at the end of a game, and only then does ``meta.json`` name it.
    """
    with ExitStack() as stack:
        writer = stack.enter_context(_Writer(Path(folder), source))
        units = source.units(writer.games)
        for _, rows in run_units(source.function, units, pool, ordered=True):
            writer.add(rows)
            if progress:
                progress(writer.games, writer.positions)
            if writer.waiting >= shard:
                writer.flush()
        writer.flush()
    return DataSet(folder)


class _Writer:
    """The one who writes into a data set's folder."""

    def __init__(self, folder: Path, source: Source) -> None:
        self.folder, self.source = folder, source
        self.type = row_type(source.rows, source.cols)
        self.games = self.duplicates = 0
        self.shards: list[Json] = []
        self.seen: set[int] = set()
        self.fresh: list[npt.NDArray[Any]] = []

    def __enter__(self) -> _Writer:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._held = (self.folder / "lock").open("a+b")
        except OSError as error:
            raise ArenaError(f"{self.folder}: cannot be written to: {(error.strerror or '').lower()}") from None
        try:
            lock_file(self._held, self.folder)
            if (self.folder / "meta.json").exists():
                self._resume()
            else:
                self._refuse_foreign()
                self._write_meta()
        except BaseException:
            self._held.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def _refuse_foreign(self) -> None:
        others = sorted(path.name for path in self.folder.iterdir() if path.name != "lock")
        if others:
            raise ArenaError(f"{self.folder} holds {others[0]!r} and is no data set; name a new folder")

    def _resume(self) -> None:
        """Take over what is there; a shard that ``meta.json`` does not name was cut off and is made again."""
        before = DataSet(self.folder)
        made = json.loads(json.dumps(self.source.made))
        for key in {**made, **before.meta["made"]}:
            there, here = before.meta["made"].get(key), made.get(key)
            if there != here:
                raise ArenaError(f"{self.folder} was made otherwise: {key} is {there!r:.80} there, {here!r:.80} here; "
                                 "name a new folder, or give the settings it was made with")  # fmt: skip
        self.games, self.duplicates, self.shards = before.meta["games"], before.meta["duplicates"], before.shards
        named = {shard["name"] for shard in self.shards}
        for path in self.folder.glob("part-*"):
            if path.name not in named:
                shutil.rmtree(path)
        for part in before.parts():
            self.seen.update(position_keys(before.stones(part), part["turn"]).tolist())

    @property
    def waiting(self) -> int:
        """How many positions are not on disk yet."""
        return sum(map(len, self.fresh))

    @property
    def positions(self) -> int:
        """How many there are in all."""
        return sum(int(shard["positions"]) for shard in self.shards) + self.waiting

    def add(self, rows: npt.NDArray[Any]) -> None:
        """The positions of the next game, those that are new."""
        self.games += 1
        if not len(rows):
            return
        keys = position_keys(unpacked(rows["cells"], self.source.rows, self.source.cols), rows["turn"]).tolist()
        new = []
        for number, key in enumerate(keys):
            if key not in self.seen:
                self.seen.add(key)
                new.append(number)
        self.duplicates += len(keys) - len(new)
        self.fresh.append(rows[new])

    def flush(self) -> None:
        """Write what waits as a shard, and name it."""
        rows = np.concatenate([np.zeros(0, dtype=self.type), *self.fresh])
        if len(rows):
            name = f"part-{len(self.shards):04}"
            draft = self.folder / f"{name}.tmp"
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            for field in self.type.names or ():
                np.save(draft / f"{field}.npy", np.ascontiguousarray(rows[field]), allow_pickle=False)
            digests = {file.name: _digest(file) for file in sorted(draft.iterdir())}
            draft.rename(self.folder / name)
            splits = np.bincount(rows["split"], minlength=3).tolist()
            self.shards.append({"name": name, "positions": len(rows), "splits": splits, "sha256": digests})
            self.fresh = []
        self._write_meta()

    def _write_meta(self) -> None:
        source = self.source
        splits = np.sum([[0, 0, 0], *(shard["splits"] for shard in self.shards)], axis=0).tolist()
        meta = {
            "format": FORMAT,
            "rows": source.rows,
            "cols": source.cols,
            "rule": source.rule,
            "made": source.made,
            "games": self.games,
            "positions": self.positions,
            "duplicates": self.duplicates,
            "splits": dict(zip(("train", "validation", "test"), splits, strict=True)),
            "versions": {"python": platform.python_version(), "numpy": np.__version__},
            "shards": self.shards,
        }
        write_file(self.folder / "meta.json", json.dumps(meta, indent=1) + "\n")


def rows_of(positions: Sequence[Json], rows: int, cols: int, *, game: int, opening: int) -> npt.NDArray[Any]:
    """The positions of a game as rows; each has ``board``, ``result``, ``score`` and ``best``."""
    found = np.zeros(len(positions), dtype=row_type(rows, cols))
    if not positions:
        return found
    found["cells"] = packed(np.stack([one["board"] for one in positions]))
    for field in ("turn", "result", "score", "best", "ply"):
        found[field] = [one[field] for one in positions]
    found["game"], found["opening"], found["split"] = game, opening, split_of(opening)
    return found

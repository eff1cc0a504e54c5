"""Training of line codes and cell tables: data sets in, weights with their provenance out.

A data set is a folder of numpy arrays (docs/reference/data-sets.md). The value of a position is fitted, by cross
entropy, to the winning chance that the rest of its game gives, or to a mix of that and its searched score. The prior
is fitted to the best move.
Positions are split by opening, so what is validated was never seen with colours exchanged or turned. The same data,
options and seed give the same weights.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arena._train import HEAD, PARTS, Learner, Worker
from arena.cell_training import CellModel
from arena.data import why_no_meta
from arena.models import Model, Task
from arena.statistics import student
from gomoku_patterns.cell_tables import CellWeights
from gomoku_patterns.codes import (
    CODES,
    HIDDEN,
    HIDDEN_LIMIT,
    PRIOR_SHIFT,
    REACH,
    SIDES,
    SUM_LIMIT,
    WIDTH,
    LineCode,
    code_rows,
    row_count,
    side_start,
)
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.files import read_file, replacing
from gomoku_patterns.toml_text import toml_lines

if TYPE_CHECKING:
    import numpy.typing as npt

    from gomoku_patterns.table import Table

    Floats = npt.NDArray[np.float32]

TRAIN, VALIDATION, TEST = 0, 1, 2
DECIDED = 32000
"""The score of a position that is won."""
UNKNOWN_SCORE, UNKNOWN_RESULT = -32768, 2
ROW_UNIT = 64
"""A row's number 1.0 as whole numbers: rows are kept between -127/64 and 127/64."""
INNER = (4, 3, 2)
"""The sides of the inner windows whose rows are learned beside those of all eleven cells."""
SPREADS = (0.0, 0.05, 0.1, 0.15)
"""How far apart the rows of eleven, nine, seven and five cells begin."""


@dataclass(frozen=True)
class TrainingOptions:
    """How a table is trained."""

    epochs: int = 20
    batch: int = 2048
    rate: float = 0.002
    result_share: float = 0.5
    """Of the target, where score and result are known: how much the rest of the game counts beside the position's own
    score. A table that is fitted to scores alone learns what its search saw, and that knew little of long games."""
    decay: float = 0.97
    """The rest of a game is its result or, below 1, rather the scores of the positions that follow: what comes later
    counts so much less with every ply."""
    score_scale: float = 80.0
    """The searched score at which the winning chance is 73 %, 1 / (1 + 1/e); 80 fits games of the engine's table."""
    sureness: float = 0.98
    """The chance of a position that is won."""
    policy_weight: float = 0.1
    patience: int = 3
    """Epochs without a better validation loss before it ends."""
    threads: int = 2
    seed: int = 1


class Losses(NamedTuple):
    """Means over positions, with the half width of a 95 % interval that counts openings, not positions.

    ``value_error`` is None where all positions are of one opening.
    """

    value: float
    value_error: float | None
    policy: float
    hits: float
    positions: int


# ---------------------------------------------------------------------- data


@dataclass(frozen=True)
class Positions:
    """The positions of a data set, all in memory."""

    rows: int
    cols: int
    arrays: Mapping[str, npt.NDArray[Any]]
    digest: str

    def __len__(self) -> int:
        return len(self.arrays["turn"])

    def numbers(self, split: int) -> npt.NDArray[np.int64]:
        """The positions of a part of the split that say something about their value."""
        known = (self.arrays["score"] != UNKNOWN_SCORE) | (self.arrays["result"] != UNKNOWN_RESULT)
        return np.nonzero(known & (self.arrays["split"] == split))[0]

    def targets(self, options: TrainingOptions) -> Floats:
        """The winning chance of the side to move that each position is fitted to."""
        score, result = self.arrays["score"].astype(np.float32), self.arrays["result"]
        chance = 1 / (1 + np.exp(-np.clip(score / options.score_scale, -30, 30)))
        chance = np.where(score >= DECIDED, options.sureness, chance)
        chance = np.where(score <= -DECIDED, 1 - options.sureness, chance)
        outcome = self.outcomes(chance, options)
        share = np.where(self.arrays["score"] == UNKNOWN_SCORE, 1.0, options.result_share)
        share = np.where((result == UNKNOWN_RESULT) | (abs(score) == DECIDED), 0.0, share)
        targets: Floats = (share * outcome + (1 - share) * chance).astype(np.float32)
        return targets

    def outcomes(self, chances: npt.NDArray[Any], options: TrainingOptions) -> npt.NDArray[Any]:
        """What the rest of its game says of each position, as a chance of the side to move.

        It is that of the next position of the game, which a decay moves towards the next position's own chance. At the
        end it is the result, and where the result is unknown nothing follows.
        """
        result, turn = self.arrays["result"], self.arrays["turn"]
        found: npt.NDArray[Any] = np.array([0.5, options.sureness, 0.5, 1 - options.sureness])[result]
        game, ply = self.arrays["game"].astype(np.int64), self.arrays["ply"].astype(np.int64)
        order = np.lexsort((ply, game))
        before, after = order[:-1], order[1:]
        goes_on = (game[before] == game[after]) & (result[before] != UNKNOWN_RESULT)
        goes_on &= self.arrays["score"][after] != UNKNOWN_SCORE
        ends = np.append(np.nonzero(~goes_on)[0], len(before))
        at = np.arange(len(before))
        to_come = ends[np.searchsorted(ends, at)] - at
        for count in range(1, int(to_come.max(initial=0)) + 1):
            early, late = before[to_come == count], after[to_come == count]
            kept = options.decay ** (ply[late] - ply[early])
            chance = (1 - kept) * chances[late] + kept * found[late]
            found[early] = np.where(turn[early] == turn[late], chance, 1 - chance)
        return found


_KINDS: dict[str, type] = {
    "cells": np.uint8, "turn": np.uint8, "result": np.int8, "score": np.int16, "best": np.int16,
    "opening": np.uint32, "split": np.uint8, "game": np.uint32, "ply": np.uint16,
}  # fmt: skip


def read_data(folders: Sequence[str | Path]) -> Positions:
    """All shards of some data sets, which must be of one size."""
    read = [_read_folder(Path(folder)) for folder in folders]
    sizes = sorted({(rows, cols) for rows, cols, _ in read})
    if len(sizes) != 1:
        found = " and ".join(f"{rows}x{cols}" for rows, cols in sizes) or "no data sets"
        raise ArenaError(f"data sets for one training have boards of one size, not {found}")
    total = hashlib.sha256()
    arrays: dict[str, npt.NDArray[Any]] = {}
    _number_games([parts for _, _, parts in read])
    for name in _KINDS:
        arrays[name] = np.ascontiguousarray(np.concatenate([part[name] for _, _, parts in read for part in parts]))
        total.update(arrays[name].tobytes())
    return Positions(*sizes[0], arrays, total.hexdigest())


def _number_games(folders: Sequence[Sequence[dict[str, npt.NDArray[Any]]]]) -> None:
    """Give the games of several data sets numbers of their own."""
    start = 0
    for parts in folders:
        for part in parts:
            part["game"] = part["game"] + np.uint32(start)
        start = max((int(part["game"].max(initial=0)) + 1 for part in parts), default=start)


def _read_folder(folder: Path) -> tuple[int, int, list[dict[str, npt.NDArray[Any]]]]:
    """The size of the boards of a data set, and its shards."""
    try:
        meta = json.loads(read_file(folder / "meta.json"))
        rows, cols = int(meta["rows"]), int(meta["cols"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArenaError(f"{folder} is no data set: {why_no_meta(error)}") from None
    parts = [part for part in sorted(folder.glob("part-*")) if part.is_dir() and part.suffix != ".tmp"]
    if not parts:
        raise ArenaError(f"{folder}: has no shards part-0000, part-0001 and so on; make some games first")
    return rows, cols, [_read_shard(part, rows, cols) for part in parts]


def _read_shard(part: Path, rows: int, cols: int) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a shard, checked as far as the training relies on them."""
    try:
        arrays = {name: np.load(part / f"{name}.npy", allow_pickle=False) for name in _KINDS}
    except (OSError, ValueError, EOFError) as error:
        raise ArenaError(f"{part}: cannot be read: {error}") from None
    count = len(arrays["turn"])
    for name, kind in _KINDS.items():
        wanted = (count, (rows * cols + 3) // 4) if name == "cells" else (count,)
        if arrays[name].shape != wanted or arrays[name].dtype != kind:
            found = f"{arrays[name].dtype} {arrays[name].shape}"
            raise ArenaError(f"{part}/{name}.npy: is {found}, not {np.dtype(kind)} {wanted}")
    for name, least, most in (("turn", 1, 2), ("result", -1, 2), ("best", -1, rows * cols - 1)):
        if count and not (least <= arrays[name].min() and arrays[name].max() <= most):
            raise ArenaError(f"{part}/{name}.npy: holds numbers beyond {least} to {most}")
    return arrays


# ---------------------------------------------------------------------- factors


@lru_cache(maxsize=1)
def factor_numbers() -> tuple[npt.NDArray[np.int32], ...]:
    """For each row the numbers of its four factors: its own, and those of its inner nine, seven and five cells."""
    rows = code_rows()
    _, first = np.unique(rows, return_index=True)
    found = [np.arange(row_count())]
    sides = np.arange(SIDES)
    lengths = sum((sides >= side_start(cells)).astype(np.int64) for cells in range(1, REACH + 1))
    starts = np.array([side_start(cells) for cells in range(REACH + 1)])
    for reach in INNER:
        cut = np.minimum(lengths, reach)
        inner = starts[cut] + (sides - starts[lengths]) % 3**cut
        left, right = inner[first // SIDES], inner[first % SIDES]
        keys = np.minimum(left * SIDES + right, right * SIDES + left)
        keys[:3] = CODES + np.arange(3)  # rows that stand for many windows have factors of their own
        found.append(np.unique(keys, return_inverse=True)[1])
    return tuple(each.astype(np.int32) for each in found)


def new_learner(seed: int) -> Learner:
    """Weights to begin with."""
    rng = np.random.default_rng(seed)
    numbers = factor_numbers()
    factors = [
        (spread * rng.standard_normal((int(each.max()) + 1, WIDTH))).astype(np.float32)
        for each, spread in zip(numbers, SPREADS, strict=True)
    ]
    head = np.zeros(HEAD, dtype=np.float32)
    head[: WIDTH + HIDDEN * WIDTH] = rng.standard_normal(WIDTH + HIDDEN * WIDTH) / np.sqrt(WIDTH)
    head[PARTS["hidden_bias"] : PARTS["out"]] = 0.5
    head[PARTS["out"] : PARTS["out_bias"]] = rng.standard_normal(HIDDEN + WIDTH) / np.sqrt(WIDTH)
    return Learner(numbers, factors, head, 127 / ROW_UNIT)


class CodeModel:
    """The weights of a line code in training."""

    kind = "code"

    def __init__(self, rows: int, cols: int, *, threads: int, seed: int) -> None:
        self.workers = [Worker(rows, cols) for _ in range(threads)]
        self.learner = new_learner(seed)

    def run(self, worker: int, task: Task) -> None:
        """Let one worker do a task; it keeps the gradients."""
        self.workers[worker].run(self.learner.table, self.learner.head, *task)

    def update(self, rate: float, positions: int) -> None:
        """One step of Adam against the gradients of the workers, which are forgotten."""
        self.learner.update(self.workers, rate, positions)

    def best(self) -> tuple[Floats, ...]:
        """What is kept of the best pass."""
        return self.learner.table.copy(), self.learner.head.copy()

    def state(self) -> dict[str, Any]:
        """All that a run needs to go on."""
        learner = self.learner
        arrays: dict[str, Any] = {"head": learner.head, "head_first": learner.head_first}
        arrays |= {"head_second": learner.head_second, "updates": np.array(learner.updates)}
        for at in range(len(learner.factors)):
            arrays |= {f"factor{at}": learner.factors[at], f"first{at}": learner.firsts[at]}
            arrays[f"second{at}"] = learner.seconds[at]
        return arrays

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from a state."""
        count = len(self.learner.factors)
        factors, firsts, seconds = (
            [saved[f"{name}{at}"] for at in range(count)] for name in ("factor", "first", "second")
        )
        self.learner = Learner(factor_numbers(), factors, saved["head"], 127 / ROW_UNIT)
        self.learner.resume(int(saved["updates"]), firsts, seconds, saved["head_first"], saved["head_second"])

    def rounded(self, best: Sequence[Floats], scale: int, provenance: Mapping[str, Any]) -> LineCode:
        """The best weights as whole numbers; the table beside them says the scale."""
        return rounded(best[0], best[1], provenance)


# ---------------------------------------------------------------------- training


class Trainer:
    """One run: epochs over the data, each ending with the losses on what is never trained on."""

    def __init__(
        self, data: Positions, options: TrainingOptions, table: Table | None = None, prior: CellWeights | None = None
    ) -> None:
        """``table`` is the cell table whose shapes are learned; without it a line code is.

        If the data know no best moves, as ends of lines do not, a cell table's prior is that of the weights ``prior``.
        """
        self.data, self.options = data, options
        self.knows_moves = bool((data.arrays["best"] >= 0).any())
        self.prior = None if self.knows_moves else prior
        self.targets = data.targets(options)
        self.model: Model
        if table is None:
            self.model = CodeModel(data.rows, data.cols, threads=options.threads, seed=options.seed)
        else:
            self.model = CellModel(table, data.rows, data.cols, threads=options.threads)
        self.table = table
        self.epoch = 0
        self.history: list[dict[str, Any]] = []
        self.best: tuple[float, tuple[Floats, ...]] | None = None
        self.best_epoch = 0

    def run(self, told: Callable[[Mapping[str, Any]], None] | None = None, checkpoint: Path | None = None) -> None:
        """Train until the epochs are over or the validation loss has stopped falling."""
        if not len(self.data.numbers(TRAIN)):
            raise ArenaError("there is nothing to learn from: no position of the data is kept for training")
        while self.epoch < self.options.epochs and self.waited < self.options.patience:
            started = time.monotonic()
            loss = self.train_epoch()
            seconds = time.monotonic() - started
            found = self.losses(VALIDATION)
            self.epoch += 1
            loss_of_both = found.value + self.options.policy_weight * found.policy
            if self.best is None or loss_of_both < self.best[0]:
                self.best = (loss_of_both, self.model.best())
                self.best_epoch = self.epoch
            line = {"epoch": self.epoch, "train": loss, **found._asdict(), "seconds": seconds}
            self.history.append(line)
            if checkpoint is not None:
                self.save(checkpoint)
            if told is not None:
                told(line)

    @property
    def waited(self) -> int:
        """Epochs since the best one."""
        return self.epoch - self.best_epoch

    def train_epoch(self) -> float:
        """One pass over the training positions in an order of its own; the mean loss of their values."""
        numbers = self.data.numbers(TRAIN)
        order = np.random.default_rng([self.options.seed, self.epoch]).permutation(numbers)
        total, steps = 0.0, max(1, (len(order) + self.options.batch - 1) // self.options.batch)
        with ThreadPoolExecutor(self.options.threads) as pool:
            for number, batch in enumerate(_pieces(order, self.options.batch)):
                told = self.pass_over(pool, batch, learn=True)
                self.model.update(self.rate_at(self.epoch + number / steps), len(batch))
                total += float(told[:, 0].sum())
        return total / max(1, len(order))

    def rate_at(self, epoch: float) -> float:
        """The learning rate falls to a twentieth over the run, along a cosine."""
        share = min(1.0, epoch / self.options.epochs)
        return float(self.options.rate * (0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * share))))

    def losses(self, split: int) -> Losses:
        """The losses on a part of the data."""
        numbers = self.data.numbers(split)
        if not len(numbers):
            raise ArenaError(
                "there is nothing to validate with: no opening of the data is kept for it; make more games"
            )
        with ThreadPoolExecutor(self.options.threads) as pool:
            pieces = [self.pass_over(pool, batch, learn=False) for batch in _pieces(numbers, 16384)]
        told = np.concatenate(pieces)
        error = half_interval(told[:, 0], self.data.arrays["opening"][numbers])
        value, policy, hits = (float(told[:, at].mean(dtype=np.float64)) for at in (0, 1, 3))
        return Losses(value, error, policy, hits, len(numbers))

    def pass_over(self, pool: ThreadPoolExecutor, batch: npt.NDArray[np.int64], *, learn: bool) -> Floats:
        """Losses of some positions, each worker taking its part."""
        told = np.zeros((len(batch), 4), dtype=np.float32)
        threads, weight = self.options.threads, self.options.policy_weight
        arrays = self.data.arrays
        parts = arrays["cells"], arrays["turn"], self.targets, arrays["best"]
        bounds = np.linspace(0, len(batch), threads + 1).astype(int).tolist()
        jobs = [
            pool.submit(self.model.run, worker, Task(*parts, batch[start:end], weight, learn, told[start:end]))
            for worker, (start, end) in enumerate(pairwise(bounds))
        ]  # fmt: skip
        for job in jobs:
            job.result()
        return told

    # ------------------------------------------------------------------ checkpoints

    def save(self, path: Path) -> None:
        """Write all that the run needs to go on."""
        arrays = self.model.state()
        if self.best is not None:
            arrays |= {f"best{at}": part for at, part in enumerate(self.best[1])}
        about = {
            "options": asdict(self.options), "data": self.data.digest, "epoch": self.epoch, "of": self._of(),
            "best": self.best[0] if self.best else None, "best_epoch": self.best_epoch, "history": self.history,
        }  # fmt: skip
        with replacing(path) as stream:
            np.savez(stream, about=np.array(json.dumps(about)), **arrays)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint of a run with the same data and options (the number of epochs may differ)."""
        with np.load(path, allow_pickle=False) as saved:
            about = json.loads(str(saved["about"]))
            ours = {**asdict(self.options), "epochs": about["options"]["epochs"]}
            same = about["data"] == self.data.digest and about["options"] == ours and about.get("of") == self._of()
            if not same:
                raise ArenaError(f"{path}: is of a run with other data or options; remove it or name another file")
            self.model.restore({name: saved[name] for name in saved.files})
            self.epoch, self.best_epoch, self.history = about["epoch"], about["best_epoch"], about["history"]
            if about["best"] is not None:
                parts = sorted(name for name in saved.files if name.startswith("best"))
                self.best = (about["best"], tuple(saved[name] for name in parts))

    def _of(self) -> str:
        """What is trained, as a log tells it from other runs."""
        return self.model.kind if self.table is None else f"{self.model.kind} {self.table.digest}"

    def weights(self, provenance: Mapping[str, Any] | None = None, scale: int = 80) -> LineCode | CellWeights:
        """The best weights of the run as whole numbers."""
        _, best = self.best or (0.0, self.model.best())
        about = {
            "data": self.data.digest, "positions": len(self.data), "options": asdict(self.options),
            "history": self.history, **(provenance or {}),
        }  # fmt: skip
        learned, kept = self.model.rounded(best, scale, about), self.prior
        if kept is None or not isinstance(learned, CellWeights):
            return learned
        about["prior"] = kept.digest
        return replace(learned, prior_own=kept.prior_own, prior_other=kept.prior_other, provenance=about)


def learned_table(name: str, weights_file: str, scale: int, notes: str, shapes: Table | None = None) -> str:
    """The TOML text of a table whose weights are beside it: a cell table with these shapes, or a line code."""
    if shapes is not None:
        return learned_cells(name, weights_file, notes, shapes).to_toml()
    head = {"name": name, "title": f"{name}: a line code learned from games", "scan": "code", "weights": weights_file}
    return "\n".join(toml_lines({**head, "scale": scale, "notes": notes})) + "\n"


def unscored(table: Table) -> Table:
    """A cell table with nothing but its shapes and facts, to be learned."""
    if table.scan != "cell":
        raise ArenaError(f"{table.name!r} is a {table.scan} table; only cell tables have shapes to learn with")
    patterns = tuple(replace(pattern, score=(0, 0)) for pattern in table.patterns)
    facts = tuple(replace(fact, score=(0, 0)) for fact in table.facts)
    return replace(table, patterns=patterns, facts=facts, combinations=(), weights=None, weights_file="")


def learned_cells(name: str, weights_file: str, notes: str, shapes: Table) -> Table:
    """The cell table of this name whose weights are in a file beside it."""
    return replace(unscored(shapes), name=name, title=f"{name}: a cell table learned from games", source="",
                   notes=notes, weights_file=weights_file)  # fmt: skip


def _pieces(order: npt.NDArray[np.int64], size: int) -> Iterator[npt.NDArray[np.int64]]:
    for start in range(0, len(order), size):
        yield np.ascontiguousarray(order[start : start + size])


def clustered_error(values: Floats, groups: npt.NDArray[Any]) -> float:
    """The standard error of a mean where values of one group depend on each other."""
    off = values - values.mean(dtype=np.float64)
    _, numbers = np.unique(groups, return_inverse=True)
    return float(np.sqrt((np.bincount(numbers, off) ** 2).sum()) / len(values))


def half_interval(values: Floats, groups: npt.NDArray[Any]) -> float | None:
    """Half the 95 % interval of a mean, by Student's distribution over groups; None where there is one group."""
    count = len(np.unique(groups))
    if count < 2:
        return None
    return student(count - 1) * math.sqrt(count / (count - 1)) * clustered_error(values, groups)


# ---------------------------------------------------------------------- whole numbers

POOL_SHIFT = 2
HIDDEN_UNIT = HIDDEN_LIMIT // 4
OUT_BITS = 10


def rounded(table: Floats, head: Floats, provenance: Mapping[str, Any]) -> LineCode:
    """Weights in training as whole numbers; each sum of products is given as many bits as fit."""
    part = {name: head[start:] for name, start in PARTS.items()}
    hidden = part["hidden"][: HIDDEN * WIDTH].reshape(HIDDEN, WIDTH).astype(np.float64) / WIDTH
    direct = part["direct"][:WIDTH].astype(np.float64) / WIDTH
    out = part["out"][:HIDDEN].astype(np.float64)
    pool_unit = ROW_UNIT >> POOL_SHIFT
    bits = _bits(np.abs(hidden).sum(axis=1).max(), 14)
    out_bits = min(_bits(np.abs(out).sum(), 12), _bits(np.abs(direct).sum() * HIDDEN_UNIT / pool_unit, 12))
    unit = 1 << out_bits
    return LineCode(
        rows=np.clip(np.rint(table * ROW_UNIT), -127, 127).astype(np.int8),
        prior=_whole(part["prior"][:WIDTH] * (1 << PRIOR_SHIFT), np.int16),
        hidden=_whole(hidden * (1 << bits), np.int16),
        hidden_bias=_whole(part["hidden_bias"][:HIDDEN] * ((1 << bits) * pool_unit), np.int32),
        out=_whole(out * unit, np.int16),
        direct=_whole(direct * (unit * HIDDEN_UNIT / pool_unit), np.int16),
        out_bias=round(float(part["out_bias"][0]) * unit * HIDDEN_UNIT),
        shifts=(POOL_SHIFT, _log2((1 << bits) * pool_unit // HIDDEN_UNIT), _log2(unit * HIDDEN_UNIT)),
        provenance=provenance,
    )


def _bits(total: float, most: int) -> int:
    """How many bits weights may be multiplied by so that together they stay below the limit."""
    return int(min(most, np.floor(np.log2((SUM_LIMIT - 64) / max(total, 1e-9)))))


def _log2(number: int) -> int:
    return number.bit_length() - 1


def _whole(values: npt.NDArray[Any], kind: type) -> npt.NDArray[Any]:
    return np.rint(values.astype(np.float64)).astype(kind)

"""Line codes and data sets for tests: random weights, and games from which something can be learned."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gomoku_patterns.codes import HIDDEN, WIDTH, LineCode, row_count

TEXT = 'name = "learned"\nscan = "code"\nweights = "learned.npz"\nscale = 150\n'


def random_code(seed: int = 1, spread: int = 60) -> LineCode:
    """Weights as no training makes them, but every number of them matters."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(-spread, spread + 1, (row_count(), WIDTH)).astype(np.int8)
    rows[0] = 0
    return LineCode(
        rows=rows,
        prior=rng.integers(-900, 900, WIDTH).astype(np.int16),
        hidden=rng.integers(-900, 900, (HIDDEN, WIDTH)).astype(np.int16),
        hidden_bias=rng.integers(-(2**20), 2**20, HIDDEN).astype(np.int32),
        out=rng.integers(-900, 900, HIDDEN).astype(np.int16),
        direct=rng.integers(-900, 900, WIDTH).astype(np.int16),
        out_bias=int(rng.integers(-(2**20), 2**20)),
        shifts=(2, 8, 18),
        provenance={"seed": seed},
    )


ROWS, COLS = 7, 9


def packed(stones):
    """Two bits a cell, four cells a byte."""
    flat = stones.reshape(len(stones), -1).astype(np.uint8)
    flat = np.pad(flat, ((0, 0), (0, -flat.shape[1] % 4))).reshape(len(stones), -1, 4)
    return (flat[..., 0] | flat[..., 1] << 2 | flat[..., 2] << 4 | flat[..., 3] << 6).astype(np.uint8)


def write_games(folder, count=400, seed=1):
    """Positions in which the side to move wins if it has more stones in the middle row."""
    rng = np.random.default_rng(seed)
    stones = rng.choice(3, (count, ROWS, COLS), p=(0.8, 0.1, 0.1)).astype(np.uint8)
    turn = rng.integers(1, 3, count).astype(np.uint8)
    lead = (stones[:, 3] == turn[:, None]).sum(1) - (stones[:, 3] == 3 - turn[:, None]).sum(1)
    empty = np.array([rng.choice(np.flatnonzero(one.reshape(-1) == 0)) for one in stones])
    opening = np.arange(count) // 4
    arrays = {
        "cells": packed(stones), "turn": turn, "result": np.sign(lead).astype(np.int8),
        "score": np.clip(60 * lead, -200, 200).astype(np.int16), "best": empty.astype(np.int16),
        "game": np.arange(count, dtype=np.uint32), "opening": opening.astype(np.uint32),
        "ply": (stones > 0).sum((1, 2)).astype(np.uint16), "split": (opening % 5 == 0).astype(np.uint8),
    }  # fmt: skip
    part = folder / "part-0000"
    part.mkdir(parents=True)
    for name, array in arrays.items():
        np.save(part / f"{name}.npy", array)
    (folder / "meta.json").write_text(json.dumps({"rows": ROWS, "cols": COLS}), encoding="utf-8")
    return stones, turn


def total_loss(trainer, numbers, learn=False):
    """What training makes smaller, for some positions."""
    with ThreadPoolExecutor(1) as pool:
        told = trainer.pass_over(pool, numbers, learn=learn).astype(np.float64)
    return told[:, 0].sum() + trainer.options.policy_weight * told[:, 1].sum()

#!/usr/bin/env python3
"""Solves many random positions and believes none of the answers.

Every PROVEN is verified against every legal reply. On nearly full small boards every PROVEN and DISPROVEN is compared
with exhaustive search. With --quiet the positions are crowded small boards, and every win that a search by quiet moves
claims is compared with exhaustive search and verified, by both verifiers. With --moves the same is done for openings on
such boards, proven by trying all moves against every reply, where searches see nothing but fives. With --shortest the
shortest win is asked for, and where the solver says that there is no shorter one, every move is tried. Prints each
wrong claim as a line of JSON to reproduce it, and exits with 1 if there was any.

    python .ci/soundness.py [POSITIONS] [--seed N] [--nodes N] [--quiet | --moves | --shortest]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gomoku_patterns.board import Board
from gomoku_patterns.notation import json_position
from tests.arena import tried_moves
from tests.search.soundness import claims, quiet_claim, shortest_claim, wrong_claims


def small_boards(claim: Callable[[int], tuple[str, Board, list[str]]], positions: int, seed: int) -> int:
    counts: Counter[str] = Counter()
    wrong = 0
    for number in range(seed, seed + positions):
        kind, board, faults = claim(number)
        counts[kind] += 1
        wrong += len(faults)
        for fault in faults:
            print(json.dumps({"fault": fault, "seed": number, **json_position(board)}), flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count:8}  {kind}")
    print(f"{positions:8}  positions, {wrong} wrong claims")
    return 1 if wrong else 0


def tried(seed: int) -> tuple[str, Board, list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        return tried_moves.claim(seed, Path(folder) / "wins.book")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--moves", action="store_true")
    parser.add_argument("--shortest", action="store_true")
    asked = parser.parse_args()
    if asked.quiet or asked.moves or asked.shortest:
        claim = tried if asked.moves else quiet_claim if asked.quiet else shortest_claim
        return small_boards(claim, asked.positions, asked.seed)
    counts: Counter[str] = Counter()
    wrong = 0
    for number in range(asked.positions):
        for claim in claims(asked.seed + number, asked.nodes):
            counts[f"{claim.kind} {claim.board.rule} {claim.mode} {claim.solution.status}"] += 1
            for fault in wrong_claims(claim):
                wrong += 1
                print(json.dumps({"fault": fault, "mode": claim.mode, **json_position(claim.board)}), flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count:8}  {kind}")
    print(f"{sum(counts.values()):8}  claims, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""A suite judged on many workers, with a log from which the run goes on.

>>> from puzzles import load
>>> run = AuditRun(load("huanle"), only=[range(15, 17)])
>>> [(row["number"], row["verdict"]) for row in run.results()]
[(15, 'sound'), (16, 'sound')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.log import Log, levels_digest, misfit
from arena.pools import workers
from arena.work import run_units
from gomoku_patterns.errors import GomokuError
from puzzles.audit import AUDIT_NODES, VERDICTS, audit, repeated_levels
from puzzles.suite import Level, Suite

if TYPE_CHECKING:
    from search import Proof

Json = dict[str, Any]
_MEMBERS: Final = {"number": (int,), "verdict": (str,), "why": (str,), "keys": (list,), "notes": (list,)}


class AuditRun:
    """The audit of a suite, or of some of its levels: ``done`` has what came of it, by number."""

    def __init__(
        self,
        suite: Suite,
        *,
        nodes: int = AUDIT_NODES,
        only: Sequence[range] | None = None,
        proofs: str | Path | None = None,
        log: str | Path | None = None,
        jobs: int = 1,
        cluster: str | None = None,
        unreadable: Mapping[str, int] | None = None,
    ) -> None:
        """``unreadable`` are levels that could not be read: what is wrong with each, and its number."""
        self.suite, self.nodes, self.log, self.jobs, self.cluster = suite, nodes, log, jobs, cluster
        self.levels = suite if only is None else suite.only(only)
        self.total = len(self.levels)
        self.done: dict[int, Json] = {}
        self.proofs = None if proofs is None else Path(proofs)
        self.unreadable = [_unreadable(number, why) for why, number in (unreadable or {}).items()]
        self._repeated: dict[int, int] = {}

    def results(self) -> Iterator[Json]:
        """Judge what the log does not hold yet; each answer is in the log and in ``done`` before it is yielded."""
        self._repeated = repeated_levels(self.suite)
        with ExitStack() as stack:
            kept = None
            if self.log is not None:
                kept = stack.enter_context(Log(self.log, self.header()))
                kept.replay(self._count)
            pool = stack.enter_context(workers(self.jobs, cluster=self.cluster))
            todo = (level for level in self.levels if level.number not in self.done)
            for _, (row, proof) in run_units(
                partial(_judge, nodes=self.nodes, prove=self.proofs is not None), todo, pool
            ):
                self._compare(row)
                self._write(row["number"], proof)
                if kept:
                    kept.append(row)
                self.done[row["number"]] = row
                yield row

    def _compare(self, row: Json) -> None:
        """Say of a level that is sound, but that it repeats an earlier one, that it does."""
        if row["number"] in self._repeated:
            why = f"it is level {self._repeated[row['number']]} again"
            if row["verdict"] == "sound":
                row |= {"verdict": "repeated", "why": why}
            else:
                row["notes"].append(why)

    def _write(self, number: int, proof: Proof | None) -> None:
        if self.proofs is not None and proof is not None:
            self.proofs.mkdir(parents=True, exist_ok=True)
            proof.save(self.proofs / f"{number}.json")

    def _count(self, entry: Json) -> None:
        if name := misfit(entry, _MEMBERS):
            raise GomokuError(f"this is not the audit of a level: {name!r} is {entry.get(name)!r:.60}")
        if entry["verdict"] not in VERDICTS:
            raise GomokuError(f"this is not the audit of a level: its verdict is {entry['verdict']!r:.60}")
        self.done[entry["number"]] = entry

    def header(self) -> Json:
        """What a log has to agree with before its answers count."""
        return {
            "task": "audit",
            "suite": self.suite.name,
            "levels": len(self.suite),
            "nodes": self.nodes,
            "positions": levels_digest(self.suite),
        }

    @property
    def verdicts(self) -> Counter[str]:
        """How many levels have which verdict."""
        return Counter(row["verdict"] for row in self.rows)

    @property
    def rows(self) -> list[Json]:
        """What was said of each level, by number; levels that could not be read come last."""
        return [*(self.done[number] for number in sorted(self.done)), *self.unreadable]


def _unreadable(number: int, why: str) -> Json:
    empty: Json = {"length": None, "claimed": None, "keys": [], "exact": False, "others": {}, "notes": []}
    return {"number": number, "verdict": "unreadable", "why": why, **empty}


def _judge(level: Level, nodes: int, prove: bool) -> tuple[Json, Proof | None]:
    found = audit(level, nodes)
    proof = found.proof if prove else None
    return found.to_json(), proof

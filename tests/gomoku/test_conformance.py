"""The conformance check finds nothing wrong with a sound engine, and finds each fault of a faulty one by its name."""

from __future__ import annotations

import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gomoku.conformance import CHECKS, LONGEST_SCRIPT, Outcome, chosen, examine
from gomoku_patterns.errors import GomokuError

FAULTY = str(Path(__file__).parent / "faulty_brain.py")
OUR_OWN = [sys.executable, "-m", "gomoku", "brain"]


def failures(fault: str, *checks: str) -> dict[str, Outcome]:
    outcomes = examine([sys.executable, FAULTY, fault], chosen(checks))
    return {outcome.check.name: outcome for outcome in outcomes if outcome.status == "fail"}


@pytest.mark.slow
def test_our_own_engine_passes_everything() -> None:
    outcomes = list(examine(OUR_OWN))
    assert [
        (outcome.check.name, outcome.reason, outcome.script) for outcome in outcomes if outcome.status != "pass"
    ] == []
    assert len(outcomes) == len(CHECKS)


def test_a_sound_engine_from_elsewhere_fails_nothing() -> None:
    quick = [check.name for check in CHECKS if check.name not in ("stop", "suspended", "info", "memory")]
    assert failures("", *quick) == {}


@pytest.mark.parametrize("end", ["cr", "crlf"])
def test_an_engine_may_end_its_lines_as_it_likes(end: str) -> None:
    assert failures(end, "start", "turns", "known lines") == {}


@pytest.mark.parametrize("fault", ["endless line", "endless talk"])
def test_an_engine_that_never_stops_talking_fails_in_little_memory(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gomoku.conformance.PATIENCE_SECONDS", 0.4)
    before = set(threading.enumerate())
    tracemalloc.start()
    try:
        found = failures(fault, "start")["start"]
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.reason == "no answer within 0.4 s" and len(found.script) <= LONGEST_SCRIPT
    assert most < 2 * 2**20 and set(threading.enumerate()) <= before


@pytest.mark.parametrize(
    ("fault", "check", "reason"),
    [
        ("answers info", "info", "expected no answer"),
        ("waits for begin", "empty board", "no answer"),
        ("discards", "burst", "no answer"),
        ("illegal", "board order", "legal move"),
        ("slow", "turn time", "for a turn of"),
        ("stays", "end", "after END"),
        ("crashes", "unknown", "ended"),
        ("hoards", "new games", "ended"),
        ("drowsy", "ready", "not ready for up to 50 ms after a move"),
        ("leaves", "memory", "ended with status 0 after its move"),
        ("trusting", "bad turn", ""),
        ("nameless", "about", "name="),
        ("blind", "five", "did not make five"),
        ("overline", "exactly five", "six in a row"),
        ("forbidden", "renju", "legal move"),
        ("remarks", "known lines", ""),
        ("empty lines", "line ends", ""),
    ],
)
def test_a_fault_is_found_by_its_check(fault: str, check: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gomoku.conformance.PATIENCE_SECONDS", 3.5)
    found = failures(fault, check)
    assert list(found) == [check]
    assert reason in found[check].reason
    assert found[check].script and found[check].check.mend


def test_an_engine_that_is_not_ready_right_after_its_move_fails_that_check_and_no_other() -> None:
    """Strong engines drop what comes within a millisecond of their move; managers never send so soon."""
    asked = ("begin", "empty board", "turns", "second player", "new games", "bad turn", "ready")
    assert list(failures("drowsy", *asked)) == ["ready"]


def test_an_unknown_check_is_an_error() -> None:
    with pytest.raises(GomokuError, match="there is no check 'nonsense'"):
        chosen(["nonsense"])


def test_the_command_shows_the_dialogue_and_what_to_mend(gomoku: Callable[..., Any]) -> None:
    done = gomoku("conformance", f"{sys.executable} {FAULTY} nameless", "--only", "about", "--only", "start")
    assert done.status == 1
    assert "to mend it" in done.out and "> ABOUT" in done.out and "1 passed, 1 failed" in done.out


def test_the_command_in_json(gomoku: Callable[..., Any]) -> None:
    done = gomoku("conformance", f"{sys.executable} {FAULTY}", "--only", "about", "--json")
    assert done.status == 0
    assert done.value["checks"][0]["status"] == "pass" and done.value["failed"] == 0


def test_a_program_that_does_not_exist_is_bad_usage(gomoku: Callable[..., Any]) -> None:
    done = gomoku("conformance", "./no-such-engine")
    assert done.status == 2 and "no-such-engine" in done.err

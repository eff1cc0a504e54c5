"""``gomoku prove``: a run that is cut short says what is open, and a book makes proofs."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena import proving
from arena.pools import workers
from gomoku.commands.prove import command
from gomoku.commands.verify import command as verify_command
from gomoku_patterns.board import Board
from search.book import Book, BookError, Entry
from search.proof import Proof
from search.verifier import verify
from tests.program import Done


@pytest.fixture(autouse=True)
def _new_desks() -> Iterator[None]:
    proving._desks.clear()
    yield
    proving._desks.clear()


def test_a_run_that_is_cut_short_says_what_is_open(tmp_path: Path) -> None:
    asked = ["h8", "h9", "i9", "--book", str(tmp_path / "wins.book"), "--seconds", "2"]
    done = CliRunner().invoke(command, [*asked, "--json"], standalone_mode=False)
    told = json.loads(done.output)
    assert done.return_value == 1
    assert told["replies"] == 222
    assert told["seconds"] > 0
    assert told["seconds_left"] > 0
    assert len(told["open"]) + told["proven"] >= 1
    said = CliRunner().invoke(command, asked, standalone_mode=False).output
    assert re.search(r"^black wins against \d+ of 222 replies$", said, re.MULTILINE)


def test_a_book_makes_a_proof(tmp_path: Path) -> None:
    book, out = tmp_path / "wins.book", tmp_path / "proof.json"
    book.write_text("gomoku book 1 15x15 freestyle black\nh8i8j8/a1h9i9 - 1000\n")
    asked = ["h8", "h9", "i8", "i9", "j8", "a1", "--book", str(book), "--expand", str(out)]
    done = CliRunner().invoke(command, asked, standalone_mode=False)
    assert done.output.startswith("black wins in at most 3 plies")
    board = Board(black=["h8", "i8", "j8"], white=["h9", "i9", "a1"], turn="black")
    assert verify(Proof.load(out), board)
    missing = CliRunner().invoke(command, ["h8", "h9", "i8", *asked[6:]], standalone_mode=False)
    assert isinstance(missing.exception, BookError)


def test_a_book_of_what_an_opening_rests_on_makes_the_same_proof(gomoku: Callable[..., Done]) -> None:
    opening = ["h8", "h9", "i9", "k10"]
    kept = gomoku("prove", *opening, "--book", "great", "--keep", "small.book", "-j", "2")
    needed = re.match(r"(\d+) of ([\d,]+) positions are needed, and each has been searched again: small.book", kept.out)
    assert kept.status == 0 and needed, kept
    small, whole = Book.load("small.book"), Book.great()
    assert 1 < len(small) == int(needed[1]) < len(whole)
    assert small.entries.items() <= whole.entries.items()
    for book, file in (("great", "whole.json"), ("small.book", "small.json")):
        assert gomoku("prove", *opening, "--book", book, "--expand", file).status == 0
    assert Path("whole.json").read_bytes() == Path("small.json").read_bytes()
    again = gomoku("prove", *opening, "--book", "small.book", "--keep", "again.book")
    assert again.status == 0 and Path("again.book").read_bytes() == Path("small.book").read_bytes()


def test_an_entry_that_does_not_hold_is_not_kept(gomoku: Callable[..., Done]) -> None:
    book = "gomoku book 1 15x15 freestyle black\nh8i8/a1h9 i9 50\n"
    refused = gomoku("prove", "h8", "h9", "i8", "a1", "--book", "wins.book", "--keep", "kept.book", wins_book=book)
    assert refused.status == 2 and "50: no win by attacking moves" in refused.err
    assert not Path("kept.book").exists()
    both = gomoku("prove", "h8", "--book", "wins.book", "--keep", "kept.book", "--expand", "proof")
    assert both.status == 2 and "ask for one of them" in both.err


def test_the_shipped_book_makes_proofs_but_is_not_added_to(gomoku: Callable[..., Done]) -> None:
    opening = ["h8", "h9", "i9", "k10"]
    mirrored = gomoku("prove", "h8", "h9", "g9", "e10", "i7", "--book", "great", "--expand", "proof.json")
    assert mirrored.status == 0 and "black wins in at most" in mirrored.out
    made = gomoku("prove", *opening, "--book", "great", "--expand", "proof", "--parts")
    assert (made.status, made.err) == (0, "") and re.search(r"black wins: \d+ parts in proof", made.out)
    judged = gomoku("verify", "position.txt", "proof", "--parts", position_txt=" ".join(opening))
    assert judged.status == 0, judged
    assert "they are about the position h8 h9 i9 k10, black to move, in proof/position.json" in made.out
    assert gomoku("verify", "proof/position.json", "proof", "--parts", "--quick").status == 0
    another, none = ": in place of the last move it wins by (i9|g9)", "; 'gomoku prove' without"
    for moves, why in (("h8 h9 a1", another), ("h8 a1", none), ("h8", none)):
        missing = gomoku("prove", *moves.split(), "--book", "great", "--expand", "proof")
        assert missing.status == 2 and re.match(f"gomoku: great has no proof for {moves}{why}", missing.err)
    for different in (("--size", "16"), ("--rule", "renju")):
        other = gomoku("prove", *opening, *different, "--book", "great", "--expand", "proof")
        assert other.status == 2 and "great is a book of freestyle on 15x15 boards" in other.err
    refused = gomoku("prove", *opening, "--book", "great")
    assert refused.status == 2 and "name a file of your own" in refused.err


@pytest.fixture
def small_book(tmp_path: Path) -> Path:
    """Write a book about a 9x9 board: f5 wins, and there is an entry for every reply."""
    board = Board(9, black=["c5", "d5", "e5"], white=["a1", "c1", "e1"], turn="black")
    book, after = Book.open(tmp_path / "small.book", board), board.copy()
    after.push("f5")
    for reply in after.empties():
        below = after.copy(moves=False)
        below.push(reply)
        book.add(below.flat, Entry(None, 1000))
    book.add(board.flat, Entry(board.index("f5"), 0))
    book.close()
    return tmp_path / "small.book"


def test_parts_are_the_same_however_many_processes_make_them(
    small_book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board(9, black=["c5", "d5", "e5"], white=["a1", "c1", "e1"], turn="black")
    monkeypatch.setattr("gomoku.commands.prove._opening", lambda *_: board.copy())
    asked_for: list[int] = []
    monkeypatch.setattr(
        "arena.pools.workers", lambda jobs, **options: asked_for.append(jobs) or workers(jobs, **options)
    )
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        asked = ["f5", "--book", str(small_book), "--expand", str(folder), "--parts", "--jobs", jobs]
        done = CliRunner().invoke(command, asked, standalone_mode=False)
        assert done.return_value == 0, done
        judged = CliRunner().invoke(verify_command, [str(folder / "position.json"), str(folder), "--parts"])
        assert judged.output.startswith("accepted"), judged.output
    assert asked_for == [1, 1, 2, 1], "made and verified by so many"
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert len(names) > 30
    assert names == sorted(path.name for path in (tmp_path / "2").iterdir())
    assert all((tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes() for name in names)


def test_a_proof_says_which_position_it_is_about(tmp_path: Path) -> None:
    book, proof = tmp_path / "wins.book", tmp_path / "proof.json"
    book.write_text("gomoku book 1 15x15 freestyle black\nh8i8j8/a1h9i9 - 1000\n")
    asked = ["h8", "h9", "i8", "i9", "j8", "a1", "--book", str(book), "--expand", str(proof)]
    assert "it is about the position h8 h9 i8 i9 j8 a1, black to move" in CliRunner().invoke(command, asked).output
    (tmp_path / "after.txt").write_text("h8 h9 i8 i9 j8 a1 k8")
    said = CliRunner().invoke(verify_command, [str(tmp_path / "after.txt"), str(proof)]).output
    assert "another position: 15x15 freestyle, black h8 i8 j8, white h9 i9 a1, black to move" in said


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_run_goes_on_with_what_is_in_the_book(tmp_path: Path, jobs: str) -> None:
    book = tmp_path / "wins.book"
    asked = [sys.executable, "-m", "gomoku", "prove", "h8", "h9", "i9", "--book", str(book), "--jobs", jobs]
    pipe = subprocess.PIPE
    with subprocess.Popen(asked, stdout=pipe, stderr=pipe, text=True) as process:
        deadline = time.monotonic() + 120
        while not book.exists() or not Book.load(book).entries:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == f"gomoku: interrupted; the same command goes on with what is in {book}\n"
    kept = Book.load(book).entries
    proven = int(re.match(r"black wins against (\d+) of 222 replies", output)[1])
    told = json.loads(CliRunner().invoke(command, [*asked[4:], "--seconds", "1", "--json"]).output)
    assert told["proven"] >= proven and Book.load(book).entries.items() >= kept.items()


@pytest.mark.parametrize("extra", [[], ["--parts"]])
def test_an_interrupted_proof_of_a_book_says_that_it_is_not_whole(
    tmp_path: Path, extra: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("search.expand.Expander.attack", stopped)
    book, out = tmp_path / "wins.book", tmp_path / "out"
    book.write_text("gomoku book 1 15x15 freestyle black\nh8i8j8/a1h9i9 - 1000\n")
    asked = ["h8", "h9", "i8", "i9", "j8", "a1", "--book", str(book), "--expand", str(out), *extra]
    done = CliRunner().invoke(command, asked, standalone_mode=False)
    assert done.return_value == 130 and "the proof is not whole" in done.output
    assert not (out / "parts.json").exists() and not out.is_file()

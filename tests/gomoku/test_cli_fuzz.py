"""No file makes a command print anything but its answer or one line: everything that goes wrong was foreseen."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku.cli import main

POSITION = json.dumps({"id": 1, "black": ["h11", "f9", "i9", "l9", "h8", "k8"], "white": ["g11", "j11", "g10", "e9"]})
TABLE = """
name = "t"
scan = "line"
[[pattern]]
shape = "three"
text = ".ooo."
score = [1, 2]
[[window]]
length = 5
own = 2
score = 3
"""
SUITE = """
suite = "s"
[[level]]
number = 1
black = "h8 i8 j8"
white = "a1 a2"
to_move = "black"
wins = "k8"
length = 3
"""
PROOF = """{"version": 1,
"position": {"rows": 15, "cols": 15, "rule": "freestyle", "black": ["h8", "i8", "j8"], "white": ["a1", "a2"], "to_move": "black"},
"attacker": "black", "tree": {"move": "k8", "then": {"threat": ["l8"], "replies": {"l8": {"move": "g8"}}}}}
"""  # noqa: E501  (as long as positions are)
SGF = "(;FF[4]GM[4]SZ[15]AB[hh][ih]AW[hg]PL[W](;W[jh];B[gh])(;W[gh]C[x]))"
PSQ = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,10\na\nb\n-1\n"
LOG = '{"header": {"task": "puzzles", "suite": "huanle"}}\n{"unit": 0}\n'
SEEDS = [
    POSITION,
    PROOF,
    TABLE,
    SUITE,
    SGF,
    PSQ,
    LOG,
    "h8i9h9",
    "8,8\n-1,0\n",
    "black: h8 i8 white: h9",
    "....X\n...O.\n" * 3,
]

COMMANDS = [
    "score FILE",
    "score --batch FILE --points",
    "explain FILE --table level --json",
    "features --batch FILE --out OUT.csv",
    "rules FILE --rule renju",
    "solve FILE --nodes 50 --tree",
    "solve --batch FILE --nodes 50",
    "move FILE --player minmax --depth 1",
    "draw FILE --numbers --heat money",
    "convert FILE - --to jsonl",
    "convert FILE - --to suite",
    "tables check FILE --json",
    "tables show FILE",
    "verify POSITION FILE",
    "puzzles FILE --nodes 20",
    "puzzles --level 1 --nodes 20 --log FILE",
    "match --log FILE",
]


ODD = [b"", b"\xff", b"\x00", "活".encode(), b"-1", b"9" * 30, b'"', b"[", b"{}", b"null", b"1e999", b"\n", b"NaN"]


@st.composite
def spoiled(draw: st.DrawFn) -> bytes:
    """Something a user might have: a good file, cut, doubled, with strange letters, bytes or numbers in it."""
    text = draw(st.sampled_from(SEEDS)).encode()
    for _ in range(draw(st.integers(0, 3))):
        at, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        middle = draw(st.sampled_from([*ODD, text[at:end] * 2]))
        text = text[:at] + middle + text[min(end, at + 8) :]
    return text


@pytest.mark.parametrize("line", COMMANDS)
@settings(max_examples=40)
@given(data=spoiled())
def test_every_failure_was_foreseen(tmp_path_factory: pytest.TempPathFactory, line: str, data: bytes) -> None:
    folder = tmp_path_factory.getbasetemp() / "fuzz"
    folder.mkdir(exist_ok=True)
    names = {"FILE": folder / "file", "POSITION": folder / "position.json", "OUT.csv": folder / "out.csv"}
    names["FILE"].write_bytes(data)
    names["POSITION"].write_text(POSITION)
    status, said = run([str(names.get(word, word)) for word in line.split()])
    assert status in (0, 1, 2)
    assert "GOMOKU_TRACEBACK" not in said and "Traceback" not in said
    assert said.count("\n") <= 1 or said.startswith(("Usage:", "warning"))


def run(args: list[str]) -> tuple[int, str]:
    """The status of a command and what it printed on standard error."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(args)
    return int(ended.value.code or 0), err.getvalue()


def test_the_seeds_are_good(tmp_path: Path) -> None:
    for name, text, line in [
        ("a.json", POSITION, "score"),
        ("t.toml", TABLE, "tables check"),
        ("s.toml", SUITE, "puzzles"),
    ]:
        (tmp_path / name).write_text(text)
        assert run([*line.split(), str(tmp_path / name)]) == (0, "")


NO_NAMES = ["no\0name", "x" * 300, "a\x1b[2J\n.pos", "", "\udcff.json", "a/" * 3000]
"""Names that no file has, and that some systems cannot even be asked about."""


@pytest.mark.parametrize("name", NO_NAMES)
@pytest.mark.parametrize(
    "command",
    [
        "convert NAME b.sgf", "convert a.pos NAME", "convert a.pos NAME --to sgf", "convert NAME - --to suite",
        "convert a.pos b.sgf --from NAME", "draw NAME", "draw a.pos --svg NAME", "draw a.pos --heat NAME",
        "draw a.pos --mark NAME", "features --batch NAME --out b.csv", "features --batch a.pos --out NAME",
        "features --batch a.pos --table NAME --out b.csv", "play --load NAME", "play --table NAME", "play --size NAME",
        "play --opponent NAME", "practise --suite NAME", "practise --rating --record NAME", "practise --rule NAME",
        "puzzles NAME", "puzzles --level NAME", "puzzles make -n 1 --out NAME", "puzzles make -n 1 --plies NAME",
        "puzzles make --from NAME", "puzzles make -n 1 --tag NAME", "score NAME", "explain a.pos --table NAME",
    ],
)  # fmt: skip
def test_a_name_that_no_file_has_is_one_printable_line(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pos").write_text("h8i9")
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    with pytest.raises(SystemExit) as stop:
        main([name if word == "NAME" else word for word in command.split()])
    said = capsys.readouterr()
    told = said.err.rstrip("\n").split("\n")[-1]
    if stop.value.code != 0:
        assert stop.value.code == 2, said
        assert told.isprintable() and len(told.strip()) > 10 and "GOMOKU_TRACEBACK" not in told

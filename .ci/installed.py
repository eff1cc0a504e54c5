#!/usr/bin/env python3
"""Uses an installation as its users do: every module, console script and command, a Gomocup dialogue, the web page.

    python -I .ci/installed.py [modules] [commands] [extras] [brains]     with base dependencies alone
    python -I .ci/installed.py web                                        with the extra 'web'

Run it with the Python of the installation, in an empty folder; without arguments it does all but ``web``. It prints
each fault, and exits with 1 if there is any.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import pkgutil
import re
import shlex
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

DISTRIBUTION = "gomoku-patterns"
ROOMS = ("gomoku_patterns", "search", "puzzles", "arena", "gomoku")
NEED_AN_EXTRA = {
    "gomoku.web.app": "web",
    "gomoku.web.guard": "web",
    "gomoku_patterns.pytest_plugin": "testing",
    "gomoku_patterns.testing": "testing",
}
"""The modules, with those below them, that do not work with base dependencies alone."""

POSITION = '{"black": ["h8", "i8", "j8"], "white": ["h9", "i9", "a1"]}'
WON = '{"black": ["h8", "i8", "j8", "k8"], "white": ["h9", "i9", "a1", "a3"]}'
FILES = {
    "position.json": POSITION,
    "won.json": WON,
    "positions.jsonl": POSITION + "\n" + WON + "\n",
    "game.txt": "h8 h9 i8 i9 j8 j9 g8 a1 k8\n",
}
COMMANDS = {
    "score": ["score position.json"],
    "explain": ["explain position.json --cell k8"],
    "features": ["features --batch positions.jsonl --out features.csv"],
    "rules": ["rules game.txt --rule renju"],
    "tables": ["tables", "tables show level --toml", "tables check cell"],
    "convert": ["convert game.txt game.sgf"],
    "draw": ["draw game.txt --numbers --svg game.svg"],
    "move": ["move position.json --player engine --nodes 1000", "move position.json"],
    "solve": ["solve won.json --proof proof.json"],
    "prove": ["prove h8 h9 i9 e12 --book great --expand e12.json"],
    "verify": ["verify won.json proof.json"],
    "trim": ["trim proof.json proof.gmkproof"],
    "hold": ["hold 5x5 --save draws"],
    "review": ["review game.txt --html review.html"],
    "puzzles": ["puzzles --level 1-3 --show", "puzzles endgames --level 1"],
    "match": ["match minmax:depth=2 level --pairs 2 --seconds 0.05 --log games.jsonl"],
    "ladder": [
        "ladder grade_dict level --pairs 2 --speed 0.05 --nodes 100 --seconds 0.002 --suite huanle --levels 2"
        " --level-nodes 100 --report ladder.html"
    ],
    "tune": ["tune grade_dict --on games.jsonl --out mine.toml --pairs 1"],
    "data": ["data selfplay --games 12 --nodes 100 --all"],
    "train": ["train selfplay --kind cell --epochs 1 --out learned.toml"],
    "brain": ["brain --help"],
    "conformance": ["conformance pbrain-gomoku --only start"],
    "serve": ["serve --help"],
    "play": ["play --player minmax:depth=1 --opponent minmax:depth=1 --size 5"],
    "practise": ["practise --rating --record record.json"],
}
"""The simplest use of each command, in an order in which later ones find the files of those before them."""
MAY_BE_NEGATIVE = {"tune"}
"""Commands whose exit status 1 says that something is not better."""

EXTRAS = {
    "draw position.json --png board.png": "png",
    "features --batch positions.jsonl --out features.parquet": "data",
    "solve --batch positions.jsonl --cluster tcp://127.0.0.1:1": "cluster",
    "match level cmd:pbrain-gomoku --pairs 1 --nodes 10 --memory 300": "match",
    "ladder level money --charts charts --pairs 1": "png",
    "serve --port 0": "web",
}
CALLS_WITH_AN_EXTRA = {
    "from gomoku_patterns.draw import svg_to_png; svg_to_png('')": "png",
    "from gomoku_patterns.charts import svg_to_pdf; svg_to_pdf('')": "pdf",
    "from gomoku_patterns import Board, as_evaluator; as_evaluator('level').features([Board()], sparse=True)": "data",
    "from gomoku_patterns import to_frame; to_frame([])": "data",
    "from arena import workers; workers(cluster='tcp://127.0.0.1:1').__enter__()": "cluster",
    "import gomoku_patterns.testing": "testing",
}

SCRIPTS = Path(sys.executable).parent
SECONDS = 300
ENVIRONMENT = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}


def run(command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program that reads ``text`` from standard input."""
    return subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT, check=False
    )


def gomoku(line: str) -> subprocess.CompletedProcess[str]:
    try:
        return run([str(SCRIPTS / "gomoku"), *shlex.split(line)])
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(error.cmd, -1, "", str(error))


def names_extra(text: str, extra: str) -> bool:
    return f"pip install 'gomoku-patterns[{extra}]'" in text


# ---------------------------------------------------------------------- modules


def modules() -> Iterator[str]:
    """Import every module; those that need an extra have to say which, with its command, and the others to work."""
    for name in all_modules():
        wanted = next((extra for needs, extra in NEED_AN_EXTRA.items() if f"{name}.".startswith(f"{needs}.")), None)
        try:
            importlib.import_module(name)
        except ImportError as error:
            if wanted is None or not names_extra(str(error), wanted):
                yield f"import {name}: {type(error).__name__}: {error}"
        else:
            if wanted is not None:
                yield f"import {name}: works without the extra {wanted!r}, which has to be absent here"


def all_modules() -> list[str]:
    found = list(ROOMS)
    for room in ROOMS:
        folder = Path(importlib.import_module(room).__file__ or "").parent
        found += _below(folder, f"{room}.")
    assert len(found) > 200, found
    return found


def _below(folder: Path, prefix: str) -> Iterator[str]:
    """Name the modules of a package without importing any."""
    for module in pkgutil.iter_modules([str(folder)], prefix):
        name = module.name.removeprefix(prefix)
        if name != "__main__":
            yield module.name
        if module.ispkg:
            yield from _below(folder / name, f"{module.name}.")


# ---------------------------------------------------------------------- commands


def commands() -> Iterator[str]:
    """Run every console script and the simplest example of every command."""
    from gomoku.cli import COMMANDS as EXISTING

    found = importlib.metadata.distribution(DISTRIBUTION)
    for script in found.entry_points.select(group="console_scripts"):
        if not (SCRIPTS / script.name).exists():
            yield f"the console script {script.name} is not installed"
    if (done := run([str(SCRIPTS / "gomoku"), "--version"])).stdout.split()[-1:] != [found.version]:
        yield f"gomoku --version: {done.stdout}{done.stderr}"
    yield from (f"gomoku {name}: no example in {__file__}" for name in sorted(EXISTING.keys() ^ COMMANDS.keys()))
    write_files()
    for name, lines in COMMANDS.items():
        for line in lines:
            done = gomoku(line)
            if done.returncode not in ((0, 1) if name in MAY_BE_NEGATIVE else (0,)) or "Traceback" in done.stderr:
                yield f"gomoku {line}: exit status {done.returncode}\n{done.stdout}{done.stderr}"


def write_files() -> None:
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")


def extras() -> Iterator[str]:
    """Ask for what needs an extra that is not there: one line has to name its pip command."""
    write_files()
    for line, extra in EXTRAS.items():
        done = gomoku(line)
        if done.returncode != 2 or not names_extra(done.stderr, extra) or len(done.stderr.splitlines()) != 1:
            yield f"gomoku {line}: exit status {done.returncode}, and not how to get {extra!r}\n{done.stderr}"
    for program, extra in CALLS_WITH_AN_EXTRA.items():
        done = run([sys.executable, "-c", program])
        if not names_extra((done.stderr.splitlines() or [""])[-1], extra):
            yield f"{program}: says not how to get {extra!r}\n{done.stderr}"


# ---------------------------------------------------------------------- Gomocup


def brains() -> Iterator[str]:
    for command in (["pbrain-gomoku"], ["gomoku", "brain"]):
        fault = dialogue(command)
        if fault:
            yield f"{' '.join(command)}: {fault}"


def dialogue(command: list[str]) -> str | None:
    """Play some moves as a manager does; return what was wrong."""
    program = [str(SCRIPTS / command[0]), *command[1:]]
    lines = ["ABOUT", "START 15", "INFO timeout_turn 300", "INFO max_memory 350000000", "BEGIN", "TURN 0,0"]
    lines += ["TURN 1,0", "BOARD", "7,7,1", "7,8,2", "DONE", "END"]
    done = run(program, "\n".join(lines) + "\n")
    answers = [line for line in done.stdout.splitlines() if not line.startswith(("MESSAGE", "DEBUG"))]
    expected = ['name="', r"OK$", *[r"\d+,\d+$"] * 4]
    if done.returncode or len(answers) != len(expected) or not all(map(re.match, expected, answers)):
        return f"exit status {done.returncode}, answers {answers}\n{done.stderr}"
    return None if len(set(answers[2:5])) == 3 else f"one move twice: {answers}"


# ---------------------------------------------------------------------- web


def web() -> Iterator[str]:
    """Start the server and ask for the page, all files that it names, and an answer of the API."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # Searches give way to everything else unless told otherwise, and would get no time on a busy machine.
    environment = {**ENVIRONMENT, "GOMOKU_NICE": "0"}
    server = subprocess.Popen([str(SCRIPTS / "gomoku"), "serve", "--port", str(port)], env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(server, f"{address}/api/health")
        page = fetch(f"{address}/").decode()
        files = set(re.findall(r'(?:src|href)="(?!#|https?:)/?([^"#?]+\.\w+)"', page))
        scripts = Path(importlib.import_module("gomoku.web").__file__ or "").parent / "static"
        files |= {f"static/{path.name}" for path in scripts.glob("*.js")} if "static/" in page else set()
        if len(files) < 3:
            yield f"the page names too few files: {files}"
        for name in sorted(files):
            if not fetch(f"{address}/{name}"):
                yield f"{name} is empty"
        answer = json.loads(fetch(f"{address}/api/score", {"position": json.loads(POSITION)}))
        if not isinstance(answer.get("score"), int):
            yield f"/api/score answers {answer}"
        answer = json.loads(
            fetch(f"{address}/api/move", {"position": json.loads(POSITION), "player": "engine", "nodes": 500})
        )
        if not answer.get("move"):
            yield f"/api/move answers {answer}"
    except OSError as error:
        yield f"the web board: {error}"
    finally:
        server.terminate()
        status = server.wait(30)
    if status not in (0, 130, 143, -15):
        yield f"gomoku serve ended with status {status}"


def wait_for(server: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < deadline:
        try:
            fetch(address)
            return
        except OSError:
            time.sleep(0.2)
    raise OSError(f"the server does not answer; its exit status is {server.poll()}")


def fetch(address: str, value: object = None) -> bytes:
    data = None if value is None else json.dumps(value).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            found: bytes = response.read()
    except urllib.error.HTTPError as error:
        raise OSError(f"{address}: {error}: {error.read().decode(errors='replace')[:500]}") from error
    return found


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "modules": modules,
    "commands": commands,
    "extras": extras,
    "brains": brains,
    "web": web,
}


def main(names: list[str]) -> int:
    faults = 0
    for name in names or [name for name in CHECKS if name != "web"]:
        began, before = time.monotonic(), faults
        for fault in CHECKS[name]():
            faults += 1
            print(f"FAULT {fault}", flush=True)
        print(f"installed: {name}, {faults - before} faults, {time.monotonic() - began:.0f} s", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

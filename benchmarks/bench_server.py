"""The web board under load: many players at once, a worker killed in the middle, malformed requests, attacks.

    python -m benchmarks.bench_server --players 100 --seconds 300
    python -m benchmarks.bench_server --attacks 10

Starts ``gomoku serve --workers 2`` on loopback, lets simulated players play whole games against a light player and ask
for scores and rules at every move, kills one server process half-way, and sends malformed requests. Fails unless every
answer is a 200, a deliberate 503, or (malformed) a 4xx.

With ``--attacks`` it lets each attack of :mod:`benchmarks.attacks` run for so many seconds, in a process and from an
address of its own, while somebody asks for rules and scores: fails unless all are answered, 99 in 100 within 100 ms,
somebody gets a move meanwhile, and the server ends within two seconds of SIGTERM in the middle of all attacks at once.

What would flatter the figures: few players, long pauses between moves, and no search load on the same cores. All
traffic stays on the loopback interface and ends by itself.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import attacks
from gomoku_patterns import Board
from gomoku_patterns.notation import json_position


class Tally:
    """What all threads counted."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.statuses: Counter[str] = Counter()
        self.quick: list[float] = []
        self.games = 0
        self.broken = 0

    def add(self, kind: str, status: int, seconds: float) -> None:
        with self.lock:
            self.statuses[f"{kind} {status}"] += 1
            if kind == "quick":
                self.quick.append(seconds)


class Client:
    """One keep-alive connection that reconnects when its server process is gone."""

    def __init__(self, port: int, tally: Tally) -> None:
        self.port, self.tally = port, tally
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def post(self, kind: str, path: str, body: bytes) -> tuple[int, Any]:
        for attempt in range(20):
            begun = time.perf_counter()
            try:
                self.connection.request("POST", f"/api/{path}", body, {"Content-Type": "application/json"})
                response = self.connection.getresponse()
                answer = json.loads(response.read())
            except (OSError, http.client.HTTPException):
                self.tally.broken += 1
                self.connection.close()
                time.sleep(0.1 * (attempt + 1))
                continue
            self.tally.add(kind, response.status, time.perf_counter() - begun)
            return response.status, answer
        raise RuntimeError("the server did not come back")


def play_games(client: Client, until: float, seed: int, player: str) -> None:
    """Whole games against the server's player; the game lives here, so a dead worker costs nothing but a retry."""
    chance = random.Random(seed)
    while time.monotonic() < until:
        board = Board()
        while time.monotonic() < until and not play_turn(client, board, chance, player):
            time.sleep(chance.uniform(0.5, 1.5))
        client.tally.games += 1


def play_turn(client: Client, board: Board, chance: random.Random, player: str) -> bool:
    """Our stone, then the server's; True when the game is over."""
    board.push(chance.choice(board.empties()))
    position = json_position(board)
    status, facts = client.post("quick", "rules", json.dumps({"position": position}).encode())
    client.post("quick", "score", json.dumps({"position": position, "points": True}).encode())
    if status != 200 or facts["over"]:
        return True
    request = json.dumps({"position": position, "player": player, "seconds": 0.1}).encode()
    status, answer = client.post("search", "move", request)
    while status == 503:
        time.sleep(chance.uniform(0.2, 1.0))
        status, answer = client.post("search", "move", request)
    board.push(answer["move"])
    return board.is_over()


def send_malformed(port: int, tally: Tally, count: int) -> None:
    """Requests that no client should send; each has to get a 4xx."""
    chance = random.Random(7)
    client = Client(port, tally)
    paths = ("rules", "score", "explain", "convert", "proof/verify", "proof/answer", "move", "solve", "stop", "nothing")
    for _ in range(count):
        path = chance.choice(paths)
        client.post("malformed", path, malformed_body(chance))


def malformed_body(chance: random.Random) -> bytes:
    kind = chance.randrange(5)
    if kind == 0:
        return chance.randbytes(chance.randrange(200))
    if kind == 1:
        return b"[" * chance.randrange(1, 5000)
    if kind == 2:
        return json.dumps({"position": {"rows": chance.randrange(-9, 99), "nonsense": 1}}).encode()
    if kind == 3:
        return json.dumps({"position": {"black": ["z99"]}, "proof": 3, "text": 5, "token": "!"}).encode()
    return json.dumps([chance.random()] * chance.randrange(50)).encode()


def start_server(workers: int, *options: str) -> tuple[subprocess.Popen[bytes], int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    arguments = [
        "serve",
        "--port",
        str(port),
        "--workers",
        str(workers),
        *(options or ("--searches", "1", "--queue", "16")),
    ]
    server = subprocess.Popen([sys.executable, "-m", "gomoku", *arguments], stderr=subprocess.DEVNULL)
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                time.sleep(2)
                return server, port
        time.sleep(0.1)
    raise RuntimeError("the server did not start")


def kill_one_worker(server: subprocess.Popen[bytes]) -> None:
    children = subprocess.run(
        ["pgrep", "-P", str(server.pid)], capture_output=True, text=True, check=False
    ).stdout.split()
    workers = [pid for pid in children if "resource_tracker" not in command_line(pid)]
    os.kill(int(workers[-1]), signal.SIGKILL)
    print(f"killed server process {workers[-1]} of {len(workers)}")


def command_line(pid: str) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--malformed", type=int, default=10_000)
    parser.add_argument("--player", default="level")
    parser.add_argument(
        "--attacks", type=float, metavar="SECONDS", help="how long each attack lasts, instead of players"
    )
    options = parser.parse_args()
    if options.attacks:
        return survive(options.attacks)
    server, port = start_server(2)
    tally, until = Tally(), time.monotonic() + options.seconds
    threads = [
        threading.Thread(target=play_games, args=(Client(port, tally), until, seed, options.player))
        for seed in range(options.players)
    ]
    for thread in threads:
        thread.start()
    watch(tally, until - options.seconds / 2)
    kill_one_worker(server)
    watch(tally, until)
    for thread in threads:
        thread.join()
    send_malformed(port, tally, options.malformed)
    server.terminate()
    server.wait(30)
    return report(tally, options)


# ---------------------------------------------------------------------- attacks

SLOWEST = 0.1
"""Seconds that 99 of 100 quick requests may take at most."""
ENDING = 2.0


def survive(seconds: float) -> int:
    """Each attack alone, then the end in the middle of all of them; the exit status."""
    server, port = start_server(1, "--searches", "2")
    ask_for_a_move(port, [])  # by then its processes have started
    good = [withstood(name, port, seconds) for name in ("nothing", *attacks.ATTACKS)]
    with contextlib.ExitStack() as stack:
        for name in attacks.ATTACKS:
            stack.enter_context(attacking(name, port))
        time.sleep(2)
        begun = time.monotonic()
        server.terminate()
        server.wait(30)
        took = time.monotonic() - begun
    print(f"SIGTERM in the middle of all attacks: ended after {took:.2f} s")
    return 0 if all(good) and took < ENDING else 1


@contextlib.contextmanager
def attacking(name: str, port: int) -> Iterator[None]:
    """An attack by a process of its own while the block runs; "nothing" is none."""
    if name == "nothing":
        yield
        return
    attacker = multiprocessing.get_context("spawn").Process(target=attack, args=(name, port), daemon=True)
    attacker.start()
    try:
        yield
    finally:
        attacker.kill()
        attacker.join()


def attack(name: str, port: int) -> None:
    """Attack until killed; politely towards the one that measures, whose processor it shares."""
    os.nice(5)
    once, threads = attacks.ATTACKS[name]
    with attacks.Attack(port, once, threads):
        time.sleep(3600)


def withstood(name: str, port: int, seconds: float) -> bool:
    """Whether quick requests were quick and a search was had while an attack went on; prints how quick."""
    moved: list[float] = []
    with attacking(name, port):
        time.sleep(1.5 if name != "nothing" else 0)
        mover = threading.Thread(target=ask_for_a_move, args=(port, moved))
        mover.start()
        took, failed = quick_requests(port, seconds)
        mover.join()
    took.sort()
    median, late = took[len(took) // 2], took[int(0.99 * len(took))]
    move = f"a move after {moved[0]:.1f} s" if moved else "no move"
    figures = f"median {1000 * median:5.1f} ms, 99th percentile {1000 * late:6.1f} ms, {failed} failed"
    print(f"  {name:24} {len(took):5} quick requests: {figures}; {move}", flush=True)
    return late < SLOWEST and not failed and bool(moved)


def quick_requests(port: int, seconds: float) -> tuple[list[float], int]:
    """What each request took, each over a connection of its own, and how many had no answer."""
    position = {"black": ["h8", "i9"], "white": ["h9", "g7"]}
    asked = [("rules", {"position": position}), ("score", {"position": position, "points": True})]
    took, failed, end = [], 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for path, body in asked:
            begun = time.perf_counter()
            try:
                status, _ = attacks.post(port, path, json.dumps(body).encode())
            except (OSError, http.client.HTTPException):
                status = 0
            took.append(time.perf_counter() - begun)
            failed += status != 200
        time.sleep(0.01)
    return took, failed


def ask_for_a_move(port: int, moved: list[float]) -> None:
    request = json.dumps({"position": {"black": ["h8"]}, "player": "engine", "nodes": 2000}).encode()
    begun = time.monotonic()
    for _ in range(20):
        with contextlib.suppress(OSError, http.client.HTTPException):
            if attacks.post(port, "move", request)[0] == 200:
                moved.append(time.monotonic() - begun)
                return
        time.sleep(0.5)


# ---------------------------------------------------------------------- figures


def watch(tally: Tally, until: float) -> None:
    """A line of what was seen so far, every half a minute."""
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, 30.0))
        with tally.lock:
            recent = sorted(tally.quick[-5000:])
        if recent:
            last = 1000 * recent[int(0.99 * len(recent))]
            print(f"{sum(tally.statuses.values())} requests; 99th percentile of the last: {last:.1f} ms", flush=True)


def report(tally: Tally, options: argparse.Namespace) -> int:
    quick = sorted(tally.quick)
    percentile = quick[int(0.99 * len(quick))] if quick else float("nan")
    print(
        f"{options.players} players for {options.seconds:g} s: {tally.games} games, "
        f"{sum(tally.statuses.values())} requests"
    )
    for name, count in sorted(tally.statuses.items()):
        print(f"  {name}: {count}")
    print(f"  connections that broke and were retried (one worker was killed): {tally.broken}")
    print(
        f"  {len(quick)} requests without a search: median {1000 * quick[len(quick) // 2]:.1f} ms, "
        f"99th percentile {1000 * percentile:.1f} ms"
    )
    allowed = {"quick": ("200",), "search": ("200", "503"), "malformed": ("400", "404", "405", "413", "422")}
    bad = {name: n for name, n in tally.statuses.items() if name.split()[1] not in allowed[name.split()[0]]}
    print("every answer was as it should be" if not bad else f"unexpected answers: {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

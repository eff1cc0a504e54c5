"""Requests that no client should send, for the benchmark and the tests of the web board: all stay on 127.0.0.0/8."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
HOST = "127.0.0.1"
ATTACKER = "127.0.0.2"
"""Another address than that of everybody else; where a system has only one, attackers share it."""


def slow_proof() -> Json:
    """A proof of 19 kB that takes very long: under renju every reply is answered by a threat of thirty fours.

    A reply that spoils one of the fours is answered by the others, which begins the same again, thirty times.
    """
    white, black, groups = [], [], []
    for row in range(0, 22, 2):
        for col in (shift := row // 2 % 3, shift + 6, shift + 12):  # so that columns and diagonals hold no fours
            black.append([row, col])
            white += [[row, col + step] for step in (1, 2, 3)]
            groups.append([_name(row, col + 4), _name(row, col + 5)])
    white += [[21, col] for col in (18, 19, 20)]
    last = [_name(21, col) for col in (17, 16, 21)]
    position = {"rows": 22, "cols": 22, "rule": "renju", "black": black, "white": white, "to_move": "white"}
    nodes: list[Json] = []
    for spoilt in range(len(groups)):
        threat = [first for first, _ in groups[spoilt:]] + last[:1]
        following = spoilt + 1 if spoilt + 1 < len(groups) else {"move": "a21"}
        replies = [name for group in groups[spoilt:] for name in reversed(group)] + last
        move = _name(1 + 2 * (spoilt // 3 % 10), 19 + spoilt % 3)
        nodes.append({"move": move, "then": {"threat": threat, "replies": dict.fromkeys(replies, following)}})
    return {"version": 1, "position": position, "attacker": "white", "tree": 0, "nodes": nodes}


def _name(row: int, col: int) -> str:
    return f"{chr(ord('a') + col)}{22 - row}"


def post(port: int, path: str, body: bytes, *, timeout: float = 30.0, source: str = HOST) -> tuple[int, bytes]:
    """The status and the body of one answer, over a connection of its own."""
    connection = http.client.HTTPConnection(HOST, port, timeout=timeout, source_address=(source, 0))
    try:
        connection.request("POST", f"/api/{path}", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


class Attack:
    """Some threads that do the same again and again until they are told to stop."""

    def __init__(self, port: int, once: Callable[[int, random.Random], None], threads: int) -> None:
        self.stopped = threading.Event()
        self.count = 0
        self.threads = [
            threading.Thread(target=self._run, args=(port, once, random.Random(seed)), daemon=True)
            for seed in range(threads)
        ]

    def _run(self, port: int, once: Callable[[int, random.Random], None], chance: random.Random) -> None:
        while not self.stopped.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                once(port, chance)
            self.count += 1
            self.stopped.wait(0.01)

    def __enter__(self) -> Attack:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        for thread in self.threads:
            thread.join(15)


PROOF = json.dumps({"proof": slow_proof()}).encode()
SEARCH = {"position": {"black": ["h8"]}, "player": "mcts", "seconds": 10}


def check_slow_proof(port: int, _chance: random.Random) -> None:
    post(port, "proof/verify", PROOF, source=ATTACKER)


def leave_after_asking(port: int, chance: random.Random) -> None:
    """A search or a slow proof that is abandoned at once."""
    path, body = chance.choice([("proof/verify", PROOF), ("move", json.dumps(SEARCH).encode())])
    with contextlib.suppress(TimeoutError):
        post(port, path, body, timeout=0.2, source=ATTACKER)


def take_search_slots(port: int, _chance: random.Random) -> None:
    post(port, "move", json.dumps(SEARCH).encode(), source=ATTACKER)


def explain_full_boards(port: int, chance: random.Random) -> None:
    cells = [[row, col] for row in range(22) for col in range(22)]
    chance.shuffle(cells)
    position = {"rows": 22, "cols": 22, "black": cells[:20], "white": cells[20:40]}
    post(port, "explain", json.dumps({"position": position, "table": "money"}).encode(), source=ATTACKER)


def hold_half_open(port: int, chance: random.Random) -> None:
    """Sixty connections that begin a request and say no more."""
    held = []
    with contextlib.suppress(OSError):
        for _ in range(60):
            held.append(socket.create_connection((HOST, port), timeout=5, source_address=(ATTACKER, 0)))
            held[-1].sendall(chance.choice([b"", b"POST /api/rules HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-"]))
        time.sleep(5)
    for connection in held:
        connection.close()


def send_slowly(port: int, _chance: random.Random) -> None:
    """A large body that arrives a byte at a time."""
    head = b"POST /api/proof/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    with socket.create_connection((HOST, port), timeout=5, source_address=(ATTACKER, 0)) as connection:
        connection.sendall(head + b"Content-Length: 4000000\r\n\r\n")
        for _ in range(50):
            connection.sendall(b" ")
            time.sleep(0.2)


def send_large_bodies(port: int, _chance: random.Random) -> None:
    post(port, "convert", b'{"text": "' + b"(" * 3_900_000, source=ATTACKER)


def never_read(port: int, _chance: random.Random) -> None:
    """Many requests on one connection, whose answers are never taken."""
    request = b"GET /api/puzzles HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with socket.create_connection((HOST, port), timeout=2, source_address=(ATTACKER, 0)) as connection:
        with contextlib.suppress(OSError):
            for _ in range(2000):
                connection.sendall(request)
        time.sleep(5)


ATTACKS: dict[str, tuple[Callable[[int, random.Random], None], int]] = {
    "slow proofs": (check_slow_proof, 41),
    "half-open connections": (hold_half_open, 10),
    "bodies sent slowly": (send_slowly, 100),
    "large bodies": (send_large_bodies, 8),
    "answers never read": (never_read, 20),
    "searches in every slot": (take_search_slots, 40),
    "abandoned requests": (leave_after_asking, 20),
    "full boards explained": (explain_full_boards, 40),
}
"""What each attack does again and again, and in how many threads."""

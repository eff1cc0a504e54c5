"""A small but correct Gomocup engine, or one with a single fault: ``python faulty_brain.py FAULT``.

It knows nothing of the project. It makes five if it can, and otherwise plays the first cell that is allowed.
"""

import contextlib
import os
import sys
import threading
import time

fault = sys.argv[1] if len(sys.argv) > 1 else ""
width = height = 15
stones: dict[tuple[int, int], int] = {}
rule = 0
turn_ms = 30_000
lines = open(0, "rb", buffering=0) if fault in ("discards", "drowsy") else sys.stdin.buffer  # noqa: SIM115  (for good)


def say(text: str) -> None:
    print(text, end={"cr": "\r", "crlf": "\r\n"}.get(fault, "\n"), flush=True)


def run_through(x: int, y: int, dx: int, dy: int, who: int) -> int:
    length = 1
    for sign in (1, -1):
        step = sign
        while stones.get((x + step * dx, y + step * dy)) == who:
            length += 1
            step += sign
    return length


def wins(x: int, y: int, who: int) -> bool:
    lengths = [run_through(x, y, dx, dy, who) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))]
    return 5 in lengths if rule == 1 and fault != "overline" else max(lengths) >= 5


def choose() -> tuple[int, int]:
    empty = [(x, y) for y in range(height) for x in range(width) if (x, y) not in stones]
    if fault == "forbidden" and rule == 4 and (7, 7) in empty:
        return 7, 7
    if fault == "blind":
        return empty[0]
    return next((cell for cell in empty if wins(*cell, 1)), empty[0])


def move() -> None:
    if fault == "slow":
        time.sleep(turn_ms / 1000 + 1.5)
    x, y = choose()
    if fault == "illegal" and stones:
        x, y = next(iter(stones))
    if fault == "remarks":
        say("I have an idea")
    stones[x, y] = 1
    say(f"{x},{y}")
    if fault == "drowsy":
        drop_what_comes_within(0.03)
    if fault == "leaves":
        os._exit(0)


def turn(rest: str) -> None:
    x, _, y = rest.partition(",")
    good = x.isdigit() and y.isdigit() and int(x) < width and int(y) < height and (int(x), int(y)) not in stones
    if not good and fault != "trusting":
        say("ERROR that cannot be played")
        return
    stones[int(x), int(y)] = 2
    move()


def board() -> None:
    if fault != "hoards":
        stones.clear()
    while (line := next_line()) != "DONE":
        x, y, who = line.split(",")
        stones[int(x), int(y)] = int(who)
    if stones or fault != "waits for begin":
        move()


def next_line() -> str:
    while True:
        line = lines.readline()
        if not line:
            os._exit(0)
        if line.strip() or fault == "empty lines":
            return line.decode().strip()


def drop_what_comes_within(seconds: float) -> None:
    time.sleep(seconds)
    os.set_blocking(0, False)
    with contextlib.suppress(BlockingIOError):
        os.read(0, 65536)
    os.set_blocking(0, True)


def start(size: int) -> None:
    global width, height  # noqa: PLW0603  (one game a process)
    width = height = size
    if fault != "hoards":
        stones.clear()
    if fault == "discards":
        drop_what_comes_within(0.1)
    say("OK")


def information(rest: str) -> None:
    global rule, turn_ms  # noqa: PLW0603  (one game a process)
    key, _, value = rest.partition(" ")
    if key.lower() == "rule":
        rule = int(value)
    if key.lower() == "timeout_turn":
        turn_ms = int(value)
    if fault == "answers info":
        say("OK")


def end() -> None:
    if fault == "stays":
        time.sleep(20)
    os._exit(0)


def talk_for_ever() -> None:
    endless = {"endless line": b"yyyy", "endless talk": b"MESSAGE hello\n"}
    while fault in endless:
        os.write(1, endless[fault] * 10_000)


def main() -> None:
    talk_for_ever()
    while True:
        word, _, rest = next_line().partition(" ")
        if word == "START":
            start(int(rest))
        elif word == "INFO":
            information(rest)
        elif word == "BEGIN":
            move()
        elif word == "TURN":
            turn(rest)
        elif word == "BOARD":
            board()
        elif word == "ABOUT":
            say("a fine engine" if fault == "nameless" else 'name="faulty", version="1"')
        elif word == "END":
            end()
        elif fault == "crashes":
            raise SystemExit(1)
        elif fault == "hogs" and word == "RESTART":
            threading.Event().wait()
        else:
            say(f"UNKNOWN {word}")


main()
